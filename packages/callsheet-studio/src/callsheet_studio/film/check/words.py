"""What the words of a shot say, read for the check alone.

The reader has its own words and its own small grammar: whoever chose a picture by misreading a
sentence is not asked again what the sentence means.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Literal

import msgspec
import rtoml

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

Standing = Literal["said", "denied", "likened"]

_TOKEN = re.compile(r"[^\W_]+(?:['\u2019-][^\W_]+)*|[.,;:!?()\u2013\u2014]|\s-\s")
_STOPS = frozenset(".;:!?()\u2013\u2014")
_BACK, _LIKE = 6, 5
"""Words before a noun in which a negation, and a comparison, is looked for."""
_LONGEST = 3
_DIGITS = re.compile(r"[-\u2212]?\d+(?:[.,]\d+)*")
_SIGNS = {"\u00bd": 50.0, "\u00bc": 25.0, "\u2153": 33.3, "\u2155": 20.0}
_COMPOUND = 3
"""Letters that stand before the end of a German compound at least."""


class Lexicon(msgspec.Struct, frozen=True):
    """The check's words of one language."""

    things: Mapping[str, frozenset[str]]
    """By word: what it may be a picture of."""
    places: Mapping[str, frozenset[str]]
    hours: Mapping[str, frozenset[str]]
    states: Mapping[str, frozenset[str]]
    ends: Mapping[str, frozenset[str]]
    """Of things, by how a compound ends."""
    grammar: Mapping[str, frozenset[str]]
    numbers: Mapping[str, float]


@cache
def lexicon(language: str) -> Lexicon:
    """The words of a language; English where there are none."""
    folder = files("callsheet_studio.film.check").joinpath("lexicon")
    file = folder.joinpath(f"{language[:2].lower()}.toml")
    file = file if file.is_file() else folder.joinpath("en.toml")
    told = rtoml.loads(file.read_text("utf-8"))
    ends = _turned(told["things"], only="*")
    pairs = (each.split("=") for each in _listed(told["grammar"]["numbers"]))
    return Lexicon(
        things=_turned(told["things"]),
        places=_turned(told["places"]),
        hours=_turned(told["hours"]),
        states=_turned(told["states"]),
        ends=ends,
        grammar={key: frozenset(_listed(value)) for key, value in told["grammar"].items()},
        numbers={word: float(number) for word, number in pairs},
    )


def _listed(words: str) -> list[str]:
    return [word.strip() for word in words.split(",") if word.strip()]


def _turned(table: Mapping[str, str], only: str = "") -> dict[str, frozenset[str]]:
    """By word instead of by name."""
    found: dict[str, set[str]] = {}
    for name, words in table.items():
        for word in _listed(words):
            if word.startswith("*") == bool(only):
                found.setdefault(word.removeprefix("*"), set()).add(name)
    return {word: frozenset(names) for word, names in found.items()}


class Heard(msgspec.Struct, frozen=True):
    """What some words say."""

    things: Mapping[str, Standing] = {}
    places: Mapping[str, Standing] = {}
    hours: frozenset[str] = frozenset()
    states: frozenset[str] = frozenset()
    numbers: frozenset[float] = frozenset()
    words: frozenset[str] = frozenset()
    """All of them, as they stand and without their endings."""
    denied: frozenset[str] = frozenset()
    """Those that are said not to be."""

    def said(self, table: Literal["things", "places"]) -> frozenset[str]:
        """What is said to be there."""
        told: Mapping[str, Standing] = getattr(self, table)
        return frozenset(name for name, standing in told.items() if standing == "said")

    def has(self, text: str) -> bool:
        """Whether every longer word of a text is among these."""
        parts: list[str] = re.findall(r"[^\W\d_]{3,}", text.lower())
        return all(not _bare(part).isdisjoint(self.words) for part in parts)


@cache
def heard(text: str, language: str) -> Heard:
    """What a text says."""
    known = lexicon(language)
    shown = [match[0].strip() for match in _TOKEN.finditer(text.replace("\u2019", "'"))]
    words = [word.lower() for word in shown]
    reader = _Reader(known, tuple(words), tuple(shown), german=language[:2].lower() == "de")
    every = [_bare(word) for word in words if word[:1].isalpha()]
    return Heard(
        things=reader.found(known.things, known.ends, nouns=True),
        places=reader.found(known.places, {}, nouns=True),
        hours=frozenset(reader.found(known.hours, {})),
        states=frozenset(
            name for name, how in reader.found(known.states, {}).items() if how == "said"
        ),
        numbers=numbers_in(text, language),
        words=frozenset[str]().union(*every),
        denied=frozenset[str]().union(
            *(_bare(word) for at, word in enumerate(words) if reader.standing(at) != "said")
        ),
    )


def _bare(word: str) -> frozenset[str]:
    """A word, and what it may be without its ending."""
    forms = {word, word.removesuffix("'s")}
    for ending in ("s", "es", "e", "en", "n", "er", "ern", "em", "innen", "in"):
        if word.endswith(ending) and len(word) - len(ending) >= _COMPOUND:
            forms.add(word.removesuffix(ending))
    if word.endswith("ies"):
        forms.add(f"{word[:-3]}y")
    return frozenset(forms)


