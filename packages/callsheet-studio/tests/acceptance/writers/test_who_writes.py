"""Who writes: an agent, a model, or nobody but us; and the report says which."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from tests.acceptance.command import EXAMPLES
from tests.acceptance.writers.desk import (
    Scripts,
    a_script,
    check,
    is_about_shots,
    office,
    overlong,
    planned,
    round_of,
)

from callsheet.errors import InputError
from callsheet.testing.models import ModelServer, Say

if TYPE_CHECKING:
    from pathlib import Path

# Real sockets, real libraries, and the solver.
pytestmark = [pytest.mark.slow, pytest.mark.requirement("P3")]

BRIEF = EXAMPLES / "briefs" / "saltwing.yaml"
AGENT = """
[agents.smith]
role = "writer"
capabilities = ["script.write", "shots.write"]
models = ["{model}"]
"""
TYPED = """
[agents.typed]
role = "writer"
models = ["writer"]
[agents.typed.capabilities."script.write"]
input = "brief.json"
output = "script.json"
"""


async def test_auto_is_an_agent_that_is_able_and_it_is_told_what_is_wrong(tmp_path: Path) -> None:
    scripts = Scripts(BRIEF)

    def said(asked: Any) -> list[Say]:
        spoil = overlong if round_of(asked) == 1 else None
        told = scripts.shots() if is_about_shots(asked) else scripts.script(spoil)
        return [Say(f"```json\n{json.dumps(told)}\n```")]

    more = AGENT.format(model="writer")
    async with ModelServer() as server, office(server, tmp_path, more=more) as engine:
        server.otherwise(said)
        made = await planned(engine, scripts.brief, "auto")
        writer = check(made)
        assert (writer["asked"], writer["way"], writer["agents"]) == ("auto", "agent", ["smith"])
        assert writer["beats"] == {"model": len(made.script.beats)}
        assert {beat.source_step for beat in made.script.beats} == {"script_answer_2"}
        result = await (await engine.get(made.run)).wait()
        assert result.steps["script_answer_1"].child
        assert result.cost.tokens == 45


async def test_an_agent_with_schemas_of_its_own_is_given_the_brief(tmp_path: Path) -> None:
    scripts = Scripts(BRIEF)
    (tmp_path / "brief.json").write_text(
        json.dumps({"type": "object", "properties": {"message": {"type": "object"}}})
    )
    (tmp_path / "script.json").write_text(
        json.dumps({"type": "object", "properties": {"beats": {"type": "array"}}})
    )
    async with ModelServer() as server, office(server, tmp_path, more=TYPED) as engine:
        server.otherwise(lambda _: [Say(json.dumps({"result": scripts.script()}))])
        made = await planned(engine, scripts.brief, "auto")
        writer = check(made)
        assert (set(writer["beats"]), set(writer["shots"])) == ({"model"}, {"offline"})
        told = json.dumps(server.requests[0].body)
        assert scripts.brief.message.cta in told


async def test_auto_is_offline_without_an_agent_or_a_model_that_can_be_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    scripts = Scripts(BRIEF)
    cases = {
        "": "no agent is able to",
        AGENT.format(model="offline"): "no model of 'smith' can be asked here",
        AGENT.format(model="openai:gpt-5"): "no model of 'smith' can be asked here",
    }
    async with ModelServer() as server:
        for more, why in cases.items():
            async with office(server, tmp_path, more=more) as engine:
                writer = check(await planned(engine, scripts.brief, "auto"))
                assert (writer["way"], writer["why"]) == ("offline", why)
        assert server.requests == []


async def test_a_writer_that_cannot_be_asked_is_refused_before_anything_is_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    scripts = Scripts(BRIEF)
    async with ModelServer() as server, office(server, tmp_path) as engine:
        for name in ("riter", "openai:gpt-5", f"recorded:{tmp_path / 'none.jsonl'}"):
            with pytest.raises(InputError, match="cannot write"):
                await planned(engine, scripts.brief, name)
        assert list(await engine.runs()) == []


async def test_a_model_is_not_asked_the_same_twice(tmp_path: Path) -> None:
    scripts = Scripts(BRIEF)
    async with ModelServer() as server, office(server, tmp_path) as engine:
        server.otherwise(a_script(scripts))
        first = await planned(engine, scripts.brief)
        second = await planned(engine, scripts.brief)
        assert (first.script, first.shots) == (second.script, second.shots)
        assert len(server.requests) == 2
        assert (await (await engine.get(second.run)).wait()).cost.tokens == 0
