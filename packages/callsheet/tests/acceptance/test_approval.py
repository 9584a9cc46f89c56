"""Approval: people are asked about exactly this call, answer once, and nobody else waits."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from tests.acceptance.stage import (
    a_plan,
    finish,
    kinds,
    opened,
    pass_time,
    records,
    states,
    until,
)

from callsheet import Retry, Step
from callsheet.errors import NotDoneError, RequestRefusedError
from callsheet.testing import World, raises, simulated, waits

if TYPE_CHECKING:
    from pathlib import Path

    from callsheet import Run
    from callsheet.types import Question


def a_world() -> World:
    world = World()
    world.pair("book", "cancel")
    world.tool("ok", waits(1))
    return world


async def questions(run: Run) -> tuple[Question, ...]:
    return (await run.status()).questions


@pytest.mark.requirement("approval:bound-to-arguments", "E17")
@simulated
async def test_an_approval_is_about_these_arguments_and_holds_for_all_attempts() -> None:
    world = World()
    again = [raises(NotDoneError("busy")), raises(NotDoneError("busy")), world.stands]
    world.pair("book", "cancel", again, retry=Retry(attempts=3, backoff=0.1))
    world.tool("ok")
    plan = a_plan(
        Step(id="price", tool="ok", args={"eur": 12}),
        Step(id="a", tool="book", args={"eur": "${steps.price.eur}"}, approval="required"),
        Step(id="b", tool="book", args={"eur": "${steps.price.eur}"}, approval="required"),
        Step(id="c", tool="book", args={"eur": 13}, approval="required"),
    )
    async with opened(world) as engine:
        run = await engine.start(plan)
        await until(run, "QuestionAsked", times=3)
        asked = {entry.step: entry for entry in await records(run, "QuestionAsked")}
        assert bytes(asked["a"].args) == b'{"eur":12}', "the person sees what would be called"
        assert asked["a"].digest == asked["b"].digest != asked["c"].digest
        await run.answer("a", "approve", by="ann")
        await until(run, "AttemptEnded", step="a", times=3)
        assert world.count("book") == 3
        assert {q.step for q in await questions(run)} == {"b", "c"}, "one approval, one step"
        await run.answer("b", "approve")
        await run.answer("c", "approve")
        result = await finish(engine, run)
        started = [e for e in await records(run, "AttemptStarted") if e.step == "a"]
        assert (await kinds(run)).count("QuestionAsked") == 3
    assert [bytes(entry.args) for entry in started] == [b'{"eur":12}'] * 3
    assert result.state == "succeeded"


@pytest.mark.requirement("approval:answered-once", "E17")
@simulated
async def test_a_question_has_one_answer_by_a_named_person() -> None:
    world = a_world()
    plan = a_plan(
        Step(id="a", tool="book", approval="required"),
        Step(id="q", ask="Keep ${inputs.what}?", choices=("keep", "drop")),
        Step(id="w", ask="Wait"),
        inputs={"what": {"type": "string"}},
    )
    outcomes: list[str] = []

    async def answer(run: Run, step: str, what: str, by: str) -> None:
        try:
            await run.answer(step, what, by=by)
        except RequestRefusedError:
            outcomes.append(f"{by} refused")
        else:
            outcomes.append(f"{by} heard")

    async with opened(world) as engine:
        run = await engine.start(plan, {"what": "the hotel"})
        assert [q.text for q in await questions(run)][1] == "Keep the hotel?"
        async with asyncio.TaskGroup() as group:
            for who in ("ann", "bob", "eve"):
                group.create_task(answer(run, "a", "approve", who))
        await run.answer("q", "keep", by="ann")
        with pytest.raises(RequestRefusedError, match="answered"):
            await run.answer("q", "drop", by="bob")
        await run.answer("w", None)
        result = await finish(engine, run)
        recorded = [(e.step, e.by) for e in await records(run, "AnswerRecorded")]
    assert sorted(outcomes) == ["ann heard", "bob refused", "eve refused"]
    assert recorded == [("a", "ann"), ("q", "ann"), ("w", None)]
    assert result.steps["q"].output == "keep"
    assert world.count("book") == 1


@pytest.mark.requirement("approval:denied-is-denied", "E7", "E17")
@simulated
async def test_a_step_that_is_not_approved_fails_as_denied_and_is_not_called() -> None:
    world = a_world()
    plan = a_plan(
        Step(id="a", tool="book"),
        Step(id="b", tool="book", needs=("a",), approval="required"),
        Step(id="c", tool="ok", needs=("b",)),
    )
    async with opened(world) as engine:
        run = await engine.start(plan)
        await until(run, "QuestionAsked")
        await run.answer("b", "deny", by="ann")
        result = await finish(engine, run)
    error = result.steps["b"].error
    assert error is not None
    assert error.error_class == "denied"
    assert "ann" in error.message
    assert result.steps["b"].attempts == 0
    assert [call.step for call in world.of("book")] == ["a"]
    assert result.state == "undone"
    assert not world.standing


@pytest.mark.parametrize("policy", ["skip", "ignore"])
@pytest.mark.requirement("approval:denied-is-denied")
@simulated
async def test_a_denial_may_be_skipped_over_or_ignored(policy: Any) -> None:
    world = a_world()
    plan = a_plan(
        Step(id="a", tool="book", approval="required", on_failure=policy),
        Step(id="b", tool="ok", needs=("a",)),
    )
    async with opened(world) as engine:
        run = await engine.start(plan)
        await run.answer("a", "deny")
        result = await finish(engine, run)
    assert result.state == "succeeded"
    assert states(result) == {"a": "failed", "b": "skipped" if policy == "skip" else "succeeded"}
    assert world.count("book") == 0


@pytest.mark.requirement("E17", "approval:answered-once")
@simulated
async def test_all_pending_questions_are_listed_at_once_and_each_is_answered_alone() -> None:
    world = a_world()
    plan = a_plan(
        Step(id="done", tool="ok"),
        Step(id="one", tool="book", approval="required", args={"n": 1}),
        Step(id="two", tool="book", approval="required", args={"n": 2}),
        Step(id="each", tool="book", for_each=[3, 4], approval="required", args={"n": "${item}"}),
        Step(id="q", ask="And now?"),
    )
    async with opened(world) as engine:
        run = await engine.start(plan)
        await until(run, "AttemptEnded", step="done")
        asked = await questions(run)
        assert {q.step for q in asked} == {"one", "two", "each[0]", "each[1]", "q"}
        assert len({q.id for q in asked}) == 5
        assert (await run.status()).state == "waiting"
        await run.answer("two", "approve")
        await until(run, "AttemptEnded", step="two")
        assert [call.args for call in world.of("book")] == [{"n": 2}]
        assert len(await questions(run)) == 4
        await run.answer("each[1]", "approve")
        await run.answer("q", {"free": ["form"]})
        await run.answer("one", "approve")
        await run.answer("each[0]", "approve")
        result = await finish(engine, run)
    assert result.state == "succeeded"
    assert result.steps["q"].output == {"free": ["form"]}
    assert sorted(world.steps) == ["done", "each[0]", "each[1]", "one", "two"]
    assert len(world.calls) == 5, "a finished neighbour never runs again"


@pytest.mark.requirement("E17", "E5")
@simulated
async def test_a_question_may_be_asked_for_each_item() -> None:
    world = a_world()
    plan = a_plan(
        Step(id="q", ask="Keep ${item}?", for_each=["flight", "hotel"], choices=("yes", "no")),
        Step(id="after", tool="ok", args={"kept": "${steps.q}"}),
    )
    async with opened(world) as engine:
        run = await engine.start(plan)
        asked = await questions(run)
        assert [(q.step, q.text) for q in asked] == [
            ("q[0]", "Keep flight?"),
            ("q[1]", "Keep hotel?"),
        ]
        await run.answer("q[1]", "no")
        await run.answer("q[0]", "yes")
        result = await finish(engine, run)
    assert result.steps["after"].output == {"kept": ["yes", "no"]}


@pytest.mark.requirement("E17", "approval:answered-once")
@simulated
async def test_an_answer_that_means_nothing_is_refused_and_may_be_given_again() -> None:
    world = a_world()
    plan = a_plan(
        Step(id="a", tool="book", approval="required"),
        Step(id="q", ask="Keep?", choices=("keep", "drop")),
        Step(id="ok", tool="ok"),
    )
    async with opened(world) as engine:
        run = await engine.start(plan)
        with pytest.raises(RequestRefusedError, match="approve"):
            await run.answer("a", "perhaps")
        with pytest.raises(RequestRefusedError, match="keep, drop"):
            await run.answer("q", "burn")
        with pytest.raises(RequestRefusedError, match="asks nothing"):
            await run.answer("ok", "yes")
        with pytest.raises(RequestRefusedError, match="asks nothing"):
            await run.answer("nobody", "yes")
        assert world.count("book") == 0
        await run.answer("a", True)
        await run.answer("q", " drop ")
        result = await finish(engine, run)
    assert result.state == "succeeded"
    assert result.steps["q"].output == "drop"


@pytest.mark.requirement("E17", "E8")
@simulated
async def test_a_question_that_nobody_answers_in_time_fails_as_timeout() -> None:
    world = a_world()
    plan = a_plan(
        Step(id="q", ask="Keep?", timeout=60),
        Step(id="fine", ask="Sure?", timeout=60),
        on_failure="continue",
    )
    async with opened(world) as engine:
        run = await engine.start(plan)
        await pass_time(30)
        await run.answer("fine", "yes")
        result = await finish(engine, run)
        (fired,) = await records(run, "TimerFired")
    assert fired.step == "q"
    error = result.steps["q"].error
    assert error is not None
    assert error.error_class == "timeout"
    assert states(result) == {"q": "failed", "fine": "succeeded"}


@pytest.mark.requirement("E17", "approval:bound-to-arguments")
@simulated
async def test_questions_and_approvals_are_kept_by_the_engine(tmp_path: Path) -> None:
    world = a_world()
    plan = a_plan(
        Step(id="first", tool="ok"),
        Step(id="a", tool="book", approval="required"),
        Step(id="b", tool="book", approval="required"),
        concurrency=1,
    )
    async with opened(world, tmp_path / "home") as engine:
        run = await engine.start(plan)
        await until(run, "AttemptEnded", step="first")
        before = await questions(run)
        await run.pause()
        await run.answer("a", "approve", by="ann")
    async with opened(world, tmp_path / "home") as engine:
        run = await engine.get(run.id)
        after = await questions(run)
        assert after == before[1:], "the one that is open has the same id"
        await run.answer("b", "approve")
        await run.resume()
        result = await finish(engine, run)
        assert (await kinds(run)).count("QuestionAsked") == 2
    assert result.state == "succeeded"
    assert world.steps == ["first", "a", "b"]


@pytest.mark.requirement("E17")
@simulated
async def test_who_approves_nothing_starts_nothing() -> None:
    world = a_world()
    async with opened(world) as engine:
        run = await engine.start(a_plan(Step(id="a", tool="book", approval="required")))
        await pass_time(500)
        status = await run.status()
        assert (status.state, states(status)) == ("waiting", {"a": "waiting"})
        assert not world.calls
        await run.cancel()
        await finish(engine, run)
    assert not world.calls
