"""What can be bought on a day: calls of offers, how long they take, and the pictures there are."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from math import ceil
from typing import TYPE_CHECKING

import msgspec

from callsheet_studio.solve import fitting, quality
from callsheet_studio.solve.quality import Scale
from callsheet_studio.solve.terms import MS, local, micros

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date

    from callsheet_studio.model.stack import Offer, Stack, StackTool
    from callsheet_studio.solve.terms import Terms, Wish

_KINDS = ("measured", "third_party_measured", "documented", "vendor", "estimate")


class StillNeed(msgspec.Struct, frozen=True):
    """What the picture must be like that a clip begins with."""

    reference: bool
    """It shows figures that other shots show too."""
    sharp: bool
    """It is what will be seen, not only a beginning."""


class Call(msgspec.Struct, frozen=True, eq=False):
    """An offer as it is used for one purpose."""

    tool: StackTool
    offer: Offer
    bill: int
    """Of one attempt, in millionths."""
    attempts: int
    most: int
    """Attempts at worst."""
    ms: int
    """All attempts, one after the other."""

    @property
    def expected(self) -> int:
        """Millionths, with the attempts that are expected."""
        return self.bill * self.attempts

    @property
    def name(self) -> tuple[str, str]:
        """What ties are broken by."""
        return self.tool.id, self.offer.id


@dataclass(frozen=True, slots=True)
class Market:
    """What can be bought on a day, for a brief."""

    stack: Stack
    today: date
    wish: Wish
    terms: Terms
    aspects: frozenset[str] = field(init=False)
    _scales: dict[tuple[bool, tuple[str, ...]], Scale] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "aspects", fitting.aspects_for(self.wish.aspect, self.stack))

    @property
    def last(self) -> date:
        """The day on which the last call may be made: until then, a tool has to be there."""
        return self.today + timedelta(days=self.wish.days)

    def scale(self, *modes: str, lip_sync: bool = False) -> Scale:
        """The known intervals of the active tools, in one mode or over several."""
        kind = (lip_sync, modes)
        if kind not in self._scales:
            there = [tool for tool in self.stack.tools if not fitting.tool_gone(tool, self.last)]
            able = [tool for tool in there if tool.lip_sync or not lip_sync]
            self._scales[kind] = Scale.over(able, *modes)
        return self._scales[kind]

    def offers(self, category: str) -> Iterator[tuple[StackTool, Offer]]:
        """All of a category, in a stable order."""
        tools = sorted(self.stack.tools, key=lambda tool: tool.id)
        for tool in tools:
            if tool.category == category:
                for offer in sorted(tool.offers, key=lambda each: each.id):
                    yield tool, offer

    def call(self, tool: StackTool, offer: Offer, bill: int, ms: int) -> Call:
        """With the attempts that are expected of it."""
        once = local(offer.provider)
        attempts, most = (1, 1) if once else (self.terms.attempts, self.terms.max_attempts)
        return Call(tool, offer, bill, attempts, most, ms * attempts)

    def latency(self, tool: StackTool) -> int:
        """Of one call, in milliseconds; the stack's prior if nobody has told it."""
        return latency(tool, self.stack)


def latency(tool: StackTool, stack: Stack) -> int:
    """The best told typical time of a call, else the middle of the best told range, else a prior.

    The prior is for a clip of five seconds; a picture is given the quickest of its range. Whole
    seconds: nobody knows it better, and small numbers prove.
    """
    rows = sorted(tool.latency, key=lambda row: (_trust(row.kind), row.as_of, row.source))
    prior = stack.latency_prior
    quick, usual = prior.least, prior.typical or 0
    typical = [row.typical for row in rows if row.typical is not None]
    middle = [(row.least + row.most) / 2 for row in rows if row.least is not None and row.most]
    assumed = usual if quick is None or tool.category != "image" else quick
    return ceil((*typical, *middle, assumed)[0]) * MS


def _trust(kind: str) -> int:
    return _KINDS.index(kind) if kind in _KINDS else len(_KINDS)


def all_still_needs() -> tuple[StillNeed, ...]:
    """Every kind of picture that there is."""
    return tuple(StillNeed(reference=r, sharp=s) for r in (False, True) for s in (False, True))


def stills_for(need: StillNeed, market: Market) -> tuple[Call, ...]:
    """The offers of pictures that serve, the dominated ones dropped."""
    scale = market.scale("t2i")
    floor = scale.floor(market.wish.level)
    found = []
    for tool, offer in market.offers("image"):
        if _still_why(tool, offer, need, market):
            continue
        if (quality.measured(tool, "t2i") or scale.lowest).low >= floor:
            bill = max(micros(offer.usd), micros(offer.minimum_usd))
            found.append(market.call(tool, offer, bill, market.latency(tool)))
    kept = [call for call in found if not any(_beats(other, call) for other in found)]
    return tuple(sorted(kept, key=lambda call: call.name))


def _still_why(tool: StackTool, offer: Offer, need: StillNeed, market: Market) -> str:
    why = fitting.on_the_day(tool, offer, market.last, market.terms)
    why = why or fitting.allowed(tool, market.wish)
    if need.sharp:
        why = why or fitting.sharp_enough(tool, offer, market.wish)
    if why or (need.reference and not fitting.takes_references(tool)):
        return why or "takes no references"
    return "" if offer.unit == "image" and "t2i" in tool.modes else "is not priced by the picture"


def _beats(a: Call, b: Call) -> bool:
    if a is b or a.offer.provider != b.offer.provider:
        return False
    mine, other = (a.expected, a.ms), (b.expected, b.ms)
    at_least = all(x <= y for x, y in zip(mine, other, strict=True))
    return at_least and (mine, a.name) < (other, b.name)
