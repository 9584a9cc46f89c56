from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from typing_extensions import override

from callsheet.core.ids import StepKey
from callsheet.core.plan.toolspec import Breaker, Limit, ToolSpec
from callsheet.core.run.entries import Failure
from callsheet.core.run.outcome import End
from callsheet.runtime.admission import Admission, Applicant, Delay, Slot
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
        self.known = {spec.name: spec for spec in specs}

    @override
    def spec(self, name: str) -> ToolSpec | None:
        return self.known.get(name)


class Doorbell:
    """Counts how often somebody who was turned away is told to ask again."""

    def __init__(self) -> None:
        self.rings = 0
        self.applicant = Applicant("default", self)

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


def let_in(gate: Admission, bell: Doorbell | None = None, tool: str = "t") -> Slot:
    slot = gate.admit(tool, (bell or Doorbell()).applicant)
    assert isinstance(slot, Slot)
    return slot


def turn_away(gate: Admission, bell: Doorbell | None = None) -> Delay:
    delay = gate.admit("t", (bell or Doorbell()).applicant)
    assert isinstance(delay, Delay)
    return delay


def break_it(gate: Admission) -> None:
    for _ in range(BREAKER_FAILURES):
        let_in(gate).end(end("transient"))


@simulated
async def test_a_tool_without_limits_is_always_admitted() -> None:
    gate = admission()
    for _ in range(1000):
        let_in(gate)
    let_in(gate, tool="nobody knows it")


@simulated
async def test_at_most_so_many_at_once_and_who_waits_is_told_when_one_ends() -> None:
    gate, bell = admission(Limit(at_once=2)), Doorbell()
    let_in(gate, bell)
    second = let_in(gate, bell)
    delay = turn_away(gate, bell)
    assert (delay.until, delay.told) == (None, False)
    assert "2 calls at once" in delay.reason
    second.end(end())
    assert bell.rings == 1
    let_in(gate, bell)


@pytest.mark.parametrize("give_back", [Slot.withdraw, Slot.drop])
@simulated
async def test_a_slot_that_is_given_back_is_free_again(give_back: Any) -> None:
    gate, bell = admission(Limit(at_once=1)), Doorbell()
    slot = let_in(gate, bell)
    turn_away(gate, bell)
    give_back(slot)
    assert bell.rings == 1
    let_in(gate, bell)
    turn_away(gate, bell)


@simulated
async def test_a_rate_is_a_window_that_moves() -> None:
    gate, bell = admission(Limit(rate=2, per=10)), Doorbell()
    let_in(gate, bell)
    await pass_time(4)
    let_in(gate, bell)
    assert turn_away(gate, bell).until is not None
    await pass_time(5.9)
    assert bell.rings == 0
    await pass_time(0.2)
    assert bell.rings == 1
    let_in(gate, bell)  # the first is out of the window
    turn_away(gate, bell)  # the second is not


@simulated
async def test_a_call_that_is_not_made_after_all_does_not_count_for_the_rate() -> None:
    gate = admission(Limit(rate=1, per=10))
    let_in(gate).withdraw()
    let_in(gate).drop()
    turn_away(gate)


@pytest.mark.parametrize("error", ["transient", "timeout"])
@pytest.mark.requirement("retry:breaker-opens-and-says-so")
@simulated
async def test_a_breaker_opens_after_failures_in_a_row(error: Any) -> None:
    gate, bell = admission(), Doorbell()
    for _ in range(BREAKER_FAILURES):
        let_in(gate, bell).end(end(error))
    delay = turn_away(gate, bell)
    assert delay.told
    assert "breaker of t" in delay.reason
    await pass_time(BREAKER_SECONDS)
    assert bell.rings == 1


@simulated
async def test_a_success_in_between_keeps_it_closed() -> None:
    gate = admission()
    for _ in range(BREAKER_FAILURES):
        let_in(gate).end(end("transient"))
        let_in(gate).end(end())
    let_in(gate)


@pytest.mark.parametrize("error", ["invalid", "denied", "fatal", "rate_limited", "cancelled"])
@simulated
async def test_what_is_no_outage_does_not_open_it(error: Any) -> None:
    gate = admission()
    for _ in range(BREAKER_FAILURES * 3):
        let_in(gate).end(end(error))


@simulated
async def test_after_a_while_one_call_probes_and_the_others_wait_for_it() -> None:
    gate, bell = admission(), Doorbell()
    break_it(gate)
    await pass_time(BREAKER_SECONDS)
    probe = let_in(gate, bell)
    assert turn_away(gate, bell).until is None
    probe.end(end("transient"))
    assert bell.rings == 0
    turn_away(gate, bell)  # open again
    await pass_time(BREAKER_SECONDS)
    assert bell.rings == 1
    let_in(gate, bell).end(end())
    let_in(gate, bell)
    let_in(gate, bell)


