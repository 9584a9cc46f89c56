"""The cases without a limit to compare with: large plans, full stores, fresh processes."""

from __future__ import annotations

import os
import random
import re
import sqlite3
import time
from itertools import count, islice
from typing import TYPE_CHECKING

from bench import fresh
from bench import ours as o
from bench.sampling import Series, asked_in_turns, number, spread
from bench.table import Row, time_row
from callsheet.core.ids import mint_run

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator
    from pathlib import Path

    from bench.cases import Bench
    from callsheet import Engine, Plan

FILL_SECONDS = 60.0
"""After so long, a store is full enough."""
SHAPES = {"lanes": f"{o.LANES} chains side by side", "fan": f"1 → n → 1, {o.WINDOW} at once"}

_IMPORT = """
import time
began = time.perf_counter()
import callsheet
done = time.perf_counter()
callsheet.Engine, callsheet.Plan, callsheet.tool
print(done - began, time.perf_counter() - began)
"""
_OPEN = """
import asyncio, sys, callsheet
async def main():
    async with callsheet.Engine.open(sys.argv[1]):
        print(resident())
def resident():
    try:
        status = open("/proc/self/status").read()
    except OSError:
        import resource
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    return int(status.split("VmRSS:")[1].split()[0]) / 1024
asyncio.run(main())
"""


async def growth(bench: Bench) -> list[Row]:
    """What a step costs in a large plan and in a small one, and what the large one holds."""
    sizes = bench.sizes
    rows = []
    for shape, said in SHAPES.items():
        words = (shape, sizes.small_plan, sizes.large_plan, sizes.large_samples)
        pairs = fresh.ask("growth", *words, scratch=bench.scratch)
        small, large = (Series(tuple(pair[side] for pair in pairs)) for side in (0, 1))
        times = large.times(small)
        per_step = [f"{number(series.median * 1e6)} µs" for series in (large, small)]
        rows.append(
            Row(
                case=f"{sizes.large_plan:,} steps against {sizes.small_plan}, per step: {said}",
                ours=f"{times.median:.2f} x ({spread(times.seconds)}): {' : '.join(per_step)}",
                bar="≤ 1.3 x",
                met=times.median <= 1.3,
            )
        )
    peaks = {
        shape: fresh.ask("peak", shape, sizes.large_plan, scratch=bench.scratch) for shape in SHAPES
    }
    said = ", ".join(f"{peak:.0f} MB ({shape})" for shape, peak in peaks.items())
    rows.append(
        Row(
            case=f"{sizes.large_plan:,} steps: peak resident memory",
            ours=said,
            bar="≤ 250 MB",
            met=max(peaks.values()) <= 250,
        )
    )
    return rows


async def entries(bench: Bench) -> list[Row]:
    """Start and finish a run in a store with many entries, and in an empty one."""
    sizes = bench.sizes
    plan = o.chain(sizes.run_length, name="among-many")
    full, empty = bench.scratch / "full", bench.scratch / "empty"
    async with o.ours(full) as ours:
        await ours.run(plan)
    there = fill(full / "callsheet.db", sizes.entries)
    opening = time.perf_counter()
    async with o.ours(full) as crowded:
        opening = time.perf_counter() - opening
        async with o.ours(empty) as alone:
            series = await asked_in_turns(
                {
                    "empty": _timed(alone.engine, plan),
                    "full": _timed(crowded.engine, plan),
                },
                sizes.entry_samples,
            )
    times = series["full"].times(series["empty"])
    per_run = [f"{number(series[side].median * 1e3)} ms" for side in ("full", "empty")]
    bench.notes.append(f"`Engine.open` on the store with {there:,} entries: {opening * 1e3:.0f} ms")
    return [
        Row(
            case=f"{there:,} entries in the store against none: start and finish a run",
            ours=f"{times.median:.2f} x ({spread(times.seconds)}): {' : '.join(per_run)}",
            bar="≤ 1.2 x",
            met=times.median <= 1.2,
        )
    ]


def _timed(engine: Engine, plan: Plan) -> Callable[[], Awaitable[float]]:
    keys = count()

    async def run() -> float:
        began = time.perf_counter()
        started = await engine.start(plan, key=f"timed-{next(keys)}")
        await started.wait()
        return time.perf_counter() - began

    return run


