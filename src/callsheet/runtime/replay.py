"""Replay: fold and decide again over a journal, and compare.

Every recorded start must have been offered at that point, every decision must come out the same,
and the snapshot must be the same, byte for byte, however the journal is cut. It needs no tools, no
outputs and no clock: it runs on the entries alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from difflib import unified_diff
from typing import TYPE_CHECKING

import msgspec

from callsheet.core import commands as c
from callsheet.core import entries as e
from callsheet.core import fold
from callsheet.core.decide import decide
from callsheet.core.ids import StepKey
from callsheet.core.snapshot import Snapshot

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """The first place where the journal and the core disagree."""

    seq: int
    what: str
    diff: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayReport:
    """What a replay found."""

    run: str
    entries: int
    same: bool
    digest: str
    """Of the final snapshot."""
    difference: Difference | None = None


def replay(entries: Sequence[e.AnyEntry]) -> ReplayReport:
    """Replay a journal.

    Raises:
        ReplayImpossibleError: it was written by a version this one does not know.
    """
    snapshot = Snapshot()
    for seq, entry in enumerate(entries, 1):
        try:
            complaint = _complaint(snapshot, entry)
            if complaint is None:
                fold.apply(snapshot, entry)
        except (KeyError, AttributeError, IndexError, ValueError) as exc:
            complaint = f"the entry does not fit what was before it ({exc!r})"
        if complaint is not None:
            return _different(snapshot, seq, entry, complaint, entries)
    return _compare_digests(snapshot, entries)


def _complaint(s: Snapshot, entry: e.AnyEntry) -> str | None:
    """Why the core would not have had this entry here, or None if it would."""
    if isinstance(entry, e.RunStarted) != (s.length == 0):
        return "a journal begins with RunStarted, once"
    if isinstance(entry, e.AttemptStarted):
        return _start_complaint(s, entry)
    if isinstance(entry, e.RunEnded):
        return _end_complaint(s, entry)
    if isinstance(entry, e.UndoStarted):
        offered = [x for x in decide(s) if isinstance(x, c.StartUndo) and x.step == entry.step]
        return None if offered else f"the undo of {entry.step!r} was not due"
    return _step_complaint(s, entry)


def _step_complaint(s: Snapshot, entry: e.AnyEntry) -> str | None:
    match entry:
        case e.AttemptEnded(step=step) | e.UndoEnded(step=step) | e.CheckpointSaved(step=step):
            return None if step in s.active else f"{step!r} was not running"
        case e.StepExpanded(step=step) | e.QuestionAsked(step=step) | e.StepDecided(step=step):
            return None if step in s.chores else f"nothing was open about {step!r}"
        case e.AnswerRecorded(step=step):
            return None if step in s.questions else f"{step!r} was not asking"
        case e.TimerFired(step=step):
            armed = step in s.timers or step in s.deadlines
            return None if armed else f"no timer was set for {step!r}"
        case _:
            return None


def _start_complaint(s: Snapshot, entry: e.AttemptStarted) -> str | None:
    step = s.steps[StepKey(entry.step)]
    if not s.may_start(step):
        return f"{entry.step!r} was {s.state_of(step)} and not offered to be started"
    if entry.attempt != step.attempts + 1:
        return f"attempt {entry.attempt} of {entry.step!r} came after attempt {step.attempts}"
    if entry.reserved != step.node.reserve:
        return f"{entry.step!r} reserved something other than its ceiling"
    return None


def _end_complaint(s: Snapshot, entry: e.RunEnded) -> str | None:
    decided = [command for command in decide(s) if isinstance(command, c.EndRun)]
    if not decided:
        return "the run was not about to end"
    if (decided[0].state, decided[0].cause) != (entry.state, entry.cause):
        return f"the run would have ended {decided[0].state}"
    if entry.digest and entry.digest != s.digest():
        return f"the snapshot is {s.digest()}, not the recorded {entry.digest}"
    return None


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
