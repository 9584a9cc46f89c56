"""Which language a brief is written in: told by its small words."""

from __future__ import annotations

import re
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
_UMLAUT = re.compile(r"[äöüß]")


def tongue_of(text: str) -> Tongue:
    """English or German, by the small words and the umlauts; English if nothing tells."""
    words = re.findall(r"[^\W\d_]+", text.lower())
    german = sum(word in _SMALL["de"] or bool(_UMLAUT.search(word)) for word in words)
    english = sum(word in _SMALL["en"] for word in words)
    return "de" if german > english else "en"


def is_small(word: str) -> bool:
    """Whether it is one of the words that only hold others together."""
    return any(word.lower().strip(".,:;!?") in words for words in _SMALL.values())
