"""A run killed after any entry and resumed ends as if it had not been."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from tests.replay import journals
from tests.replay.carry_out import DOWN, carry_out, truth_of
from tests.replay.deeper import RECORDINGS
from tests.replay.generate import summary_of

from callsheet.core.past.replay import replay
from callsheet.core.plan.plan import NOTHING
from callsheet.core.run import entries as e

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tests.replay.journals import Golden

    from callsheet.testing import World

pytestmark = [
    pytest.mark.slow,  # carries out some twenty runs for each journal
    pytest.mark.requirement(
        "E11",
        "durability:killed-anywhere-ends-the-same",
        "durability:finished-never-runs-again",
        "versions:old-journals-replay",
    ),
]

BY_NAME = {recording.name: recording for recording in RECORDINGS}
JOURNALS = [journal for journal in journals.every() if journal.name in BY_NAME]


def resumed(
    journal: Golden, entries: Sequence[e.AnyEntry], down: timedelta = DOWN
) -> list[e.AnyEntry]:
    """The journal at the end of a run that was taken up again after these entries."""
    truth = truth_of(journal.entries)
    again, world = carry_out(BY_NAME[journal.name], entries, truth=truth, down=down)
    assert again[: len(entries)] == list(entries)
    check_calls(entries, world)
    report = replay(again)
    assert report.same, report.difference
    return again


def check_calls(entries: Sequence[e.AnyEntry], world: World) -> None:
    """Nothing that had been called is called again, and nothing that had succeeded."""
    attempts = (e.AttemptStarted, e.UndoStarted)
    made = {(type(x), x.step, x.attempt) for x in entries if isinstance(x, attempts)}
    over = {x.step for x in entries if isinstance(x, e.AttemptEnded) and x.outcome == "succeeded"}
    for call in world.calls:
        undo = call.key.endswith(":undo")
        assert (attempts[undo], call.step, call.attempt) not in made
        assert undo or call.step not in over


def begun(entries: Sequence[e.AnyEntry]) -> int:
    """How many entries a run begins with: what a fork takes over is written with its start."""
    copies = [n for n, entry in enumerate(entries, 1) if isinstance(entry, e.StepCopied)]
    return max(copies, default=1)


def deaths(entries: Sequence[e.AnyEntry], after: int) -> Iterator[int]:
    """After how many entries a process may have died: what follows an end is written with it."""
    for cut in range(after, len(entries) + 1):
        following = entries[cut] if cut < len(entries) else None
        if isinstance(following, (e.StepsAdded, e.RunSealed)) and following.step is not None:
            with_end = (e.AttemptEnded, e.StepsAdded)
            before = entries[cut - 1]
            if isinstance(before, with_end) and before.step == following.step:
                continue
        yield cut


def told(entries: Sequence[e.AnyEntry]) -> dict[str, object]:
    """How a run ended, without what a death must change: how often things were tried."""
    summary = summary_of(entries)
    return {name: summary[name] for name in ("state", "output", "steps")}


def paid_and_lost(entries: Sequence[e.AnyEntry]) -> bool:
    """Whether a call died that had a price: it may have been billed, so it is charged.

    What is left of a cap may then not be enough for the rest.
    """
    return any(
        isinstance(entry, e.AttemptEnded) and entry.outcome == "lost" and entry.cost != NOTHING
        for entry in entries
    )


@pytest.mark.parametrize("down", [DOWN, timedelta(days=-1)], ids=["", "clock set back"])
@pytest.mark.parametrize("journal", JOURNALS, ids=str)
def test_a_run_killed_after_any_entry_ends_as_if_it_had_not_been(
    journal: Golden, down: timedelta
) -> None:
    entries = journal.entries
    for cut in deaths(entries, begun(entries)):
        again = resumed(journal, entries[:cut], down)
        if not paid_and_lost(again):
            assert told(again) == told(entries), f"killed after entry {cut}"


@pytest.mark.long
@pytest.mark.parametrize("journal", JOURNALS, ids=str)
def test_a_run_killed_twice_ends_as_if_it_had_not_been(journal: Golden) -> None:
    entries = journal.entries
    for cut in deaths(entries[:-1], begun(entries)):
        once = resumed(journal, entries[:cut])
        for again in deaths(once[:-1], cut + 1):
            twice = resumed(journal, once[:again])
            if not paid_and_lost(twice):
                assert told(twice) == told(entries), f"killed after entries {cut} and {again}"
