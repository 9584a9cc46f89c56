"""What became of a call whose tool does not say what it does.

Such a tool is treated as a write that must not be repeated. But most of those that say nothing
only read: an exception that one raises is no reason to ask a person whether it happened. It fails
the step, and says what to declare. Only where nobody saw the end (the process was lost, the time
was over, it could not be stopped) is there a doubt, as with any write.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import structs

from callsheet.core.plan.plan import NOTHING
from callsheet.core.plan.toolspec import is_unsaid

if TYPE_CHECKING:
    from callsheet.core.plan.toolspec import ToolSpec
    from callsheet.core.run.entries import Failure
    from callsheet.core.run.outcome import End
    from callsheet.core.run.step import StepRun

_UNSEEN = frozenset({"WorkerDiedError", "ProgramKilledError"})
"""Errors of a process that is gone: nobody knows how far it came."""
_OURS = frozenset({"ConnectionRefusedError"})
"""What we take to mean that nothing happened; a tool may have done something before."""


def settled(end: End, step: StepRun, spec: ToolSpec | None) -> End:
    """The end of a call, as it is written down."""
    error = end.error
    if error is None or end.undo or not is_unsaid(step.planned.step, spec):
        return end
    if end.outcome == "cancelled" and not end.abandoned:
        return structs.replace(end, error=structs.replace(error, nothing_happened=True))
    if end.outcome != "failed" or not _is_its_own(error):
        return end
    # Not a word that nothing happened: only that nobody is asked. It is charged all the same.
    cost = end.cost or step.planned.step.cost or (spec and spec.cost) or NOTHING
    return structs.replace(end, error=_failure(error, end.tool), cost=cost)


def _is_its_own(error: Failure) -> bool:
    """Whether the tool raised it, and did not say itself what it means for the step."""
    if not error.type or error.type in _UNSEEN:
        return False
    return not error.nothing_happened or error.type in _OURS


def _failure(error: Failure, tool: str) -> Failure:
    message = (
        f"{error.message.rstrip('.')}. It was not tried again: {tool} does not say whether it "
        "reads or writes. Declare it with effect='read' or effect='write'."
    )
    return structs.replace(
        error, error_class="fatal", message=message, nothing_happened=True, retry_after=None
    )
