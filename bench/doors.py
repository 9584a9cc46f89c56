"""Where users come in: plans as mappings and files, and the command line."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from itertools import count
from typing import TYPE_CHECKING

from bench import fresh
from bench import ours as o
from bench.sampling import Series, asked_in_turns, in_turns, number, spread
from bench.table import Row

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence
    from pathlib import Path

    from bench.cases import Bench
    from callsheet import Plan

SEEN = 1.15
"""How much longer a run may take whose plan is a mapping or a file that was seen before."""
COMMAND = 3.5
"""How much longer `callsheet run` of one step may take than importing what draws its tables."""
_IMPORTS = "import typer, rich.console, rich.table"
_TOOLS = "from callsheet import tool\n\n\n@tool\nasync def noop() -> int:\n    return 1\n"
_ONE_STEP = {"callsheet": 1, "name": "one", "steps": [{"id": "a", "tool": "noop"}]}


async def doors(bench: Bench) -> list[Row]:
    """The same plan as a `Plan`, as a mapping and in a file; and a command of one step."""
    sizes = bench.sizes
    fan = o.fan(sizes.fan, name="fan")
    small = o.chain(3, name="small")
    return [
        *await _seen(bench, f"fan-out of {sizes.fan}", fan, 1),
        *await _seen(bench, f"{sizes.runs} runs of 3 steps", small, sizes.runs),
        await _command(bench),
    ]


async def _seen(bench: Bench, case: str, plan: Plan, runs: int) -> list[Row]:
    """A plan in its three forms, in turns."""
    mapping = plan.to_json()
    file = bench.scratch / f"{plan.name}.json"
    file.write_text(json.dumps(mapping), "utf-8")
    async with o.ours(bench.scratch / f"home-{plan.name}") as ours:

        def each(form: Plan | dict[str, object] | Path) -> Callable[[], Awaitable[None]]:
            async def once() -> None:
                started = [await ours.engine.start(form) for _ in range(runs)]
                for run in started:
                    assert (await run.wait()).state == "succeeded"

            return once

        forms = {"plan": each(plan), "mapping": each({**mapping}), "file": each(file)}
        series = await in_turns(forms, bench.sizes)
    return [
        _row(f"{case}, plan given as a {form} against a `Plan`", series[form], series["plan"], SEEN)
        for form in ("mapping", "file")
    ]


async def _command(bench: Bench) -> Row:
    """`callsheet run` in a new home, against an interpreter that imports what it draws with."""
    scratch, homes = bench.scratch, count()
    (scratch / "tools.py").write_text(_TOOLS, "utf-8")
    (scratch / "one.json").write_text(json.dumps(_ONE_STEP), "utf-8")

    async def run() -> float:
        home = str(scratch / f"command-{next(homes)}")
        words = ("-m", "callsheet", "run", "one.json", "--tools", "tools.py", "--home", home)
        return await asyncio.to_thread(_timed, scratch, words)

    async def imports() -> float:
        return await asyncio.to_thread(_timed, scratch, ("-c", _IMPORTS))

    # Each is asked once before it counts, so there is bytecode, as after an installation.
    series = await asked_in_turns({"run": run, "imports": imports}, 2 * bench.sizes.fresh)
    case = "`callsheet run` of one step against `import typer, rich.console, rich.table`"
    return _row(case, series["run"], series["imports"], COMMAND)


def _timed(scratch: Path, words: Sequence[str]) -> float:
    began = time.perf_counter()
    subprocess.run(
        [sys.executable, *words],
        cwd=scratch,
        env=fresh.keeping_bytecode(scratch),
        capture_output=True,
        check=True,
    )
    return time.perf_counter() - began


def _row(case: str, ours: Series, other: Series, most: float) -> Row:
    times = ours.times(other)
    each = [f"{number(side.median * 1000)} ms" for side in (ours, other)]
    return Row(
        case=case,
        ours=f"{times.median:.2f} x ({spread(times.seconds)}): {' : '.join(each)}",
        bar=f"≤ {most} x",
        met=times.median <= most,
    )
