"""Journals of every release replay for ever. A red one: bring the old behaviour back, by a flag."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

import pytest
from tests.replay import journals
from tests.replay.carry_out import left_for, record
from tests.replay.deeper import RECORDINGS
from tests.replay.generate import summary_of, version
from tests.replay.turning import TURNS, record_turn

from callsheet import Engine
from callsheet.core.past.replay import replay
from callsheet.core.plan.plan import Cost
from callsheet.core.run import entries as e
from callsheet.core.run import fold
from callsheet.stores.sqlite.store import SqlStore

if TYPE_CHECKING:
    from pathlib import Path

    from tests.replay.journals import Golden
    from tests.replay.recordings import Recording

pytestmark = pytest.mark.requirement("E12", "E22", "versions:old-journals-replay")

each_golden = pytest.mark.parametrize("journal", journals.every(), ids=str)


@each_golden
@pytest.mark.requirement("replay:byte-identical")
def test_a_golden_journal_replays_the_same(journal: Golden) -> None:
    report = replay(journal.entries)
    assert report.same, report.difference
    assert report.entries == journal.expected["entries"]


@each_golden
@pytest.mark.requirement("replay:byte-identical")
def test_its_snapshot_is_the_one_that_was_recorded(journal: Golden) -> None:
    entries = journal.entries
    ends = [n for n, entry in enumerate(entries) if isinstance(entry, e.RunEnded)]
    assert ends[-1] == len(entries) - 1
    for end in ends:
        entry = entries[end]
        assert isinstance(entry, e.RunEnded)
        assert fold.fold(entries[:end]).digest() == entry.digest


@each_golden
def test_it_still_means_what_it_meant(journal: Golden) -> None:
    assert summary_of(journal.entries) == journal.expected


@each_golden
def test_its_entries_are_written_as_they_were(journal: Golden) -> None:
    assert [e.encode(entry) for entry in journal.entries] == journal.lines


# Slow: opens a database.
@pytest.mark.slow
@pytest.mark.parametrize("release", sorted({journal.version for journal in journals.every()}))
@pytest.mark.requirement("replay:needs-no-tools")
async def test_the_golden_journals_of_a_release_replay_in_an_engine_without_tools(
    release: str, tmp_path: Path
) -> None:
    kept = [journal for journal in journals.every() if journal.version == release]
    store = await SqlStore.open(tmp_path)
    try:
        await store.ledger.grant("default", Cost(usd=100), at=kept[0].entries[0].at)
        for journal in kept:
            started = journal.entries[0]
            assert isinstance(started, e.RunStarted)
            if started.request is not None:
                await store.inbox.put(left_for(started))
            await store.journal.append(journal.run, journal.entries, after=0)
    finally:
        await store.close()
    async with Engine.open(tmp_path, drive=False) as engine:
        for journal in kept:
            report = await engine.replay(journal.run)
            assert report.same, report.difference


def test_every_recording_of_this_release_has_a_golden_journal() -> None:
    kept = {each.name for each in journals.every() if each.version == version()}
    assert kept >= {*(recording.name for recording in RECORDINGS), *TURNS}


def test_the_golden_journals_of_this_release_hold_every_kind_of_entry() -> None:
    kept = [each for each in journals.every() if each.version == version()]
    kinds = {type(entry) for each in kept for entry in each.entries}
    assert kinds == set(get_args(e.AnyEntry))


@pytest.mark.parametrize("recording", RECORDINGS, ids=lambda recording: recording.name)
def test_a_recording_is_the_same_every_time(recording: Recording) -> None:
    first, second = ([e.encode(x) for x in record(recording)] for _ in range(2))
    assert first == second


@pytest.mark.parametrize("name", TURNS)
def test_a_turn_is_recorded_the_same_every_time(name: str) -> None:
    first, second = ([e.encode(x) for x in record_turn(name)] for _ in range(2))
    assert first == second
