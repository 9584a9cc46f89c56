"""Money: what a turn may spend is reserved before, what it has spent is charged after."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from callsheet import Budget, Engine, tool
from callsheet.agents.money import Price
from callsheet.core.run.entries import AttemptEnded, AttemptStarted, StepsAdded
from callsheet.errors import InputError
from callsheet.testing.models import Drop, End, Gate, Say, ScriptedModel, calls

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from callsheet.agents.turn import Turn

PRICE = Price(input=3.0, output=15.0)


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
        opened.models.add("m", model, price=PRICE)
        yield opened


async def costs(turn: Turn) -> dict[str, tuple[float, float]]:
    """Of each answer: what was reserved, and what was charged in all its attempts."""
    found: dict[str, list[float]] = {}
    for entry in await turn.run.journal():
        if (
            isinstance(entry, AttemptStarted)
            and entry.step.startswith("a")
            and "_" not in entry.step
        ):
            found.setdefault(entry.step, [0.0, 0.0])[0] += entry.reserved.usd
        if isinstance(entry, AttemptEnded) and entry.step in found:
            found[entry.step][1] += entry.cost.usd
    return {step: (held, paid) for step, (held, paid) in found.items()}


async def test_an_answer_reserves_its_ceiling_and_is_charged_for_what_it_used(
    engine: Engine, model: ScriptedModel
) -> None:
    model.answers(*calls("c", "look", {"at": "x"}), End(input=1000, output=200))
    model.answers(Say("There."), End(input=1200, output=10))
    turn = await engine.turn("Look!", model="m", tools=["look"], budget=Budget(usd=1.0))
    answer = await turn.wait()
    first, second = (1000 * 3 + 200 * 15) / 1e6, (1200 * 3 + 10 * 15) / 1e6
    assert answer.cost.usd == pytest.approx(first + second)
    assert answer.cost.tokens == 2410
    paid = await costs(turn)
    assert paid["a1"][1] == pytest.approx(first)
    assert paid["a2"][1] == pytest.approx(second)
    assert all(held >= spent for held, spent in paid.values())
    # The next answer's ceiling has room for the longest result that it may be given.
    assert paid["a2"][0] >= (1200 + 20_000 / 2) * 3 / 1e6


async def test_a_turn_whose_budget_does_not_cover_an_answer_is_refused(
    engine: Engine, model: ScriptedModel
) -> None:
    with pytest.raises(InputError, match=r"does not cover the first answer, .* Raise the"):
        await engine.turn("Look!", model="m", budget=Budget(usd=0.01))
    assert not await engine.runs()
    assert model.requests == []


async def test_a_turn_stops_when_its_budget_covers_no_further_answer(
    engine: Engine, model: ScriptedModel
) -> None:
    model.answers(Say("Looking. "), *calls("c", "look", {"at": "x"}), End(input=1000, output=200))
    turn = await engine.turn("Look!", model="m", tools=["look"], budget=Budget(usd=0.13))
    answer = await turn.wait()
    assert answer.state == "stopped"
    assert "the budget does not cover a further answer" in answer.text
    assert [call.status for call in answer.calls] == ["complete"]
    assert len(model.requests) == 1


async def test_an_answer_that_was_cut_is_charged_by_estimate(
    engine: Engine, model: ScriptedModel
) -> None:
    model.answers(Say("x" * 4000), Drop())
    model.answers(Say("y" * 8000), Gate(asyncio.Event()))
    turn = await engine.turn("Look!", model="m", budget=Budget(usd=1.0))
    async for update in turn.flow():
        if "y" in str(update.get("append")):
            break
    await turn.cancel()
    answer = await turn.wait()
    (held, paid) = (await costs(turn))["a1"]
    assert paid == pytest.approx(answer.cost.usd)
    assert (1000 + 2000) * 15 / 1e6 <= paid < held, "what came, and never the whole ceiling"


async def test_an_interrupted_answer_says_that_it_is_estimated(
    engine: Engine, model: ScriptedModel
) -> None:
    model.answers(Say("x" * 400), *calls("c", "look", {"at": "x"}), Drop())
    model.answers(Say("There."))
    turn = await engine.turn("Look!", model="m", tools=["look"], budget=Budget(usd=1.0))
    await turn.wait()
    records: list[Any] = [
        entry
        for entry in await turn.run.journal()
        if isinstance(entry, AttemptEnded) and entry.step == "a1"
    ]
    assert b'"estimated":true' in bytes(records[0].output)
    assert b'"interrupted":true' in bytes(records[0].output)
    assert records[0].cost.usd > 0


async def test_nothing_that_a_model_wrote_stands_where_references_are_read(
    engine: Engine, model: ScriptedModel
) -> None:
    model.answers(*calls("${secrets.X}", "${secrets.X}", '{"at": "${secrets.X}"'))
    model.answers(Say("There."))
    turn = await engine.turn("${secrets.X}", model="m", tools=["look"])
    assert (await turn.wait()).state == "answered"
    for entry in await turn.run.journal():
        if isinstance(entry, StepsAdded):
            assert all(step.literal or "secrets" not in str(step.args) for step in entry.steps)
