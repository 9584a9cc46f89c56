from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from typing_extensions import override

from callsheet.core.ids import RunId, StepKey
from callsheet.core.past.outputs import Outputs
from callsheet.core.run.entries import Failure
from callsheet.core.run.snapshot import Snapshot
from callsheet.errors import (
    AbandonedError,
    DeniedError,
    FatalError,
    InvalidError,
    NotDoneError,
    RateLimitedError,
    ToolError,
    ToolTimeoutError,
    TransientError,
)
from callsheet.runtime.attempt import SLACK, Attempt
from callsheet.runtime.children import Children
from callsheet.runtime.context import GRACE, CallContext
from callsheet.runtime.failure import LONGEST_WAIT, failure_of
from callsheet.stores.artifacts.memory import MemoryArtifacts
from callsheet.testing import (
    SimulatedClock,
    World,
    echo,
    hangs,
    ignores_stop,
    raises,
    returns,
    simulated,
    waits,
)
from callsheet.tools.registry import Registry

if TYPE_CHECKING:
    from callsheet import Context
    from callsheet.core.run.outcome import End
    from callsheet.errors import CallsheetError
    from callsheet.ports import ArtifactStore, Clock
    from callsheet.runtime.growth import Growth
    from callsheet.testing import Act, Call


class Run:
    """What a context speaks to; nobody listens here."""

    clock: Clock = SimulatedClock()
    artifacts: ArtifactStore = MemoryArtifacts(clock.now)
    growth: Growth
    outputs = Outputs(Snapshot())

    async def save_checkpoint(self, step: str, attempt: int, data: Any) -> None:
        """Nothing is kept."""

    def say_progress(self, step: str, fraction: float | None, message: str) -> None:
        """Nobody hears it."""

    def interrupt(self, step: str, error: CallsheetError) -> None:
        """Nobody drives it."""


class Stage:
    """One call of one scripted tool."""

    def __init__(self, act: Act, *, undo: bool = False, timeout: float | None = None) -> None:
        self.world = World()
        self.world.tool("t", act)
        self.ends: list[End] = []
        self.children = Children()
        self.ctx = CallContext(Run(), RunId("r"), StepKey("s"), 1, undo=False, saved=None)
        self.attempt = Attempt(
            self.ctx,
            "t",
            {"x": 1},
            undo=undo,
            writes=True,
            timeout=timeout,
            clock=SimulatedClock(),
            report=self.ends.append,
        )

    def begin(self) -> None:
        self.attempt.begin(self.children, Registry(self.world.tools))

    async def run(self, seconds: float = 0.1) -> None:
        self.begin()
        await pass_time(seconds)


async def pass_time(seconds: float) -> None:
    await SimulatedClock().sleep(seconds)


def outcome(stage: Stage) -> tuple[str, str]:
    (end,) = stage.ends
    return end.outcome, end.error.error_class if end.error else ""


@simulated
async def test_a_call_that_returns_has_succeeded() -> None:
    stage = Stage(echo)
    await stage.run()
    (end,) = stage.ends
    assert (end.step, end.attempt, end.tool, end.undo) == ("s", 1, "t", False)
    assert (end.outcome, end.output, end.error, end.abandoned) == (
        "succeeded",
        {"x": 1},
        None,
        False,
    )
    await pass_time(800)
    assert len(stage.ends) == 1, "its timeout is off"


@pytest.mark.parametrize(
    "error",
    [SystemExit(), KeyboardInterrupt(), GeneratorExit(), asyncio.CancelledError(), ValueError()],
    ids=lambda error: type(error).__name__,
)
@simulated
async def test_whatever_a_tool_raises_is_a_failure_of_its_own(error: BaseException) -> None:
    stage = Stage(raises(error))
    await stage.run()
    assert outcome(stage) == ("failed", "fatal")
    assert stage.ends[0].error is not None
    assert stage.ends[0].error.type == type(error).__name__


@simulated
async def test_a_tool_that_is_told_to_stop_ends_as_cancelled() -> None:
    stage = Stage(hangs())
    await stage.run()
    assert not stage.ctx.cancelled
    stage.attempt.tell()
    assert stage.ctx.cancelled
    await pass_time(0.1)
    assert outcome(stage) == ("cancelled", "cancelled")
    assert stage.world.calls[0].told
    stage.attempt.tell()
    await pass_time(100)
    assert len(stage.ends) == 1


@simulated
async def test_a_tool_that_is_told_may_still_succeed() -> None:
    async def saves(call: Any, ctx: Any) -> str:
        try:
            await ctx.sleep(100)
        except asyncio.CancelledError:
            await ctx.sleep(GRACE - 1)
        return "saved"

    stage = Stage(saves)
    await stage.run()
    stage.attempt.tell()
    await pass_time(GRACE)
    assert outcome(stage) == ("succeeded", "")


