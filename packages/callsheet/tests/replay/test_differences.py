"""A journal that is not what the core would have written: the first difference, shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from msgspec import Raw
from msgspec.structs import replace
from tests.replay import journals

from callsheet import Cost, Engine
from callsheet.core.past.replay import Difference, replay
from callsheet.core.run import entries as e
from callsheet.errors import ReplayImpossibleError
from callsheet.stores.sqlite.store import DATABASE, SqlStore

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from callsheet.core.run.entry import Entry

pytestmark = pytest.mark.requirement("E12", "replay:first-difference-shown")


def place(entries: Sequence[e.AnyEntry], kind: type[Entry], step: str | None = None) -> int:
    """The index of the first entry of a kind (about a step)."""
    return next(
        n
        for n, entry in enumerate(entries)
        if isinstance(entry, kind) and step in (None, getattr(entry, "step", None))
    )


def difference_of(entries: Sequence[e.AnyEntry]) -> Difference:
    report = replay(entries)
    assert not report.same
    assert report.difference is not None
    return report.difference


def test_a_start_before_its_need_has_ended() -> None:
    entries = journals.named("failed-and-undone").entries
    flight = entries.pop(place(entries, e.AttemptStarted, "flight"))
    at = place(entries, e.AttemptEnded, "look")
    entries.insert(at, flight)
    found = difference_of(entries)
    assert found.seq == at + 1
    assert found.what == "'flight' was pending and not offered to be started"
    assert '-  "kind": "AttemptStarted",' in found.diff


def test_attempts_the_wrong_way_round() -> None:
    entries = journals.named("retried").entries
    numbers = [n for n, x in enumerate(entries) if isinstance(x, e.AttemptStarted)]
    first, second = [n for n in numbers if getattr(entries[n], "step", "") == "read"][:2]
    one, two = entries[first], entries[second]
    assert isinstance(one, e.AttemptStarted)
    assert isinstance(two, e.AttemptStarted)
    entries[first], entries[second] = replace(one, attempt=2), replace(two, attempt=1)
    found = difference_of(entries)
    assert found.seq == first + 1
    assert found.what == "attempt 2 of 'read' came after attempt 0"
    assert '+StartAttempt {"step":"read","attempt":1}' in found.diff


def test_an_end_that_would_have_been_another() -> None:
    entries = journals.named("failed-and-undone").entries
    end = entries[-1]
    assert isinstance(end, e.RunEnded)
    entries[-1] = replace(end, state="succeeded")
    found = difference_of(entries)
    assert found.seq == len(entries)
    assert found.what == "the run would have ended undone"
    assert '-  "state": "succeeded",' in found.diff
    assert '+EndRun {"state":"undone"' in found.diff


def test_an_end_that_came_too_early() -> None:
    entries = journals.named("succeeded").entries
    entries[3:-1] = []
    found = difference_of(entries)
    assert (found.seq, found.what) == (4, "the run was not about to end")


def test_an_outcome_that_is_not_what_followed_from_it() -> None:
    entries = journals.named("succeeded").entries
    at = place(entries, e.AttemptEnded, "flight")
    ended = entries[at]
    assert isinstance(ended, e.AttemptEnded)
    failure = e.Failure(error_class="fatal", message="Made up.")
    entries[at] = replace(ended, outcome="failed", output=Raw(b"null"), error=failure)
    found = difference_of(entries)
    # The entry itself could be so; what comes after it could not.
    assert found.seq == at + 2


def test_an_undo_before_that_of_what_was_built_on_it() -> None:
    entries = journals.named("failed-and-undone").entries
    hotel = entries.pop(place(entries, e.UndoStarted, "hotel"))
    at = place(entries, e.UndoStarted, "pin")
    entries.insert(at, hotel)
    found = difference_of(entries)
    assert (found.seq, found.what) == (at + 1, "the undo of 'hotel' was not due")


def test_an_answer_to_what_was_not_asked() -> None:
    entries = journals.named("approved-and-denied").entries
    at = place(entries, e.QuestionAsked, "flight")
    del entries[at]
    found = difference_of(entries)
    assert found.what.startswith("'flight' was not asking")


def test_a_reservation_of_another_amount() -> None:
    entries = journals.named("over-budget").entries
    at = place(entries, e.AttemptStarted, "cheap")
    started = entries[at]
    assert isinstance(started, e.AttemptStarted)
    entries[at] = replace(started, reserved=Cost(usd=0.1))
    found = difference_of(entries)
    assert (found.seq, found.what) == (at + 1, "'cheap' reserved something other than its ceiling")


@pytest.mark.parametrize("journal", journals.every(), ids=str)
def test_whatever_is_missing_from_a_golden_journal_is_missed(journal: journals.Golden) -> None:
    entries = journal.entries
    for n in range(len(entries) - 1):
        found = difference_of([*entries[:n], *entries[n + 1 :]])
        assert found.seq >= n + 1


@pytest.mark.parametrize("journal", journals.every(), ids=str)
def test_whatever_is_twice_in_a_golden_journal_is_noticed(journal: journals.Golden) -> None:
    entries = journal.entries
    for n in range(len(entries)):
        found = difference_of([*entries[: n + 1], *entries[n:]])
        assert found.seq >= n + 1


@pytest.mark.parametrize(("field", "unknown"), [("format", 2), ("core", 5)])
@pytest.mark.requirement("E22")
def test_a_journal_of_a_version_not_known_yet_is_refused(field: str, unknown: int) -> None:
    entries = journals.named("succeeded").entries
    entries[0] = replace(entries[0], **{field: unknown})
    with pytest.raises(ReplayImpossibleError, match=rf"{field} {unknown}.*Upgrade callsheet"):
        replay(entries)


# Slow: opens a database.
@pytest.mark.slow
@pytest.mark.requirement("E22")
async def test_a_journal_with_a_kind_of_entry_not_known_yet_is_refused(tmp_path: Path) -> None:
    journal = journals.named("succeeded")
    store = await SqlStore.open(tmp_path)
    await store.journal.append(journal.run, journal.entries, after=0)
    await store.close()
    import sqlite3

    with sqlite3.connect(tmp_path / DATABASE) as database:
        newer = '{"kind":"StepPainted","step":"look","at":"2030-01-01T00:00:00Z"}'
        database.execute("UPDATE journal SET body = ? WHERE seq = 3", [newer])
    database.close()
    async with Engine.open(tmp_path, drive=False) as engine:
        with pytest.raises(ReplayImpossibleError, match=r"Entry 3 .*'StepPainted'.*newer"):
            await engine.replay(journal.run)
