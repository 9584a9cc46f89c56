"""The command `plan draft`: a goal becomes a plan, and perhaps a run of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
import typer

from callsheet import Plan
from callsheet.chat import Choice
from callsheet.cli.arguments import load_all, value_of
from callsheet.cli.home import Where, driving
from callsheet.cli.options import (
    AsJson,
    Inputs,
    Yes,
    who,
)
from callsheet.cli.output import Output
from callsheet.cli.placed import placed
from callsheet.errors import InputError

if TYPE_CHECKING:
    from callsheet import Engine, Run
    from callsheet.cli.attend import Interrupts, Parting

_OFFLINE = "offline"


class _Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """What was asked for, in the words of the command line."""

    goal: str
    where: Where
    model: str | None
    offer: str | None
    inputs: tuple[str, ...]
    run: bool
    output: Path | None
    yes: bool


@placed
def draft(
    goal: Annotated[str, typer.Argument(metavar="GOAL", help="What is wanted, in your words.")],
    *,
    model: Annotated[
        str | None,
        typer.Option(help="`provider:model`, a name of [models], or recorded:FILE."),
    ] = None,
    run: Annotated[bool, typer.Option("--run", help="Run it while it is written.")] = False,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Write the plan to this file."),
    ] = None,
    offer: Annotated[
        str | None,
        typer.Option(metavar="NAMES", help="What steps may call: 'weather,mail.*,plan:trip'."),
    ] = None,
    inputs: Inputs = None,
    yes: Yes = False,
    where: Where,
    as_json: AsJson = False,
) -> None:
    """Have a model write a plan for a goal; with --run, run it while it is written.

    Without --run the plan is checked and printed, and nothing in it is run. Without a model, the
    saved plan is taken whose words fit the goal, or one that an app ships.
    """
    wanted = _Wanted(
        goal=goal,
        where=where,
        model=model,
        offer=offer,
        inputs=tuple(inputs or ()),
        run=run,
        output=output,
        yes=yes,
    )
    with Output(as_json=as_json) as out:
        if where.home.is_service:
            raise InputError("Plans are drafted in a home on this machine: leave out --server.")
        if output is not None and not output.parent.is_dir():
            raise InputError(f"There is no directory {str(output.parent)!r} to write to.")
        raise typer.Exit(out.run(_draft(out, wanted)))


async def _draft(out: Output, wanted: _Wanted) -> int:
    from callsheet.cli.attend import Interrupts

    with Interrupts() as interrupts:
        tools = load_all(wanted.where.tools)
        async with driving(wanted.where, tools, create=True) as engine:
            usual = engine.models.usual()
            choice = Choice.of(wanted.model, () if usual == _OFFLINE else (usual,))
            if choice.model == _OFFLINE:
                return await _chosen(out, engine, wanted, interrupts, choice.why)
            run = await engine.plan_for(
                wanted.goal,
                tools=_names(wanted.offer),
                model=choice.model,
                inputs=_given(wanted.inputs),
                only_draft=not wanted.run,
            )
            out.remark(f"Drafted by {choice.model} ({choice.why}).")
            parting = await _stayed(out, engine, run, interrupts, wanted)
            plan = await engine.drafted(run.id)
            return _told(out, parting, plan, wanted)


async def _chosen(
    out: Output, engine: Engine, wanted: _Wanted, interrupts: Interrupts, why: str
) -> int:
    """Without a model: a plan that is there."""
    found = await engine.plans.fitting(wanted.goal)
    chosen = found[0] if found and found[0].clear else None
    if chosen is None:
        out.remark(f"No model: {why}.")
    else:
        words = ", ".join(chosen.words)
        out.remark(f"No model: {why}. {chosen.plan.name!r} was chosen, by the words: {words}.")
        if not wanted.run:
            return _shown(out, chosen.plan, wanted)
    # Where none is clear, it is refused here, with what there is.
    run = await engine.plan_for(wanted.goal, inputs=_given(wanted.inputs))
    assert chosen is not None
    parting = await _stayed(out, engine, run, interrupts, wanted)
    return _told(out, parting, chosen.plan, wanted)


async def _stayed(
    out: Output, engine: Engine, run: Run, interrupts: Interrupts, wanted: _Wanted
) -> Parting:
    from callsheet.cli.attend import Attendance, Manner, NoView, stay

    if not wanted.run:  # what is printed is the plan, and nothing else
        manner = Manner(by=who())
        return await Attendance(engine, run, NoView(out), interrupts, manner).until_over()
    return await stay(out, engine, run, interrupts, wanted.where, yes=wanted.yes)


def _told(out: Output, parting: Parting, plan: Plan, wanted: _Wanted) -> int:
    is_drafted = parting.reason == "ended" and parting.result.state == "succeeded"
    if not wanted.run and is_drafted:
        return _shown(out, plan, wanted)
    if wanted.output is not None and is_drafted:
        _write(out, plan, wanted.output)
    from callsheet.cli.closing import part

    return part(out, parting, wanted.where)


def _shown(out: Output, plan: Plan, wanted: _Wanted) -> int:
    if wanted.output is not None:
        _write(out, plan, wanted.output)
    if out.as_json:
        out.data(plan.to_json())
    elif wanted.output is None:
        out.console.print(plan.to_yaml(), markup=False, soft_wrap=True, end="")
    return 0


def _write(out: Output, plan: Plan, path: Path) -> None:
    try:
        path.write_text(plan.to_yaml(), encoding="utf-8")
    except OSError as error:
        raise InputError(f"Cannot write {str(path)!r}: {error.strerror}.") from error
    out.remark(f"Wrote {path}.")


def _names(offer: str | None) -> list[str] | None:
    return [name.strip() for name in offer.split(",") if name.strip()] if offer else None


def _given(inputs: tuple[str, ...]) -> dict[str, Any]:
    given: dict[str, Any] = {}
    for each in inputs:
        name, equals, text = each.partition("=")
        if not equals:
            raise InputError(f"--input {each!r} has no value. Write NAME=VALUE.")
        given[name] = value_of(text, {})
    return given
