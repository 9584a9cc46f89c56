"""In doubt: a write whose outcome nobody knows is not blindly repeated."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.acceptance.stage import a_plan, carry_out, finish, opened, records, states, until

from callsheet import Retry, Step, Undo
from callsheet.errors import (
    FatalError,
    NotDoneError,
    RateLimitedError,
    RequestRefusedError,
    TransientError,
)
from callsheet.testing import World, hangs, raises, returns, simulated, waits

if TYPE_CHECKING:
    from callsheet import Run
    from callsheet.testing import Act


class NotJson:
    """Something that has no JSON."""


UNKNOWN: dict[str, Act] = {
    "timeout": hangs(),
    "raised timeout": raises(TimeoutError("read timed out")),
    "lost connection": raises(ConnectionResetError("gone")),
    "transient": raises(TransientError("502")),
    "unmapped": raises(ValueError("?")),
    "exit": raises(SystemExit(1)),
    "unserialisable": returns(NotJson()),  # type: ignore[arg-type]
}


def a_world(script: Any, **terms: Any) -> World:
    """`pay` follows the script; `refund` is its undo and needs no output."""
    world = World()
    world.pair("pay", "refund", script, **terms)
    world.tool("ok")
    world.tool("boom", waits(1, raises(FatalError("boom"))))
    return world


async def asked(run: Run) -> Any:
    """The question about the doubt, once it is asked."""
    await until(run, "QuestionAsked")
    (question,) = (await run.status()).questions
    return question


@pytest.mark.parametrize("act", UNKNOWN.values(), ids=UNKNOWN.keys())
@pytest.mark.requirement("doubt:never-blindly-repeated", "E10")
@simulated
async def test_an_unknown_outcome_of_a_write_is_in_doubt_and_not_repeated(act: Act) -> None:
    world = a_world(act, timeout=5, retry=Retry(attempts=3, backoff=0.1))
    plan = a_plan(
        Step(id="pay", tool="pay", args={"eur": 5}),
        Step(id="after", tool="ok", needs=("pay",)),
    )
    async with opened(world) as engine:
        run = await engine.start(plan)
        question = await asked(run)
        status = await run.status()
        assert status.state == "waiting"
        assert states(status) == {"pay": "in_doubt", "after": "pending"}
        assert question.ask == "doubt"
        assert question.choices == ("happened", "did_not_happen", "undo")
        assert "pay" in question.text
        await run.answer("pay", "happened", output={"id": 7}, by="ann")
        result = await finish(engine, run)
    assert world.count("pay") == 1
    assert world.count("refund") == 0
    assert result.state == "succeeded"
    assert result.steps["pay"].output == {"id": 7}


@pytest.mark.parametrize("act", UNKNOWN.values(), ids=UNKNOWN.keys())
@pytest.mark.requirement("doubt:never-blindly-repeated", "E10")
@simulated
async def test_an_idempotent_write_is_simply_repeated_if_its_error_may_be_retried(act: Act) -> None:
    world = a_world([act, returns("done")], timeout=5, idempotent=True)
    async with opened(world) as engine:
        run = await engine.start(a_plan(Step(id="pay", tool="pay"), output="${steps.pay}"))
        result = await finish(engine, run)
        assert not await records(run, "QuestionAsked")
        (first, *_) = await records(run, "AttemptEnded")
    if first.error.error_class == "fatal":
        assert (result.state, world.count("pay"), world.count("refund")) == ("undone", 1, 1)
    else:
        assert (result.state, result.output, world.count("pay")) == ("succeeded", "done", 2)


@pytest.mark.parametrize(
    "error",
    [NotDoneError("full"), RateLimitedError("429"), ConnectionRefusedError("down")],
    ids=lambda error: type(error).__name__,
)
@pytest.mark.requirement("doubt:not-done-is-retried", "E10")
@simulated
async def test_a_write_is_retried_when_the_error_says_that_nothing_happened(
    error: Exception,
) -> None:
    world = a_world([raises(error), returns(1)], retry=Retry(attempts=3, backoff=0.1))
    async with opened(world) as engine:
        run = await engine.start(a_plan(Step(id="pay", tool="pay")))
        result = await finish(engine, run)
        assert not await records(run, "QuestionAsked")
    assert result.state == "succeeded"
    assert world.count("pay") == 2


@pytest.mark.requirement("doubt:not-done-is-retried")
@simulated
async def test_a_write_that_certainly_did_nothing_fails_without_a_doubt() -> None:
    world = a_world(raises(FatalError("no such account")))
    async with opened(world) as engine:
        result = await carry_out(engine, a_plan(Step(id="pay", tool="pay")))
    assert result.state == "failed"
    assert states(result) == {"pay": "failed"}
    assert world.count("refund") == 0


@pytest.mark.requirement("doubt:answered-or-decided-beforehand", "E17")
@simulated
async def test_it_did_not_happen_so_it_is_called_again_with_the_same_key() -> None:
    world = a_world([raises(ConnectionResetError()), returns(2)])
    async with opened(world) as engine:
        run = await engine.start(a_plan(Step(id="pay", tool="pay"), output="${steps.pay}"))
        await asked(run)
        await run.answer("pay", "did_not")
        result = await finish(engine, run)
    assert (result.state, result.output) == ("succeeded", 2)
    first, second = world.of("pay")
    assert first.key == second.key
    assert (first.attempt, second.attempt) == (1, 2)


@pytest.mark.requirement("doubt:answered-or-decided-beforehand")
@simulated
async def test_did_not_may_be_answered_as_often_as_it_is_asked() -> None:
    world = a_world([raises(ConnectionResetError()), raises(ConnectionResetError()), returns(3)])
    async with opened(world) as engine:
        run = await engine.start(a_plan(Step(id="pay", tool="pay")))
        first = await asked(run)
        await run.answer("pay", "did_not")
        await until(run, "QuestionAsked", times=2)
        (second,) = (await run.status()).questions
        assert first.id != second.id
        await run.answer("pay", "did_not")
        result = await finish(engine, run)
    assert result.state == "succeeded"
    assert world.count("pay") == 3


@pytest.mark.requirement("doubt:answered-or-decided-beforehand", "E10")
@simulated
async def test_it_is_to_be_undone_so_it_is_taken_back_and_the_step_fails() -> None:
    world = a_world(raises(ConnectionResetError()))
    plan = a_plan(
        Step(id="pay", tool="pay", args={"eur": 5}), Step(id="down", tool="ok", needs=("pay",))
    )
    async with opened(world) as engine:
        run = await engine.start(plan)
        await asked(run)
        await run.answer("pay", "undo")
        result = await finish(engine, run)
    assert result.state in {"failed", "undone"}
    assert states(result) == {"pay": "undone", "down": "cancelled"}
    (refund,) = world.of("refund")
    (pay,) = world.of("pay")
    assert refund.args == {"args": {"eur": 5}, "output": None, "key": pay.key}


@pytest.mark.requirement("doubt:answered-or-decided-beforehand")
@simulated
async def test_undo_is_not_offered_when_it_would_need_the_output() -> None:
    world = a_world(raises(ConnectionResetError()))
    needs_output = Undo(tool="refund", args={"key": "${output.id}"})
    async with opened(world) as engine:
        run = await engine.start(a_plan(Step(id="pay", tool="pay", undo=needs_output)))
        question = await asked(run)
        assert question.choices == ("happened", "did_not_happen")
        with pytest.raises(RequestRefusedError, match="undo"):
            await run.answer("pay", "undo")
        await run.answer("pay", "happened", output={"id": "k7"})
        await finish(engine, run)
        await run.undo()
        result = await finish(engine, run)
    assert result.state == "undone"
    assert [call.args for call in world.of("refund")] == [{"key": "k7"}]


@pytest.mark.requirement("doubt:answered-or-decided-beforehand")
@simulated
async def test_in_doubt_retry_says_beforehand_that_it_may_be_repeated() -> None:
    world = a_world([raises(ConnectionResetError()), returns(2)])
    step = Step(id="pay", tool="pay", in_doubt="retry", retry=Retry(attempts=2, backoff=0.1))
    async with opened(world) as engine:
        result = await carry_out(engine, a_plan(step))
    assert result.state == "succeeded"
    assert world.count("pay") == 2


@pytest.mark.requirement("doubt:answered-or-decided-beforehand")
@simulated
async def test_in_doubt_retry_needs_no_further_words_to_be_retried() -> None:
    world = a_world([raises(ConnectionResetError()), returns(2)])
    async with opened(world) as engine:
        result = await carry_out(engine, a_plan(Step(id="pay", tool="pay", in_doubt="retry")))
    assert result.state == "succeeded"
    assert world.count("pay") == 2


@pytest.mark.requirement("doubt:answered-or-decided-beforehand")
@simulated
async def test_in_doubt_fail_says_beforehand_that_the_step_has_failed() -> None:
    world = a_world(raises(ConnectionResetError()))
    async with opened(world) as engine:
        run = await engine.start(a_plan(Step(id="pay", tool="pay", in_doubt="fail")))
        result = await finish(engine, run)
        assert not await records(run, "QuestionAsked")
    assert result.state == "undone", "its effect may be there, so it is taken back"
    assert world.count("pay") == 1
    assert world.count("refund") == 1


@pytest.mark.requirement("doubt:undone-without-output-or-stuck", "E10")
@simulated
async def test_a_stopping_run_undoes_a_doubt_whose_undo_needs_no_output() -> None:
    world = a_world(raises(ConnectionResetError()))
    plan = a_plan(Step(id="pay", tool="pay"), Step(id="boom", tool="boom"))
    async with opened(world) as engine:
        result = await carry_out(engine, plan)
    assert result.state == "undone"
    assert states(result) == {"pay": "undone", "boom": "failed"}
    assert world.count("refund") == 1
    assert not result.questions


@pytest.mark.requirement("doubt:undone-without-output-or-stuck", "E9", "E10")
@simulated
async def test_a_doubt_that_cannot_be_undone_makes_a_stopping_run_stuck() -> None:
    world = a_world(raises(ConnectionResetError()))
    needs_output = Undo(tool="refund", args={"key": "${output.id}"})
    plan = a_plan(
        Step(id="first", tool="pay", idempotent=True, in_doubt="fail", on_failure="ignore"),
        Step(id="pay", tool="pay", undo=needs_output),
        Step(id="boom", tool="boom"),
    )
    async with opened(world) as engine:
        run = await engine.start(plan)
        result = await finish(engine, run)
        assert result.state == "stuck"
        assert states(result)["pay"] == "in_doubt"
        assert any(problem.step == "pay" for problem in result.problems), "it is loud"
        (question,) = result.questions
        assert (question.step, question.ask) == ("pay", "doubt")
        await run.answer("pay", "happened", output={"id": "k9"})
        await run.undo()
        result = await finish(engine, run)
    assert result.state == "undone"
    assert {"key": "k9"} in [call.args for call in world.of("refund")]


@pytest.mark.requirement("doubt:undone-without-output-or-stuck")
@simulated
async def test_a_stuck_doubt_that_did_not_happen_is_settled_by_saying_so() -> None:
    world = a_world(raises(ConnectionResetError()))
    plan = a_plan(
        Step(id="pay", tool="pay", undo=Undo(tool="refund", args={"key": "${output.id}"})),
        Step(id="boom", tool="boom"),
    )
    async with opened(world) as engine:
        run = await engine.start(plan)
        assert (await finish(engine, run)).state == "stuck"
        await run.answer("pay", "did_not")
        await run.undo()
        result = await finish(engine, run)
    assert result.state == "undone"
    assert world.count("refund") == 0
    assert world.count("pay") == 1, "an ended run starts nothing"


@pytest.mark.requirement("doubt:undone-without-output-or-stuck", "doubt:never-blindly-repeated")
@simulated
async def test_a_write_that_is_cancelled_in_the_middle_is_in_doubt_and_taken_back() -> None:
    world = a_world(hangs())
    plan = a_plan(Step(id="pay", tool="pay"), Step(id="boom", tool="boom"))
    async with opened(world) as engine:
        result = await carry_out(engine, plan)
    assert result.state == "undone"
    assert world.of("pay")[0].told
    assert world.count("refund") == 1


@pytest.mark.requirement("doubt:never-blindly-repeated", "E17")
@simulated
async def test_neighbours_go_on_while_a_doubt_waits_and_doubts_are_answered_alone() -> None:
    world = a_world([raises(ConnectionResetError()), returns(1)])
    plan = a_plan(
        Step(id="one", tool="pay"),
        Step(id="two", tool="pay"),
        Step(id="beside", tool="ok"),
        Step(id="after", tool="ok", needs=("beside",)),
    )
    async with opened(world) as engine:
        run = await engine.start(plan)
        await until(run, "AttemptEnded", step="after")
        assert {q.step for q in (await run.status()).questions} == {"one", "two"}
        await run.answer("two", "did_not")
        await until(run, "AttemptEnded", step="two", times=2)
        assert {q.step for q in (await run.status()).questions} == {"one"}
        assert world.count("ok") == 2
        await run.answer("one", "happened")
        result = await finish(engine, run)
    assert result.state == "succeeded"
    assert result.steps["one"].output is None
    assert [call.step for call in world.of("pay")] == ["one", "two", "two"]
    assert world.count("ok") == 2, "a finished neighbour never runs again"
