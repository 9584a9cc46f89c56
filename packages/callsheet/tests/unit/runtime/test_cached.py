"""What a run asks the cache: answered at once if the answer is at hand, later if it is not."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from msgspec import structs

from callsheet.core.ids import RunId, StepKey
from callsheet.core.index.derived import CachedCall
from callsheet.core.run import entries as e
from callsheet.errors import StoreError
from callsheet.runtime.cache import MANY, Lookups
from callsheet.runtime.journal import WholeJournal
from callsheet.stores.artifacts.opening import open_artifacts
from callsheet.stores.memory.store import MemoryStore
from callsheet.testing import SimulatedClock, simulated

if TYPE_CHECKING:
    from collections.abc import Coroutine

pytestmark = pytest.mark.requirement("cache:names-its-source")

STEP, OTHER = StepKey("a"), StepKey("b")
LARGE = b'"' + b"x" * 40_000 + b'"'


class Asked:
    """A cache that answers as it is told to, and remembers what it was asked."""

    def __init__(self) -> None:
        self.looking: list[asyncio.Future[CachedCall | None]] = []
        self.broken: StoreError | None = None
        self.answers: dict[str, CachedCall | None] = {}

    def find(self, key: str) -> asyncio.Future[CachedCall | None]:
        if self.broken is not None:
            raise self.broken
        looking: asyncio.Future[CachedCall | None] = asyncio.get_running_loop().create_future()
        if key in self.answers:
            looking.set_result(self.answers[key])
        self.looking.append(looking)
        return looking


class Desk:
    """Lookups of a run, and what they ask of it."""

    def __init__(self) -> None:
        self.cache = Asked()
        self.clock = SimulatedClock()
        self.artifacts = open_artifacts(None, now=self.clock.now)
        journal = WholeJournal(MemoryStore().journal, self.artifacts, self.clock)
        self.tasks: list[asyncio.Task[None]] = []
        self.nudges = 0
        self.lookups = Lookups(
            self.cache, journal, self.clock, spawn=self._begin, nudge=self._nudge
        )

    def _begin(self, work: Coroutine[object, object, None]) -> None:
        self.tasks.append(asyncio.get_running_loop().create_task(work))

    def _nudge(self) -> None:
        self.nudges += 1

    async def settled(self) -> None:
        for task in self.tasks:
            await task

    def call(self, **fields: object) -> CachedCall:
        entry = e.AttemptEnded(at=self.clock.now(), step="s", attempt=1, outcome="succeeded")
        return CachedCall(run=RunId("r1"), entry=structs.replace(entry, **fields))


@simulated
async def test_what_is_at_hand_is_answered_at_once() -> None:
    desk = Desk()
    there = desk.cache.answers["there"] = desk.call()
    desk.cache.answers["not there"] = None
    assert not desk.lookups.is_pending(STEP, "there", None)
    assert not desk.lookups.is_pending(OTHER, "not there", None)
    assert desk.lookups.answer(STEP, None) == there
    assert desk.lookups.answer(OTHER, None) is None
    assert (desk.tasks, desk.nudges) == ([], 0)


@simulated
async def test_what_comes_later_is_waited_for_and_the_run_is_nudged() -> None:
    desk = Desk()
    assert desk.lookups.is_pending(STEP, "key", None)
    assert desk.lookups.is_pending(STEP, "key", None)
    (looking,) = desk.cache.looking
    looking.set_result(desk.call())
    await desk.settled()
    assert desk.nudges == 1
    assert not desk.lookups.is_pending(STEP, "key", None)
    assert desk.lookups.answer(STEP, None) is not None


@simulated
async def test_what_lies_beside_the_journal_comes_later_and_whole() -> None:
    desk = Desk()
    digest, _ = await desk.artifacts.put(LARGE)
    desk.cache.answers["key"] = desk.call(output=e.NULL, stored={"output": digest})
    assert desk.lookups.is_pending(STEP, "key", None)
    await desk.settled()
    found = desk.lookups.answer(STEP, None)
    assert found is not None
    assert bytes(found.entry.output) == LARGE
    assert desk.nudges == 1


@simulated
async def test_a_cache_that_cannot_be_read_keeps_no_step_from_being_made() -> None:
    desk = Desk()
    assert desk.lookups.is_pending(OTHER, "key", None)
    desk.cache.looking[0].set_exception(StoreError("gone"))
    await desk.settled()
    desk.cache.broken = StoreError("closed")
    for step in (STEP, OTHER):
        assert not desk.lookups.is_pending(step, "key", None)
        assert desk.lookups.answer(step, None) is None
    assert desk.nudges == 1


@simulated
async def test_a_call_of_this_run_answers_before_the_store_knows_of_it() -> None:
    desk = Desk()
    made = desk.call(cache_key="key")
    desk.lookups.note_made(made.run, made.entry)
    assert not desk.lookups.is_pending(STEP, "key", 5.0)
    assert desk.lookups.answer(STEP, 5.0) == made
    desk.lookups.note_written()
    assert desk.lookups.is_pending(OTHER, "key", 5.0), "from now on the store is asked"
    assert len(desk.cache.looking) == 1


@simulated
async def test_many_answers_in_a_row_let_others_have_their_turn() -> None:
    desk = Desk()
    desk.cache.answers["key"] = None
    steps = [StepKey(f"s{number}") for number in range(2 * MANY + 1)]

    def answered() -> int:
        return sum(not desk.lookups.is_pending(step, "key", None) for step in steps)

    assert answered() == MANY
    assert answered() == MANY, "also when the run looks again for another reason"
    await desk.settled()
    assert (answered(), desk.nudges) == (2 * MANY, 1)
    desk.lookups.note_written()
    assert answered() == 2 * MANY + 1, "a turn that was written has let others have theirs"
