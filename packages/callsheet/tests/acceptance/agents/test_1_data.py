"""The first point of the contract: an agent is data, and its work is a step like any other."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from pydantic import BaseModel
from tests.acceptance.agents.troupe import (
    CAPABILITY,
    Deeds,
    all_replay,
    done,
    journal_of,
    result,
    step,
    troupe,
    writer,
)

from callsheet import Agent, Capability, Engine, RunState, StepState
from callsheet.core.run.entries import RunStarted
from callsheet.errors import ConfigurationError, PlanError
from callsheet.testing import simulated
from callsheet.testing.models import Say, ScriptedModel, calls

if TYPE_CHECKING:
    from callsheet.core.value import Json

pytestmark = pytest.mark.requirement("M1")


class Brief(BaseModel):
    """What a writer is given."""

    topic: str
    seconds: int = 30


class Commission(BaseModel):
    """A brief, and what else is said of it."""

    brief: Brief
    alike: list[Brief] = []


class Script(BaseModel):
    """What a writer gives."""

    title: str


@simulated
async def test_an_agent_is_called_like_a_tool_and_its_answer_is_the_output_of_the_step() -> None:
    model = ScriptedModel([result({"title": "Oslo"})])
    async with troupe([writer()], model) as engine:
        called: dict[str, Json] = {
            "id": "w",
            "tool": "agent.smith",
            "args": {"capability": CAPABILITY, "args": {"task": "go"}},
        }
        ended = await done(engine, called, output="${steps.w.title}")
        assert (ended.state, ended.output) == (RunState.SUCCEEDED, "Oslo")
        assert "agent.smith" in engine.tools.names()
        assert await all_replay(engine)


@simulated
async def test_a_step_may_name_what_it_wants_instead_of_who() -> None:
    model = ScriptedModel([result({"title": "Oslo"})])
    async with troupe([writer()], model) as engine:
        ended = await done(engine, step("a film about Oslo"), output="${steps.w}")
        assert ended.output == {"title": "Oslo"}
    assert model.requests[0].messages[-1].text == "a film about Oslo"  # type: ignore[union-attr]


@simulated
async def test_what_it_does_is_a_run_of_its_own_below_the_step() -> None:
    async with troupe([writer()], ScriptedModel([result({"title": "x"})])) as engine:
        ended = await done(engine, step())
        started = (await journal_of(engine))[0]
        assert isinstance(started, RunStarted)
        assert started.parent is not None
        assert (started.parent.run, started.parent.step) == (ended.run, "w")
        assert ended.steps["w"].child == started.run


@simulated
async def test_schemas_may_be_models_of_pydantic_and_arguments_are_checked_by_them() -> None:
    agent = writer(capabilities={CAPABILITY: Capability(input=Brief, output=Script)})
    async with troupe([agent], ScriptedModel([result({"title": "x"})])) as engine:
        wrong: dict[str, Json] = {**step(), "args": {"seconds": "many"}}
        with pytest.raises(PlanError) as refused:
            await done(engine, wrong)
        assert "topic" in refused.value.message
        ended = await done(engine, {**step(), "args": {"topic": "fish"}})
        assert ended.state is RunState.SUCCEEDED


@simulated
async def test_models_of_pydantic_may_hold_others() -> None:
    agent = writer(capabilities={CAPABILITY: Capability(input=Commission, output=Script)})
    async with troupe([agent], ScriptedModel([result({"title": "x"})])) as engine:
        by_name: dict[str, Json] = {"id": "w", "tool": "agent.smith"}
        asked: Json = {"capability": CAPABILITY, "args": {"brief": {"topic": "fish"}}}
        wrong: Json = {"capability": CAPABILITY, "args": {"brief": {"topic": 1}}}
        with pytest.raises(PlanError, match="topic"):
            await done(engine, {**by_name, "args": wrong})
        ended = await done(engine, {**by_name, "args": asked})
        assert ended.state is RunState.SUCCEEDED


@simulated
async def test_an_answer_that_does_not_fit_goes_back_twice_then_the_step_is_invalid() -> None:
    bad = [Say("no"), result({"titel": 1}), Say('{"title": "x"}')]
    model = ScriptedModel(*([each] for each in bad))
    async with troupe([writer()], model) as engine:
        ended = await done(engine, step())
        assert ended.state is RunState.FAILED
        error = ended.steps["w"].error
        assert error is not None
        assert error.error_class == "invalid"
        assert len(model.requests) == 3
        said = [str(each.messages[-1]) for each in model.requests]
        assert "result.titel" in said[2] or "result.title" in said[2]
        assert await all_replay(engine)


@simulated
async def test_a_correction_is_enough() -> None:
    model = ScriptedModel([Say("well…")], [Say('```json\n{"result": {"title": "x"}}\n```')])
    async with troupe([writer()], model) as engine:
        assert (await done(engine, step(), output="${steps.w.title}")).output == "x"


@simulated
async def test_without_schemas_it_takes_a_task_and_gives_text() -> None:
    agent = writer(capabilities=["script.write"])
    async with troupe([agent], ScriptedModel([Say("Once upon a time")])) as engine:
        ended = await done(engine, step(), output="${steps.w.text}")
        assert ended.output == "Once upon a time"


@simulated
async def test_undoing_the_step_undoes_what_its_calls_did() -> None:
    deeds = Deeds()
    model = ScriptedModel([*calls("1", "notes.put", {"text": "a"})], [result({"title": "x"})])
    async with troupe([writer(tools=("notes.put",))], model, deeds.tools) as engine:
        run = await engine.start({"steps": [step()]})
        await run.wait()
        assert deeds.done == ["put a"]
        await run.undo()
        ended = await run.wait()
        assert (ended.state, deeds.done) == (RunState.UNDONE, ["put a", "drop a"])
        assert ended.steps["w"].state is StepState.UNDONE
        assert await all_replay(engine)


@simulated
async def test_the_effect_of_an_agent_is_that_of_its_tools_and_its_ceiling_its_budget() -> None:
    deeds = Deeds()
    agents = [
        writer("reads", tools=("notes.look",), budget={"usd": 0.5}),
        writer("does", tools=("notes.put",)),
    ]
    async with troupe(agents, ScriptedModel(), deeds.tools) as engine:
        reads, does = (engine.tools.spec(f"agent.{name}") for name in ("reads", "does"))
        assert reads is not None
        assert does is not None
        assert (reads.effect, does.effect) == ("read", "write")
        assert reads.ceiling is not None
        assert reads.ceiling.usd == 0.5


async def test_a_run_keeps_the_version_of_the_prompt_it_was_started_with(tmp_path: Path) -> None:
    prompt = tmp_path / "smith.md"
    prompt.write_text("Write like a poet.")
    plan: dict[str, Json] = {
        "steps": [{"id": "ok", "ask": "go?"}, {**step(), "needs": ["ok"]}],
    }
    first, second = ScriptedModel(), ScriptedModel([result({"title": "x"})])
    agents = [writer(prompt=prompt)]
    options: dict[str, Any] = {"agents": agents, "recover": False}
    async with Engine.open(tmp_path / "home", models={"scripted": first}, **options) as engine:
        run = await engine.start(plan)
    prompt.write_text("Write like a clerk.")
    async with Engine.open(tmp_path / "home", models={"scripted": second}, **options) as engine:
        run = await engine.resume(run.id)
        await run.answer("ok", "yes")
        assert (await run.wait()).state is RunState.SUCCEEDED
    assert "Write like a poet." in second.requests[0].instructions


def test_everything_wrong_with_agents_is_said_at_once_with_its_place() -> None:
    agents = [
        writer("a", models=("nobodys", "scripted"), tools=("no.tool", "agent.b")),
        writer("b", prompt=Path("not-there.md"), reads=("",)),
        writer("b"),
        writer("c", capabilities={}, models=()),
        writer("Not A Name"),
        writer("d", capabilities={CAPABILITY: Capability(input={"type": "nothing"})}),
        writer("e", limits={"depth": 99}, concurrency=0),
    ]
    with pytest.raises(ConfigurationError) as refused:
        Engine.toolroom(agents=agents, models={"scripted": ScriptedModel()})
    places = [str(getattr(each, "place", "")) for each in refused.value.problems]
    assert [place for place in places if place.startswith("agents[0]")] == [
        "agents[0].models[0]",
        "agents[0].tools[0]",
        "agents[0].tools[1]",
    ]
    assert "agents[1].prompt" in places
    assert "agents[2]" in places
    assert {"agents[3].capabilities", "agents[3].models", "agents[4]"} <= {*places}
    assert "agents[5].capabilities['script.write'].input" in places
    assert {"agents[6].limits", "agents[6].concurrency"} <= {*places}


def test_agents_of_the_configuration_are_the_same_data(tmp_path: Path) -> None:
    (tmp_path / "prompts").mkdir()
    (tmp_path / "prompts" / "smith.md").write_text("Write.")
    (tmp_path / "script.json").write_text('{"type": "object"}')
    file = tmp_path / "callsheet.toml"
    file.write_text(
        """
