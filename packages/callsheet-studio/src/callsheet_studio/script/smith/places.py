"""Where and when a film is: where its brief says, and only then where its words are at home."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from callsheet_studio import library
from callsheet_studio.library.naming import hour_named, place_named
from callsheet_studio.script import words
from callsheet_studio.script.words import tokens

if TYPE_CHECKING:
    from callsheet_studio.model.brief import Brief
    from callsheet_studio.script.smith.plan import Telling

STUDIO = "product_table"
"""Where things are that are nowhere in particular."""
END = "abstract"
_FORMS = frozenset(("phone_screen", "laptop_screen", STUDIO, END))
_CLOCK = ("dawn", "morning", "day", "afternoon", "dusk", "evening", "night")


class Scene(msgspec.Struct, frozen=True):
    """A place at an hour."""

    number: int
    place: str
    time: str
    light: str
    sure: bool = False
    """Whether the brief says that it is there."""


def world_of(brief: Brief) -> tuple[str, bool]:
    """The set that a brief plays in, and whether it says so; the studio, if it is nowhere."""
    told = brief.message
    style = f"{brief.style.mood}. {brief.style.look}"
    about = _without(f"{brief.project.title}. {brief.project.context}. {told.core}", told.brand)
    rest = _without(". ".join((*told.supporting, told.cta)), told.brand)
    around = ". ".join((brief.audience.who, *brief.audience.pain_points))
    ends = (*told.brand.split()[:1], *told.brand.split()[-1:])
    said = (
        *(place_named(text) for text in (style, about)),
        library.find_set(brief.project.context, ""),
        place_named(rest),
        *(found for word in ends if (found := library.find_place(word)) != "home"),
        *(_trade(text) for text in (style, about, f"{around} {rest}")),
    )
    guessed = (style, about, f"{about} {around} {rest}", around)
    sure = next(filter(None, map(_placed, said)), "")
    likely = next(filter(None, (_placed(library.find_set(text, "")) for text in guessed)), STUDIO)
    return sure or likely, bool(sure)


def _without(text: str, brand: str) -> str:
    """A text without the brand: who is called House at the Park need not be in one."""
    return text.replace(brand, " ") if brand else text


def _placed(found: str) -> str:
    # A roof is a part of a house before it is a place over the city.
    return "" if found in _FORMS or found == "skyline" else found


def _trade(text: str) -> str:
    """The set that the trade of some words is at home in."""
    places: dict[str, str] = words.table("tones")["places"]
    known = {word: place for place, listed in places.items() for word in listed.split()}
    spoken = [token.lower() for token in tokens(text)]
    return next((known[word] for word in spoken if word in known), "")


def scenes_of(brief: Brief, tellings: list[Telling]) -> list[Scene]:
    """The scene of each beat: where it is said to be, else in the world of the film."""
    world, sure = world_of(brief)
    hour = hour_named(f"{brief.style.mood} {brief.style.look}")
    hour = hour or hour_named(f"{brief.project.title}. {brief.message.core}")
    found: list[Scene] = []
    for number, telling in enumerate(tellings):
        place, is_sure = world, sure
        told = " ".join(line.about for line in telling.lines)
        if number == len(tellings) - 1 and len(tellings) > 1:
            place = END
        elif telling.task == "message" and (named := _placed(place_named(told))):
            place, is_sure = named, True
        scene = _scene(found, place, hour or _hour(told), brief)
        found.append(msgspec.structs.replace(scene, sure=is_sure))
    return found


def _hour(told: str) -> str:
    """What the words of a beat say; `it took one afternoon` says how long it took."""
    found = hour_named(told)
    return "" if found == "afternoon" else found


def _scene(before: list[Scene], place: str, hour: str, brief: Brief) -> Scene:
    entry = library.sets()[place]
    wished = hour or "day"
    time = min(entry.times, key=lambda each: abs(_CLOCK.index(each) - _CLOCK.index(wished)))
    if before and (before[-1].place, before[-1].time) == (place, time):
        return before[-1]
    light = library.find_preset(entry, time, f"{brief.style.mood} {brief.style.tone}")
    return Scene(before[-1].number + 1 if before else 1, place, time, light)
