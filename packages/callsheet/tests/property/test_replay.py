"""Laws of replay: the same entries give the same snapshot and the same decisions, for ever."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.property.strategies import histories

from callsheet.core.past.replay import replay
from callsheet.core.run import entries as e
from callsheet.core.run import fold
from callsheet.core.run.decide import decide

if TYPE_CHECKING:
    from tests.property.world import History

    from callsheet.core.run.snapshot import Snapshot

# A hundred histories for each law.
pytestmark = pytest.mark.slow

REMARKS = (e.ProblemNoted, e.CheckpointSaved, e.RunRecovered)


def again(entries: tuple[e.AnyEntry, ...]) -> list[e.AnyEntry]:
    """The entries as they come back from a store."""
    return [e.decode(e.encode(entry)) for entry in entries]


def inside(s: Snapshot) -> tuple[object, ...]:
    """What decisions depend on and `encode` does not show."""
    return (
        list(s.active),
        list(s.chores.items()),
        list(s.amends),
        s.timers,
        s.deadlines,
        s.stopping,
        s.takes_back,
        s.requests,
        list(s.saga.due) if s.saga else None,
    )


@pytest.mark.requirement("E12", "replay:byte-identical")
@given(histories(), st.data())
def test_a_fold_in_two_parts_is_the_fold_of_the_whole(
    history: History, data: st.DataObject
) -> None:
    cut = data.draw(st.integers(1, len(history.entries)))
    whole = fold.fold(history.entries)
    first = fold.fold(again(history.entries[:cut]))
    both = fold.fold(again(history.entries[cut:]), first)
    assert both.encode() == whole.encode()
    assert inside(both) == inside(whole)


@pytest.mark.requirement("E12", "E11", "replay:byte-identical")
@given(histories(), st.data())
def test_the_same_is_decided_after_any_part_of_a_journal_is_read_again(
    history: History, data: st.DataObject
) -> None:
    cut = data.draw(st.integers(1, len(history.entries)))
    live, read = fold.fold(history.entries[:cut]), fold.fold(again(history.entries[:cut]))
    assert decide(live) == decide(read)
    # To decide changes nothing, however often it is done.
    before = inside(live), live.encode()
    assert decide(live) == decide(live)
    assert (inside(live), live.encode()) == before


@pytest.mark.requirement("E12", "E22", "replay:byte-identical", "replay:needs-no-tools")
@given(histories())
def test_every_journal_replays_the_same_and_so_does_every_part_of_it(history: History) -> None:
    report = replay(history.entries)
    assert report.same, report.difference
    assert report.difference is None
    assert report.entries == len(history.entries)
    half = replay(history.entries[: len(history.entries) // 2 + 1])
    assert half.same, half.difference


@pytest.mark.requirement("E12", "replay:first-difference-shown")
@given(histories(), st.data())
def test_a_journal_that_lacks_an_entry_is_found_out(history: History, data: st.DataObject) -> None:
    entries = list(history.entries)
    gone = data.draw(st.integers(0, len(entries) - 2))
    del entries[gone]
    report = replay(entries)
    assert not report.same
    assert report.difference is not None
    assert report.difference.seq > gone


@pytest.mark.requirement("E12", "replay:first-difference-shown")
@given(histories(), st.data())
def test_a_journal_with_an_entry_twice_is_found_out(history: History, data: st.DataObject) -> None:
    entries = list(history.entries)
    twice = data.draw(st.integers(0, len(entries) - 1))
    entries.insert(twice, entries[twice])
    report = replay(entries)
    assert not report.same
    assert report.difference is not None
    assert report.difference.seq > twice + 1
    if not isinstance(entries[twice], REMARKS):
        assert report.difference.seq == twice + 2, "it is found where it is"


@pytest.mark.requirement("E12", "replay:first-difference-shown")
@given(histories(), st.data())
def test_a_journal_with_two_entries_of_a_step_the_wrong_way_round_is_found_out(
    history: History, data: st.DataObject
) -> None:
    entries = list(history.entries)
    pairs = [
        n
        for n in range(1, len(entries) - 1)
        if getattr(entries[n], "step", None) is not None
        and getattr(entries[n], "step", None) == getattr(entries[n + 1], "step", None)
        and not isinstance(entries[n], REMARKS)
        and not isinstance(entries[n + 1], REMARKS)
    ]
    assume(pairs)
    n = data.draw(st.sampled_from(pairs))
    entries[n], entries[n + 1] = entries[n + 1], entries[n]
    report = replay(entries)
    assert not report.same
    assert report.difference is not None
    assert report.difference.seq in (n + 1, n + 2)
