"""Scenes: beats that share a place and an hour, and what stays the same in all their shots."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import msgspec

from callsheet_studio.library import (
    SetEntry,
    drawn_as,
    find_preset,
    place_at_front,
    presets,
    sets,
    time_of_day,
)
from callsheet_studio.library.things import called, catalog, named_things

if TYPE_CHECKING:
    from collections.abc import Mapping

    from callsheet_studio.model.brief import Brief
    from callsheet_studio.model.script import Beat

AGAINST = frozenset(
    (
        "hook",
        "setup",
        "pain_point",
        "inciting_event",
        "first_pinch_point",
        "second_pinch_point",
    )
)
"""Parts in which people look and go against the reading direction: something is in the way."""
_HEADING = re.compile(r"(?:(INT|INNEN)|EXT|AUSSEN|AU\u00dfEN)\b\.?(?!/)", re.IGNORECASE)
_ROOM = "plain_room"
NOWHERE = frozenset((_ROOM, "open_air"))
"""What stands for a place that has no drawing."""
_FURNITURE = frozenset(("appliances", "leisure"))
_ELSEWHERE = frozenset(
    ("door", "window", "tent", "carousel", "market_stall", "water_tank", "robot_mower")
)
_LARGE = 0.8
"""Metres."""
TENSE = 6
"""Intensity from which a beat presses."""


class Scene(msgspec.Struct, frozen=True):
    """What does not change between its first and its last shot."""

    number: int
    place: str
    """As the script names it."""
    entry: SetEntry
    """The set of the library that it is or comes nearest to."""
    time: str
    preset: str
    props: tuple[str, ...]
    direction: Literal["left_to_right", "right_to_left"]
    interior: bool
    fresh: bool
    """Whether the film has not been here before, and so has to show where it is."""
    heading: str = ""
    """As the author of the script has written it."""

    @property
    def is_bare(self) -> bool:
        """Whether its author names a place that has no drawing, and nothing that stands there."""
        return bool(self.heading) and self.entry.id in NOWHERE and not self.props

    @property
    def side(self) -> int:
        """The side of the line that its cameras stand on."""
        return 1 if self.direction == "left_to_right" else -1


@dataclass(slots=True)
class Scout:
    """Finds the scene of each shot. A change of place or hour begins another one."""

    brief: Brief
    told: Mapping[int, str] = field(default_factory=dict)
    """All that happens in each scene of the script, by its number."""
    current: Scene | None = None
    _key: tuple[int, str, str] = (0, "", "")
    _shown: set[tuple[str, str]] = field(default_factory=set)

    def scene(self, beat: Beat, place: str | None = None, time: str | None = None) -> Scene:
        """The scene of a shot in a beat, which may be told to be elsewhere."""
        place = (place or beat.visual.location).strip() or "abstract"
        time = (time or beat.visual.time_of_day).strip()
        key = (beat.scene, place.lower(), time.lower())
        if self.current is not None and key == self._key:
            return self.current
        self._key = key
        number = max(beat.scene, self.current.number + 1 if self.current else 1)
        self.current = self._new(beat, place, time, number)
        self._shown.add((self.current.place.lower(), self.current.time))
        return self.current

    def _props(self, beat: Beat, entry: SetEntry) -> tuple[str, ...]:
        """What a set always has; a room without a drawing has what its scene names."""
        if entry.id != _ROOM:
            return entry.props
        named = named_things(self.told.get(beat.scene, beat.script.action))
        language = self.brief.content.language
        return tuple(called(each, language) for each in named if _stands(each))

    def _new(self, beat: Beat, place: str, hour: str, number: int) -> Scene:
        seen, avoid = beat.visual, self.brief.message.must_avoid
        entry = sets()[
            drawn_as(place, seen.heading or "")
            or place_at_front(beat.script.action)
            or _nowhere(place)
        ]
        time = time_of_day(hour) or hour or entry.times[0]
        feel = f"{seen.lighting} {self.brief.style.tone} {self.brief.style.mood}"
        preset = seen.lighting if seen.lighting in presets() else find_preset(entry, time, feel)
        against = beat.function.part in AGAINST
        return Scene(
            number=number,
            place=place,
            entry=entry,
            time=time,
            preset=preset,
            props=tuple(prop for prop in self._props(beat, entry) if not names_any(prop, avoid)),
            direction="right_to_left" if against else "left_to_right",
            interior=_inside(beat, entry),
            fresh=(place.lower(), time) not in self._shown,
            heading=seen.heading or "",
        )


def _nowhere(place: str) -> str:
    """What stands for a place that has no drawing: bare walls; nothing, for none."""
    return "abstract" if place == "abstract" else _ROOM


def _stands(name: str) -> bool:
    """Whether a thing is a piece of furniture, as large as one sees it across a room."""
    entry = catalog()[name]
    return entry.group in _FURNITURE and entry.metres >= _LARGE and name not in _ELSEWHERE


def _inside(beat: Beat, entry: SetEntry) -> bool:
    """As the heading of the beat says, or as the set is."""
    told = {bool(m[1]) for r in beat.production.references for m in [_HEADING.match(r)] if m}
    return told.pop() if len(told) == 1 else entry.interior


def names_any(text: str, words: tuple[str, ...]) -> bool:
    """Whether a text has one of these words, as whole words in any case."""
    return any(
        re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text, re.IGNORECASE) for word in words if word
    )
