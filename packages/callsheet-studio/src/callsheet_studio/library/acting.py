"""Who acts in a sentence: by name or by what they are, and what is said of their look.

Grammar, not a list of sentences: somebody is a given name, a title with a name, or a word for
people, in front of the verb. What stands between them and the verb is what they look like.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

import msgspec

from callsheet_studio.library.finding import find_set
from callsheet_studio.library.persons import is_person
from callsheet_studio.library.shelves import (
    People,
    animals,
    given_names,
    names_that_are_words,
    people,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

_TOKEN = re.compile(r"[^\W_]+(?:[-'\u2019][^\W_]+)*|[,;:.!?()&\u2013\u2014]")
_AGE = re.compile(r"\d{1,2}\Z")
_YEARS = re.compile(r"(?<!\d)\d{1,2}(?!\d)")
_ONE_OF = frozenset(("a", "an", "ein", "eine", "einen", "another", "noch"))
_ARTICLES = _ONE_OF | frozenset((
    "the", "one", "two", "three", "four", "five", "some", "many", "several", "her", "his", "their",
    "our", "my", "der", "die", "das", "den", "zwei", "drei", "vier", "f\u00fcnf", "einige", "viele",
    "mehrere", "ihr", "ihre", "sein", "seine", "unser", "unsere", "mein", "meine",
))  # fmt: skip
_AND = frozenset(("and", "&", "und", "with", "mit"))
_PLACES = frozenset((
    "at", "on", "by", "near", "behind", "under", "over", "from", "to", "into", "through", "against",
    "before", "after", "between", "for", "of", "about", "along", "across", "inside", "outside",
    "an", "am", "auf", "bei", "beim", "vor", "hinter", "unter", "\u00fcber", "von", "vom", "zu",
    "zum", "zur", "ins", "neben", "durch", "gegen", "zwischen", "f\u00fcr", "aus", "nach",
))  # fmt: skip
_WORN = frozenset(("in", "with", "wearing", "mit", "im"))
_STOPS = (
    _AND
    | _PLACES
    | _WORN
    | frozenset(
        ("who", "that", "which", "while", "as", "then", "or", "oder", "w\u00e4hrend", "dann")
    )
)
_SET_OUT = _PLACES | _WORN | {"here", "there", "now", "then", "hier", "dort", "jetzt", "dann"}
"""How a sentence begins that names who acts behind the verb."""
_PLURALS_WORN = frozenset((
    "glasses", "sunglasses", "spectacles", "freckles", "curls", "braids", "pigtails", "jeans",
    "trousers", "gloves", "boots", "overalls", "dungarees", "shorts", "dreadlocks", "sneakers",
    "scrubs", "his", "its", "clothes",
))  # fmt: skip
_NO_VERBS = frozenset(("mit", "alt", "bunt", "gut", "nicht", "samt", "oft", "dort", "erst", "seit"))
_LIKE = frozenset((
    "old", "young", "little", "small", "tall", "big", "elderly", "happy", "tired", "busy", "lone",
    "single", "strong", "slim", "friendly", "proud", "calm", "nervous", "brave", "middle-aged",
    "lonely", "cheerful", "wet", "blonde", "blond", "bald", "other", "second", "first", "whole",
    "black", "white", "red", "blue", "green", "grey", "yellow", "brown", "orange", "pink",
))  # fmt: skip
"""Words before a noun that say how somebody is, not what."""
_LIKE_ENDS = ("ed", "ing", "ful", "ish", "-haired", "less")
_FACES = frozenset(
    ("face", "eyes", "smile", "profile", "gesicht", "augen", "l\u00e4cheln", "profil")
)
_REST = 3
"""Letters that a German verb has at least."""
_FRONT = 5
"""Words within which a sentence says who acts."""


class Person(msgspec.Struct, frozen=True):
    """Somebody in a sentence."""

    name: str
    look: str = ""
    """What the sentence says of it, or nothing."""
    another: bool = False
    """Whether it may be somebody new: `a woman`, not `the woman`."""


def acting(text: str, language: str) -> tuple[Person, ...]:
    """Those who act in a sentence, in its order; a pronoun names nobody."""
    return _read(text, language)[0]


def deed(text: str) -> str:
    """What somebody does: a sentence without who it is, if it says how old and like what they are.

    In English or German.
    """
    found = (_read(text, language) for language in ("en", "de"))
    told = [rest for who, rest in found if any(_YEARS.search(each.look) for each in who)]
    done = max(told, key=len, default="")
    # Where the look could not be told from the deed, all of it is read.
    return done if len(done.split()) > 1 else text


def behind(text: str, language: str) -> str:
    """What is said behind those who act; the whole text, if nobody does."""
    who, rest = _read(text, language)
    return rest if who else text


@cache
def _read(text: str, language: str) -> tuple[tuple[Person, ...], str]:
    """Those who act, and what is said behind them."""
    tokens = [*_TOKEN.finditer(text)]
    reader = _Reader(tuple(token[0] for token in tokens), language)
    found, at, end = list[Person](), 0, 0
    while (read := reader.person(at, joined=bool(found))) is not None:
        person, end = read
        found.append(person)
        at = end + 1
        if reader.lower(end) not in _AND and reader.lower(end) != ",":
            break
    if not found and reader.lower(0) in _SET_OUT:
        turned = reader.behind_verb()
        return ((turned,) if turned else ()), text
    return tuple(found), text[tokens[end].start() :] if end < len(tokens) else ""


def acts(text: str, language: str) -> bool:
    """Whether a text begins with what somebody does, and does not say who."""
    words, first = people(language), text.split(maxsplit=1)
    return bool(first) and first[0].lower().strip(",.") in words.does | words.surely


class _Reader(msgspec.Struct, frozen=True):
    """Reads people from the words of a sentence."""

    tokens: Sequence[str]
    language: str

    @property
    def words(self) -> People:
        return people(self.language)

    @property
    def german(self) -> bool:
        return self.language[:2].lower() == "de"

    def lower(self, at: int) -> str:
        return self.tokens[at].lower() if at < len(self.tokens) else ""

    def person(self, at: int, *, joined: bool = False) -> tuple[Person, int] | None:
        """Somebody whose words begin here, and where what comes after them begins.

        Behind somebody else any verb may follow: `she and the master shake hands`.
        """
        start = at
        while self.lower(at) in _ARTICLES:
            at += 1
        if at == start and (named := self._named(at)) is not None:
            name, end = named
            look, end = self._look(end)
            return Person(name, look), end
        noun = self._noun(at, joined=joined)
        if noun is None:
            return None
        called, like, end = noun
        look, end = self._look(end)
        another = self.lower(start) in _ONE_OF
        return Person(called, ", ".join(filter(None, (like, look))), another), end

    def behind_verb(self) -> Person | None:
        """Who acts where a sentence first says where: `On the pier stands a woman`."""
        for at in range(1, min(len(self.tokens), 2 * _FRONT)):
            if self._verb(at - 1) and (read := self.person(at)) is not None:
                return read[0]
        return None

    # Names

    def _named(self, at: int) -> tuple[str, int] | None:
        token, plain = self.tokens[at] if at < len(self.tokens) else "", self.lower(at)
        if not token[:1].isupper():
            return None
        whose = re.sub(r"['\u2019]?s\Z", "", token)
        if self.lower(at + 1) in _FACES and whose.lower() in given_names():
            return whose, at + 1
        if plain in self.words.titles:
            dot = self.lower(at + 1) == "."
            name = self._capitals(at + 1 + dot)
            if name:
                end = at + 1 + dot + len(name)
                return " ".join((f"{token}." if dot else token, *name)), end
        run = self._capitals(at)
        end = at + len(run)
        if not run or is_person(plain, self.language) or is_person(token, self.language):
            return None
        known = plain in given_names() and plain not in names_that_are_words()
        if known or self._ages(end) or self._does(end):
            return (" ".join(run), end) if plain not in animals() else None
        return None

    def _capitals(self, at: int) -> list[str]:
        found: list[str] = []
        for token in self.tokens[at : at + 2]:
            if not token[:1].isupper() or token.lower() in _ARTICLES | _STOPS:
                break
            found.append(token)
        return found

    def _does(self, at: int) -> bool:
        """A verb of people; what is a place or a thing of its own does not read or laugh."""
        before = self.lower(at - 1)
        verbs = self.words.does | self.words.surely
        told = before in self.words.pronouns | self.words.she | self.words.he
        return self.lower(at) in verbs and not told and not find_set(before, "")

    def _ages(self, at: int) -> bool:
        return self.lower(at) in (",", "(") and bool(_AGE.match(self.lower(at + 1)))

    # Words for people

    def _noun(self, at: int, *, joined: bool) -> tuple[str, str, int] | None:
        """What somebody is, how, and where that ends."""
        if self.lower(at) in self.words.does | self.words.surely:
            return None
        run = self._run(at)
        for place in range(at, at + len(run)):
            token = self.tokens[place]
            if self.german and not token[:1].isupper() and at + len(run) > place + 1:
                continue
            if self._somebody(place, joined=joined):
                return (*self._called(at, place), place + 1)
            if self.german:
                return None
        return None

    def _run(self, at: int) -> list[str]:
        found: list[str] = []
        for place, token in enumerate(self.tokens[at : at + _FRONT], start=at):
            stops = not token[0].isalpha() or token.lower() in _STOPS | _ARTICLES
            if stops or (found and self._verb(place) and not is_person(token, self.language)):
                break
            found.append(token)
        return found

    def _somebody(self, place: int, *, joined: bool) -> bool:
        token, after = self.tokens[place], self.lower(place + 1)
        if token.lower() in animals() | self.words.pronouns:
            return False
        if is_person(token, self.language):
            free = self.german or joined or token.lower() in self.words.many
            return free or self._ends(place + 1)
        return self._ages(place + 1) or after in self.words.surely

    def _ends(self, at: int) -> bool:
        """Whether a noun ends before here: `a student reads`, not `a student card`."""
        after = self.lower(at)
        verb = after.endswith(("ing", "ed", "ly")) or (after.endswith("s") and after[-2:] != "ss")
        return not after[:1].isalpha() or after in _STOPS or verb or not self._verb(at + 1)

    def _called(self, at: int, place: int) -> tuple[str, str]:
        """What somebody is called, and the words before it that say how they are."""
        before, noun = list(self.tokens[at:place]), self.tokens[place]
        if self.german:
            return noun, " ".join(before)
        named = list[str]()
        while before and noun.lower() not in self.words.many and not _like(before[-1]):
            named.insert(0, before.pop())
        before = [word.lower() if at + n == 0 else word for n, word in enumerate(before)]
        called = " ".join((*named, noun))
        return called if noun.isupper() else called.lower(), " ".join(before)

    # What they look like

    def _look(self, at: int) -> tuple[str, int]:
        """What is said of somebody before the verb, and where that ends."""
        found = list[str]()
        while self.lower(at) in _WORN or self.lower(at) in (",", "("):
            opens = self.lower(at) in _WORN
            first = at if opens else at + 1
            other = None if opens else self.person(first)
            if not opens and self._verb(first):
                return ", ".join(found), first
            if other is not None and self.lower(other[1]) in _AND | {""}:
                return ", ".join(found), at
            if other is not None:
                # `Max, the baker, smiles`: one person.
                found += [other[0].name, *filter(None, (other[0].look,))]
                return ", ".join(found), other[1]
            end = self._phrase_end(first)
            phrase = " ".join(self.tokens[first:end])
            if self._tells(first, end):
                found.append(phrase)
            elif opens:
                break
            at = end + (self.lower(end) == ")")
        return ", ".join(found), at

    def _phrase_end(self, first: int) -> int:
        end = first
        while end < len(self.tokens) and self.tokens[end][0].isalnum():
            goes_on = self.lower(end) in ("and", "und") and self.person(end + 1) is not None
            if end > first and (goes_on or self._verb(end)):
                break
            end += 1
        return end

    def _tells(self, first: int, end: int) -> bool:
        """Whether a phrase is about how somebody looks, and not about where or with whom."""
        tokens = self.tokens[first:end]
        if not tokens or tokens[0].lower() in _PLACES:
            return False
        opens = tokens[0].lower() in _WORN
        if opens and len(tokens) > 1 and tokens[1].lower() in ("the", "der", "dem", "den"):
            return False
        somebody = any(is_person(token, self.language) for token in tokens)
        known = any(token.lower() in given_names() for token in tokens if token[0].isupper())
        return not somebody and not known and not (opens and find_set(" ".join(tokens[1:]), ""))

    def _verb(self, at: int) -> bool:
        """Whether a word is what somebody does."""
        plain = self.lower(at)
        if plain in self.words.does | self.words.surely:
            return True
        token = self.tokens[at] if at < len(self.tokens) else ""
        if not token[:1].islower() or plain in _PLURALS_WORN | _NO_VERBS:
            return False
        before = self.tokens[at - 1] if at else ""
        if self.german:
            several = plain.endswith("en") and before[:1].isupper()
            return several or (len(plain) >= _REST and plain.endswith("t"))
        if plain in _plural_verbs() and before.endswith("s"):
            return True
        after = self.lower(at + 1)
        follows = not after or after in _STOPS | _ARTICLES | self.words.pronouns | {"up", "down"}
        return plain.endswith("s") and not plain.endswith("ss") and follows


@cache
def _plural_verbs() -> frozenset[str]:
    """What several people do in English: `carry`, `watch`, `read`."""
    words = people("en")
    found = words.does | words.surely
    return frozenset(re.sub(r"(?<=[sxh])es\Z|ies\Z|s\Z", _singular, verb) for verb in found)


def _singular(ending: re.Match[str]) -> str:
    return "y" if ending[0] == "ies" else ""


def _like(word: str) -> bool:
    plain = word.lower()
    return plain in _LIKE or plain.endswith(_LIKE_ENDS) or word[:1].isupper()
