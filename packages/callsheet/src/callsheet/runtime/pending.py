"""A start that was left for a process that has the tools, as its handle sees it until it is a run.

It has no journal: what is known of it is the request in the inbox, and what became of that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet.core.ids import RunId
from callsheet.core.past.result import Result, StepResult
from callsheet.core.plan.plan import NOTHING
from callsheet.core.run.entries import Cause
from callsheet.core.run.request import Settled
from callsheet.core.run.step import RunState, StepState
from callsheet.errors import RequestRefusedError, UnknownRunError, kind_of

if TYPE_CHECKING:
    from datetime import datetime

    from callsheet.core.run.request import LeftStart, Request
    from callsheet.ports import Inbox


async def look(inbox: Inbox, run: RunId, now: datetime) -> RunId | Result:
    """What has become of a start: the run that it is, or how it stands without one.

    Raises:
        UnknownRunError: there is no such start.
        CallsheetError: it was refused; as whoever began it would have been told.
    """
    found = await inbox.start_of(run)
    if found is None or (start := found[0].start) is None:
        raise UnknownRunError(f"There is no run {run!r}. `callsheet runs` lists them.")
    settled = found[1]
    if settled is None:
        return _as_it_stands(run, start, None, now)
    if settled.cancelled:
        return _as_it_stands(run, start, settled, now)
    if settled.refusal is not None:
        kind = kind_of(settled.error) or RequestRefusedError
        raise kind(f"Run {run!r} was not started. {settled.refusal}")
    return RunId(settled.run or run)


async def cancel(inbox: Inbox, request: Request, now: datetime) -> bool:
    """Cancel a start that nobody has taken; False: somebody has just taken it."""
    found = await inbox.start_of(RunId(request.run))
    if found is None:
        return False
    by = f" by {request.by}" if request.by else ""
    why = f": {request.reason}" if request.reason else "."
    words = f"It was cancelled{by} before it had begun{why}"
    return await inbox.withdraw(found[0].id, Settled(refusal=words, cancelled=True, at=now))


def not_begun(run: RunId) -> RequestRefusedError:
    """Something is asked of a run that is not there yet."""
    return RequestRefusedError(
        f"Run {run!r} has not begun: it was left for a process that has its tools. Wait for it, "
        "or cancel it."
    )


def _as_it_stands(run: RunId, start: LeftStart, settled: Settled | None, now: datetime) -> Result:
    state = StepState.CANCELLED if settled else StepState.PENDING
    step = StepResult(state=state, output=None, error=None, attempts=0, cost=NOTHING)
    return Result(
        run=run,
        plan=start.plan.name,
        state=RunState.CANCELLED if settled else RunState.PENDING,
        paused=False,
        cause=Cause(kind="cancel", message=settled.refusal or "") if settled else None,
        output=None,
        steps={each.id: step for each in start.plan.steps},
        cost=NOTHING,
        at=now,
        seconds=0.0,
        problems=(),
        errors={},
    )
