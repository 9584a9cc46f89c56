from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from callsheet.core.ids import RunId, StepKey, idempotency_key
from callsheet.core.past.outputs import Outputs
from callsheet.core.plan.plan import Cost
from callsheet.core.run.snapshot import Snapshot
from callsheet.errors import InputError, RequestRefusedError
from callsheet.runtime.context import GRACE, CallContext
from callsheet.stores.artifacts.memory import MemoryArtifacts
from callsheet.testing import SimulatedClock, simulated

if TYPE_CHECKING:
    from callsheet.errors import CallsheetError
    from callsheet.ports import ArtifactStore, Clock
    from callsheet.runtime.growth import Growth


class Listener:
    """Writes down what a context says."""

    growth: Growth

    def __init__(self) -> None:
        self.clock: Clock = SimulatedClock()
        self.artifacts: ArtifactStore = MemoryArtifacts(self.clock.now)
        self.heard: list[Any] = []
        self.outputs = Outputs(Snapshot())

    async def save_checkpoint(self, step: str, attempt: int, data: Any) -> None:
        self.heard.append(("checkpoint", step, attempt, data))

    def say_progress(self, step: str, fraction: float | None, message: str) -> None:
        self.heard.append(("progress", step, fraction, message))

    def interrupt(self, step: str, error: CallsheetError) -> None:
        self.heard.append(("interrupt", step, error.code))


def a_context(listener: Listener | None = None) -> CallContext:
    return CallContext(
        listener or Listener(), RunId("r"), StepKey("s[1]"), 2, undo=False, saved={"job": 7}
    )


def test_it_tells_which_call_it_is_and_what_was_saved() -> None:
    ctx = a_context()
    assert (ctx.run, ctx.step, ctx.attempt) == ("r", "s[1]", 2)
    assert ctx.key == idempotency_key(RunId("r"), StepKey("s[1]"))
    assert ctx.saved == {"job": 7}
    assert (ctx.grace, ctx.cancelled) == (GRACE, False)


@simulated
async def test_what_a_tool_says_is_passed_on_with_its_step() -> None:
    listener = Listener()
    ctx = a_context(listener)
    ctx.progress(0.5, "half")
    ctx.progress(message="more")
    await ctx.checkpoint({"job": 8})
    assert listener.heard == [
        ("progress", "s[1]", 0.5, "half"),
        ("progress", "s[1]", None, "more"),
        ("checkpoint", "s[1]", 2, {"job": 8}),
    ]


@simulated
async def test_a_call_that_is_over_saves_nothing_more() -> None:
    listener = Listener()
    ctx = a_context(listener)
    ctx.over = True
    with pytest.raises(RequestRefusedError, match="Attempt 2"):
        await ctx.checkpoint({"job": 8})
    assert not listener.heard


@simulated
async def test_it_waits_on_the_engine_s_clock() -> None:
    before = SimulatedClock().now()
    await a_context().sleep(3600 / 4)
    assert (SimulatedClock().now() - before).total_seconds() == 900


def test_charges_add_up_and_are_amounts_as_they_will_be_read_back() -> None:
    ctx = a_context()
    assert ctx.cost is None
    ctx.charge()
    assert ctx.cost == Cost(), "it said that it cost nothing, which is not the same"
    ctx.charge(usd=1, tokens=3)
    ctx.charge(usd=0.1, credits=2, tokens=4)
    assert ctx.cost == Cost(usd=1.1, credits=2.0, tokens=7)
    cost: Any = ctx.cost
    assert [type(cost.usd), type(cost.credits), type(cost.tokens)] == [
        float,
        float,
        int,
    ]


@pytest.mark.parametrize("amount", [-1, float("nan"), float("inf"), -0.5])
def test_a_charge_that_is_no_amount_is_refused(amount: float) -> None:
    ctx = a_context()
    with pytest.raises(InputError, match="finite number, not negative"):
        ctx.charge(usd=amount)
    with pytest.raises(InputError, match="finite number, not negative"):
        ctx.charge(credits=amount)
    assert ctx.cost is None


def test_its_log_says_which_call_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    a_context().log.info("rendering", frame=12)
    said = "".join(capsys.readouterr())
    for word in ("rendering", "frame", "12", "s[1]", "attempt"):
        assert word in said
