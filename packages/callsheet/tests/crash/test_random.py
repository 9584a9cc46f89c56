"""Killed at any time, several times over, and resumed: it ends as if nobody had been killed."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest
from tests.crash.victim import Case, check_end, check_journal

from callsheet.runtime.clock import SystemClock

if TYPE_CHECKING:
    from pathlib import Path

    from tests.crash.conftest import Undisturbeds
    from tests.crash.program import Scenario

pytestmark = [
    pytest.mark.slow,  # each test is four processes
    pytest.mark.requirement(
        "E10", "E11", "durability:killed-anywhere-ends-the-same", "doubt:never-blindly-repeated"
    ),
]

SCENARIOS: tuple[Scenario, ...] = ("keeps", "fails", "cancelled")
KILLS = 3
SOME, MANY = range(10), range(10, 150)


@pytest.mark.parametrize(
    "seed", [*SOME, *(pytest.param(seed, marks=pytest.mark.long) for seed in MANY)]
)
async def test_a_run_killed_at_any_time_ends_as_the_undisturbed_one(
    seed: int, tmp_path: Path, undisturbed: Undisturbeds
) -> None:
    chance = Random(seed)
    case = Case(tmp_path, SCENARIOS[seed % 3], sync="normal" if seed % 2 else "full")
    expected = await undisturbed(case.scenario)
    for _ in range(KILLS):
        async with case.life() as life:
            await life.until_said("ready")
            await SystemClock().sleep(chance.uniform(0.0, expected.seconds))
        await check_journal(case)
    await case.live_on()
    await check_end(case, expected.outcome)


@pytest.mark.parametrize(
    "seed", [*range(3), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(3, 30))]
)
@pytest.mark.requirement("E3")
async def test_many_runs_killed_at_any_time_end_as_the_undisturbed_one(
    seed: int, tmp_path: Path, undisturbed: Undisturbeds
) -> None:
    chance = Random(seed)
    case = Case(tmp_path, SCENARIOS[seed % 3], runs=5)
    expected = await undisturbed(case.scenario)
    for _ in range(KILLS):
        async with case.life() as life:
            await life.until_said("ready")
            await SystemClock().sleep(chance.uniform(0.0, 2 * expected.seconds))
        await check_journal(case)
    await case.live_on()
    await check_end(case, expected.outcome)
