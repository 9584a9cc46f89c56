"""The commands that make more of a run: `fork`, `add`, `seal`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
import typer

from callsheet.cli.arguments import load_all, value_of
from callsheet.cli.control import steer
from callsheet.cli.home import Where, driving
from callsheet.cli.options import (
    DEFAULT_HOME,
    AsJson,
    Home,
    RunName,
    Yes,
    who,
)
from callsheet.cli.output import Output
from callsheet.cli.placed import placed
from callsheet.cli.provided import provided
from callsheet.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from callsheet.cli.attend import Parting
    from callsheet.types import RepeatedWrite


@placed
def fork(
    run: RunName,
    step: Annotated[
        str, typer.Argument(metavar="STEP", help="The step to run again; also an item: rooms[2].")
    ],
    *,
    arg: Annotated[
        list[str] | None,
        typer.Option("--arg", metavar="NAME=VALUE", help="Another argument; repeatable."),
    ] = None,
    repeat_writes: Annotated[
        bool,
        typer.Option(
            "--repeat-writes", help="Repeat writes that are not idempotent without asking."
        ),
    ] = False,
    yes: Yes = False,
    where: Where,
    as_json: AsJson = False,
) -> None:
    """Run again from a step, as a new run.

    Whatever does not depend on the step is taken over as it ended, and is not undone with the new
    run; the step and all that is built on it are done anew. Retries one failed step, too.
    """
    with Output(as_json=as_json) as out:
        wish = _Wish(step=step, args=_args_of(arg or ()), repeat_writes=repeat_writes, yes=yes)
        parting = out.run(_fork(out, where, run, wish))
        from callsheet.cli.closing import part

        raise typer.Exit(part(out, parting, where))


def _args_of(texts: Sequence[str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise InputError(f"--arg {text!r} is not name=value. Write --arg city=Oslo.")
        if name in found:
            raise InputError(f"--arg {name!r} is given twice. Remove one of them.")
        found[name] = value_of(value, None)
    return found


class _Wish(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be done again, and how."""

    step: str
    args: dict[str, Any]
    repeat_writes: bool
    yes: bool


async def _fork(out: Output, where: Where, run: str, wish: _Wish) -> Parting:
    from callsheet.cli.attend import Interrupts, stay

    where = await provided(out, where, run)
    tools = load_all(where.tools)
    with Interrupts() as interrupts:
        async with driving(where, tools) as engine:
            source = (await engine.find(run)).id
            repeats = await engine.repeats(source, wish.step)
            _list_repeats(out, repeats)
            forked = await engine.fork(
                source,
                wish.step,
                wish.args,
                repeat_writes=wish.repeat_writes or _is_meant(out, repeats),
            )
            return await stay(out, engine, forked, interrupts, where, yes=wish.yes)


def _list_repeats(out: Output, repeats: Sequence[RepeatedWrite]) -> None:
    if repeats and not out.as_json:
        out.remark("These writes were already done, and would be repeated:")
        for each in repeats:
            sure = "idempotent" if each.idempotent else "not idempotent"
            out.remark(f"  {each.step}  {each.tool}  ({sure})", "" if each.idempotent else "yellow")


def _is_meant(out: Output, repeats: Sequence[RepeatedWrite]) -> bool:
    """Ask whoever is there; where nobody is, the engine says what to write."""
    if all(each.idempotent for each in repeats):
        return True
    if out.as_json or not (out.console.is_terminal and sys.stdin.isatty()):
        return False
    return typer.confirm("Repeat them?", default=False)


def add(
    run: RunName,
    steps: Annotated[
        Path, typer.Argument(metavar="FILE", help="Steps as YAML or JSON: a list, or `steps:`.")
    ],
    home: Home = DEFAULT_HOME,
    as_json: AsJson = False,
) -> None:
    """Add steps to an open run. They can refer to all its steps."""
    with Output(as_json=as_json) as out:
        steer(out, home, run, lambda handle: handle.add(steps, by=who()), "added")


def seal(run: RunName, home: Home = DEFAULT_HOME, as_json: AsJson = False) -> None:
    """Seal an open run: it ends when its steps are done."""
    with Output(as_json=as_json) as out:
        steer(out, home, run, lambda handle: handle.seal(by=who()), "sealed")
