"""Turns beside other agent loops: the same stream, the same tools, in programs of their own."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from bench.peers.catalog import Peer
from bench.peers.environments import Environments, NotMeasuredError
from bench.table import Row
from callsheet.testing.models import ModelServer, Pause, Say, calls

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable

    from callsheet.testing.models import Asked, Line

CALLS, STREAM, COMPLETE, TOOL = 8, 2.0, 1.0, 1.0
TIMES = 3
LONGEST = 120.0
ROOT = Path(__file__).parents[1]
PEERS = (
    Peer(name="openai_agents", title="OpenAI Agents SDK"),
    Peer(name="langgraph_tools", title="LangGraph's ToolNode"),
)
"""Those with an environment of their own; pydantic-ai is in ours."""


def answer(asked: Asked) -> Iterable[Line]:
    """Eight calls, complete after one second of two; then a word."""
    if any(each["role"] == "tool" for each in asked.body["messages"]):
        return [Say("Done.")]
    lines: list[Line] = [Say("Looking. ")]
    for index in range(CALLS):
        lines += [
            Pause(COMPLETE / CALLS),
            *calls(f"c{index}", "slow", {"at": str(index)}, index=index),
        ]
    rest = STREAM - COMPLETE
    return [*lines, *(line for _ in range(10) for line in (Pause(rest / 10), Say("and ")))]


async def beside(ours: Callable[[str], Awaitable[None]]) -> list[Row]:
    """How long the calls of an answer take in all; `ours` has `TIMES` turns at an address."""
    async with ModelServer() as server:
        server.otherwise(answer)
        await ours(server.openai)
        own = _best(server)
        found: dict[str, float | str] = {}
        for title, python, program in _programs():
            server.requests.clear()
            if isinstance(python, str):
                found[title] = python
                continue
            failed = await _run(python, program, server.openai)
            found[title] = failed or _best(server)
    best = min((each for each in found.values() if isinstance(each, float)), default=None)
    told = ", ".join(
        f"{title} {each:.2f} s" if isinstance(each, float) else f"{title}: {each}"
        for title, each in found.items()
    )
    ratio = own / best if best else None
    return [
        Row(
            case=f"turn: {CALLS} calls of {TOOL:g} s, complete after {COMPLETE:g} s of a stream of "
            f"{STREAM:g} s",
            ours=f"{own:.2f} s",
            limits=(told, "-"),
            ratios=(f"{ratio:.2f} of the best" if ratio else "-", "-"),
            bar="≤ 0.8 of the best",
            met=ratio is not None and ratio <= 0.8,
        )
    ]


def _programs() -> Iterable[tuple[str, Path | str, str]]:
    yield "pydantic-ai", Path(sys.executable), "turn_pydantic_ai"
    for peer in PEERS:
        try:
            yield peer.title, Environments().python(peer), f"turn_{peer.name}"
        except NotMeasuredError as error:
            yield peer.title, str(error), ""


def _best(server: ModelServer) -> float:
    """The shortest time from one request to the next, which has the results of all calls."""
    pairs = list(zip(server.requests[::2], server.requests[1::2], strict=True))
    assert len(pairs) == TIMES
    return min(second.at - first.at for first, second in pairs)


async def _run(python: Path, program: str, url: str) -> str:
    """Have a program do it; "": it has."""
    module = f"bench.peers.programs.{program}"
    running = await asyncio.create_subprocess_exec(
        str(python), "-m", module, url, str(TIMES), cwd=ROOT, stderr=asyncio.subprocess.PIPE
    )
    try:
        _, said = await asyncio.wait_for(running.communicate(), LONGEST)
    except TimeoutError:
        running.kill()
        await running.wait()
        return "took too long"
    lines = said.decode().strip().splitlines() or ["it said nothing"]
    return f"failed: {lines[-1]}" if running.returncode else ""
