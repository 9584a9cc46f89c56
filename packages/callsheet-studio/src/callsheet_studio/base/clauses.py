"""A text in clauses: cut where a speaker would breathe.

Shots, captions and voices cut it the same way; whoever only speaks imports nothing of the shots.
"""

from __future__ import annotations

import re

_TELEPHONE = re.compile(
    r"(?i)[\s:,]*(?:\b(?:on|at|under|unter|auf|tel\.?|telefon)\b)?[\s:]*"
    r"\+?(?:\d[ /()-]{0,2}){6,}\d\s*[.!]?\Z"
)
_BETWEEN = re.compile(r"(?<=[.!?\u2026])(?<!\b[A-Z]\.)(?<!\b[DM]r\.)\s+")
_STOPS = (".", "!", "?", "\u2026", ";", ":", ",", "\u2014", "\u2013")
_ENDS = _STOPS[:4]
_QUOTES = "\"'\u201d\u2019\u00bb)]"
_DASHES = ("\u2014", "\u2013", "-")
_TURNS = frozenset(
    (
        "and",
        "but",
        "so",
        "because",
        "while",
        "when",
        "until",
        "that",
        "which",
        "who",
        "und",
        "aber",
        "oder",
        "weil",
        "während",
        "wenn",
        "bis",
        "dass",
        "damit",
        "sondern",
    )
)
"""Words before which a long clause can be cut."""
_FEW, _MANY = 3, 12
"""Words: a piece of fewer stays with its neighbour, one of more is cut again."""


def aloud(text: str) -> str:
    """A text without the telephone number that it ends with: that is read, and never said."""
    return _TELEPHONE.sub("", text) or text


def sentences(text: str) -> list[str]:
    """A text where its sentences end: half a sentence hangs in the air."""
    return _BETWEEN.split(text)


def clauses(text: str) -> tuple[str, ...]:
    """A text in clauses. Joined by blanks they are the text again."""
    parts: list[list[str]] = []
    for word in text.split():
        if not parts or (_stops(parts[-1]) and word not in _DASHES):
            parts.append([])
        parts[-1].append(word)
    return tuple(piece for part in _no_crumbs(parts) for piece in _shorter(part))


def _stops(part: list[str]) -> bool:
    return part[-1].rstrip(_QUOTES).endswith(_STOPS)


def _no_crumbs(parts: list[list[str]]) -> list[list[str]]:
    """Pieces of a word or two stay with their neighbour, unless a sentence ends between them."""
    kept: list[list[str]] = []
    for part in parts:
        crumb = kept and min(len(part), len(kept[-1])) < _FEW
        if crumb and not kept[-1][-1].rstrip(_QUOTES).endswith(_ENDS):
            kept[-1] = kept[-1] + part
        else:
            kept.append(part)
    return kept


def _shorter(words: list[str]) -> tuple[str, ...]:
    turns = [at for at, word in enumerate(words) if word.lower() in _TURNS]
    fair = [at for at in turns if _FEW <= at <= len(words) - _FEW]
    if len(words) <= _MANY or not fair:
        return (" ".join(words),)
    at = min(fair, key=lambda turn: (abs(2 * turn - len(words)), turn))
    return (*_shorter(words[:at]), *_shorter(words[at:]))
