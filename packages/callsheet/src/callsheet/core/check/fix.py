"""Fixing: the patches of problems applied, and what is left after them."""

from __future__ import annotations

import copy
import json
from typing import TYPE_CHECKING

import msgspec

from callsheet.core.check.check import check_document
from callsheet.core.patch import patched
from callsheet.core.plan.document import plain, read_text
from callsheet.core.problem import Problem, Report, first_of
from callsheet.core.value import Json
from callsheet.core.yaml.scalar import DISPUTED
from callsheet.errors import PlanError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from callsheet.core.plan.mend.conversions import Names
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
    is_json: bool = False
    """Whether it was written in JSON."""
    written: str = ""
    """What it was read from; "": nothing was."""

    @property
    def ok(self) -> bool:
        """Whether it can be started."""
        return self.document is not None and all(each.severity != "error" for each in self.left)

    def text(self) -> str:
        """The document as text, in the form it had.

        In YAML, comments and layout stay where the document still has the shape that it had; where
        a plan was taken out of another shape (jobs, a list, a fence), it is written anew.
        """
        document = self.document
        if isinstance(document, dict) and "callsheet" in document:
            # It comes first, also where it was missing.
            document = {"callsheet": document["callsheet"], **document}
        if self.is_json:
            return json.dumps(document, indent=2, ensure_ascii=False) + "\n"
        from callsheet.core.yaml.keep import kept
        from callsheet.core.yaml.write import dump

        own = kept(self.written, document) if self.written.strip() else None
        return dump(document) if own is None else own.lstrip("\n")

    def to_json(self) -> dict[str, Json]:
        """As plain data: `{ok, fixed, problems, document}`."""
        return {
            "ok": self.ok,
            "fixed": [problem.to_json() for problem in self.done],
            "problems": [problem.to_json() for problem in self.left],
            "document": self.document,
        }


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
    is_json, written = False, ""
    try:
        given: object = source
        if isinstance(source, (str, bytes)):
            text, given = read_text(source, report)
            is_json, written = text.lstrip()[:1] in {"{", "["}, text
        document = plain(given, report)
    except PlanError:
        return Fixed(document=None, done=(), left=report.ordered)
    # Fences, dates without quotes: once it is a document, they are gone.
    done = [each for each in report.ordered if DISPUTED not in each.what]
    disputed = [each for each in report.ordered if DISPUTED in each.what]
    left: tuple[Problem, ...] = ()
    names: Names | None = None
    for _ in range(_ROUNDS):
        if not isinstance(document, (dict, list)):
            break
        found = check_document(document, tools, children, name=name, before=names)  # type: ignore[arg-type]
        left, names = found.problems, found.names
        certain = [problem for problem in left if problem.patch is not None]
        before = copy.deepcopy(document)
        document = _applied(document, certain, done)
        if document == before:
            break
    # `off` is kept as text, and that may be wrong: unless something was made of it, it is asked.
    words = set(_words(document))
    asked = [each for each in disputed if each.what.split("'")[1] in words]
    done += [each for each in disputed if each not in asked]
    left = (*asked, *left)
    return Fixed(
        document=_ordered(document, given),
        done=tuple(done),
        left=first_of(left),
        is_json=is_json,
        written=written,
    )


def _words(document: Json) -> Iterator[str]:
    """The texts in a document, but for the choices of questions: these are words in any case."""
    if isinstance(document, str):
        yield document
    elif isinstance(document, dict):
        for name, each in document.items():
            if name != "choices":
                yield from _words(each)
    elif isinstance(document, list):
        for each in document:
            yield from _words(each)


def _ordered(document: Json, given: object) -> Json:
    """Inputs that were declared on the way stand above the steps that use them."""
    if not isinstance(document, dict) or "steps" not in document:
        return document
    if "inputs" not in document or (isinstance(given, dict) and "inputs" in given):
        return document
    rest = {name: each for name, each in document.items() if name != "inputs"}
    return {
        name: each
        for key, value in rest.items()
        for name, each in (
            *((("inputs", document["inputs"]),) if key == "steps" else ()),
            (key, value),
        )
    }


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
