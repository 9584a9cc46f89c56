"""What the steps of a run have returned, as far as references need it.

The core decides without outputs; the driver keeps them here, undecoded until somebody asks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet.core import value
from callsheet.core.ids import StepKey, item_key
from callsheet.core.run import entries as e
from callsheet.core.run import fold
from callsheet.core.run import verbs as v
from callsheet.core.run.step import StepState
from callsheet.errors import StoreCorruptError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from msgspec import Raw

    from callsheet.core.run.snapshot import Snapshot
    from callsheet.core.value import Json


MISFITS = (KeyError, AttributeError, IndexError, TypeError, ValueError)
"""What the fold raises for an entry that does not fit what was before it."""


def take_in(snapshot: Snapshot, outputs: Outputs, entries: Iterable[e.AnyEntry]) -> None:
    """Take entries into account that were read from a journal.

    Raises:
        StoreCorruptError: they do not add up to a run.
    """
    for entry in entries:
        try:
            fold.apply(snapshot, entry)
            outputs.observe(entry)
        except MISFITS as exc:
            raise StoreCorruptError(
                f"Entry {snapshot.length + 1} of the journal of run {snapshot.run!r} "
                f"({type(entry).__name__}) does not fit what is before it: the journal is damaged. "
                "Restore a backup; `callsheet replay` shows the place."
            ) from exc


class Outputs:
    """Outputs, items and checkpoints of one run, gathered from its entries."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self.inputs: Json = {}
        self.tenant = ""
        self.subject: str | None = None
        self.root = ""
        """The run at the top of the family: this one, or the one that it is a part of."""
        self.raw: dict[str, Raw] = {}
        self.args: dict[str, Raw] = {}
        """The arguments of each step that has started: those of its first attempt, for all of them.

        Of a read that has succeeded they are forgotten; the undo of a write refers to them.
        """
        self._items: dict[str, list[Json]] = {}
        self._saved: dict[str, Raw] = {}
        self._left: dict[str, Raw] = {}
        """What calls that are over had saved: their undos may be given it."""
        self._texts: dict[str, list[str]] = {}
        """What steps have said, in pieces; of those that are done nobody asks for it here."""
        self._decoded: dict[str, Json] = {}

    def observe(self, entry: e.AnyEntry) -> None:
        """Take an entry into account; call it after the snapshot has."""
        if type(entry) is e.AttemptEnded:
            if entry.outcome == "succeeded":
                self.raw[entry.step] = entry.output
                if self._saved or self._texts:
                    self._leave(entry.step)
                if not self._snapshot.steps[StepKey(entry.step)].planned.writes:
                    self.args.pop(entry.step, None)
        elif isinstance(entry, e.AttemptStarted):
            self.args[entry.step] = entry.args
        elif isinstance(entry, e.RunStarted):
            self.inputs = value.decode(entry.inputs)
            self.tenant = entry.tenant
            self.subject = entry.subject
            self.root = entry.root or (entry.parent.run if entry.parent else entry.run)
        elif isinstance(entry, e.TextEmitted):
            self._texts.setdefault(entry.step, []).append(entry.text)
        else:
            self._observe_rarely(entry)

    def _observe_rarely(self, entry: e.AnyEntry) -> None:
        if isinstance(entry, e.StepExpanded):
            items = value.decode(entry.items)
            self._items[entry.step] = items if isinstance(items, list) else []
        elif isinstance(entry, e.AnswerRecorded):
            step = self._snapshot.steps[StepKey(entry.step)]
            if step.question is not None and step.question.ask == "question":
                self.raw[entry.step] = entry.answer
            elif step.state is StepState.SUCCEEDED:
                self.raw[entry.step] = entry.output
                # Of a run that had stopped, the step was final before its output was known.
                self._decoded.pop(entry.step, None)
                self._decoded.pop(step.planned.id, None)
        elif isinstance(entry, (e.StepCopied, e.StepCached)):
            self.raw[entry.step] = entry.output
        elif isinstance(entry, e.CheckpointSaved):
            self._saved[entry.step] = entry.data
        elif isinstance(entry, e.UndoStarted) and entry.attempt == 1:
            # What the step put down is not the undo's; from here on it keeps its own.
            self._leave(entry.step)
        else:
            self._observe_verbs(entry)

    def _observe_verbs(self, entry: e.AnyEntry) -> None:
        if isinstance(entry, e.QuestionAsked):
            if entry.ask == "approval" and entry.args != e.NULL:
                self.args[entry.step] = entry.args
        elif isinstance(entry, (v.RetryRequested, v.RunReopened)):
            # What was final is so no more: neither the step nor what had been skipped for it.
            self._decoded.clear()

    def _leave(self, step: str) -> None:
        saved = self._saved.pop(step, e.NULL)
        self._left.setdefault(step, saved)
        self._texts.pop(step, None)

    def item(self, step: str, index: int) -> Json:
        """The item behind `step[index]`."""
        return self._items[step][index]

    def saved(self, step: str) -> Json:
        """The last checkpoint of a step, or None."""
        raw = self._saved.get(step)
        return None if raw is None else value.decode(raw)

    def emitted(self, step: str) -> str:
        """What a step has said so far, as far as it is written down."""
        pieces = self._texts.get(step)
        if not pieces:
            return ""
        if len(pieces) > 1:
            pieces[:] = ["".join(pieces)]
        return pieces[0]

    def left(self, step: str) -> Json:
        """What the call of a step had saved last, for its undo; or None."""
        return value.decode(self._left.get(step) or self._saved.get(step) or e.NULL)

    def value(self, step: str) -> Json:
        """A step's output: a list for a `for_each`, null for what was skipped or ignored."""
        if step in self._decoded:
            return self._decoded[step]
        run = self._snapshot.steps[StepKey(step)]
        if run.is_list and run.items is not None:
            found: Json = [self.value(item_key(step, i)) for i in range(run.items)]
        elif step in self.raw:
            found = value.decode(self.raw[step])
        else:
            found = None
        if run.final:
            self._decoded[step] = found
        return found


class OutputsView:
    """Outputs as they are shown to whoever asks, while the run that they belong to goes on.

    Decoded apart from those that the run resolves references with: nobody who changes what was
    shown changes the run.
    """

    def __init__(self, snapshot: Snapshot, outputs: Outputs) -> None:
        self._snapshot = snapshot
        self._raw = outputs.raw
        self._decoded: dict[str, tuple[Raw, Json]] = {}

    def value(self, step: str) -> Json:
        """As `Outputs.value`."""
        raw = self._raw.get(step)
        if raw is None:
            run = self._snapshot.steps[StepKey(step)]
            if run.is_list and run.items is not None:
                return [self.value(item_key(step, i)) for i in range(run.items)]
            return None
        if not self._decoded:
            self._decode_all()
        known = self._decoded.get(step)
        if known is None or known[0] is not raw:
            known = self._decoded[step] = raw, value.decode(raw)
        return known[1]

    def _decode_all(self) -> None:
        """Decode what is there as one list: whoever asks for the first asks for all of them."""
        raws = list(self._raw.values())
        found = value.decode(b"[%b]" % b",".join(map(bytes, raws)))
        assert isinstance(found, list), "as it was put together"
        self._decoded = dict(zip(self._raw, zip(raws, found, strict=True), strict=True))
