"""The seventh point of the contract: what is meant is found out before anything is started."""

from __future__ import annotations

import pytest
from tests.acceptance.agents.troupe import troupe, writer

from callsheet.agents.intent import classify
from callsheet.testing import simulated
from callsheet.testing.models import ScriptedModel

pytestmark = pytest.mark.requirement("M6", "M1")


def test_a_greeting_is_told_from_a_production() -> None:
    assert classify("Hello!").intent == "greeting"
    assert classify("Make a film about Oslo.").intent == "production"


def test_what_nobody_understands_is_asked_about() -> None:
    unclear = classify("Bonjour, je voudrais un croissant.")
    assert (unclear.intent, unclear.is_clear) == ("unknown", False)


@simulated
async def test_a_greeting_starts_its_own_turn_and_asks_no_agent() -> None:
    model = ScriptedModel()
    async with troupe([writer()], model) as engine:
        turn = await engine.turn("Hello!", model="offline")
        await turn.wait()
        assert [head.name for head in await engine.runs()] == ["turn"]
        assert not model.requests
