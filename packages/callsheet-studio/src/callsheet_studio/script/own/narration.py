"""Plain narration: one paragraph per idea, all of it spoken. And where sentences end."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from callsheet_studio.script.own.draft import (
    Draft,
    Passage,
    Say,
    Setting,
    even,
    labelled,
    spoken_by,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

_PARAGRAPHS = re.compile(r"\n[^\S\n]*\n\s*")
_TITLE = re.compile(r"\A\s*#{1,2} +([^\n]+)\n")
_ENDS = re.compile(
    r"(?<=[.!?\u2026])[\"')\]\u201c\u201d\u2019\u00bb]*\s+|(?<=[\u3002\uff01\uff1f])(?=\S)"
)
_CLAUSES = re.compile(
    r"(?<=[,;:\u2014\u2013])\s+|\s+(?=[\u2014\u2013-]\s)|(?<=[\uff0c\u3001\uff1b])(?=\S)"
)
_WITHOUT_BLANKS = "\u3002\uff01\uff1f\uff0c\u3001\uff1b"
_NO_END = re.compile(
    r"(?:\b(?:[^\W\d_]|mr|mrs|ms|dr|prof|st|nr|no|vs|ca|bzw|usw|etc|inkl|evtl|ggf|vgl|approx)"
    r"|\b\d{1,2})\.\Z",
    re.IGNORECASE,
)


def read_narration(text: str) -> Draft:
    """A heading at the beginning is the title; a line `MARA: …` is said by Mara."""
    title = ""
    if found := _TITLE.match(text):
        title, text = even(found[1]), text[found.end() :]
    paragraphs = [part for part in _PARAGRAPHS.split(text) if part.strip()]
    passages = tuple(Passage(says=_says(paragraph)) for paragraph in paragraphs)
    return Draft(title, (Setting("", passages),) if passages else ())


def _says(paragraph: str) -> tuple[Say, ...]:
    says: list[Say] = []
    for line in paragraph.splitlines():
        label, manner, rest = labelled(line)
        if label and label.isupper() and rest:
            says.append(spoken_by(label, manner, rest))
        elif even(line):
            last = says.pop() if says else Say("")
            says.append(Say(even(f"{last.text} {line}"), last.speaker, last.manner))
    return tuple(says)


def sentences(text: str) -> list[str]:
    """A text in sentences. Joined by blanks they are the text again."""
    found: list[str] = []
    for part in _parts(_ENDS, text):
        if found and _NO_END.search(found[-1]):
            found[-1] = joined((found[-1], part))
        else:
            found.append(part)
    return found


def clauses(sentence: str) -> list[str]:
    """A sentence where a speaker may breathe."""
    return _parts(_CLAUSES, sentence)


def joined(parts: Iterable[str]) -> str:
    """Parts as one text again: with blanks, but where the writing has none."""
    made = ""
    for part in parts:
        gap = "" if not made or made[-1] in _WITHOUT_BLANKS else " "
        made += gap + part
    return made


def _parts(pattern: re.Pattern[str], text: str) -> list[str]:
    """What lies between, with the signs that a part ends on."""
    found, last = [], 0
    for match in pattern.finditer(text):
        found.append(text[last : match.end()].strip())
        last = match.end()
    return [part for part in (*found, text[last:].strip()) if part]
