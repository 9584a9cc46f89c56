"""How a shot is put into words: for a director, and in the language of the film."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from callsheet_studio.library import people

if TYPE_CHECKING:
    from callsheet_studio.library import SetEntry

_CLOSE_ON = re.compile(r"\A(?:close on|nah auf|detail of)\s+", re.IGNORECASE)
_WORD = re.compile(r"[\w'\u2019-]+")
_ARTICLES = frozenset(
    (
        "a",
        "an",
        "the",
        "his",
        "her",
        "their",
        "its",
        "one",
        "two",
        "three",
        "only",
        "far",
        "der",
        "die",
        "das",
        "ein",
        "eine",
        "einen",
        "ihr",
        "ihre",
        "sein",
        "seine",
        "zwei",
        "drei",
    )
)
_BEHIND = frozenset(
    ("for", "of", "with", "that", "in", "on", "from", "at", "to", "before", "into", "and", "who")
)
"""Words that a noun ends before."""
_LONGEST_NOUN = 4
_SHORT_HEAD = 4
_WHERE = (
    "far ",
    "in ",
    "on ",
    "at ",
    "behind ",
    "over ",
    "under ",
    "outside",
    "inside",
    "then",
    "now",
    "im ",
    "am ",
    "auf ",
    "hinter ",
    "über ",
    "unter ",
    "draußen",
    "drinnen",
    "dann",
    "jetzt",
)
"""How a sentence begins that first says where or when."""
_LONGEST_FEELING = 8


def german(language: str) -> bool:
    """Whether it is written in German; all else is written in English around the script's words."""
    return language[:2].lower() == "de"


def sentence(text: str) -> str:
    """With a capital and a stop."""
    text = " ".join(text.split()).strip(" ,;")
    text = text[:1].upper() + text[1:]
    return text if not text or text[-1] in ".!?\u2026\"'\u201d\u00bb" else f"{text}."


def view_of(entry: SetEntry, time: str, language: str) -> str:
    """What an establishing shot shows."""
    if german(language):
        return f"{entry.view_de}, {_ZEIT.get(time, time)}."
    return f"{entry.view}, {_TIME.get(time, time)}."


def details_of(entry: SetEntry, language: str) -> tuple[str, ...]:
    """What an insert of the set can show."""
    return entry.details_de if german(language) else entry.details


def faces_of(name: str, feeling: str, language: str) -> list[str]:
    """What shots of somebody's face can show, the plainest first."""
    feeling = feeling.strip().rstrip(".")
    told = f": {feeling}." if 0 < len(feeling.split()) <= _LONGEST_FEELING else "."
    noun = _noun(name, language)
    if german(language):
        whose = "" if noun else f"{_genitiv(name)} "
        face, eyes = (f"{whose}Gesicht", f"{whose}Augen") if whose else ("Das Gesicht", "Die Augen")
        return [f"{face}, ganz nah{told}", f"{name} im Profil{told}", f"{eyes}{told}"]
    who = f"the {name}" if noun else name
    shown = (f"{_genitive(who)} face, close{told}", f"{who} in profile{told}")
    return [sentence(text) for text in (*shown, f"{_genitive(who)} eyes{told}")]


def close_on(thing: str, language: str) -> str:
    """What an insert of a thing shows that has only a name."""
    return f"Nah: {thing}." if german(language) else f"Close: {thing}."


def leading_noun(text: str, language: str) -> str:
    """What a sentence speaks of, as far as that can be told; else nothing."""
    words = _WORD.findall(without_lead_in(text))
    while words and words[0].lower() in _ARTICLES:
        words = words[1:]
    if german(language):
        nouns = [w for w in words[:_LONGEST_NOUN] if w[:1].isupper() and w.lower() not in _ARTICLES]
        return nouns[0] if nouns else ""
    for place, word in enumerate(words[1 : _LONGEST_NOUN + 1], start=1):
        verb = word.endswith("s") and not words[place - 1].endswith("s")
        if verb or word.lower() in _BEHIND:
            return " ".join(words[:place]).lower()
    return ""


def without_lead_in(text: str) -> str:
    """`Far out, a light blinks` and `Close: a light` speak of a light."""
    text = _CLOSE_ON.sub("", text)
    head, colon, rest = text.partition(": ")
    if colon and len(head.split()) <= _SHORT_HEAD:
        return rest
    head, comma, rest = text.partition(", ")
    where = head.lower().startswith(_WHERE) and len(head.split()) <= _SHORT_HEAD
    return rest if comma and where else text


def _noun(name: str, language: str) -> bool:
    words = people(language)
    return name.lower() in words.one | words.many


def _genitive(name: str) -> str:
    return f"{name}'" if name.endswith("s") else f"{name}'s"


def _genitiv(name: str) -> str:
    return f"{name}'" if name.endswith(("s", "x", "z", "ß")) else f"{name}s"


_TIME = {
    "dawn": "at dawn",
    "morning": "in the morning",
    "day": "by day",
    "afternoon": "in the afternoon",
    "dusk": "at dusk",
    "evening": "in the evening",
    "night": "at night",
}
_ZEIT = {
    "dawn": "im ersten Licht",
    "morning": "am Morgen",
    "day": "bei Tag",
    "afternoon": "am Nachmittag",
    "dusk": "in der Dämmerung",
    "evening": "am Abend",
    "night": "bei Nacht",
}


def card_with(text: str, language: str) -> str:
    """A card with a few words."""
    return f"{'Eine Tafel' if german(language) else 'A card'}: {text}."


def at_time(time: str) -> str:
    """An hour as it stands behind a place: `at dawn`."""
    return _TIME.get(time, time)