@pytest.mark.parametrize(("error", "nothing"), [(NotDoneError(), True), (ValueError(), False)])
@simulated
async def test_what_it_raises_when_told_says_only_whether_something_happened(
    error: Exception, nothing: bool
) -> None:
    async def gives_up(call: Any, ctx: Any) -> None:
        try:
            await ctx.sleep(100)
        finally:
            raise error

    stage = Stage(gives_up)
    await stage.run()
    stage.attempt.tell()
    await pass_time(0.1)
    assert outcome(stage) == ("cancelled", "cancelled")
    assert stage.ends[0].error is not None
    assert stage.ends[0].error.nothing_happened is nothing


@simulated
async def test_a_call_that_takes_too_long_is_told_and_fails_as_timeout() -> None:
    stage = Stage(hangs(), timeout=5)
    await stage.run(4.9)
    assert not stage.ends
    await pass_time(0.2)
    assert outcome(stage) == ("failed", "timeout")
    assert "5 s" in str(stage.ends[0].error)


@pytest.mark.parametrize("why", ["told", "timeout"])
@simulated
async def test_one_that_does_not_listen_is_abandoned_once_the_grace_is_over(why: str) -> None:
    release = asyncio.Event()
    stage = Stage(ignores_stop(release), timeout=5)
    await stage.run(1)
    if why == "told":
        stage.attempt.tell()
        await pass_time(GRACE + SLACK - 0.1)
    else:
        await pass_time(4 + GRACE + SLACK - 0.1)
    assert not stage.ends
    await pass_time(0.2)
    assert stage.ends[0].abandoned
    assert outcome(stage) == (
        ("cancelled", "cancelled") if why == "told" else ("failed", "timeout")
    )
    release.set()
    await pass_time(1)
    assert len(stage.ends) == 1, "what it says later is not heard"


@simulated
async def test_a_toolbox_may_say_that_it_has_left_a_call_behind() -> None:
    async def left(call: Any, ctx: Any) -> None:
        try:
            await ctx.sleep(100)
        finally:
            raise AbandonedError

    stage = Stage(left)
    await stage.run()
    stage.attempt.tell()
    await pass_time(0.1)
    assert stage.ends[0].abandoned


@simulated
async def test_an_undo_is_not_told_to_stop_but_has_a_timeout() -> None:
    stage = Stage(hangs(), undo=True, timeout=50)
    await stage.run(1)
    stage.attempt.tell()
    await pass_time(40)
    assert not stage.ends
    assert not stage.ctx.cancelled
    await pass_time(10)
    assert outcome(stage) == ("failed", "timeout")
    assert stage.ends[0].undo


@simulated
async def test_a_call_that_is_dropped_is_stopped_and_reports_nothing() -> None:
    stage, never_begun = Stage(hangs()), Stage(hangs())
    await stage.run()
    stage.attempt.drop()
    never_begun.attempt.drop()
    await pass_time(800)
    assert stage.world.calls[0].told
    assert not stage.ends
    assert not never_begun.ends


@simulated
async def test_when_the_engine_closes_nothing_is_said_about_the_call() -> None:
    stage = Stage(hangs())
    await stage.run()
    await stage.children.close(10)
    assert stage.world.calls[0].told
    assert not stage.ends, "the journal says that it had begun, and recovery does the rest"


@simulated
async def test_what_a_call_has_cost_is_reported_with_its_end() -> None:
    async def charges(call: Any, ctx: Any) -> None:
        ctx.charge(usd=1)
        ctx.charge(usd=2, tokens=10)
        raise TransientError("all the same")

    stage, silent = Stage(charges), Stage(returns(1))
    await stage.run()
    await silent.run()
    cost = stage.ends[0].cost
    assert cost is not None
    assert (cost.usd, cost.tokens) == (3, 10)
    assert silent.ends[0].cost is None


# Exceptions in words


@pytest.mark.parametrize(
    ("error", "error_class", "nothing_happened"),
    [
        (TransientError("x"), "transient", False),
        (NotDoneError("x"), "transient", True),
        (RateLimitedError("x"), "rate_limited", True),
        (ToolTimeoutError("x"), "timeout", False),
        (InvalidError("x"), "invalid", True),
        (DeniedError("x"), "denied", True),
        (FatalError("x"), "fatal", True),
        (ConnectionRefusedError("x"), "transient", True),
        (ConnectionResetError("x"), "transient", False),
        (BrokenPipeError("x"), "transient", False),
        (TimeoutError("x"), "timeout", False),
        (OSError("x"), "fatal", False),
        (KeyError("x"), "fatal", False),
        (SystemExit("x"), "fatal", False),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, BaseException) else None,
)
@pytest.mark.requirement("E7")
def test_every_exception_has_one_of_seven_classes(
    error: BaseException, error_class: str, nothing_happened: bool
) -> None:
    failure = failure_of(error)
    assert failure.error_class == error_class
    assert failure.nothing_happened is nothing_happened
    assert failure.type == type(error).__name__
    assert "x" in failure.message