@pytest.mark.parametrize("give_back", [Slot.withdraw, Slot.drop])
@simulated
async def test_a_probe_that_is_never_made_leaves_room_for_the_next(give_back: Any) -> None:
    gate, bell = admission(), Doorbell()
    break_it(gate)
    await pass_time(BREAKER_SECONDS)
    give_back(let_in(gate, bell))
    let_in(gate, bell)


@simulated
async def test_a_probe_that_the_rate_holds_back_is_not_one() -> None:
    gate, bell = admission(Limit(rate=BREAKER_FAILURES, per=60)), Doorbell()
    break_it(gate)
    await pass_time(BREAKER_SECONDS)
    assert "per 60 s" in turn_away(gate, bell).reason
    await pass_time(60)
    assert bell.rings == 1
    let_in(gate, bell)


@simulated
async def test_tools_have_gates_of_their_own() -> None:
    gate = Admission(
        SimulatedClock(),
        Tools(ToolSpec(name="t", limit=Limit(at_once=1)), ToolSpec(name="u")),
    )
    break_it(gate)
    turn_away(gate)
    let_in(gate, tool="u")


@pytest.mark.requirement("E8")
@simulated
async def test_a_tool_may_have_a_breaker_of_its_own() -> None:
    gate, bell = admission(breaker=Breaker(failures=2, seconds=60)), Doorbell()
    for _ in range(2):
        let_in(gate, bell).end(end("timeout"))
    await pass_time(59)
    assert "open after 2 failures" in turn_away(gate, bell).reason
    await pass_time(1)
    assert bell.rings == 1
    let_in(gate, bell)


@pytest.mark.requirement("E8")
@simulated
async def test_a_tool_may_have_no_breaker() -> None:
    gate = admission(breaker=Breaker(failures=None))
    for _ in range(BREAKER_FAILURES * 3):
        let_in(gate).end(end("transient"))
    let_in(gate)


@pytest.mark.parametrize("waiting", [10, 200])
@pytest.mark.parametrize("limit", [Limit(rate=2, per=1), Limit(at_once=2)], ids=["rate", "at once"])
@pytest.mark.requirement("E4")
@simulated
async def test_what_is_asked_for_a_call_does_not_grow_with_those_who_wait(
    limit: Limit, waiting: int
) -> None:
    gate, questions, made = admission(limit), 0, 0
    bells = [Doorbell() for _ in range(waiting)]
    asked = [0] * waiting
    running: list[Slot] = []
    for bell in bells:
        slot = gate.admit("t", bell.applicant)
        questions += 1
        if isinstance(slot, Slot):
            running.append(slot)
            made += 1
    while made < waiting:
        await pass_time(0.25)
        for slot in running:
            slot.end(end())
        running.clear()
        for number, bell in enumerate(bells):
            if bell.rings > asked[number]:
                asked[number] = bell.rings
                questions += 1
                slot = gate.admit("t", bell.applicant)
                if isinstance(slot, Slot):
                    running.append(slot)
                    made += 1
                gate.pass_on(bell.applicant)
    assert questions <= 3 * waiting


@simulated
async def test_who_was_told_and_does_not_ask_passes_the_place_on() -> None:
    gate, first, second = admission(Limit(at_once=1)), Doorbell(), Doorbell()
    slot = let_in(gate)
    turn_away(gate, first)
    turn_away(gate, second)
    slot.end(end())
    assert (first.rings, second.rings) == (1, 0)
    gate.pass_on(first.applicant)
    assert (first.rings, second.rings) == (1, 1)
    let_in(gate, second)


@simulated
async def test_who_leaves_while_it_waits_is_not_told_and_the_next_one_is() -> None:
    gate, first, second = admission(Limit(rate=1, per=10)), Doorbell(), Doorbell()
    let_in(gate)
    turn_away(gate, first)
    turn_away(gate, second)
    gate.leave(first.applicant)
    await pass_time(10)
    assert (first.rings, second.rings) == (0, 1)


@simulated
async def test_who_was_told_and_comes_too_late_is_the_next() -> None:
    gate, first, second = admission(Limit(at_once=1)), Doorbell(), Doorbell()
    slot = let_in(gate)
    turn_away(gate, first)
    turn_away(gate, second)
    slot.end(end())
    quicker = let_in(gate)
    turn_away(gate, first)
    quicker.end(end())
    assert (first.rings, second.rings) == (2, 0)
