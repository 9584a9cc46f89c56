"""A goal becomes a plan that runs while it is written."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING

import pytest
from tests.acceptance.drafts.drawing import ALL, answers, at, drawn, mail, put, says, told
from tests.acceptance.turns.theatre import Tools, opened

from callsheet import sync
from callsheet.core.plan.plan import Budget
from callsheet.core.run.entries import AttemptEnded, RunStarted, StepsAdded
from callsheet.testing.models import End, Gate, ModelServer, Say, ScriptedModel

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.requirement("M5")


async def test_a_step_starts_while_the_rest_is_still_being_written() -> None:
    tools, more = Tools(), asyncio.Event()
    begins = Say('{"steps": [{"id": "oslo", "tool": "weather.at", "args": {"city": "Oslo"}}')
    rest = Say(', {"id": "rome", "tool": "weather.at", "args": {"city": "${steps.oslo.city}"}}]')
    ends = Say(', "output": "${steps.rome.degrees}"}')
    async with drawn(tools, (begins, Gate(more), rest, ends)) as (engine, _):
        run = await engine.plan_for("How cold is it?", tools=["weather.at"], model="m")
        oslo = await run.step("oslo").result()
        assert oslo.state == "succeeded", "and the model has not ended"
        more.set()
        result = await run.wait()
        report = await engine.replay(run.id)
    assert (result.state, result.output) == ("succeeded", 4)
    assert tools.done == [("weather.at", "Oslo"), ("weather.at", "Oslo")]
    assert report.same


async def test_a_step_waits_for_those_that_it_refers_to() -> None:
    tools = Tools()
    steps = (at("b", "${steps.a.city}"), at("c", "Bern", needs=["b"]), at("a", "Oslo"))
    async with drawn(tools, says(*steps, output="${steps.c.city}")) as (engine, _):
        run = await engine.plan_for("Go", tools=["weather.at"], model="m")
        result = await run.wait()
        entries = await run.journal()
    assert result.output == "Bern"
    added = [step.id for each in entries if isinstance(each, StepsAdded) for step in each.steps]
    assert added == ["a", "b", "c"]


async def test_a_write_without_an_undo_waits_for_the_end_of_the_draft() -> None:
    tools, more = Tools(), asyncio.Event()
    document = json.dumps({"steps": [mail("sent", "Ada"), put("noted", "one")], "output": 1})
    head, tail = document[:-3], document[-3:]
    async with drawn(tools, (Say(head), Gate(more), Say(tail))) as (engine, _):
        run = await engine.plan_for("Tell Ada", tools=ALL, model="m")
        await run.step("noted").result()
        assert tools.count("mail.send") == 0
        more.set()
        result = await run.wait()
    assert result.state == "succeeded"
    assert tools.done == [("notes.put", "one"), ("mail.send", "Ada")]


async def test_what_is_built_on_a_late_write_waits_with_it() -> None:
    tools = Tools()
    steps = (mail("sent", "Ada"), put("noted", "${steps.sent}"))
    async with drawn(tools, says(*steps, output="${steps.noted}")) as (engine, _):
        run = await engine.plan_for("Tell Ada", tools=ALL, model="m")
        assert (await run.wait()).output == "note sent"


async def test_the_frame_of_the_plan_is_the_callers() -> None:
    tools = Tools()
    async with drawn(tools, says(at("a", "${inputs.city}"), output="${steps.a.city}")) as (e, _):
        run = await e.plan_for(
            "Go",
            tools=["weather.*"],
            model="m",
            name="cold",
            inputs={"city": "Oslo"},
            budget=Budget(calls=5),
            on_failure="stop",
            on_cancel="keep",
            concurrency=3,
        )
        result = await run.wait()
        entries = await run.journal()
        started = entries[0]
    assert isinstance(started, RunStarted)
    plan = started.plan
    assert result.output == "Oslo"
    assert (plan.name, plan.on_failure, plan.on_cancel) == ("cold", "stop", "keep")
    assert (plan.budget, plan.concurrency) == (Budget(calls=5), 3)


async def test_without_an_output_a_joiner_answers_and_its_words_are_data() -> None:
    tools = Tools()
    lost = at("lost", "Nowhere", on_failure="ignore")
    said = "Cold, ${steps.oslo} and ${secrets.KEY}."
    async with drawn(tools, says(at("oslo", "Oslo"), lost), answers(said)) as (engine, model):
        run = await engine.plan_for("Is it cold?", tools=["weather.at"], model="m")
        result = await run.wait()
        report = await engine.replay(run.id)
    assert (result.state, result.output) == ("succeeded", said)
    assert '- oslo: {"city":"Oslo","degrees":4}' in told(model, 1)
    assert "- lost: did not succeed: invalid: There is no such city." in told(model, 1)
    assert report.same


async def test_a_joiner_adds_steps_five_rounds_at_most() -> None:
    tools = Tools()
    rounds = [says(at(f"r{number}", f"City {number}")) for number in range(5)]
    script = [*rounds, says(at("one_too_many", "Oslo")), answers("Enough.")]
    async with drawn(tools, *script) as (engine, model):
        run = await engine.plan_for("Go on", tools=["weather.at"], model="m")
        result = await run.wait()
    assert result.output == "Enough."
    assert tools.count("weather.at") == 5, "the steps of the last round were not run"
    assert "This is the last round" in told(model, 5)
    assert "this was the last round" in told(model, 6)


async def test_a_joiner_may_give_an_output_of_steps() -> None:
    tools = Tools()
    more = says(at("rome", "Rome"), output=["${steps.oslo.city}", "${steps.rome.city}"])
    async with drawn(tools, says(at("oslo", "Oslo")), more) as (engine, _):
        run = await engine.plan_for("Two", tools=["weather.at"], model="m")
        assert (await run.wait()).output == ["Oslo", "Rome"]


async def test_only_a_draft_runs_nothing_and_gives_the_plan() -> None:
    tools = Tools()
    script = says(at("a", "Oslo"), mail("m", "Ada"), output="${steps.a}")
    async with drawn(tools, script) as (engine, _):
        run = await engine.plan_for("Go", tools=ALL, model="m", name="cold", only_draft=True)
        result = await run.wait()
        assert isinstance(result.output, dict)
        again = await engine.run(result.output)
    assert result.output["name"] == "cold"
    assert tools.count("mail.send") == 1, "by the run of the plan, not by its draft"
    assert again.state == "succeeded"


async def test_a_saved_plan_is_a_step_if_it_is_offered() -> None:
    tools = Tools()
    script = says({"id": "sub", "plan": "cold", "args": {"city": "Oslo"}}, output="${steps.sub}")
    saved = {"name": "cold", "inputs": {"city": "string"}, "steps": [at("a", "${inputs.city}")]}
    async with drawn(tools, script) as (engine, model):
        await engine.plans.save(
            engine.read({"callsheet": 1, **saved, "output": "${steps.a.degrees}"})
        )
        run = await engine.plan_for("Go", tools=["plan:cold"], model="m")
        assert (await run.wait()).output == 4
    assert '"plan":"cold"' in model.requests[0].instructions


async def test_a_tenant_has_its_own_plans_and_models_alone() -> None:
    tools = Tools()
    async with drawn(tools) as (engine, _):
        await engine.plans.save(engine.read({"callsheet": 1, "name": "p", "steps": [at("a", "X")]}))
        with pytest.raises(Exception, match="does not have the model"):
            await engine.tenant("other").plan_for("Go", tools=["plan:p"], model="m")
        with pytest.raises(Exception, match="no plan was found"):
            await engine.tenant("other").plan_for("p")


def test_the_sync_door_drafts() -> None:
    tools = Tools()
    with sync.open_engine(None, tools.all) as engine:
        model = ScriptedModel(says(at("a", "Oslo"), output="${steps.a.city}"))
        engine.do(_add, model)
        run = engine.plan_for("Go", tools=["weather.at"], model="m")
        assert run.wait().output == "Oslo"


async def _add(engine: object, model: ScriptedModel) -> None:
    engine.models.add("m", model)  # type: ignore[attr-defined]  # an engine, of either door


@pytest.mark.slow  # real sockets, and the providers' own libraries
@pytest.mark.parametrize("service", ["openai", "anthropic"])
async def test_over_the_providers_own_libraries_and_paid_for(tmp_path: Path, service: str) -> None:
    tools = Tools()
    async with ModelServer() as server:
        server.answers(*says(at("a", "Oslo"), at("b", "${steps.a.city}")), End(input=99, output=50))
        server.answers(*answers("Cold."), End(input=1, output=50))
        async with opened(server, tools, tmp_path, service=service) as engine:
            run = await engine.plan_for(
                "Go", tools=["weather.at"], model="writer", budget=Budget(usd=1.0)
            )
            result = await run.wait()
            entries = await run.journal()
    assert (result.state, result.output) == ("succeeded", "Cold.")
    assert result.cost.usd == pytest.approx((100 * 2 + 100 * 10) / 1e6)
    ended = [each for each in entries if isinstance(each, AttemptEnded)]
    assert {"drafting", "joining_1", "a", "b"} == {each.step for each in ended}


async def test_over_a_tape_the_same_goal_is_the_same_run(tmp_path: Path) -> None:
    from callsheet.agents.recorded import RecordingModel

    tape, outputs = tmp_path / "tape.jsonl", []
    script = (says(at("a", "Oslo"), at("b", 1)), says(at("a", "Oslo"), at("b", "Rome")))  # type: ignore[arg-type]  # wrong, to be mended
    for number in range(3):
        async with drawn(Tools()) as (engine, _):
            model = f"recorded:{tape}"
            if not number:
                engine.models.add(
                    "tape", RecordingModel(ScriptedModel(*script, answers("Cold.")), tape)
                )
                model = "tape"
            run = await engine.plan_for("Go", tools=["weather.at"], model=model)
            outputs.append(((await run.wait()).output, len(await run.journal())))
    assert outputs == [outputs[0]] * 3
