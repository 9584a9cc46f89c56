"""One call of a tool: made, timed, told to stop, and its end put into words.

Whatever the tool does (return, raise, exit, hang, ignore that it is told to stop), exactly one end
is reported. This is the only place that looks at a tool's exceptions.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Literal

from msgspec import structs

from callsheet.core.run.entries import Failure, Outcome
from callsheet.core.run.outcome import End
from callsheet.core.run.start import TENANT
from callsheet.errors import AbandonedError
from callsheet.runtime import alive, crash
from callsheet.runtime.failure import failure_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from callsheet.core.value import Json
    from callsheet.ports import Clock, Timer, Toolbox
    from callsheet.runtime.children import Children
    from callsheet.runtime.context import CallContext

DEFAULT_TIMEOUT = 600.0
SLACK = 2.0
"""Beyond the grace, for a toolbox that kills a process at the end of it."""
UNBEGUN = Failure(
    error_class="transient",
    message="The engine was closed before it had begun.",
    nothing_happened=True,
)
UNDONE_ITSELF = Failure(
    error_class="transient",
    message="The engine was closed, and it says that nothing was done.",
    nothing_happened=True,
)
WITHDRAWN = Failure(
    error_class="cancelled", message="Cancelled before it had begun.", nothing_happened=True
)


_Told = Literal["", "cancel", "timeout", "within", "close"]


class Attempt:
    """A call that is going on."""

    __slots__ = (
        "_clock",
        "_ctx",
        "_ended",
        "_entered",
        "_group",
        "_report",
        "_task",
        "_timer",
        "_told",
        "_within",
        "args",
        "attempt",
        "step",
        "timeout",
        "tool",
        "undo",
        "writes",
    )

    def __init__(  # noqa: PLR0913 -- these are what a call consists of; grouping them helps nobody
        self,
        ctx: CallContext,
        tool: str,
        args: dict[str, Json],
        *,
        undo: bool,
        writes: bool,
        timeout: float | None,
        clock: Clock,
        report: Callable[[End], None],
    ) -> None:
        self.step = ctx.step
        self.attempt = ctx.attempt
        self.tool = tool
        self.args = args
        self.undo = undo
        self.writes = writes
        self.timeout = timeout or DEFAULT_TIMEOUT
        self._ctx = ctx
        self._clock = clock
        self._report = report
        self._told: _Told = ""
        self._within = 0.0
        """The seconds that its step had as a whole, if it is told because these are over."""
        self._entered = False
        """The tool may have been called."""
        self._group: Children | None = None
        self._task: asyncio.Task[None] | None = None
        self._timer: Timer | None = None
        self._ended = False

    @property
    def pins(self) -> frozenset[str]:
        """Artifacts that are not to be collected while it goes on."""
        return self._ctx.pins

    @property
    def name(self) -> str:
        """What its task is called."""
        return f"{self._ctx.run}/{self.step}#{self.attempt}"

    def begin(self, group: Children, toolbox: Toolbox) -> None:
        """Make the call, as a child of the group; unless it was withdrawn meanwhile."""
        if self._ended:
            return
        self._group = group
        self._task = group.create_task(self._call(toolbox), name=self.name)
        self._timer = self._clock.call_later(self.timeout, self._expire)

    def tell(self, *, within: float | None = None) -> None:
        """Tell the tool to stop; it has the grace, then it is abandoned. An undo is not told.

        `within`: because its step has had so many seconds as a whole, and not because of a person.
        """
        if self._told or self._ended or self.undo:
            return
        if within is not None:
            self._within = within
        if self._entered:
            self._stop("cancel" if within is None else "within")
        elif within is None:
            self._withdraw("cancelled", WITHDRAWN)
        else:
            self._withdraw("failed", out_of_time(within, nothing=True))

    def withdraw(self) -> None:
        """The engine closes: do not make the call, unless it goes on already."""
        if not self._entered and not self._ended:
            self._withdraw("lost", UNBEGUN)

    def tell_of_closing(self, seconds: float) -> None:
        """Tell the tool that the engine closes; it has so many seconds. An undo is told, too."""
        if not self._told and not self._ended:
            self._ctx.grace = min(self._ctx.grace, seconds)
            self._stop("close")

    def _withdraw(self, outcome: Outcome, error: Failure) -> None:
        # A task that is cancelled before its first line never comes to it.
        if self._task:
            self._task.cancel()
        self._end(outcome, error)

    def drop(self) -> None:
        """The run is no longer driven here: stop the call and report nothing."""
        self._ended = self._ctx.over = True
        self._ctx.release()
        if self._timer:
            self._timer.cancel()
        if self._task:
            self._task.cancel()

    def leave(self) -> None:
        """It was told and does not end: nobody waits for it any longer."""
        if self._group and self._task:
            self._group.leave(self._task)

    def _expire(self) -> None:
        if not self._told and not self._ended:
            self._stop("timeout")

    def _stop(self, why: Literal["cancel", "timeout", "within", "close"]) -> None:
        self._told = why
        self._ctx.cancelled = True
        if self._timer:
            self._timer.cancel()
        if why != "close":  # whoever closes the engine knows how long that may take
            self._timer = self._clock.call_later(self._ctx.grace + SLACK, self._abandon)
        if self._task:
            self._task.cancel()

    def _abandon(self) -> None:
        self.leave()
        self._end(*self._stopped(None), abandoned=True)

    async def _call(self, toolbox: Toolbox) -> None:
        kind = "undo" if self.undo else "call"
        self._entered = True
        if self.writes:
            alive.enter(self._who)
        try:
            crash.reach(kind + ".before")
            output = await toolbox.call(self.tool, self.args, self._ctx)
            crash.reach(kind + ".after")
            if self._ctx.tenant != TENANT:
                await self._ctx.vouch(output, self.args)
        except asyncio.CancelledError as exc:
            self._note_left(exc)
            if not self._told and self._is_closing:
                raise  # the engine is closing: the journal says that the attempt had begun
            self._raised(exc)
        except BaseException as exc:  # noqa: BLE001 -- a tool's SystemExit must not end the engine
            self._note_left(exc)
            self._raised(exc)
        else:
            self._returned(output)
        finally:
            if self.writes:
                alive.leave(self._who)

    def _returned(self, output: Json) -> None:
        self._ctx.conclude()
        if self._ctx.spoiled is None:
            self._end("succeeded", None, output=output)
        else:
            self._raised(self._ctx.spoiled)

    def _note_left(self, exc: BaseException) -> None:
        """Whatever the call has left behind keeps the next one of its step waiting."""
        has_ended = getattr(exc, "has_ended", None)
        if self.writes and has_ended is not None:
            alive.leave_behind(self._who, has_ended)

    @property
    def _is_closing(self) -> bool:
        """Whether it is stopped because nobody drives the run here any more.

        A task may be cancelled by anybody: by the tool itself, or by a scope inside it.
        """
        return self._ended or self._group is None or self._group.closing

    @property
    def _who(self) -> alive.Name:
        return self._ctx.run, self.step, self.undo

    def _raised(self, exc: BaseException) -> None:
        if not self._told and self._is_closing:
            return  # the engine is closing, and the toolbox has its own words for it
        if self._told:
            self._end(*self._stopped(exc), abandoned=isinstance(exc, AbandonedError))
        elif isinstance(exc, asyncio.CancelledError):
            self._end("failed", own_cancel(self.tool))
        else:
            self._end("failed", self._failure_of(exc))

    def _failure_of(self, exc: BaseException) -> Failure:
        if self._ctx.spoiled is None:
            return failure_of(exc)
        # Whatever the tool has made of it, and has done before.
        return structs.replace(failure_of(self._ctx.spoiled), nothing_happened=False)

    def _stopped(self, exc: BaseException | None) -> tuple[Outcome, Failure | None]:
        """The end of a call that was told to stop: what it raised then says little."""
        nothing = exc is not None and failure_of(exc).nothing_happened
        if self._told == "close":
            # It has not failed, and was not cancelled: it goes on when the engine is reopened.
            return "lost", UNDONE_ITSELF if nothing else None
        if self._told == "timeout":
            message = f"{self.tool} took longer than {self.timeout:g} s."
            return "failed", Failure(
                error_class="timeout", message=message, nothing_happened=nothing
            )
        if self._told == "within":
            return "failed", out_of_time(self._within, nothing=nothing)
        message = "Cancelled while it was running."
        return "cancelled", Failure(
            error_class="cancelled", message=message, nothing_happened=nothing
        )

    def _end(
        self,
        outcome: Outcome,
        error: Failure | None,
        *,
        output: Json = None,
        abandoned: bool = False,
    ) -> None:
        if self._ended:
            return
        self._ctx.conclude()
        self._ended = self._ctx.over = True
        if self._timer:
            self._timer.cancel()
        self._ctx.release()
        self._report(
            End(
                step=self.step,
                attempt=self.attempt,
                undo=self.undo,
                tool=self.tool,
                outcome=outcome,
                output=output,
                error=error,
                cost=self._ctx.cost,
                abandoned=abandoned,
            )
        )


def out_of_time(within: float, *, nothing: bool) -> Failure:
    """The end of a call whose step has had its time as a whole."""
    message = f"It was not done within {within:g} s."
    return Failure(error_class="timeout", message=message, nothing_happened=nothing)


def own_cancel(tool: str) -> Failure:
    """A tool that cancelled itself: nobody asked it to."""
    return Failure(error_class="fatal", message=f"{tool} cancelled itself.", type="CancelledError")
