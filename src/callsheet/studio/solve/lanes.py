"""Which shot is made in which way, and when: the solver's counts, dealt out to shots and lanes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from callsheet.studio.model.plan import Lane, LaneSlot
from callsheet.studio.solve.fitting import local
from callsheet.studio.solve.terms import Terms, seconds

if TYPE_CHECKING:
    from collections.abc import Iterator

    from callsheet.studio.model.shots import ShotList
    from callsheet.studio.solve.case import Decision
    from callsheet.studio.solve.model import Counts
    from callsheet.studio.solve.ways import Call, Group, StillNeed, Way


@dataclass(frozen=True, slots=True)
class Made:
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


@dataclass(frozen=True, slots=True)
class _Job:
    place: int
    call: Call


def lanes_of(decision: Decision, made: tuple[Made, ...], shots: ShotList) -> tuple[Lane, ...]:
    """The schedule: all pictures, then all clips."""
    choice, terms = decision.choice, decision.problem.terms
    stages = (
        (0, choice.pictures_ms, [_Job(m.place, m.still) for m in made if m.still], choice.lanes[0]),
        (
            choice.pictures_ms,
            choice.clips_ms,
            [_Job(m.place, m.way.call) for m in made],
            choice.lanes[1],
        ),
    )
    slots: dict[tuple[str, int], list[LaneSlot]] = {}
    for start, length, jobs, counts in stages:
        for provider in sorted({job.call.offer.provider for job in jobs}):
            own = [job for job in jobs if job.call.offer.provider == provider]
            for number, lane in enumerate(_spread(own, length, counts, terms), 1):
                slots.setdefault((provider, number), []).extend(_slots(lane, start, shots))
    return tuple(
        Lane(provider=provider, number=number, slots=tuple(filled))
        for (provider, number), filled in sorted(slots.items())
        if filled
    )


def _spread(jobs: list[_Job], length: int, counts: Counts, terms: Terms) -> list[list[_Job]]:
    provider = jobs[0].call.offer.provider
    many = terms.local_lanes if local(provider) else terms.lanes
    lanes: list[list[_Job]] = [[] for _ in range(many)]
    for job in sorted(jobs, key=lambda each: -each.call.ms):
        min(lanes, key=_load).append(job)
    if max(_load(lane) for lane in lanes) <= length:
        return lanes
    # The longest first was not good enough: as the solver has it.
    return _as_counted(jobs, counts, provider, many)


def _as_counted(jobs: list[_Job], counts: Counts, provider: str, many: int) -> list[list[_Job]]:
    lanes: list[list[_Job]] = [[] for _ in range(many)]
    for (name, ms), through in counts.items():
        if name == provider:
            waiting = iter([job for job in jobs if job.call.ms == ms])
            for lane, count in zip(lanes, through, strict=True):
                lane.extend(next(waiting) for _ in range(count))
    lanes[0].extend(job for job in jobs if not job.call.ms)
    return lanes


def _load(lane: list[_Job]) -> int:
    return sum(job.call.ms for job in lane)


def _slots(lane: list[_Job], start: int, shots: ShotList) -> list[LaneSlot]:
    found, now = [], start
    for job in sorted(lane, key=lambda each: each.place):
        end = now + job.call.ms
        found.append(
            LaneSlot(
                shot=shots.shots[job.place].id,
                offer=job.call.offer.id,
                start=seconds(now),
                end=seconds(end),
            )
        )
        now = end
    return found