[agents.smith]
role = "writer"
models = ["offline"]
prompt = "prompts/smith.md"
tools = ["http.get"]
reads = ["style:*"]
writes = ["notes:*"]
budget = {usd = 1.0}
concurrency = 2
[agents.smith.capabilities."script.write"]
output = "script.json"
"""
    )
    (card,) = Engine.toolroom(config=file).agents.able("script.write")
    assert (card.name, card.role, card.instructions) == ("smith", "writer", "Write.")
    assert card.capabilities["script.write"].output == {"type": "object"}
    assert (card.models, card.tools) == (("offline",), ("http.get",))


def test_a_wrong_table_is_refused_with_its_place(tmp_path: Path) -> None:
    file = tmp_path / "callsheet.toml"
    file.write_text(
        '[agents.smith]\nrole = "A Writer"\ncapabilities = ["Write It"]\nmodels = "offline"\n'
        "colour = 1\n"
    )
    with pytest.raises(ConfigurationError) as refused:
        Engine.toolroom(config=file)
    places = {str(getattr(each, "place", "")) for each in refused.value.problems}
    assert {f"agents.smith.{name}" for name in ("role", "capabilities", "models", "colour")} == (
        places
    )


def test_an_agent_may_go_by_its_role() -> None:
    agent = Agent(role="writer", capabilities=["a"], models=["offline"])
    (state,) = Engine.toolroom(agents=[agent]).agents.list()
    assert (state.card.name, state.usable) == ("writer", True)
