"""Replay: fold and decide again over a journal, and compare.

Every recorded start must have been offered at that point, every decision must come out the same,
and the snapshot must be the same, byte for byte, however the journal is cut. It needs no tools, no
outputs and no clock: it runs on the entries alone.
"""

from __future__ import annotations

from difflib import unified_diff
from typing import TYPE_CHECKING

import msgspec

from callsheet.core.past.rules import complaint_about
from callsheet.core.run import entries as e
from callsheet.core.run import fold
from callsheet.core.run.decide import decide
from callsheet.core.run.snapshot import Snapshot
from callsheet.errors import ReplayImpossibleError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from callsheet.core.value import Json


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """The first place where the journal and the core disagree."""

    seq: int
    what: str
    diff: str


class ReplayReport(msgspec.Struct, frozen=True, kw_only=True):
    """What a replay found."""

    run: str
    entries: int
    same: bool
    digest: str
    """Of the final snapshot."""
    difference: Difference | None = None

    def to_json(self) -> dict[str, Json]:
        """As plain data: every field."""
        built: dict[str, Json] = msgspec.to_builtins(self)
        return built


def replay(entries: Sequence[e.AnyEntry]) -> ReplayReport:
    """Replay a journal.

    Raises:
        ReplayImpossibleError: it is empty, or was written by a version this one does not know.
    """
    if not entries:
        raise ReplayImpossibleError("There is nothing to replay: the journal is empty.")
    snapshot = Snapshot()
    for seq, entry in enumerate(entries, 1):
        try:
            complaint = complaint_about(snapshot, entry)
            if complaint is None:
                fold.apply(snapshot, entry)
        except (KeyError, AttributeError, IndexError, TypeError, ValueError) as exc:
            complaint = f"the entry does not fit what was before it ({exc!r})"
        if complaint is not None:
            return _different(snapshot, seq, entry, complaint, entries)
    return _compare_digests(snapshot, entries)


def _different(
    s: Snapshot, seq: int, entry: e.AnyEntry, what: str, entries: Sequence[e.AnyEntry]
) -> ReplayReport:
    recorded = _lines(e.encode(entry))
    offered = [f"{type(x).__name__} {msgspec.json.encode(x).decode()}" for x in decide(s)[:20]]
    diff = unified_diff(recorded, offered, "recorded", "decided", lineterm="")
    started = entries[0]
    return ReplayReport(
        run=started.run if isinstance(started, e.RunStarted) else "",
        entries=len(entries),
        same=False,
        digest="",
        difference=Difference(seq=seq, what=what, diff="\n".join(diff)),
    )


def _compare_digests(snapshot: Snapshot, entries: Sequence[e.AnyEntry]) -> ReplayReport:
    """A second fold, cut in two and through the codec, must give the same bytes."""
    half = len(entries) // 2
    through_codec = [e.decode(e.encode(entry)) for entry in entries]
    again = fold.fold(through_codec[half:], fold.fold(through_codec[:half]))
    mine, other = snapshot.encode(), again.encode()
    difference = None
    if mine != other:
        first, second = (_lines(view) for view in (mine, other))
        diff = "\n".join(unified_diff(first, second, "first", "second", lineterm=""))
        difference = Difference(seq=len(entries), what="two folds differ", diff=diff)
    return ReplayReport(
        run=snapshot.run,
        entries=len(entries),
        same=difference is None,
        digest=snapshot.digest(),
        difference=difference,
    )


def _lines(view: bytes) -> list[str]:
    return msgspec.json.format(view, indent=2).decode().splitlines()
