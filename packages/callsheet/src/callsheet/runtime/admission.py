"""Whether a call may be made right now: tool limits, rates and breakers, over all runs.

Admission may only delay. Who is let through has a slot and gives it back, once; who is turned away
holds nothing while waiting, and is nudged when it makes sense to ask again: as many runs as there
are free places, in the order they came. A run that was nudged and does not ask passes its turn on,
so what is asked does not grow with the number of those who wait.
"""

from __future__ import annotations

import math
from collections import OrderedDict, deque
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
    from callsheet.ports import Clock, Timer, Toolbox

USUAL_BREAKER = Breaker()
_ALL = ""
"""All tenants; none is called so."""
_OUTAGE = frozenset({"transient", "timeout"})


class Delay(msgspec.Struct, frozen=True, kw_only=True):
    """Not now."""

    reason: str
    until: datetime | None
    """None: when a call of the same tool ends."""
    told: bool
    """Long enough that it belongs into the journal."""


class Applicant:
    """Who asks: a run."""

    __slots__ = ("nudge", "offers", "tenant")

    def __init__(self, tenant: str, nudge: Callable[[], None]) -> None:
        """`tenant` is whose run it is; `nudge` has it ask again."""
        self.tenant = tenant
        self.nudge = nudge
        self.offers: list[_Gate] = []
        """Where there is a place for it, if it asks in its next turn."""


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
        "offered",
        "probing",
        "running",
        "starts",
        "timer",
        "timer_at",
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
        self.waiters: OrderedDict[Applicant, None] = OrderedDict()
        self.offered = 0
        """Places that runs were told of, and have neither taken nor passed on."""
        self.timer: Timer | None = None
        """When there is a place again, if anybody waits for that."""
        self.timer_at: datetime | None = None


class Admission:
    """The gates of all tools."""

    def __init__(self, clock: Clock, toolbox: Toolbox) -> None:
        self._clock = clock
        self._toolbox = toolbox
        self._gates: dict[tuple[str, str], _Gate] = {}
        """By tool and tenant. What a tool's limit counts, it counts over all of them: there they
        have one gate together. Otherwise one's failures are nobody else's: a tenant that calls
        hosts which are not there would stop the calls of all."""

    def admit(self, tool: str, applicant: Applicant) -> Slot | Delay:
        """Let a call through and count it, or say why not and nudge later."""
        gate = self._gates.get((tool, applicant.tenant)) or self._gate(tool, applicant.tenant)
        was_offered = bool(applicant.offers) and self._take_back(gate, applicant)
        delay = self._delay(tool, gate) if gate.limit or gate.closed_until else None
        if delay is None:
            gate.running += 1
            # The first to be let through while the breaker is open; the others wait for it.
            gate.probing = gate.closed_until is not None
            if gate.waiters:
                self._offer(gate)
            return Slot(self, gate, tool)
        gate.waiters[applicant] = None
        if was_offered:
            gate.waiters.move_to_end(applicant, last=False)  # somebody was quicker
        self._offer(gate)
        return delay

    def pass_on(self, applicant: Applicant) -> None:
        """A run has had its turn: what it was offered and has not asked for is for others."""
        while applicant.offers:
            gate = applicant.offers.pop()
            gate.offered -= 1
            self._offer(gate)

    def leave(self, applicant: Applicant) -> None:
        """A run asks no more."""
        for gate in self._gates.values():
            gate.waiters.pop(applicant, None)
        self.pass_on(applicant)

    def free(self, gate: _Gate) -> None:
        """A call is over."""
        gate.running -= 1
        gate.probing = False
        if gate.waiters:
            self._offer(gate)

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
        found = [tool for (tool, _), gate in gates if gate.closed_until and now < gate.closed_until]
        return list(dict.fromkeys(found))

    def _gate(self, tool: str, tenant: str) -> _Gate:
        """A gate that nobody has come to yet."""
        spec = self._toolbox.spec(tool)
        limit, breaker = (spec.limit, spec.breaker) if spec else (None, None)
        shared = self._gates.get((tool, _ALL)) if limit else None
        gate = shared or _Gate(limit, breaker)
        if limit:
            self._gates[tool, _ALL] = gate
        self._gates[tool, tenant] = gate
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

    def _offer(self, gate: _Gate) -> None:
        """Nudge as many as there are places for; if others wait, look again in time."""
        if not gate.waiters:
            return
        places = self._places(gate) - gate.offered
        while gate.waiters and places > 0:
            applicant, _ = gate.waiters.popitem(last=False)
            gate.offered += 1
            places -= 1
            applicant.offers.append(gate)
            applicant.nudge()
        if gate.waiters:
            self._look_again(gate)

    def _take_back(self, gate: _Gate, applicant: Applicant) -> bool:
        if gate not in applicant.offers:
            return False
        applicant.offers.remove(gate)
        gate.offered -= 1
        return True

    def _places(self, gate: _Gate) -> float:
        """How many calls would be let through now."""
        now, places = self._clock.now(), math.inf
        if gate.closed_until is not None:
            places = 0 if gate.probing or now < gate.closed_until else 1
        limit = gate.limit
        if limit and limit.at_once:
            places = min(places, limit.at_once - gate.running)
        if limit and limit.rate:
            _forget_old(gate, limit, now)
            places = min(places, limit.rate - len(gate.starts))
        return places

    def _look_again(self, gate: _Gate) -> None:
        """Look when time alone makes a place; one timer serves all who wait."""
        now = self._clock.now()
        at = _next_place(gate, now)
        if at is None or (gate.timer_at is not None and gate.timer_at <= at):
            return
        if gate.timer is not None:
            gate.timer.cancel()
        seconds = max(0.0, (at - now).total_seconds())
        gate.timer, gate.timer_at = self._clock.call_later(seconds, lambda: self._due(gate)), at

    def _due(self, gate: _Gate) -> None:
        gate.timer = gate.timer_at = None
        self._offer(gate)


def _next_place(gate: _Gate, now: datetime) -> datetime | None:
    """When there is a place without anybody's doing; None: a call must end first."""
    opens, limit = gate.closed_until, gate.limit
    times = [opens] if opens is not None and opens > now and not gate.probing else []
    if limit and limit.rate and len(gate.starts) >= limit.rate:
        times.append(gate.starts[0] + timedelta(seconds=limit.per))
    return max(times, default=None)


def _forget_old(gate: _Gate, limit: Limit, now: datetime) -> None:
    window = timedelta(seconds=limit.per)
    while gate.starts and gate.starts[0] <= now - window:
        gate.starts.popleft()


def _over_rate(tool: str, gate: _Gate, now: datetime) -> Delay | None:
    limit = gate.limit
    if limit is None or limit.rate is None:
        return None
    _forget_old(gate, limit, now)
    if len(gate.starts) < limit.rate:
        gate.starts.append(now)
        return None
    reason = f"{tool} is limited to {limit.rate} calls per {limit.per:g} s."
    return Delay(reason=reason, until=gate.starts[0] + timedelta(seconds=limit.per), told=False)
