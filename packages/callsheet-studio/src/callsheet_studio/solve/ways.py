"""The ways in which each shot can be made: recipe, offer, clips, with price, time and quality.

Shots that need the same are one group, and ways that are never better than another are dropped:
what is left is what the solver weighs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from callsheet_studio.solve import fitting, quality
from callsheet_studio.solve.grid import Tariff, orders, tariff
from callsheet_studio.solve.market import Call, Market, StillNeed, all_still_needs, stills_for
from callsheet_studio.solve.terms import MS, micros

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from callsheet_studio.model.plan import Recipe
    from callsheet_studio.model.stack import Offer, StackTool
    from callsheet_studio.solve.needs import Need
    from callsheet_studio.solve.quality import Interval


_MODES = ("t2v", "i2v")


class Way(msgspec.Struct, frozen=True, eq=False):
    """A way to make a shot: one call, after that of the still if it needs one."""

    recipe: Recipe
    call: Call
    clips: tuple[int, ...]
    quality: Interval
    known: bool
    """Whether the quality was measured."""
    still: StillNeed | None = None

    @property
    def tool(self) -> str:
        """The model that makes what is seen."""
        return self.call.tool.id

    @property
    def key(self) -> tuple[int, str, str, int]:
        """What ties are broken by: the simpler recipe, the names, the fewer clips."""
        return _SIMPLER.index(self.recipe), *self.call.name, len(self.clips)


_SIMPLER: tuple[Recipe, ...] = (
    "footage",
    "text_to_video",
    "image_to_video",
    "still_and_move",
    "animatic",
)


class Group(msgspec.Struct, frozen=True):
    """Shots that need the same."""

    need: Need
    shots: tuple[int, ...]
    """Their places in the film."""
    ways: tuple[Way, ...]
    weighed: int
    """Ways before the dominated ones were dropped."""
    against: tuple[str, ...]
    """Why other offers cannot make them."""


def groups_of(needs: Sequence[Need], market: Market) -> tuple[Group, ...]:
    """All shots in groups, each with the ways that are worth weighing."""
    places: dict[Need, list[int]] = {}
    for place, need in enumerate(needs):
        places.setdefault(need, []).append(place)
    stills = {need for need in all_still_needs() if stills_for(need, market)}
    rooms: dict[tuple[bool, int], _Room] = {}
    found = []
    for need, shots in places.items():
        kind = (need.lip_sync, need.references)
        if kind not in rooms:
            rooms[kind] = _Room.of(need, market)
        found.append(_group(need, tuple(shots), market, stills, rooms[kind]))
    return tuple(found)


class _Usable(msgspec.Struct, frozen=True):
    tool: StackTool
    offer: Offer
    rates: Tariff
    mode: str
    quality: Interval
    known: bool


class _Room(msgspec.Struct, frozen=True):
    """The offers that can make shots of a kind, whatever their length."""

    usable: tuple[_Usable, ...]
    against: tuple[str, ...]

    @classmethod
    def of(cls, need: Need, market: Market) -> _Room:
        usable, against = [], []
        # One floor for all that can make the shot: who watches it does not know how it was made.
        floor = market.scale(*_MODES, lip_sync=need.lip_sync).floor(market.wish.level)
        for mode in _MODES:
            lowest = market.scale(mode, lip_sync=need.lip_sync).lowest
            for tool, offer in market.offers("video"):
                if mode not in tool.modes:
                    continue
                known = quality.measured(tool, mode)
                interval = known or lowest
                rates = tariff(offer, tool.grid)
                why = _can(tool, offer, need, market, mode) or _too_low(interval, floor)
                if why or rates is None:
                    against.append(f"{offer.id} {why or 'does not tell its lengths or price'}")
                else:
                    known_at_all = known is not None
                    usable.append(_Usable(tool, offer, rates, mode, interval, known_at_all))
        return cls(tuple(usable), tuple(against))


def _can(tool: StackTool, offer: Offer, need: Need, market: Market, mode: str) -> str:
    return (
        fitting.on_the_day(tool, offer, market.last, market.terms)
        or fitting.for_the_brief(tool, offer, market.wish, market.aspects)
        or fitting.for_the_shot(tool, offer, need, mode)
    )


def _too_low(interval: Interval, floor: int) -> str:
    return "" if interval.low >= floor else f"reaches {interval.low}, not {floor} hundredths"


def _group(
    need: Need, shots: tuple[int, ...], market: Market, stills: set[StillNeed], room: _Room
) -> Group:
    ways = [way for way in _ways(need, market, room) if way.still is None or way.still in stills]
    made = {way.call.offer.id for way in ways}
    unmade = tuple(
        f"{each.offer.id} has no clips for that length, or no picture to begin with"
        for each in room.usable
        if each.offer.id not in made
    )
    against = tuple(dict.fromkeys((*unmade, *room.against)))
    # Another shot of the same face may need the model that is never the best one here.
    kept = undominated(ways) if not need.face else undominated(ways, by_tool=True)
    return Group(need, shots, kept, len(ways), against)


def _ways(need: Need, market: Market, room: _Room) -> Iterator[Way]:
    own = list(_local_ways(need, market))
    given = [way for way in own if way.recipe == "footage"]
    if need.card and not given:
        # It is the picture that was asked for, as the user's own would be.
        made = (way for way in own if way.recipe == "animatic")
        yield from (replace(way, quality=quality.GIVEN) for way in made)
        return
    if given or market.wish.animatic:
        yield from given or (way for way in own if way.recipe == "animatic")
        return
    for each in room.usable:
        still = StillNeed(reference=need.references > 0, sharp=False)
        for order in orders(each.rates, need.time, market.terms.most_clips):
            time = market.latency(each.tool) * len(order.clips)
            call = market.call(each.tool, each.offer, order.bill, time)
            if each.mode == "i2v":
                yield Way("image_to_video", call, order.clips, each.quality, each.known, still)
            else:
                yield Way("text_to_video", call, order.clips, each.quality, each.known)
    if market.wish.level == "budget":
        yield from (way for way in own if way.recipe != "footage")


def _local_ways(need: Need, market: Market) -> Iterator[Way]:
    for tool, offer in market.offers("render"):
        if fitting.on_the_day(tool, offer, market.last, market.terms) or offer.unit != "second":
            continue
        bill = -(-micros(offer.usd) * need.time // MS)
        # As long as it is seen: our own renderer is faster, and a slow machine is not.
        call = market.call(tool, offer, bill, -(-need.time // MS) * MS)
        if need.footage:
            yield Way("footage", call, (need.time,), quality.GIVEN, known=True)
        if "animatic" not in tool.modes:
            continue
        yield Way("animatic", call, (need.time,), quality.NONE, known=True)
        if need.calm:
            low = market.scale("t2v").lowest
            still = StillNeed(reference=need.references > 0, sharp=True)
            yield Way("still_and_move", call, (need.time,), low, known=False, still=still)


def undominated(ways: Sequence[Way], *, by_tool: bool = False) -> tuple[Way, ...]:
    """Without those that another way of the same provider is never worse than.

    Ways of different providers are not compared: the lanes of one may be full. `by_tool`: nor are
    those of different tools.
    """
    kept: dict[tuple[str, str], list[Way]] = {}
    # Whatever beats a way stands before it in this order.
    for way in sorted(ways, key=lambda each: (*_worth(each), each.still is not None, each.key)):
        own = kept.setdefault((way.call.offer.provider, way.tool if by_tool else ""), [])
        if not any(_dominates(other, way) for other in own):
            own.append(way)
    return tuple(sorted((way for own in kept.values() for way in own), key=lambda each: each.key))


def _worth(way: Way) -> tuple[int, int, int]:
    return way.call.expected, way.call.ms, -way.quality.low


def _dominates(a: Way, b: Way) -> bool:
    # An animatic is counted as such, so it stands for nothing else.
    if a.still not in (None, b.still) or (a.recipe == "animatic") != (b.recipe == "animatic"):
        return False
    return all(mine <= other for mine, other in zip(_worth(a), _worth(b), strict=True))
