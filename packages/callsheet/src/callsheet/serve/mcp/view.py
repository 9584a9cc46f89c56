"""A run, as an agent sees it: the names and values of `Result.to_json`, its steps as a summary."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from callsheet.core.run.step import RunState, StepState
from callsheet.serve.mcp.told import Told, links_of, size_of

if TYPE_CHECKING:
    from callsheet.core.past.result import Result
    from callsheet.runtime.run import Run
    from callsheet.serve.mcp.door import Door

Detail: TypeAlias = "Literal['failed', 'all'] | list[str] | None"
ELSEWHERE = "another process"
NOBODY = "nobody; run_resume drives it here"
_LARGE = 4_000
"""Bytes of an output above which it is read as a resource."""
_LARGE_STEP = 1_000
_AT_WORK = frozenset({StepState.RUNNING, StepState.RETRYING, StepState.UNDOING})
_BAD = frozenset({StepState.FAILED, StepState.IN_DOUBT, StepState.UNDO_FAILED})
_NEXT: dict[RunState, tuple[str, ...]] = {
    RunState.PENDING: ("run_wait", "run_cancel"),
    RunState.RUNNING: ("run_wait", "run_cancel"),
    RunState.WAITING: ("run_answer", "run_wait", "run_cancel"),
    RunState.UNDOING: ("run_wait",),
    RunState.SUCCEEDED: ("run_fork",),
    RunState.FAILED: ("run_status", "run_retry", "run_fork"),
    RunState.CANCELLED: ("run_fork",),
    RunState.UNDONE: ("run_fork",),
    RunState.STUCK: ("run_answer", "run_undo"),
}


async def told_of(
    door: Door, run: Run, result: Result | None = None, *, detail: Detail = None, **more: Any
) -> Told:
    """A run as it stands, and what can be done next."""
    result = result or await run.status()
    view = view_of(result, driven_by=driven_by(door, run, result), detail=detail)
    return Told(data={**view, **more}, links=links_of(result.output))


def view_of(result: Result, *, driven_by: str | None, detail: Detail = None) -> dict[str, Any]:
    """The view of a run."""
    whole = result.to_json()
    output = whole["output"]
    return {
        "run": result.run,
        "plan": result.plan,
        "state": str(result.state),
        "paused": result.paused,
        "cause": whole["cause"],
        "output": output if size_of(output) <= _LARGE else _elsewhere(output, result.run),
        "steps": _steps(result, detail),
        "questions": [
            {"id": q.id, "step": q.step, "ask": q.ask, "text": q.text}
            | ({"choices": list(q.choices)} if q.choices else {})
            | ({"args": q.args} if q.args is not None else {})
            for q in result.questions
        ],
        "cost": whole["cost"],
        "problems": whole["problems"],
        "driven_by": driven_by,
        "next": next_of(result),
        **({"damaged": result.damaged} if result.damaged else {}),
    }


def driven_by(door: Door, run: Run, result: Result) -> str | None:
    """Who drives it; None: it has ended."""
    if result.state.ended:
        return None
    if run.is_driven_here:
        return door.here
    return NOBODY if result.interrupted else ELSEWHERE


def next_of(result: Result) -> list[str]:
    """The tools that make sense now."""
    if result.interrupted or result.paused:
        return ["run_resume", "run_status", "run_cancel"]
    found = list(_NEXT[result.state])
    if result.state.ended and result.owes and "run_undo" not in found:
        found.append("run_undo")
    return found


def progress_of(result: Result) -> tuple[int, int, str]:
    """How many steps are over, of how many, and in words."""
    over = sum(1 for step in result.steps.values() if step.ended_at is not None)
    total = len(result.steps)
    if result.state is RunState.UNDOING:
        return over, total, undoing(result)
    return over, total, f"{result.shown_state}, {over} of {total} steps"


def undoing(result: Result) -> str:
    """How far the undo is."""
    states = [step.state for step in result.steps.values()]
    done = sum(1 for state in states if state in (StepState.UNDONE, StepState.UNDO_FAILED))
    begun = sum(1 for state in states if state is StepState.UNDOING)
    owed = sum(1 for state in states if state is StepState.SUCCEEDED) if result.owes else 0
    total = done + begun + owed
    return f"undoing {min(done + 1, total)} of {total}" if total else "undoing"


def _steps(result: Result, detail: Detail) -> dict[str, Any]:
    steps = result.steps
    failed = [
        {
            "id": key,
            "class": step.error.error_class if step.error else str(step.state),
            "message": step.error.message if step.error else step.reason,
        }
        for key, step in steps.items()
        if step.state in _BAD
    ]
    view: dict[str, Any] = {
        "total": len(steps),
        "succeeded": sum(1 for step in steps.values() if step.state is StepState.SUCCEEDED),
        "running": sum(1 for step in steps.values() if step.state in _AT_WORK),
        "failed": failed,
    }
    if detail is None:
        return view
    wanted = [
        key
        for key, step in steps.items()
        if detail == "all" or (step.state in _BAD if detail == "failed" else key in detail)
    ]
    return {**view, "shown": {key: _step(result, key) for key in wanted}}


def _step(result: Result, key: str) -> dict[str, Any]:
    step = result.steps[key].to_json()
    if size_of(step["output"]) > _LARGE_STEP:
        step["output"] = _elsewhere(step["output"], f"{result.run}/steps/{key}")
    return {name: found for name, found in step.items() if found not in (None, "")}


def _elsewhere(value: Any, place: str) -> dict[str, Any]:
    return {"bytes": size_of(value), "read": f"run://{place}"}
