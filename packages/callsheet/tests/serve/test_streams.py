"""Streams: every entry once and in order, resumed without loss or repetition, by any reader."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from tests.serve.stage import ASKS, HELLO, SECONDS, heard, serving, started, until

from callsheet import Context, tool
from callsheet.serve.http import stream as streams
from callsheet.serve.server import listening, running
from callsheet.serve.service import Settings

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    import httpx
    from tests.serve.stage import Heard

# Each starts a server.
pytestmark = [pytest.mark.slow, pytest.mark.requirement("S1", "E15")]


@tool
async def slowly(ctx: Context) -> str:
    """Say how far it is."""
    ctx.progress(0.5, "half")
    return "done"


@contextlib.asynccontextmanager
async def events(
    client: httpx.AsyncClient, path: str, **headers: str
) -> AsyncIterator[AsyncIterator[Heard]]:
    async with client.stream("GET", path, headers=headers, timeout=SECONDS) as response:
        assert response.status_code == 200, await response.aread()
        yield heard(response.aiter_lines())


async def told(client: httpx.AsyncClient, path: str, **headers: str) -> list[Heard]:
    async with events(client, path, **headers) as found:
        return [each async for each in found]


async def test_a_run_is_told_from_its_first_entry_to_its_last(tmp_path: Path) -> None:
    async with serving(tmp_path / "home") as served:
        client = await served.client()
        run = await started(client)
        entries = await told(client, f"/api/runs/{run}/events")
        assert [each.id for each in entries] == list(range(1, len(entries) + 1))
        assert {each.event for each in entries} == {"entry"}
        assert [each.data["seq"] for each in entries] == [each.id for each in entries]
        kinds = [each.data["kind"] for each in entries]
        assert (kinds[0], kinds[-1]) == ("RunStarted", "RunEnded")


async def test_whoever_asks_after_the_end_is_told_to_stop(tmp_path: Path) -> None:
    async with serving(tmp_path / "home") as served:
        client = await served.client()
        run = await started(client)
        last = (await told(client, f"/api/runs/{run}/events"))[-1].id
        over = await client.get(f"/api/runs/{run}/events", headers={"Last-Event-ID": str(last)})
        assert (over.status_code, over.content) == (204, b"")
        beyond = await client.get(f"/api/runs/{run}/events?after={(last or 0) + 1}")
        assert beyond.status_code == 422


@pytest.mark.parametrize("way", ["header", "query"])
async def test_a_stream_is_resumed_after_every_entry(tmp_path: Path, way: str) -> None:
    async with serving(tmp_path / "home") as served:
        client = await served.client()
        run = await started(client)
        path = f"/api/runs/{run}/events"
        whole = [each.id for each in await told(client, path)]
        for cut in whole[:-1]:
            after = f"{path}?after={cut}" if way == "query" else path
            headers = {"Last-Event-ID": str(cut)} if way == "header" else {}
            rest = [each.id for each in await told(client, after, **headers)]
            assert rest == whole[whole.index(cut) + 1 :]


async def test_a_stream_is_resumed_on_another_process_s_service(tmp_path: Path) -> None:
    async with serving(tmp_path / "home") as one, serving(tmp_path / "home") as two:
        first, second = await one.owner(), await two.owner()
        run = await started(first, ASKS)
        path = f"/api/runs/{run}/events"
        async with events(first, path) as begun:
            seen = [(await anext(begun)).id, (await anext(begun)).id]
        answer = {"question": "ok#1", "answer": "yes"}
        assert (await second.post(f"/api/runs/{run}/answer", json=answer)).status_code == 200
        rest = [each.id for each in await told(second, f"{path}?after={seen[-1]}")]
        assert [*seen, *rest] == list(range(1, len(rest) + 3))


async def test_progress_is_told_without_a_number(tmp_path: Path) -> None:
    plan = {
        "steps": [
            {"id": "ok", "ask": "Go?"},
            {"id": "a", "tool": "slowly", "needs": ["ok"]},
        ]
    }
    async with serving(tmp_path / "home", tools=[slowly]) as served:
        client = await served.owner()
        run = await started(client, plan)
        async with events(client, f"/api/runs/{run}/events") as found:
            first = await anext(found)
            assert first.id == 1
            answer = {"question": "ok#1", "answer": "yes"}
            await client.post(f"/api/runs/{run}/answer", json=answer)
            rest = [each async for each in found]
        progress = [each for each in rest if each.event == "progress"]
        assert [(each.id, each.data["fraction"]) for each in progress] == [(None, 0.5)]


async def test_the_feed_tells_all_runs_of_the_tenant_by_position(tmp_path: Path) -> None:
    async with serving(tmp_path / "home") as served:
        client = await served.client()
        runs = [await started(client) for _ in range(3)]
        seen: list[Heard] = []
        async with events(client, "/api/feed?kind=RunEnded") as found:
            while len(seen) < 3:
                seen.append(await anext(found))
        assert sorted(each.data["run"] for each in seen) == sorted(runs)
        assert [each.id for each in seen] == [each.data["position"] for each in seen]
        async with events(client, f"/api/feed?kind=RunEnded&after={seen[1].id}") as found:
            assert (await anext(found)).id == seen[2].id


async def test_lines_of_json_for_whoever_prefers_them(tmp_path: Path) -> None:
    async with serving(tmp_path / "home") as served:
        client = await served.client()
        run = await started(client)
        answer = await client.get(
            f"/api/runs/{run}/events", headers={"Accept": "application/x-ndjson"}
        )
        assert answer.headers["content-type"].startswith("application/x-ndjson")
        lines = [msgspec.json.decode(line) for line in answer.text.splitlines()]
        assert [line["seq"] for line in lines] == list(range(1, len(lines) + 1))


async def test_the_state_instead_of_entries(tmp_path: Path) -> None:
    async with serving(tmp_path / "home") as served:
        client = await served.client()
        run = await started(client)
        states = await told(client, f"/api/runs/{run}/events?coalesce=50ms")
        assert {each.event for each in states} == {"state"}
        assert states[-1].data["state"] == "succeeded"
        assert (await client.get(f"/api/runs/{run}/events?coalesce=5s")).status_code == 422


async def test_a_reader_who_goes_away_changes_nothing(tmp_path: Path) -> None:
    async with serving(tmp_path / "home") as served:
        client = await served.owner()
        run = await started(client, ASKS)
        for _ in range(3):
            async with events(client, f"/api/runs/{run}/events") as found:
                await anext(found)
        async with asyncio.timeout(SECONDS):
            while served.service.streams:
                await asyncio.to_thread(lambda: None)
        assert (await until(client, run, "waiting"))["run"] == run


async def test_closing_ends_streams_and_they_go_on_with_the_next_process(tmp_path: Path) -> None:
    home = tmp_path / "home"
    async with serving(home) as served:
        client = await served.owner()
        run = await started(client, ASKS)
        async with events(client, f"/api/runs/{run}/events") as found:
            seen = [await anext(found), await anext(found)]
            served.service.close()
            assert [each async for each in found] == []
            late = await client.get("/api/runs")
            assert (late.status_code, late.headers["retry-after"]) == (503, "1")
    async with serving(home) as served:
        client = await served.owner()
        async with events(client, f"/api/runs/{run}/events?after={seen[-1].id}") as found:
            answer = {"question": "ok#1", "answer": "yes"}
            path = f"/api/runs/{run}/answer"
            assert (await client.post(path, json=answer)).status_code in (200, 202)
            assert (await anext(found)).id == 3


async def test_a_ticket_opens_one_stream_once(tmp_path: Path) -> None:
    async with serving(tmp_path / "home", Settings(keyless=False)) as served:
        acme, nobody = await served.tenant("acme"), await served.client()
        run = await started(acme, HELLO)
        path = f"/api/runs/{run}/events"
        assert (await nobody.get(path)).status_code == 401
        ticket = (await acme.post("/api/tickets", json={"path": path})).json()["ticket"]
        assert (await nobody.get(f"/api/runs/{run}?ticket={ticket}")).status_code == 401
        ticket = (await acme.post("/api/tickets", json={"path": path})).json()["ticket"]
        assert len(await told(nobody, f"{path}?ticket={ticket}")) > 1
        assert (await nobody.get(f"{path}?ticket={ticket}")).status_code == 401


async def test_a_reader_who_does_not_read_is_cut(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "CUT", 0.2)
    monkeypatch.setattr(streams, "SLOW", 0.1)
    large = {"steps": [{"id": "a", "tool": "value", "args": {"value": "x" * 30_000}}]}
    async with serving(tmp_path / "home") as served:
        client = await served.client()
        for _ in range(200):
            await started(client, large)
        host, port = served.url.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port))) as idle:
            idle.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            idle.sendall(b"GET /api/feed HTTP/1.1\r\nHost: localhost\r\n\r\n")
            async with asyncio.timeout(SECONDS):
                while not served.service.streams:
                    await asyncio.to_thread(lambda: None)
                while served.service.streams:
                    await asyncio.to_thread(lambda: None)


async def test_too_many_streams_of_a_key_are_refused(tmp_path: Path) -> None:
    from callsheet.serve.access.caller import Limits

    async with serving(tmp_path / "home") as served:
        acme = await served.tenant("acme", limits=Limits(streams=1))
        run = await started(acme, ASKS)
        path = f"/api/runs/{run}/events"
        async with events(acme, path) as found:
            await anext(found)
            more = await acme.get(path)
            assert (more.status_code, more.json()["code"]) == (429, "rate_limited")


def _entries(found: list[Heard]) -> list[Any]:
    return [each.data for each in found]


async def test_the_same_socket_serves_after_a_stream(tmp_path: Path) -> None:
    listener, address = listening("127.0.0.1", 0)
    from callsheet import Engine

    async with Engine.open(tmp_path / "home") as engine, running(engine, Settings(), listener):
        import httpx

        async with httpx.AsyncClient(base_url=address.url, timeout=SECONDS) as client:
            run = await started(client)
            assert _entries(await told(client, f"/api/runs/{run}/events"))
            assert (await client.get("/health")).json()["status"] == "ok"
