"""What is wrong with a brief, all of it at once: the place, what, and what to write instead."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from typing_extensions import override

from callsheet.errors import InputError
from callsheet.types import Problem
from callsheet.types import Problems as Collected

if TYPE_CHECKING:
    from collections.abc import Iterable

_SHOWN = 60
_CLOSE = 0.65
"""How similar a word is that may have been meant: not `shots` for `notes`."""
_MOST = 50
"""Problems that are told; who has more begins with these."""
_KEPT = 500
"""Problems that are kept to be told in their order."""


class BriefError(InputError):
    """The brief does not check."""

    code = "brief"

    problems: tuple[Problem, ...]


class Problems(Collected):
    """What is wrong with a brief, each with the line that it stands in."""

    __slots__ = ("_count", "_lines", "where")

    def __init__(self, where: str) -> None:
        super().__init__()
        self.where = where
        """The brief's name, for people; or, as in `the command line`, what else it is."""
        self._count = 0
        self._lines: dict[str, int] = {}

    def know_lines(self, lines: dict[str, int]) -> None:
        """Take over in which line of the text each place stands."""
        self._lines = lines

    @override
    def add(self, place: str, what: str, fix: str = "", *, line: int | None = None) -> None:
        """Note that something is wrong at a place, as `content.duration`."""
        self._count += 1
        if self._count <= _KEPT:
            super().add(place, what, fix, line=line or self._line_of(place))

    def _line_of(self, place: str) -> int | None:
        while place not in self._lines and ("." in place or "[" in place):
            place = place[: max(place.rfind("."), place.rfind("["))]
        return self._lines.get(place)

    def __len__(self) -> int:
        return self._count

    def has(self, place: str) -> bool:
        """Whether something is wrong at or inside a place."""
        inside = (f"{place}.", f"{place}[")
        return any(each.place == place or each.place.startswith(inside) for each in self.problems)

    def check(self) -> None:
        """Go on only if nothing is wrong.

        Raises:
            BriefError: something is; says all of it.
        """
        if self.problems:
            raise self.refusal()

    def refusal(self) -> BriefError:
        """The error that says all of it."""
        # As they stand in the text; those that stand nowhere come first.
        told = sorted(self.problems, key=lambda each: each.line or 0)[:_MOST]
        if self._count > _MOST:
            rest = self._count - _MOST
            told.append(Problem(place="brief", what=f"and {rest} more problems"))
        listed = "\n".join(f"- {each}" for each in told)
        is_named = not self.where.startswith("the ")
        subject = f"The brief {self.where}" if is_named else f"The{self.where[3:]}"
        return BriefError(f"{subject} does not check:\n{listed}", told)


def did_you_mean(word: str, options: Iterable[str]) -> str:
    """A sentence with the most similar option, or ""."""
    close = difflib.get_close_matches(word[:_SHOWN].lower(), list(options), 1, _CLOSE)
    return f"Did you mean {close[0]!r}?" if close else ""


def show(value: object) -> str:
    """A value as it may stand in a sentence: short, and on one line."""
    if value is None or isinstance(value, bool):
        return {None: "nothing", True: "true", False: "false"}[value]
    if isinstance(value, (dict, list)):
        return f"a {'mapping' if isinstance(value, dict) else 'list'} of {len(value)}"
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
