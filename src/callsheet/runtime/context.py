"""What a tool is told, and what it may say, while it works."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Protocol

from callsheet.core.plan import Cost
from callsheet.errors import RequestRefusedError
from callsheet.runtime.log import LazyLog

if TYPE_CHECKING:
    from callsheet.core.ids import RunId, StepKey
    from callsheet.core.value import Json
    from callsheet.ports import Clock, Log

GRACE = 10.0


class Listener(Protocol):
    """Who a context speaks to: the loop of its run."""

    clock: Clock

    async def save_checkpoint(self, step: StepKey, attempt: int, data: Json) -> None:
        """Journal it; returns when it is durable."""
        ...

    def say_progress(self, step: StepKey, fraction: float | None, message: str) -> None:
        """Pass it on to watchers."""
        ...


class CallContext:
    """The context of one call; implements `ports.Context`."""

    __slots__ = (
        "_listener",
        "attempt",
        "cancelled",
        "cost",
        "grace",
        "key",
        "over",
        "run",
        "saved",
        "step",
    )

    def __init__(
        self, listener: Listener, run: RunId, step: StepKey, attempt: int, *, key: str, saved: Json
    ) -> None:
        self._listener = listener
        self.run = run
        self.step = step
        self.attempt = attempt
        self.key = key
        self.saved = saved
        self.grace = GRACE
        self.cancelled = False
        self.over = False
        """It has an end in the journal; a tool that was left behind does not know of it."""
        self.cost: Cost | None = None

    @property
    def log(self) -> Log:
        """A logger that says which call it is."""
        return LazyLog(run=self.run, step=self.step, attempt=self.attempt)

    def progress(self, fraction: float | None = None, message: str = "") -> None:
        """Say how far it is."""
        self._listener.say_progress(self.step, fraction, message)

    async def checkpoint(self, data: Json) -> None:
        """Journal something that the next attempt must have.

        Raises:
            RequestRefusedError: this attempt is over; perhaps there is already another one.
        """
        if self.over:
            raise RequestRefusedError(f"Attempt {self.attempt} of step {self.step!r} is over.")
        await self._listener.save_checkpoint(self.step, self.attempt, data)

    def charge(self, *, usd: float = 0.0, credits: float = 0.0, tokens: int = 0) -> None:
        """Say what the call has cost."""
        spent = Cost(usd=_amount(usd), credits=_amount(credits), tokens=int(_amount(tokens)))
        self.cost = self.cost.plus(spent) if self.cost else spent

    async def sleep(self, seconds: float) -> None:
        """Wait on the engine's clock."""
        await self._listener.clock.sleep(seconds)


def _amount(number: float) -> float:
    amount = float(number)
    if not (math.isfinite(amount) and amount >= 0):
        raise ValueError(f"A charge is a finite number, not negative; this one is {number!r}.")
    return amount
