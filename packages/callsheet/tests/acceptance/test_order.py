"""Order: a step starts when what it needs has ended well; the rest runs in parallel."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from typing import TYPE_CHECKING, Any

import pytest
from tests.acceptance.stage import a_plan, carry_out, finish, opened, records, states, until

from callsheet import Limit, Result, Retry, Step, tool
from callsheet.errors import FatalError, TransientError
from callsheet.testing import World, raises, returns, simulated, waits

if TYPE_CHECKING:
    from pathlib import Path

    from callsheet import Context
    from callsheet.core.value import Json
    from callsheet.testing import Call


def a_world() -> World:
    world = World()
    world.tool("ok", waits(1))
    world.tool("boom", raises(FatalError("boom")))
    return world


@pytest.mark.requirement("order:starts-after-needs", "E4")
@simulated
async def test_a_step_starts_only_when_what_it_references_or_needs_has_ended() -> None:
    world = a_world()
    plan = a_plan(
        Step(id="last", tool="ok", needs=("left",), args={"x": "${steps.right.x}"}),
        Step(id="left", tool="ok", args={"x": "${steps.first.x}"}),
        Step(id="right", tool="ok", args={"x": "${steps.first.x}"}),
        Step(id="first", tool="ok", args={"x": 1}),
    )
    async with opened(world) as engine:
        run = await engine.start(plan)
        result = await finish(engine, run)
        journal = await run.journal()
    first, left, right, last = (world.step(s)[0] for s in ("first", "left", "right", "last"))
    assert first.before(left)
    assert first.before(right)
    assert left.overlaps(right)
    assert left.before(last)
    assert right.before(last)
    assert result.steps["last"].output == {"x": 1}
    marks = [(type(entry).__name__, getattr(entry, "step", "")) for entry in journal]
    assert marks.index(("AttemptEnded", "left")) < marks.index(("AttemptStarted", "last"))


@pytest.mark.requirement("durability:outcome-before-dependents", "order:starts-after-needs")
@simulated
async def test_a_call_finds_its_start_and_what_it_needs_in_the_database(tmp_path: Path) -> None:
    world, home = World(), tmp_path / "home"
    found: dict[str, list[tuple[str, str | None]]] = {}

    async def looks(call: Call, _ctx: Context) -> Json:
        (database,) = home.glob("*.db")
        rows = await asyncio.to_thread(read_from_outside, database)
        found[call.step] = [(row["kind"], row.get("step")) for row in rows]
        return None

    world.tool("looks", looks)
    plan = a_plan(
        Step(id="a", tool="looks"),
        Step(id="b", tool="looks", needs=("a",)),
        Step(id="c", tool="looks", needs=("b",)),
    )
    async with opened(world, home) as engine:
        await carry_out(engine, plan)
    assert found["a"][-1] == ("AttemptStarted", "a")
    assert found["b"][-2:] == [("AttemptEnded", "a"), ("AttemptStarted", "b")]
    assert found["c"][-2:] == [("AttemptEnded", "b"), ("AttemptStarted", "c")]


def read_from_outside(database: Path) -> list[dict[str, Any]]:
    """The entries that another connection sees."""
    connection = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
    try:
        found = connection.execute("select body from journal order by run, seq").fetchall()
    finally:
        connection.close()
    return [json.loads(body) for (body,) in found]


@pytest.mark.requirement("order:priority-then-plan-order", "E4")
@simulated
async def test_ready_steps_start_by_priority_then_in_plan_order() -> None:
    world = a_world()
    plan = a_plan(
        Step(id="c", tool="ok"),
        Step(id="b", tool="ok", priority=5),
        Step(id="a", tool="ok"),
        Step(id="d", tool="ok", priority=-1),
        Step(id="e", tool="ok", priority=5),
        concurrency=1,
    )
    async with opened(world) as engine:
        await carry_out(engine, plan)
    assert world.steps == ["b", "e", "c", "a", "d"]


@pytest.mark.requirement("E4")
@simulated
async def test_concurrency_is_eight_by_default_and_one_is_sequential() -> None:
    steps = [Step(id=f"s{n}", tool="ok") for n in range(20)]
    world, one_by_one = a_world(), a_world()
    async with opened(world) as engine:
        await carry_out(engine, a_plan(*steps))
    async with opened(one_by_one) as engine:
        await carry_out(engine, a_plan(*steps, concurrency=1))
    assert world.most_at_once == 8
    assert one_by_one.most_at_once == 1
    assert one_by_one.steps == [step.id for step in steps]
    assert len(world.calls) == len(one_by_one.calls) == 20


@pytest.mark.requirement("order:touches-never-overlap")
@simulated
async def test_steps_that_touch_the_same_key_never_overlap() -> None:
    world = a_world()
    plan = a_plan(
        Step(id="late", tool="ok", touches=("scene",), needs=("early",)),
        Step(id="early", tool="ok", touches=("scene",)),
        Step(id="both", tool="ok", touches=("scene", "sound")),
        Step(id="other", tool="ok", touches=("sound",)),
        Step(id="free", tool="ok"),
    )
    async with opened(world) as engine:
        await carry_out(engine, plan)
    call = {step: world.step(step)[0] for step in world.steps}
    assert call["early"].before(call["late"])
    for one, other in (("early", "both"), ("late", "both"), ("both", "other")):
        assert not call[one].overlaps(call[other]), (one, other)
    assert call["free"].overlaps(call["early"])


@pytest.mark.requirement("order:touches-never-overlap", "E5")
@simulated
async def test_keys_that_are_references_keep_their_order_too() -> None:
    world = a_world()
    plan = a_plan(
        Step(
            id="edit",
            tool="ok",
            for_each=["a", "b", "a", "c", "a"],
            args={"scene": "${item}"},
            touches=("scene/${item}",),
        )
    )
    async with opened(world) as engine:
        await carry_out(engine, plan)
    same = [call for call in world.calls if call.args["scene"] == "a"]
    assert [call.step for call in same] == ["edit[0]", "edit[2]", "edit[4]"]
    assert same[0].before(same[1])
    assert same[1].before(same[2])
    assert world.step("edit[0]")[0].overlaps(world.step("edit[1]")[0])


@pytest.mark.requirement("order:touches-never-overlap")
@simulated
async def test_a_retrying_step_keeps_the_key_it_touches() -> None:
    world = a_world()
    again = [raises(TransientError("again")), returns(1)]
    world.tool("flaky", again, retry=Retry(backoff=8, max_backoff=8))
    plan = a_plan(
        Step(id="a", tool="flaky", touches=("k",)),
        Step(id="b", tool="ok", touches=("k",)),
    )
    async with opened(world) as engine:
        await carry_out(engine, plan)
    assert world.steps == ["a", "a", "b"]


@pytest.mark.requirement("order:skips-follow-skips", "E5")
@simulated
async def test_when_is_false_skips_the_step_and_all_that_needs_it() -> None:
    world = a_world()
    plan = a_plan(
        Step(id="yes", tool="ok", when="${inputs.wanted == 'yes'}"),
        Step(id="no", tool="ok", when="${inputs.wanted == 'no'}", args={"x": 1}),
        Step(id="needs_no", tool="ok", needs=("no",)),
        Step(id="uses_no", tool="ok", args={"x": "${steps.no.x}"}),
        Step(id="further", tool="ok", needs=("uses_no", "yes")),
        Step(
            id="all_the_same",
            tool="ok",
            run_if_skipped=True,
            args={"x": "${steps.no || 'nothing'}"},
        ),
        inputs={"wanted": {"type": "string"}},
    )
    async with opened(world) as engine:
        result = await carry_out(engine, plan, {"wanted": "yes"})
    assert result.state == "succeeded"
    assert sorted(world.steps) == ["all_the_same", "yes"]
    skipped = {"no", "needs_no", "uses_no", "further"}
    assert {key for key, state in states(result).items() if state == "skipped"} == skipped
    assert "when" in result.steps["no"].reason
    assert "'uses_no'" in result.steps["further"].reason
    assert result.steps["all_the_same"].output == {"x": "nothing"}


@tool("typed", effect="read")
async def typed(n: int, note: str | None = None) -> dict[str, object]:
    """Takes a number, and perhaps a note."""
    return {"n": n, "note": note}


async def with_reference(reference: str, argument: str = "n") -> Result:
    world = a_world()
    world.tools.append(typed)
    args: dict[str, Json] = {"n": 1, argument: reference}
    plan = a_plan(Step(id="a", tool="ok", args={"x": 7}), Step(id="b", tool="typed", args=args))
    async with opened(world) as engine:
        return await carry_out(engine, plan)


@pytest.mark.requirement("E5", "E7")
@simulated
async def test_a_null_reference_is_invalid() -> None:
    result = await with_reference("${steps.a.missing}")
    assert result.state == "failed"
    error = result.steps["b"].error
    assert error is not None
    assert error.error_class == "invalid"
    assert "steps.a.missing" in error.message
    assert result.steps["b"].attempts == 0


@pytest.mark.requirement("E5")
@simulated
async def test_a_null_reference_with_a_default_or_where_null_is_allowed_is_fine() -> None:
    by_default = await with_reference("${steps.a.missing || `3`}")
    allowed = await with_reference("${steps.a.missing}", argument="note")
    assert by_default.steps["b"].output == {"n": 3, "note": None}
    assert allowed.steps["b"].output == {"n": 1, "note": None}


@pytest.mark.requirement("E5")
@simulated
async def test_a_whole_reference_keeps_its_type_and_within_text_becomes_text() -> None:
    world = a_world()
    given: dict[str, Json] = {"n": 3, "list": [1, {"a": None}], "flag": True}
    plan = a_plan(
        Step(id="a", tool="ok", args=given),
        Step(
            id="b",
            tool="ok",
            args={
                "n": "${steps.a.n}",
                "all": "${steps.a}",
                "text": "n=${steps.a.n} flag=${steps.a.flag}",
                "plain": "$${steps.a.n}",
            },
        ),
        output={"n": "${steps.b.n}", "fixed": 1},
    )
    async with opened(world) as engine:
        run = await engine.start(plan)
        result = await finish(engine, run)
        started = await records(run, "AttemptStarted")
    expected = {"n": 3, "all": given, "text": "n=3 flag=true", "plain": "${steps.a.n}"}
    assert world.step("b")[0].args == expected
    assert result.output == {"n": 3, "fixed": 1}
    assert b'"text":"n=3 flag=true"' in bytes(started[1].args), "what was resolved is journalled"


async def the_first_is_the_slowest(call: Call, ctx: Context) -> Json:
    number = call.args["id"]
    assert isinstance(number, int)
    await ctx.sleep(20 - number)
    return {"id": number}


@pytest.mark.requirement("E5")
@simulated
async def test_for_each_calls_once_per_item_and_gives_the_outputs_in_order() -> None:
    world = a_world()
    world.tool("photo", the_first_is_the_slowest)
    plan = a_plan(
        Step(id="list", tool="ok", args={"rooms": [{"id": n} for n in range(20)]}),
        Step(id="rooms", tool="photo", for_each="${steps.list.rooms}", args={"id": "${item.id}"}),
        Step(id="after", tool="ok", args={"ids": "${steps.rooms[*].id}"}),
        output="${steps.rooms}",
        concurrency=20,
    )
    async with opened(world) as engine:
        run = await engine.start(plan)
        result = await finish(engine, run)
        assert [(e.step, e.count) for e in await records(run, "StepExpanded")] == [("rooms", 20)]
    photos = world.of("photo")
    assert photos[-1].before(world.step("after")[0])
    assert (photos[19].ended or 0) < (photos[0].ended or 0), "they ended the other way round"
    assert result.output == [{"id": n} for n in range(20)]
    assert result.steps["after"].output == {"ids": list(range(20))}
    assert [call.step for call in photos] == [f"rooms[{n}]" for n in range(20)]


@pytest.mark.requirement("E5")
@simulated
async def test_for_each_over_an_empty_list_succeeds_as_an_empty_list() -> None:
    world = a_world()
    plan = a_plan(
        Step(id="none", tool="ok", for_each="${inputs.rooms}", args={"x": "${item}"}),
        Step(id="after", tool="ok", args={"rooms": "${steps.none}"}),
        inputs={"rooms": {"type": "array"}},
    )
    async with opened(world) as engine:
        result = await carry_out(engine, plan, {"rooms": []})
    assert states(result) == {"none": "succeeded", "after": "succeeded"}
    assert result.steps["after"].output == {"rooms": []}
    assert world.steps == ["after"]


@pytest.mark.parametrize(
    ("items", "told"), [(list(range(10_001)), "10001"), ("not a list", "str")], ids=["many", "text"]
)
@pytest.mark.requirement("E5", "E7")
@simulated
async def test_for_each_over_too_many_items_or_no_list_is_invalid(items: Json, told: str) -> None:
    world = a_world()
    world.tool("list", returns(items))
    plan = a_plan(
        Step(id="list", tool="list"),
        Step(id="each", tool="ok", for_each="${steps.list}", args={"x": "${item}"}),
    )
    async with opened(world) as engine:
        result = await carry_out(engine, plan)
    error = result.steps["each"].error
    assert error is not None
    assert error.error_class == "invalid"
    assert told in error.message
    assert world.count("ok") == 0


@pytest.mark.requirement("E5", "E17", "E9")
@simulated
async def test_each_item_has_its_own_when_approval_and_undo() -> None:
    world = a_world()
    world.pair("book", "cancel")
    plan = a_plan(
        Step(
            id="rooms",
            tool="book",
            for_each=[1, 2, 3, 4],
            when="${item != `2`}",
            approval="required",
            args={"n": "${item}"},
        ),
        Step(id="boom", tool="boom", needs=("rooms",)),
    )
    async with opened(world) as engine:
        run = await engine.start(plan)
        asked = (await run.status()).questions
        assert [question.step for question in asked] == ["rooms[0]", "rooms[2]", "rooms[3]"]
        assert len({question.digest for question in asked}) == 3
        for question in asked:
            await run.answer(question.step, "approve")
        result = await finish(engine, run)
    assert result.state == "undone"
    assert [call.args["n"] for call in world.of("book")] == [1, 3, 4]
    assert world.count("cancel") == 3
    assert not world.standing
    undone = {"rooms[0]": "undone", "rooms[2]": "undone", "rooms[3]": "undone"}
    assert states(result).items() >= {**undone, "rooms[1]": "skipped"}.items()


@pytest.mark.parametrize("policy", ["skip", "ignore"])
@pytest.mark.requirement("E5")
@simulated
async def test_a_skipped_or_ignored_item_is_null_in_the_list(policy: Any) -> None:
    world = a_world()
    world.tool("picky", refuse_two)
    plan = a_plan(
        Step(
            id="e",
            tool="picky",
            for_each=[1, 2, 3, 4],
            when="${item != `3`}",
            on_failure=policy,
            args={"n": "${item}"},
        ),
        Step(id="after", tool="ok", args={"all": "${steps.e}"}),
        output="${steps.e}",
    )
    async with opened(world) as engine:
        result = await carry_out(engine, plan)
    assert result.state == "succeeded"
    assert world.count("picky") == 3, "the others are not told to stop"
    assert result.output == [1, None, None, 4]
    assert world.step("after")[0].args == {"all": [1, None, None, 4]}
    assert states(result).items() >= {"e[1]": "failed", "e[2]": "skipped"}.items()
    assert [problem.step for problem in result.problems] == ["e[1]"]


async def refuse_two(call: Call, _ctx: Context) -> Json:
    if call.args["n"] == 2:
        raise FatalError("not two")
    return call.args["n"]


@pytest.mark.requirement("E4")
@simulated
async def test_a_question_holds_no_slot() -> None:
    world = a_world()
    plan = a_plan(
        Step(id="q", ask="Go on?"),
        Step(id="a", tool="ok"),
        Step(id="b", tool="ok"),
        Step(id="c", tool="ok", needs=("q",)),
        concurrency=1,
    )
    async with opened(world) as engine:
        run = await engine.start(plan)
        await until(run, "AttemptEnded", step="b")
        assert (await run.status()).state == "waiting"
        await run.answer("q", "yes")
        await finish(engine, run)
    assert world.steps == ["a", "b", "c"]


@pytest.mark.requirement("E4")
@simulated
async def test_a_limit_of_a_tool_holds_over_all_runs() -> None:
    world = World()
    world.tool("scarce", waits(1), limit=Limit(at_once=3))
    world.tool("ok", waits(1))
    steps = [Step(id=f"s{n}", tool="scarce") for n in range(4)]
    async with opened(world) as engine:
        runs = [await engine.start(a_plan(*steps, Step(id="x", tool="ok"))) for _ in range(3)]
        for run in runs:
            await finish(engine, run)
    scarce = World(calls=world.of("scarce"))
    assert len(scarce.calls) == 12
    assert scarce.most_at_once == 3
    assert max(call.ended_at or 0 for call in scarce.calls) == pytest.approx(4)
    assert all(call.began_at == 0 for call in world.of("ok")), "others do not wait for it"


@pytest.mark.requirement("E4")
@simulated
async def test_a_rate_of_a_tool_holds_over_all_runs() -> None:
    world = World()
    world.tool("paced", limit="5/s")
    steps = [Step(id=f"s{n}", tool="paced") for n in range(10)]
    async with opened(world) as engine:
        for run in [await engine.start(a_plan(*steps)) for _ in range(2)]:
            await finish(engine, run)
    begun = [call.began_at for call in world.calls]
    assert len(begun) == 20
    assert begun[:5] == [0, 0, 0, 0, 0]
    assert all(later - earlier >= 1 for earlier, later in zip(begun, begun[5:], strict=False))
    assert begun[-1] == pytest.approx(3, abs=0.2), "and nobody waits longer than needed"
