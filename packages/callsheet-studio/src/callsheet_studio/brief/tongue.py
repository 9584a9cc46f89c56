"""Which language a brief is written in: told by its letters and its small words."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from typing import Literal

Tongue = Literal["en", "de"]

NAMES = {
    "en": ("english", "englisch"),
    "de": ("german", "deutsch"),
    "fr": ("french", "französisch"),
    "es": ("spanish", "spanisch"),
    "it": ("italian", "italienisch"),
    "nl": ("dutch", "niederländisch"),
}
"""What languages are called."""

_ENGLISH = """
a an and are as at be before but by can do every for from has have her his how i if into is it its
more my no not of on one or our out than that the their them they this to up we what when who why
will with without you your
"""
_GERMAN = """
aber als am an auch auf aus bei bis das dein dem den der des die dir du ein eine einem einen einer
es für hat ich ihr im in ist jede jeder kann kein keine mehr mit nach nicht noch nur oder ohne schon
sein sich sie sind so um und uns unser unsere vom von vor was wenn wer wie wir wird zu zum zur über
"""
_SMALL: dict[Tongue, frozenset[str]] = {
    "en": frozenset(_ENGLISH.split()),
    "de": frozenset(_GERMAN.split()),
}
_OTHERS: dict[str, str] = {
    "fr": """au aux avec ce ces chaque dans est et il la le les leur nos notre nous ou où par pas
        plus pour qui sans ses sont sur un une vos votre vous""",
    "es": """cada como con de del el en es esta las los más nuestra nuestro o para pero por que se
        sin su sus tu una uno y""",
    "it": """al alla che chi con da dei del della delle di e gli il la le nel nella nostra nostro
        ogni per più sono sua suo un una vostro""",
    "nl": """aan bij dat deze een elk elke en geen het je jouw maar met naar niet onze ook op te uit
        van voor wij zijn zonder""",
}
"""Small words of languages that no script is written in, so that nobody gets an English one."""
_SIGNS = {
    "ARABIC": "ar",
    "CJK": "zh",
    "CYRILLIC": "ru",
    "DEVANAGARI": "hi",
    "GREEK": "el",
    "HANGUL": "ko",
    "HEBREW": "he",
    "HIRAGANA": "ja",
    "KATAKANA": "ja",
    "THAI": "th",
}
_UMLAUT = re.compile(r"[äöüß]")
_LEAST = 2
"""Small words that tell another language; a name may hold one."""


def tongue_of(text: str) -> str:
    """The language by its letters, small words and umlauts; English if nothing tells."""
    if by_letters := _told_by_letters(text):
        return by_letters
    words = re.findall(r"[^\W\d_]+", text.lower())
    german = sum(word in _SMALL["de"] or bool(_UMLAUT.search(word)) for word in words)
    english = sum(word in _SMALL["en"] for word in words)
    others = {code: sum(word in small.split() for word in words) for code, small in _OTHERS.items()}
    code, most = max(others.items(), key=lambda found: found[1])
    if most >= _LEAST and most > german + english:
        return code
    return "de" if german > english else "en"


def _told_by_letters(text: str) -> str | None:
    """The usual language of the letters, if most of them are not Latin."""
    letters = [sign for sign in text if sign.isalpha()]
    kinds = Counter(unicodedata.name(sign, "").split(" ")[0].split("-")[0] for sign in letters)
    foreign = {kind: count for kind, count in kinds.items() if kind in _SIGNS}
    if not foreign or sum(foreign.values()) * 2 <= len(letters):
        return None
    if "HIRAGANA" in foreign or "KATAKANA" in foreign:
        return "ja"
    return _SIGNS[max(foreign, key=lambda kind: foreign[kind])]


def dots_ordinals(text: str) -> bool:
    """Whether a dot behind a number may stand for an ordinal, as in `am 12. Oktober`."""
    return tongue_of(text) == "de"


def is_small(word: str) -> bool:
    """Whether it is one of the words that only hold others together."""
    return any(word.lower().strip(".,:;!?") in words for words in _SMALL.values())
