"""Several processes on one home, one after the other killed: every run ends as the undisturbed one.

All of them start the same orders, watch, answer and cancel; nothing happens twice, the feed has
every entry once and in order, and the ledger adds up.
"""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from random import Random
from typing import TYPE_CHECKING, NamedTuple

import msgspec
import pytest
from tests.crash import crowd
from tests.crash.crowd import BUYS, GRANT, TENANT, Share, name_of
from tests.crash.victim import (
    PATIENCE,
    Case,
    check_calls,
    check_doubts,
    check_no_doubles,
    outcome_from,
    process_of,
    until,
)

from callsheet import Engine
from callsheet.runtime.clock import SystemClock

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from multiprocessing.process import BaseProcess
    from pathlib import Path

    from tests.crash.conftest import Undisturbeds

    from callsheet import Event, Result
    from callsheet.core.index.heads import RunHead

pytestmark = [
    pytest.mark.slow,  # real processes, killed
    pytest.mark.requirement("E26", "E3", "E11", "durability:killed-anywhere-ends-the-same"),
]


class Crowd:
    """The processes, and the home that they share."""

    def __init__(self, home: Path, database: str, size: Size) -> None:
        self.case = Case(home, database=database)
        self.place = database or str(home)
        self.orders = size.orders
        self._chance = Random(size.orders)
        self._members: list[BaseProcess] = []
        self._size = size.members

    def grow(self) -> None:
        """Have as many as there should be."""
        while len(self._members) < self._size:
            share = Share(
                home=str(self.case.home),
                database=self.case.database,
                orders=self.orders,
                seed=self._chance.getrandbits(32),
            )
            text = msgspec.json.encode(share).decode()
            self._members.append(process_of(crowd.main, text))

    def kill_one(self) -> None:
        """`kill -9` one of them."""
        self._members.pop(self._chance.randrange(len(self._members))).kill()

    def disperse(self) -> None:
        """Kill them all."""
        while self._members:
            member = self._members.pop()
            member.kill()
            member.join()

    @property
    def ready(self) -> int:
        """How many have ever been there."""
        return len(self.case.said("ready"))


@asynccontextmanager
async def gathered(home: Path, database: str, size: Size) -> AsyncIterator[Crowd]:
    async with Engine.open(database or home, recover=False) as engine:
        await engine.ledger.grant(TENANT, usd=GRANT)
    crowd_ = Crowd(home, database, size)
    try:
        crowd_.grow()
        yield crowd_
    finally:
        crowd_.disperse()


class Reader:
    """Somebody who follows the feed from the beginning, and now and then comes back to it."""

    def __init__(self, place: str) -> None:
        self._place = place
        self.events: list[Event] = []

    async def read(self) -> None:
        """Read on, each time with another engine."""
        while True:
            async with Engine.open(self._place, drive=False) as engine:
                after = self.events[-1].position if self.events else 0
                assert after is not None
                async for event in engine.feed(after):
                    self.events.append(event)
                    if len(self.events) % 200 == 0:
                        break

    def ended(self) -> int:
        """How many runs have ended, as far as it has read."""
        return sum(event.kind == "RunEnded" for event in self.events)


async def disturb(crowd_: Crowd, reader: Reader, size: Size) -> None:
    """Kill one again and again, and have another come, while there is something to disturb."""
    clock = SystemClock()
    there = 0

    def has_come() -> bool:
        return crowd_.ready > there or bool(crowd_.case.said("error"))

    for _ in range(size.kills):
        there = crowd_.ready
        await clock.sleep(size.every)
        if reader.ended() == crowd_.orders:
            return
        crowd_.kill_one()
        crowd_.grow()
        # A machine that is slow to start processes would have none left that does anything.
        await until(has_come, "a newcomer")
        crowd_.case.kills += 1


async def check(crowd_: Crowd, reader: Reader, undisturbed: Undisturbeds) -> None:
    """All runs are as they should be, and so is what was told of them."""
    spent = 0.0
    journals: dict[str, int] = {}
    async with Engine.open(crowd_.place, drive=False) as engine:
        heads = await engine.runs(limit=crowd_.orders + 10)
        assert len(heads) == crowd_.orders, "an order is one run, whoever starts it"
        for head in heads:
            run = await engine.get(head.run)
            entries = await run.journal()
            journals[run.id] = len(entries)
            check_no_doubles(entries)
            check_calls(crowd_.case, run.id, entries)
            check_doubts(entries)
            report = await engine.replay(run.id)
            assert report.same, report.difference
            result = await run.status()
            spent += result.cost.usd
            await check_result(crowd_, result, order_of(head), undisturbed)
        check_feed(reader.events, journals)
        account = await engine.ledger.account(TENANT)
    assert account is not None
    assert account.reserved.usd == 0
    assert account.spent.usd == pytest.approx(spent)
    assert account.available.usd == pytest.approx(GRANT - spent)


def order_of(head: RunHead) -> int:
    assert head.key is not None
    return int(head.key.rpartition("-")[2])


async def check_result(
    crowd_: Crowd, result: Result, order: int, undisturbed: Undisturbeds
) -> None:
    """A run has ended as if nobody had been killed."""
    name = name_of(order)
    if name == BUYS:
        assert result.state == "succeeded"
        return
    expected = (await undisturbed(name)).outcome  # type: ignore[arg-type]
    effects = crowd_.case.world.effects_of(result.run)
    assert outcome_from(result.to_json(), effects) == expected


def check_feed(events: list[Event], journals: dict[str, int]) -> None:
    """Every entry was told once, each run's in its order, and positions only grow."""
    told: dict[str, list[int]] = {}
    for event in events:
        told.setdefault(event.run, []).append(event.seq)
    assert told == {run: list(range(1, length + 1)) for run, length in journals.items()}
    positions = [event.position or 0 for event in events]
    assert positions == sorted(set(positions))


class Size(NamedTuple):
    """How many take part in what, and how often one of them is killed."""

    members: int
    orders: int
    kills: int
    every: float


@pytest.mark.parametrize("store", ["sqlite", "postgres"])
@pytest.mark.parametrize(
    "size",
    [
        pytest.param(Size(2, 8, 2, 0.2), id="two"),
        pytest.param(Size(4, 160, 30, 1.0), id="four", marks=pytest.mark.long),
    ],
)
async def test_processes_that_are_killed_one_after_the_other_leave_no_trace(
    store: str,
    size: Size,
    tmp_path: Path,
    request: pytest.FixtureRequest,
    undisturbed: Undisturbeds,
) -> None:
    database = str(request.getfixturevalue("database")) if store == "postgres" else ""
    async with gathered(tmp_path, database, size) as crowd_:
        reader = Reader(crowd_.place)
        async with asyncio.timeout(3 * PATIENCE), asyncio.TaskGroup() as group:
            reading = group.create_task(reader.read())
            await disturb(crowd_, reader, size)
            await until(
                lambda: reader.ended() == size.orders or crowd_.case.said("error"),
                "the end of all runs",
            )
            reading.cancel()
    assert not crowd_.case.said("error"), crowd_.case.complaints()
    await check(crowd_, reader, undisturbed)
