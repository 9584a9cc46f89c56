"""The page of a screenplay, line by line: what each line is, as screenwriters write them.

Fountain, and what stands in the scripts that people really have: transitions without a sign, pages
that were copied with their margins, scene numbers and `(MORE)`, German headings. Every line is
looked at once, with its neighbours, so a hostile page takes no longer than an honest one.
"""

from __future__ import annotations

import re
from typing import Literal

import msgspec

from callsheet.errors import InputError
from callsheet_studio.script.own.vocabulary import page_words

MOST_LINES, LONGEST = 10_000, 20_000
"""Lines of a script, and characters of one."""
Kind = Literal[
    "heading", "action", "centred", "cue", "manner", "said", "lyric", "transition", "break"
]

_SIDE = re.compile(
    r"(?:INT|EXT|EST|I/E|E/I|INNEN|AUSSEN|AU\u00dfEN|I/A|A/I)"
    r"(?:\.?/(?:INT|EXT|INNEN|AUSSEN|AU\u00dfEN))?[. /](?=\s*\S)",
    re.IGNORECASE,
)
_ANY_HEADING = re.compile(
    r"^[ \t\dA-Z]{0,60}(?:INT|EXT|EST|I/E|INNEN|AUSSEN|AU\u00dfEN|I/A)[. /]", re.MULTILINE
)
_NUMBERED = re.compile(r"[A-Z]?\d{1,4}[A-Z]?\.?[ \t]{1,40}(?=[A-Z])")
"""A scene's number in the margin before it; the one behind it is the same."""
_BEHIND = re.compile(r"[ \t]{3,40}[A-Z]?\d{1,4}[A-Z]?\.?\Z")
_SCENE_NUMBER = re.compile(r"[ \t]*#[\w.-]{1,20}#\Z")
_TITLE_PAGE = re.compile(
    r"\s*(?:title|credit|authors?|source|draft date|date|contact|format|language|notes|copyright"
    r"|revision|titel|autor|autorin|fassung|kontakt)[ \t]*:",
    re.IGNORECASE,
)
_KEY = re.compile(r"[ \t]*([\w ]{1,40}?)[ \t]*:(.*)\Z")
_BRACKETS = re.compile(r"\(([^()]*)\)")
_FURNITURE = re.compile(r"\(?(?:MORE|CONTINUED|CONT'D|FORTSETZUNG)\)?:?(?:\s*\(\d+\))?\Z")
"""What a page says of itself."""
_RULE = re.compile(r"={3,}\Z")
_INDENTED = 12
"""Blanks before a title that is set in the middle of its page."""
_MOST_WORDS, _MOST_SIGNS = 6, 60
"""Of a name above a line."""
_SENTENCE = re.compile(r"[^\W\d_]{5,}[.!?] ")
_ENDS = ("!", "?", ":", ",", ";", "\u2026", "--", "\u2014")
_TO = re.compile(r"[^\W\d_][^\d_:.!?]{0,40} (?:TO|AUF|ZU|WITH|MIT):\Z")
_OPENS = ("MONTAGE", "END OF MONTAGE", "SERIES OF SHOTS", "INTERCUT")
"""What says of the next pictures how they are cut."""
_WHOLE = frozenset({"OVER BLACK", "BLACK", "THE END", "ENDE", "FIN", "END"})


def title_in(text: str) -> str:
    """What the title page calls the film, or nothing."""
    found = re.match(r"(?i)\s*(?:title|titel)[ \t]*:[ \t]*(\S[^\n]{0,120})", text)
    return found[1].strip(" *_\t\r") if found else ""


class Element(msgspec.Struct, frozen=True):
    """A line, or what of it is one thing."""

    kind: Kind
    text: str = ""
    brackets: tuple[str, ...] = ()
    """Of a cue: what stands in brackets behind the name."""


class Page(msgspec.Struct, frozen=True):
    """A screenplay."""

    title: str
    elements: tuple[Element, ...]


