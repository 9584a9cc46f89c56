"""A film planned with a model that answers at once, beside the offline way; and each agent's time.

In one process, with everything loaded: what a provider's library takes to load is not counted.
"""

from __future__ import annotations

import asyncio
import json
import time
from statistics import median
from typing import TYPE_CHECKING, Any

from bench.sampling import number
from bench.studio import BRIEFS, DAY, MINUTE
from bench.table import Row

if TYPE_CHECKING:
    from bench.cases import Bench
    from callsheet import Engine, Result
    from callsheet.testing.models import Line, ModelServer
    from callsheet_studio import Brief

MOST = 1.3
ANSWERS = 30.0
"""Seconds within which each agent answers."""
FILMS = 7
AGENTS = {"ScriptSmith": "script", "ShotMaster": "shots", "VideoSolver": "plan"}


async def writers(bench: Bench) -> list[Row]:
    """The production plan of a film of 60 s, written offline and by a model."""
    from callsheet import Engine
    from callsheet.testing import ModelServer
    from callsheet_studio import production_tools

    async with ModelServer() as server:
        brief = _answering(server)
        config = bench.scratch / "callsheet.toml"
        model = f'[models.writer]\nmodel = "openai:gpt-4o"\nbase_url = "{server.openai}"\n'
        await asyncio.to_thread(config.write_text, model)
        taken: dict[str, list[float]] = {"offline": [], "writer": []}
        agents: dict[str, dict[str, list[float]]] = {way: {} for way in taken}
        async with Engine.open(None, production_tools("plan"), config=config) as engine:
            for film in range(FILMS + 1):
                for way, seconds in taken.items():
                    whole, each = await _planned(engine, _other(brief, f"{way} {film}"), way)
                    if film:  # the first one loads
                        seconds.append(whole)
                        for agent, time_of in each.items():
                            agents[way].setdefault(agent, []).append(time_of)
    return _rows(taken, agents)


def _answering(server: ModelServer) -> Brief:
    """A server that writes the film that is asked for, and the brief of it."""
    from callsheet.testing.models import calls
    from callsheet_studio.brief import load
    from callsheet_studio.script import write_script
    from callsheet_studio.shots import plan_shots

    brief = load(BRIEFS / MINUTE)
    script = write_script(brief)
    # As much as is asked for, and no more.
    seen = {"location", "time_of_day", "lighting", "pictures"}
    asked: Any = {"id": True, "script": True, "emotion": True, "visual": seen}
    beats = script.model_dump_json(include={"beats": {"__all__": asked}})
    film = plan_shots(script, brief)
    shots = film.model_dump_json(
        include={"shots": {"__all__": {"id", "size", "kind", "angle", "movement"}}}
    )

    def said(question: Any) -> tuple[Line, ...]:
        is_about_shots = "You are ShotMaster" in json.dumps(question.body)
        return calls("c", "answer", shots if is_about_shots else beats)

    server.otherwise(said)
    return brief


def _other(brief: Brief, why: str) -> Brief:
    """The same film for another reason: nothing of it was made before."""
    purpose = brief.purpose.model_copy(update={"objective": why})
    return brief.model_copy(update={"purpose": purpose})


async def _planned(engine: Engine, brief: Brief, way: str) -> tuple[float, dict[str, float]]:
    """Seconds of a production up to its plan; and of each agent."""
    from callsheet_studio import Studio

    began = time.perf_counter()
    made = await Studio(engine).production(brief, today=DAY, writer=way)
    whole = time.perf_counter() - began
    return whole, _agents(await _ended(engine, made.run))


async def _ended(engine: Engine, run: str) -> Result:
    return await (await engine.get(run)).wait()


def _agents(result: Result) -> dict[str, float]:
    """From the first step of each to its last."""
    found = {}
    for agent, stage in AGENTS.items():
        own = [
            step
            for name, step in result.steps.items()
            if (name == stage or name.startswith((f"{stage}_ask", f"{stage}_answer")))
            and step.started_at
            and step.ended_at
        ]
        begun = min(step.started_at for step in own if step.started_at)
        ended = max(step.ended_at for step in own if step.ended_at)
        found[agent] = (ended - begun).total_seconds()
    return found


def _rows(taken: dict[str, list[float]], agents: dict[str, dict[str, list[float]]]) -> list[Row]:
    offline, model = median(taken["offline"]), median(taken["writer"])
    ratio = model / offline
    rows = [
        Row(
            case="60 s film planned with a model that answers at once",
            ours=f"{number(model)} s, offline {number(offline)} s: {number(ratio)} x",
            bar=f"≤ {MOST} x",
            met=ratio <= MOST,
        )
    ]
    for agent in AGENTS:
        own, other = (median(agents[way][agent]) for way in ("writer", "offline"))
        told = f"{number(own)} s with a model, {number(other)} s offline"
        met = max(own, other) < ANSWERS
        rows.append(Row(case=f"{agent} answers", ours=told, bar=f"< {ANSWERS:g} s", met=met))
    return rows
