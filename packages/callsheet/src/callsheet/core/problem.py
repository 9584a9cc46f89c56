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

from callsheet.core.value import Json
from callsheet.errors import InputError, PlanError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


Place: TypeAlias = tuple[str | int, ...]
"""The way to a value: keys of mappings and positions in lists."""

Severity = Literal["error", "warning"]

MAX_PROBLEMS = 100
"""More than that nobody reads at once."""

MAX_SUGGESTIONS = 50
"""Looking for similar words costs more than everything else; a hopeless document gets this many."""

MAX_COMPARED = 30_000
"""Names that one document is compared with, letter by letter, to tell what was meant by others.

A plan that gets hundreds of names wrong is helped with all of them; one in which every line is
wrong gets its answer all the same, and soon."""

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
    column: int | None = None
    """In that line, counted from 1."""
    patch: dict[str, Json] | None = None
    """The fix as an operation of RFC 6902, where it is certain. Those of all problems of a document
    are one patch: applied to it in their order, they mend it."""

    def to_json(self) -> dict[str, Json]:
        """As plain data: `severity`, `place`, `what`, and what else is known."""
        told: dict[str, Json] = {"severity": self.severity, "place": self.place, "what": self.what}
        told |= {"fix": self.fix} if self.fix else {}
        told |= {"line": self.line} if self.line is not None else {}
        told |= {"column": self.column} if self.column is not None else {}
        return told | ({"patch": self.patch} if self.patch is not None else {})

    @override
    def __str__(self) -> str:
        where = self.place if self.line is None else f"{self.place} (line {self.line})"
        mark = "warning: " if self.severity == "warning" else ""
        return f"{where}: {mark}{self.what}" + (f". {self.fix}" if self.fix else "")


class Problems:
    """Collects problems, so that one does not hide the others."""

    __slots__ = ("problems",)

    def __init__(self) -> None:
        self.problems: list[Problem] = []
        """As they were found."""

    def add(self, place: str, what: str, fix: str = "", *, line: int | None = None) -> None:
        """Note something that makes what is read unusable."""
        self.problems.append(Problem(place=place, what=what, fix=fix, line=line))

    def take(self, error: InputError, place: str, *, within: str = "") -> None:
        """Note all that an error says; `within` says in which file."""
        found = [
            structs.replace(each, place=within + each.place)
            for each in error.problems
            if isinstance(each, Problem)
        ]
        self.problems += found or [Problem(place=place, what=error.message.rstrip("."))]

    @property
    def errors(self) -> list[Problem]:
        """Those that are no warnings."""
        return [problem for problem in self.problems if problem.severity == "error"]

    @property
    def failed(self) -> bool:
        """Whether there is an error."""
        return any(problem.severity == "error" for problem in self.problems)


