"""Comparisons that can never hold: a value of one kind with a literal of another."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from callsheet.core import patch
from callsheet.core.check.meaning import kinds_in_words
from callsheet.core.check.produced import produced
from callsheet.core.plan.mend.desk import write
from callsheet.core.plan.mend.expression import spell_path
from callsheet.core.plan.mend.values import flag, number
from callsheet.core.schema.shape import in_words, kind_of, kinds_of
from callsheet.core.yaml.flow import field, flow

if TYPE_CHECKING:
    from callsheet.core.check.survey import Part, Subject, Survey
    from callsheet.core.problem import Report
    from callsheet.core.refs.filling import Reference
    from callsheet.core.value import Json


def check_comparisons(
    survey: Survey, subject: Subject | None, part: Part, reference: Reference, report: Report
) -> None:
    """Report texts that are compared with numbers, and truths that are compared with texts."""
    text = reference.text
    told, meant = "", text
    for path, literal in reference.parsed.compared:
        found = produced(survey, subject, path)
        kinds = kinds_of(found) if isinstance(found, dict) else frozenset()
        if _fits(kinds, kind_of(literal)):
            continue
        spelled = spell_path(path)
        told = told or (
            f"${{{text}}}: {spelled} is {kinds_in_words(kinds)}, "
            f"and is compared with {in_words(kind_of(literal))}"
        )
        meant = _instead(meant, spelled, literal, kinds)
    if not told:
        return
    place, whole = (*part.place, *reference.place), f"${{{meant}}}"
    if meant == text or not reference.whole:
        report.error(place, told, "Compare it with a value of its type.")
        return
    fix = write(field("when", whole) if place[-1:] == ("when",) else flow(whole))
    report.error(place, told, fix, patch=patch.replace(place, whole))


def _fits(kinds: frozenset[str], own: str) -> bool:
    """Whether something of these kinds, if any are known, may be what a literal is."""
    if not kinds or own in kinds or own == "null" or "null" in kinds:
        return True
    return own == "integer" and "number" in kinds


def _instead(text: str, path: str, literal: Json, kinds: frozenset[str]) -> str:
    """The comparison with what the text surely stands for; as it is, where that is not known."""
    meant: Json = None
    if isinstance(literal, str) and kinds == {"boolean"}:
        meant = flag(literal)
    elif isinstance(literal, str) and kinds <= {"integer", "number"}:
        meant = number(literal)
    if meant is None:
        return text
    pattern = re.compile(rf"({re.escape(path)}\s*(?:[=!<>]=|[<>])\s*)'{re.escape(str(literal))}'")
    return pattern.sub(lambda found: f"{found[1]}`{json.dumps(meant)}`", text)
