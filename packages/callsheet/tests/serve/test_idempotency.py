"""`Idempotency-Key`: the same request again gets the same answer, however often it is asked."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from starlette.responses import Response
from tests.serve.stage import ASKS, HELLO, serving, started
from typing_extensions import override

from callsheet import Engine
from callsheet.runtime.clock import SystemClock
from callsheet.serve import idempotency
from callsheet.serve.idempotency import KEPT, Answers
from callsheet.serve.problems import Refusal

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

# Each starts a server, or opens a home.
pytestmark = [pytest.mark.slow, pytest.mark.requirement("S1", "E18")]

ONCE = {"Idempotency-Key": "order-7"}


async def test_the_same_request_gets_the_same_answer(tmp_path: Path) -> None:
    async with serving(tmp_path / "home") as served:
        client = await served.client()
        first = await client.post("/api/runs", json={"plan": HELLO}, headers=ONCE)
        again = await client.post("/api/runs", json={"plan": HELLO}, headers=ONCE)
        assert first.status_code == again.status_code == 201
        assert first.content == again.content
        assert "idempotent-replayed" not in first.headers
        assert again.headers["idempotent-replayed"] == "true"
        assert again.headers["location"] == first.headers["location"]
        other = await client.post("/api/runs", json={"plan": ASKS}, headers=ONCE)
        assert (other.status_code, other.json()["code"]) == (409, "idempotency_key_reused")
        assert len((await client.get("/api/runs")).json()["items"]) == 1


async def test_two_at_the_same_moment_are_one(tmp_path: Path) -> None:
    async with serving(tmp_path / "home") as served:
        client = await served.client()
        async with asyncio.TaskGroup() as group:
            tasks = [
                group.create_task(
                    client.post("/api/runs?wait=10", json={"plan": HELLO}, headers=ONCE)
                )
                for _ in range(8)
            ]
        answers = [task.result() for task in tasks]
        assert len({answer.content for answer in answers}) == 1
        assert sum("idempotent-replayed" not in answer.headers for answer in answers) == 1


async def test_for_a_run_it_is_the_start_key_for_ever(tmp_path: Path) -> None:
    async with serving(tmp_path / "home") as served:
        client = await served.client()
        run = (await client.post("/api/runs", json={"plan": HELLO}, headers=ONCE)).json()["run"]
        listed = (await client.get("/api/runs?key=order-7")).json()["items"]
        assert [each["run"] for each in listed] == [run]
        # Also when the answer itself is kept no longer.
        same = await client.post("/api/runs", json={"plan": HELLO, "key": "order-7"})
        assert same.json()["run"] == run


async def test_keys_are_each_tenant_s_own(tmp_path: Path) -> None:
    async with serving(tmp_path / "home") as served:
        acme, beta = await served.tenant("acme"), await served.tenant("beta")
        one = await acme.post("/api/runs", json={"plan": HELLO}, headers=ONCE)
        two = await beta.post("/api/runs", json={"plan": ASKS}, headers=ONCE)
        assert (one.status_code, two.status_code) == (201, 201)
        assert one.json()["run"] != two.json()["run"]


async def test_every_change_may_be_asked_for_again(tmp_path: Path) -> None:
    async with serving(tmp_path / "home") as served:
        client = await served.owner()
        run = await started(client, ASKS)
        first = again = await client.get("/health")
        for path, body in (
            (f"/api/runs/{run}/answer", {"question": "ok#1", "answer": "yes"}),
            ("/api/plans", {"plan": HELLO}),
            ("/api/ledger/grants", {"tenant": "default", "usd": 1}),
            ("/api/keys", {"name": "ci", "scopes": ["runs:read"]}),
        ):
            key = {"Idempotency-Key": path}
            first = await client.post(path, json=body, headers=key)
            again = await client.post(path, json=body, headers=key)
            assert first.status_code == again.status_code < 300, (path, first.text)
            assert again.headers["idempotent-replayed"] == "true"
        assert (await client.get("/api/ledger")).json()["granted"]["usd"] == 1
        assert again.json()["key"] is None, "a key is told once"
        assert first.json()["key"].startswith("cs_")


async def test_a_refusal_is_told_again_but_a_moment_s_is_not(tmp_path: Path) -> None:
    async with serving(tmp_path / "home") as served:
        client = await served.client()
        bad = {"plan": {"steps": [{"id": "a", "tool": "nope"}]}}
        first = await client.post("/api/runs", json=bad, headers=ONCE)
        again = await client.post("/api/runs", json=bad, headers=ONCE)
        assert (first.status_code, again.status_code) == (422, 422)
        assert again.headers["idempotent-replayed"] == "true"
        service = served.service
        service.closing = True
        busy = {"Idempotency-Key": "busy"}
        assert (await client.post("/api/runs", json={"plan": HELLO}, headers=busy)).is_error
        service.closing = False
        assert (await client.post("/api/runs", json={"plan": HELLO}, headers=busy)).is_success


async def test_uploads_are_compared_by_what_they_say(tmp_path: Path) -> None:
    async with serving(tmp_path / "home") as served:
        client = await served.client()
        first = await client.post("/api/artifacts", content=b"one", headers=ONCE)
        again = await client.post("/api/artifacts", content=b"one", headers=ONCE)
        other = await client.post("/api/artifacts", content=b"two", headers=ONCE)
        assert first.json() == again.json()
        assert other.status_code == 409


class Later(SystemClock):
    """The machine's clock, some time from now."""

    ahead = timedelta()

    @override
    def now(self) -> datetime:
        return super().now() + self.ahead


async def test_a_process_that_is_gone_holds_nobody_up(tmp_path: Path) -> None:
    async with Engine.open(tmp_path / "home") as engine:
        clock = Later()
        gone, here = Answers(engine, clock), Answers(engine, clock)
        assert await gone.claim("acme", "k", "digest") is True
        assert await here.claim("acme", "k", "digest") is False
        clock.ahead = idempotency.HELD * 2

        async def act() -> Response:
            return Response(b"done", 201)

        assert (await here.once("acme", "k", "digest", act)).status_code == 201
        with pytest.raises(Refusal):
            await gone.once("acme", "k", "another", act)


async def test_answers_are_forgotten_after_a_week(tmp_path: Path) -> None:
    async with Engine.open(tmp_path / "home") as engine:
        clock = Later()
        answers = Answers(engine, clock)

        async def one() -> Response:
            return Response(b"one", 200)

        async def two() -> Response:
            return Response(b"two", 200)

        assert (await answers.once("acme", "k", "d", one)).body == b"one"
        assert (await answers.once("acme", "k", "d", two)).body == b"one"
        clock.ahead = KEPT * 2
        assert (await answers.once("acme", "k", "other", two)).body == b"two"
