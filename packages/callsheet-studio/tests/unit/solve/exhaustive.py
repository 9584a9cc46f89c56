"""Every plan there is, one after the other: what the solver is measured against.

Shares nothing with it: own bills in exact fractions of a dollar, own search over orders of clips,
own schedule by trying every lane for every call. Only for films of a few shots.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product
from math import ceil, floor
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from callsheet_studio.model.brief import Brief
    from callsheet_studio.model.shots import ShotList
    from callsheet_studio.model.stack import Grid, Stack, StackTool

MOST_CLIPS = 4


@dataclass(frozen=True)
class Outcome:
    """What one plan comes to."""

    micros: int
    """Millionths of a dollar."""
    quality: int
    """Hundredths times frames."""
    seconds: int
    animatic: int
    """Frames."""


@dataclass(frozen=True)
class Option:
    """A way to make one shot."""

    micros: int
    quality: int
    animatic: bool
    calls: tuple[tuple[int, str, int], ...]
    """Stage, provider and whole seconds of each call."""


def best(plans: list[Outcome], shots: ShotList, brief: Brief) -> Outcome | None:
    """The plan that the rules of the levels ask for; None if there is none."""
    limit, deadline = brief.constraints.max_cost_usd, brief.constraints.deadline
    end = ceil(shots.frames / 24)
    in_time = [p for p in plans if deadline is None or p.seconds + end <= Fraction(str(deadline))]
    money = None if limit is None else Fraction(str(limit)) * 1_000_000
    paid = [p for p in in_time if money is None or p.micros <= money]
    level = brief.constraints.quality
    if level == "budget":
        return _saving(in_time, paid)
    if level == "high" and money is not None:
        return min(paid, key=lambda p: (-p.quality, p.micros, p.seconds), default=None)
    return min(paid, key=lambda p: (p.micros, -p.quality, p.seconds), default=None)


def _saving(in_time: list[Outcome], paid: list[Outcome]) -> Outcome | None:
    whole = min(in_time, key=lambda p: (p.animatic, p.micros, -p.quality, p.seconds), default=None)
    if whole is None or whole in paid:
        return whole
    allowed = [p for p in paid if p.quality <= whole.quality]
    return min(allowed, key=lambda p: (-p.quality, p.micros, p.seconds), default=None)


def everything(shots: ShotList, brief: Brief, stack: Stack, lanes: int) -> list[Outcome]:
    """What every plan comes to."""
    frames = [shot.frames for shot in shots.shots]
    found = {
        (
            sum(option.micros for option in plan),
            sum(option.quality * length for option, length in zip(plan, frames, strict=True)),
            _end(plan, lanes),
            sum(length for o, length in zip(plan, frames, strict=True) if o.animatic),
        )
        for plan in product(*(options(length, brief, stack) for length in frames))
    }
    return [Outcome(*each) for each in found]


def _end(plan: tuple[Option, ...], lanes: int) -> int:
    calls: dict[tuple[int, str], list[int]] = {}
    for option in plan:
        for stage, provider, seconds in option.calls:
            calls.setdefault((stage, provider), []).append(seconds)
    ends = [0, 0]
    for (stage, provider), each in calls.items():
        many = 1 if provider == "local CPU" else lanes
        ends[stage] = max(ends[stage], soonest(tuple(sorted(each)), many))
    return sum(ends)


@cache
def soonest(calls: tuple[int, ...], lanes: int) -> int:
    """When the last call can be over: every lane is tried for every call."""
    ends = []
    for places in product(range(lanes), repeat=len(calls)):
        loads = [0] * lanes
        for place, seconds in zip(places, calls, strict=True):
            loads[place] += seconds
        ends.append(max(loads))
    return min(ends)


def options(frames: int, brief: Brief, stack: Stack) -> list[Option]:
    """All ways to make a shot that are good enough."""
    level = brief.constraints.quality
    found = [
        option
        for tool in stack.tools
        if tool.category == "video" and tool.status == "active"
        for mode in tool.modes
        for option in _generated(tool, mode, frames, stack, level)
    ]
    own = [tool for tool in stack.tools if tool.category == "render"] if level == "budget" else []
    call = (1, "local CPU", ceil(frames / 24))
    return found + [Option(0, 0, animatic=True, calls=(call,)) for _ in own]


def _generated(
    tool: StackTool, mode: str, frames: int, stack: Stack, level: str
) -> Iterator[Option]:
    lowest, least = _third(stack, mode, level)
    share = _share(tool)
    quality = lowest if share is None else share
    sharp = [offer for offer in tool.offers if int((offer.resolution or "0p")[:-1]) >= 720]
    for offer in sharp if quality >= least else []:
        assert tool.grid is not None
        rates = Tariff(tool.grid, offer.unit_seconds, offer.usd, offer.minimum_usd)
        for bill, count in _orders(rates, Fraction(frames, 24)):
            clip = (1, offer.provider, 3 * count * _seconds(tool, stack))
            if mode == "t2v":
                yield Option(_exact(3 * bill), quality, animatic=False, calls=(clip,))
                continue
            for usd, picture in _pictures(stack):
                yield Option(_exact(3 * bill + usd), quality, animatic=False, calls=(picture, clip))


def _exact(usd: Fraction) -> int:
    micros = usd * 1_000_000
    assert micros.denominator == 1
    return micros.numerator


def _pictures(stack: Stack) -> list[tuple[Fraction, tuple[int, str, int]]]:
    return [
        (3 * Fraction(str(offer.usd)), (0, offer.provider, 3 * _seconds(tool, stack)))
        for tool in stack.tools
        if tool.category == "image"
        for offer in tool.offers
    ]


@dataclass(frozen=True)
class Tariff:
    """What one offer charges for clips of one tool."""

    grid: Grid
    clip: float | None
    """Seconds of a clip that has a price of its own."""
    usd: float
    minimum: float

    def bill(self, length: Fraction) -> Fraction:
        price = Fraction(str(self.usd)) * (length if self.clip is None else 1)
        return max(price, Fraction(str(self.minimum)))

    def clips(self, need: Fraction, count: int) -> list[tuple[Fraction, ...]]:
        """Every order of so many clips that is long enough."""
        if self.clip is not None:
            lengths = [Fraction(str(self.clip))]
        elif self.grid.lengths:
            lengths = [Fraction(str(length)) for length in self.grid.lengths]
        else:
            # Any length: all clips alike, or the shortest there are, to the millisecond.
            least, most = Fraction(str(self.grid.least)), Fraction(str(self.grid.most))
            alike = max(Fraction(ceil(need * 1000), 1000) / count, least)
            return [(alike,) * count] if alike <= most else []
        every = combinations_with_replacement(lengths, count)
        return [clips for clips in every if sum(clips) >= need]


@cache
def _orders(rates: Tariff, need: Fraction) -> list[tuple[Fraction, int]]:
    """For each number of clips, the least that they cost together."""
    found = []
    for count in range(1, MOST_CLIPS + 1):
        bills = [
            sum((rates.bill(length) for length in clips), Fraction(0))
            for clips in rates.clips(need, count)
        ]
        if bills:
            found.append((min(bills), count))
    return found


def _share(tool: StackTool) -> int | None:
    row = next(iter(tool.benchmarks), None)
    return None if row is None or row.share is None else floor(Fraction(str(row.share)) * 100)


def _third(stack: Stack, mode: str, level: str) -> tuple[int, int]:
    """What nobody has measured counts, and what a shot must reach, however it is made."""
    active = [tool for tool in stack.tools if tool.status == "active"]
    of_clips = [
        (made, share)
        for tool in active
        for made in tool.modes
        if made in {"t2v", "i2v"} and (share := _share(tool)) is not None
    ]
    lowest = min((share for made, share in of_clips if made == mode), default=1)
    known = sorted(share for _, share in of_clips)
    place = {"high": 2 * len(known) // 3, "balanced": len(known) // 3}.get(level)
    return lowest, 0 if place is None or not known else known[place]


def _seconds(tool: StackTool, stack: Stack) -> int:
    row = next(iter(tool.latency), None)
    if row is not None and row.typical is not None:
        return ceil(row.typical)
    prior = stack.latency_prior
    told = prior.least if tool.category == "image" else prior.typical
    return ceil(told or 0)
