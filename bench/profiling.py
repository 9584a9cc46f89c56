"""Where the time of our side goes: a profile of one case, by function and by part."""

from __future__ import annotations

import cProfile
import pstats
from typing import TYPE_CHECKING

from bench import ours as o

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from bench.cases import Bench

LINES = 30
_BUILT_IN = "~"
_PARTS = (
    ("sqlite3", "sqlite"),
    ("msgspec", "codec (msgspec)"),
    ("jmespath", "references (jmespath)"),
    ("asyncio", "asyncio"),
    ("selectors", "asyncio"),
    ("select.epoll", "idle (epoll)"),
    ("callsheet/core/", "core"),
    ("callsheet/runtime/", "runtime"),
    ("callsheet/stores/", "stores"),
    ("callsheet/tools/", "tools"),
    ("callsheet/", "engine"),
    ("bench/", "bench"),
)

PROFILED = ("chain", "relay", "fan", "many", "start", "sleep", "cancel", "lanes")


async def profile(case: str, bench: Bench) -> None:
    """Print the profile of one case."""
    async with o.ours(bench.scratch / "home") as ours:
        work = _work(case, ours, bench)
        await work()
        profiler = cProfile.Profile()
        profiler.enable()
        await work()
        profiler.disable()
    stats = pstats.Stats(profiler)
    _print_parts(stats)
    stats.sort_stats("tottime").print_stats(LINES)


def _work(case: str, ours: o.Ours, bench: Bench) -> Callable[[], Awaitable[object]]:
    sizes = bench.sizes
    short = o.chain(sizes.run_length, name="many")
    first = o.chain(1, tool="mark")

    async def starts() -> None:
        for _ in range(sizes.starts):
            await ours.start(first)

    plans = {
        "chain": o.chain(sizes.chain),
        "relay": o.relay(sizes.chain),
        "fan": o.fan(sizes.fan),
        "sleep": o.at_once(sizes.sleepers, "rest", seconds=sizes.pause),
        "lanes": o.lanes(sizes.large_plan),
    }
    special: dict[str, Callable[[], Awaitable[object]]] = {
        "many": lambda: ours.many(short, sizes.runs),
        "start": starts,
        "cancel": lambda: ours.cancel(o.at_once(sizes.cancelled, "hang")),
    }
    return special.get(case) or (lambda: ours.run(plans[case]))


def _print_parts(stats: pstats.Stats) -> None:
    """Own time by part of the program; what profiling itself costs is in it."""
    own: dict[str, float] = {}
    table: dict[tuple[str, int, str], tuple[int, int, float, float, object]] = vars(stats)["stats"]
    for (file, _, function), (_, _, seconds, _, _) in table.items():
        part = _part_of(function if file == _BUILT_IN else file)
        own[part] = own.get(part, 0.0) + seconds
    whole = sum(own.values())
    for part, seconds in sorted(own.items(), key=lambda item: -item[1]):
        print(f"{part:24} {seconds * 1e3:8.1f} ms {seconds / whole:6.1%}")


def _part_of(place: str) -> str:
    return next((part for mark, part in _PARTS if mark in place), "built-in and the rest")
