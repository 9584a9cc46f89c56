"""Documents: text, mappings and plans alike become plain JSON values, or say why they cannot.

Knows what a JSON value is, and nothing of the fields of a plan.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

import msgspec

from callsheet.core.plan.plan import FORMAT, Document, Plan
from callsheet.core.plan.prose import calls_in
from callsheet.core.problem import Place, Problem, Report, show
from callsheet.core.value import MAX_DEPTH, MAX_INTEGER, MAX_VALUES
from callsheet.core.yaml.scalar import read_integer
from callsheet.errors import PlanError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from callsheet.core.value import Json

MAX_BYTES = 16_000_000
_BEGINNING = 20_000
"""As far as calls are looked for in prose."""

_FENCED = re.compile(
    r"^[ \t]*(?P<fence>```+|~~~+)[ \t]*(?:ya?ml|json|callsheet)?[ \t]*\n"
    r"(?P<plan>.*?)^[ \t]*(?P=fence)[ \t]*$",
    re.DOTALL | re.MULTILINE | re.IGNORECASE,
)
_FORBIDDEN = re.compile("[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f\\ud800-\\udfff]")


def read_text(source: str | bytes, report: Report, *, lenient: bool = False) -> tuple[str, Json]:
    """The text of a document in YAML or JSON, and the value it stands for.

    What stands around a fenced block is told, and read past; `lenient`: without a word.

    Raises:
        PlanError: it is too large, not UTF-8, or neither YAML nor JSON.
    """
    text = _decode(source, report)
    fenced = _FENCED.search(text) if "```" in text or "~~~" in text else None
    if fenced is not None:
        if not lenient:
            what = "the plan is inside a code fence, with text around it"
            fix = "Leave out everything but the plan itself, or use --lenient."
            report.error((), what, fix, line=text.count("\n", 0, fenced.start()) + 1)
        # The lines stay the same.
        text = "\n" * text.count("\n", 0, fenced.start("plan")) + fenced["plan"]
    if text.lstrip()[:1] in {"{", "["}:
        try:
            return text, _read_json(text)
        except (ValueError, RecursionError):
            # Perhaps YAML in braces. If not, its reader says what is wrong and where.
            pass
    if "callsheet:" not in text[:_BEGINNING] and (calls := calls_in(text[:_BEGINNING])):
        what = "these are calls in prose, and a plan is YAML or JSON"
        fix = "Write `callsheet: 1` and `steps:`, with one step for each call."
        report.error((), what, fix)
        return "", {"callsheet": FORMAT, "steps": calls}
    return _read_yaml(text, report)


def _read_yaml(text: str, report: Report) -> tuple[str, Json]:
    from callsheet.core.yaml.read import read_yaml

    before = len(report.problems)
    try:
        return text, read_yaml(text, report)
    except PlanError:
        # Nobody reads on where a quote is missing: it is told, and the rest is read as well.
        from callsheet.core.yaml.repair import LARGEST, repaired, without_comments

        if len(text) > LARGEST:
            raise
        aside = Report()
        is_json = text.lstrip()[:1] in {"{", "["}
        found = without_comments(text, aside) if is_json and "/" in text else text
        meant = repaired(found, aside) or (found if found != text else None)
        if meant is None:
            raise
        mended = read_yaml(meant, aside)
        report.forget(before)
        report.take_in(aside, ())
        return meant, mended


def locate(problems: Sequence[Problem], text: str) -> tuple[Problem, ...]:
    """The same problems, each with its line in the text they were found in."""
    from callsheet.core.yaml.read import marks_of

    marks = marks_of(text)
    return tuple(_located(problem, marks) for problem in problems)


def _located(problem: Problem, marks: Mapping[str, tuple[int, int]]) -> Problem:
    place = problem.place
    # What is missing has no line; what it is missing from has one.
    while place and place not in marks:
        place = place[: max(place.rfind("."), place.rfind("["), 0)]
    line, column = marks.get(place, (None, None))
    if problem.line not in (None, line):
        # Somewhere inside, where the reader stopped.
        return problem
    return msgspec.structs.replace(problem, line=line, column=column)


def _decode(source: str | bytes, report: Report) -> str:
    if len(source) > MAX_BYTES:
        what = f"the text is larger than {MAX_BYTES // 1_000_000} MB"
        report.error((), what, "Split the plan, or give the data as inputs.")
        raise report.refusal()
    try:
        return (source.encode() if isinstance(source, str) else source).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        report.error((), f"the text is not UTF-8 (at byte {error.start})", "Save it as UTF-8.")
        raise report.refusal() from error
    except UnicodeEncodeError as error:
        what = f"the text holds half a character (a surrogate, at character {error.start})"
        report.error((), what, "Remove it.")
        raise report.refusal() from error


def _read_json(text: str) -> Json:
    found: Json = json.loads(text, object_pairs_hook=_without_repeats, parse_int=read_integer)
    return found


def _without_repeats(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    built = dict(pairs)
    if len(built) != len(pairs):
        # The other reader says which, and where.
        raise ValueError
    return built


def plain(value: object, report: Report) -> Json:
    """The value as JSON, copied; whatever JSON cannot say is reported with its place.

    Raises:
        PlanError: it holds more than `MAX_VALUES` values.
    """
    return _Copier(report).copy(value, ())


class _Copier:
    __slots__ = ("_count", "_report")

    def __init__(self, report: Report) -> None:
        self._report = report
        self._count = 0

    def copy(self, value: object, place: Place) -> Json:
        self._count += 1
        if self._count > MAX_VALUES:
            what = f"the document has more than {MAX_VALUES:,} values, aliases expanded"
            self._report.error((), what, "Split the plan, or give the data as inputs.")
            raise self._report.refusal()
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, str):
            return self._text(value, place)
        if isinstance(value, (int, float)):
            return self._number(value, place)
        return self._container(value, place)

    def _text(self, value: str, place: Place) -> str:
        found = _FORBIDDEN.search(value)
        if found:
            what = f"the text holds a control character, U+{ord(found.group()):04X}"
            self._report.error(place, what, "Remove it.")
        return str.__str__(value)

    def _number(self, value: float, place: Place) -> Json:
        if isinstance(value, float):
            if not math.isfinite(value):
                self._report.error(place, "NaN and infinity are not JSON", "Write a finite number.")
            return float(value)
        if not -MAX_INTEGER - 1 <= value <= MAX_INTEGER:
            self._report.error(place, "the integer is over 2^63", "Write it in quotes, as text.")
        return int(value)

    def _container(self, value: object, place: Place) -> Json:
        if len(place) >= MAX_DEPTH:
            self._report.error(place[:8], f"it is nested more than {MAX_DEPTH} levels deep")
            return None
        if isinstance(value, Document):
            value = _fields_of(value)
        if isinstance(value, Mapping):
            return {
                self._key(key, place): self.copy(each, (*place, str(key)))
                for key, each in value.items()
            }
        if isinstance(value, (list, tuple)):
            return [self.copy(each, (*place, index)) for index, each in enumerate(value)]
        what = f"{show(value)} is of type {type(value).__name__}, which is not JSON"
        self._report.error(place, what, "Write it as text or as a number.")
        return None

    def _key(self, key: object, place: Place) -> str:
        if not isinstance(key, str):
            what = f"the key {show(key)} is not text"
            self._report.error(place, what, f'Write it in quotes: "{key}".')
            return str(key)
        return self._text(key, place)


def _fields_of(document: Document) -> dict[str, object]:
    """What was set, under its name; what a plan says of itself is always said."""
    always = ("callsheet", "name") if isinstance(document, Plan) else ()
    return {
        name: getattr(document, name)
        for name, default in _defaults(type(document))
        if name in always or getattr(document, name) != default
    }


@lru_cache(maxsize=32)
def _defaults(kind: type[Document]) -> tuple[tuple[str, object], ...]:
    return tuple(
        (
            field.name,
            field.default
            if field.default_factory is msgspec.NODEFAULT
            else field.default_factory(),
        )
        for field in msgspec.structs.fields(kind)
    )
