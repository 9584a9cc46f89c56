"""What a screenplay tells about its film: how long it is, and what it ends on."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

import msgspec

from callsheet_studio.base.speech import MEDIUM, SLACK, spoken_words
from callsheet_studio.script.own.fountain import is_fountain, read_fountain
from callsheet_studio.script.own.narration import sentences

if TYPE_CHECKING:
    from callsheet_studio.script.own.draft import Passage

_LENGTH = re.compile(
    r"(?i)(?<![\w.,:])(\d{1,3})[ -]?(seconds?|secs?|s|sekunden?|sek|minutes?|mins?|minuten?)\b"
)
_SEEN, _LONGEST_LOOK, _READ, _BREATH = 2.0, 8.0, 3.0, 0.6
"""Seconds: of a sentence of action, of an action, of a text, and between two passages."""
_LEAST = 15


class Told(msgspec.Struct, frozen=True):
    """What is known of a film from its screenplay."""

    seconds: int
    is_said: bool
    """Whether the title page says how long it is."""
    call: str = ""
    """What it ends on, if that is read, or said over the picture."""


def told_in(text: str, language: str) -> Told | None:
    """What a screenplay tells; None, if a text is none."""
    if not is_fountain(text):
        return None
    draft = read_fountain(text, language)
    passages = draft.passages
    if not passages:
        return None
    head = text.lstrip().partition("\n\n")[0]
    found = _LENGTH.search(head) if re.match(r"(?i)\s*\w+[ \t]*:", head) else None
    last = passages[-1]
    call = " ".join(last.text.split())
    if not call and last.says and not _is_seen(last.says[-1].speaker):
        call = sentences(last.says[-1].text)[-1]
    if found:
        seconds = int(found[1]) * (60 if found[2].lower().startswith("m") else 1)
        return Told(seconds, is_said=True, call=call)
    needed = sum(_seconds(each, language) for each in passages)
    return Told(max(math.ceil(needed), _LEAST), is_said=False, call=call)


def _is_seen(speaker: str) -> bool:
    return bool(speaker) and not re.search(r"(?i)\(\s*v\.?\s?o\.?", speaker)


def _seconds(passage: Passage, language: str) -> float:
    """How long somebody would look and listen who is in no hurry."""
    words = sum(spoken_words(say.text, language) for say in passage.says)
    said = words * 60 * float(SLACK) / MEDIUM
    seen = min(_SEEN * len(sentences(passage.action)), _LONGEST_LOOK) if passage.action else 0.0
    return max(said, seen, _READ if passage.text else 0.0) + _BREATH


__all__ = ["Told", "told_in"]
