"""The command `turn`: say something to a model, and stay until it has answered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import msgspec
import typer

from callsheet import Budget
from callsheet.cli.arguments import load_all
from callsheet.cli.home import Where, driving
from callsheet.cli.options import (
    DEFAULT_HOME,
    AllowPrivate,
    AllowShell,
    AsJson,
    Config,
    FilesRoot,
    Home,
    NoPlugins,
    Tools,
    Yes,
)
from callsheet.cli.output import Output

if TYPE_CHECKING:
    from callsheet import Turn
    from callsheet.cli.attend import Parting
    from callsheet.types import Answer


class _Terms(msgspec.Struct, frozen=True, kw_only=True):
    """What is said, and to whom."""

    message: str
    model: str
    may_call: tuple[str, ...] | None
    conversation: str | None
    usd: float | None
    key: str | None
    yes: bool


def turn(
    message: Annotated[str, typer.Argument(help="What you say.")],
    *,
    model: Annotated[
        str,
        typer.Option(
            help="`openai:gpt-5`, a name of the configuration, or `recorded:FILE`.",
            envvar="CALLSHEET_MODEL",
        ),
    ],
    may_call: Annotated[
        list[str] | None,
        typer.Option(
            "--may-call", metavar="TOOL", help="What it may call, by name or pattern; repeatable."
        ),
    ] = None,
    conversation: Annotated[
        str | None, typer.Option(help="Go on with a conversation; else a new one is begun.")
    ] = None,
    usd: Annotated[float | None, typer.Option(min=0, help="What it may cost at most.")] = None,
    key: Annotated[str | None, typer.Option(help="The same key is the same turn.")] = None,
    tools: Tools = None,
    yes: Yes = False,
    allow_shell: AllowShell = False,
    allow_private: AllowPrivate = False,
    files: FilesRoot = None,
    no_plugins: NoPlugins = False,
    config: Config = None,
    home: Home = DEFAULT_HOME,
    as_json: AsJson = False,
) -> None:
    """Say something to a model; its calls are made while it answers.

    Ctrl-C stops the model and its calls; what was done is kept. With --json, one line for each
    update of the flow, and at last the answer.
    """
    where = Where(
        home=home,
        tools=tools or (),
        allow_shell=allow_shell,
        allow_private=allow_private,
        files=files,
        plugins=not no_plugins,
        config=config,
    )
    terms = _Terms(
        message=message,
        model=model,
        may_call=tuple(may_call) if may_call else None,
        conversation=conversation,
        usd=usd,
        key=key,
        yes=yes,
    )
    with Output(as_json=as_json) as out:
        parting = out.run(_turn(out, where, terms))
        raise typer.Exit(parting.code)


async def _turn(out: Output, where: Where, terms: _Terms) -> Parting:
    from callsheet.cli.attend import Interrupts, children, stay

    with Interrupts() as interrupts:
        async with (
            driving(where, load_all(where.tools), create=True) as engine,
            children() as group,
        ):
            started = await engine.turn(
                terms.message,
                model=terms.model,
                tools=terms.may_call,
                conversation=terms.conversation,
                budget=None if terms.usd is None else Budget(usd=terms.usd),
                key=terms.key,
            )
            telling = group.create_task(_tell(out, started)) if out.as_json else None
            parting = await stay(out, engine, started.run, interrupts, where, yes=terms.yes)
            if parting.reason == "ended":
                if telling is not None:
                    await telling
                _close(out, await started.wait(), where)
            elif telling is not None:
                telling.cancel()
            return parting


async def _tell(out: Output, turn: Turn) -> None:
    async for update in turn.flow():
        out.data(update)


def _close(out: Output, answer: Answer, where: Where) -> None:
    if out.as_json:
        out.data(answer.to_json())
        return
    out.remark("")
    out.console.print(answer.text, markup=False, highlight=False)
    if answer.reason and answer.state != "stopped":
        out.remark(answer.reason, "red")
    again = where.command("turn", "…", "--conversation", answer.conversation)
    out.remark(f"{answer.state}, {answer.cost.usd:.4f} USD. Go on with: {again}")