class _Reader(msgspec.Struct, frozen=True):
    known: Lexicon
    words: tuple[str, ...]
    shown: tuple[str, ...]
    german: bool

    def found(
        self,
        table: Mapping[str, frozenset[str]],
        ends: Mapping[str, frozenset[str]],
        *,
        nouns: bool = False,
    ) -> dict[str, Standing]:
        """What the words name, and whether it is there; what is said once is said."""
        result: dict[str, Standing] = {}
        for at, size, names in self._named(table, ends):
            if nouns and (self._is_name(at) or self._is_part(at + size)):
                continue
            how = self.standing(at)
            for name in names:
                if result.get(name) != "said":
                    result[name] = how
        return result

    def _named(
        self, table: Mapping[str, frozenset[str]], ends: Mapping[str, frozenset[str]]
    ) -> Iterator[tuple[int, int, frozenset[str]]]:
        at = 0
        while at < len(self.words):
            size, names = self._here(at, table, ends)
            if names:
                yield at, size, names
            at += size

    def _here(
        self,
        at: int,
        table: Mapping[str, frozenset[str]],
        ends: Mapping[str, frozenset[str]],
    ) -> tuple[int, frozenset[str]]:
        for size in range(min(_LONGEST, len(self.words) - at), 0, -1):
            *front, last = self.words[at : at + size]
            for form in _bare(last):
                if names := table.get(" ".join((*front, form))):
                    return size, names
        for form in _bare(self.words[at]):
            for end, names in ends.items():
                if form.endswith(end) and len(form) - len(end) >= _COMPOUND:
                    return 1, names
        return 1, frozenset()

    def standing(self, at: int) -> Standing:
        """Whether a word is said to be there, not to be, or only to be like something."""
        rules = self.known.grammar
        for back in range(1, _BACK + 1):
            place = at - back
            if place < 0 or self.words[place] in _STOPS or self.words[place] in rules["released"]:
                break
            word = self.words[place]
            if word == "," and self.words[place + 1] not in rules["negators"]:
                break
            if word in rules["negators"] and self.words[place + 1] not in rules["released"]:
                return "denied"
            if back <= _LIKE and self._likens(place):
                return "likened"
        return "said"

    def _likens(self, place: int) -> bool:
        rules = self.known.grammar
        before = self.words[place - 1] if place else ""
        nearby = self.words[max(place - 4, 0) : place]
        told = " ".join(self.words[place : place + 3])
        if any(told.startswith(each) for each in rules["of_size"]):
            return True
        if self.words[place] not in rules["like"]:
            return False
        if self.german:
            compares = self.words[place] == "wie" and place > 0
            return compares or any(word.endswith("er") for word in nearby)
        if self.words[place] == "as":
            after = self.words[place + 1] if place + 1 < len(self.words) else ""
            return "as" in nearby or after in ("a", "an", "if")
        return before not in rules["like_is_verb"]

    def _is_name(self, at: int) -> bool:
        """Whether an English word has a capital in the middle of a sentence."""
        word = self.shown[at]
        inside = at > 0 and self.words[at - 1] not in _STOPS
        return not self.german and inside and word[:1].isupper() and not word.isupper()

    def _is_part(self, behind: int) -> bool:
        """Whether an English noun only says of which kind the next one is."""
        if self.german or behind >= len(self.words):
            return False
        word = self.words[behind]
        rules = self.known.grammar
        if not word[:1].isalpha() or word in rules["small"] or word.endswith("s"):
            return False
        return not word.endswith(tuple(rules["verbs_end"])) and word not in rules["verbs"]


@cache
def numbers_in(text: str, language: str) -> frozenset[float]:
    """All numbers of a text, in digits and in words; those below zero as such."""
    known = lexicon(language).numbers
    below = lexicon(language).grammar["below"]
    found = {value for sign, value in _SIGNS.items() if sign in text}
    for match in _DIGITS.finditer(text):
        number = _value(match[0].lstrip("-\u2212"))
        before = text[: match.start()].rstrip().rpartition(" ")[2].lower()
        signed = match[0][0] in "-\u2212" and text[match.start() - 1 : match.start()] in ("", " ")
        found.add(-number if signed or before in below else number)
    words: list[str] = re.findall(r"[^\W\d_]+", text.lower())
    for at, word in enumerate(words):
        for form in _bare(word):
            if form not in known:
                continue
            number = known[form]
            after = words[at + 1] if at + 1 < len(words) else ""
            if known.get(after, 0) >= 100:  # noqa: PLR2004 -- two hundred, three thousand
                found.add(number * known[after])
            found.add(-number if at and words[at - 1] in below else number)
    for match in re.finditer(r"(\d[\d.,]*)\s+(hundred|thousand|hundert|tausend)", text.lower()):
        found.add(_value(match[1]) * known.get(match[2], 1))
    return frozenset(found)


def _value(digits: str) -> float:
    digits = digits.strip(".,")
    if re.fullmatch(r"\d{1,3}(?:[.,]\d{3})+", digits):
        return float(re.sub(r"[.,]", "", digits))
    return float(
        digits.replace(",", ".")
        if digits.count(",") <= 1 and "." not in digits
        else digits.replace(",", "")
    )


def drawn_numbers(value: str) -> frozenset[float]:
    """The numbers that stand in a picture: `1 in 5`, `\u221228`, `3\u20134`, `4:12`."""
    signs = {number for sign, number in _SIGNS.items() if sign in value}
    found = set(signs)
    for match in re.finditer(r"\u2212?\d+(?:[.,]\d+)*", value):
        number = _value(match[0].lstrip("\u2212"))
        found.add(-number if match[0].startswith("\u2212") else number)
    return frozenset(found)
