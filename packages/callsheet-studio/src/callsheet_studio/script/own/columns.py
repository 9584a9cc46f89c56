"""Two columns: what is seen on the left, what is heard on the right, as a table or with tabs."""

from __future__ import annotations

import re

from msgspec.structs import replace

from callsheet_studio.script.own.draft import (
    Draft,
    Passage,
    Say,
    Setting,
    bare,
    even,
    is_effect,
    is_music,
    is_narrator,
    is_text,
    labelled,
    spoken_by,
    unquoted,
)
from callsheet_studio.script.own.introduced import Person, people_in

_ROLES = {
    "visual": ("video", "visual", "visuals", "picture", "image", "bild", "visuell", "action"),
    "audio": (
        "audio",
        "sound",
        "ton",
        "narration",
        "voiceover",
        "voice over",
        "vo",
        "sprecher",
        "dialogue",
        "dialog",
        "text/ton",
        "sprechertext",
        "script",
    ),
    "text": ("text", "on-screen text", "on screen text", "titles", "super", "einblendung"),
    "aside": (
        "#",
        "no",
        "nr",
        "no.",
        "nr.",
        "scene",
        "szene",
        "shot",
        "time",
        "zeit",
        "tc",
        "dauer",
        "duration",
        "length",
        "länge",
        "notes",
        "notizen",
    ),
}
_PIPE = re.compile(r"(?<!\\)\|")
_RULE = re.compile(r"[\s|:+-]*-[\s|:+-]*\Z")
_HEADING = re.compile(r"\s*(?:#{1,6}\s+(.+)|((?:scene|szene)\b.*))\Z", re.IGNORECASE)
_BREAKS = re.compile(r"<br\s*/?>", re.IGNORECASE)
_FEWEST_ROWS = 2
_MOST = 0.6
"""The share of lines with a separator that makes a table."""


def is_columns(text: str) -> bool:
    """Whether a text looks like two columns."""
    return _separator(text) is not None


def _separator(text: str) -> re.Pattern[str] | None:
    lines = [line for line in text.splitlines() if line.strip() and not _HEADING.match(line)]
    for separator in (_PIPE, re.compile(r"\t+")):
        rows = [line for line in lines if sum(map(bool, _cells(line, separator))) > 1]
        headed = any(_roles(_cells(line, separator)) for line in rows)
        fewest = 1 if headed else _FEWEST_ROWS
        if len(rows) >= fewest and (headed or len(rows) >= _MOST * len(lines)):
            return separator
    return None


def _cells(line: str, separator: re.Pattern[str]) -> list[str]:
    bare = line.strip(" ").removeprefix("|") if separator is _PIPE else line
    cells = [cell.replace("\\|", "|").strip() for cell in separator.split(bare)]
    if separator is _PIPE and len(cells) > 1 and not cells[-1]:
        cells.pop()
    return cells


def _roles(cells: list[str]) -> list[str] | None:
    """What the columns are, if this is their head: one is seen and one is heard."""
    found = [
        next((role for role, names in _ROLES.items() if _name(cell) in names), "") for cell in cells
    ]
    return found if {"visual", "audio"} <= set(found) else None


def _name(cell: str) -> str:
    return cell.strip(" *_:").casefold()


def read_columns(text: str, language: str = "en") -> Draft:
    """Every row is a passage. A line outside the table is a heading, or seen."""
    separator = _separator(text) or _PIPE
    roles = ["visual", "audio"]
    title, heading = "", ""
    settings: list[tuple[str, list[Passage]]] = []
    for line in text.splitlines():
        cells = _cells(line, separator)
        named = _roles(cells)
        found = _HEADING.match(line)
        if named:
            roles = named
        elif found and not (title or settings) and line.lstrip().startswith("#"):
            title = even(found[1])
        elif found and len(cells) == 1:
            heading = even(found[1] or found[2])
            settings.append((heading, []))
        elif line.strip() and not _RULE.match(line):
            passage = _row(cells, roles) if len(cells) > 1 else Passage(action=even(line))
            settings = settings or [("", [])]
            settings[-1][1].append(passage)
    kept = [
        Setting(head, tuple(passage for passage in passages if not passage.empty))
        for head, passages in settings
    ]
    told = tuple(setting for setting in kept if setting.passages)
    rows = [passage for setting in told for passage in setting.passages]
    cues = [Person(bare(say.speaker)) for row in rows for say in row.says if say.speaker]
    return Draft(title, told, people_in([row.action for row in rows], cues, language))


def _row(cells: list[str], roles: list[str]) -> Passage:
    passage = Passage(parallel=True)
    for place, cell in enumerate(cells):
        role = roles[place] if place < len(roles) else ("text" if place > 1 else "")
        for line in _BREAKS.split(cell):
            passage = _with(passage, role, line) if even(line) else passage
    return passage


def _with(passage: Passage, role: str, line: str) -> Passage:
    label, manner, rest = labelled(line)
    if role == "audio":
        return _heard(passage, (label, manner, rest), even(line))
    if role == "aside":
        return replace(passage, notes=(*passage.notes, even(line)))
    if role == "text" or (rest and is_text(label)):
        words = unquoted(rest if is_text(label) and rest else even(line))
        return replace(passage, text="\n".join(filter(None, (passage.text, words))))
    return replace(passage, action=even(f"{passage.action} {line}"))


def _heard(passage: Passage, parts: tuple[str, str, str], line: str) -> Passage:
    label, manner, rest = parts
    if rest and is_effect(label):
        return replace(passage, effects=(*passage.effects, rest))
    if rest and is_music(label):
        return replace(passage, music=rest)
    if rest and (is_narrator(label) or label.isupper()):
        say = spoken_by(label, manner, unquoted(rest))
    else:
        say = Say(unquoted(line))
    return replace(passage, says=(*passage.says, say))
