"""Samples of two or more sides, taken in turns, so that a busy moment meets them all."""

from __future__ import annotations

import gc
import math
import statistics
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from bench.work import Sizes

MAX_PASSES = 50


@dataclass(frozen=True, slots=True)
class Series:
    """What was measured, in the order it was: seconds, and seconds of CPU where they are known."""

    seconds: tuple[float, ...]
    cpu: tuple[float, ...] = ()

    @property
    def median(self) -> float:
        return statistics.median(self.seconds)

    @property
    def best(self) -> float:
        return min(self.seconds)

    @property
    def worst(self) -> float:
        return max(self.seconds)

    @property
    def median_cpu(self) -> float | None:
        return statistics.median(self.cpu) if self.cpu else None

    def times(self, other: Series) -> Series:
        """How many times as long as the other's each of these took, sample by sample."""
        pairs = zip(self.seconds, other.seconds, strict=True)
        return Series(tuple(mine / yours for mine, yours in pairs))


async def in_turns(
    sides: Mapping[str, Callable[[], Awaitable[object]]], sizes: Sizes
) -> dict[str, Series]:
    """Time each side so many times: A, B, A, B, … after one pass of each to warm up.

    Work that is over sooner than `sizes.shortest` is done several times for one sample.
    """
    passes = {name: await _passes(work, sizes.shortest) for name, work in sides.items()}
    seconds: dict[str, list[float]] = {name: [] for name in sides}
    cpu: dict[str, list[float]] = {name: [] for name in sides}
    for _ in range(sizes.samples):
        for name, work in sides.items():
            gc.collect()  # so that nobody clears up what another one left
            began, spent = time.perf_counter(), time.process_time()
            for _ in range(passes[name]):
                await work()
            seconds[name].append((time.perf_counter() - began) / passes[name])
            cpu[name].append((time.process_time() - spent) / passes[name])
    return {name: Series(tuple(seconds[name]), tuple(cpu[name])) for name in sides}


async def asked_in_turns(
    sides: Mapping[str, Callable[[], Awaitable[float]]], samples: int
) -> dict[str, Series]:
    """The same for work that says itself how many seconds it took."""
    found: dict[str, list[float]] = {name: [] for name in sides}
    for work in sides.values():
        await work()
    gc.collect()
    for _ in range(samples):
        for name, work in sides.items():
            found[name].append(await work())
    return {name: Series(tuple(values)) for name, values in found.items()}


async def _passes(work: Callable[[], Awaitable[object]], shortest: float) -> int:
    await work()
    began = time.perf_counter()
    await work()
    took = time.perf_counter() - began
    return min(max(math.ceil(shortest / took), 1), MAX_PASSES)


def spread(values: Sequence[float]) -> str:
    """The ends of a range, for a reader."""
    return f"{number(min(values))}-{number(max(values))}"


def number(value: float) -> str:
    """Three digits that mean something."""
    if value >= 100:
        return f"{value:,.0f}"
    if value >= 10:
        return f"{value:.1f}"
    return f"{value:.2f}" if value >= 1 else f"{value:.3f}"
