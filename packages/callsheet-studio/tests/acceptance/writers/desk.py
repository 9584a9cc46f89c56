"""A model server that writes films: what it answers follows from what it is asked."""

from __future__ import annotations

import asyncio
import json
from contextlib import asynccontextmanager
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from callsheet import Engine
from callsheet.testing.models import End, ModelServer, calls
from callsheet_studio import Studio
from callsheet_studio.brief import from_data, load
from callsheet_studio.production.tools import production_tools
from callsheet_studio.script import write_script
from callsheet_studio.shots import plan_shots

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterable, Mapping

    from callsheet import Tool
    from callsheet.testing.models import Line
    from callsheet_studio.model.brief import Brief
    from callsheet_studio.production.result import Production

DAY = date(2026, 11, 15)
PATIENCE = 120
Beats = list[dict[str, Any]]


class Scripts:
    """What a model would write for a brief: as the offline way does, with its own touch."""

    def __init__(self, brief: Mapping[str, Any] | Path) -> None:
        self.brief: Brief = load(brief) if isinstance(brief, Path) else from_data(brief, "brief")

    def script(self, spoil: Callable[[list[dict[str, Any]]], None] | None = None) -> dict[str, Any]:
        """A script in which every action is the model's own, spoiled if somebody says how."""
        beats = [
            {
                "id": beat.id,
                "script": {
                    **beat.script.model_dump(),
                    "action": f"{beat.script.action} Nobody hurries.",
                },
                "visual": beat.visual.model_dump(
                    mode="json", include={"location", "time_of_day", "lighting", "pictures"}
                ),
            }
            for beat in write_script(self.brief).beats
        ]
        if spoil is not None:
            spoil(beats)
        return {"beats": beats}

    def shots(self) -> dict[str, Any]:
        """A list in which every shot is filmed as planned."""
        planned = plan_shots(write_script(self.brief), self.brief)
        told = {"id", "size", "kind", "angle", "movement"}
        return {"shots": [shot.model_dump(mode="json", include=told) for shot in planned.shots]}


def answer(data: Mapping[str, Any]) -> list[Line]:
    """Data as a model gives it."""
    return [*calls("c", "answer", json.dumps(data), split=4000), End(input=3000, output=1500)]


def is_about_shots(asked: Any) -> bool:
    """Whether it is ShotMaster that is asked."""
    return "You are ShotMaster" in json.dumps(asked.body)


def round_of(asked: Any) -> int:
    """Which time it is asked: again, if it is shown what is wrong."""
    return 2 if "It breaks these rules" in json.dumps(asked.body) else 1


@asynccontextmanager
async def office(
    server: ModelServer,
    tmp_path: Path,
    *,
    service: str = "openai",
    home: Path | None = None,
    tools: Iterable[Tool[..., Any]] = (),
    more: str = "",
) -> AsyncIterator[Engine]:
    """An engine with the studio's tools, whose model `writer` is on the server."""
    model, url = "openai:gpt-4o", server.openai
    if service == "anthropic":
        model, url = "anthropic:claude-sonnet-5", server.anthropic
    path = tmp_path / "callsheet.toml"
    path.write_text(
        f'[models.writer]\nmodel = "{model}"\nbase_url = "{url}"\n'
        f"price = {{input = 2.0, output = 10.0}}\n{more}"
    )
    async with (
        asyncio.timeout(PATIENCE),
        Engine.open(home, [*production_tools("plan"), *tools], config=path) as engine,
    ):
        yield engine


async def planned(engine: Engine, brief: Brief, writer: str = "writer") -> Production:
    """A production up to its plan."""
    return await Studio(engine).production(brief, today=DAY, writer=writer)


def check(made: Production) -> dict[str, Any]:
    """It is whole, exact to the frame, and breaks no rule. Returns who has written it."""
    assert made.shots is not None
    assert made.plan is not None
    checks = made.report["checks"]
    assert checks["script"]["violations"] == []
    assert checks["shots"]["violations"] == []
    assert checks["shots"]["continuity"] == []
    assert (checks["script"]["frame_error"], checks["shots"]["frame_error"]) == (0, 0)
    ends = [beat.end for beat in made.script.beats]
    assert [beat.start for beat in made.script.beats] == [0, *ends[:-1]]
    assert ends[-1] == made.brief.frames
    writer: dict[str, Any] = made.report["summary"]["writer"]
    return writer


def a_script(
    scripts: Scripts, spoil: Callable[[Beats], None] | None = None, *, mends: bool = False
) -> Callable[[Any], list[Line]]:
    """Answers every question: scripts spoiled, always or until it is told so."""

    def said(asked: Any) -> list[Line]:
        if is_about_shots(asked):
            return answer(scripts.shots())
        is_right = mends and round_of(asked) > 1
        return answer(scripts.script(None if is_right else spoil))

    return said


def overlong(beats: Beats) -> None:
    beats[1]["script"]["voiceover"] = "and so on " * 60
    beats[1]["visual"].pop("pictures")
