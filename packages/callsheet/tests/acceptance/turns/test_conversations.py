"""Conversations: one turn at a time, kept for as long as somebody wants to go on with them."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from callsheet import Budget, Engine, tool
from callsheet.agents.terms import Limits
from callsheet.errors import InputError, RequestRefusedError
from callsheet.testing.models import End, Gate, Say, ScriptedModel, calls

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from callsheet.tools.function.declare import AnyTool


@tool("look", effect="read")
async def look(at: str) -> str:
    """Look at something."""
    return f"{at} is there"


@pytest.fixture
def model() -> ScriptedModel:
    return ScriptedModel()


@pytest.fixture
async def engine(model: ScriptedModel) -> AsyncIterator[Engine]:
    async with asyncio.timeout(60), Engine.in_memory([look]) as opened:
        opened.models.add("m", model)
        yield opened


@pytest.mark.requirement("T10")
async def test_a_conversation_has_one_turn_at_a_time(engine: Engine, model: ScriptedModel) -> None:
    go = asyncio.Event()
    model.answers(Say("Well. "), Gate(go), Say("Yes."))
    model.answers(Say("Again."))
    first = await engine.turn("One?", model="m")
    with pytest.raises(RequestRefusedError, match=first.id):
        await engine.turn("Two?", model="m", conversation=first.conversation)
    go.set()
    await first.wait()
    second = await engine.turn("Two?", model="m", conversation=first.conversation)
    assert (await second.wait()).text == "Again."


@pytest.mark.requirement("T10")
async def test_of_two_turns_at_once_one_is_refused(engine: Engine, model: ScriptedModel) -> None:
    go = asyncio.Event()
    model.answers(Gate(go), Say("Yes."))
    model.answers(Gate(go), Say("No."))

    async def ask(text: str) -> str:
        try:
            return (await engine.turn(text, model="m", conversation="talk")).id
        except RequestRefusedError as exc:
            return exc.message

    async with asyncio.TaskGroup() as group:
        asked = [group.create_task(ask("The same?")) for _ in range(2)]
    first, second = sorted((task.result() for task in asked), key=len)
    assert first in second
    go.set()
    assert (await (await engine.get_turn(first)).wait()).state == "answered"


@pytest.mark.requirement("T10")
async def test_the_same_message_with_the_same_key_is_one_turn(
    engine: Engine, model: ScriptedModel
) -> None:
    model.answers(Say("Yes."))
    model.answers(Say("No."))
    first = await engine.turn("One?", model="m", key="k1")
    again = await engine.turn("One?", model="m", key="k1")
    assert (first.id, first.conversation) == (again.id, again.conversation)
    await first.wait()
    talk = first.conversation
    second = await engine.turn("Two?", model="m", conversation=talk, key="k2")
    assert (await engine.turn("Two?", model="m", conversation=talk, key="k2")).id == second.id
    await second.wait()
    assert (await engine.turn("One?", model="m", conversation=talk, key="k1")).id == first.id
    assert len(model.requests) == 2


# Twenty turns, each with a call, on a disk.
@pytest.mark.slow
async def test_what_was_said_outlives_the_runs(tmp_path: Path) -> None:
    model = ScriptedModel()
    async with asyncio.timeout(120), Engine.open(tmp_path, [look]) as engine:
        engine.models.add("m", model)
        for number in range(20):
            model.answers(*calls(f"c{number}", "look", {"at": f"x{number}"}))
            model.answers(Say(f"Answer {number}."))
            turn = await engine.turn(f"Question {number}?", model="m", conversation="talk")
            assert (await turn.wait()).state == "answered"
        await engine.prune(timedelta())
        assert not await engine.runs()
        await engine.collect(grace=timedelta())
        model.answers(Say("All there."))
        turn = await engine.turn("Last?", model="m", conversation="talk")
        assert (await turn.wait()).text == "All there."
        said = [type(message).__name__ for message in model.requests[-1].messages]
        assert said == [
            *(["UserMessage", "AnswerMessage", "ResultsMessage", "AnswerMessage"] * 20),
            "UserMessage",
        ]
        # A conversation that is deleted lets go of what it had.
        await engine.prune(timedelta())
        await engine.context.delete("conversation:talk")
        await engine.collect(grace=timedelta())
        assert [each async for each in engine._bytes.kept()] == []  # noqa: SLF001 -- nothing is left


# On a disk, opened twice; and the pause before a second try.
@pytest.mark.slow
async def test_a_model_of_ones_own_may_be_added_after_the_turn_was_taken_up(tmp_path: Path) -> None:
    model = ScriptedModel()
    model.answers(Gate(asyncio.Event()))
    model.answers(Say("Here again."))
    async with asyncio.timeout(60):
        async with Engine.open(tmp_path, [look], drain=0) as engine:
            engine.models.add("m", model)
            turn = await engine.turn("Hello?", model="m")
            while not model.requests:
                await asyncio.wait_for(anext(turn.flow()), 10)
        async with Engine.open(tmp_path, [look]) as engine:
            turn = await engine.get_turn(turn.id)
            engine.models.add("m", model)
            assert (await turn.wait()).text == "Here again."


async def test_a_turn_that_was_cancelled_before_it_began_is_gone_on_with(
    engine: Engine, model: ScriptedModel
) -> None:
    model.answers(Gate(asyncio.Event()))
    model.answers(Say("Yes."))
    first = await engine.turn("One?", model="m")
    await first.cancel()
    assert (await first.wait()).state == "cancelled"
    second = await engine.turn("Two?", model="m", conversation=first.conversation)
    await second.wait()
    texts = [getattr(message, "text", "") for message in model.requests[-1].messages]
    assert texts == ["One?", "Two?"]


async def test_a_large_result_is_cut_and_says_where_the_rest_is(
    engine: Engine, model: ScriptedModel
) -> None:
    model.answers(*calls("c", "look", {"at": "y" * 200_000}))
    model.answers(Say("Long."))
    turn = await engine.turn("Look!", model="m", tools=["look"])
    answer = await turn.wait()
    (result,) = model.requests[-1].messages[-1].results  # type: ignore[union-attr]
    assert len(result.content) == 20_000
    assert f"{turn.id}/a1_c1" in result.content
    assert answer.state == "answered"
    updates = [update async for update in turn.flow()]
    assert max(len(str(update)) for update in updates) < 10_000


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"model": "nobody"}, "There is no model 'nobody'"),
        ({"tools": ["loook"]}, "Did you mean 'look'"),
        ({"tools": "look"}, "a list of names"),
        ({"conversation": "../x"}, "cannot be a conversation"),
        ({"limits": Limits(rounds=0)}, "rounds=0 is no limit"),
        ({"limits": Limits(turn=-1)}, "turn=-1 is no limit"),
        ({"model": "openai:gpt-5"}, "OPENAI_API_KEY"),
        ({"model": "recorded:none.jsonl"}, "Cannot read the recording"),
    ],
)
async def test_bad_input_is_refused_whole(
    engine: Engine, options: dict[str, object], words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(InputError, match=words):
        await engine.turn("Hello?", **{"model": "m", **options})  # type: ignore[arg-type]
    with pytest.raises(InputError, match="The message is empty"):
        await engine.turn("  ", model="m")
    assert not await engine.runs()


async def test_without_a_price_a_budget_in_dollars_is_refused(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    with pytest.raises(InputError, match="The price of 'openai:never-heard-of' is unknown"):
        await engine.turn("Hello?", model="openai:never-heard-of", budget=Budget(usd=1))


async def test_a_run_that_is_no_turn_is_not_taken_for_one(engine: Engine) -> None:
    run = await engine.start({"steps": [{"id": "a", "tool": "look", "args": {"at": "x"}}]})
    await run.wait()
    with pytest.raises(InputError, match="is no turn"):
        await engine.get_turn(run.id)


async def test_without_being_told_a_model_gets_the_reads_that_are_not_the_machines(
    engine: Engine, model: ScriptedModel
) -> None:
    model.answers(Say("Hm."), End(input=1, output=1))
    await (await engine.turn("Hello?", model="m")).wait()
    assert [tool.name for tool in model.requests[0].tools] == ["look"]


async def test_what_nobody_named_is_offered_as_far_as_it_can_be_read_each_time(
    model: ScriptedModel,
) -> None:
    def lookup(name: str, **terms: Any) -> AnyTool:
        async def function(at: str) -> str:
            return at

        return tool(name, effect="read", description="x" * 9_000, **terms)(function)

    own = [lookup("z.own"), lookup("y.own"), lookup("file_of_ours", machine=True)]
    of_apps = [lookup(f"app.n{number}") for number in range(5)]
    model.answers(Say("Hm."), End(input=1, output=1))
    async with Engine.in_memory([*own, *of_apps]) as engine:
        engine.tools.are_of_apps(each.spec.name for each in of_apps)
        engine.models.add("m", model)
        turn = await engine.turn("Hello?", model="m")
        flow = [update async for update in turn.flow()]
    assert [each.name for each in model.requests[0].tools] == ["y.own", "z.own", "app.n0"]
    (note,) = (update["text"] for update in flow if update["kind"] == "note")
    assert str(note).startswith("4 more tools were not offered: nobody named them")
