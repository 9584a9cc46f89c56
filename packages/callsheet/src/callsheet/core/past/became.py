"""What became of a step, as a value: what `${outcomes.ID}` gives.

No times and no counts: runs in which the same has happened give the same arguments.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet.core.ids import StepKey, item_key
from callsheet.core.run.step import StepState

if TYPE_CHECKING:
    from callsheet.core.past.outputs import Outputs
    from callsheet.core.run.snapshot import Snapshot
    from callsheet.core.run.step import StepRun
    from callsheet.core.value import Json

_AS_THEY_ARE = frozenset(
    {StepState.SUCCEEDED, StepState.FAILED, StepState.CANCELLED, StepState.SKIPPED}
)
_NOT_STARTED = "Cancelled before it had started."
_TAKEN_BACK = "Taken back on request."
_UNKNOWN = "Its outcome is unknown."


def outcome_of(snapshot: Snapshot, outputs: Outputs, key: str) -> Json:
    """`{state, output, error}` of a step, or one for each item of a `for_each`.

    A list that was never made (skipped, stopped, or its `for_each` gave none) has one: its own.
    """
    step = snapshot.steps[StepKey(key)]
    if not step.is_list:
        return _one(snapshot, outputs, step)
    if step.items is None:
        return [_one(snapshot, outputs, step)]
    items = (snapshot.steps[item_key(step.key, index)] for index in range(step.items))
    return [_one(snapshot, outputs, item) for item in items]


def _one(snapshot: Snapshot, outputs: Outputs, step: StepRun) -> dict[str, Json]:
    state = snapshot.state_of(step)
    if state is StepState.SUCCEEDED:
        return {"state": "succeeded", "output": outputs.value(step.key), "error": None}
    if state is StepState.SKIPPED:
        return {"state": "skipped", "output": None, "error": None}
    if state is StepState.UNDONE and step.error is None:
        state, said = StepState.CANCELLED, ("cancelled", _TAKEN_BACK)
    elif step.error is not None:
        said = step.error.error_class, step.error.message
    elif state is StepState.CANCELLED:
        said = "cancelled", _NOT_STARTED
    else:
        said = "fatal", _UNKNOWN
    error: dict[str, Json] = {"class": said[0], "message": said[1], "happened": _happened(step)}
    shown = str(state) if state in _AS_THEY_ARE else "failed"
    return {"state": shown, "output": None, "error": error}


def _happened(step: StepRun) -> str:
    """Whether the effect may be there, although the step did not succeed."""
    return "unknown" if step.maybe or step.unclear or step.done else "no"
