"""What the checker says of a text, and what it makes of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet.core.check.check import check_document
from callsheet.core.check.fix import fix_document

if TYPE_CHECKING:
    from collections.abc import Sequence

    from callsheet.core.plan.plan import Plan
    from callsheet.core.plan.toolspec import ToolSpec
    from callsheet.core.problem import Problem
    from callsheet.core.value import Json


class _Tools:
    def __init__(self, known: dict[str, ToolSpec]) -> None:
        self._known = known

    def spec(self, name: str) -> ToolSpec | None:
        return self._known.get(name)

    def names(self) -> Sequence[str]:
        return sorted(self._known)


def check(source: Json, known: dict[str, ToolSpec]) -> tuple[tuple[Problem, ...], Plan | None]:
    """One pass: every problem, and the plan if there is no error."""
    assert isinstance(source, (str, dict))
    found = check_document(source, _Tools(known))
    return found.problems, None if found.errors else found.plan


def mend(text: str, known: dict[str, ToolSpec]) -> tuple[Json, tuple[Problem, ...]]:
    """The document after `check --fix`, and the problems that are left."""
    fixed = fix_document(text, _Tools(known))
    return fixed.document, fixed.left
