"""Which shot is made in which way, and when: the solver's counts, dealt out to shots and lanes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from callsheet_studio.model.plan import Lane, LaneSlot
from callsheet_studio.solve.terms import seconds

if TYPE_CHECKING:
    from collections.abc import Iterator

    from callsheet_studio.model.shots import ShotList
    from callsheet_studio.solve.case import Decision
    from callsheet_studio.solve.choice import Counts
    from callsheet_studio.solve.market import Call, StillNeed
    from callsheet_studio.solve.ways import Group, Way


class Made(msgspec.Struct, frozen=True):
    """How one shot is made."""

    place: int
    """In the film."""
    group: Group
    way: Way
    still: Call | None

    @property
    def micros(self) -> int:
        """Expected, with its picture."""
        return self.way.call.expected + (self.still.expected if self.still else 0)

    @property
    def ms(self) -> int:
        """All its calls one after the other."""
        return self.way.call.ms + (self.still.ms if self.still else 0)


def dealt(decision: Decision) -> tuple[Made, ...]:
    """Each shot with its way, in the order of the film."""
    found: list[tuple[int, Group, Way]] = []
    for group, counts in zip(decision.problem.groups, decision.choice.ways, strict=True):
        chosen = [way for way, count in zip(group.ways, counts, strict=True) for _ in range(count)]
        found += [(place, group, way) for place, way in zip(group.shots, chosen, strict=True)]
    pictures = _pictures(decision)
    return tuple(
        Made(place, group, way, next(pictures[way.still]) if way.still else None)
        for place, group, way in sorted(found, key=lambda each: each[0])
    )


def _pictures(decision: Decision) -> dict[StillNeed, Iterator[Call]]:
    stills = decision.problem.stills
    return {
        need: iter(
            [call for call, count in zip(stills[need], counts, strict=True) for _ in range(count)]
        )
        for need, counts in decision.choice.stills.items()
    }


class _Item(msgspec.Struct, frozen=True):
    place: int
    call: Call


def lanes_of(decision: Decision, made: tuple[Made, ...], shots: ShotList) -> tuple[Lane, ...]:
    """The schedule: all pictures, then all clips."""
    choice = decision.choice
    slots: dict[tuple[str, int], list[LaneSlot]] = {}
    pictures = [_Item(each.place, each.still) for each in made if each.still is not None]
    clips = [_Item(each.place, each.way.call) for each in made]
    for start, items, counts in (
        (0, pictures, choice.lanes[0]),
        (choice.pictures_ms, clips, choice.lanes[1]),
    ):
        for (provider, number), lane in _lanes(items, counts).items():
            slots.setdefault((provider, number), []).extend(_slots(lane, start, shots))
    return tuple(
        Lane(provider=provider, number=number, slots=tuple(filled))
        for (provider, number), filled in sorted(slots.items())
    )


def _lanes(items: list[_Item], counts: Counts) -> dict[tuple[str, int], list[_Item]]:
    found: dict[tuple[str, int], list[_Item]] = {}
    for (provider, ms), through in counts.items():
        waiting = iter(
            [item for item in items if (item.call.offer.provider, item.call.ms) == (provider, ms)]
        )
        for number, count in enumerate(through, 1):
            for _ in range(count):
                found.setdefault((provider, number), []).append(next(waiting))
    # What takes no time is nobody's load.
    for item in items:
        if not item.call.ms:
            found.setdefault((item.call.offer.provider, 1), []).append(item)
    return found


def _slots(lane: list[_Item], start: int, shots: ShotList) -> list[LaneSlot]:
    found, now = [], start
    for item in sorted(lane, key=lambda each: each.place):
        end = now + item.call.ms
        found.append(
            LaneSlot(
                shot=shots.shots[item.place].id,
                offer=item.call.offer.id,
                start=seconds(now),
                end=seconds(end),
            )
        )
        now = end
    return found
