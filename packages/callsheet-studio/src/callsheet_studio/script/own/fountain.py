"""Screenplays as plain text. Whatever is malformed in one is read as action."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import TYPE_CHECKING

from callsheet_studio.script.own.draft import (
    Draft,
    Passage,
    Say,
    Setting,
    even,
    is_effect,
    is_music,
    is_narrator,
    is_text,
    labelled,
    spoken_by,
    unquoted,
)
from callsheet_studio.script.own.introduced import Person, is_age, people_in
from callsheet_studio.script.own.page import (
    LONGEST,
    MOST_LINES,
    is_heading,
    is_title_page,
    read_page,
)

if TYPE_CHECKING:
    from callsheet_studio.script.own.page import Element, Page

_EMPHASIS = (
    re.compile(r"(?<![\\*])(\*{1,3})(?=[^\s*])([^*\n]{1,500}?)(?<=[^\s\\])\1(?!\*)"),
    re.compile(r"(?<![\\\w])(_)(?=\S)([^_\n]{1,500}?)(?<=[^\s\\])_(?!\w)"),
)
"""`*slanted*`, `**bold**`, `_underlined_`: in pairs. A sign on its own is one of the words."""
_ESCAPE = re.compile(r"\\([*_\\])")
_JOINER = "\u2060"
_FORCED = re.compile(r"^[ \t]*\.[^\W_]", re.MULTILINE)
_END = frozenset({"the end", "ende", "fin", "end"})
_AGAIN = re.compile(
    r"(?:cont['\u2019]?d?|continuing|continued|forts\.?|fortsetzung)\Z", re.IGNORECASE
)
_SUPER = re.compile(
    r"(?:\A|(?<=[.!?\u201d\"] ))(?:SUPER|SUPERIMPOSE|TITLE CARD|TITLE|CHYRON|CAPTION|EINBLENDUNG"
    r"|TEXTTAFEL|BAUCHBINDE)S?(?: ?/ ?SUPER)?(?: OVER [A-Z]{1,20})?: *"
)
_QUOTED = re.compile(r"[\"\u201c\u201e]([^\"\u201c\u201d]{1,300})[\"\u201c\u201d]")
_TOGETHER = re.compile(r" (?:AND|UND|&) |/")
_WITH = {"de": "mit"}
_FEWEST_CUES = 2


def is_fountain(text: str) -> bool:
    """Whether a text looks like a screenplay: headings, a title page, or who speaks."""
    lines = text.splitlines()
    if is_title_page(text) or _FORCED.search(text) or any(map(is_heading, lines)):
        return True
    if len(lines) > MOST_LINES or max(map(len, lines), default=0) > LONGEST:
        return False
    cues = [each for each in read_page(text).elements if each.kind == "cue"]
    return len(cues) >= _FEWEST_CUES or any(cue.brackets for cue in cues)


def read_fountain(text: str, language: str = "en") -> Draft:
    """Scenes by their headings. Notes, synopses and sections are for the author's eyes.

    Raises:
        InputError: it is longer than any screenplay.
    """
    page = read_page(text)
    reader = _Reader(_names(page), language)
    for element, after in zip_longest(page.elements, page.elements[1:]):
        reader.take(element, after)
    paragraphs = [even(" ".join(lines)) for lines in reader.paragraphs]
    people = people_in(paragraphs, reader.cues, language)
    return Draft(_plain(page.title), reader.settings(), people)


def _names(page: Page) -> frozenset[str]:
    return frozenset(_plain(each.text).upper() for each in page.elements if each.kind == "cue")


def _plain(text: str) -> str:
    """As it is read: without the signs that make it bold or slanted."""
    bare = text.replace(_JOINER, "")
    for sign in _EMPHASIS:
        bare = sign.sub(r"\2", bare)
    return even(_ESCAPE.sub(r"\1", bare))


@dataclass(slots=True)
class _Building:
    """A passage while its lines come in: each is looked at once."""

    action: list[str] = field(default_factory=list)
    says: list[Say] = field(default_factory=list)
    text: list[str] = field(default_factory=list)
    effects: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    music: str = ""

    def passage(self) -> Passage:
        return Passage(
            action=even(" ".join(self.action)),
            says=tuple(self.says),
            text="\n".join(self.text),
            effects=tuple(self.effects),
            music=self.music,
            notes=tuple(self.notes),
        )


@dataclass(slots=True)
class _Reader:
    """Puts elements together: an action with what is said after it is a passage."""

    names: frozenset[str]
    """Of all who speak."""
    language: str
    found: list[tuple[str, list[_Building]]] = field(default_factory=list)
    paragraphs: list[list[str]] = field(default_factory=list)
    cues: list[Person] = field(default_factory=list)
    speaker: str = ""
    manner: str = ""
    reads: bool = False
    """Whether what comes is not said but read on the screen."""
    silent: bool = False
    """Whether whoever is named has said nothing yet."""
    waiting: list[str] = field(default_factory=list)
    """Notes that stand before the first picture."""
    broken: bool = True
    """Whether the next line of action begins a passage."""

    def settings(self) -> tuple[Setting, ...]:
        made = [
            (heading, [each.passage() for each in passages]) for heading, passages in self.found
        ]
        kept = [
            Setting(heading, tuple(passage for passage in passages if not passage.empty))
            for heading, passages in made
        ]
        return tuple(setting for setting in kept if setting.passages)

    def take(self, element: Element, after: Element | None) -> None:
        """One more element of the screenplay."""
        words = _plain(element.text)
        match element.kind:
            case "heading":
                self.found.append((words, []))
                self.broken = True
            case "action":
                self._action(words)
            case "centred":
                self.speaker, self.reads = "", False
                self._text(words)
            case "cue":
                self._cue(words, element.brackets)
            case "manner":
                self._how(words)
            case "said" | "lyric" if words:
                goes_on = after is not None and after.kind in {"said", "manner"}
                self._say(words, goes_on=goes_on)
            case "transition" if words:
                self._note(words)
            case _:
                self.broken = True

    def _action(self, words: str) -> None:
        self.speaker, self.reads = "", False
        label, _, rest = labelled(words)
        if not words:
            self.broken = True
        elif rest and is_effect(label):
            self._last().effects.append(rest)
        elif rest and is_music(label):
            self._last().music = rest
        elif rest and is_text(label):
            self._text(unquoted(rest))
        elif is_text(words.rstrip(":")):
            self.reads = True
        else:
            self._picture(words)

    def _picture(self, words: str) -> None:
        """What is seen; what is read on the screen may stand anywhere in it."""
        more = words
        while more:
            seen, text, more = _parted(more)
            if seen:
                self._seen(seen)
            if text:
                self._text(text)

    def _seen(self, words: str) -> None:
        if self.broken:
            self._new()
            self.paragraphs.append([])
            self.broken = False
        self._last().action.append(words)
        self.paragraphs[-1].append(words)

    def _text(self, words: str) -> None:
        if words.casefold().strip(" .") in _END:
            return
        if self._last().says:
            self._new()
        self._last().text.append(words)

    def _cue(self, name: str, brackets: tuple[str, ...]) -> None:
        told = [each for each in brackets if not _AGAIN.match(each)]
        looks = [each for each in told if is_age(each)]
        how = "; ".join(each for each in told if each not in looks)
        first, *others = self._parts(name.upper())
        self.reads = is_text(first)
        said = spoken_by(first, how, "")
        self.speaker, self.manner = said.speaker, said.manner
        self.silent = self.broken = True
        if not self.reads and not is_narrator(first):
            self.cues.append(Person(first, looks[0] if looks else ""))
            self._along(others)

    def _parts(self, name: str) -> list[str]:
        """Those who speak together, if each speaks alone, too."""
        parts = [part.strip() for part in _TOGETHER.split(name)]
        return parts if len(parts) > 1 and all(part in self.names for part in parts) else [name]

    def _along(self, others: list[str]) -> None:
        if others:
            self._how(f"{_WITH.get(self.language[:2].lower(), 'with')} {', '.join(others)}")

    def _how(self, words: str) -> None:
        self.manner = "; ".join(filter(None, (self.manner, words)))

    def _say(self, words: str, *, goes_on: bool) -> None:
        if self.reads:
            self._text(unquoted(words))
            return
        if self.silent and goes_on and words in self.names and words != self.speaker:
            self.cues.append(Person(words))
            self._along([words])  # two names above one line
            return
        say = Say(words, self.speaker, self.manner)
        self.manner, self.silent = "", False
        self._last().says.append(say)
        self.broken = True

    def _note(self, words: str) -> None:
        self.broken = True
        if self.found and self.found[-1][1]:
            self._last().notes.append(words)
        else:
            self.waiting.append(words)

    def _new(self) -> None:
        self._passages().append(_Building(notes=self.waiting))
        self.waiting = []

    def _passages(self) -> list[_Building]:
        if not self.found:
            self.found.append(("", []))
        return self.found[-1][1]

    def _last(self) -> _Building:
        if not self._passages():
            self._new()
        return self._passages()[-1]


def _parted(words: str) -> tuple[str, str, str]:
    """What is seen, what is then read on the screen, and what is seen after it."""
    found = _SUPER.search(words)
    if found is None:
        return words, "", ""
    seen, rest = words[: found.start()].strip(), words[found.end() :].strip()
    quoted = _QUOTED.match(rest)
    if quoted:
        return seen, quoted[1].strip(), rest[quoted.end() :].strip()
    return seen, rest, ""
