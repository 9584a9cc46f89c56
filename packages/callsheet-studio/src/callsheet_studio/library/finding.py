"""From words of a brief to a set, and from a place, an hour and a mood to its light."""

from __future__ import annotations

import re
from functools import cache

from callsheet_studio.library.shelves import SetEntry, presets, sets

_WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
_STEM = 5
"""A German keyword of this length counts inside compounds too: `Hafenmeister` is a harbour."""
_WHOLE, _HEAD, _INSIDE = 4, 3, 2
"""What a word, the end of a compound and its beginning count."""
_NAME = 3
"""Words up to which a text is a name, whose last word says what it is: a harbour office."""
_OTHERS = frozenset((
    "flughafen", "flughäfen", "badezimmer", "parkbank", "sitzbank", "gartenbank",
))  # fmt: skip
"""Compounds that are something else than what they end with."""
_PART = 4
"""Letters from which on a German place counts at the end of a compound: `Hauptbahnhof`."""
_PLAIN = re.compile(
    r"the|an?|my|our|his|her|their|at|in|on|by|near|inside|outside|of|over|under"
    r"|old|new|small|little|big|large|busy|empty|crowded|quiet|dark|bright|narrow|wide|local|public"
    r"|nice|sunny|rainy|snowy|wooden|stone|first|last|central"
    r"|der|die|das|dem|den|eine?[mnrs]?|im|am|an|auf|in|bei|vor|zu|zum|zur|unter|über"
    r"|(?:alt|neu|klein|groß|leer|voll|ruhig|dunkl|hell|belebt|schön|still|schmal|breit)e[mnrs]?"
)
"""Words beside a place that leave it what it is; a submarine bridge is no bridge."""
_HOURS = {
    "dawn": "dawn",
    "sunrise": "dawn",
    "morgendämmerung": "dawn",
    "sonnenaufgang": "dawn",
    "morning": "morning",
    "morgen": "morning",
    "morgens": "morning",
    "vormittag": "morning",
    "day": "day",
    "daytime": "day",
    "noon": "day",
    "midday": "day",
    "tag": "day",
    "mittag": "day",
    "afternoon": "afternoon",
    "nachmittag": "afternoon",
    "dusk": "dusk",
    "sunset": "dusk",
    "twilight": "dusk",
    "dämmerung": "dusk",
    "sonnenuntergang": "dusk",
    "evening": "evening",
    "abend": "evening",
    "abends": "evening",
    "night": "night",
    "midnight": "night",
    "nacht": "night",
    "nachts": "night",
}
_LIGHTS = {
    "golden hour": ("dusk", "golden_hour"),
    "magic hour": ("dusk", "golden_hour"),
    "goldene stunde": ("dusk", "golden_hour"),
    "goldenen stunde": ("dusk", "golden_hour"),
    "blue hour": ("dusk", "blue_hour"),
    "blaue stunde": ("dusk", "blue_hour"),
    "blauen stunde": ("dusk", "blue_hour"),
    "first light": ("dawn", "dawn"),
    "last light": ("dusk", "blue_hour"),
    "erstes licht": ("dawn", "dawn"),
    "dawn": ("dawn", "dawn"),
    "sunrise": ("dawn", "dawn"),
    "pre-dawn": ("dawn", "dawn"),
    "daybreak": ("dawn", "dawn"),
    "tagesanbruch": ("dawn", "dawn"),
    "morgengrauen": ("dawn", "dawn"),
    "abenddämmerung": ("dusk", "blue_hour"),
    "nightfall": ("dusk", "blue_hour"),
}
"""Hours that are a light: when they are, and the preset that is meant."""
_SIDE = re.compile(
    r"\A\W*(?:(?:INT|EXT|EST|INNEN|AUSSEN|AU\u00dfEN|I/E|E/I|I/A|A/I)\b[./ ]*)+", re.IGNORECASE
)
_FROM_OUTSIDE = re.compile(r"\W*(?:EXT|EST|AUSSEN|AU\u00dfEN)\b(?!\.?/)", re.IGNORECASE)
_FROM_INSIDE = re.compile(r"\W*(?:INT|INNEN)\b(?!\.?/)", re.IGNORECASE)
_HOUSE = re.compile(
    r"(?i)\b(?:buildings?|houses?|home|block|apartments?|flats?|hotel|tower block|geb\u00e4ude|"
    r"(?!leucht)\w*haus|wohnblock)\Z"
)
"""What a place ends with that is a house, and seen from outside has a front."""
_PASSAGE = re.compile(
    r"(?i)\b(?:stairs|staircase|stairwell|stairway|hallway|corridor|landing|lift|elevator|cellar|"
    r"basement|entrance|\w*treppe|\w*treppenhaus|flur|hausflur|\w*gang|\w*keller|aufzug|fahrstuhl)\Z"
)
"""Parts of a house that look like none of its rooms."""
_FORMS = frozenset(("phone_screen", "laptop_screen", "product_table", "abstract"))
_PARTS = re.compile(r"\s+[-\u2013\u2014]+\s+|\s*,\s*")
_HOUR_WORDS = 3
"""A longer part of a slug line is a place, even if an hour is named in it."""
_DARK = frozenset(("evening", "night"))
_DAYLIT = frozenset(("cool_office",))
"""Lights that are on at any hour, and whose windows show the day."""
_AFTER = frozenset(
    ("continuous", "later", "same", "moments", "sp\u00e4ter", "gleich", "derselbe", "dieselbe")
)
_WHEN = _AFTER | {"the", "next", "that", "time", "moment", "kurz", "darauf", "zeit", "fortlaufend"}
"""Words of a slug line that only say when it is."""


