"""The disk is full, or somebody holds the database, in the middle of a run: nothing is lost."""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from tests.crash import faults
from tests.crash.victim import Case, check_end, check_journal, process_of, until

from callsheet.core.run import entries as e
from callsheet.runtime.clock import SystemClock
from callsheet.stores.sqlite.store import DATABASE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.crash.conftest import Undisturbeds
    from tests.crash.faults import Fault

pytestmark = [pytest.mark.slow, pytest.mark.requirement("E11")]  # real processes


@pytest.mark.parametrize("fault", ["full", "too large"])
@pytest.mark.requirement("durability:finished-never-runs-again")
async def test_a_run_whose_disk_fails_goes_on_by_itself_when_it_is_mended(
    fault: Fault, tmp_path: Path
) -> None:
    process = process_of(faults.main, str(tmp_path / "home"), fault)
    await until(lambda: process.exitcode is not None, "the end")
    case = Case(tmp_path)
    if case.said("not allowed"):
        pytest.skip("This machine does not let us mount a disk")
    assert process.exitcode == 0, case.complaints()

    (status,), (ended,) = (case.said(what) for what in ("status", "ended"))
    assert status.data == "running"
    assert ended.data["state"] == "succeeded"
    assert case.said("replayed")[0].data is True

    # What somebody was told before the fault is what the journal says after it.
    heard, journal = case.said("heard"), {w.seq: w.entry for w in case.said("event")}
    assert all(journal[word.seq] == word.entry for word in heard)
    assert set(case.world.effects.values()) == {1}
    assert len(case.world.effects) == faults.COUNT + 1
    succeeded = [
        (x.step, x.attempt)
        for x in (e.decode(text.encode()) for text in journal.values())
        if isinstance(x, e.AttemptEnded) and x.outcome == "succeeded"
    ]
    calls = {(line.step, line.attempt) for line in case.world.calls}
    assert len(calls) == len(case.world.calls), "no attempt is called twice"
    assert calls == set(succeeded), "what was called when the disk failed is not called again"


@contextmanager
def locked(home: Path) -> Iterator[None]:
    """Hold the database's write lock, as a careless other program might."""
    database = sqlite3.connect(home / DATABASE, isolation_level=None, timeout=60)
    try:
        database.execute("BEGIN IMMEDIATE")
        yield
        database.execute("ROLLBACK")
    finally:
        database.close()


async def test_a_run_waits_for_a_database_that_somebody_holds(
    tmp_path: Path, undisturbed: Undisturbeds
) -> None:
    case = Case(tmp_path)
    async with case.life(answers=False) as life:
        await life.until_event(e.AttemptStarted, "flight")
        with locked(case.home):
            # Longer than the loop itself would wait, shorter than the writer does.
            await SystemClock().sleep(0.5)
            assert not life.is_over
        await life.until_event(e.QuestionAsked, "ok")
        await case.answer_all()
        await life.until_event(e.QuestionAsked, "mail")
        await case.answer_all()
        assert await life.end() == 0, case.complaints()
    await check_end(case, (await undisturbed("keeps")).outcome)


async def test_a_run_outlasts_a_database_that_is_held_longer_than_any_write_waits(
    tmp_path: Path, undisturbed: Undisturbeds
) -> None:
    case = Case(tmp_path)
    async with case.life(answers=False, patience=0.05) as life:
        await life.until_event(e.AttemptStarted, "flight")
        with locked(case.home):
            await SystemClock().sleep(0.5)
            assert not life.is_over
        # Nobody resumes it.
        await life.until_event(e.QuestionAsked, "ok")
        await case.answer_all()
        await life.until_event(e.QuestionAsked, "mail")
        await case.answer_all()
        assert await life.end() == 0, case.complaints()
    await check_journal(case)
    await check_end(case, (await undisturbed("keeps")).outcome)
