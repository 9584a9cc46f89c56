"""A tool that does not say what it does is treated as a write that must not be repeated."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import pytest
from tests.acceptance.stage import a_plan, finish, records, until

from callsheet import Engine, Step, Tool, Undo, program_tool, tool
from callsheet.errors import NotDoneError, RateLimitedError
from callsheet.testing import SimulatedClock, simulated

if TYPE_CHECKING:
    from collections.abc import Callable

    from callsheet import Result


class Mail:
    """A mail server, with a tool that nobody has said anything about."""

    def __init__(self, act: Callable[[], object], **terms: Any) -> None:
        self.sent = 0

        async def send_mail(to: str = "you") -> None:
            self.sent += 1
            act()

        self.tool: Tool[..., Any] = tool(**terms)(send_mail)


def raising(error: BaseException) -> Callable[[], object]:
    def act() -> None:
        raise error

    return act


async def ended(*tools: Tool[..., Any], step: Step | None = None) -> Result:
    clock = SimulatedClock()
    async with Engine.open(None, tools, clock=clock) as engine:
        run = await engine.start(a_plan(step or Step(id="a", tool=tools[0].spec.name)))
        return await finish(engine, run)


@pytest.mark.parametrize(
    "error",
    [TimeoutError("read timed out"), ConnectionResetError(), ConnectionRefusedError(), KeyError()],
    ids=lambda error: type(error).__name__,
)
@pytest.mark.requirement("tool:unsaid")
@simulated
async def test_what_it_raises_fails_the_step_and_it_is_called_once(error: Exception) -> None:
    mail = Mail(raising(error), retry=4)
    result = await ended(mail.tool)
    step = result.steps["a"]
    assert (mail.sent, str(step.state), str(result.state)) == (1, "failed", "failed")
    assert step.error is not None
    assert step.error.error_class == "fatal"
    assert "was not tried again" in step.error.message
    assert "effect='read' or effect='write'" in step.error.message
    assert "test_unsaid.py" in step.error.traceback


@pytest.mark.parametrize("error", [NotDoneError("busy"), RateLimitedError("later")])
@pytest.mark.requirement("tool:unsaid")
@simulated
async def test_its_own_word_that_nothing_happened_is_taken(error: Exception) -> None:
    mail = Mail(raising(error), retry=3)
    result = await ended(mail.tool)
    assert mail.sent == 3
    assert result.steps["a"].error is not None
    assert "effect=" not in result.steps["a"].error.message


@pytest.mark.requirement("tool:unsaid")
@simulated
async def test_what_it_cost_is_charged_although_nobody_is_asked() -> None:
    mail = Mail(raising(KeyError()), cost=0.25)
    assert (await ended(mail.tool)).cost.usd == 0.25


@pytest.mark.requirement("tool:unsaid")
@simulated
async def test_a_step_that_is_said_to_be_idempotent_is_tried_again() -> None:
    mail = Mail(raising(TimeoutError()))
    step = Step(id="a", tool="send_mail", idempotent=True)
    assert (await ended(mail.tool, step=step)).steps["a"].attempts == 3


@pytest.mark.requirement("tool:unsaid")
@simulated
async def test_its_own_timeout_leaves_it_in_doubt() -> None:
    async def slow() -> None:
        await asyncio.Event().wait()

    async with Engine.open(None, [tool(timeout=5)(slow)], clock=SimulatedClock()) as engine:
        run = await engine.start(a_plan(Step(id="a", tool="slow")))
        await until(run, "QuestionAsked")
        (question,) = (await run.status()).questions
        assert question.ask == "doubt"
        await run.answer("a", "did_not")
        await run.cancel()
        await run.wait()


@pytest.mark.requirement("tool:unsaid")
@simulated
async def test_a_run_that_is_cancelled_while_it_works_is_cancelled_without_a_doubt() -> None:
    begun = asyncio.Event()

    async def slow() -> None:
        begun.set()
        await asyncio.Event().wait()

    async with Engine.open(None, [tool(slow)], clock=SimulatedClock()) as engine:
        run = await engine.start(a_plan(Step(id="a", tool="slow"), on_failure="stop"))
        await begun.wait()
        await run.cancel()
        result = await finish(engine, run)
    assert (str(result.state), str(result.steps["a"].state)) == ("cancelled", "cancelled")


# A real program, killed by a signal.
@pytest.mark.slow
@pytest.mark.requirement("tool:unsaid")
async def test_a_program_that_fails_fails_its_step_and_one_that_is_killed_is_in_doubt() -> None:
    fails = program_tool("fails", ["sh", "-c", "exit 3"])
    killed = program_tool("killed", ["sh", "-c", "kill -9 $$"])
    async with Engine.open(None, [fails, killed]) as engine:
        result = await (await engine.start(a_plan(Step(id="a", tool="fails")))).wait()
        assert str(result.steps["a"].state) == "failed"
        run = await engine.start(a_plan(Step(id="a", tool="killed")))
        async with asyncio.timeout(30):
            await until(run, "QuestionAsked")
        await run.cancel()
        await run.wait()


@pytest.mark.requirement("tool:unsaid")
@simulated
async def test_the_journal_says_write_in_full_and_nothing_of_the_mark() -> None:
    mail = Mail(lambda: None)
    async with Engine.open(None, [mail.tool], clock=SimulatedClock()) as engine:
        run = await engine.start(a_plan(Step(id="a", tool="send_mail")))
        await finish(engine, run)
        (started,) = await records(run, "RunStarted")
    spec = started.tools["send_mail"]
    assert (spec.effect, spec.unsaid) == ("write", False)


@pytest.mark.requirement("tool:unsaid")
async def test_check_lists_the_tools_that_say_nothing_once() -> None:
    async def look() -> str:
        return ""

    async def send() -> None: ...

    async def take_back(key: str) -> None: ...

    tools: list[Tool[..., Any]] = [
        tool(look),
        tool(send),
        tool("said", effect="read")(look),
        tool(take_back),
    ]
    plan = a_plan(
        Step(id="a", tool="look"),
        Step(id="b", tool="look"),
        Step(id="c", tool="said"),
        Step(id="d", tool="send"),
        Step(id="e", tool="send", undo=Undo(tool="take_back", args={"key": "${key}"})),
    )
    async with Engine.open(None, tools) as engine:
        (warning,) = [each for each in await engine.check(plan) if "say" in each.what]
        (one,) = [each for each in await engine.check(a_plan(plan.steps[3])) if "say" in each.what]
        cached = await engine.check(a_plan(Step(id="a", tool="look", cache=True)))
    assert warning.severity == "warning"
    assert warning.what.endswith("must not be repeated: look, send")
    assert one.what.startswith("send does not say whether it reads or writes")
    assert any("effect='read'" in each.fix for each in cached if each.severity == "error")
    assert json.dumps(warning.to_json())