_DULL = re.compile(
    r"(?i)\b(?:rain\w*|wet|storm\w*|fog\w*|mist\w*|snow\w*|winter\w*|november|december|grey|gray|gloomy|"
    r"regen\w*|nass\w*|nebel\w*|sturm\w*|(?:ver)?schnei\w*|schnee\w*|dezember|grau\w*|trüb\w*)\b"
)
_SUNNY = frozenset(("golden_hour", "hard_sun"))
"""Lights that no grey day has."""


def find_set(words: str, default: str = "abstract") -> str:
    """The set that some words speak of most: `a marina, paper lists` is a `harbour`.

    The name of a set is taken at its word. Of sets that fit equally well the one that is spoken of
    first is taken; in a name of two or three words the last (`harbour office` is an `office`).
    """
    words = words.lower().replace("strasse", "stra\u00dfe")  # as capitals are written
    plain = words.strip().replace(" ", "_")
    if plain in sets():
        return plain
    spoken = _WORD.findall(words.lower())
    best, found = (0, 0), default
    for name, entry in sets().items():
        score = _score(spoken, entry)
        if score[0] and (best[0] == 0 or score > best):
            best, found = score, name
    return found


def find_place(words: str) -> str:
    """The set that a named place is drawn as, or nothing: a `bridge` is drawn as a `street`.

    What is no name, such as an action, is found by `find_set`: there, a bridge may be a word for
    something else.
    """
    words = words.lower().replace("strasse", "stra\u00dfe")  # as capitals are written
    plain = words.strip().replace(" ", "_")
    if plain in sets():
        return plain
    spoken = _head(_WORD.findall(words.lower()))
    near, known = _nearest(), _named_places()
    # Whole names first: a hotel room is a room, and no café.
    for at in range(len(spoken)):
        name = " ".join(spoken[at:])
        found = near.get(name) or known.get(name, "")
        if found and (at == 0 or len(spoken) - at > 1 or leaves(spoken[at - 1], name)):
            return found
    return _like(spoken)


def place_at_front(action: str) -> str:
    """The set of a place that a picture is said to be of: `Werkstatt, am Morgen`; or nothing."""
    parts = re.split(r"[,.;:\u2013\u2014]", action)
    return next((found for part in parts if (found := find_place(part))), "")


def leaves(before: str, place: str) -> bool:
    """Whether a word before a place leaves it what it is: a village school is a school.

    A cold store is no shop, and a car park no park.
    """
    return bool(_PLAIN.fullmatch(before) or _DESCRIBES.fullmatch(before)) or place not in _OF_A_KIND


_DESCRIBES = re.compile(
    r"(?!between|often|then|when|over|under|after|other|every|zwischen|wenn|oder|aber|unter|hinter|bakery|city|"
    r"baby|family|hospital)"
    r"(?:[a-z]+(?:y|ed|ful|ern|al)|[a-z\u00e4\u00f6\u00fc\u00df]{3,}(?:en|er|em|es))"
)
"""Words that say how a place is."""
_OF_A_KIND = frozenset((
    "shop", "store", "bay", "park", "home", "house", "field", "bank", "station", "bridge", "road",
    "farm", "stage",
    "ward", "island", "garden", "library", "market", "square", "bar", "wood", "woods", "counter",
))  # fmt: skip
"""Places that are others with another word before them."""


def _head(spoken: list[str]) -> list[str]:
    """What a place is called, without what is said of it: `the kitchen of a hotel` is a kitchen."""
    at = next((n for n, word in enumerate(spoken) if n and word in _BEHIND), len(spoken))
    return spoken[:at]


