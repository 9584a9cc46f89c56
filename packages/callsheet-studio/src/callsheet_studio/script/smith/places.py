"""Where and when a film is: where its brief says, and only then where its words are at home."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from callsheet_studio import library
from callsheet_studio.library.asking import film_of
from callsheet_studio.library.naming import hour_named, place_named, weather_named
from callsheet_studio.script import words
from callsheet_studio.script.people import speaker_of
from callsheet_studio.script.words import tokens

if TYPE_CHECKING:
    from callsheet_studio.model.brief import Brief
    from callsheet_studio.script.smith.plan import Telling

STUDIO = "product_table"
"""Where things are that are nowhere in particular."""
OPEN = "open_air"
"""Where things are that are out of doors, wherever that is."""
END = "abstract"
_OUTDOORS = frozenset(("vehicles", "garden", "bees", "animals"))
_OUTSIDE = frozenset((
    "robot_mower", "taxi", "truck", "bus", "train", "kayak", "scooter", "stroller", "sheep", "tree",
    "tent", "shovel", "house", "water_tank",
))  # fmt: skip
"""Groups of things, and things, that one sees under the sky."""
_FORMS = frozenset(("phone_screen", "laptop_screen", STUDIO, END))
_HOUSES = re.compile(
    r"(?i)\b(?:gardens?|farms?|orchards?|vineyards?|bakery|bakeries|caf[e\u00e9]s?|restaurants?|hotels?|"
    r"clinics?|hospitals?|schools?|kindergartens?|workshops?|garages?|harbours?|marinas?|factory|"
    r"factories|brewery|shops?|stores?|\w*garten|bauernhof|weingut|b\u00e4ckerei|gasthaus|klinik|"
    r"krankenhaus|praxis|schule|werkstatt|tischlerei|schreinerei|hafen|fabrik|brauerei|laden)\b"
)
"""Words for houses and grounds that somebody runs, and where they are to be seen."""
_ROOF = re.compile(
    r"(?i)\b(?:on (?:the|a|our) roof(?:top)?|rooftops?|auf (?:dem|unserem) dach|dachgarten)\b"
)
"""A roof that somebody is on."""
_AT = frozenset(
    ("am", "an", "im", "in", "on", "at", "of", "by", "bei", "beim", "von", "vom", "zum")
)
_TAIL = 5
"""Letters of a German place at the end of a compound."""
_ADDRESS = re.compile(
    r"\b(?:on|in|at) (?:the )?[A-Z]\w+ (?:Road|Street|Lane|Avenue|Row|Square)\b|"
    r"\b(?:[Ii]n der|[Aa]n der|[Aa]m) [A-Z\u00c4\u00d6\u00dc]\w+(?:stra\u00dfe|gasse|allee|platz)\b"
)
"""Where somebody is in a town: on Station Road, in der Bahnhofstra\u00dfe."""
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
    """The set that a brief plays in, and whether it says so; the studio, if it is nowhere.

    What a message says in passing is the place of its own beat, and no reason to put everything
    else there: things on a plain ground are never in the wrong place.
    """
    told = brief.message
    if brief.style.setting:
        # Who says where it plays has said it: what has no drawing is nowhere.
        found = _placed(setting_of(brief.style.setting))
        return found or STUDIO, bool(found)
    style = f"{brief.style.mood}. {brief.style.look}"
    about = _without(f"{brief.project.title}. {brief.project.context}. {told.core}", told.brand)
    said = (
        place_named(style, stays=True),
        "skyline" if _ROOF.search(". ".join((about, *told.supporting))) else "",
        place_named(about, stays=True),
        "" if _is_told(brief) else _called_after(told.brand),
        "street" if _ADDRESS.search(f"{told.brand}. {brief.project.context}. {told.core}") else "",
        # Whoever tells their own story is not where it was ordered.
        "" if _is_told(brief) else _house(f"{told.brand}. {brief.project.context}"),
    )
    sure = next((each for each in said if each == "skyline" or _placed(each)), "")
    return sure or _likely(brief, about), bool(sure)


def setting_of(setting: str) -> str:
    """The set of a setting in a brief's own words, or nothing."""
    for part in re.split(r"[,;.]", setting):
        if found := place_named(f"in {part.strip()}"):
            # A house in the snow is seen from outside, and its things are not before it.
            outside = found == "home" and weather_named(part) and _HOUSE.search(part)
            return "" if outside else found
    return ""


_HOUSE = re.compile(r"(?i)house\b|haus\b")


def _called_after(brand: str) -> str:
    """The set of a place that is a brand's whole name, or its last word.

    Harbor is at a harbour, and Elm Street Bakery a bakery. Riverside Physio is at no river, and
    the Stadtwerke are no street: what a name begins with says nothing.
    """
    words = brand.split()
    before = next((at for at, word in enumerate(words) if word.lower() in _AT), len(words))
    if not before or any(word.islower() for word in words[:before]):
        return ""  # the bike library on Station Road: a name that is a sentence
    last = words[before - 1].lower()
    found = library.find_place(last)
    entry = library.sets().get(found)
    if entry is None or found == "home":
        return ""
    named = {found, *entry.named, *entry.named_de, *entry.places, *entry.places_de}
    ends = any(last.endswith(each) for each in entry.places_de if len(each) >= _TAIL)
    return found if last in named or ends else ""


def _is_told(brief: Brief) -> bool:
    """Whether somebody tells it who is named."""
    return brief.content.type == "testimonial" and speaker_of(brief) is not None


def _house(text: str) -> str:
    """The set of a house that a text says it is about: a bakery, a community garden."""
    found = _HOUSES.search(text)
    return library.find_place(found[0]) if found else ""


def _likely(brief: Brief, about: str) -> str:
    """Where somebody tells their story: where they work, or are at home. Things are in a studio."""
    told = brief.message
    if not _is_told(brief):
        texts = (brief.project.title, told.core, brief.project.context)
        product = film_of(texts, brief.content.language, "").product
        group = library.catalog()[product].group if product else ""
        if group == "boats":
            return "coast"
        return OPEN if group in _OUTDOORS or product in _OUTSIDE else STUDIO
    # Whoever tells it is where they work, if the brief says what they are; else nowhere.
    speaker = speaker_of(brief)
    found = (_trade(speaker.role if speaker else ""), place_named(about))
    return next(filter(None, map(_placed, found)), STUDIO)


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
    hour = hour_named(brief.style.setting) or hour_named(f"{brief.style.mood} {brief.style.look}")
    hour = hour or hour_named(brief.project.title)
    found: list[Scene] = []
    for number, telling in enumerate(tellings):
        place, is_sure = world, sure
        told = " ".join(line.about for line in telling.lines)
        if number == len(tellings) - 1 and len(tellings) > 1:
            place = END
        elif telling.task == "message" and (named := _placed(place_named(told))):
            place, is_sure = named, True
        elif _weathered(told, place, brief):
            place, is_sure = STUDIO, False  # in the sun it does not rain
        # On a plain ground it is no hour, whatever is said.
        scene = _scene(found, place, hour or (_hour(told) if place != STUDIO else ""), brief)
        found.append(msgspec.structs.replace(scene, sure=is_sure))
    return found


def _weathered(told: str, place: str, brief: Brief) -> bool:
    """Whether words speak of a weather that the place of the film is not seen in."""
    said = weather_named(told)
    style = f"{brief.style.setting} {brief.style.mood} {brief.style.look}"
    under_the_sky = not library.sets()[place].interior and place not in (STUDIO, END)
    return under_the_sky and said not in ("", "sun", weather_named(style))


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
