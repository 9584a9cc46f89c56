"""Proof that what is acknowledged is on the disk: syncs counted from outside, and no early starts.

A commit that a reader in another connection sees has been synced, if each step has its sync; and a
step whose predecessor's outcome such a reader sees when the tool begins has not started early.
"""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from bench import fresh
from bench.ours import chain
from callsheet import Context, Engine, tool

if TYPE_CHECKING:
    from pathlib import Path

    from bench.cases import Bench
    from bench.table import Row

SYNCS = ("fsync", "fdatasync")
SIDES = ("ours", "thread", "turn")


async def syncs(bench: Bench) -> list[Row]:
    """What there is to say about it, as notes: these are no times."""
    length = bench.sizes.chain
    early = await early_starts(bench.scratch / "early", length)
    bench.notes.append(
        f"{early} of {length} steps of a chain began before the outcome of the step before them "
        "was committed (0 is right)"
    )
    bench.notes.append(_counts(bench))
    return []


def _counts(bench: Bench) -> str:
    if shutil.which("strace") is None:
        return "syncs were not counted: strace not installed"
    length = bench.sizes.chain
    counts = ", ".join(f"{side} {_per_step(side, length, bench.scratch):.2f}" for side in SIDES)
    return f"fsync and fdatasync per step of a chain, counted with strace: {counts} (1 is right)"


def _per_step(side: str, length: int, scratch: Path) -> float:
    """Of two processes that differ in two chains alone, by how much they differ."""
    one, three = (_count(side, length, times, scratch) for times in (1, 3))
    return (three - one) / (2 * length)


def _count(side: str, length: int, times: int, scratch: Path) -> int:
    out = scratch / "strace.txt"
    strace = ("strace", "-f", "-c", "-e", f"trace={','.join(SYNCS)}", "-o", str(out))
    fresh.ask("chains", side, length, times, scratch=scratch, under=strace)
    return calls(out.read_text("utf-8"))


def calls(summary: str) -> int:
    """How many calls `strace -c` counted."""
    lines = (line.split() for line in summary.splitlines())
    return sum(int(words[3]) for words in lines if words and words[-1] in SYNCS)


async def early_starts(home: Path, length: int) -> int:
    """How many steps began while the outcome of the one before was not to be seen by others."""
    early = 0

    @tool(effect="read")
    async def noop(ctx: Context, i: int = 0) -> int:
        nonlocal early
        run = await looker.get(ctx.run)
        ended = {getattr(e, "step", "") for e in await run.journal() if hasattr(e, "outcome")}
        early += i > 0 and f"s{i - 1}" not in ended
        return i

    async with (
        Engine.open(home, tools=[noop], sync="full") as engine,
        Engine.open(home, tools=[noop], drive=False) as looker,
    ):
        run = await engine.start(chain(length))
        await run.wait()
    return early
