"""Tools for the tests of the command line. They meet the test in a directory: `CLI_TEST_DIR`."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

from callsheet import Context, tool
from callsheet.errors import FatalError


def place() -> Path:
    return Path(os.environ["CLI_TEST_DIR"])


def note(line: str) -> None:
    with (place() / "ledger").open("a", encoding="utf-8") as file:
        file.write(line + "\n")


@tool("stamp", effect="write", idempotent=True, undo="unstamp")
async def stamp(name: str, ctx: Context) -> str:
    """Have an effect that can be counted, once for each key."""
    ledger = place() / "ledger"
    if not (ledger.exists() and ctx.key in ledger.read_text("utf-8")):
        note(f"{name} {ctx.key}")
    return name


@tool("unstamp", effect="write", idempotent=True)
async def unstamp(args: dict[str, str]) -> None:
    """Take it back."""
    note(f"un{args['name']}")


@tool("gate", effect="read")
async def gate(name: str, ctx: Context) -> str:
    """Say that it has begun, and wait until the test lets it through."""
    (place() / f"{name}.begun").touch()
    while not (place() / f"{name}.open").exists():
        await ctx.sleep(0.01)
    return name


@tool("deaf", effect="read")
async def deaf(name: str, ctx: Context) -> str:
    """As `gate`, but does not listen when it is told to stop."""
    (place() / f"{name}.begun").touch()
    while not (place() / f"{name}.open").exists():
        try:
            await ctx.sleep(0.01)
        except asyncio.CancelledError:
            (place() / f"{name}.told").touch()
    return name


@tool("boom", effect="read")
async def boom() -> None:
    """Fail."""
    raise FatalError("boom, as announced")


@tool("vanish", effect="write")
async def vanish() -> dict[str, int]:
    """Have an effect, perhaps: nobody knows."""
    raise ConnectionResetError("the line went dead")


@tool("chatty", effect="write", idempotent=True)
def chatty() -> str:
    """Print, in a process of its own."""
    print("printed by a worker process", flush=True)  # noqa: T201 -- what it is for
    return "said"


@tool("chatter", effect="read")
async def chatter() -> str:
    """Print, in ours, and below Python."""
    print("printed by a tool")  # noqa: T201 -- what it is for
    os.write(1, b"written by a tool\n")
    return "said"


sys.stdout.write("printed while the tools are loaded\n")


@tool("blurt", effect="write")
async def blurt(name: str) -> str:
    """Have an effect, and be unable to say so."""
    note(name)
    raise RuntimeError("the line went dead")


@tool("pay", effect="write")
async def pay(name: str, ctx: Context) -> str:
    """As `gate`, and has an effect that nobody may repeat."""
    await gate.function(name, ctx)
    note(f"{name} {ctx.key}")
    return name


@tool("boom_at_the_door")
async def boom_at_the_door(name: str, ctx: Context) -> None:
    """As `gate`, and fails then."""
    await gate.function(name, ctx)
    raise FatalError("boom, as announced")


@tool("slow_stamp", effect="write", idempotent=True, undo="slow_unstamp")
async def slow_stamp(name: str, ctx: Context) -> str:
    """As `stamp`, but it takes its time to be taken back."""
    return await stamp.function(name, ctx)


@tool("slow_unstamp", effect="write", idempotent=True)
async def slow_unstamp(args: dict[str, str], ctx: Context) -> None:
    """Take it back, once for each key, when the test lets it."""
    await gate.function("slow_undo", ctx)
    ledger = place() / "ledger"
    if ctx.key not in ledger.read_text("utf-8"):
        note(f"un{args['name']} {ctx.key}")
