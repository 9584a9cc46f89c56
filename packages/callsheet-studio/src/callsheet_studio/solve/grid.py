"""Billed seconds are not screen seconds: which clips are ordered for a shot, and what they cost.

A clip has a length of the tool's grid, each call costs at least the offer's minimum, a price for a
clip of five seconds is a price for a clip. So the cheapest order for seven seconds may be one clip
of eight, two of four, or one of ten.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import ceil, gcd
from typing import TYPE_CHECKING

import msgspec

from callsheet_studio.solve.terms import MICROS, MS, micros

if TYPE_CHECKING:
    from callsheet_studio.base.time import Rate
    from callsheet_studio.model.stack import Grid, Offer


class Tariff(msgspec.Struct, frozen=True):
    """What clips of one offer cost, and how long they can be."""

    lengths: tuple[int, ...]
    """Milliseconds, ascending; empty if any length between the next two will do."""
    least: int
    most: int
    per_second: int
    """Millionths of a millionth; 0 if it is priced by the clip."""
    per_clip: int
    minimum: int

    def bill(self, length: int) -> int:
        """Of one call, in millionths."""
        price = -(-self.per_second * length // (MICROS * MS))
        return max(price + self.per_clip, self.minimum)


class Order(msgspec.Struct, frozen=True):
    """Clips that together are long enough."""

    clips: tuple[int, ...]
    """Milliseconds, the longest first."""
    bill: int
    """Of one attempt at all of them, in millionths."""

    @property
    def billed(self) -> int:
        """Milliseconds that are paid for."""
        return sum(self.clips)


def screen_time(frames: int, rate: Rate) -> int:
    """The milliseconds that must be ordered for so many frames, a fraction upwards.

    At 23.976 and 29.97 a clip is conformed frame by frame: 120 frames are five seconds of a model
    that makes 24 in a second.
    """
    return -(-frames * MS // rate.base)


def tariff(offer: Offer, grid: Grid | None) -> Tariff | None:
    """What clips of an offer cost; None if lengths or unit do not tell it."""
    minimum = micros(offer.minimum_usd)
    if offer.unit == "clip" and offer.unit_seconds:
        length = _ms(offer.unit_seconds)
        return Tariff((length,), length, length, 0, micros(offer.usd), minimum)
    if offer.unit != "second" or grid is None:
        return None
    lengths = tuple(sorted({_ms(length) for length in grid.lengths if length > 0}))
    least, most = (lengths[0], lengths[-1]) if lengths else (_ms(grid.least), _ms(grid.most))
    return Tariff(lengths, least, most, _fine(offer.usd), 0, minimum)


def orders(rates: Tariff, need: int, most_clips: int) -> tuple[Order, ...]:
    """For each number of clips the cheapest order that is long enough, if it beats those before.

    More clips take longer, so an order of more is only worth a thought if it costs less.
    """
    # Sums of lengths are multiples of their divisor: so may be what is asked for.
    step = gcd(*rates.lengths) or 1
    return _orders(rates, -(-need // step) * step, most_clips)


@lru_cache(maxsize=8192)
def _orders(rates: Tariff, need: int, most_clips: int) -> tuple[Order, ...]:
    found: list[Order] = []
    for count in range(1, most_clips + 1):
        order = _cheapest(rates, need, count) if rates.lengths else _even(rates, need, count)
        if order is not None and (not found or order.bill < found[-1].bill):
            found.append(order)
    return tuple(found)


@lru_cache(maxsize=65536)
def _cheapest(rates: Tariff, need: int, count: int) -> Order | None:
    if count * rates.most < need:
        return None
    if count == 1:
        first = next(length for length in rates.lengths if length >= need)
        return Order((first,), rates.bill(first))
    best: Order | None = None
    for length in rates.lengths:
        rest = _cheapest(rates, max(need - length, 0), count - 1)
        if rest is None:
            continue
        clips = tuple(sorted((length, *rest.clips), reverse=True))
        order = Order(clips, rates.bill(length) + rest.bill)
        if best is None or _better(order, best):
            best = order
    return best


def _better(a: Order, b: Order) -> bool:
    return (a.bill, a.billed, a.clips) < (b.bill, b.billed, b.clips)


def _even(rates: Tariff, need: int, count: int) -> Order | None:
    # The bill of a call never falls faster than its length: equal parts are the cheapest.
    if count * rates.most < need:
        return None
    whole, over = divmod(max(need, count * rates.least), count)
    clips = tuple(whole + 1 if place < over else whole for place in range(count))
    return Order(clips, sum(rates.bill(clip) for clip in clips))


# The same few lengths and prices stand in hundreds of offers.


@lru_cache(maxsize=1024)
def _ms(value: float) -> int:
    return int(Fraction(str(value)) * MS)


@lru_cache(maxsize=1024)
def _fine(value: float) -> int:
    return ceil(Fraction(str(value)) * MICROS * MICROS)
