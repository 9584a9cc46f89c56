"""The page about web services: its service answers as the page says, with one worker and four."""

from __future__ import annotations

import asyncio
import os
import re
import runpy
import shutil
import signal
import sys
from contextlib import asynccontextmanager
from pathlib import Path
from subprocess import PIPE, STDOUT
from typing import TYPE_CHECKING, Any

import httpx
import psutil
import pytest
from tests.acceptance.pages import ROOT, blocks, commands

from callsheet import Engine
from callsheet.core.run.entries import RunStarted
from callsheet.runtime.clock import SystemClock

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

pytestmark = pytest.mark.requirement("E26", "E3")

PAGE = "docs/how-to/use-in-a-web-service.md"
SERVICE = ROOT / "docs_src" / "web_service" / "service.py"
PATIENCE = 120.0
LISTENING = re.compile(r"Listening at: (http://\S+)")
READY = "Application startup complete"
WORKERS = 4
LOOK = 0.02


async def ship(client: httpx.AsyncClient, parcel: str) -> str:
    answer = await client.post(f"/parcels/{parcel}")
    assert answer.status_code == 200, answer.text
    return str(answer.json()["run"])


async def say_yes(client: httpx.AsyncClient, run: str) -> None:
    while not (await shown(client, run))["questions"]:
        await SystemClock().sleep(LOOK)
    answer = await client.post(f"/runs/{run}/answers/ok", params={"value": "yes", "by": "ann"})
    assert answer.status_code == 200, answer.text


async def shown(client: httpx.AsyncClient, run: str) -> Any:
    answer = await client.get(f"/runs/{run}")
    assert answer.status_code == 200, answer.text
    return answer.json()


async def until_labelled(client: httpx.AsyncClient, run: str, parcel: str) -> None:
    while (status := await shown(client, run))["state"] != "succeeded":
        assert status["state"] in {"running", "waiting"}
        await SystemClock().sleep(LOOK)
    assert status["output"] == f"label for {parcel}"


@pytest.mark.slow  # imports a web framework
async def test_the_service_of_the_page_does_what_the_page_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    app = runpy.run_path(str(SERVICE))["app"]
    transport = httpx.ASGITransport(app)
    async with (
        asyncio.timeout(PATIENCE),
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://service") as client,
    ):
        run = await ship(client, "p1")
        assert await ship(client, "p1") == run
        await say_yes(client, run)
        await until_labelled(client, run, "p1")
        again = await client.post(f"/runs/{run}/answers/ok", params={"value": "no", "by": "ben"})
        assert again.status_code == 409
        assert (await client.get("/runs/r00t3rd8b0tp3zv3psrntb2t")).status_code == 404


class Gunicorn:
    """The command of the page, in a directory of its own, on a free port."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.pid = process.pid

    async def until(self, text: str, times: int = 1) -> str:
        """The line that says something for the so many-th time."""
        assert self.process.stdout is not None
        while line := (await self.process.stdout.readline()).decode():
            times -= text in line
            if not times:
                return line
        raise AssertionError(f"It ended, and never said {text!r}.")

    def workers(self) -> list[psutil.Process]:
        return psutil.Process(self.pid).children()


@asynccontextmanager
async def gunicorn(directory: Path) -> AsyncIterator[Gunicorn]:
    consoles = [block for block in blocks(PAGE) if block.language == "console"]
    typed = [each.line for block in consoles for each in commands(block)]
    (line,) = [each for each in typed if each.startswith("gunicorn ")]
    shutil.copy(SERVICE, directory)
    program = str(Path(sys.executable).parent / "gunicorn")
    process = await asyncio.create_subprocess_exec(
        *(program, *line.split()[1:], "--bind", "127.0.0.1:0"),
        cwd=directory,
        env={**os.environ, "HOME": str(directory)},
        stdout=PIPE,
        stderr=STDOUT,
        start_new_session=True,
    )
    try:
        yield Gunicorn(process)
    finally:
        if process.returncode is None:
            os.killpg(process.pid, signal.SIGKILL)
            await process.communicate()


@pytest.mark.long  # four processes that import a web framework, twice
async def test_gunicorn_with_four_workers_loses_no_run_when_one_is_killed_and_all_are_replaced(
    tmp_path: Path,
) -> None:
    parcels = [f"p{number}" for number in range(24)]
    async with asyncio.timeout(PATIENCE), gunicorn(tmp_path) as server:
        found = LISTENING.search(await server.until("Listening at"))
        assert found is not None
        await server.until(READY, WORKERS)
        # A connection for each request: any worker may have it.
        limits = httpx.Limits(max_keepalive_connections=0)
        async with httpx.AsyncClient(
            base_url=found[1], limits=limits, timeout=PATIENCE, trust_env=False
        ) as client:
            async with asyncio.TaskGroup() as group:
                starts = [(p, group.create_task(ship(client, p))) for p in parcels * 3]
            runs = {parcel: start.result() for parcel, start in starts}
            assert {start.result() for _, start in starts} == set(runs.values())
            assert len(set(runs.values())) == len(parcels)
            server.workers()[0].kill()
            for parcel in parcels[:12]:
                await say_yes(client, runs[parcel])
            os.kill(server.pid, signal.SIGHUP)
            for parcel in parcels[12:]:
                await say_yes(client, runs[parcel])
            for parcel in parcels:
                await until_labelled(client, runs[parcel], parcel)
        os.kill(server.pid, signal.SIGTERM)
        await server.process.communicate()
        assert server.process.returncode == 0
    async with Engine.open(tmp_path / "shop", drive=False) as engine:
        assert len(await engine.runs(limit=100)) == len(parcels)
        for run in runs.values():
            entries = await (await engine.get(run)).journal()
            assert len([entry for entry in entries if isinstance(entry, RunStarted)]) == 1
            assert (await engine.replay(run)).same
