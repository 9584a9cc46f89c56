"""The essentials of the service on PostgreSQL, with two processes' services on one database.

The walk with another tenant's ids is in `test_walk.py`, on both stores.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from tests.serve.stage import ASKS, HELLO, heard, serving, started, until

if TYPE_CHECKING:
    from pathlib import Path

# Each opens a database, and starts services.
pytestmark = [pytest.mark.slow, pytest.mark.requirement("S1", "store:postgresql")]


async def test_a_run_is_started_watched_and_resumed(database: str, tmp_path: Path) -> None:
    async with serving(database, artifacts=tmp_path / "artifacts") as served:
        owner = await served.owner()
        run = await started(owner, ASKS)
        await until(owner, run, "waiting")
        seen: list[int | None] = []
        async with owner.stream("GET", f"/api/runs/{run}/events") as stream:
            async for each in heard(stream.aiter_lines()):
                seen.append(each.id)
                if each.data["kind"] == "QuestionAsked":
                    break
        answer = {"question": "ok#1", "answer": "yes"}
        assert (await owner.post(f"/api/runs/{run}/answer", json=answer)).status_code == 200
        headers = {"Last-Event-ID": str(seen[-1])}
        async with owner.stream("GET", f"/api/runs/{run}/events", headers=headers) as stream:
            seen += [each.id async for each in heard(stream.aiter_lines())]
        assert seen == list(range(1, len(seen) + 1))
        assert (await owner.get(f"/api/runs/{run}")).json()["output"] == "yes"


async def test_the_same_request_to_two_services_is_answered_once(
    database: str, tmp_path: Path
) -> None:
    options: dict[str, Any] = {"artifacts": tmp_path / "artifacts"}
    async with serving(database, **options) as one, serving(database, **options) as two:
        clients = [await served.owner() for served in (one, two)]
        headers = {"Idempotency-Key": "k"}
        async with asyncio.TaskGroup() as group:
            asked = [
                group.create_task(
                    client.post("/api/runs?wait=30", json={"plan": HELLO}, headers=headers)
                )
                for client in clients
                for _ in range(4)
            ]
        answers = [task.result() for task in asked]
        assert {answer.status_code for answer in answers} == {200}
        assert len({answer.json()["run"] for answer in answers}) == 1
        replayed = [answer.headers.get("idempotent-replayed") for answer in answers]
        assert replayed.count(None) == 1
        (run,) = (await clients[1].get("/api/runs")).json()["items"]
        assert run["key"] == "k"


async def test_a_turn_is_started_on_one_and_followed_on_the_other(
    database: str, tmp_path: Path
) -> None:
    options: dict[str, Any] = {"artifacts": tmp_path / "artifacts"}
    async with serving(database, **options) as one, serving(database, **options) as two:
        here, there = await one.owner(), await two.owner()
        said = {"message": "wait 0.1 seconds", "model": "offline", "tools": ["wait"], "begin": True}
        turn = (await here.post("/api/conversations/t/turns", json=said)).json()["turn"]
        async with there.stream("GET", f"/api/turns/{turn}/flow") as stream:
            told = [each.data async for each in heard(stream.aiter_lines())]
        assert (told[-1]["kind"], told[-1]["state"]) == ("end", "answered")
        messages = (await there.get("/api/conversations/t/messages")).json()["items"]
        assert [each["kind"] for each in messages] == ["user", "answer", "results", "answer"]


async def test_lists_keys_and_uploads_are_as_on_sqlite(database: str, tmp_path: Path) -> None:
    async with serving(database, artifacts=tmp_path / "artifacts") as served:
        acme = await served.tenant("acme")
        runs = [await started(acme) for _ in range(3)]
        first = (await acme.get("/api/runs?limit=2")).json()
        rest = (await acme.get(f"/api/runs?limit=2&cursor={first['next']}")).json()
        listed = [each["run"] for page in (first, rest) for each in page["items"]]
        assert listed == runs[::-1]
        kind = {"Content-Type": "text/plain"}
        kept = await acme.post("/api/artifacts?name=a.txt", content=b"a", headers=kind)
        found = await acme.get(f"/api/artifacts/{kept.json()['$artifact']}")
        assert (found.content, found.headers["content-type"][:10]) == (b"a", "text/plain")
        assert (await acme.get("/api/audit")).json()["items"]
