"""What entries say to lineage, cache and ledger.

Which artifacts they name, which calls may serve again, what they do to the tenant's account. Like
the index of runs it follows from the entries alone, and every store changes it together with them.
Nothing is stored here.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Literal

import msgspec

from callsheet.core.ids import RunId
from callsheet.core.plan.amount import ZERO, Amount, amount_of
from callsheet.core.run.agents import AgentSaid
from callsheet.core.run.entries import (
    AnyEntry,
    AttemptEnded,
    AttemptStarted,
    RunEnded,
    RunStarted,
    StepCached,
    StepCopied,
)
from callsheet.core.run.verbs import RunReopened

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from callsheet.core.plan.artifact import Artifact


UseRole = Literal["produced", "consumed", "stored"]


class ArtifactUse(msgspec.Struct, frozen=True, kw_only=True):
    """Where an artifact occurs: an entry that names it, and in which role."""

    digest: str
    run: RunId
    seq: int
    """The number of the entry."""
    step: str
    """Empty: the run as a whole (its inputs)."""
    role: UseRole
    """`produced` and `consumed` by a call; `stored`: a value too large for its entry."""


class CachedCall(msgspec.Struct, frozen=True, kw_only=True):
    """A call that succeeded and may serve again."""

    run: RunId
    entry: AttemptEnded


class Reusable(msgspec.Struct, frozen=True):
    """A call that may serve again."""

    key: str
    run: str
    seq: int
    step: str
    at: datetime


class Hold(msgspec.Struct, frozen=True):
    """What a run that starts, or is reopened, sets aside."""

    tenant: str
    amount: Amount
    at: datetime


class Bill(msgspec.Struct, frozen=True):
    """What a run that ends has cost."""

    amount: Amount
    at: datetime


class Derived(msgspec.Struct, frozen=True):
    """What an append says to the indexes."""

    uses: tuple[ArtifactUse, ...] = ()
    reusable: tuple[Reusable, ...] = ()
    hold: Hold | None = None
    bills: tuple[Bill, ...] = ()


NOTHING_DERIVED = Derived()
_TELLING = frozenset({RunStarted, RunReopened, RunEnded})
"""The entries that always say something."""


def is_telling(entry: AnyEntry) -> bool:
    """Whether an entry may say something to these indexes; false for most, and soon."""
    if type(entry) is AttemptEnded and entry.cache_key:
        return True
    return type(entry) in _TELLING or _names_any(entry)


def derived_of(run: RunId, entries: Sequence[AnyEntry], *, after: int) -> Derived:
    """What these entries say, appended after so many others."""
    uses: dict[tuple[str, int, str], ArtifactUse] = {}
    reusable: list[Reusable] = []
    hold: Hold | None = None
    bills: list[Bill] = []
    for seq, entry in enumerate(entries, after + 1):
        if _names_any(entry):
            for digest, role in _named(entry):
                step = getattr(entry, "step", None) or ""
                use = ArtifactUse(digest=digest, run=run, seq=seq, step=step, role=role)
                uses.setdefault((digest, seq, role), use)
        if isinstance(entry, AttemptEnded):
            if entry.cache_key and entry.outcome == "succeeded":
                reusable.append(Reusable(entry.cache_key, run, seq, entry.step, entry.at))
        elif isinstance(entry, (RunStarted, RunReopened)):
            amount = amount_of(entry.reserves)
            hold = Hold(entry.tenant, amount, entry.at) if amount != ZERO else None
        elif isinstance(entry, RunEnded):
            bills.append(Bill(amount_of(entry.spent), entry.at))
    return Derived(tuple(uses.values()), tuple(reusable), hold, tuple(bills))


def _names_any(entry: AnyEntry) -> bool:
    """Whether an entry names artifacts; most entries of most runs name none."""
    if entry.stored is not None:
        return True
    if type(entry) is AttemptEnded:
        return bool(entry.artifacts) or (entry.undo is not None and bool(entry.undo.stored))
    if isinstance(entry, AttemptStarted):
        return bool(entry.consumed) or (entry.undo is not None and bool(entry.undo.stored))
    if isinstance(entry, RunStarted):
        return bool(entry.consumed)
    if isinstance(entry, AgentSaid):
        return True
    return isinstance(entry, (StepCached, StepCopied)) and bool(entry.artifacts)


def _named(entry: AnyEntry) -> Iterator[tuple[str, UseRole]]:
    """The artifacts that an entry names, and in which role."""
    stored = list((entry.stored or {}).values())
    consumed: Iterable[str] = ()
    produced: Iterable[Artifact] = ()
    if isinstance(entry, (AttemptStarted, AttemptEnded)) and entry.undo and entry.undo.stored:
        stored.append(entry.undo.stored)
    if isinstance(entry, (RunStarted, AttemptStarted)):
        consumed = entry.consumed
    elif isinstance(entry, AttemptEnded):
        produced = entry.artifacts
    elif isinstance(entry, AgentSaid):
        stored.append(entry.content)
    elif isinstance(entry, (StepCached, StepCopied)):
        # Another run's call has made them: this one has them from there.
        consumed = [artifact.digest for artifact in entry.artifacts]
    yield from ((digest, "stored") for digest in stored)
    yield from ((digest, "consumed") for digest in consumed)
    yield from ((artifact.digest, "produced") for artifact in produced)
