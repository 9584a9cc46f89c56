"""`make`: from a brief to a directory full of what a production needs."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from callsheet import InputError
from callsheet.cli.early import ends_at_once
from callsheet.cli.home import Where, driving
from callsheet.cli.options import DEFAULT_HOME, AsJson, Home
from callsheet.cli.output import Output

if TYPE_CHECKING:
    from pydantic import BaseModel

    from callsheet import Engine
    from callsheet.cli.ask import Advice
    from callsheet.cli.attend import Parting
    from callsheet.studio.model.brief import Brief
    from callsheet.studio.model.stack import Stack

Stage = Literal["script", "shots", "plan", "film"]
Quality = Literal["high", "balanced", "budget"]


def make(
    brief: Annotated[
        Path, typer.Argument(metavar="BRIEF", help="A brief in YAML, JSON or Markdown.")
    ],
    *,
    out: Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="Where the files go.")],
    stop_after: Annotated[Stage, typer.Option(help="The last stage.")] = "film",
    review: Annotated[
        bool, typer.Option("--review", help="Ask the questions, and approve each stage.")
    ] = False,
    answers: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Answers to the questions, as YAML or JSON."),
    ] = None,
    cut: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Our timeline as an editor has cut it: OTIO or EDL."),
    ] = None,
    max_cost: Annotated[
        float | None, typer.Option(metavar="USD", help="What the production is expected to cost.")
    ] = None,
    deadline: Annotated[
        str | None, typer.Option(metavar="TIME", help="How long it may take: 45m, 2h, 1d.")
    ] = None,
    quality: Annotated[
        Quality | None, typer.Option(help="The least that every shot must reach.")
    ] = None,
    today: Annotated[
        str | None,
        typer.Option(metavar="DATE", help="The day it is planned for: 2026-11-15."),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Replace files that are not ours, too.")
    ] = False,
    home: Home = DEFAULT_HOME,
    as_json: AsJson = False,
) -> None:
    """Make script, shot list, production plan, storyboard and film of a brief.

    Ctrl-C takes back what was written. What has been made before is not made again.
    """
    # What drives the run listens to Ctrl-C itself; until then nothing has to be closed.
    with Output(as_json=as_json) as said, ends_at_once():
        from callsheet.studio.production import TOOLS

        wishes = _Wishes(
            brief=brief,
            out=out,
            stop_after=stop_after,
            review=review,
            answers=answers,
            cut=cut,
            overrides={"max_cost_usd": max_cost, "deadline": deadline, "quality": quality},
            today=_day(today),
            force=force,
        )
        where = Where(home=home, tools=(TOOLS,), plugins=False)
        parting = said.run(_make(said, wishes, where))
        from callsheet.cli.made import part_with

        raise typer.Exit(part_with(said, parting, where, brief))


def schema(
    name: Annotated[
        Literal["brief", "script", "shots", "plan", "stack", "production"],
        typer.Argument(metavar="NAME", help="brief, script, shots, plan, stack or production."),
    ],
) -> None:
    """Print the JSON Schema of one of the studio's objects, as they stand in files.

    A brief is meant that is complete; `brief schema` has the form people write.
    """
    with Output(as_json=True) as said:
        from callsheet import studio

        objects: dict[str, type[BaseModel]] = {
            "brief": studio.Brief,
            "script": studio.Script,
            "shots": studio.ShotList,
            "plan": studio.ProductionPlan,
            "stack": studio.Stack,
            "production": studio.Production,
        }
        said.data(objects[name].model_json_schema())


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wishes:
    """What was asked for."""

    brief: Path
    out: Path
    stop_after: Stage
    review: bool
    answers: Path | None
    cut: Path | None
    overrides: dict[str, object]
    today: date
    force: bool


def _day(text: str | None) -> date:
    if text is None:
        from callsheet.studio.pipeline import this_day

        return this_day()
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise InputError(f"--today {text!r} is not a day. Write it as in 2026-11-15.") from None


_FILMING = (
    *("callsheet.studio.film.stages", "callsheet.studio.film.shoot"),
    *("cv2", "av", "skia_canvas_pyr"),
)
"""What a worker process that films imports, while this one imports what it needs itself."""


async def _make(out: Output, wishes: _Wishes, where: Where) -> Parting:
    from callsheet import workers_ahead

    async with workers_ahead(*_FILMING, many=1 if wishes.stop_after == "film" else 0):
        return await _made(out, wishes, where)


async def _made(out: Output, wishes: _Wishes, where: Where) -> Parting:
    from callsheet.cli.attend import Interrupts, stay
    from callsheet.cli.given import load_all
    from callsheet.studio import delivery, production
    from callsheet.studio.fonts import check_fonts
    from callsheet.studio.memory import give_back
    from callsheet.studio.pipeline import inputs_for, keep_pictures

    give_back()
    # All that can be wrong is found before anything is opened, made or written.
    brief = _brief(wishes)
    check_fonts()
    target = wishes.out.absolute()
    names = production.file_names(wishes.stop_after)
    delivery.check_place(target, names, force=wishes.force)
    cut = _cut(wishes)
    plan = production.production_plan(brief, stop_after=wishes.stop_after, recut=bool(cut))
    with Interrupts() as interrupts:
        async with driving(
            where, load_all([production.tools_for(wishes.stop_after)]), create=True
        ) as engine:
            inputs = inputs_for(brief, wishes.today, await _stack(engine, wishes.today))
            inputs |= {"review": wishes.review, "out": str(target), "force": wishes.force} | cut
            await keep_pictures(engine, brief, wishes.brief.parent)
            run = await engine.start(plan, inputs)
            advice = _advice(brief)
            return await stay(out, engine, run, interrupts, where, skipped=False, advice=advice)


def _brief(wishes: _Wishes) -> Brief:
    from callsheet.studio.brief import answered, load, load_answers, revised

    brief = load(wishes.brief)
    changes = {f"constraints.{k}": v for k, v in wishes.overrides.items() if v is not None}
    if changes:
        brief = revised(brief, changes, "the command line")
    if wishes.answers is not None:
        brief = answered(brief, load_answers(wishes.answers))
    return brief


def _advice(brief: Brief) -> Advice:
    """Enter answers what is taken when nobody is asked; what the brief cannot be is asked again."""
    from callsheet.cli.ask import Advice
    from callsheet.studio.brief import answered, questions

    asked = {f"ask_{question.key}": question for question in questions(brief)}

    def check(step: str, answer: str) -> None:
        question = asked.get(step)
        if question is not None and answer not in question.options:
            answered(brief, {question.key: answer})

    return Advice(usual={step: each.default for step, each in asked.items()}, check=check)


def _cut(wishes: _Wishes) -> dict[str, Any]:
    """The timeline that came back, as an input of the run."""
    if wishes.cut is None:
        return {}
    form = wishes.cut.suffix.lower().removeprefix(".")
    if form not in {"otio", "edl"}:
        raise InputError(f"--cut {wishes.cut}: a cut comes back as .otio or .edl.")
    if wishes.stop_after == "script":
        raise InputError("--cut is about shots. Leave out --stop-after script.")
    try:
        text = wishes.cut.read_text("utf-8")
    except OSError as error:
        raise InputError(f"--cut {wishes.cut} cannot be read: {error.strerror}.") from error
    except ValueError as error:
        raise InputError(f"--cut {wishes.cut} is not UTF-8. Export it again as text.") from error
    return {"cut": {"form": form, "text": text}}


async def _stack(engine: Engine, today: date) -> Stack:
    """What is known now; the plan says which of its prices were read after the day it is for."""
    from callsheet.studio.schema import BRANCH
    from callsheet.studio.stack import current_stack, known_on

    stack = await current_stack(engine.database(BRANCH))
    known_on(stack, today)  # refuses a day on which nothing was known at all
    return stack
