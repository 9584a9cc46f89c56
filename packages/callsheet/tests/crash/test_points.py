"""Killed at every named crash point, and resumed: the run ends as if nobody had been killed."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from tests.crash.program import STORE_POINTS
from tests.crash.victim import KILLED, Case, check_end, check_journal

from callsheet.runtime import crash

if TYPE_CHECKING:
    from pathlib import Path

    from tests.crash.conftest import Undisturbed, Undisturbeds
    from tests.crash.program import Scenario

# Slow: every kill is two processes at least.
pytestmark = [
    pytest.mark.slow,
    pytest.mark.requirement(
        "E11",
        "durability:acknowledged-survives",
        "durability:killed-anywhere-ends-the-same",
        "durability:finished-never-runs-again",
    ),
]

SCENARIOS: tuple[Scenario, ...] = ("keeps", "fails", "cancelled", "plans")
RECOVERING = ("recover.before", "recover.after")
FORWARD = tuple(p for p in (*crash.POINTS, *STORE_POINTS) if p not in RECOVERING)
STOPPING = tuple(p for p in FORWARD if p.startswith(("tell", "undo")))
GROWING = tuple(p for p in FORWARD if p.startswith(("add", "then", "text")))
"""What only a run comes to that grows from inside."""


def is_of(scenario: Scenario, point: str) -> bool:
    """Whether a run of a scenario may come to a point."""
    if point in GROWING:
        return scenario == "plans"
    if scenario == "plans":
        # Killed at the others, it is one run as any other; there nobody is asked anything.
        return point.startswith(("append", "call", "commit"))
    return scenario != "keeps" or point not in STOPPING


PLACES = [
    (scenario, point) for scenario in SCENARIOS for point in FORWARD if is_of(scenario, point)
]


def kind(point: str) -> str:
    """What it is before or after."""
    return point.partition(".")[0]


KINDS = list(dict.fromkeys((scenario, kind(point)) for scenario, point in PLACES))


async def killed(case: Case, crash_at: str) -> bool:
    """Whether a life died there; what it leaves behind must already be in order."""
    if await case.live(crash_at) != KILLED:
        return False
    await check_journal(case)
    return True


def occurrences(scenario: Scenario, point: str, count: int) -> list[int]:
    """At which of its occurrences a point is tried: the first, in the middle, late."""
    late = max(count - 1, 1)
    if scenario == "keeps" or point in STOPPING or point in GROWING:
        return sorted({1, (count + 1) // 2, late})
    return [late]  # up to their last steps the scenarios are one


async def test_every_crash_point_is_come_to(undisturbed: Undisturbeds) -> None:
    reached = {
        point
        for scenario in SCENARIOS
        for point, count in (await undisturbed(scenario)).counts.items()
        if count
    }
    assert reached == set(FORWARD)


async def check_point(case: Case, expected: Undisturbed, point: str, n: int) -> None:
    died = await killed(case, f"{point}:{n}")
    # How often a run comes to a point varies a little: appends are grouped as they come.
    assert died or n > (expected.counts[point] + 1) // 2, f"{point}:{n} was not come to"
    await case.live_on()
    await check_end(case, expected.outcome)


@pytest.mark.parametrize(("scenario", "what"), KINDS)
async def test_a_run_killed_at_a_crash_point_ends_as_the_undisturbed_one(
    scenario: Scenario, what: str, tmp_path: Path, undisturbed: Undisturbeds
) -> None:
    expected = await undisturbed(scenario)
    # Each has a home of its own, and mostly waits: they live side by side.
    async with asyncio.TaskGroup() as group:
        for point in (p for s, p in PLACES if (s, kind(p)) == (scenario, what)):
            for n in occurrences(scenario, point, expected.counts[point]):
                name = f"{point}:{n}"
                case = Case(tmp_path / name, scenario)
                group.create_task(check_point(case, expected, point, n), name=name)


AGAIN = (
    *RECOVERING,
    "append.before:1",
    "append.after:1",
    "commit.before:1",
    "commit.after:1",
    "begin.before:1",
    "call.before:1",
    "call.after:1",
)


@pytest.mark.parametrize(
    ("scenario", "again"),
    [
        pytest.param(scenario, again, marks=[] if (n + m) % 3 == 0 else [pytest.mark.long])
        for n, scenario in enumerate(SCENARIOS)
        for m, again in enumerate(AGAIN)
    ],
)
async def test_a_run_killed_again_while_it_recovers_ends_as_the_undisturbed_one(
    scenario: Scenario, again: str, tmp_path: Path, undisturbed: Undisturbeds
) -> None:
    case = Case(tmp_path, scenario)
    assert await killed(case, "call.after:4")
    assert await killed(case, again)
    assert await killed(case, "append.after:2")
    await case.live_on()
    await check_end(case, (await undisturbed(scenario)).outcome)


@pytest.mark.parametrize(
    ("scenario", "again"),
    [
        ("fails", "undo.before:1"),
        ("fails", "recover.after"),
        ("cancelled", "undo.after:1"),
        ("cancelled", "recover.before"),
    ],
)
@pytest.mark.requirement("undo:at-most-once")
async def test_an_undo_that_is_killed_again_and_again_takes_back_once(
    scenario: Scenario, again: str, tmp_path: Path, undisturbed: Undisturbeds
) -> None:
    case = Case(tmp_path, scenario)
    assert await killed(case, "undo.after:2")
    assert await killed(case, again)
    assert await killed(case, again)
    await case.live_on()
    await check_end(case, (await undisturbed(scenario)).outcome)
    assert not [step for (what, step), n in case.world.effects.items() if n > 1]


async def test_a_program_from_the_command_line_is_killed_and_resumed(
    tmp_path: Path, undisturbed: Undisturbeds
) -> None:
    case = Case(tmp_path, "fails")
    assert await case.live_from_command_line("call.after:3") == KILLED
    await check_journal(case)
    assert await case.live_from_command_line("undo.after:1") == KILLED
    await check_journal(case)
    assert await case.live_from_command_line() == 0
    await check_end(case, (await undisturbed("fails")).outcome)


@pytest.mark.long
@pytest.mark.parametrize(("scenario", "point"), PLACES)
async def test_a_run_killed_at_every_occurrence_of_a_crash_point_ends_the_same(
    scenario: Scenario, point: str, tmp_path: Path, undisturbed: Undisturbeds
) -> None:
    expected = (await undisturbed(scenario)).outcome
    n = 0
    died = True
    while died:
        n += 1
        case = Case(tmp_path / str(n), scenario)
        died = await killed(case, f"{point}:{n}")
        await case.live_on()
        await check_end(case, expected)
    assert n > 1
