"""The second point of the contract: who is chosen, who is passed over, and who comes next."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.acceptance.agents.troupe import (
    CAPABILITY,
    Deeds,
    all_replay,
    choices,
    done,
    result,
    step,
    troupe,
    writer,
)
from tests.acceptance.command import call, write_plan

from callsheet import RunState
from callsheet.errors import (
    DeniedError,
    FatalError,
    InvalidError,
    PlanError,
    RateLimitedError,
    RefusedError,
    ToolError,
    ToolTimeoutError,
    TransientError,
)
from callsheet.testing import simulated
from callsheet.testing.models import End, Say, ScriptedModel, calls

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from pathlib import Path

    from callsheet.agents.model import Request, Streamed

pytestmark = pytest.mark.requirement("M2")


class Failing:
    """A model that cannot be had, for a certain reason."""

    def __init__(self, error: ToolError) -> None:
        self._error = error
        self.asked = 0

    async def stream(self, _request: Request) -> AsyncGenerator[Streamed, None]:
        self.asked += 1
        raise self._error
        yield

    async def close(self) -> None:
        """Nothing is held."""


def good() -> ScriptedModel:
    """A model that always delivers."""
    model = ScriptedModel()
    model.otherwise(lambda _: [result({"title": "x"})])
    return model


async def chosen(engine: Any) -> list[tuple[str, str]]:
    return [(each.agent, each.model) for each in await choices(engine)]


@simulated
async def test_whom_somebody_prefers_is_asked_first() -> None:
    agents = [writer("ann", models=("good",)), writer("ben", models=("good",), preference=1)]
    async with troupe(agents, {"good": good()}) as engine:
        assert [card.name for card in engine.agents.able(CAPABILITY)] == ["ben", "ann"]
        await done(engine, step())
        (choice,) = await choices(engine)
        assert (choice.agent, choice.reason) == ("ben", "it is preferred")


@simulated
async def test_a_role_narrows_who_is_able() -> None:
    agents = [writer("ann", models=("good",)), writer("ben", models=("good",), role="editor")]
    async with troupe(agents, {"good": good()}) as engine:
        await done(engine, step(agent={"capability": CAPABILITY, "role": "editor"}))
        assert await chosen(engine) == [("ben", "good")]


@simulated
async def test_a_model_that_cannot_be_used_here_is_passed_over_with_the_reason() -> None:
    async with troupe([writer(models=("openai:gpt-5", "good"))], {"good": good()}) as engine:
        await done(engine, step())
        (choice,) = await choices(engine)
        assert choice.model == "good"
        assert [(each.model, "key" in each.why) for each in choice.passed_over] == [
            ("openai:gpt-5", True)
        ]


@simulated
async def test_first_the_retries_then_the_next_model_then_the_next_agent() -> None:
    away = {"one": Failing(TransientError("away")), "two": Failing(RateLimitedError("full"))}
    agents = [
        writer("ann", models=("one", "two"), preference=1),
        writer("ben", models=("good",)),
    ]
    async with troupe(agents, {**away, "good": good()}) as engine:
        ended = await done(engine, step(), output="${steps.w.title}")
        assert (ended.state, ended.output) == (RunState.SUCCEEDED, "x")
        assert [each.asked for each in away.values()] == [3, 3]
        assert await chosen(engine) == [("ann", "one"), ("ann", "two"), ("ben", "good")]
        last = (await choices(engine))[-1]
        assert [(each.agent, each.model) for each in last.passed_over] == [
            ("ann", "one"),
            ("ann", "two"),
        ]
        assert await all_replay(engine)


@pytest.mark.parametrize(
    ("error", "asked"),
    [
        (DeniedError("the key is wrong"), 1),
        (FatalError("broken"), 1),
        (ToolTimeoutError("slow"), 3),
    ],
)
@simulated
async def test_what_is_not_the_agents_fault_falls_through(error: ToolError, asked: int) -> None:
    model = Failing(error)
    async with troupe([writer(models=("bad", "good"))], {"bad": model, "good": good()}) as engine:
        assert (await done(engine, step())).state is RunState.SUCCEEDED
        assert model.asked == asked
        assert await chosen(engine) == [("smith", "bad"), ("smith", "good")]


@pytest.mark.parametrize("error", [InvalidError("too long"), RefusedError("not that")])
@simulated
async def test_invalid_and_refused_never_fall_through(error: ToolError) -> None:
    untouched = good()
    models = {"bad": Failing(error), "good": untouched}
    async with troupe([writer(models=("bad", "good"))], models) as engine:
        ended = await done(engine, step())
        assert ended.state is RunState.FAILED
        failed = ended.steps["w"].error
        assert failed is not None
        assert failed.error_class == error.error_class
        assert not untouched.requests


@simulated
async def test_an_answer_that_was_filtered_is_a_refusal() -> None:
    untouched = good()
    models = {"bad": ScriptedModel([Say("I"), End(reason="content_filter")]), "good": untouched}
    async with troupe([writer(models=("bad", "good"))], models) as engine:
        failed = (await done(engine, step())).steps["w"].error
        assert failed is not None
        assert failed.error_class == "denied"
        assert not untouched.requests


@simulated
async def test_once_a_write_has_happened_nothing_falls_through() -> None:
    deeds, untouched = Deeds(), good()
    model = ScriptedModel([*calls("1", "notes.put", {"text": "a"})])
    model.otherwise(_away)
    agent = writer(models=("scripted", "good"), tools=("notes.put",))
    async with troupe([agent], {"scripted": model, "good": untouched}, deeds.tools) as engine:
        ended = await done(engine, step(), on_failure="stop")
        failed = ended.steps["w"].error
        assert failed is not None
        assert "notes.put (a1_c1)" in failed.message
        assert (deeds.done, untouched.requests) == (["put a"], [])


@simulated
async def test_what_was_done_before_it_failed_is_taken_back_with_the_run_around_it() -> None:
    deeds = Deeds()
    model = ScriptedModel([*calls("1", "notes.put", {"text": "a"})])
    model.otherwise(_away)
    async with troupe([writer(tools=("notes.put",))], model, deeds.tools) as engine:
        ended = await done(engine, step())
        assert ended.state is RunState.UNDONE
        assert deeds.done == ["put a", "drop a"]


def _away(_request: Request) -> Any:
    raise TransientError("away")


@simulated
async def test_when_nobody_is_left_the_step_fails_with_everybody_who_was_tried() -> None:
    models = {"one": Failing(FatalError("broken")), "two": Failing(DeniedError("no key"))}
    async with troupe([writer(models=("one", "two"))], models) as engine:
        ended = await done(engine, step())
        failed = ended.steps["w"].error
        assert failed is not None
        assert failed.error_class == "denied"
        assert "one: broken" in failed.message
        assert "two: no key" in failed.message


@simulated
async def test_no_able_agent_is_refused_before_anything_starts_with_what_there_is() -> None:
    async with troupe([writer()], ScriptedModel()) as engine:
        with pytest.raises(PlanError) as refused:
            await done(engine, {"id": "w", "agent": {"capability": "film.cut"}, "args": {}})
        assert "film.cut" in refused.value.message
        assert "smith has script.write" in refused.value.message
        assert not await engine.runs()


@simulated
async def test_there_is_no_default_agent() -> None:
    async with troupe([], ScriptedModel()) as engine:
        assert engine.agents.able(CAPABILITY) == []
        with pytest.raises(PlanError):
            await done(engine, step())


@pytest.mark.slow
def test_the_step_says_who_did_it_and_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    agents = '[agents.smith]\nrole = "writer"\ncapabilities = ["write"]\nmodels = ["offline"]\n'
    (tmp_path / "callsheet.toml").write_text(agents, "utf-8")
    wanted = {"id": "w", "agent": {"capability": "write"}, "args": {"task": "help"}}
    plan = write_plan(tmp_path / "plan.json", {"steps": [wanted]})
    assert call("run", plan, "--config", "callsheet.toml", "--no-plugins", "--json").code == 0
    shown = call("show", "last", "w").out
    assert "smith with offline: it is the one that is able" in shown
    (one,) = call("show", "last", "w", "--json").json["agents"]
    assert (one["agent"], one["model"]) == ("smith", "offline")
