"""Fountain: screenplays as plain text. Whatever is malformed in one is read as action."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from msgspec.structs import replace

from callsheet_studio.script.own.draft import (
    Draft,
    Passage,
    Say,
    Setting,
    even,
    is_effect,
    is_music,
    is_text,
    labelled,
    spoken_by,
)

_HEADING = re.compile(
    r"^[ \t]*(?:\.(?=[^\W_])|(?:INT|EXT|EST|I/E|INNEN|AUSSEN|AU\u00dfEN|I/A)[. /])", re.MULTILINE
)
_GERMAN = re.compile(
    r"^[ \t]*((?:INNEN|AUSSEN|AU\u00dfEN|I/A)(?:/AUSSEN|/INNEN)?[. /])", re.MULTILINE
)
_TITLE_PAGE = re.compile(
    r"\A\s*(?:title|credit|authors?|source|draft date|date|contact|format|language|titel|autor)"
    r"[ \t]*:",
    re.IGNORECASE,
)
_CUE = re.compile(
    r"(?:\A|\n[ \t]*\n)[ \t]*@?[^\W\d_a-z][^a-z\n|:.!?]{0,38}(\([^)\n]+\))?[ \t]*\^?\n[ \t]*\S"
)
_FOREIGN = re.compile(r"(\A|\n[ \t]*\n)[ \t]*((?![A-Za-z])[^\W\d_][^\n]{0,60})(?=\n[ \t]*\S)")
_BRACKETS = re.compile(r"\([^)]*\)")
_COMMENTS = re.compile(r"/\*.*?\*/|\[\[(?:(?!\n[ \t]*\n).)*?\]\]", re.DOTALL)
_EMPHASIS = (
    re.compile(r"(?<![\\*])(\*{1,3})(?=[^\s*])([^*\n]{1,500}?)(?<=[^\s\\])\1(?!\*)"),
    re.compile(r"(?<![\\\w])(_)(?=\S)([^_\n]{1,500}?)(?<=[^\s\\])_(?!\w)"),
)
"""`*slanted*`, `**bold**`, `_underlined_`: in pairs. A sign on its own is one of the words."""
_ESCAPE = re.compile(r"\\([*_\\])")
_JOINER = "\u2060"
_END = frozenset({"the end", "ende", "fin", "end"})
_FEWEST_CUES = 2


def is_fountain(text: str) -> bool:
    """Whether a text looks like a screenplay: headings, a title page, or who speaks."""
    if _HEADING.search(text) or _TITLE_PAGE.match(text):
        return True
    cues = [found[1] for found in _CUE.finditer(text)]
    return len(cues) >= _FEWEST_CUES or any(cues)


def read_fountain(text: str) -> Draft:
    """Scenes by their headings. Notes, synopses and sections are for the author's eyes."""
    from screenplay_tools.fountain.parser import Parser

    parser = Parser()
    parser.mergeActions = False
    titled = _TITLE_PAGE.match(text) is not None
    # Without a title page its first line could be taken for one: a blank line ends it.
    parser.add_text(("" if titled else "\n") + _prepared(text))
    title = next((e.text_raw for e in parser.script.titleEntries if e.key.lower() in _NAMES), "")
    reader = _Reader()
    for element in parser.script.elements:
        reader.take(element)
    return Draft(_plain(title), reader.settings())


_NAMES = frozenset({"title", "titel"})


def _prepared(text: str) -> str:
    """Without comments; what only looks like the beginning of one is kept apart."""
    bare = _COMMENTS.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
    for opening in ("/*", "[["):
        bare = bare.replace(opening, f"{opening[0]}{_JOINER}{opening[1]}")
    return _FOREIGN.sub(_forced, _GERMAN.sub(r".\1", bare))


def _forced(cue: re.Match[str]) -> str:
    """A name that begins with another capital than A to Z is one all the same."""
    name = _BRACKETS.sub("", cue[2])
    return f"{cue[1]}@{cue[2]}" if name.isupper() else cue[0]


def _plain(text: str) -> str:
    """As it is read: without the signs that make it bold or slanted."""
    bare = text.replace(_JOINER, "")
    for sign in _EMPHASIS:
        bare = sign.sub(r"\2", bare)
    return even(_ESCAPE.sub(r"\1", bare))


@dataclass(slots=True)
class _Reader:
    """Puts elements together: an action with what is said after it is a passage."""

    found: list[tuple[str, list[Passage]]] = field(default_factory=list)
    speaker: str = ""
    manner: str = ""
    broken: bool = True
    """Whether the next line of action begins a passage."""

    def settings(self) -> tuple[Setting, ...]:
        kept = [
            Setting(heading, tuple(passage for passage in passages if not passage.empty))
            for heading, passages in self.found
        ]
        return tuple(setting for setting in kept if setting.passages)

    # The elements are of a package without types.
    def take(self, element: Any) -> None:
        """One more element of the screenplay."""
        kind, words = element.type.value, _plain(element.text_raw)
        match kind:
            case "HEADING" if not words.upper().startswith("FADE IN"):
                self.found.append((words, []))
                self.broken = True
            case "ACTION":
                self._action(words, centered=element.centered)
            case "CHARACTER":
                self._cue(element.name, element.extension)
            case "PARENTHETICAL":
                self.manner = words
            case "DIALOGUE" | "LYRIC" if words:
                self._say(words)
            case "TRANSITION" | "HEADING" if words:
                self._change(notes=(*self._last().notes, words))
                self.broken = True
            case _:
                self.broken = True

    def _action(self, words: str, *, centered: bool) -> None:
        self.speaker = ""
        label, _, rest = labelled(words)
        if not words:
            self.broken = True
        elif centered or (rest and is_text(label)):
            self._text(words if centered else rest)
        elif rest and is_effect(label):
            self._change(effects=(*self._last().effects, rest))
        elif rest and is_music(label):
            self._change(music=rest)
        elif self.broken:
            self._passages().append(Passage(action=words))
            self.broken = False
        else:
            self._change(action=even(f"{self._last().action} {words}"))

    def _text(self, words: str) -> None:
        if words.casefold().strip(" .") in _END:
            return
        if self._last().says:
            self._passages().append(Passage(text=words))
        else:
            self._change(text="\n".join(filter(None, (self._last().text, words))))

    def _cue(self, name: str, extension: str | None) -> None:
        said = spoken_by(_plain(name).upper(), extension or "", "")
        self.speaker, self.manner = said.speaker, said.manner
        self.broken = True

    def _say(self, words: str) -> None:
        say = Say(words, self.speaker, self.manner)
        self.manner = ""
        self._change(says=(*self._last().says, say))
        self.broken = True

    def _passages(self) -> list[Passage]:
        if not self.found:
            self.found.append(("", []))
        return self.found[-1][1]

    def _last(self) -> Passage:
        passages = self._passages()
        if not passages:
            passages.append(Passage())
        return passages[-1]

    def _change(self, **fields: Any) -> None:
        self._last()
        passages = self._passages()
        passages[-1] = replace(passages[-1], **fields)
