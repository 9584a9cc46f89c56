"""A whole production as one engine plan: brief, script, shots, production plan, documents.

Review and auto are the same plan: in review the questions are asked and each stage is approved, in
auto the defaults are taken and nothing waits.
"""

from __future__ import annotations

from contextlib import AsyncExitStack
from datetime import date
from pathlib import Path
from time import localtime
from typing import TYPE_CHECKING, Any, Literal, cast

from callsheet import Engine, InputError, Plan, RunState, Step, load_tools
from callsheet.studio import delivery
from callsheet.studio.brief import answered, from_data, load, questions
from callsheet.studio.model.base import Data
from callsheet.studio.model.brief import Brief
from callsheet.studio.model.plan import ProductionPlan
from callsheet.studio.model.script import Script
from callsheet.studio.model.shots import ShotList

if TYPE_CHECKING:
    from collections.abc import Mapping

    from callsheet import Result
    from callsheet.studio.model.brief import BriefQuestion
    from callsheet.studio.model.stack import Stack

Stage = Literal["script", "shots", "plan"]
STAGES: tuple[Stage, ...] = ("script", "shots", "plan")
TOOLS = "callsheet.studio.stages"
"""Where the tools are: for `load_tools`, and for `callsheet resume --tools`."""

GO_ON = "go on"
STOP = "stop here"

_FILES: dict[Stage, dict[str, tuple[str, ...]]] = {
    "script": {"script_files": ("script", "brief")},
    "shots": {
        "shot_files": ("shots", "script", "brief"),
        "timeline_files": ("shots", "script", "brief"),
    },
    "plan": {"plan_files": ("plan", "shots", "brief")},
}
"""For each stage the steps that make its documents, and what they are made from."""

_NAMES: dict[Stage, tuple[str, ...]] = {
    "script": ("script.json", "script.md", "script.fountain", "captions.srt", "captions.vtt"),
    "shots": (
        *("shots.json", "shots.csv", "shots-by-setup.csv", "shots.pdf"),
        *("timeline.otio", "timeline.edl", "timeline.xml", "timeline.fcpxml"),
    ),
    "plan": ("plan.json", "plan.md", "callsheet.csv", "callsheet.pdf"),
}


class Production(Data):
    """What came out of it. What was not made, because it was to stop before, is None."""

    run: str
    brief: Brief
    script: Script
    shots: ShotList | None = None
    plan: ProductionPlan | None = None
    report: dict[str, Any]


def production_plan(brief: Brief, *, stop_after: Stage = "plan", delivers: bool = True) -> Plan:
    """The plan that makes a film of a brief, up to a stage.

    Args:
        brief: only its questions are looked at; it is an input of the run.
        stop_after: the last stage.
        delivers: whether files are written into `inputs.out`.
    """
    stages = STAGES[: STAGES.index(stop_after) + 1]
    asked = [_question(each) for each in questions(brief)]
    steps = [*asked, _settled(asked)]
    for stage in stages:
        steps += _stage(stage, is_last=stage == stop_after, delivers=delivers)
    steps.append(_report(stages))
    if delivers:
        steps.append(_delivery("deliver", stages, "${steps.report}"))
    return Plan(
        name="production",
        description="From a brief to script, shot list and production plan.",
        inputs={
            "brief": {"type": "object"},
            "stack": {"type": "object"},
            "today": {"type": "string"},
            "review": {"type": "boolean", "default": False},
            "out": {"type": "string", "default": ""},
            "force": {"type": "boolean", "default": False},
        },
        steps=tuple(steps),
        output="${steps.report.summary}",
    )


def _question(question: BriefQuestion) -> Step:
    hint = f" {question.hint}" if question.hint else ""
    usual = f" In auto it is: {question.default}." if question.default else ""
    return Step(
        id=f"ask_{question.key}",
        ask=f"{question.text}{hint}{usual}".replace("${", "$${"),
        choices=question.options if question.kind == "choice" else (),
        when="${inputs.review}",
    )


def _settled(asked: list[Step]) -> Step:
    answers: dict[str, Any] = {
        step.id.removeprefix("ask_"): f"${{steps.{step.id}}}" for step in asked
    }
    return Step(
        id="brief",
        tool="studio.brief",
        args={"brief": "${inputs.brief}", "answers": answers},
        run_if_skipped=True,
    )


