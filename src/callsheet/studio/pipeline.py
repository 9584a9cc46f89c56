"""The whole way at once: from a brief to script, shots and production plan, in Python."""

from __future__ import annotations

from contextlib import AsyncExitStack
from datetime import date
from pathlib import Path
from time import localtime
from typing import TYPE_CHECKING, Any, cast

from callsheet import Engine, InputError, RunState, load_tools
from callsheet.studio.brief import answered, from_data, load
from callsheet.studio.brief.pictures import picture_bytes, pictures_of
from callsheet.studio.model.base import Data
from callsheet.studio.model.brief import Brief
from callsheet.studio.model.plan import ProductionPlan
from callsheet.studio.model.script import Script
from callsheet.studio.model.shots import ShotList
from callsheet.studio.production import STAGES, production_plan, tools_for

if TYPE_CHECKING:
    from collections.abc import Mapping

    from callsheet import Result
    from callsheet.studio.model.stack import Stack
    from callsheet.studio.production import Stage


class Production(Data):
    """What came out of it. What was not made, because it was to stop before, is None."""

    run: str
    brief: Brief
    script: Script
    shots: ShotList | None = None
    plan: ProductionPlan | None = None
    report: dict[str, Any]


async def execute_full_pipeline(
    vrd: Brief | Mapping[str, object] | str | Path,
    *,
    today: date | None = None,
    engine: Engine | None = None,
    stack: Stack | None = None,
    answers: Mapping[str, str] | None = None,
    stop_after: Stage = "plan",
) -> Production:
    """Make script, shot list and production plan of a brief, and return them.

    Args:
        vrd: the brief: as data, as the path of a file, or read.
        today: the day whose prices and tools count; None: this one.
        engine: one that was opened with `load_tools(TOOLS)`; None: one in memory.
        stack: the tool stack; None: the starting data.
        answers: to clarifying questions; the others take their defaults.
        stop_after: the last stage.

    Raises:
        InputError: the brief is wrong, or cannot be carried out; says what to change.
    """
    brief = _read(vrd)
    brief = answered(brief, answers) if answers else brief
    plan = production_plan(brief, stop_after=stop_after, delivers=False)
    async with AsyncExitStack() as opened:
        if engine is None:
            engine = await opened.enter_async_context(
                Engine.open(tools=load_tools(tools_for(stop_after)))
            )
        await keep_pictures(engine, brief, _folder(vrd))
        run = await engine.start(plan, inputs_for(brief, today or this_day(), stack))
        result = await run.wait()
    return production_of(result)


def production_of(result: Result) -> Production:
    """What a run of `production_plan` has made.

    Raises:
        InputError: it has not succeeded; says why.
    """
    if result.state is not RunState.SUCCEEDED:
        said = result.cause.message if result.cause else f"The run {result.run} is {result.state}."
        raise InputError(said)
    outputs = {key: cast("Any", step.output) for key, step in result.steps.items()}
    made = {name: outputs[name] for name in (*STAGES, "report") if name in outputs}
    made["brief"] = outputs["brief"]["whole"]
    made |= outputs.get("recut") or {}
    made.pop("violations", None)
    return Production.model_validate({"run": result.run, **made})


def inputs_for(brief: Brief, today: date, stack: Stack | None = None) -> dict[str, Any]:
    """The inputs of `production_plan`, but for those of delivery."""
    if stack is None:
        from callsheet.studio.stack import starting_stack

        stack = starting_stack()
    return {
        "brief": brief.model_dump(mode="json"),
        "stack": stack.model_dump(mode="json"),
        "today": today.isoformat(),
    }


async def keep_pictures(engine: Engine, brief: Brief, folder: Path | None) -> None:
    """Keep the pictures of a brief as artifacts: a run does not need their files any more.

    Raises:
        InputError: one is neither in the folder, as it was when the brief was read, nor kept.
    """
    for picture in pictures_of(brief):
        data = picture_bytes(picture, folder) if folder and picture.name else None
        if data is not None:
            await engine.artifacts.put(data, media_type=picture.media_type, name=picture.name)
            continue
        try:
            await engine.artifacts.get(picture)
        except InputError as error:
            raise InputError(
                f"The picture {picture.name or picture.digest!r} is not there any more as it was "
                "when the brief was read. Give the brief as a file, with its pictures beside it, "
                "or keep them first: callsheet artifact put."
            ) from error


def _folder(vrd: object) -> Path | None:
    return Path(vrd).parent if isinstance(vrd, (str, Path)) else None


def _read(vrd: Brief | Mapping[str, object] | str | Path) -> Brief:
    if isinstance(vrd, Brief):
        return vrd
    if isinstance(vrd, (str, Path)):
        return load(vrd)
    return from_data(vrd, "the brief")


def this_day() -> date:
    """The day it is here."""
    return date(*localtime()[:3])
