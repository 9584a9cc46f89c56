"""What words name that can be seen: things and their states, people, a place, light, a fact.

One reading for all: the writer asks for it, the breakdown shows it, the check compares with it.
"""

from __future__ import annotations

import re
from functools import cache

import msgspec

from callsheet_studio.library.facts import Figure, figure_in, steps_in
from callsheet_studio.library.finding import find_place, time_of_day
from callsheet_studio.library.mentions import grammar, read, stated, tongues
from callsheet_studio.library.persons import is_person
from callsheet_studio.library.shelves import given_names, names_that_are_words, sets
from callsheet_studio.library.things import catalog, hinted_things, named_things, states_in
from callsheet_studio.library.variants import variant

_PLACED = re.compile(
    r"(?i)\b(?:in|at|on|to|into|through|past|across|along|over|near|by|from|behind|around|im|am|ins|auf|in|an|"
    r"durch|zum|zur|vom|aus|hinter|vor|bei|beim|über|entlang)\s+"
    r"(?:(?:the|an?|our|your|his|her|their|every|der|die|das|dem|den|eine?[mnr]?|unser\w*|ihr\w*)\s+)?"
    r"(?=((?:[^\W\d_][\w-]*,?\s+){0,3}[^\W\d_][\w-]*))"
)
_IS = re.compile(
    r"(?i)(?:the|our|my|die|der|das|unsere?|meine?)\s+([^\W\d_][\w-]*)\s+"
    r"(?:is|has|opens|closes|ist|hat|\u00f6ffnet|schlie\u00dft|liegt)\b"
)
_OUTSIDE = re.compile(r"(?i)\b(?:outside|outdoors|drau\u00dfen|im freien)\b(?! of\b)")
_LEADS = re.compile(r"(?i)(?:to|into|from|past|through|zum|zur|vom|aus|durch|ins)\b")
_WEATHER = {
    "rain": (
        r"rain|rains|rainy|raining|rainfall|drizzle|wet|downpour|regen|regens|regnet|"
        r"regnerisch\w*|nass\w*"
    ),
    "snow": r"snow\w*|blizzard|schnee\w*|schneit|verschneit\w*",
    "fog": r"fog\w*|mist(?:y)?|nebel\w*|neblig\w*",
    "storm": r"storm\w*|sturm\w*|gewitter\w*",
    "sun": r"sunny|sunshine|sunlight|sonnig\w*|sonnenschein",
}
_NOT_AN_HOUR = re.compile(
    r"(?i)(?<!am )(?<!frühen )(?<!jeden )\bmorgen\b|good (?:morning|evening)|guten (?:morgen|abend)"
)
_CANDLES = re.compile(
    r"(?i)\b(?:by candlelight|candle-?lit|by lantern light|lagerfeuer|bei kerzen\w*|im kerzen\w*)\b"
)
"""Light that is seen in the dark."""
_BY_DAY = re.compile(r"(?i)\b(?:by day|daytime|noon|midday|tagsüber|bei tag|am tag|mittags?)\b")
_FORMS = frozenset(("phone_screen", "laptop_screen", "product_table", "abstract"))
_ONLINE = re.compile(
    r"(?i)\b(?:apps?|website|online|screens?|display|dashboard|click\w*|tap on|swipe\w*|scroll\w*|"
    r"log in|sign up|"
    r"(?:on|from|with|by|via) (?:your|their|his|her|the|my|a) (?:\w+ )?(?:phone|smartphone|"
    r"mobile|laptop|tablet)|"
    r"text messages?|push message|e-?mails?|bildschirm\w*|webseite|klick\w*|wisch\w*|"
    r"(?:am|auf dem|mit dem|per|vom) (?:\w+ )?(?:handy|smartphone|telefon|laptop|tablet)|"
    r"sms|nachricht aufs handy)\b"
)
_HANDLED = re.compile(
    r"(?i)\b(?:hands?|one hand|hold|holds|holding|grip|press|pull|push|turn it|open it|hand|"
    r"hände|händen|hältst|hält|drückst|"
    r"öffnest|greif\w*)\b"
)
_TWO = re.compile(
    r"(?i)\b(?:two|both|couple|together|zwei|beide|gemeinsam|zusammen|each other|einander)\b"
)
_AGE = re.compile(r"\d\d")
_PLURAL = {"en": re.compile(r"(?i)\w{3,}s\Z"), "de": re.compile(r"(?i)\w{3,}(?:en|er|innen)\Z")}


class Named(msgspec.Struct, frozen=True):
    """What some words name."""

    things: tuple[str, ...] = ()
    """Of the catalogue, outright."""
    hints: tuple[str, ...] = ()
    """Of the catalogue, by a word that only hints at it."""
    states: tuple[str, ...] = ()
    people: tuple[str, ...] = ()
    """The words for them, or their names."""
    place: str = ""
    """A set of the library."""
    kind: str = ""
    """Which kind of it."""
    hour: str = ""
    weather: str = ""
    figure: Figure | None = None
    steps: tuple[str, ...] = ()
    online: bool = False
    """Whether it happens on a screen."""
    handled: bool = False
    """Whether a hand does it."""

    @property
    def drawable(self) -> bool:
        """Whether there is something in it that has a drawing."""
        return bool(
            self.things or self.people or self.place or self.figure or self.steps or self.online
        )