_BEHIND = frozenset((
    "of", "at", "in", "on", "by", "near", "with", "behind", "before", "during", "from",
    "under", "over",
    "vor", "bei", "am", "an", "im", "auf", "mit", "von", "vom", "hinter", "unter", "um",
    "des", "der",
))  # fmt: skip


@cache
def _named_places() -> dict[str, str]:
    """The set that each word for a place is."""
    return {
        word: name for name, entry in sets().items() for word in (*entry.named, *entry.named_de)
    }


def drawn_as(place: str, heading: str = "") -> str:
    """The set that a place of a script is drawn as, or nothing.

    A slug line says from which side: sets with walls are shown from within, so that a house from
    outside is a front. What has no set is a room or the open air: no place is better than a wrong
    one.

    Args:
        place: a set of the library, or the author's words.
        heading: the slug line, if there is one.
    """
    found = find_place(place)
    entry = sets().get(found)
    outside, inside = bool(_FROM_OUTSIDE.match(heading)), bool(_FROM_INSIDE.match(heading))
    if place in _FORMS or not (outside or inside):
        # A slug line without a side is a place all the same.
        return found or ("plain_room" if heading.strip() and place != "abstract" else "")
    if outside and _HOUSE.search(place):
        return "building_front"
    if found in _FORMS:
        entry = None  # the platform of a station is no software
    if outside:
        return ("building_front" if entry.interior else found) if entry else "open_air"
    *others, final = place.split() or [""]
    last = find_place(final)
    known = last not in _OF_MANY_KINDS or all(_is_plain(word) for word in others)
    if entry and entry.interior and not _PASSAGE.search(place) and (known or last != found):
        return found
    # Stairs in a lighthouse are no coast: what a place is, its last word says.
    return last if last and sets()[last].interior and known else "plain_room"


def _is_plain(word: str) -> bool:
    """Whether a word before a place leaves it what it is: a puppy school is no classroom."""
    bare = word.lower().strip(",.")
    return bool(
        _PLAIN.fullmatch(bare)
        or bare.endswith(("'s", "\u2019s", "s'"))
        or find_place(bare)
        or any(find_place(part) for part in (bare.removesuffix("s"),))
        or bare in _OF_PLACES
    )


_OF_MANY_KINDS = frozenset(("classroom", "clinic", "lab", "stage"))
"""Sets whose words stand for other places, too: a puppy school, a dance school."""
_OF_PLACES = frozenset(
    (
        "family", "flat", "apartment", "house", "home", "living", "dining", "bed", "bath",
        "village", "town", "city", "primary", "secondary", "grammar", "high", "main", "back",
        "front", "private", "corner", "coffee", "hospital", "open", "company", "staff", "guest",
        "hotel", "school", "upstairs", "downstairs", "ground", "top", "second", "third", "shared",
    )
)  # fmt: skip
"""What a place belongs to, or which of several it is."""


def _like(spoken: list[str]) -> str:
    """The set of the one word that is a place, or in German ends with one."""
    named = [word for word in spoken if not _PLAIN.fullmatch(word)]
    if len(named) != 1 or named[0] in _OTHERS:
        return ""
    word, near, parts = named[0], _nearest(), _parts()
    ends = (word[at:] for at in range(1, len(word) - _PART + 1))
    return near.get(word) or next((parts[end] for end in ends if end in parts), "")


@cache
def _nearest() -> dict[str, str]:
    """The set that comes nearest to each place that has none of its own."""
    return {
        word: name for name, entry in sets().items() for word in (*entry.places, *entry.places_de)
    }


@cache
def _parts() -> dict[str, str]:
    """German words for places, which stand at the end of compounds: `Hauptbahnhof`."""
    return {
        word: name
        for name, entry in sets().items()
        for word in (*entry.places_de, *entry.named_de)
        if len(word) >= _PART and " " not in word and word not in _LOOSE
    }


_LOOSE = frozenset(("werk", "haus", "station", "kasse", "lager", "platz", "markt", "steg"))
"""Places that a compound with them at its end need not be: a Feuerwerk, a Krankenhaus."""


