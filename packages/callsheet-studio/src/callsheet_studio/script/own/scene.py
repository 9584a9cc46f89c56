"""Where and when the moments of an own script are: from headings and words, as library sets."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from callsheet_studio.library import (
    acting,
    behind,
    drawn_as,
    find_place,
    find_preset,
    find_set,
    light_of,
    place_at_front,
    place_in,
    presets,
    sets,
    stays_at_hour,
    time_of_day,
    weather_in,
)
from callsheet_studio.library.naming import place_named
from callsheet_studio.script.own.draft import even

if TYPE_CHECKING:
    from collections.abc import Sequence

    from callsheet_studio.model.brief import Brief
    from callsheet_studio.script.own.cut import Moment

_OUTSIDE = re.compile(r"\W*(?:EXT|EST|AUSSEN|AU\u00dfEN)\b(?!\.?/)", re.IGNORECASE)
_INSIDE = re.compile(r"\W*(?:INT|INNEN)\b(?!\.?/)", re.IGNORECASE)
_SCREENS = frozenset(("phone_screen", "laptop_screen"))
_PASSING = _SCREENS | {"product_table"}
"""Sets that a film shows and does not stay in."""
VEHICLE = re.compile(
    r"(?i)\b(?:cars?|taxi|cab|van|truck|lorry|auto|wagen|lkw|lieferwagen)\b(?! park)"
)
"""Seen from within, it is no road."""
_PICTURES = {
    "en": ("{place}, seen as a whole",),
    "de": ("{place}, im Ganzen",),
}
_WAYS = {
    "en": ("", ", closer", ", from the other side", ", from above", ", as the light changes"),
    "de": ("", ", näher", ", von der anderen Seite", ", von oben", ", bei anderem Licht"),
}


class Scene(msgspec.Struct, frozen=True):
    """A place at an hour, and its number."""

    number: int
    place: str
    """A set of the library, or the author's words."""
    hour: str
    light: str
    ambience: str
    heading: str

    @property
    def sure(self) -> bool:
        """Whether its author says that it is there."""
        return bool(self.heading)

    def pictures(self, language: str) -> tuple[str, ...]:
        """What can be shown of it, each different: the place, and no thing that nobody named."""
        entry = sets().get(self.place)
        if entry is None:
            found = tuple(text.format(place=self.place) for text in _PICTURES[language])
        elif language == "de":
            found = (entry.view_de,)
        else:
            found = (entry.view,)
        return tuple(picture + way for way in _WAYS[language] for picture in found)


def scenes_of(moments: Sequence[Moment], headings: Sequence[str], brief: Brief) -> list[Scene]:
    """The scene of each moment. A new one begins with a heading, or when the place changes."""
    usual = find_set(
        even(f"{brief.project.context} {brief.audience.who} {brief.message.core}"), "abstract"
    )
    found: list[Scene] = []
    place, setting, stays = usual, -1, usual
    for moment in moments:
        heading = headings[moment.setting] if moment.setting < len(headings) else ""
        before = place
        if moment.setting != setting and heading:
            place = _place(heading, moment.action) or usual
        elif not heading and not moment.added:
            place = _next(moment, stays, brief.content.language)
        elif moment.setting >= len(headings):
            place = "abstract"
        begins = not found or place != before or moment.setting != setting
        number = (found[-1].number if found else 0) + begins
        before_it = found[-1] if found else None
        found.append(_scene(number, place, heading, brief, before_it) if begins else found[-1])
        setting = moment.setting
        stays = stays if place in _PASSING else place
    return found


def _next(moment: Moment, stays: str, language: str) -> str:
    """Where a moment without a heading is. Who looks at a screen is where they were before."""
    seen = behind(moment.action, language)
    place = (
        place_named(moment.action or moment.said)
        or place_at_front(seen)
        or place_at_front(moment.action)
    )
    loosely = find_set(seen, "") or find_set(moment.action or moment.said, "")
    # Words that only belong to a place decide where nothing else does, and what is on a screen.
    if not place and (stays == "abstract" or loosely in _PASSING):
        place = loosely
    place = place or stays
    at_screen = place in _SCREENS and stays != "abstract"
    return stays if at_screen and acting(moment.action, language) else place


def _place(heading: str, action: str) -> str:
    """The set that a heading speaks of, or its own words: what they are drawn as, others decide."""
    words = place_in(heading)
    outside = bool(_OUTSIDE.match(heading))
    if VEHICLE.search(words) and not outside:
        return "car_interior"
    found = find_place(words)
    if found in _PASSING and not outside:
        return found
    seen = drawn_as(words, heading)
    if outside or _INSIDE.match(heading):
        return found if found and seen == found else words.lower()
    return _furnished(heading) or found or place_at_front(action) or words.lower()


def _furnished(heading: str) -> str:
    """The room whose table or window a slug line names: `KITCHEN TABLE, FIRST FLOOR FLAT`."""
    room, _, piece = heading.partition(",")[0].strip(" .").rpartition(" ")
    return find_place(room) if room and _PIECE.fullmatch(piece) else ""


_PIECE = re.compile(r"(?i)table|counter|window|sink|corner|door|floor|bench|desk|bed|sofa")


def _scene(number: int, place: str, heading: str, brief: Brief, before: Scene | None) -> Scene:
    entry = sets()[drawn_as(place, heading) or "abstract"]
    goes_on = before is not None and stays_at_hour(heading)
    hour = time_of_day(heading) or (before.hour if before and goes_on else entry.times[0])
    weather = weather_in(heading)
    light = find_preset(entry, hour, f"{weather} {brief.style.tone} {brief.style.mood}")
    meant = presets().get(light_of(heading))
    if meant and ("interior" if entry.interior else "exterior") in meant.where:
        light = meant.id
    return Scene(number, place, hour, light, entry.ambience, heading)
