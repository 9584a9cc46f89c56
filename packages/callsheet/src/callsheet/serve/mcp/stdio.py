"""The server on stdin and stdout, for the one client that has started it."""

from __future__ import annotations

import asyncio
import signal
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, cast

import anyio
from mcp.server.stdio import stdio_server

from callsheet.core.run.start import TENANT
from callsheet.serve.mcp.apps import brought_by_apps
from callsheet.serve.mcp.door import Door, rights
from callsheet.serve.mcp.server import build
from callsheet.serve.mcp.wire import Lines, Writer

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from callsheet.engine.engine import Engine
    from callsheet.engine.toolroom import Toolroom
    from callsheet.serve.mcp.wire import Wire

DRAIN = 30.0
"""Seconds that calls have to end in when the client has gone."""
_LAST_WORDS = 1.0
FILES = ("file.read", "file.write", "file.restore")


def withhold(room: Toolroom, *, files: bool = False, shell: bool = False) -> dict[str, str]:
    """Take from the tools what was not offered, and return what would have to be said for it.

    Before the engine is opened: what is not offered is not there, neither for a plan, nor for a run
    that another process has left and this one would go on with.
    """
    withheld = dict.fromkeys(() if files else FILES, "say --files DIR to offer it.")
    withheld |= dict.fromkeys(() if shell else ("sh", *room.programs), "say --allow-shell.")
    # Also what apps bring that writes wherever it is told: it is as good as a shell.
    room.tools.withhold(withheld, machine=not shell)
    return {name: f"Whoever runs `callsheet mcp`: {say}" for name, say in withheld.items()}


def stdio_door(
    engine: Engine,
    room: Toolroom,
    withheld: dict[str, str],
    *,
    may_approve: bool = False,
    may_write: bool = True,
) -> Door:
    """The door of the client that has started us."""
    return Door(
        tenant=engine.tenant(TENANT, secrets=room.mcp_secrets),
        may=rights(write=may_write, approve=may_approve),
        forms_count=True,
        secrets=room.mcp_secrets,
        withheld=withheld,
    )


async def serve_stdio(door: Door, wire: Wire, *, apps: bool = True) -> None:
    """Serve until the client closes its end, or we are told to stop; with what `apps` bring."""
    brought = brought_by_apps() if apps else ()
    read_only = not door.may("runs:write")
    server = build(lambda _request: door, read_only=read_only, apps=brought)
    reads, writes = cast("Any", Lines(wire)), cast("Any", Writer(wire))
    async with until_told() as scope, stdio_server(reads, writes) as (read, write):
        await server.low.run(read, write, server.low.create_initialization_options())
        # What has been said is on its way; a client that does not read is not waited for.
        scope.deadline = anyio.current_time() + _LAST_WORDS


@asynccontextmanager
async def until_told() -> AsyncIterator[anyio.CancelScope]:
    """A block that ends when a signal says so; the engine around it then drains."""
    loop = asyncio.get_running_loop()
    with anyio.CancelScope() as scope:
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, scope.cancel)
        try:
            yield scope
        finally:
            # Whoever says it again does not want to wait.
            for number in (signal.SIGTERM, signal.SIGINT):
                loop.remove_signal_handler(number)
