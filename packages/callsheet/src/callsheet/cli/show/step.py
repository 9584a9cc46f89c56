"""One step of a run, with all that became of it."""

from __future__ import annotations

import json
from datetime import datetime
from typing import TYPE_CHECKING, Any

from rich.text import Text

from callsheet import StepState
from callsheet.cli.show.table import duration, look_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from callsheet import Result
    from callsheet.types import AttemptRecord

_LABEL = 9
_TOO_LARGE = "too large to stand in the journal: artifact"


def step_json(
    result: Result,
    key: str,
    attempts: Sequence[AttemptRecord],
    entries: Sequence[Mapping[str, Any]],
    chosen: Iterable[Mapping[str, Any]] = (),
) -> dict[str, Any]:
    """A step as plain data: as in the result, with its call and its attempts.

    `chosen` are the entries that say which agents did it, and why.
    """
    own = [entry for entry in entries if entry.get("step") == key]
    planned = _planned(entries, key.partition("[")[0])
    text = "".join(entry["text"] for entry in own if entry["kind"] == "TextEmitted")
    plan = planned.get("plan")
    agents = [_chosen(entry) for entry in chosen if entry["kind"] == "AgentChosen"]
    return {
        "run": result.run,
        "step": key,
        "tool": planned.get("tool"),
        **({"plan": plan if isinstance(plan, str) else plan.get("name")} if plan else {}),
        **({"within": planned["within"]} if planned.get("within") else {}),
        **result.steps[key].to_json(),
        "args": _last(own, "AttemptStarted", "args"),
        "saved": _last(own, "CheckpointSaved", "data"),
        **({"text": text} if text else {}),
        **({"agents": agents} if agents else {}),
        "undo": _last(own, "UndoStarted", "args"),
        "attempts": [attempt.to_json() for attempt in attempts],
        "questions": [
            {name: entry.get(name) for name in ("question", "ask", "text", "answer", "by")}
            for entry in own
            if entry["kind"] in ("QuestionAsked", "AnswerRecorded")
        ],
        "items": {
            name: str(step.state)
            for name, step in result.steps.items()
            if name.startswith(f"{key}[")
        },
    }


def _chosen(entry: Mapping[str, Any]) -> dict[str, Any]:
    named = ("agent", "model", "reason", "passed_over")
    return {name: entry[name] for name in named if name in entry}


def _planned(entries: Iterable[Mapping[str, Any]], step: str) -> Mapping[str, Any]:
    for entry in entries:
        if entry["kind"] in ("RunStarted", "StepsAdded"):
            steps = entry["plan"]["steps"] if entry["kind"] == "RunStarted" else entry["steps"]
            for each in steps:
                if each["id"] == step:
                    found: Mapping[str, Any] = each
                    return found
    return {}


def _last(entries: Sequence[Mapping[str, Any]], kind: str, field: str) -> Any:
    """What the newest entry of a kind holds."""
    for entry in reversed(entries):
        if entry["kind"] == kind:
            stored = (entry.get("stored") or {}).get(field)
            return f"{_TOO_LARGE} {stored}" if stored else entry.get(field)
    return None


def step_lines(step: Mapping[str, Any], now: datetime) -> Iterator[Text]:
    """The same for people."""
    sign, style = look_of(StepState(step["state"]))
    head = Text.assemble((f"{sign} ", style), (step["step"], "bold"), f"  {step['run']}  ")
    yield head.append(step["state"].replace("_", " "), style)
    for label in ("label", "tool", "plan", "within", "child", "reason", "args", "saved", "text"):
        if step.get(label) not in (None, ""):
            said = duration(step[label]) if label == "within" else _text(step[label])
            yield _labelled("run" if label == "child" else label, said)
    yield from (line for each in step.get("agents", ()) for line in _agent(each))
    for item, state in step["items"].items():
        yield _labelled("", f"{item}  {state.replace('_', ' ')}")
    for each in step["questions"]:
        yield _labelled("asked" if each["ask"] else "answered", _asked(each))
    for attempt in step["attempts"]:
        yield from _attempt(attempt, now)
    if not step["attempts"] and step["error"]:
        yield _labelled("error", f"{step['error']['class']}: {step['error']['message']}", "red")
    if step["output"] is not None:
        yield _labelled("output", _text(step["output"]))


def _agent(each: Mapping[str, Any]) -> Iterator[Text]:
    """Who did it, and why; and who did not."""
    yield _labelled("agent", f"{each['agent']} with {each['model']}: {each['reason']}")
    for other in each.get("passed_over", ()):
        model = f" with {other['model']}" if other.get("model") else ""
        yield _labelled("", f"not {other['agent']}{model}: {other['why']}")


def _asked(each: Mapping[str, Any]) -> str:
    if each["ask"]:
        return str(each["text"])
    return _text(each["answer"]) + (f", by {each['by']}" if each["by"] else "")


def _attempt(attempt: Mapping[str, Any], now: datetime) -> Iterator[Text]:
    label = "undo" if attempt["undo"] else "attempt"
    ended = datetime.fromisoformat(attempt["ended_at"]) if attempt["ended_at"] else now
    took = duration((ended - datetime.fromisoformat(attempt["started_at"])).total_seconds())
    outcome = attempt["outcome"] or "running"
    line = f"{attempt['attempt']}  {outcome}  {took}"
    if cost := attempt["cost"]["usd"]:
        line += f"  ${cost:g}"
    error = attempt["error"]
    if not error:
        yield _labelled(label, line, "" if outcome == "succeeded" else "red")
        return
    yield _labelled(label, f"{line}  {error['class']}: {error['message']}", "red")
    for text in error.get("traceback", "").splitlines():
        yield Text(f"{'':{_LABEL + 2}}{text}", "dim")


def _labelled(label: str, text: str, style: str = "") -> Text:
    text = text.rstrip("\n").replace("\n", f"\n{'':{_LABEL + 2}}")
    return Text.assemble((f"  {label:<{_LABEL}}", "dim"), (text, style))


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
