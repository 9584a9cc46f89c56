"""Whether words say something: the same word in another form, a phrase, the gist of a sentence."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from callsheet_studio.model.script import Words

RECALL = 0.6
"""The share of a message's content words that says it."""
_WORD = re.compile(r"\d+(?:[.,:]\d+)*(?:\s?%)?|[^\W\d_]+(?:['\u2019][^\W\d_]+)*")
_EDGES = re.compile(r"\A\W+|\W+\Z")
_SMALL_WORDS = """
    a an the and or but nor of to in on at by for from with without into onto over under as than
    that this these those it its is are was were be been being am do does did has have had will
    would can could may might must shall should not no so if then when while who whom which what
    where how why we you they he she i me us them him her our your their my his there here all any
    every each some more most very just also too about up out off only own
    der die das den dem des ein eine einen einem einer eines und oder aber von vom zu zum zur im in
    am an auf bei für mit ohne aus nach über unter als wie dass dies diese dieser dieses es sie er
    ich du wir ihr ist sind war waren sein bin bist wird werden wurde kann können muss müssen soll
    sollen hat haben hatte nicht kein keine so wenn dann wer was wo warum uns euch ihnen ihm mein
    dein unser euer alle jede jeder jedes auch nur noch schon sehr mehr um bis vor"""
_STOP = frozenset(_SMALL_WORDS.split())
_ENDINGS = {
    "en": ("ingly", "ings", "ing", "ied", "ies", "edly", "ed", "est", "er", "es", "ly", "s"),
    "de": (
        "ungen",
        "erinnen",
        "ern",
        "est",
        "en",
        "em",
        "er",
        "es",
        "et",
        "st",
        "e",
        "n",
        "s",
        "t",
    ),
}
_SHORTEST_STEM = 3
_PLAIN = str.maketrans("äöü", "aou")
_NAME_INSIDE = re.compile(r"[^\W\d_]*[^\W\d_][A-ZÄÖÜ]")


def words_of(text: str) -> list[str]:
    """Its words in small letters; numbers as they are written."""
    found = _WORD.findall(text.replace("\u2019", "'"))
    return ["".join(word.split()).casefold() for word in found]


@lru_cache(maxsize=4096)
def stem(word: str, language: str) -> str:
    """What is left of a word when its ending is taken away; roughly."""
    if word[:1].isdigit():
        return word
    bare = word.removesuffix("'s").translate(_PLAIN)
    for ending in _ENDINGS["de" if language[:2].lower() == "de" else "en"]:
        if bare.endswith(ending) and len(bare) - len(ending) >= _SHORTEST_STEM:
            bare = bare.removesuffix(ending)
            break
    if len(bare) > _SHORTEST_STEM and bare[-1] == bare[-2]:
        return bare[:-1]
    return bare.rstrip("ey") if len(bare) > _SHORTEST_STEM else bare


def stems_of(text: str, language: str) -> list[str]:
    """The stems of its words, in order."""
    return [stem(word, language) for word in words_of(text)]


def recall(message: str, told: str, language: str) -> float:
    """The share of a message's content words that are told, in whatever form."""
    content = content_words(message)
    spoken = set(stems_of(told, language))
    if not content:
        return 1.0
    return sum(stem(word, language) in spoken for word in content) / len(content)


def content_words(message: str) -> list[str]:
    """The words that carry it; all of them if there are none but small ones."""
    found = list(dict.fromkeys(words_of(message)))
    return [word for word in found if word not in _STOP] or found


def exact_words(message: str, brand: str, language: str) -> list[str]:
    """Numbers and names, which no other form may stand for."""
    brands = set(words_of(brand)) - _STOP
    capitals = _WORD.findall(message)
    # Where most words have a capital, it tells nothing: in German, and In A Title.
    tells = language[:2].lower() != "de" and 2 * sum(w[0].isupper() for w in capitals) <= len(
        capitals
    )
    found = []
    for place, match in enumerate(_WORD.finditer(message)):
        word, low = match[0], words_of(match[0])[0]
        capital = tells and word[0].isupper() and place > 0
        named = low in brands or _NAME_INSIDE.match(word) is not None or capital
        if word[0].isdigit() or (named and low not in _STOP):
            found.append(low)
    return list(dict.fromkeys(found))


def says(told: str, message: str, brand: str, language: str) -> bool:
    """Whether a message is told: the gist of it, its numbers and names exactly."""
    spoken = set(words_of(told))
    spoken |= {word.removesuffix("'s") for word in spoken}
    return recall(message, told, language) >= RECALL and all(
        word in spoken for word in exact_words(message, brand, language)
    )


def holds_phrase(text: str, phrase: str) -> bool:
    """Whether it stands there word for word, whatever is small or capital."""
    return _within(words_of(phrase), words_of(text)) or (
        not words_of(phrase) and phrase.strip() in text
    )


def holds_form(text: str, phrase: str, language: str) -> bool:
    """Whether it stands there in any form of its words: `cheap` is in `cheaper`."""
    wanted, there = words_of(phrase), words_of(text)
    return _within(
        [stem(word, language) for word in wanted], [stem(word, language) for word in there]
    ) or _within(wanted, there)


def holds_verbatim(text: str, phrase: str) -> bool:
    """Whether it stands there as it is, but for capitals and for signs at its ends."""
    wanted = _even(_EDGES.sub("", phrase)) or _even(phrase)
    whole = rf"(?<!\w){re.escape(wanted)}(?!\w)"
    return bool(wanted) and re.search(whole, _even(text)) is not None


def _even(text: str) -> str:
    return " ".join(text.replace("\u2019", "'").casefold().split())


def _within(wanted: Sequence[str], there: Sequence[str]) -> bool:
    size = len(wanted)
    return size > 0 and any(
        there[place : place + size] == wanted for place in range(len(there) - size + 1)
    )


def spoken(words: Words) -> str:
    """What is heard, voiceover and dialogue."""
    return joined((words.voiceover, words.dialogue))


def told(words: Words) -> str:
    """What is heard and read."""
    return joined((words.voiceover, words.dialogue, words.on_screen_text))


def joined(texts: Iterable[str | None]) -> str:
    """The texts that there are, a line each."""
    return "\n".join(text for text in texts if text)
