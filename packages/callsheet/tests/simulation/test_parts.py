"""The parts of a simulation do what a story takes for granted."""

from __future__ import annotations

import asyncio
from random import Random
from typing import TYPE_CHECKING

import pytest
from msgspec import Raw

from callsheet.core.ids import RunId
from callsheet.core.plan.plan import FORMAT, Plan, Step
from callsheet.core.run import entries as e
from callsheet.errors import StoreError
from callsheet.testing.simulated import BEGIN
from callsheet.testing.simulation.disk import SimulatedDisk
from callsheet.testing.simulation.faults import CALM, Faults
from callsheet.testing.simulation.loop import HungError, MortalLoop, StoryClock
from callsheet.testing.simulation.sample import sampled

if TYPE_CHECKING:
    from callsheet.core.value import Json
    from callsheet.testing.simulation.disk import SimulatedStore

RUN = RunId("r1")
STARTED = e.RunStarted(
    at=BEGIN,
    run=RUN,
    plan=Plan(steps=(Step(id="a", tool="look"),)),
    inputs=Raw(b"{}"),
    tools={},
    seed="r1",
    format=FORMAT,
    core=e.CORE_VERSION,
    flags=(),
)
NOTED = e.ProblemNoted(at=BEGIN, message="It was slow.")


def new_loop(dies_at: int | None = None, horizon: float = 100.0) -> MortalLoop:
    # It only turns: what it does not have nobody asks for.
    return MortalLoop(0.0, dies_at=dies_at, horizon=horizon)  # type: ignore[abstract]


# The loop


def test_time_jumps_to_the_next_timer() -> None:
    loop = new_loop()
    clock = StoryClock(loop, Random(1))

    async def work() -> list[str]:
        told: list[str] = []
        loop.call_later(20, told.append, "second")
        loop.call_later(10, told.append, "first")
        await clock.sleep(30)
        return told

    assert loop.run(work()) == ["first", "second"]
    assert loop.now == 30


def test_a_loop_that_dies_lets_nothing_act_any_more() -> None:
    acted: list[str] = []

    async def works_on(loop: MortalLoop) -> None:
        try:
            while True:
                await StoryClock(loop, Random(1)).sleep(1)
        finally:
            loop.call_soon(acted.append, "scheduled by the dead")

    for turns in range(1, 20):
        loop = new_loop(dies_at=turns)
        assert loop.run(works_on(loop)) is None
        assert loop.turns == turns
    assert not acted


def test_a_story_that_does_not_end_is_noticed() -> None:
    async def waits_for_ever() -> None:
        await asyncio.Event().wait()

    async def sleeps_for_ever(loop: MortalLoop) -> None:
        while True:
            await StoryClock(loop, Random(1)).sleep(1)

    with pytest.raises(HungError, match="nothing is left"):
        new_loop().run(waits_for_ever())
    loop = new_loop(horizon=50)
    with pytest.raises(HungError, match="51 simulated seconds"):
        loop.run(sleeps_for_ever(loop))


def test_an_exception_that_nobody_caught_is_a_complaint() -> None:
    loop = new_loop()

    def breaks() -> None:
        raise ValueError("no")

    async def work() -> None:
        loop.call_soon(breaks)
        await StoryClock(loop, Random(1)).sleep(1)

    loop.run(work())
    assert "ValueError('no')" in loop.complaints[0]


# The disk


def a_disk(faults: Faults = CALM, seed: int = 1) -> SimulatedDisk:
    return SimulatedDisk(Random(seed), faults, lambda _: None)


def length(disk: SimulatedDisk) -> int:
    return len(disk.kept._contents.journals.get(RUN, []))  # noqa: SLF001 -- what lies on it


async def append(store: SimulatedStore) -> int:
    return await store.journal.append(RUN, [STARTED, NOTED], after=0)


def test_what_a_calm_disk_acknowledges_is_there_for_the_next_process() -> None:
    disk = a_disk()
    loop = new_loop()
    assert loop.run(append(disk.open(loop))) == 2
    other = new_loop()
    store = disk.open(other)
    read = other.run(store.journal.read(RUN))
    assert read is not None
    assert list(read) == [STARTED, NOTED]
    assert disk.acknowledged[RUN] == [e.encode(STARTED), e.encode(NOTED)]


@pytest.mark.parametrize(
    ("fault", "written"), [("failed_commits", 0), ("unsure_commits", 2)], ids=["failed", "unsure"]
)
def test_a_commit_that_fails_has_written_nothing_or_all(fault: str, written: int) -> None:
    for seed in range(10):
        disk = a_disk(with_chances(CALM, **{fault: 1.0}), seed)
        loop = new_loop()
        with pytest.raises(StoreError):
            loop.run(append(disk.open(loop)))
        assert length(disk) == written
        assert not disk.acknowledged


def test_a_commit_on_its_way_when_the_process_dies_is_written_or_not() -> None:
    slow = with_chances(CALM, slow_commits=1.0)
    seen = set()
    for seed in range(20):
        disk = a_disk(slow, seed)
        loop = new_loop(dies_at=1)
        assert loop.run(append(disk.open(loop))) is None
        assert length(disk) == 0
        disk.lose_power()
        seen.add(length(disk))
    assert seen == {0, 2}


def test_a_dead_process_cannot_write() -> None:
    disk = a_disk()
    old = disk.open(new_loop())
    disk.lose_power()
    new = disk.open(new_loop())
    new_loop().run(new.owners.abandoned())
    with pytest.raises(StoreError, match="dead"):
        new_loop().run(append(old))
    assert length(disk) == 0


def with_chances(faults: Faults, **chances: float) -> Faults:
    return Faults(**{name: getattr(faults, name) for name in Faults.__struct_fields__} | chances)


# What a played tool returns


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"type": "integer"}, 1),
        ({"type": "string", "enum": ["a", "b"]}, "a"),
        ({"const": 7}, 7),
        ({"type": ["string", "null"]}, "text"),
        ({"anyOf": [{"type": "null"}, {"type": "string"}]}, None),
        ({"type": "array", "items": {"type": "boolean"}, "minItems": 2}, [True, True]),
        (
            {"properties": {"n": {"$ref": "#/$defs/N"}}, "$defs": {"N": {"type": "number"}}},
            {"n": 1.5},
        ),
        ({}, None),
    ],
)
def test_a_sample_fits_its_schema(schema: dict[str, Json], value: Json) -> None:
    assert sampled(schema) == value
