"""Runs with children, killed and resumed: the whole family ends as the undisturbed one."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest
from tests.crash.program import CAP, PRICE, STORE_POINTS, SUB_PLANS
from tests.crash.victim import KILLED, Case, check_end, check_journal

from callsheet.core.ids import StepKey, child_run
from callsheet.core.run import entries as e
from callsheet.runtime import crash
from callsheet.runtime.clock import SystemClock

if TYPE_CHECKING:
    from pathlib import Path

    from _pytest.mark import ParameterSet
    from tests.crash.conftest import Undisturbeds
    from tests.crash.program import Scenario

pytestmark = [
    pytest.mark.slow,  # every kill is two processes at least
    pytest.mark.requirement(
        "E11", "durability:killed-anywhere-ends-the-same", "children:one-run-per-step"
    ),
]

SCENARIOS: tuple[Scenario, ...] = ("nests", "nests-fails")
POINTS = tuple(p for p in (*crash.POINTS, *STORE_POINTS) if not p.startswith("recover"))
QUICK = frozenset({"append.after", "begin.before", "call.after", "end.after"})
"""Killed there whenever something is changed; everywhere else in the long run."""
QUICK_FAILING = QUICK & {"call.after", "end.after"} | {"undo.before", "undo.after"}


def place(scenario: Scenario, point: str) -> ParameterSet:
    quick = point in (QUICK if scenario == "nests" else QUICK_FAILING)
    return pytest.param(scenario, point, marks=[] if quick else [pytest.mark.long])


PLACES = [place(scenario, point) for scenario in SCENARIOS for point in POINTS]


async def check_family(case: Case) -> None:
    """Each child was begun once, and its step was never taken for lost."""
    journals = await case.journals()
    for run, entries in journals.items():
        for entry in entries:
            if isinstance(entry, e.AttemptStarted) and entry.step in SUB_PLANS:
                assert entry.attempt == 1
                assert child_run(run, StepKey(entry.step)) in journals
    assert sum(isinstance(entries[0], e.RunStarted) for entries in journals.values()) == 4


@pytest.mark.parametrize(("scenario", "point"), PLACES)
async def test_a_family_killed_at_a_crash_point_ends_as_the_undisturbed_one(
    scenario: Scenario, point: str, tmp_path: Path, undisturbed: Undisturbeds
) -> None:
    expected = await undisturbed(scenario)
    case = Case(tmp_path, scenario)
    await case.live(f"{point}:{(expected.counts[point] + 1) // 2 or 1}")
    await check_journal(case)
    await case.live_on()
    await check_end(case, expected.outcome)
    await check_family(case)


@pytest.mark.long
@pytest.mark.parametrize("point", POINTS)
@pytest.mark.parametrize("scenario", SCENARIOS)
async def test_a_family_killed_at_every_occurrence_of_a_crash_point_ends_the_same(
    scenario: Scenario, point: str, tmp_path: Path, undisturbed: Undisturbeds
) -> None:
    expected = await undisturbed(scenario)
    for n in range(1, expected.counts[point] + 1):
        case = Case(tmp_path / str(n), scenario)
        await case.live(f"{point}:{n}")
        await check_journal(case)
        await case.live_on()
        await check_end(case, expected.outcome)
        await check_family(case)


MANY = [pytest.param(seed, marks=pytest.mark.long) for seed in range(3, 60)]


@pytest.mark.parametrize("seed", [*range(3), *MANY])
async def test_a_family_killed_at_any_time_ends_as_the_undisturbed_one(
    seed: int, tmp_path: Path, undisturbed: Undisturbeds
) -> None:
    chance = Random(seed)
    case = Case(tmp_path, SCENARIOS[seed % 2])
    expected = await undisturbed(case.scenario)
    for _ in range(3):
        async with case.life() as life:
            await life.until_said("ready")
            await SystemClock().sleep(chance.uniform(0.0, expected.seconds))
        await check_journal(case)
    await case.live_on()
    await check_end(case, expected.outcome)
    await check_family(case)


@pytest.mark.parametrize("crash_at", ["call.after:5", "append.after:4", "call.before:22"])
@pytest.mark.requirement("E16", "budget:cap-never-exceeded")
async def test_no_more_is_billed_than_the_cap_whoever_is_killed(
    crash_at: str, tmp_path: Path
) -> None:
    case = Case(tmp_path, "pays")
    assert await case.live(crash_at) == KILLED
    await case.live("call.after:3")
    await case.live_on()
    await check_journal(case)
    result = case.said("ended")[-1].data
    billed = PRICE * len(case.world.calls)
    assert billed <= CAP, "counted outside"
    assert billed <= result["cost"]["usd"] <= CAP
    assert result["cost"]["usd"] == CAP, "and what there is, is used"
    assert result["state"] == "succeeded"
    ended = [entry for entry in await case.journal() if isinstance(entry, e.AttemptEnded)]
    lost = [entry for entry in ended if entry.outcome == "lost"]
    assert lost
    assert {entry.cost.usd for entry in lost} == {PRICE}, "it may have been billed"
