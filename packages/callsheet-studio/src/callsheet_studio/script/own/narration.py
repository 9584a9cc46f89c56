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
_ABBREVIATION = 12
"""Signs at the end of a part that say whether it ends a sentence."""
_NO_END = re.compile(
    r"(?:\b(?:[^\W\d_]|mr|mrs|ms|dr|prof|st|nr|no|vs|ca|bzw|usw|etc|inkl|evtl|ggf|vgl|approx)"
    r"|\b\d{1,2})\.\Z",
    re.IGNORECASE,
)


def read_narration(text: str, _language: str = "en") -> Draft:
    """A heading at the beginning is the title; a line `MARA: …` is said by Mara."""
    title = ""
    if found := _TITLE.match(text):
        title, text = even(found[1]), text[found.end() :]
    paragraphs = [part for part in _PARAGRAPHS.split(text) if part.strip()]
    passages = tuple(Passage(says=_says(paragraph)) for paragraph in paragraphs)
    return Draft(title, (Setting("", passages),) if passages else ())


def _says(paragraph: str) -> tuple[Say, ...]:
    says: list[tuple[Say, list[str]]] = []
    for line in paragraph.splitlines():
        label, manner, rest = labelled(line)
        if label and label.isupper() and rest:
            said = spoken_by(label, manner, rest)
            says.append((said, [said.text]))
        elif even(line):
            if not says:
                says.append((Say(""), []))
            says[-1][1].append(even(line))
    return tuple(Say(" ".join(lines), say.speaker, say.manner) for say, lines in says)


def sentences(text: str) -> list[str]:
    """A text in sentences. Joined by blanks they are the text again."""
    found: list[list[str]] = []
    for part in _parts(_ENDS, text):
        if found and _NO_END.search(found[-1][-1][-_ABBREVIATION:]):
            found[-1].append(part)
        else:
            found.append([part])
    return [joined(parts) for parts in found]


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