def fill(database: Path, wanted: int) -> int:
    """Copy the one run in a store until there are so many entries; says how many there are."""
    db = sqlite3.connect(database, isolation_level=None)
    try:
        # Quickly, since nobody will miss it: all of this is one transaction that is never synced.
        db.execute("PRAGMA journal_mode = OFF")
        db.execute("PRAGMA synchronous = OFF")
        db.execute("BEGIN")
        head = db.execute("SELECT * FROM runs").fetchone()
        journal = db.execute("SELECT seq, body FROM journal ORDER BY seq").fetchall()
        places = ", ".join("?" * len(head))
        ids = _ids(head[0])
        end = time.perf_counter() + FILL_SECONDS
        there = len(journal)
        while there < wanted and time.perf_counter() < end:
            some = list(islice(ids, min(2000, -(-(wanted - there) // len(journal)))))
            heads = [(run, *head[1:5], f"order-{run}", *head[6:]) for run in some]
            db.executemany(f"INSERT INTO runs VALUES ({places})", heads)
            entries = ((run, *entry) for run in some for entry in journal)
            copies = (
                (run, seq, body.replace(head[0], run), position)
                for position, (run, seq, body) in enumerate(entries, there + 1)
            )
            db.executemany(
                "INSERT INTO journal (run, seq, body, position) VALUES (?, ?, ?, ?)", copies
            )
            there += len(some) * len(journal)
        db.execute("UPDATE positions SET last = ?", (there,))
        db.execute("COMMIT")
        db.execute("PRAGMA journal_mode = WAL")
    finally:
        db.close()
    with database.open("rb") as file:
        os.fsync(file.fileno())  # or the system would write it back while something is measured
    return there


def _ids(newest: str) -> Iterator[str]:
    """Ids of runs that were started before now, each a little later than the one before."""
    chance = random.Random(newest)
    past = int(time.time() * 1000) - 365 * 24 * 3600 * 1000
    return (mint_run(past + 700 * i, chance.getrandbits(64)) for i in count())


async def footprint(bench: Bench) -> list[Row]:
    """What it takes to import the package and to open an engine."""
    sizes, scratch = bench.sizes, bench.scratch
    fresh.bare(_IMPORT, scratch=scratch)  # so that there is bytecode, as after an installation
    imports = [fresh.bare(_IMPORT, scratch=scratch)[0].split() for _ in range(sizes.fresh)]
    alone, used = (Series(tuple(float(pair[i]) for pair in imports)) for i in (0, 1))
    if bench.verbose:
        bench.notes.append(offenders(fresh.bare(_IMPORT, scratch=scratch, options=IMPORTTIME)[1]))
    sizes_mb = [
        float(fresh.bare(_OPEN, scratch / f"home-{i}", scratch=scratch)[0])
        for i in range(sizes.fresh)
    ]
    middle = sorted(sizes_mb)[len(sizes_mb) // 2]
    return [
        time_row("`import callsheet`", {"ours": alone}, unit="s", at_most=0.25),
        # Names that are imported when they are first used must not hide what they cost.
        time_row("the same, with `Engine`, `Plan`, `tool`", {"ours": used}, unit="s", at_most=0.25),
        Row(
            case="resident after `Engine.open`",
            ours=f"{middle:.1f} MB ({spread(sizes_mb)})",
            bar="≤ 70 MB",
            met=middle <= 70,
        ),
    ]


IMPORTTIME = ("-X", "importtime")


def offenders(said: str, *, most: int = 12) -> str:
    """The packages that `-X importtime` blames most, by their own time."""
    own: dict[str, int] = {}
    for line in said.splitlines():
        if found := re.match(r"import time:\s+(\d+) \|\s+\d+ \|\s+(\S+)", line):
            package = ".".join(found[2].split(".")[: 2 if found[2].startswith("callsheet") else 1])
            own[package] = own.get(package, 0) + int(found[1])
    worst = sorted(own.items(), key=lambda item: -item[1])[:most]
    parts = ", ".join(f"{name} {micros / 1000:.1f} ms" for name, micros in worst)
    return f"import time by package, without what it imports (measuring it slows it): {parts}"
