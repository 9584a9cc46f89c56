"""Rules that only a model can break: nothing is made up, and the film speaks its own language.

Our own writer has no words but those of the brief; so these are asked of drafts alone.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from callsheet_studio import library
from callsheet_studio.brief.tongue import tongue_of
from callsheet_studio.library.shelves import given_names, names_that_are_words
from callsheet_studio.model.base import Violation
from callsheet_studio.script.wording import told, words_of
from callsheet_studio.writers.drawable import TIMES, words_of_brief

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from callsheet_studio.model.brief import Brief
    from callsheet_studio.model.script import Beat

RULES = {
    "made-up": "nobody is named, and no number told, that the brief does not have",
    "language": "the film speaks the language of the brief",
    "drawable": "places, lights and things are of the library",
    "picture-words": "the words of a beat's pictures are, in their order, what is said in it",
}
"""Every rule for drafts by name, and what it asks for."""
_SPEAKER = re.compile(r"^\s*([^\W\d_][^:\n]{0,40}):", re.MULTILINE)
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_NAMED = re.compile(r"(?<=[\w,;'\u2019] )[A-Z][\w'\u2019-]+")
"""A capital that no sentence begins with."""
_VOICES = frozenset({"narrator", "voice", "voiceover", "speaker", "erzähler", "stimme", "sprecher"})
_ALWAYS = """
monday tuesday wednesday thursday friday saturday sunday january february march april may june july
august september october november december i i'm i'll i've i'd
"""
_DAYS = frozenset(_ALWAYS.split())
"""What has a capital, and is nobody's name."""
_FEWEST = 5
"""Words from which a language can be told."""
_OWN = {"en": "the", "de": "der"}
"""A small word of each language: whoever is not told apart from it by one word is not accused."""


class Judge:
    """Judges the beats that a model has written for a brief."""

    def __init__(self, brief: Brief) -> None:
        self._brief = brief
        self._language = brief.content.language[:2].lower()
        words = words_of_brief(brief)
        self._known = {part for word in words_of(words) for part in (word, word.split("'")[0])}
        self._numbers = set(_NUMBER.findall(words))
        people = library.people(self._language)
        self._roles = people.one | people.many | _VOICES

    def broken(self, beats: Sequence[Beat]) -> Iterator[Violation]:
        """Everything that is made up, in another language, or cannot be drawn."""
        for beat in beats:
            yield from self._made_up(beat)
            yield from self._spoken(beat)
            yield from self._drawn(beat)

    def _made_up(self, beat: Beat) -> Iterator[Violation]:
        text = told(beat.script)
        speakers = _SPEAKER.findall(beat.script.dialogue or "")
        people = [name for picture in beat.visual.pictures for name in picture.people]
        names = [*speakers, *people, *self._named(text), *_given(text), *_given(beat.script.action)]
        for name in dict.fromkeys(names):
            if not self._is_known(name):
                yield Violation(
                    rule="made-up",
                    where=beat.id,
                    message=f"The brief does not know {name!r}.",
                    fix="Tell it without that name; somebody is what the brief calls them.",
                )
        for number in dict.fromkeys(_NUMBER.findall(text)):
            if number not in self._numbers:
                yield Violation(
                    rule="made-up",
                    where=beat.id,
                    message=f"The brief has no {number}.",
                    fix="Tell it without a number that is not the brief's.",
                )

    def _named(self, text: str) -> list[str]:
        """What looks like a name; in German every noun does."""
        return _NAMED.findall(text) if self._language == "en" else []

    def _is_known(self, name: str) -> bool:
        parts = [part for part in words_of(name) if part not in _DAYS]
        plain = [part.removesuffix("'s") for part in parts]
        return all(
            part in self._known
            or part in self._roles
            or part.removesuffix("s") in self._known | self._roles
            or f"{part}s" in self._known
            for part in plain
        )

    def _spoken(self, beat: Beat) -> Iterator[Violation]:
        text = told(beat.script)
        words = words_of(text)
        if len(words) < _FEWEST:
            return
        found = tongue_of(f"{text} {_OWN.get(self._language, '')}")
        if found == self._language:
            return
        yield Violation(
            rule="language",
            where=beat.id,
            message=f"It is not told in {self._brief.content.language!r}, but in {found!r}.",
            fix=f"Write it in {self._brief.content.language!r}.",
        )

    def _drawn(self, beat: Beat) -> Iterator[Violation]:
        seen = beat.visual
        shelves = [
            ("location", seen.location, library.sets().keys()),
            ("lighting", seen.lighting, library.presets().keys()),
            ("time_of_day", seen.time_of_day, TIMES),
        ]
        things = [thing.partition(":")[0] for each in seen.pictures for thing in each.things]
        shelves += [("thing", thing, library.catalog().keys()) for thing in things]
        for name, value, known in shelves:
            if value not in known:
                yield Violation(
                    rule="drawable",
                    where=beat.id,
                    message=f"{value!r} is no {name} of the library.",
                    fix="Take one of the list, or leave it out.",
                )
        yield from _worded(beat)


def _worded(beat: Beat) -> Iterator[Violation]:
    """Each picture goes with words of the beat: together they are what is said in it."""
    shown = [picture.said for picture in beat.visual.pictures if picture.said]
    script = beat.script
    said = words_of(heard(script.dialogue, script.voiceover))
    if shown and sorted(words_of(" ".join(shown))) != sorted(said):
        yield Violation(
            rule="picture-words",
            where=beat.id,
            message="Its pictures do not go with its words.",
            fix="Give each picture the words it is seen with; together they are all that is said.",
        )


def heard(dialogue: object, voiceover: object) -> str:
    """What is heard in a beat, without who says it."""
    lines = [_SPEAKER.sub("", text) for text in (dialogue, voiceover) if isinstance(text, str)]
    return " ".join(" ".join(lines).split())


def _given(text: str) -> list[str]:
    """Given names, in any language; but for those that are words as well."""
    found = re.findall(r"[A-Z\u00c4\u00d6\u00dc][\w-]+", text)
    return [word for word in found if word.lower() in given_names().keys() - names_that_are_words()]
