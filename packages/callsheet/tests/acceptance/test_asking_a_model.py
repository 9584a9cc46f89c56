"""`model.ask`: one question to a model, as a step of any plan."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, cast

import pytest

from callsheet import Budget, Engine, Plan, Step
from callsheet.agents.money import Price
from callsheet.core.run.entries import AttemptStarted
from callsheet.errors import PlanError
from callsheet.testing.models import Drop, End, Say, ScriptedModel, calls

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping

    from callsheet import Result

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "degrees": {"type": "integer"}},
    "required": ["city"],
    "additionalProperties": False,
}


@pytest.fixture
def model() -> ScriptedModel:
    return ScriptedModel()


@pytest.fixture
async def engine(model: ScriptedModel) -> AsyncIterator[Engine]:
    async with asyncio.timeout(60), Engine.in_memory([]) as opened:
        opened.models.add("m", model, price=Price(input=3.0, output=15.0))
        yield opened


def asking(args: Mapping[str, Any], **more: Any) -> Plan:
    return Plan(
        steps=[Step(id="ask", tool="model.ask", args={"model": "m", "message": "Where?", **args})],
        output="${steps.ask}",
        **more,
    )


def said(result: Result) -> dict[str, Any]:
    return cast("dict[str, Any]", result.output)


@pytest.mark.requirement("E13")
async def test_a_plan_asks_a_model_and_records_what_was_sent_and_answered(
    engine: Engine, model: ScriptedModel
) -> None:
    model.answers(*calls("c", "answer", {"city": "Oslo"}), End(input=100, output=10))
    args = {"instructions": "Say where.", "schema": SCHEMA, "max_tokens": 500}
    run = await engine.start(asking(args))
    result = await run.wait()
    told = said(result)
    assert told["data"] == {"city": "Oslo"}
    assert told["problems"] == []
    assert told["model"]["asked"] == "m"
    assert told["settings"]["asked"]["max_tokens"] == 500
    assert told["settings"]["asked"]["temperature"] == 0
    assert told["usage"] == {"input": 100, "output": 10}
    assert result.cost.usd == pytest.approx((100 * 3 + 10 * 15) / 1e6)
    assert result.cost.tokens == 110
    kept = [each["$artifact"] for each in told["kept"]]
    assert kept == [told["request"], told["response"]]
    assert (await engine.replay(run.id)).same
    assert len(model.requests) == 1


@pytest.mark.parametrize(
    ("text", "data", "problem"),
    [
        ('{"city": "Rome"}', {"city": "Rome"}, ""),
        ('```json\n{"city": "Rome"}\n```', {"city": "Rome"}, ""),
        ('{"city": 3}', {"city": 3}, "city: "),
        ('{"city": "Rome", "mail": 1}', {"city": "Rome", "mail": 1}, "mail"),
        ('{"city": "Ro', None, "no JSON"),
        ("[1]", None, "no object"),
        ("I cannot help with that.", None, "no JSON"),
        ("", None, "empty"),
    ],
)
async def test_what_does_not_fit_is_told_with_its_place_and_is_the_plans_to_judge(
    engine: Engine, model: ScriptedModel, text: str, data: object, problem: str
) -> None:
    model.answers(Say(text))
    told = said(await (await engine.start(asking({"schema": SCHEMA}))).wait())
    assert told["data"] == data
    assert bool(told["problems"]) == bool(problem)
    assert problem in " ".join(told["problems"])


async def test_nothing_that_it_answers_is_called(engine: Engine, model: ScriptedModel) -> None:
    model.answers(*calls("c", "mail.send", {"to": "all"}))
    result = await (await engine.start(asking({"schema": SCHEMA}))).wait()
    assert [*result.steps] == ["ask"]
    assert "'mail.send'" in said(result)["problems"][0]


async def test_text_is_streamed_and_returned(engine: Engine, model: ScriptedModel) -> None:
    model.answers(Say("In Oslo.", split=2))
    told = said(await (await engine.start(asking({}))).wait())
    assert (told["text"], told["data"]) == ("In Oslo.", None)


async def test_a_stream_that_dies_is_tried_again_and_paid_for_as_far_as_it_came(
    engine: Engine, model: ScriptedModel
) -> None:
    model.answers(Say("x" * 400), Drop())
    model.answers(*calls("c", "answer", {"city": "Oslo"}), End(input=10, output=5))
    plan = Plan(
        steps=[
            Step(
                id="ask",
                tool="model.ask",
                args={"model": "m", "message": "Where?", "schema": SCHEMA},
                retry={"attempts": 2, "backoff": 0},
            )
        ]
    )
    result = await (await engine.start(plan)).wait()
    assert result.steps["ask"].attempts == 2
    assert result.cost.tokens > 115


async def test_a_refusal_is_denied_and_not_asked_again(
    engine: Engine, model: ScriptedModel
) -> None:
    model.answers(Say("No."), End(reason="content_filter"))
    result = await (await engine.start(asking({"schema": SCHEMA}))).wait()
    error = result.steps["ask"].error
    assert error is not None
    assert error.error_class == "denied"
    assert len(model.requests) == 1


async def test_its_ceiling_is_reserved_in_a_run_with_a_cap(
    engine: Engine, model: ScriptedModel
) -> None:
    ceiling = engine.models.ceiling("m", characters=1000, max_tokens=100)
    model.answers(Say("Oslo."), End(input=10, output=5))
    step = Step(
        id="ask",
        tool="model.ask",
        args={"model": "m", "message": "Where?", "max_tokens": 100},
        ceiling=ceiling,
    )
    run = await engine.start(Plan(steps=[step], budget=Budget(usd=1)))
    await run.wait()
    held = [e.reserved for e in await run.journal() if isinstance(e, AttemptStarted)]
    assert [each.usd for each in held] == [ceiling.usd]
    assert ceiling.usd > 100 * 15 / 1e6


async def test_a_model_that_is_not_there_and_a_schema_that_is_none_are_invalid(
    engine: Engine,
) -> None:
    for args in ({"model": "nobody"}, {"schema": {"type": "thing"}}):
        result = await (await engine.start(asking(args))).wait()
        error = result.steps["ask"].error
        assert error is not None
        assert error.error_class == "invalid"
    with pytest.raises(PlanError, match="mesage"):
        await engine.start(Plan(steps=[Step(id="a", tool="model.ask", args={"mesage": "x"})]))


async def test_it_is_offered_to_nobody(engine: Engine) -> None:
    assert "model.ask" not in engine.tools.names()
