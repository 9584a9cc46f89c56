"""Killed while it drives a database on a server, and resumed: it ends as if nobody had been."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest
from tests.crash.victim import KILLED, Case, check_end, check_journal

from callsheet.runtime.clock import SystemClock

if TYPE_CHECKING:
    from pathlib import Path

    from tests.crash.conftest import Undisturbeds

# Slow: every kill is two processes at least.
pytestmark = [
    pytest.mark.slow,
    pytest.mark.requirement(
        "E11",
        "store:postgresql",
        "durability:acknowledged-survives",
        "durability:killed-anywhere-ends-the-same",
    ),
]

POINTS = (
    "append.before:3",
    "commit.before:2",
    "commit.after:2",
    "commit.before:9",
    "commit.after:9",
    "call.after:4",
    "request.after:1",
)


@pytest.mark.parametrize("point", POINTS)
async def test_a_driver_killed_at_a_crash_point_is_followed_by_another(
    point: str, tmp_path: Path, database: str, undisturbed: Undisturbeds
) -> None:
    case = Case(tmp_path, "keeps", database=database)
    assert await case.live(point) == KILLED
    await check_journal(case)
    await case.live_on()
    await check_end(case, (await undisturbed("keeps")).outcome)


@pytest.mark.parametrize(
    "seed", [*range(2), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(2, 30))]
)
async def test_a_driver_killed_at_any_time_is_followed_by_another(
    seed: int, tmp_path: Path, database: str, undisturbed: Undisturbeds
) -> None:
    chance = Random(seed)
    case = Case(tmp_path, "fails", database=database, sync="normal" if seed % 2 else "full", runs=3)
    expected = await undisturbed("fails")
    for _ in range(2):
        async with case.life() as life:
            await life.until_said("ready")
            await SystemClock().sleep(chance.uniform(0.0, 2 * expected.seconds))
        await check_journal(case)
    await case.live_on()
    await check_end(case, expected.outcome)