class Report(Problems):
    """Problems of a document: each at the way to its value, told in the order of the document."""

    __slots__ = ("_compared", "_doubted", "_moved", "_suggested", "_told", "_ways")

    def __init__(self) -> None:
        super().__init__()
        self._ways: list[Place] = []
        """To each problem, in the document as it was mended so far."""
        self._moved: dict[Place, Place] = {}
        """Where something stood before it was mended."""
        self._doubted: set[Place] = set()
        """What is only guessed: no patch can build on it."""
        self._told: set[str] = set()
        self._suggested = 0
        self._compared = [0]
        """How many, for this document and all that stand inside it."""

    def error(
        self,
        way: Place,
        what: str,
        fix: str = "",
        *,
        line: int | None = None,
        patch: dict[str, Json] | None = None,
    ) -> None:
        """Note something that makes the document unusable."""
        place, patch = spell(self.original(way)), None if self._is_doubted(way) else patch
        self._note(way, Problem(place=place, what=what, fix=fix, line=line, patch=patch))

    def warn(
        self, way: Place, what: str, fix: str = "", *, patch: dict[str, Json] | None = None
    ) -> None:
        """Note something that a person should think about."""
        place, patch = spell(self.original(way)), None if self._is_doubted(way) else patch
        self._note(way, Problem(place=place, what=what, fix=fix, severity="warning", patch=patch))

    def moved(self, now: Place, before: Place) -> None:
        """Remember that what is read at one place was written at another."""
        self._moved[now] = self.original(before)

    def doubt(self, way: Place) -> None:
        """Remember that what is read at a place is only guessed."""
        self._doubted.add(way)

    def doubts(self, way: Place) -> bool:
        """Whether what is read at a place is only guessed."""
        return self._is_doubted(way)

    def _is_doubted(self, way: Place) -> bool:
        return bool(self._doubted) and any(
            way[:length] in self._doubted for length in range(len(way) + 1)
        )

    def original(self, way: Place) -> Place:
        """The way to a value in the document as it was written."""
        if not self._moved:
            return way
        for length in range(len(way), -1, -1):
            before = self._moved.get(way[:length])
            if before is not None:
                return (*before, *way[length:])
        return way

    def once(self, text: str) -> str:
        """A text that need not be told twice: as it is the first time, then ""."""
        if text in self._told:
            return ""
        self._told.add(text)
        return text

    def take_in(self, inside: Report, way: Place) -> None:
        """Note the problems of a document that stands at a place of this one."""
        for own, problem in zip(inside._ways, inside.problems, strict=True):
            whole = (*way, *own)
            place = spell(self.original((*way, *inside.original(own))))
            # Its patch speaks of the document inside.
            self._note(whole, structs.replace(problem, place=place, patch=None))

    def forget(self, kept: int) -> None:
        """Leave out all but the first so many: what they are about is read once more."""
        del self._ways[kept:], self.problems[kept:]

    def _note(self, way: Place, problem: Problem) -> None:
        self._ways.append(way)
        self.problems.append(problem)

    def suggest(self, word: str, options: Iterable[str]) -> str:
        """A sentence with the most similar option, or "" when there is none.

        Gives up after a while: a document in which everything is wrong gets its answer quickly.
        """
        if self._suggested >= MAX_SUGGESTIONS:
            return ""
        self._suggested += 1
        return did_you_mean(word, options)

    def may_guess(self, options: int) -> bool:
        """Whether a name may be compared with so many others: not without end in one document."""
        self._compared[0] += min(options, _MAX_OPTIONS)
        return self._compared[0] <= MAX_COMPARED

    def within(self) -> Report:
        """A report of a document that stands inside this one; `take_in` tells it."""
        made = Report()
        made._compared = self._compared
        return made

    @property
    def ordered(self) -> tuple[Problem, ...]:
        """Errors in the order of their places, then warnings in theirs."""
        # The sort is stable: within a step, problems stay in the order they were found.
        found = zip(self._ways, self.problems, strict=True)
        return tuple(problem for _, problem in sorted(found, key=_position))

    def refusal(self) -> PlanError:
        """The error that says all of it."""
        return refusal_of(self.ordered)


def _position(found: tuple[Place, Problem]) -> tuple[bool, int, int]:
    way, problem = found
    section = _SECTIONS.get(str(way[0]), 0) if way else 0
    number = way[1] if len(way) > 1 else 0
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


def first_of(problems: Sequence[Problem]) -> tuple[Problem, ...]:
    """The first hundred of them, errors before warnings as they come, and how many there are."""
    if len(problems) <= MAX_PROBLEMS:
        return tuple(problems)
    left = len(problems) - MAX_PROBLEMS + 1
    what = f"there are {left:,} more problems"
    last = Problem(place="plan", what=what, fix="Mend these first.", severity=problems[-1].severity)
    return (*problems[: MAX_PROBLEMS - 1], last)


def refusal_of(problems: Sequence[Problem]) -> PlanError:
    """The error that says why a plan is refused: every problem, one per line."""
    problems = first_of(problems)
    return PlanError(listed("The plan does not check:", problems), problems)
