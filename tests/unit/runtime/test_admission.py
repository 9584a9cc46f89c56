from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from typing_extensions import override

from callsheet.core.entries import Failure
from callsheet.core.ids import StepKey
from callsheet.core.toolspec import Breaker, Limit, ToolSpec
from callsheet.runtime.admission import Admission
from callsheet.runtime.attempt import End
from callsheet.testing import SimulatedClock, simulated
from callsheet.tools.registry import Registry

if TYPE_CHECKING:
    from callsheet.errors import ErrorClass

BREAKER_FAILURES = 5
BREAKER_SECONDS = 10.0


class Tools(Registry):
    """A toolbox of which only the declarations matter."""

    def __init__(self, *specs: ToolSpec) -> None:
        super().__init__()
        self.specs = {spec.name: spec for spec in specs}

    @override
    def spec(self, name: str) -> ToolSpec | None:
        return self.specs.get(name)


class Doorbell:
    """Counts how often somebody who was turned away is told to ask again."""

    def __init__(self) -> None:
        self.rings = 0

    def __call__(self) -> None:
        self.rings += 1


def admission(limit: Limit | None = None, breaker: Breaker | None = None) -> Admission:
    return Admission(SimulatedClock(), Tools(ToolSpec(name="t", limit=limit, breaker=breaker)))


def end(error: ErrorClass | None = None) -> End:
    failure = Failure(error_class=error, message="x") if error else None
    outcome: Any = "failed" if error else "succeeded"
    return End(step=StepKey("s"), attempt=1, undo=False, tool="t", outcome=outcome, error=failure)


async def pass_time(seconds: float) -> None:
    await SimulatedClock().sleep(seconds)


def break_it(gate: Admission) -> None:
    for _ in range(BREAKER_FAILURES):
        assert gate.admit("t", Doorbell()) is None
        gate.ended(end("transient"))


@simulated
async def test_a_tool_without_limits_is_always_admitted() -> None:
    gate = admission()
    assert all(gate.admit("t", Doorbell()) is None for _ in range(1000))
    assert gate.admit("nobody knows it", Doorbell()) is None


@simulated
async def test_at_most_so_many_at_once_and_who_waits_is_told_when_one_ends() -> None:
    gate, bell = admission(Limit(at_once=2)), Doorbell()
    assert gate.admit("t", bell) is None
    assert gate.admit("t", bell) is None
    delay = gate.admit("t", bell)
    assert delay is not None
    assert (delay.until, delay.told) == (None, False)
    assert "2 calls at once" in delay.reason
    gate.ended(end())
    assert bell.rings == 1
    assert gate.admit("t", bell) is None


@simulated
async def test_a_place_that_is_given_back_or_dropped_is_free_again() -> None:
    gate, bell = admission(Limit(at_once=1)), Doorbell()
    for give_back in (gate.withdraw, gate.dropped):
        assert gate.admit("t", bell) is None
        assert gate.admit("t", bell) is not None
        give_back("t")
        assert gate.admit("t", bell) is None
        gate.ended(end())


@simulated
async def test_a_rate_is_a_window_that_moves() -> None:
    gate, bell = admission(Limit(rate=2, per=10)), Doorbell()
    assert gate.admit("t", bell) is None
    await pass_time(4)
    assert gate.admit("t", bell) is None
    delay = gate.admit("t", bell)
    assert delay is not None
    assert delay.until is not None
    await pass_time(5.9)
    assert bell.rings == 0
    await pass_time(0.2)
    assert bell.rings == 1
    assert gate.admit("t", bell) is None, "the first is out of the window"
    assert gate.admit("t", bell) is not None, "the second is not"


@simulated
async def test_a_call_that_is_not_made_after_all_does_not_count_for_the_rate() -> None:
    gate = admission(Limit(rate=1, per=10))
    assert gate.admit("t", Doorbell()) is None
    gate.withdraw("t")
    assert gate.admit("t", Doorbell()) is None


