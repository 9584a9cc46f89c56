"""Problems: what is wrong with a document, where, and what to write instead.

Used by whoever reads, checks or binds; nothing here knows what a plan is.
"""

from __future__ import annotations

import difflib
import re
from typing import TYPE_CHECKING, Literal, TypeAlias

import msgspec
from msgspec import structs
from typing_extensions import override

from callsheet.errors import PlanError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Place: TypeAlias = tuple[str | int, ...]
"""The way to a value: keys of mappings and positions in lists."""

Severity = Literal["error", "warning"]

MAX_SUGGESTIONS = 50
"""Looking for similar words costs more than everything else; a hopeless document gets this many."""

_MAX_OPTIONS = 2_000
_MAX_SHOWN = 60
_PLAIN_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*\Z")
_WORDS = {None: "null", True: "true", False: "false"}
_SECTIONS = {"steps": 1, "output": 2}


class Problem(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One thing that is wrong; `str()` is a line for a person."""

    place: str
    """As in `steps[3].args.room`; `plan` is the whole document."""
    what: str
    fix: str = ""
    """What to write instead."""
    severity: Severity = "error"
    line: int | None = None
    """In the text it was read from, counted from 1."""

    @override
    def __str__(self) -> str:
        where = self.place if self.line is None else f"{self.place} (line {self.line})"
        mark = "warning: " if self.severity == "warning" else ""
        return f"{where}: {mark}{self.what}" + (f". {self.fix}" if self.fix else "")


class Report:
    """Collects problems, so that one does not hide the others."""

    __slots__ = ("_found", "_suggested")

    def __init__(self) -> None:
        self._found: list[tuple[Place, Problem]] = []
        self._suggested = 0

    def error(self, place: Place, what: str, fix: str = "", *, line: int | None = None) -> None:
        """Note something that makes the document unusable."""
        problem = Problem(place=spell(place), what=what, fix=fix, line=line)
        self._found.append((place, problem))

    def warn(self, place: Place, what: str, fix: str = "") -> None:
        """Note something that a person should think about."""
        problem = Problem(place=spell(place), what=what, fix=fix, severity="warning")
        self._found.append((place, problem))

    def suggest(self, word: str, options: Iterable[str]) -> str:
        """A sentence with the most similar option, or "" when there is none.

        Gives up after a while: a document in which everything is wrong gets its answer quickly.
        """
        if self._suggested >= MAX_SUGGESTIONS:
            return ""
        self._suggested += 1
        return did_you_mean(word, options)

    def take(self, inside: Report, place: Place) -> None:
        """Note the problems of something that stands at a place of this document."""
        for where, problem in inside._found:
            spelled = spell((*place, *where))
            self._found.append(((*place, *where), structs.replace(problem, place=spelled)))

    @property
    def failed(self) -> bool:
        """Whether there is an error."""
        return any(problem.severity == "error" for _, problem in self._found)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Errors in the order of their places, then warnings in theirs."""
        # The sort is stable: within a step, problems stay in the order they were found.
        return tuple(problem for _, problem in sorted(self._found, key=_position))

    def refusal(self) -> PlanError:
        """The error that says all of it."""
        return refusal_of(self.problems)


def _position(found: tuple[Place, Problem]) -> tuple[bool, int, int]:
    place, problem = found
    section = _SECTIONS.get(str(place[0]), 0) if place else 0
    number = place[1] if len(place) > 1 else 0
    return problem.severity == "warning", section, number if isinstance(number, int) else 0


def spell(place: Place) -> str:
    """A place for a person: `steps[3].args.room`."""
    spelled = ""
    for part in place:
        if isinstance(part, int):
            spelled += f"[{part}]"
        elif _PLAIN_KEY.match(part):
            spelled += f".{part}" if spelled else part
        else:
            spelled += f"[{part!r}]"
    return spelled or "plan"


def did_you_mean(word: str, options: Iterable[str]) -> str:
    """A sentence with the most similar option, or "" when nothing is similar."""
    candidates = [option for option in options if abs(len(option) - len(word)) <= len(word)]
    close = difflib.get_close_matches(word[:_MAX_SHOWN], candidates[:_MAX_OPTIONS], n=1)
    return f"Did you mean {close[0]!r}?" if close else ""


def show(value: object) -> str:
    """A value as it may stand in a sentence: short, on one line."""
    if value is None or isinstance(value, bool):
        return _WORDS[value]
    text = repr(value)
    return text if len(text) <= _MAX_SHOWN else f"{text[:_MAX_SHOWN]}…"


def one_of(words: Iterable[str]) -> str:
    """The words as a list in a sentence."""
    return ", ".join(words)


def listed(heading: str, problems: Iterable[Problem]) -> str:
    """A message with one problem per line."""
    return "\n".join((heading, *(f"- {problem}" for problem in problems)))


def refusal_of(problems: Sequence[Problem]) -> PlanError:
    """The error that says why a plan is refused: every problem, one per line."""
    return PlanError(listed("The plan does not check:", problems), problems)