_ARGS: dict[str, str] = {
    "script": "${steps.script}",
    "shots": "${steps.shots}",
    "plan": "${steps.plan}",
}


def _stage(stage: Stage, *, is_last: bool, delivers: bool) -> list[Step]:
    """The step that makes it, those that write it down, and the approval that follows."""
    made = [_making(stage), *(_documents(stage) if delivers else ())]
    if is_last:
        return made
    shown = [_delivery(f"show_{stage}", (stage,), {}, when="${inputs.review}")] if delivers else []
    approval = Step(
        id=f"ok_{stage}",
        ask=_APPROVALS[stage],
        choices=(GO_ON, STOP),
        when="${inputs.review}",
        needs=tuple(step.id for step in (*shown, *made[:1])),
    )
    return [*made, *shown, approval]


_APPROVALS: dict[Stage, str] = {
    "script": "The script is written: ${length(steps.script.beats)} beats. Go on with the shots?",
    "shots": "The shot list is made: ${length(steps.shots.shots)} shots. Go on with the plan?",
}


def _making(stage: Stage) -> Step:
    creative = "${steps.brief.creative}"
    match stage:
        case "script":
            return Step(id="script", tool="studio.script", args={"brief": creative}, cache=True)
        case "shots":
            args: dict[str, Any] = {"script": _ARGS["script"], "brief": creative}
            return _approved(Step(id="shots", tool="studio.shots", args=args, cache=True), "script")
        case "plan":
            args = {
                "shots": _ARGS["shots"],
                "brief": "${steps.brief.whole}",
                "stack": "${inputs.stack}",
                "today": "${inputs.today}",
            }
            return _approved(Step(id="plan", tool="studio.plan", args=args, cache=True), "shots")


def _approved(step: Step, before: Stage) -> Step:
    """Skipped, with all that follows, unless the stage before was approved or nobody asks."""
    from msgspec import structs

    said = f"${{inputs.review == `false` || steps.ok_{before} == '{GO_ON}'}}"
    return structs.replace(step, when=said, run_if_skipped=True)


def _documents(stage: Stage) -> list[Step]:
    brief = "${steps.brief.whole}" if stage == "plan" else "${steps.brief.creative}"
    return [
        Step(
            id=name,
            tool=f"studio.{name}",
            args={each: brief if each == "brief" else _ARGS[each] for each in needed},
            cache=True,
        )
        for name, needed in _FILES[stage].items()
    ]


def _report(stages: tuple[Stage, ...]) -> Step:
    args: dict[str, Any] = {"brief": "${steps.brief.whole}"}
    args |= {stage: _ARGS[stage] for stage in stages}
    return Step(id="report", tool="studio.report", args=args, run_if_skipped=True)


def _delivery(
    name: str, stages: tuple[Stage, ...], report: Any, *, when: str | None = None
) -> Step:
    return Step(
        id=name,
        tool="studio.deliver",
        args={
            "out": "${inputs.out}",
            "files": [f"${{steps.{each}}}" for stage in stages for each in _FILES[stage]],
            "report": report,
            "force": "${inputs.force}",
        },
        when=when,
        run_if_skipped=when is None,
    )


def file_names(stop_after: Stage = "plan") -> tuple[str, ...]:
    """What is written when it stops after a stage."""
    stages = STAGES[: STAGES.index(stop_after) + 1]
    return (*(name for stage in stages for name in _NAMES[stage]), delivery.REPORT)


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
            engine = await opened.enter_async_context(Engine.open(tools=load_tools(TOOLS)))
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
    made = {
        name: step.output
        for name in (*STAGES, "report")
        if (step := result.steps.get(name)) is not None
    }
    brief = cast("dict[str, Any]", result.steps["brief"].output)["whole"]
    return Production.model_validate({"run": result.run, "brief": brief, **made})


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


def _read(vrd: Brief | Mapping[str, object] | str | Path) -> Brief:
    if isinstance(vrd, Brief):
        return vrd
    if isinstance(vrd, (str, Path)):
        return load(vrd)
    return from_data(vrd, "the brief")


def this_day() -> date:
    """The day it is here."""
    return date(*localtime()[:3])
