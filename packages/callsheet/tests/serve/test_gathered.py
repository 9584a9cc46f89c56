"""Writes that come at the same time are one transaction, and each is as if it were alone."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest

from callsheet import Engine
from callsheet.serve.gathered import MOST, Gathered
from callsheet.serve.tables.branch import BRANCH

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from sqlalchemy import Connection

# The first write of a process imports SQLAlchemy.
pytestmark = [pytest.mark.slow, pytest.mark.requirement("S1", "E18")]


class Counted:
    """A database that counts its transactions, and waits before each for a word."""

    def __init__(self, engine: Engine) -> None:
        self._database = engine.database(BRANCH)
        self.writes = 0
        self.may_go = asyncio.Event()
        self.may_go.set()

    async def write(self, act: Callable[[Connection], Any]) -> Any:
        self.writes += 1
        await self.may_go.wait()
        return await self._database.write(act)


@asynccontextmanager
async def counted() -> AsyncIterator[tuple[Counted, Gathered]]:
    async with Engine.in_memory() as engine:
        database: Any = Counted(engine)
        yield database, Gathered(database)


async def told(gathered: Gathered, acts: list[Callable[[Connection], int]]) -> list[Any]:
    """What each is told who writes at the same time, be it an error."""

    async def one(act: Callable[[Connection], int]) -> Any:
        try:
            return await gathered.write(act)
        except ZeroDivisionError as error:
            return error

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(one(act)) for act in acts]
    return [task.result() for task in tasks]


def says(number: int) -> Callable[[Connection], int]:
    return lambda _connection: number


async def test_those_that_come_together_are_written_together() -> None:
    async with counted() as (database, gathered):
        every = list(range(MOST + 50))
        assert await told(gathered, [says(number) for number in every]) == every
        assert database.writes == 3  # the first alone, then as many as go together, then the rest
        assert await gathered.write(says(7)) == 7


async def test_what_fails_fails_for_all_of_it_and_the_next_is_written() -> None:
    def breaks(_connection: Connection) -> int:
        raise ZeroDivisionError

    async with counted() as (database, gathered):
        found = await told(gathered, [says(0), says(1), breaks, says(3)])
        assert found[0] == 0  # it was alone
        assert all(isinstance(each, ZeroDivisionError) for each in found[1:])
        assert await gathered.write(says(4)) == 4
        assert database.writes == 3


async def test_who_goes_away_holds_nobody_up() -> None:
    async with counted() as (database, gathered):
        database.may_go.clear()
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(gathered.write(says(number))) for number in range(6)]
            await asyncio.sleep(0)  # noqa: TID251 -- a turn of the loop, no time
            tasks[0].cancel()  # who writes
            tasks[2].cancel()  # who waits
            await asyncio.sleep(0)  # noqa: TID251 -- a turn of the loop, no time
            await asyncio.sleep(0)  # noqa: TID251 -- a turn of the loop, no time
            tasks[1].cancel()  # whose turn it has become
            database.may_go.set()
        assert [task.cancelled() for task in tasks] == [True] * 3 + [False] * 3
        assert [task.result() for task in tasks[3:]] == [3, 4, 5]
        assert await gathered.write(says(9)) == 9
