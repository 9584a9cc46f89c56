"""The flow of a turn: text and tool sections as a page shows them, a projection of its journal.

Pure: the same entries give the same flow, whoever asks, in whichever process, however late. Every
event that an entry gives rise to comes together; the last of them has the entry's number, so that
whoever comes back with a number has missed nothing of what came before it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias, cast

from callsheet.agents.pending import pending_in
from callsheet.agents.results import UNKNOWN, shown
from callsheet.agents.terms import ANSWER_STEP, CALL_STEP, TurnTerms
from callsheet.core import value
from callsheet.core.ids import StepKey
from callsheet.core.past.became import outcome_of
from callsheet.core.past.outputs import Outputs
from callsheet.core.run import entries as e
from callsheet.core.run import fold
from callsheet.core.run.snapshot import Snapshot
from callsheet.core.run.step import StepState

if TYPE_CHECKING:
    from datetime import datetime

    from callsheet.core.plan.plan import Step
    from callsheet.core.run.step import StepRun
    from callsheet.core.value import Json

CUT = 4096
"""Characters of arguments and results that a flow shows."""

Update: TypeAlias = "dict[str, Json]"
CallStatus: TypeAlias = Literal[
    "pending", "queued", "waiting", "running", "complete", "error", "timeout", "cancelled"
]
TurnState: TypeAlias = Literal["running", "answered", "stopped", "cancelled", "failed"]
FINAL = frozenset({"complete", "error", "timeout", "cancelled"})
_STATUS: dict[StepState, CallStatus] = {
    StepState.PENDING: "queued",
    StepState.READY: "queued",
    StepState.WAITING: "waiting",
    StepState.RUNNING: "running",
    StepState.RETRYING: "running",
    StepState.SUCCEEDED: "complete",
    StepState.FAILED: "error",
    StepState.SKIPPED: "cancelled",
    StepState.CANCELLED: "cancelled",
    StepState.IN_DOUBT: "error",
    StepState.UNDOING: "complete",
    StepState.UNDONE: "complete",
    StepState.UNDO_FAILED: "complete",
}


@dataclass(slots=True, eq=False)
class FlowCall:
    """A call, as a page shows it."""

    id: str
    step: str | None
    name: str
    args: Json
    section: int
    answer: str
    """The answer that asks for it: within that, its id is its own."""
    status: CallStatus = "queued"
    result: Json = None
    error: Json = None
    times: dict[str, str | None] = field(default_factory=dict)

    def to_json(self) -> Update:
        """All of it."""
        return {
            "id": self.id,
            "answer": self.answer,
            "step": self.step,
            "name": self.name,
            "args": self.args,
            "status": self.status,
            "progress": None,
            "result": self.result,
            "error": self.error,
            "times": dict(self.times),
        }


@dataclass(slots=True, eq=False)
class Section:
    """A stretch of text, or the calls between two of them."""

    kind: Literal["text", "tools", "note"]
    step: str
    text: str = ""
    base: int = 0
    """Characters of the step's text before this section's."""
    calls: list[FlowCall] = field(default_factory=list)
    closed: bool = False
    """No further call can come."""
    final: bool = False


class Flow:
    """Follows one turn."""

    def __init__(self) -> None:
        self.snapshot = Snapshot()
        self.outputs = Outputs(self.snapshot)
        self.sections: list[Section] = []
        self.calls: dict[str, FlowCall] = {}
        """Those that are steps."""
        self.terms: TurnTerms | None = None
        self.message = ""
        self.records: dict[str, dict[str, Json]] = {}
        """Of the answers that have ended well."""
        self.state: TurnState = "running"
        self.end: Update | None = None
        self._texts: dict[str, int] = {}
        """Answers, and the text section that each is writing."""
        self._reset: set[str] = set()
        """Answers that begin anew: where their text begins is not known before it comes."""

    # What is written

    def feed(self, seq: int, entry: e.AnyEntry) -> list[Update]:
        """Take in an entry; what has changed by it."""
        fold.apply(self.snapshot, entry)
        self.outputs.observe(entry)
        told = list(self._told(entry))
        told += self._moved(entry)
        told += self._closed(entry)
        if isinstance(entry, e.RunEnded):
            told.append(self._ended(entry))
        if told:
            told[-1] = {"seq": seq, **told[-1]}
        return told

    def _told(self, entry: e.AnyEntry) -> list[Update]:
        match entry:
            case e.RunStarted():
                self._begun(entry)
            case e.AttemptStarted(step=step, attempt=attempt) if ANSWER_STEP.match(step):
                return self._answering(step, attempt)
            case e.TextEmitted(step=step) if ANSWER_STEP.match(step):
                return self._written(entry)
            case e.StepsAdded(steps=steps):
                return self._added(entry, [each for each in steps if CALL_STEP.match(each.id)])
            case e.AttemptEnded(step=step, outcome="succeeded") if ANSWER_STEP.match(step):
                return self._answered(step, entry)
            case _:
                pass
        return []

    def _begun(self, entry: e.RunStarted) -> None:
        from msgspec import convert

        inputs = cast("dict[str, Json]", value.decode(entry.inputs))
        self.terms = convert(inputs["turn"], TurnTerms)
        self.message = str(inputs["message"])

    def _answering(self, step: str, attempt: int) -> list[Update]:
        """An answer begins; or begins anew, if nothing has come of it yet."""
        if attempt > 1 and step in self._texts:
            if any(each.step == step and each.kind == "tools" for each in self.sections):
                return []
            self._reset.add(step)
            index = self._texts[step]
            self.sections[index].text = ""
            return [{"kind": "text", "index": index, "step": step, "content": ""}]
        return [self._new_text(step, 0)]

    def _new_text(self, step: str, base: int) -> Update:
        self.sections.append(Section("text", step, base=base))
        index = self._texts[step] = len(self.sections) - 1
        return {"kind": "text", "index": index, "step": step, "content": ""}

    def _written(self, entry: e.TextEmitted) -> list[Update]:
        told, step = [], entry.step
        if step in self._reset:
            self._reset.discard(step)
            self.sections[self._texts[step]].base = entry.offset
        index = self._texts.get(step, -1)
        if index < 0 or self._has_calls_after(step, index):
            told.append(self._new_text(step, entry.offset))
            index = self._texts[step]
        section = self.sections[index]
        offset = entry.offset - section.base
        section.text = section.text[:offset] + entry.text
        told.append({"kind": "text", "index": index, "offset": offset, "append": entry.text})
        return told

    def _has_calls_after(self, step: str, index: int) -> bool:
        later = self.sections[index + 1 :]
        return any(each.step == step and each.kind == "tools" for each in later)

    def _added(self, entry: e.StepsAdded, steps: list[Step]) -> list[Update]:
        if not steps:
            return []
        answer = f"a{CALL_STEP.match(steps[0].id)[1]}"  # type: ignore[index]
        section = self._tools_of(answer)
        is_new = section is None
        if section is None:
            section = Section("tools", answer)
            self.sections.append(section)
        index = self.sections.index(section)
        at = _time(entry.at)
        for step in steps:
            args = self._short(step.args, step.id, "args")
            call = FlowCall(step.label, step.id, step.tool or "", args, index, answer)
            call.times = {"seen": at, "queued": at, "started": None, "ended": None}
            call.status = self._status_of(self.snapshot.steps[StepKey(step.id)])
            self.calls[step.id] = call
            section.calls.append(call)
        if is_new:
            return [self._whole(index)]
        return [{"kind": "call", "index": index, **self.calls[step.id].to_json()} for step in steps]

    def _tools_of(self, answer: str) -> Section | None:
        """The section that further calls of an answer belong to."""
        last = self.sections[-1] if self.sections else None
        return last if last and last.kind == "tools" and last.step == answer else None

    def _whole(self, index: int) -> Update:
        section = self.sections[index]
        return {
            "kind": "tools",
            "index": index,
            "status": "complete" if section.final else "running",
            "expanded": not section.final,
            "calls": [call.to_json() for call in section.calls],
        }

    def _answered(self, step: str, entry: e.AttemptEnded) -> list[Update]:
        """An answer has ended: those of its calls that are no steps are told, and its notes."""
        record = cast("dict[str, Json]", value.decode(entry.output))
        if not isinstance(record, dict):
            return []  # it lies elsewhere: what it says is not needed to follow the turn
        self.records[step] = record
        asked = cast("list[dict[str, str]]", record.get("calls") or [])
        wrong = [each for each in asked if not each.get("step")]
        told: list[Update] = self._refused(step, wrong, entry.at) if wrong else []
        for note in cast("list[str]", record.get("notes") or []):
            self.sections.append(Section("note", step, text=note))
            told.append({"kind": "note", "index": len(self.sections) - 1, "text": note})
        return told

    def _refused(self, step: str, wrong: list[dict[str, str]], at: datetime) -> list[Update]:
        section = self._tools_of(step)
        is_new = section is None
        if section is None:
            section = Section("tools", step)
            self.sections.append(section)
        index = self.sections.index(section)
        told: list[Update] = []
        for each in wrong:
            error: Json = {"class": "invalid", "message": each.get("error", "")}
            call = FlowCall(each["id"], None, each["name"], None, index, step, "error", error=error)
            call.times = {"seen": _time(at), "queued": None, "started": None, "ended": _time(at)}
            section.calls.append(call)
            told.append({"kind": "call", "index": index, **call.to_json()})
        return [self._whole(index)] if is_new else told

    # What becomes of calls

    def _moved(self, entry: e.AnyEntry) -> list[Update]:
        step = getattr(entry, "step", None)
        calls = [self.calls[step]] if step in self.calls else []
        if step is None or isinstance(entry, e.StepsAdded):
            calls = list(self.calls.values())
        told = []
        for call in calls:
            if call.status in FINAL:
                continue
            run = self.snapshot.steps[StepKey(cast("str", call.step))]
            status = self._status_of(run)
            if status != call.status:
                told.append(self._change(call, status, run, entry))
        return told

    def _status_of(self, run: StepRun) -> CallStatus:
        state = self.snapshot.state_of(run)
        if state is StepState.IN_DOUBT and not run.final:
            return "running"
        status = _STATUS[state]
        if status == "error" and run.error and run.error.error_class == "timeout":
            return "timeout"
        # A write that was told to stop and did not answer: nobody knows.
        return "error" if status == "cancelled" and self._is_unknown(run) else status

    def _is_unknown(self, run: StepRun) -> bool:
        outcome = cast("dict[str, Json]", outcome_of(self.snapshot, self.outputs, run.key))
        error = outcome.get("error")
        return isinstance(error, dict) and error.get("happened") == "unknown"

    def _change(
        self, call: FlowCall, status: CallStatus, run: StepRun, entry: e.AnyEntry
    ) -> Update:
        call.status = status
        if status == "running" and call.times["started"] is None:
            call.times["started"] = _time(entry.at)
        if status in FINAL:
            call.times["ended"] = _time(entry.at)
        if status == "complete":
            call.result = self._result(call, entry)
        elif status in FINAL:
            call.error = self._error(run)
        change: Update = {
            "kind": "call",
            "index": call.section,
            "id": call.id,
            "answer": call.answer,
            "step": call.step,
            "status": status,
        }
        if status == "complete":
            change["result"] = call.result
        elif status in FINAL:
            change["error"] = call.error
        return {**change, "times": dict(call.times)}

    def _error(self, run: StepRun) -> Json:
        outcome = cast("dict[str, Json]", outcome_of(self.snapshot, self.outputs, run.key))
        error = outcome.get("error")
        said: dict[str, Json] = {"class": "cancelled", "message": ""}
        said |= error if isinstance(error, dict) else {}
        if said.pop("happened", "no") == "unknown":
            said["message"] = f"{said['message']} {UNKNOWN}"
        return said

    def _result(self, call: FlowCall, entry: e.AnyEntry) -> Json:
        stored = (entry.stored or {}).get("output")
        if stored is not None:
            return {"cut": "", "link": f"{self.snapshot.run}/{call.step}/result"}
        output = getattr(entry, "output", e.NULL)
        return self._short(value.decode(output), cast("str", call.step), "result")

    def _short(self, said: Json, step: str, what: str) -> Json:
        text = said if isinstance(said, str) else shown(said)
        if len(text) <= CUT:
            return said
        link = f"{self.snapshot.run}/{step}/{what}"
        return {"cut": text[:CUT], "size": len(text), "link": link}

    def _closed(self, entry: e.AnyEntry) -> list[Update]:
        """Sections in which nothing more can happen are told so, once."""
        told: list[Update] = []
        for index, section in enumerate(self.sections):
            if section.kind != "tools" or section.final:
                continue
            answer = self.snapshot.steps[StepKey(section.step)]
            section.closed = section.closed or answer.final or index < len(self.sections) - 1
            if isinstance(entry, e.RunEnded):
                section.closed = True
            if section.closed and all(call.status in FINAL for call in section.calls):
                section.final = True
                told.append(
                    {"kind": "tools", "index": index, "status": "complete", "expanded": False}
                )
        return told

    def _ended(self, entry: e.RunEnded) -> Update:
        last = self.records[max(self.records, key=_place)] if self.records else {}
        states: dict[str, TurnState] = {"succeeded": "answered", "cancelled": "cancelled"}
        self.state = states.get(entry.state, "failed")
        if self.state == "answered" and last.get("stop") == "limit":
            self.state = "stopped"
        cause = entry.cause or self.snapshot.failed
        reason = cause.message if cause else ""
        if self.state == "stopped":
            reason = self.text.rpartition("\n\n")[2]
        spent = entry.spent
        end: Update = {
            "kind": "end",
            "state": self.state,
            "reason": reason,
            "usage": self.usage,
            "cost": {"usd": spent.usd},
            "conversation": self.terms.conversation if self.terms else "",
        }
        if self.state == "failed":
            end["error"] = self._failure(reason)
        self.end = end
        return end

    def _failure(self, reason: str) -> Json:
        for key in reversed(self.snapshot.steps):
            step = self.snapshot.steps[key]
            if ANSWER_STEP.match(key) and step.error is not None:
                return step.error.to_json()
        return {"class": "fatal", "message": reason}

    # What is only said

    def hear_text(self, step: str, offset: int, text: str) -> list[Update]:
        """Text that is not written down yet: for who is there now, without a number."""
        index = self._texts.get(step)
        if index is None or step in self._reset or self._has_calls_after(step, index):
            return []  # where it stands is known when it is written
        offset -= self.sections[index].base
        return [{"kind": "text", "index": index, "offset": offset, "append": text}]

    def hear_progress(self, step: str, fraction: float | None, message: str) -> list[Update]:
        """How far a call is; or that an answer asks for one."""
        call = self.calls.get(step)
        if call is not None and call.status not in FINAL:
            progress: Json = {"fraction": fraction, "message": message}
            change: Update = {"kind": "call", "index": call.section, "id": call.id}
            return [{**change, "answer": call.answer, "step": step, "progress": progress}]
        found = pending_in(message) if step in self._texts else None
        if found is None:
            return []
        known = (call for each in self.sections if each.step == step for call in each.calls)
        if any(call.id == found[0] for call in known):
            return []  # an id that comes twice
        last = self._tools_of(step)
        index = len(self.sections) if last is None else self.sections.index(last)
        id, name = found
        call_of: Update = {"kind": "call", "index": index, "id": id, "answer": step}
        return [{**call_of, "name": name, "status": "pending"}]

    # As a whole

    @property
    def text(self) -> str:
        """What the last answer says."""
        step = max(self._texts, key=_place, default="")
        return "".join(
            each.text for each in self.sections if each.kind == "text" and each.step == step
        )

    @property
    def usage(self) -> Update:
        """What the answers have used."""
        total: dict[str, int] = {"input": 0, "output": 0}
        for record in self.records.values():
            used = cast("dict[str, int]", record.get("usage") or {})
            for name in total:
                total[name] += used.get(name, 0)
        return cast("Update", total)

    def all_calls(self) -> list[FlowCall]:
        """Every call, in the order of the flow."""
        return [call for section in self.sections for call in section.calls]


def _place(step: str) -> int:
    found = ANSWER_STEP.match(step)
    return int(found[1]) if found else 0


def _time(at: datetime) -> str:
    return at.isoformat().replace("+00:00", "Z")