def read_page(text: str) -> Page:
    """The elements of a screenplay. What is malformed is action; no word of it is lost.

    Raises:
        InputError: it is too large; see `check_size`.
    """
    check_size(text)
    lines = _uncommented(text.replace("\r\n", "\n").replace("\r", "\n")).split("\n")
    title, begins = _title(lines)
    return Page(title, tuple(_elements(lines[begins:])))


def check_size(text: str) -> None:
    """Make sure that a script can be read at all.

    Raises:
        InputError: it has more lines than any screenplay, or a line longer than any page.
    """
    lines = text.splitlines()
    longest = max(map(len, lines), default=0)
    if len(lines) > MOST_LINES or longest > LONGEST:
        raise InputError(
            f"content.script: it has {len(lines):,} lines, the longest of {longest:,} characters. "
            f"At most {MOST_LINES:,} lines of {LONGEST:,} characters are read."
        )


def is_heading(line: str) -> bool:
    """Whether a line is where and when a scene is."""
    bare = _NUMBERED.sub("", line.strip(), count=1)
    found = _SIDE.match(bare)
    return found is not None and bare[: found.end()].isupper()


def _words(list_: Literal["cuts", "around"]) -> frozenset[str]:
    """Words of transitions: a line of nothing else, with one of `cuts` among them, is one."""
    return page_words()[list_]


def headings_in(text: str) -> list[str]:
    """The slug lines of a script, if it is one that has any: as their author wrote them."""
    if len(text) > MOST_LINES * LONGEST // 100 or not _ANY_HEADING.search(text):
        return []
    try:
        elements = read_page(text).elements
    except InputError:
        return []  # said when the script is read
    return [each.text for each in elements if each.kind == "heading"]


def is_title_page(text: str) -> bool:
    """Whether a text begins with a title page."""
    return _TITLE_PAGE.match(text) is not None


def is_transition(line: str) -> bool:
    """Whether a line says how one picture becomes the next, and nothing of what is seen."""
    bare = line.strip()
    plain = bare.rstrip(".:!")
    if not plain.isupper() or len(plain) > _MOST_SIGNS:
        return False
    words = plain.replace("-", " ").split()
    if plain in _WHOLE or _TO.match(bare) or plain.startswith(_OPENS):
        return True
    known = all(word in _words("cuts") or word in _words("around") for word in words)
    return known and not _words("cuts").isdisjoint(words)


# Comments


def _uncommented(text: str) -> str:
    """Without `/* … */` and `[[ … ]]`; what is only opened is kept. One pass over the text."""
    found: list[str] = []
    place = 0
    ends = {"/*": _Ahead(text, "*/"), "[[": _Ahead(text, "]]")}
    begins = {mark: _Ahead(text, mark) for mark in ends}
    blank = _Ahead(text, re.compile(r"\n[ \t]*\n"))
    at = 0
    while True:
        opened = min((begins[mark].after(at), mark) for mark in begins)
        if opened[0] == len(text):
            return "".join([*found, text[place:]])
        at, mark = opened
        closed = ends[mark].after(at + 2)
        # A note does not go on over a blank line.
        if closed == len(text) or (mark == "[[" and blank.after(at) < closed):
            at += 2
            continue
        found.append(text[place:at])
        place = at = closed + 2


class _Ahead:
    """Where something stands next. Asked in order, the text is read through once."""

    def __init__(self, text: str, wanted: str | re.Pattern[str]) -> None:
        self._text = text
        self._wanted = re.compile(re.escape(wanted)) if isinstance(wanted, str) else wanted
        self._found = -1

    def after(self, place: int) -> int:
        if self._found < place:
            found = self._wanted.search(self._text, place)
            self._found = found.start() if found else len(self._text)
        return self._found


# Title page


