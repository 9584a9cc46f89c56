"""The command `mcp`: Callsheet as an MCP server on stdin and stdout."""

from __future__ import annotations

import logging
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import callsheet
from callsheet.cli.arguments import load_all
from callsheet.cli.home import Where, artifacts_of, key_for, preparing
from callsheet.cli.options import (
    DEFAULT_HOME,
    AllowPrivate,
    AllowShell,
    Config,
    Home,
    NoPlugins,
    Tools,
)
from callsheet.cli.output import Output
from callsheet.errors import InputError

if TYPE_CHECKING:
    from callsheet.serve.mcp.wire import Wire
    from callsheet.types import Toolroom

EXTRA = "`callsheet mcp` needs a part that is not installed: pip install 'callsheet[mcp]'"


def mcp(
    *,
    tools: Tools = None,
    allow_shell: AllowShell = False,
    files: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Offer file.read and file.write, in this directory; by default neither.",
        ),
    ] = None,
    allow_private: AllowPrivate = False,
    allow_approve: Annotated[
        bool,
        typer.Option(
            "--allow-approve", help="Let agents answer questions that are meant for a person."
        ),
    ] = False,
    read_only: Annotated[
        bool, typer.Option("--read-only", help="Read-only: start nothing and change nothing.")
    ] = False,
    key_file: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="With --server: the file that has the key; else CALLSHEET_KEY."
        ),
    ] = None,
    no_plugins: NoPlugins = False,
    config: Config = None,
    home: Home = DEFAULT_HOME,
) -> None:
    """Serve one agent over MCP, on stdin and stdout.

    Agents' hosts start it. It ends when its client does; runs go on with the next process. With
    --server it passes everything on to a service, where runs go on by themselves.
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
    with Output(as_json=False) as out:
        if find_spec("mcp") is None:
            raise InputError(EXTRA)
        if sys.stdin.isatty():
            out.remark(
                "This is started by an agent's host, which speaks MCP on stdin. Ctrl-D ends it."
            )
        from callsheet.serve.mcp.wire import take_wire

        wire = take_wire()
        logging.captureWarnings(capture=True)
        if home.is_service:
            _must_be_a_servers(where, allow_approve=allow_approve, read_only=read_only)
            out.run(_relay(str(home.opened), _key(key_file) or key_for(home), wire))
            return
        room = preparing(where, load_all(where.tools))
        out.run(_serve(room, wire, where, may_approve=allow_approve, read_only=read_only))


def _must_be_a_servers(where: Where, *, allow_approve: bool, read_only: bool) -> None:
    said = {
        "--tools": where.tools,
        "--allow-shell": where.allow_shell,
        "--allow-private": where.allow_private,
        "--files": where.files,
        "--config": where.config,
        "--allow-approve": allow_approve,
        "--read-only": read_only,
    }
    for option, value in said.items():
        if value:
            raise InputError(
                f"{option} is decided by the service and its keys: leave it out with --server."
            )


def _key(file: Path | None) -> str | None:
    """The key in a file, which no list of processes shows."""
    if file is None:
        return None
    try:
        return file.read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError) as exc:
        raise InputError(f"Cannot read {str(file)!r}: {exc}.") from exc


async def _relay(server: str, key: str | None, wire: Wire) -> None:
    from callsheet.serve.mcp.relay import relay

    await relay(server, key, wire)


async def _serve(
    room: Toolroom, wire: Wire, where: Where, *, may_approve: bool, read_only: bool
) -> None:
    from callsheet.serve.mcp.stdio import DRAIN, serve_stdio, stdio_door, withhold

    withheld = withhold(room, files=where.files is not None, shell=where.allow_shell)
    async with callsheet.Engine.open(
        where.home.opened,
        room,
        drive=not read_only,
        drain=DRAIN,
        artifacts=artifacts_of(),
    ) as engine:
        door = stdio_door(engine, room, withheld, may_approve=may_approve, may_write=not read_only)
        await serve_stdio(door, wire, apps=where.plugins is not False)
