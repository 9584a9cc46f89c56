"""Steps from inside a step: adding them, saying text, and asking how a run stands."""

from __future__ import annotations

import asyncio
import statistics
import time
from typing import TYPE_CHECKING, Any

from bench import ours as o
from bench.table import Row
from bench.work import result
from callsheet import Context, Engine, Plan, Step, Tool, tool
from callsheet.core.past.result import result_from
from callsheet.core.run.entries import TextEmitted
from callsheet.types import Transcript

if TYPE_CHECKING:
    from bench.cases import Bench
    from callsheet import Run

PART = 30
"""Adds of which the median is taken, at the beginning and at the end."""
SMALL = 9
"""Steps of a small run."""
EVERY = 0.005
"""Seconds between two texts: 200 a second."""
WATCHERS = 10


@tool(effect="read")
async def noop(i: int = 0) -> dict[str, object]:
    """Nothing, at once."""
    return result(i)


@tool(effect="read")
async def add_all(many: int, ctx: Context) -> list[float]:
    """Add so many steps, one by one, and say what each add took."""
    took = []
    for i in range(many):
        began = time.perf_counter()
        await ctx.add([{"id": f"s{i}", "tool": "noop", "args": {"i": i}, "literal": True}])
        took.append(time.perf_counter() - began)
    await ctx.then(seal=True)
    return took


@tool(effect="read")
async def speak(many: int, ctx: Context) -> None:
    """Say so many texts, 200 a second."""
    due = time.perf_counter()
    for i in range(many):
        ctx.emit(f"word{i} ")
        due += EVERY
        await ctx.sleep(max(due - time.perf_counter(), 0.0))


TOOLS: list[Tool[..., Any]] = [noop, add_all, speak]


async def inside(bench: Bench) -> list[Row]:
    """What a turn needs of the engine."""
    async with Engine.open(bench.scratch / "home", tools=TOOLS, sync="full") as engine:
        return [
            await _long_run(engine, bench.sizes.adds),
            await _small_runs(engine, bench.sizes.samples),
            *await _text(engine, bench.sizes.speakers, bench.sizes.texts),
            await _status(engine, bench.sizes.adds),
        ]


def _adding(many: int) -> Plan:
    return Plan(name="adds", steps=(Step(id="plan", tool="add_all", args={"many": many}),))


async def _long_run(engine: Engine, many: int) -> Row:
    run = await engine.start(_adding(many), open=True)
    took = (await run.wait()).steps["plan"].output
    assert isinstance(took, list)
    part = min(PART, many // 2)
    first, last = (statistics.median(map(_seconds, each)) for each in (took[:part], took[-part:]))
    return Row(
        case=f"{many} adds to one open run: the last {part} beside the first",
        ours=f"{last * 1e3:.2f} ms, {last / first:.2f} x",
        bar="at most 1.5 x",
        met=last / first <= 1.5,
    )


def _seconds(found: object) -> float:
    return float(str(found))


async def _small_runs(engine: Engine, samples: int) -> Row:
    # One after the other: there, too, each is a commit of its own.
    closed = o.chain(SMALL, name="closed")
    one = Plan(name="one", steps=(Step(id="plan", tool="add_all", args={"many": 0}),))
    shares = []
    for _ in range(samples):
        step = await _cpu(engine, closed, is_open=False) / SMALL
        bare = await _cpu(engine, one, is_open=True)
        shares.append((await _cpu(engine, _adding(SMALL), is_open=True) - bare) / SMALL / step)
    share = statistics.median(shares)
    return Row(
        case="an add of one step in small runs, with that step: CPU beside a step of a chain",
        ours=f"{share:.2f} x",
        bar="at most 2 x",
        met=share <= 2,
    )


async def _cpu(engine: Engine, plan: Plan, *, is_open: bool, times: int = 20) -> float:
    """Seconds of CPU of one run of a plan."""
    began = time.process_time()
    for _ in range(times):
        await (await engine.start(plan, open=is_open)).wait()
    return (time.process_time() - began) / times


async def _text(engine: Engine, runs: int, texts: int) -> list[Row]:
    alone, _ = await _spoken(engine, runs, texts, watchers=0)
    watched, pace = await _spoken(engine, runs, texts, watchers=WATCHERS)
    seconds = texts * EVERY
    case = f"{runs} runs x 200 texts/s"
    return [
        Row(
            case=f"{case}, {WATCHERS} watchers each: CPU beside the same without",
            ours=f"{watched / alone:.2f} x ({watched / seconds:.2f} s/s, {alone / seconds:.2f})",
            bar="at most 2 x",
            met=watched / alone <= 2,
        ),
        Row(
            case=f"{case}: entries a second for each step",
            ours=f"{pace:.1f}",
            bar="at most 20",
            met=pace <= 20,
        ),
    ]


async def _spoken(engine: Engine, runs: int, texts: int, *, watchers: int) -> tuple[float, float]:
    """Seconds of CPU, and the most entries of text a second of any step."""
    plan = Plan(name="speaks", steps=(Step(id="speak", tool="speak", args={"many": texts}),))
    whole = "".join(f"word{i} " for i in range(texts))
    began = time.process_time()
    async with asyncio.TaskGroup() as group:
        started = [await engine.start(plan) for _ in range(runs)]
        heard = [group.create_task(_heard(run)) for run in started for _ in range(watchers)]
        for run in started:
            await run.wait()
    spent = time.process_time() - began
    assert all(each.result() == whole for each in heard), "every text once, in order"
    return spent, max([await _pace(run) for run in started])


async def _pace(run: Run) -> float:
    """Entries of text a second, from the first to the last but the one at the end."""
    at = [entry.at for entry in await run.journal() if isinstance(entry, TextEmitted)][:-1]
    return (len(at) - 1) / (at[-1] - at[0]).total_seconds() if len(at) > 1 else 0.0


async def _heard(run: Run) -> str:
    transcript, text = Transcript(), []
    async for told in run.events():
        new = transcript.new(told)
        if new is not None:
            text.append(new.text)
    return "".join(text)


async def _status(engine: Engine, many: int) -> Row:
    run = await engine.start(_adding(many), open=True)
    await run.wait()
    plan = Plan(name="stays", steps=(Step(id="ask", ask="Go on?"),))
    stays = await engine.start(plan, open=True)
    for first in range(0, many, 100):
        steps = [Step(id=f"s{i}", tool="noop") for i in range(first, min(first + 100, many))]
        await stays.add(steps)
    await stays.seal()
    async for seen in stays.watch():
        if seen.state == "waiting":
            break
    journal = await stays.journal()
    driven, folded = [], []
    for _ in range(PART):
        began = time.perf_counter()
        status = await stays.status()
        driven.append(time.perf_counter() - began)
        began = time.perf_counter()
        result_from(journal, status.at)
        folded.append(time.perf_counter() - began)
    await stays.cancel()
    share = statistics.median(driven) / statistics.median(folded)
    return Row(
        case=f"status of a run of {many} steps that is driven here, beside folding its journal",
        ours=f"{statistics.median(driven) * 1e3:.2f} ms, {share:.2f} x",
        bar="at most 0.1 x",
        met=share <= 0.1,
    )