class Speechless(Exception):  # noqa: N818 -- a tool may call it what it likes
    @override
    def __str__(self) -> str:
        raise ValueError("no words")


@pytest.mark.parametrize(
    "error",
    [
        ValueError("\udc80"),
        Speechless(),
        TransientError("\ud800", retry_after=float("inf")),
        TransientError("x", retry_after=10**400),
        TransientError("x", retry_after="soon"),  # type: ignore[arg-type]
    ],
    ids=repr,
)
def test_a_failure_can_always_be_written_down_and_read_back(error: BaseException) -> None:
    failure = failure_of(error)
    text = msgspec.json.encode(failure)
    assert msgspec.json.decode(text, type=Failure) == failure
    assert failure.message


def test_a_wait_that_an_error_asks_for_is_kept_within_reason() -> None:
    asked = [None, 0, 1, 2.5, -1, float("nan"), float("inf"), 1e300]
    kept = [failure_of(TransientError("x", retry_after=each)).retry_after for each in asked]
    assert kept == [None, 0, 1, 2.5, None, None, None, LONGEST_WAIT]


# What it raises may do anything


class UnspeakableError(Exception):
    @override
    def __str__(self) -> str:
        raise SystemExit(7)


class UndecidedError(ToolError):
    """Does not know what it is."""

    @property
    @override
    def nothing_happened(self) -> bool:  # type: ignore[override]
        raise KeyboardInterrupt


@pytest.mark.parametrize("error", [UnspeakableError(), UndecidedError("x")])
@simulated
async def test_an_exception_that_cannot_be_put_into_words_ends_the_call(
    error: BaseException,
) -> None:
    stage = Stage(raises(error))
    await stage.run()
    assert outcome(stage) == ("failed", "fatal")


# The engine closes


@simulated
async def test_a_call_that_was_not_entered_is_withdrawn() -> None:
    stage = Stage(echo)
    stage.begin()
    stage.attempt.withdraw()
    await pass_time(1)
    assert outcome(stage) == ("lost", "transient")
    assert stage.ends[0].error is not None
    assert stage.ends[0].error.nothing_happened
    assert stage.world.calls == []


@simulated
async def test_a_call_that_was_withdrawn_before_its_turn_is_not_made() -> None:
    stage = Stage(echo)
    stage.attempt.withdraw()
    await stage.run()
    assert outcome(stage) == ("lost", "transient")
    assert stage.world.calls == []


@simulated
async def test_a_call_that_goes_on_is_not_withdrawn() -> None:
    stage = Stage(waits(1))
    await stage.run(0.5)
    stage.attempt.withdraw()
    await pass_time(1)
    assert outcome(stage) == ("succeeded", "")


@simulated
async def test_a_call_that_is_cancelled_before_it_was_entered_ends_at_once() -> None:
    stage = Stage(echo)
    stage.begin()
    stage.attempt.tell()
    assert outcome(stage) == ("cancelled", "cancelled")
    await pass_time(1)
    assert stage.world.calls == []


@simulated
async def test_a_call_that_is_told_of_the_closing_is_lost_and_not_cancelled() -> None:
    stage = Stage(hangs(), undo=True)
    await stage.run()
    stage.attempt.tell_of_closing(4)
    await pass_time(1)
    assert outcome(stage) == ("lost", "")


async def cancels_itself(_call: Call, _ctx: Context) -> None:
    task = asyncio.current_task()
    assert task is not None
    task.cancel()
    await asyncio.Event().wait()


async def is_cancelled_inside(_call: Call, _ctx: Context) -> None:
    """As a scope of a library does, when what it stands on dies: from another task."""
    mine = asyncio.current_task()
    assert mine is not None
    asyncio.get_running_loop().call_soon(mine.cancel)
    await asyncio.Event().wait()


@pytest.mark.parametrize("act", [cancels_itself, is_cancelled_inside])
@simulated
async def test_a_tool_whose_own_task_is_cancelled_from_inside_is_reported_at_once(act: Act) -> None:
    stage = Stage(act)
    await stage.run()
    (end,) = stage.ends
    assert (end.outcome, end.error and end.error.error_class) == ("failed", "fatal")
    assert end.error is not None
    assert not end.error.nothing_happened, "a write is in doubt"


@simulated
async def test_a_tool_that_is_cancelled_because_everything_closes_has_no_end() -> None:
    stage = Stage(hangs())
    await stage.run()
    await stage.children.close(1)
    assert not stage.ends
