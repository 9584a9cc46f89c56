"""The cases against the limit: chain, fan-out, many runs, start, sleep, cancel."""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bench import ours as o
from bench.limit import Program, limits
from bench.sampling import asked_in_turns, in_turns
from bench.table import Row, rate_row, time_row

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from bench.work import Sizes


@dataclass(frozen=True, slots=True)
class Bench:
    """What a case is given."""

    sizes: Sizes
    scratch: Path
    """An empty directory of its own."""
    notes: list[str] = field(default_factory=list)
    """What a reader should know besides the rows."""
    verbose: bool = False


@asynccontextmanager
async def both(bench: Bench) -> AsyncIterator[tuple[o.Ours, Program, Program]]:
    """Our engine and the two limits, side by side."""
    async with o.ours(bench.scratch / "home") as ours:
        with limits(bench.scratch) as programs:
            yield ours, programs["thread"], programs["turn"]


async def chain(bench: Bench) -> list[Row]:
    """Steps one after the other; and the same with the output of each given to the next."""
    sizes = bench.sizes
    plain, relay = o.chain(sizes.chain), o.relay(sizes.chain)
    async with both(bench) as (ours, thread, turn):
        series = await in_turns(
            {
                "ours": lambda: ours.run(plain),
                "thread": lambda: thread.chain(sizes.chain),
                "relay": lambda: ours.run(relay),
                "turn": lambda: turn.chain(sizes.chain),
            },
            sizes,
        )
    passed_on = {**series, "ours": series["relay"]}
    return [
        rate_row(f"chain: {sizes.chain} steps in a row", sizes.chain, series, at_least=0.5),
        rate_row("chain, outputs passed on by reference", sizes.chain, passed_on),
    ]


async def fan(bench: Bench) -> list[Row]:
    """One step, then many at once, then one."""
    sizes = bench.sizes
    plan = o.fan(sizes.fan)
    async with both(bench) as (ours, thread, turn):
        series = await in_turns(
            {
                "ours": lambda: ours.run(plan),
                "thread": lambda: thread.fan(sizes.fan),
                "turn": lambda: turn.fan(sizes.fan),
            },
            sizes,
        )
    return [rate_row(f"fan-out: 1 → {sizes.fan} → 1", sizes.fan + 2, series, at_least=0.2)]


async def many(bench: Bench) -> list[Row]:
    """Many runs at once."""
    sizes = bench.sizes
    plan = o.chain(sizes.run_length, name="many")
    async with both(bench) as (ours, thread, turn):
        series = await in_turns(
            {
                "ours": lambda: ours.many(plan, sizes.runs),
                "thread": lambda: thread.many(sizes.runs, sizes.run_length),
                "turn": lambda: turn.many(sizes.runs, sizes.run_length),
            },
            sizes,
        )
    case = f"many: {sizes.runs} runs x {sizes.run_length} steps at once"
    return [rate_row(case, sizes.runs * sizes.run_length, series, at_least=0.15)]


async def start(bench: Bench) -> list[Row]:
    """From the call of `start` to the first line of the first tool."""
    sizes = bench.sizes
    known = o.chain(1, name="known", tool="mark")
    fresh = (o.chain(1, name=f"new-{i}", tool="mark") for i in range(sizes.starts + 1))
    async with both(bench) as (ours, thread, turn):
        series = await asked_in_turns(
            {
                "ours": lambda: ours.start(known),
                "thread": thread.start,
                "fresh": lambda: ours.start(next(fresh)),
                "turn": turn.start,
            },
            sizes.starts,
        )
    unseen = {**series, "ours": series["fresh"]}
    return [
        time_row("start to first tool body", series, at_most=0.0015),
        time_row("the same, a plan not seen before", unseen),
    ]


async def sleep(bench: Bench) -> list[Row]:
    """Many steps that sleep, at once."""
    sizes = bench.sizes
    plan = o.at_once(sizes.sleepers, "rest", seconds=sizes.pause)
    async with both(bench) as (ours, thread, turn):
        series = await in_turns(
            {
                "ours": lambda: ours.run(plan),
                "thread": lambda: thread.sleepers(sizes.sleepers, sizes.pause),
                "turn": lambda: turn.sleepers(sizes.sleepers, sizes.pause),
            },
            sizes,
        )
    case = f"{sizes.sleepers} steps x sleep({sizes.pause:g}) at once"
    return [time_row(case, series, unit="s", at_most=0.115)]


async def cancel(bench: Bench) -> list[Row]:
    """From the call of `cancel` until the last of many running tools is told."""
    sizes = bench.sizes
    plan = o.at_once(sizes.cancelled, "hang")
    async with o.ours(bench.scratch / "home") as ours:
        series = await asked_in_turns({"ours": lambda: ours.cancel(plan)}, sizes.samples)
    case = f"cancel of {sizes.cancelled} running steps: last told"
    return [time_row(case, series, at_most=0.020)]