@pytest.mark.parametrize("error", ["transient", "timeout"])
@pytest.mark.requirement("retry:breaker-opens-and-says-so")
@simulated
async def test_a_breaker_opens_after_failures_in_a_row(error: Any) -> None:
    gate, bell = admission(), Doorbell()
    for _ in range(BREAKER_FAILURES - 1):
        gate.admit("t", bell)
        gate.ended(end(error))
    assert gate.admit("t", bell) is None
    gate.ended(end(error))
    delay = gate.admit("t", bell)
    assert delay is not None
    assert delay.told
    assert "breaker of t" in delay.reason
    await pass_time(BREAKER_SECONDS)
    assert bell.rings == 1


@simulated
async def test_a_success_in_between_keeps_it_closed() -> None:
    gate = admission()
    for _ in range(BREAKER_FAILURES):
        gate.admit("t", Doorbell())
        gate.ended(end("transient"))
        gate.admit("t", Doorbell())
        gate.ended(end())
    assert gate.admit("t", Doorbell()) is None


@pytest.mark.parametrize("error", ["invalid", "denied", "fatal", "rate_limited", "cancelled"])
@simulated
async def test_what_is_no_outage_does_not_open_it(error: Any) -> None:
    gate = admission()
    for _ in range(BREAKER_FAILURES * 3):
        assert gate.admit("t", Doorbell()) is None
        gate.ended(end(error))


@simulated
async def test_after_a_while_one_call_probes_and_the_others_wait_for_it() -> None:
    gate, bell = admission(), Doorbell()
    break_it(gate)
    await pass_time(BREAKER_SECONDS)
    assert gate.admit("t", bell) is None
    delay = gate.admit("t", bell)
    assert delay is not None
    assert delay.until is None
    gate.ended(end("transient"))
    assert bell.rings == 1
    assert gate.admit("t", bell) is not None, "open again"
    await pass_time(BREAKER_SECONDS)
    assert gate.admit("t", bell) is None
    gate.ended(end())
    assert gate.admit("t", bell) is None
    assert gate.admit("t", bell) is None


@pytest.mark.parametrize("way", ["withdraw", "dropped"])
@simulated
async def test_a_probe_that_is_never_made_leaves_room_for_the_next(way: str) -> None:
    gate, bell = admission(), Doorbell()
    break_it(gate)
    await pass_time(BREAKER_SECONDS)
    assert gate.admit("t", bell) is None
    getattr(gate, way)("t")
    assert gate.admit("t", bell) is None


@simulated
async def test_a_probe_that_the_rate_holds_back_is_not_one() -> None:
    gate, bell = admission(Limit(rate=BREAKER_FAILURES, per=60)), Doorbell()
    break_it(gate)
    await pass_time(BREAKER_SECONDS)
    delay = gate.admit("t", bell)
    assert delay is not None
    assert "per 60 s" in delay.reason
    await pass_time(60)
    assert bell.rings == 1
    assert gate.admit("t", bell) is None


@simulated
async def test_tools_have_gates_of_their_own() -> None:
    gate = Admission(
        SimulatedClock(),
        Tools(ToolSpec(name="t", limit=Limit(at_once=1)), ToolSpec(name="u")),
    )
    break_it(gate)
    assert gate.admit("t", Doorbell()) is not None
    assert gate.admit("u", Doorbell()) is None


@pytest.mark.requirement("E8")
@simulated
async def test_a_tool_may_have_a_breaker_of_its_own() -> None:
    gate, bell = admission(breaker=Breaker(failures=2, seconds=60)), Doorbell()
    for _ in range(2):
        assert gate.admit("t", bell) is None
        gate.ended(end("timeout"))
    await pass_time(59)
    delay = gate.admit("t", bell)
    assert delay is not None
    assert "open after 2 failures" in delay.reason
    await pass_time(1)
    assert bell.rings == 1
    assert gate.admit("t", bell) is None


@pytest.mark.requirement("E8")
@simulated
async def test_a_tool_may_have_no_breaker() -> None:
    gate = admission(breaker=Breaker(failures=None))
    for _ in range(BREAKER_FAILURES * 3):
        assert gate.admit("t", Doorbell()) is None
        gate.ended(end("transient"))
    assert gate.admit("t", Doorbell()) is None
