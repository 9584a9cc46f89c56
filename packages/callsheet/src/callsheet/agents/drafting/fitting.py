"""Plans chosen by words: for whoever has a goal, and no model to write a plan for it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from callsheet.core.plan.plan import Plan

if TYPE_CHECKING:
    from collections.abc import Iterable

    from callsheet.core.value import Json

_WORD = re.compile(r"[^\W\d_]{2,}")
_SAY_NOTHING = frozenset(
    (
        *("the", "and", "for", "with", "from", "into", "about", "please", "need", "want", "would"),
        *("like", "this", "that", "these", "those", "have", "has", "our", "your", "their", "its"),
        *("all", "any", "some", "can", "could", "should", "will", "make", "let", "get", "plan"),
        *(
            "to",
            "of",
            "in",
            "on",
            "at",
            "me",
            "my",
            "we",
            "us",
            "is",
            "are",
            "be",
            "an",
            "it",
            "do",
        ),
        *("der", "die", "das", "den", "dem", "des", "und", "für", "mit", "von", "aus", "über"),
        *("bitte", "brauche", "möchte", "würde", "gerne", "ein", "eine", "einen", "einem", "einer"),
        *("mein", "meine", "unser", "unsere", "alle", "mach", "mache", "machen", "soll", "sollte"),
        *("zu", "im", "am", "auf", "ist", "sind", "es", "ich", "wir", "uns", "mir", "run", "start"),
    )
)
"""Words that every goal may have."""
_STEM = 5
"""Letters that two forms of a word have in common, if they are long."""
_ENOUGH = 2
"""Words that a goal and a plan must share."""


class Fitting(msgspec.Struct, frozen=True, kw_only=True):
    """A plan, and what of a goal is found in it."""

    plan: Plan
    words: tuple[str, ...]
    """The words of the goal that fit."""
    clear: bool
    """Whether it, and no other, is meant."""

    def to_json(self) -> dict[str, Json]:
        """As plain data: the plan's name and description, the words, and whether it is clear."""
        return {
            "name": self.plan.name,
            "description": self.plan.description,
            "words": list(self.words),
            "clear": self.clear,
        }


def fitting(goal: str, plans: Iterable[Plan]) -> list[Fitting]:
    """All plans, those that fit best first; at most the first is clear."""
    wanted = dict.fromkeys(_words(goal))
    scored = [(_shared(wanted, plan), plan) for plan in plans]
    scored.sort(key=lambda each: (-len(each[0]), each[1].name))
    best, next_best = (len(scored[at][0]) if len(scored) > at else 0 for at in (0, 1))
    return [
        Fitting(
            plan=plan,
            words=words,
            clear=at == 0 and best > next_best and (best >= _ENOUGH or _names(wanted, plan)),
        )
        for at, (words, plan) in enumerate(scored)
    ]


def _words(text: str) -> list[str]:
    return [word for word in _WORD.findall(text.casefold()) if word not in _SAY_NOTHING]


def _stem(word: str) -> str:
    return word[:_STEM]


def _shared(wanted: Iterable[str], plan: Plan) -> tuple[str, ...]:
    told = [plan.name, plan.description, *plan.inputs]
    told += [word for step in plan.steps for word in (step.id, step.tool or "", step.ask or "")]
    known = {_stem(word) for text in told for word in _words(text.replace("_", " "))}
    return tuple(word for word in wanted if _stem(word) in known)


def _names(wanted: Iterable[str], plan: Plan) -> bool:
    """Whether a goal says the whole name."""
    stems = {_stem(word) for word in wanted}
    own = {_stem(word) for word in _words(plan.name.replace("_", " "))}
    return bool(own) and own <= stems
