"""`make`: from a brief to a directory full of what a production needs."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import msgspec
import typer

from callsheet.apps.command import DEFAULT_HOME, AsJson, Home, Output, Where, driving, ends_at_once
from callsheet.errors import InputError
from callsheet_studio.cli.produce import Shopping, agreed
from callsheet_studio.production.ahead import workers_for
from callsheet_studio.production.stage import Stage

if TYPE_CHECKING:
    from pydantic import BaseModel

    from callsheet.apps.command import Advice, Parting, Place
    from callsheet_studio.production.commission import Commission
    from callsheet_studio.production.making import Making
    from callsheet_studio.production.ordering import Quote

Quality = Literal["high", "balanced", "budget"]
Offers = Literal["orderable", "all"]


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
    script: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Our script.fountain with your words in it."),
    ] = None,
    writer: Annotated[
        str,
        typer.Option(
            metavar="auto|offline|MODEL",
            help="Who writes script and shots: an able agent, the studio, or this model.",
        ),
    ] = "auto",
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
    offers: Annotated[
        Offers,
        typer.Option(help="Plan with what --produce can order, or with all that is known."),
    ] = "orderable",
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
            script=script,
            writer=writer,
            constraints={"max_cost_usd": max_cost, "deadline": deadline, "quality": quality},
            today=today,
            force=force,
            offers=offers,
            shopping=Shopping(yes=yes, again=tuple(again or ()), voice=voice) if produce else None,
        )
        _check_shopping(wishes, is_meant=bool(again or yes or voice))
        parting, where = said.run(_make(said, wishes, home))
        from callsheet_studio.cli.made import part_with

        raise typer.Exit(part_with(said, parting, where, brief))


def schema(
    name: Annotated[
        Literal["brief", "script", "shots", "production_plan", "stack", "production", "plan"],
        typer.Argument(
            metavar="NAME", help="brief, script, shots, production_plan, stack or production."
        ),
    ],
) -> None:
    """Print the JSON Schema of one of the studio's objects, as they stand in files.

    A brief is meant that is complete; `brief schema` has the form people write.
    """
    with Output(as_json=True) as said:
        import callsheet_studio as studio

        objects: dict[str, type[BaseModel]] = {
            "brief": studio.Brief,
            "script": studio.Script,
            "shots": studio.ShotList,
            "production_plan": studio.ProductionPlan,
            "stack": studio.Stack,
            "production": studio.Production,
        }
        if name == "plan":
            said.remark(
                "A production plan is meant: callsheet schema production_plan. The schema of plans "
                "is callsheet plan schema."
            )
            name = "production_plan"
        said.data(objects[name].model_json_schema())


class _Wishes(msgspec.Struct, frozen=True, kw_only=True):
    """What was asked for."""

    brief: Path
    out: Path
    stop_after: Stage
    review: bool
    answers: Path | None
    cut: Path | None
    script: Path | None
    writer: str
    constraints: dict[str, object]
    """That replace the brief's; None: none does."""
    today: str | None
    force: bool
    offers: Offers
    shopping: Shopping | None
    """What is ordered; None: all shots are drawn."""


def _check_shopping(wishes: _Wishes, *, is_meant: bool) -> None:
    if wishes.shopping is None and is_meant:
        said = "--again, --voice and --yes are about what is ordered."
        raise InputError(f"{said} Add --produce.")
    if wishes.shopping is None:
        return
    if wishes.review:
        said = "Approve script, shots and plan first: --review --stop-after plan, without it."
        raise InputError(f"--produce asks once, before anything is ordered. {said}")
    if wishes.stop_after != "film":
        raise InputError("--produce makes a film. Leave out --stop-after.")


def _day(text: str | None) -> date | None:
    if text is None:
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise InputError(f"--today {text!r} is not a day. Write it as in 2026-11-15.") from None


async def _make(out: Output, wishes: _Wishes, home: Place) -> tuple[Parting, Where]:
    # The tools are plug-ins, so whoever resumes the run need not name them.
    where = Where(home=home)
    async with workers_for(wishes.stop_after, wishes.out) as speak:
        from callsheet_studio.production.commission import commission, read_brief

        # All that can be wrong is found before anything is opened, made or written.
        brief = read_brief(wishes.brief, constraints=wishes.constraints, answers=wishes.answers)
        speak(brief)
        asked = commission(
            brief,
            out=wishes.out,
            today=_day(wishes.today),
            folder=wishes.brief.parent,
            stop_after=wishes.stop_after,
            review=wishes.review,
            force=wishes.force,
            cut=wishes.cut,
            offers=wishes.offers,
            script=wishes.script,
            writer=wishes.writer,
        )
        return await _made(out, asked, where, wishes.shopping), where


async def _made(out: Output, asked: Commission, where: Where, shopping: Shopping | None) -> Parting:
    from callsheet.apps.command import Interrupts, stay
    from callsheet_studio.production.tools import production_tools
    from callsheet_studio.studio import Studio

    order = await _ordered(out, asked, where, shopping) if shopping else None
    # Before the home is opened: nothing is made in one for a directory that another fills.
    with asked.reserved(), Interrupts() as interrupts:
        tools = production_tools(asked.stop_after, orders=order is not None)
        async with driving(where, tools, create=True) as engine:
            making = await Studio(engine).make(asked, order)
            return await stay(
                out, engine, making.run, interrupts, where, skipped=False, advice=_advice(making)
            )


async def _ordered(out: Output, asked: Commission, where: Where, shopping: Shopping) -> Quote:
    """What is ordered, after somebody has said yes."""
    from callsheet_studio.production.tools import production_tools
    from callsheet_studio.studio import Studio

    async with driving(where, production_tools("plan"), create=True) as engine:
        return await agreed(out, Studio(engine), asked, shopping)


def _advice(making: Making) -> Advice:
    """Enter answers what is taken when nobody is asked; what the brief cannot be is asked again."""
    from callsheet.apps.command import Advice

    usual = {step: each.default for step, each in making.questions().items()}
    return Advice(usual=usual, check=making.check)