@cache
def named(text: str, language: str, about: str = "") -> Named:
    """What a text names; which meaning its words have, the brief may tell."""
    place = place_named(text)
    things = named_things(text, about)
    return Named(
        things=things,
        hints=() if things else hinted_things(text),
        states=states_in(text),
        people=people_named(text, language),
        place=place,
        kind=variant(place, text) if place else "",
        hour=hour_named(text),
        weather=weather_named(text),
        figure=figure_in(text, language),
        steps=steps_in(text),
        online=any(stated(text, each) for each in _ONLINE.finditer(text)),
        handled=bool(_HANDLED.search(text)),
    )


def place_named(text: str, *, stays: bool = False) -> str:
    """The set of a place that a text names as one: `through quiet woods`, `auf dem Spielplatz`.

    Args:
        text: some sentences.
        stays: only where somebody or something is; not where it comes from or goes to.
    """
    for match in _PLACED.finditer(text):
        if (stays and _LEADS.match(match[0])) or not stated(text, match, 1):
            continue
        words = match[1].replace(",", " ").split()
        for count, word in enumerate(words, start=1):
            found = find_place(" ".join(words[:count]))
            if found and found not in _FORMS and _is_name(word, found):
                if _goes_on(words[count:], text, word):
                    break
                return found
            if not count < len(words):
                break
    return _subject(text)


def _goes_on(behind: list[str], text: str, word: str) -> bool:
    """Whether a place only says of which kind another is: a hospital corridor."""
    if not behind or f"{word}," in text or "de" in tongues(text):
        return False
    known = grammar("en")
    return not (behind[0].lower() in known.function or behind[0].lower() in known.verbs)


def _subject(text: str) -> str:
    """The set of a place that a sentence is about: `The kitchen is open until midnight`."""
    match = _IS.match(text.strip())
    found = find_place(match[1]) if match else ""
    named = match and found and found not in _FORMS and _is_name(match[1], found)
    if named:
        return found
    return "open_air" if _OUTSIDE.search(text) else ""


def _is_name(word: str, found: str) -> bool:
    """Whether it is a word for a place, and not for what is found there: a sofa is no home."""
    entry = sets()[found]
    if is_person(word, "en") or is_person(word, "de"):
        return False
    if any(catalog()[name].metres < _HOUSE for name in named_things(word)):
        return False
    plain = word.lower()
    known = {found, *entry.named, *entry.named_de, *entry.places, *entry.places_de}
    ended = any(
        plain.endswith(each) for each in (*entry.named_de, *entry.places_de) if len(each) >= _TAIL
    )
    return plain in known or plain.removesuffix("s") in known or ended


_HOUSE, _TAIL = 9.0, 4
"""Metres from which a thing is a place, too; letters of a German word at the end of a compound."""


def people_named(text: str, language: str) -> tuple[str, ...]:
    """Words for people and given names that a text says are there, in its order."""
    told = read(text)
    found = []
    for at, word in enumerate(told.words):
        if not word[:1].isalpha():
            continue
        begins = at == 0 or told.words[at - 1] in ".!?:\u2026"
        behind = told.words[at + 1 : at + 3]
        aged = len(behind) > 1 and behind[0] in ",(" and _AGE.fullmatch(behind[1])
        is_name = word[:1].isupper() and (
            bool(aged)
            or (
                word.lower() in given_names()
                and word.lower() not in names_that_are_words()
                and not (begins and len(word) < _TAIL)
            )
        )
        after = told.words[at + 1] if at + 1 < len(told.words) else ""
        called = after[:1].isupper() and after.lower() in given_names()
        somebody = _somebody(word, language) and not called  # the beekeeper Petra is one
        if (is_name and told.states(at, 1, named=True)) or (somebody and told.states(at, 1)):
            found.append(word)
    return tuple(dict.fromkeys(found))


def _somebody(word: str, language: str) -> bool:
    if is_person(word, language):
        return True
    if language[:2].lower() == "de" or not word.endswith("s"):
        return False
    return is_person(word.removesuffix("s"), language) or is_person(
        word.removesuffix("es"), language
    )


def several(text: str, word: str, language: str) -> bool:
    """Whether a word for people in a text means more than one."""
    from callsheet_studio.library.shelves import people

    words = people(language)
    plain = word.lower()
    if plain in words.many:
        return True
    if plain in words.one:
        return False
    tongue = "de" if language[:2].lower() == "de" else "en"
    return bool(_TWO.search(text)) or bool(_PLURAL[tongue].search(plain))


def hour_named(text: str) -> str:
    """The time of day that a text names."""
    if _CANDLES.search(text):
        return "night"
    found = time_of_day(_NOT_AN_HOUR.sub(" ", text))
    return "" if found == "day" and not _BY_DAY.search(text) else found


def weather_named(text: str) -> str:
    """The weather that a text names."""
    found = (
        (match.start(), name)
        for name, words in _WEATHER.items()
        if (match := re.search(rf"(?i)\b(?:{words})(?!\w)", text))
    )
    return min(found, default=(0, ""))[1]
