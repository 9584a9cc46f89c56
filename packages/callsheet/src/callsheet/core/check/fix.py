"""Fixing: the patches of problems applied, and what is left after them."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING

import msgspec

from callsheet.core.check.check import check_document
from callsheet.core.patch import patched
from callsheet.core.plan.document import plain, read_text
from callsheet.core.problem import Problem, Report
from callsheet.core.value import Json
from callsheet.errors import PlanError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from callsheet.core.plan.plan import Plan
    from callsheet.core.plan.toolspec import Tools

_ROUNDS = 8


class Fixed(msgspec.Struct, frozen=True, kw_only=True):
    """A document after all that is certain was mended."""

    document: Json
    done: tuple[Problem, ...]
    """What was mended, as it was told."""
    left: tuple[Problem, ...]
    """What was not, errors first; places are those of the mended document."""


def fix_document(
    source: str | bytes | Mapping[str, object],
    tools: Tools,
    children: Mapping[str, Plan] | None = None,
    *,
    name: str | None = None,
) -> Fixed:
    """Mend what is certain, again and again until nothing certain is left."""
    report = Report()
    document: Json = None
    try:
        found: object = source
        if isinstance(source, (str, bytes)):
            _, found = read_text(source, report)
        document = plain(found, report)
    except PlanError:
        return Fixed(document=None, done=(), left=report.ordered)
    # Fences, dates without quotes: once it is a document, they are gone.
    done = list(report.ordered)
    left: tuple[Problem, ...] = ()
    for _ in range(_ROUNDS):
        if not isinstance(document, (dict, list)):
            break
        left = check_document(document, tools, children, name=name).problems  # type: ignore[arg-type]
        certain = [problem for problem in left if problem.patch is not None]
        before = copy.deepcopy(document)
        document = _applied(document, certain, done)
        if document == before:
            break
    return Fixed(document=document, done=tuple(done), left=left)


def _applied(document: Json, certain: list[Problem], done: list[Problem]) -> Json:
    for problem in certain:
        assert problem.patch is not None
        try:
            document = patched(document, copy.deepcopy(problem.patch))
        except (LookupError, ValueError):
            # It depends on something that was not mended: the next round tells.
            continue
        done.append(problem)
    return document