def _title(lines: list[str]) -> tuple[str, int]:
    """The title, and the line that the script begins with."""
    first = next((n for n, line in enumerate(lines) if line.strip()), len(lines))
    if first == len(lines):
        return "", first
    if not _TITLE_PAGE.match(lines[first]):
        line = lines[first]
        alone = first + 1 == len(lines) or not lines[first + 1].strip()
        indent = len(line) - len(line.lstrip(" \t").expandtabs())
        if alone and indent >= _INDENTED and line.strip().isupper() and not is_transition(line):
            return line.strip(), first + 1
        return "", first
    title: list[str] = []
    named = False
    for number, line in enumerate(lines[first:], first):
        entry = _KEY.match(line)
        if entry and (not line.startswith((" ", "\t")) or number == first):
            named = entry[1].casefold() in {"title", "titel"}
            title += [entry[2].strip()] if named else []
        elif line.startswith(("   ", "\t")) and line.strip():
            title += [line.strip()] if named else []
        else:
            return " ".join(filter(None, title)), number
    return " ".join(filter(None, title)), len(lines)


# Lines


def _elements(lines: list[str]) -> list[Element]:
    found: list[Element] = []
    spoken = False
    """Whether the lines are said, until a blank one."""
    for number, raw in enumerate(lines):
        line = raw.strip()
        before = lines[number - 1].strip() if number else ""
        after = lines[number + 1].strip() if number + 1 < len(lines) else ""
        if not line:
            # Two blanks on an empty line: the speech goes on.
            spoken = spoken and len(raw) > 1
            found.append(Element("break"))
        elif _FURNITURE.match(line):
            continue
        elif spoken and not _forced(line):
            found.append(_in_speech(line))
        else:
            element = _element(line, before, after)
            spoken = element.kind == "cue"
            found.append(element)
    return found


def _forced(line: str) -> bool:
    """Whether a sign at the beginning says what a line is, even within a speech."""
    return line[0] == "@" and len(line) > 1


def _in_speech(line: str) -> Element:
    if line[0] == "(" and line[-1] == ")":
        return Element("manner", line[1:-1].strip())
    return Element("lyric", line[1:].strip()) if line[0] == "~" else Element("said", line)


def _element(line: str, before: str, after: str) -> Element:
    """Of a line that nobody speaks."""
    if _RULE.match(line):
        return Element("break")
    told = _told(line)
    if told is not None:
        return told
    if is_heading(line) or (not (before or after) and _SIDE.match(line) and "." in line[:9]):
        return Element("heading", _bare_heading(line))
    if not before and not after and is_transition(line):
        return Element("transition", line)
    cue = _cue(line) if after and not before else None
    return cue or Element("action", line)


def _told(line: str) -> Element | None:
    """What a sign at its beginning says that it is."""
    sign, rest = line[0], line[1:].strip()
    made: Element | None = None
    match sign:
        case "!":
            made = Element("action", rest)
        case "~":
            made = Element("lyric", rest)
        case "#" | "=":
            made = Element("break")
        case ">" if line.endswith("<"):
            made = Element("centred", line[1:-1].strip())
        case ">":
            made = Element("transition", rest)
        case "." if rest[:1].isalnum():
            made = Element("heading", _bare_heading(rest))
        case "@" if rest:
            made = _named(rest)
    return made


def _bare_heading(line: str) -> str:
    """Without the numbers that stand around it."""
    bare = _SCENE_NUMBER.sub("", line)
    numbered = _NUMBERED.match(bare)
    if not numbered:
        return bare
    return _BEHIND.sub("", bare[numbered.end() :])


def _cue(line: str) -> Element | None:
    """Who speaks, if it is a name in capitals; what is in brackets may be small."""
    made = _named(line)
    name = made.text
    letters = "".join(sign for sign in name if sign.isalpha())
    long = len(name) > _MOST_SIGNS or len(name.split()) > _MOST_WORDS
    if not letters.isupper() or long or not name[0].isalnum():
        return None
    return None if name.endswith(_ENDS) or _SENTENCE.search(f"{name} ") else made


def _named(line: str) -> Element:
    brackets = tuple(each.strip() for each in _BRACKETS.findall(line))
    name = " ".join(_BRACKETS.sub(" ", line).rstrip("^ \t").split())
    return Element("cue", name, brackets)
