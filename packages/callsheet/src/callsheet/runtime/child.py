"""A step that is a run of its own: started, waited for, told to stop, taken back.

Its loop is an attempt like any other to the run it belongs to: it begins, and exactly one end is
reported. But nothing about it can be lost or left behind: the child has a journal, and when its
parent is driven again, the attempt simply goes on waiting.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Literal

from callsheet.core.plan.plan import NOTHING
from callsheet.core.run.entries import Failure
from callsheet.core.run.outcome import End
from callsheet.core.run.request import Request
from callsheet.core.run.step import RunState
from callsheet.errors import CallsheetError, EngineClosedError, RequestRefusedError
from callsheet.runtime.failure import failure_of
from callsheet.runtime.log import log

if TYPE_CHECKING:
    from collections.abc import Callable

    from callsheet.core.ids import StepKey
    from callsheet.core.past.result import Result
    from callsheet.core.plan.plan import Cost
    from callsheet.core.run.entries import Outcome
    from callsheet.core.run.request import RequestKind
    from callsheet.core.run.start import Start
    from callsheet.errors import ErrorClass
    from callsheet.ports import Clock, Timer, Toolbox
    from callsheet.runtime.children import Children
    from callsheet.runtime.environment import Runs


class ChildAttempt:
    """A sub-plan that is running, or being undone. Looks like an `Attempt` to its loop."""

    def __init__(  # noqa: PLR0913 -- as `Attempt`: what a call consists of
        self,
        start: Start,
        runs: Runs,
        *,
        step: StepKey,
        attempt: int,
        tool: str,
        undo: bool,
        timeout: float | None,
        charged: Cost,
        clock: Clock,
        report: Callable[[End], None],
        broken: Callable[[CallsheetError], None],
    ) -> None:
        self._start = start
        self._runs = runs
        self.step = step
        self.attempt = attempt
        self.tool = tool
        self.undo = undo
        self.name = f"callsheet-child-{start.run}"
        self._timeout = timeout
        self._charged = charged
        """What its parent has paid for it before."""
        self._clock = clock
        self._report = report
        self._broken = broken
        self._group: Children | None = None
        self._timer: Timer | None = None
        self._told: Literal["cancel", "timeout"] | None = None
        self._over = False
        self._begun = asyncio.Event()
        """The child is there; or it is known that it will never be."""
        self._may_start = asyncio.Event()
        """Nobody has paused the run that it is part of. A child that is not there yet waits."""
        self._may_start.set()
        self.pins: frozenset[str] = frozenset()

    def begin(self, group: Children, _toolbox: Toolbox) -> None:
        """Start the child, or find it where it is, and wait for its end."""
        self._group = group
        group.begin(self._attend(), name=self.name)
        if self._timeout is not None and not self.undo:
            self._timer = self._clock.call_later(self._timeout, self._expire)

    def tell(self, *, within: float | None = None) -> None:
        """Have the child cancelled. An undo is not told.

        `within`: because the step has had so many seconds as a whole.
        """
        if self._told is not None or self.undo or self._over:
            return
        if within is None:
            self._told = "cancel"
            self._may_start.set()
            self._ask("cancel", "The run it is part of, or the step that it is, was stopped.")
        else:
            self._timeout = within
            self._expire()

    def pause(self) -> None:
        """Have the child paused; one that is not there yet is not started."""
        if not self.undo and not self._over:
            self._may_start.clear()
            self._ask("pause")

    def resume(self) -> None:
        """Have the child go on."""
        if not self.undo and not self._over:
            self._may_start.set()
            self._ask("resume")

    def release(self) -> None:
        """Have the child go on, unless it was somebody else who has paused it."""
        if self._group is not None and not self.undo and not self._over:
            self._group.begin(self._release(), name=f"{self.name}-release")

    async def _release(self) -> None:
        await self._begun.wait()
        run = self._start.run
        try:
            paused_by = await self._runs.paused_by(run)
        except CallsheetError as exc:
            log.warning("child.unasked", run=run, kind="resume", error=exc.message)
            return
        if paused_by is not None and paused_by.startswith(f"{run}-pause-"):
            await self._request("resume", "")

    def drop(self) -> None:
        """The parent is no longer driven here; the child is its own run and stays as it is."""
        self._over = True
        self._may_start.set()
        if self._timer:
            self._timer.cancel()

    def _expire(self) -> None:
        if self._told is None and not self._over:
            self._told = "timeout"
            self._may_start.set()
            self._ask("cancel", f"It took longer than {self._timeout:g} s.")

    def _ask(self, kind: RequestKind, reason: str = "") -> None:
        if self._group is not None:
            self._group.begin(self._request(kind, reason), name=f"{self.name}-{kind}")

    async def _request(self, kind: RequestKind, reason: str) -> None:
        number = f"{self._clock.chance():016x}"
        run = self._start.run
        request = Request(id=f"{run}-{kind}-{number}", run=run, kind=kind, reason=reason)
        # What is asked of a child that is just being started is asked after its start.
        await self._begun.wait()
        if self._over or (kind == "pause" and self._may_start.is_set()):
            return  # the latter: it goes on already
        try:
            await self._runs.request(request)
        except CallsheetError as exc:
            # It has ended by itself, or ends for the same reason.
            log.info("child.unasked", run=run, kind=kind, error=exc.message)

    async def _attend(self) -> None:
        try:
            end = await (self._undo() if self.undo else self._run())
        except CallsheetError as exc:
            if not self._over:
                self._broken(exc)
            return
        except Exception as exc:  # noqa: BLE001 -- a mistake of ours, or of a store's: never a hang
            log.warning("child.broken", run=self._start.run, exc_info=True)
            end = self._end("failed", error=failure_of(exc))
        finally:
            self._begun.set()
        if self._timer:
            self._timer.cancel()
        if not self._over:
            self._over = True
            self._report(end)

    async def _run(self) -> End:
        run = self._start.run
        if not self._may_start.is_set() and not await self._runs.exists(run):
            await self._may_start.wait()
        if self._over:
            raise EngineClosedError(f"Run {run!r} was not started: its parent is not driven here.")
        if self._told and not await self._runs.exists(run):
            if self._told == "timeout":
                return self._end("failed", error=self._too_late(run, nothing=True))
            return self._end("cancelled", error=_cancelled(nothing=True))
        await self._runs.begin(self._start)
        self._begun.set()
        result = await self._runs.ended(self._start.run)
        if result.state is RunState.SUCCEEDED and self._told != "timeout":
            return self._end("succeeded", result)
        return self._end(*self._failure(result))

    def _failure(self, result: Result) -> tuple[Outcome, Result, Failure]:
        # What it kept although it failed is taken back with the run it is part of.
        nothing = not result.owes
        if self._told == "timeout":
            return "failed", result, self._too_late(result.run, nothing=nothing)
        if self._told == "cancel":
            return "cancelled", result, _cancelled(nothing=nothing)
        why = result.cause.message if result.cause else ""
        words = f"Run {result.run} is {result.state}" + (f": {why}" if why else ".")
        return (
            "failed",
            result,
            Failure(error_class=self._class_of(result), message=words, nothing_happened=nothing),
        )

    def _class_of(self, result: Result) -> ErrorClass:
        """How an agent failed is how its step did; a sub-plan has just failed."""
        step = result.cause.step if result.cause else None
        error = result.steps[step].error if self._start.open and step in result.steps else None
        return error.error_class if error else "fatal"

    def _too_late(self, run: str, *, nothing: bool) -> Failure:
        words = f"Run {run} took longer than {self._timeout:g} s."
        return Failure(error_class="timeout", message=words, nothing_happened=nothing)

    async def _undo(self) -> End:
        run = self._start.run
        if not await self._runs.exists(run):
            return self._end("succeeded")  # it had not even begun
        # The same request for the same attempt: asked again after a crash, it is one.
        request = Request(id=f"{run}-undo-{self.attempt}", run=run, kind="undo")
        try:
            await self._runs.request(request)
        except RequestRefusedError as exc:
            log.info("child.unasked", run=run, kind="undo", error=exc.message)
        result = await self._runs.ended(run)
        if result.state is RunState.UNDONE:
            return self._end("succeeded", result)
        why = "; ".join(problem.message for problem in result.problems) or str(result.state)
        words = f"Run {run} could not be undone: {why}"
        return self._end("failed", result, Failure(error_class="fatal", message=words))

    def _end(
        self, outcome: Outcome, result: Result | None = None, error: Failure | None = None
    ) -> End:
        return End(
            step=self.step,
            attempt=self.attempt,
            undo=self.undo,
            tool=self.tool,
            outcome=outcome,
            output=result.output if result and not error else None,
            error=error,
            cost=result.cost.minus(self._charged) if result else NOTHING,
            kept=result.kept if result else NOTHING,
        )


def _cancelled(*, nothing: bool) -> Failure:
    message = "Cancelled while it was running."
    return Failure(error_class="cancelled", message=message, nothing_happened=nothing)
