"""Whether a call may be made right now: tool limits, rates and breakers, over all runs.

Admission may only delay. Who is let through has a slot and gives it back, once; who is turned away
holds nothing while waiting, and is nudged when it makes sense to ask again.
"""

from __future__ import annotations

from collections import deque
from datetime import timedelta
from typing import TYPE_CHECKING

import msgspec

from callsheet.core.plan.toolspec import Breaker
from callsheet.runtime.log import log

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from callsheet.core.plan.toolspec import Limit
    from callsheet.core.run.outcome import End
    from callsheet.ports import Clock, Toolbox

USUAL_BREAKER = Breaker()
_OUTAGE = frozenset({"transient", "timeout"})


class Delay(msgspec.Struct, frozen=True, kw_only=True):
    """Not now."""

    reason: str
    until: datetime | None
    """None: when a call of the same tool ends."""
    told: bool
    """Long enough that it belongs into the journal."""


class Applicant(msgspec.Struct, frozen=True, eq=False):
    """Who asks: a run."""

    tenant: str
    """Whose run it is."""
    nudge: Callable[[], None]
    """Has it ask again."""


class Slot:
    """The place of one call that was let through. Whoever has it gives it back, in one way."""

    __slots__ = ("_admission", "_gate", "tool")

    def __init__(self, admission: Admission, gate: _Gate, tool: str) -> None:
        self._admission = admission
        self._gate = gate
        self.tool = tool

    def withdraw(self) -> None:
        """The call is not made after all: it does not count for a rate, either."""
        if self._gate.starts:
            self._gate.starts.pop()
        self.drop()

    def drop(self) -> None:
        """The call's run is no longer driven here: nobody will say how the call ended."""
        self._admission.free(self._gate)

    def end(self, end: End) -> None:
        """The call has ended; its outcome may open or close the breaker."""
        self._admission.learn(self.tool, self._gate, end)
        self._admission.free(self._gate)


class _Gate:
    """One tool's state."""

    __slots__ = (
        "breaker",
        "closed_until",
        "failures",
        "limit",
        "probing",
        "running",
        "starts",
        "waiters",
    )

    def __init__(self, limit: Limit | None, breaker: Breaker | None) -> None:
        self.limit = limit
        self.breaker = breaker or USUAL_BREAKER
        self.running = 0
        self.starts: deque[datetime] = deque()
        """When the calls within the rate's window began."""
        self.failures = 0
        self.closed_until: datetime | None = None
        self.probing = False
        self.waiters: dict[Applicant, None] = {}


class Admission:
    """The gates of all tools."""

    def __init__(self, clock: Clock, toolbox: Toolbox) -> None:
        self._clock = clock
        self._toolbox = toolbox
        self._gates: dict[str, _Gate] = {}

    def admit(self, tool: str, applicant: Applicant) -> Slot | Delay:
        """Let a call through and count it, or say why not and nudge later."""
        gate = self._gate(tool)
        delay = self._delay(tool, gate) if gate.limit or gate.closed_until else None
        if delay is None:
            gate.running += 1
            # The first to be let through while the breaker is open; the others wait for it.
            gate.probing = gate.closed_until is not None
            return Slot(self, gate, tool)
        gate.waiters[applicant] = None
        if delay.until:
            seconds = (delay.until - self._clock.now()).total_seconds()
            self._clock.call_later(seconds, lambda: self._wake(gate))
        return delay

    def free(self, gate: _Gate) -> None:
        """A call is over."""
        gate.running -= 1
        gate.probing = False
        if gate.waiters:
            self._wake(gate)

    def learn(self, tool: str, gate: _Gate, end: End) -> None:
        """Make something of how a call has ended."""
        if end.error and end.error.error_class in _OUTAGE:
            self._count_failure(tool, gate)
        elif end.outcome == "succeeded":
            gate.failures = 0
            gate.closed_until = None

    def open_breakers(self) -> list[str]:
        """The tools whose breaker is open."""
        now = self._clock.now()
        gates = list(self._gates.items())
        return [tool for tool, gate in gates if gate.closed_until and now < gate.closed_until]

    def _gate(self, tool: str) -> _Gate:
        gate = self._gates.get(tool)
        if gate is None:
            spec = self._toolbox.spec(tool)
            known = (spec.limit, spec.breaker) if spec else (None, None)
            gate = self._gates[tool] = _Gate(*known)
        return gate

    def _delay(self, tool: str, gate: _Gate) -> Delay | None:
        opens = gate.closed_until
        if opens is not None and (gate.probing or self._clock.now() < opens):
            reason = f"The breaker of {tool} is open after {gate.failures} failures in a row."
            return Delay(reason=reason, until=None if gate.probing else opens, told=True)
        limit = gate.limit
        if limit and limit.at_once and gate.running >= limit.at_once:
            reason = f"{tool} is limited to {limit.at_once} calls at once."
            return Delay(reason=reason, until=None, told=False)
        return _over_rate(tool, gate, self._clock.now()) if limit and limit.rate else None

    def _count_failure(self, tool: str, gate: _Gate) -> None:
        gate.failures += 1
        breaker = gate.breaker
        if breaker.failures is not None and gate.failures >= breaker.failures:
            gate.closed_until = self._clock.now() + timedelta(seconds=breaker.seconds)
            log.warning("breaker.opened", tool=tool, failures=gate.failures)

    def _wake(self, gate: _Gate) -> None:
        waiters, gate.waiters = gate.waiters, {}
        for applicant in waiters:
            applicant.nudge()


def _over_rate(tool: str, gate: _Gate, now: datetime) -> Delay | None:
    limit = gate.limit
    if limit is None or limit.rate is None:
        return None
    window = timedelta(seconds=limit.per)
    while gate.starts and gate.starts[0] <= now - window:
        gate.starts.popleft()
    if len(gate.starts) < limit.rate:
        gate.starts.append(now)
        return None
    reason = f"{tool} is limited to {limit.rate} calls per {limit.per:g} s."
    return Delay(reason=reason, until=gate.starts[0] + window, told=False)
