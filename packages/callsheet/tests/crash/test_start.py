"""Killed while a run is being started: an acknowledged start survives, another leaves nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.crash.victim import KILLED, Case, check_end, check_journal

from callsheet import Engine
from callsheet.core.run import entries as e
from callsheet.stores.sqlite.store import DATABASE

if TYPE_CHECKING:
    from pathlib import Path

    from tests.crash.conftest import Undisturbeds

pytestmark = [pytest.mark.slow, pytest.mark.requirement("E11", "E18")]  # real processes

CREATING, STARTING = 1, 3
"""Which commit of a new home it is: the first makes the tables, the second says where files are."""


@pytest.mark.parametrize(
    ("crash_at", "there"),
    [
        (f"commit.before:{STARTING}", 0),
        (f"commit.after:{STARTING}", 1),
        ("append.before:1", 0),
        ("append.after:1", 1),
        ("begin.before:1", 1),
    ],
)
@pytest.mark.requirement("idempotency:same-start-is-one-run")
async def test_a_start_is_there_whole_or_not_at_all(
    crash_at: str, there: int, tmp_path: Path, undisturbed: Undisturbeds
) -> None:
    case = Case(tmp_path)
    assert await case.live(crash_at) == KILLED
    assert not case.said("started"), "nobody was told yet"
    async with Engine.open(case.home, drive=False) as engine:
        heads = await engine.runs()
    entries = await case.journal()
    assert len(heads) == there
    assert [type(entry) for entry in entries[:1]] == [e.RunStarted] * there
    # The same start again: the run that was there goes on, or it begins only now.
    await case.live_on()
    await check_end(case, (await undisturbed("keeps")).outcome)


async def test_a_start_that_was_acknowledged_survives(
    tmp_path: Path, undisturbed: Undisturbeds
) -> None:
    case = Case(tmp_path)
    async with case.life() as life:
        await life.until_said("started")
        await life.kill()
    await check_journal(case)
    assert (await case.journal())[0] == e.decode(case.said("heard")[0].entry.encode())
    await case.live_on()
    await check_end(case, (await undisturbed("keeps")).outcome)


@pytest.mark.parametrize("crash_at", [f"commit.before:{CREATING}", f"commit.after:{CREATING}"])
@pytest.mark.requirement("S7")
async def test_a_home_whose_creation_was_interrupted_is_created_again(
    crash_at: str, tmp_path: Path, undisturbed: Undisturbeds
) -> None:
    case = Case(tmp_path)
    assert await case.live(crash_at) == KILLED
    assert not (case.home / DATABASE).exists(), "a store is there whole or not at all"
    await case.live_on()
    await check_end(case, (await undisturbed("keeps")).outcome)
