"""`make`: from a brief to a directory full of what a production needs."""

from __future__ import annotations

import os
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from callsheet import InputError
from callsheet.cli.early import ends_at_once
from callsheet.cli.home import Where, driving
from callsheet.cli.options import DEFAULT_HOME, AsJson, Home
from callsheet.cli.output import Output
from callsheet.frozen import Frozen

if TYPE_CHECKING:
    from collections.abc import Callable

    from pydantic import BaseModel

    from callsheet import Engine
    from callsheet.cli.ask import Advice
    from callsheet.cli.attend import Parting
    from callsheet.cli.place import Place
    from callsheet.cli.produce import Settled
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
    produce: Annotated[
        bool, typer.Option("--produce", help="Order the shots from providers, for money.")
    ] = False,
    again: Annotated[
        list[str] | None,
        typer.Option(metavar="SHOT", help="Order this shot again, though it was bought before."),
    ] = None,
    voice: Annotated[
        str | None,
        typer.Option(metavar="OFFER=VOICE", help="With --produce: who speaks, for money."),
    ] = None,
    yes: Annotated[
        bool, typer.Option("--yes", "-y", help="Order without asking, also if it is degraded.")
    ] = False,
    home: Home = DEFAULT_HOME,
    as_json: AsJson = False,
) -> None:
    """Make script, shot list, production plan, storyboard and film of a brief.

    Ctrl-C takes back what was written. What has been made before is not made again.
    """
    # What drives the run listens to Ctrl-C itself; until then nothing has to be closed.
    with Output(as_json=as_json) as said, ends_at_once():
        wishes = _Wishes(
            brief=brief,
            out=out,
            stop_after=stop_after,
            review=review,
            answers=answers,
            cut=cut,
            overrides={"max_cost_usd": max_cost, "deadline": deadline, "quality": quality},
            today=today,
            force=force,
            shopping={"yes": yes, "again": tuple(again or ()), "voice": voice} if produce else None,
        )
        _check_shopping(wishes, is_meant=bool(again or yes or voice))
        parting, where = said.run(_make(said, wishes, home))
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


class _Wishes(Frozen, kw_only=True):
    """What was asked for."""

    brief: Path
    out: Path
    stop_after: Stage
    review: bool
    answers: Path | None
    cut: Path | None
    overrides: dict[str, object]
    today: str | None
    force: bool
    shopping: dict[str, Any] | None
    """What is ordered, as `Shopping` has it; None: all shots are drawn."""


def _check_shopping(wishes: _Wishes, *, is_meant: bool) -> None:
    if wishes.shopping is None and is_meant:
        said = "--again, --voice and --yes are about what is ordered."
        raise InputError(f"{said} Say --produce, too.")
    if wishes.shopping is None:
        return
    if wishes.review:
        said = "Approve script, shots and plan first: --review --stop-after plan, without it."
        raise InputError(f"--produce asks once, before anything is ordered. {said}")
    if wishes.stop_after != "film":
        raise InputError("--produce makes a film. Leave out --stop-after.")


def _day(text: str | None) -> date:
    if text is None:
        from callsheet.studio.pipeline import this_day

        return this_day()
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise InputError(f"--today {text!r} is not a day. Write it as in 2026-11-15.") from None


_ORDERING = "callsheet.studio.providers.tools"
"""Where the tools are that order and receive, besides those of every production."""
_FILMING = (
    *("callsheet.studio.film.filming", "callsheet.studio.film.shoot"),
    *("cv2", "av", "skia_canvas_pyr", "callsheet.studio.memory:makes_one_film"),
    "callsheet.studio.draw.text:load_fonts",
)
_SPEAKING = (
    *("callsheet.studio.film.speaking", "callsheet.studio.sound.encode"),
    *("callsheet.studio.sound.voice:loaded_voice", "callsheet.studio.memory:makes_one_film"),
)
"""What worker processes that film and speak load, while this one imports what it needs itself."""


async def _make(out: Output, wishes: _Wishes, home: Place) -> tuple[Parting, Where]:
    from callsheet import workers_ahead

    # Nobody here multiplies large matrices: threads for that would only take time to begin.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # Nor does anybody here extend pydantic: worker processes need not look for who might.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    films = wishes.stop_after == "film"
    # Every picture waits for the voice; but where there is a film, it has spoken before, and one
    # process will do: what has changed since is mostly one shot.
    speaks = films and not _has_film(wishes.out)
    async with (
        workers_ahead(*_FILMING, many=int(films)),
        workers_ahead(many=int(speaks)) as speaker,
    ):
        from callsheet.studio.production import TOOLS

        tools = (TOOLS,) if wishes.shopping is None else (TOOLS, _ORDERING)
        where = Where(home=home, tools=tools, plugins=False)
        return await _made(out, wishes, where, speaker), where


async def _made(
    out: Output, wishes: _Wishes, where: Where, speaker: Callable[..., None]
) -> Parting:
    from callsheet.studio.memory import give_back
    from callsheet.studio.voices import is_loaded

    give_back()
    # All that can be wrong is found before anything is opened, made or written.
    brief = _brief(wishes)
    if is_loaded(brief.content.language):
        speaker(*_SPEAKING)

    from callsheet.cli.attend import Interrupts, stay
    from callsheet.cli.given import load_all
    from callsheet.studio import delivery, production
    from callsheet.studio.fonts import check_fonts
    from callsheet.studio.pipeline import inputs_for, keep_pictures
    from callsheet.studio.reserving import reserved

    today = _day(wishes.today)
    check_fonts()
    target = wishes.out.absolute()
    delivery.check_place(target, production.file_names(wishes.stop_after), force=wishes.force)
    cut = _cut(wishes)
    settled = await _settled(out, wishes, where, brief, today, cut) if wishes.shopping else None
    brief = settled.brief if settled else brief
    plan = production.production_plan(
        brief,
        stop_after=wishes.stop_after,
        recut=bool(cut),
        joins=settled.joins if settled else True,
        bought=settled.purchase if settled else None,
    )
    with reserved(target), Interrupts() as interrupts:
        tools = where.tools if settled else (production.tools_for(wishes.stop_after),)
        async with driving(where, load_all(tools), create=True) as engine:
            stack = settled.stack if settled else await _stack(engine, today)
            given = {"review": wishes.review, "out": str(target), "force": wishes.force} | cut
            await keep_pictures(engine, brief, wishes.brief.parent)
            run = await engine.start(plan, inputs_for(brief, today, stack) | given)
            return await stay(
                out, engine, run, interrupts, where, skipped=False, advice=_advice(brief)
            )


async def _settled(
    out: Output, wishes: _Wishes, where: Where, brief: Brief, today: date, cut: dict[str, Any]
) -> Settled:
    """What is ordered, after somebody has said yes."""
    from callsheet.cli.given import load_all
    from callsheet.cli.produce import Shopping, settle
    from callsheet.studio.production import tools_for

    asked = wishes.shopping or {}
    shopping = Shopping(brief=brief, folder=wishes.brief.parent, today=today, cut=cut, **asked)
    async with driving(where, load_all([tools_for("plan")]), create=True) as engine:
        return await settle(out, engine, await _stack(engine, today), shopping)


def _has_film(out: Path) -> bool:
    """Whether one was made there before. What is wrong with the place is told later."""
    try:
        return (out / "film.mp4").exists()
    except OSError:
        return False


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
    from callsheet.studio.branch import BRANCH
    from callsheet.studio.stack import current_stack, known_on

    stack = await current_stack(engine.database(BRANCH))
    known_on(stack, today)  # refuses a day on which nothing was known at all
    return stack