def find_preset(place: SetEntry, hour: str, mood: str = "") -> str:
    """The preset that lights a set at an hour.

    Words of tone and mood decide among those that suit it, then what it usually has. The hour may
    be any words; what is no time of day is the set's usual one.
    """
    time = time_of_day(hour) or place.times[0]
    where = "interior" if place.interior else "exterior"
    usable = [p for p in presets().values() if time in p.times and where in p.where]
    if time in _DARK and place.id not in _FORMS:
        # At night it is night: nothing that shows the day through a window.
        usable = [p for p in usable if p.id not in _DAYLIT] or usable
    suits = [p for p in usable if p.id in place.lights]
    usual = [*place.lights, *presets()]
    spoken = set(_WORD.findall(mood.lower()))
    dull = bool(_DULL.search(mood))
    best = min(
        suits or usable,
        key=lambda p: (
            dull and p.id in _SUNNY,
            -len(spoken & set(p.moods)),
            usual.index(p.id),
        ),
    )
    return best.id


def time_of_day(words: str) -> str:
    """The library's name of the hour that is spoken of, or nothing."""
    named = next((hour for phrase, (hour, _) in _LIGHTS.items() if _says(words, phrase)), "")
    return named or next((_HOURS[w] for w in _WORD.findall(words.lower()) if w in _HOURS), "")


def light_of(words: str) -> str:
    """The preset that an hour of light is lit with: `golden hour`; or nothing."""
    return next((light for phrase, (_, light) in _LIGHTS.items() if _says(words, phrase)), "")


def _says(words: str, phrase: str) -> bool:
    return f" {phrase} " in f" {' '.join(_WORD.findall(words.lower()))} "


_IS_WEATHER = re.compile(
    r"(?i)(?:(?:heavy|light|pouring|starker|leichter) )?"
    r"(?:rain(?:y|ing)?|snow(?:y|ing)?|fog(?:gy)?|mist|storm|drizzle|thunderstorm|regen|schnee|nebel|sturm|gewitter|nieselregen|schneefall)"
)
"""A part of a slug line that says how the weather is."""


def weather_in(heading: str) -> str:
    """What a slug line says of the weather, or nothing."""
    parts = (part.strip() for part in _PARTS.split(heading))
    return next((part for part in parts if _IS_WEATHER.fullmatch(part)), "")


def slug_card(heading: str) -> str:
    """A slug line as it stands on a card: where it is, and when."""
    bare = " ".join(_SIDE.sub("", heading).split()).strip(" .")
    bare = ", ".join(part.strip() for part in _PARTS.split(bare) if part.strip())
    return f"{bare[:1].upper()}{bare[1:].lower()}" if bare.isupper() else bare


def place_in(heading: str) -> str:
    """What a slug line says of where it is."""
    bare = _SIDE.sub("", heading)
    parts = [part for part in _PARTS.split(bare) if part.strip()]
    where = [part for part in parts if not (_is_hour(part) or _IS_WEATHER.fullmatch(part.strip()))]
    return " ".join((" ".join(where) or bare).split())


def _is_hour(part: str) -> bool:
    spoken = _WORD.findall(part.lower())
    if not spoken or set(spoken) <= _WHEN:
        return True
    return bool(time_of_day(part)) and len(spoken) <= _HOUR_WORDS


def stays_at_hour(heading: str) -> bool:
    """Whether a slug line goes on from the one before: `CONTINUOUS`, `LATER`."""
    return not set(_WORD.findall(heading.lower())).isdisjoint(_AFTER)


def _score(spoken: list[str], entry: SetEntry) -> tuple[int, int]:
    found = [place for place, word in enumerate(spoken) if _weight(word, entry.id)]
    total = sum(_weight(spoken[place], entry.id) for place in found)
    text = f" {' '.join(spoken)} "
    for phrase in _phrases(entry.id):
        if f" {phrase} " in text:
            total += 2 * _WHOLE
            found.append(text[: text.index(f" {phrase} ")].count(" "))
    if not total:
        return (0, 0)
    return (total, max(found) if len(spoken) <= _NAME else -min(found))


@cache
def _phrases(name: str) -> tuple[str, ...]:
    entry = sets()[name]
    return tuple(k for k in (*entry.keywords, *entry.keywords_de) if " " in k)


@cache
def _words(name: str) -> tuple[frozenset[str], tuple[str, ...]]:
    entry = sets()[name]
    plain = frozenset(k for k in (*entry.keywords, *entry.keywords_de, name) if " " not in k)
    stems = tuple(k for k in entry.keywords_de if len(k) >= _STEM and " " not in k)
    return plain, stems


@cache
def _weight(word: str, name: str) -> int:
    plain, stems = _words(name)
    if word in plain:
        return _WHOLE
    if word in _OTHERS:
        return 0
    if any(word.endswith(stem) for stem in stems):
        return _HEAD
    return _INSIDE if any(word.startswith(stem) for stem in stems) else 0
