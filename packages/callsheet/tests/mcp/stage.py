"""What the tests of the MCP server share: an engine behind it, the official client before it."""

from __future__ import annotations

import asyncio
import sys
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from mcp import Client, StdioServerParameters
from tests.acceptance.command import SECONDS, TOOLS, environment

from callsheet import Context, Engine, tool
from callsheet.errors import FatalError
from callsheet.serve.mcp.door import Door
from callsheet.serve.mcp.server import build

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from mcp_types import CallToolResult, ElicitRequestParams, ElicitResult

ERAS = ("2026-07-28", "legacy")
"""What the client speaks: the modern protocol, or the one with a handshake."""


class Outside:
    """What the tools of a test change, and what they wait for."""

    def __init__(self) -> None:
        self.done: list[str] = []
        self.begun = asyncio.Event()
        self.gate = asyncio.Event()

    def tools(self) -> list[Any]:
        @tool("book", effect="write", idempotent=True, undo="unbook")
        async def book(name: str) -> str:
            """Book something."""
            self.done.append(name)
            return name

        @tool("unbook", effect="write", idempotent=True)
        async def unbook(args: dict[str, str]) -> None:
            """Take it back."""
            self.done.append(f"un{args['name']}")

        @tool("held", effect="read")
        async def held(name: str = "held") -> str:
            """Wait until the test lets it go on."""
            self.begun.set()
            await self.gate.wait()
            return name

        @tool("boom", effect="read")
        async def boom() -> None:
            """Fail, until the test lets it through."""
            if not self.gate.is_set():
                raise FatalError("boom, as announced")

        @tool("vanish", effect="write")
        async def vanish() -> None:
            """Have an effect, perhaps."""
            raise ConnectionResetError("the line went dead")

        @tool("long_text", effect="read")
        async def long_text(size: int, ctx: Context) -> str:
            """A long text."""
            return "x" * size

        return [book, unbook, held, boom, vanish, long_text]


@asynccontextmanager
async def a_door(outside: Outside, home: Path | None = None, **rights: Any) -> AsyncIterator[Door]:
    """An engine with the tools of a test, behind a door."""
    room = Engine.toolroom(home, outside.tools())
    async with Engine.open(home, room, drain=1.0) as engine:
        yield Door(tenant=engine.tenant("default"), **rights)


@asynccontextmanager
async def a_client(door: Door, **settings: Any) -> AsyncIterator[Client]:
    """The official client, connected to our server without a process between them."""
    server = build(lambda _request: door)
    settings.setdefault("read_timeout_seconds", SECONDS)
    async with Client(server, **settings) as client:
        yield client


def started(*words: object, directory: Path) -> StdioServerParameters:
    """How the client starts `callsheet mcp` as a process of its own."""
    return StdioServerParameters(
        command=sys.executable,
        args=["-m", "callsheet.cli", "mcp", *map(str, words)],
        cwd=directory,
        env=environment(directory),
    )


def at_home(directory: Path, *words: object) -> StdioServerParameters:
    """The same, with the tools of the command line's tests, in a home of the test's own."""
    return started("--tools", TOOLS, "--home", directory / "home", *words, directory=directory)


def a_plan(*steps: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"name": "trip", "steps": list(steps), **fields}


def step(name: str, tool: str = "book", **fields: Any) -> dict[str, Any]:
    args = {"args": {"name": name}} if tool in ("book", "held", "stamp", "gate") else {}
    return {"id": name, "tool": tool, **args, **fields}


async def said(client: Client, tool: str, **args: Any) -> Any:
    """What a tool answers; it must not be an error."""
    result = await client.call_tool(tool, args)
    assert not result.is_error, result.structured_content
    return result.structured_content


async def refused(client: Client, tool: str, **args: Any) -> Any:
    """The error that a tool answers with: a result, with a code that a program reads."""
    result: CallToolResult = await client.call_tool(tool, args)
    assert result.is_error, result.structured_content
    assert set(result.structured_content or ()) >= {"code", "message", "problems", "retryable"}
    return result.structured_content


class Person:
    """Whoever sits before the client, and answers the forms that it shows."""

    def __init__(self, *answers: ElicitResult) -> None:
        self.answers = list(answers)
        self.saw: list[str] = []

    async def __call__(self, _context: object, form: ElicitRequestParams) -> ElicitResult:
        self.saw.append(form.message)
        return self.answers.pop(0)
