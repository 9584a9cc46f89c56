"""What entries say to lineage, cache and ledger: all of it, and nothing for most."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Raw
from tests.every import every
from tests.replay import journals

from callsheet.core.index.derived import NOTHING_DERIVED, Bill, Hold, derived_of
from callsheet.core.index.heads import change_of
from callsheet.core.plan.amount import Amount
from callsheet.core.plan.artifact import Artifact
from callsheet.core.plan.plan import Cost
from callsheet.core.run.entries import (
    AttemptStarted,
    ProblemNoted,
    StepCached,
    StepCopied,
    UndoCall,
    UndoStarted,
)
from callsheet.testing.contracts.samples import (
    at,
    ended,
    noted,
    run_id,
    started,
    succeeded,
    undo_requested,
)

if TYPE_CHECKING:
    from callsheet.core.run.entries import AnyEntry

pytestmark = pytest.mark.requirement("E14", "E16")

RUN, CLIP = run_id(1), "c" * 64
ARTIFACTS = (Artifact(digest=CLIP),)
BEGUN = AttemptStarted(at=at(1), step="a", attempt=1, args=Raw(b"{}"))
UNDO = UndoCall(tool="u", args=Raw(b"null"), stored=CLIP)

SILENT: list[AnyEntry] = [
    noted(),
    succeeded(1),
    undo_requested(),
    BEGUN,
    AttemptStarted(
        at=at(1), step="a", attempt=1, args=Raw(b"{}"), undo=UndoCall(tool="u", args=Raw(b"{}"))
    ),
]
TELLING: list[AnyEntry] = [
    ProblemNoted(at=at(1), message="m", stored={"message": CLIP}),
    UndoStarted(at=at(1), step="a", attempt=1, tool="u", args=Raw(b"null"), stored={"args": CLIP}),
    succeeded(1, artifacts=ARTIFACTS),
    succeeded(1, cache_key="k"),
    AttemptStarted(at=at(1), step="a", attempt=1, args=Raw(b"{}"), consumed=(CLIP,)),
    AttemptStarted(at=at(1), step="a", attempt=1, args=Raw(b"{}"), undo=UNDO),
    StepCached(at=at(1), step="a", key="k", source="r", source_step="s", artifacts=ARTIFACTS),
    StepCopied(at=at(1), step="a", outcome="succeeded", artifacts=ARTIFACTS),
    ended(),
]


@given(st.lists(st.sampled_from([*SILENT, *TELLING]), max_size=4), st.integers(1, 5))
def test_the_short_look_at_an_append_misses_nothing(entries: list[AnyEntry], after: int) -> None:
    derived = derived_of(RUN, entries, after=after)
    expected = None if derived == NOTHING_DERIVED else derived
    assert change_of(RUN, entries, after=after).derived == expected


@pytest.mark.parametrize("entry", TELLING, ids=lambda entry: type(entry).__name__)
def test_an_entry_that_names_something_is_heard(entry: AnyEntry) -> None:
    assert change_of(RUN, [noted(), entry], after=3).derived is not None


PAID_OR_LARGE = {
    "agent",
    "agent-killed",
    "grown-large",
    "large-values",
    "paid-from-an-account",
    "tried-again",
    "turn-answered",
    "turn-broken-off-and-stopped",
    "turn-cancelled",
}
"""Journals of runs that hold money or use artifacts."""


@every(journal=[each for each in journals.every() if each.name not in PAID_OR_LARGE])
def test_journals_of_the_first_release_say_only_that_they_have_ended(
    journal: journals.Golden,
) -> None:
    derived = derived_of(journal.run, journal.entries, after=0)
    assert (derived.uses, derived.reusable, derived.hold) == ((), (), None)


def test_a_beginning_holds_and_every_end_bills() -> None:
    entries: list[AnyEntry] = [
        started(RUN, tenant="acme", reserves=Cost(usd=2, calls=7)),
        ended(spent=Cost(usd=1)),
        undo_requested(),
        ended(seconds=9, spent=Cost(usd=1.5)),
    ]
    derived = derived_of(RUN, entries, after=0)
    assert derived.hold == Hold("acme", Amount(2 * 10**9), at(0))
    assert derived.bills == (Bill(Amount(10**9), at(3)), Bill(Amount(1_500_000_000), at(9)))


def test_a_budget_of_calls_alone_holds_nothing() -> None:
    begun = started(RUN, tenant="acme", reserves=Cost(calls=7))
    assert derived_of(RUN, [begun], after=0) == NOTHING_DERIVED
