"""How many shots a beat has, and where it is cut."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from callsheet_studio.base.time import Rate
    from callsheet_studio.model.script import Script

LEAST, MOST = 1, 10
"""Seconds of a shot."""

_SECONDS_A_SHOT = {
    "explainer": Fraction(6),
    "general": Fraction(5),
    "testimonial": Fraction(5),
    "product_demo": Fraction(17, 4),
    "brand_story": Fraction(9, 2),
}
_AD = (
    (0, Fraction(0)),
    (15, Fraction(11, 2)),
    (30, Fraction(9)),
    (60, Fraction(29, 2)),
    (90, Fraction(20)),
)
"""Shots of an ad by its seconds; between them in proportion."""
_AD_AFTER = Fraction(9, 2)
"""Seconds for each shot more of a longer one."""
_COMFORT = {True: Fraction(6, 5), False: Fraction(2)}
"""Seconds that a shot should have at least, in ads and elsewhere."""
_NEAR = Fraction(3, 10)
"""Of a shot's length: so far a cut is moved to where a speaker breathes."""


def limits(rate: Rate) -> tuple[int, int]:
    """The fewest and the most frames of a shot."""
    return -int(-LEAST * rate.fps // 1), int(MOST * rate.fps)


def shots_for(seconds: Fraction, kind: str, *, ad: bool) -> int:
    """How many shots a film of this length should have."""
    if not ad:
        return max(round(seconds / _SECONDS_A_SHOT.get(kind, Fraction(5))), 1)
    for (since, fewer), (until, more) in pairwise(_AD):
        if seconds <= until:
            share = (seconds - since) / (until - since)
            return max(int(fewer + (more - fewer) * share + Fraction(1, 2)), 1)
    return int(_AD[-1][1] + (seconds - _AD[-1][0]) / _AD_AFTER)


def counts(script: Script) -> tuple[int, ...]:
    """How many shots each beat has: by its length, a little more where it is intense.

    A card is one picture as long as it may be.
    """
    ad = script.type == "social_ad" or script.structure == "ad"
    rate, (fewest, most) = script.rate, limits(script.rate)
    comfort = max(int(_COMFORT[ad] * rate.fps), fewest)
    found = [max(-(-beat.frames // most), len(beat.visual.pictures)) for beat in script.beats]
    room = [
        n
        if beat.visual.pictures or beat.visual.location == "abstract"
        else max(beat.frames // comfort, n, 1)
        for beat, n in zip(script.beats, found, strict=True)
    ]
    weights = [beat.frames * (24 + beat.emotion.intensity) for beat in script.beats]
    wanted = shots_for(script.frames / rate.fps, script.type, ad=ad)
    while sum(found) < wanted:
        open_ = [i for i, n in enumerate(found) if n < room[i]]
        if not open_:
            break
        best = max(open_, key=lambda i: (Fraction(weights[i], 2 * found[i] + 1), -i))
        found[best] += 1
    return tuple(found)


def ends_of(
    frames: int, weights: Sequence[int], rate: Rate, breaths: Sequence[int]
) -> tuple[int, ...]:
    """Where each shot of a beat ends: by weight, moved to a breath if one is near."""
    fewest, most = limits(rate)
    if not fewest * len(weights) <= frames <= most * len(weights):
        fewest, most = 1, frames  # as it was prescribed; the check of the list says so
    total, place, ends = sum(weights), 0, list[int]()
    for number, weight in enumerate(weights[:-1], start=1):
        place += weight
        left = len(weights) - number
        before = ends[-1] if ends else 0
        low = max(before + fewest, frames - left * most)
        high = min(before + most, frames - left * fewest)
        ideal = frames * place // total
        near = [b for b in breaths if abs(b - ideal) <= _NEAR * frames / len(weights)]
        at = min(near, key=lambda b: (abs(b - ideal), b), default=ideal)
        ends.append(max(min(at, high), low))
    return (*ends, frames)
