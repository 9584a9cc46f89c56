"""YAML text to plain values, and where in the text each of them stands.

The only module that knows YAML; imported when there is some. It reads events and builds values
itself, because a plan needs what the library's loaders leave out: repeated keys are found, tags and
words of disputed meaning are refused, aliases are shared instead of expanded, and every problem has
its place.
"""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING, NoReturn

import yaml
from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from callsheet.core.problem import Place, Report, show, spell
from callsheet.core.value import MAX_DEPTH, MAX_VALUES
from callsheet.core.yaml.scalar import Unclear, read_plain
from callsheet.errors import PlanError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yaml.events import Event

    from callsheet.core.value import Json

_MAX_MERGED = 1_000_000
LOADER = yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader
_TEXT_TAGS = frozenset({"!", "tag:yaml.org,2002:str"})
_UNPRINTABLE = re.compile(
    "[^\\t\\n\\r\\x20-\\x7e\\x85\\xa0-\\ud7ff\\ue000-\\ufffd\\U00010000-\\U0010ffff]"
)
_REFERENCE_IN_BRACES = re.compile(r"[{\[,]\s*(?:[^,'\"]*:\s*)?\$\{")


def read_yaml(text: str, report: Report) -> Json:
    """The value that YAML text stands for; what is wrong with single values is reported.

    Raises:
        PlanError: it cannot be read as YAML at all.
    """
    unprintable = _UNPRINTABLE.search(text)
    if unprintable:
        line = text.count("\n", 0, unprintable.start()) + 1
        what = f"the text holds a control character, U+{ord(unprintable.group()):04X}"
        report.error((), what, "Remove it.", line=line)
        raise report.refusal()
    try:
        return _Builder(text, report).document()
    except yaml.YAMLError as error:
        _explain(error, text, report)
        raise report.refusal() from error


def marks_of(text: str) -> dict[str, tuple[int, int]]:
    """Line and column of every place, spelled as problems spell it, as far as it can be read."""
    marks: dict[str, tuple[int, int]] = {}
    with suppress(yaml.YAMLError, PlanError):
        _Builder(text, Report(), marks).document()
    return marks


def _explain(error: yaml.YAMLError, text: str, report: Report) -> None:
    mark = getattr(error, "problem_mark", None)
    problem = getattr(error, "problem", None)
    if mark is None or problem is None:
        report.error((), f"it is not YAML: {error}")
        return
    lines = text.splitlines()
    # What is missing at the end is missing on a line that is not there.
    line = lines[mark.line] if mark.line < len(lines) else ""
    fix = ""
    if _REFERENCE_IN_BRACES.search(line):
        fix = 'Inside { } and [ ], put a reference into quotes: "${…}".'
    elif "\t" in line:
        fix = "Indent with spaces, not with tabs."
    elif "mapping values" in problem:
        fix = "Indent all keys of a mapping alike; put a text with `: ` in it into quotes."
    what = f"it is not YAML: {problem} (column {mark.column + 1})"
    report.error((), what, fix, line=mark.line + 1)


class _Builder:
    """Builds values from events. Never deeper than plans may be, so it may recurse."""

    __slots__ = ("_anchors", "_count", "_events", "_marks", "_merged", "_report", "_weights")

    def __init__(
        self, text: str, report: Report, marks: dict[str, tuple[int, int]] | None = None
    ) -> None:
        self._events: Iterator[Event] = yaml.parse(text, Loader=LOADER)
        self._report = report
        self._marks = marks
        self._anchors: dict[str, Json] = {}
        self._count = 0
        """Values so far; what an alias repeats counts as often as it stands there."""
        self._weights: dict[str, int] = {}
        """Per anchor, how many values it stands for."""
        self._merged = 0

    def document(self) -> Json:
        next(self._events)
        if not isinstance(next(self._events), DocumentStartEvent):
            return None
        built = self._node(next(self._events), (), 0)
        next(self._events)
        more = next(self._events)
        if isinstance(more, DocumentStartEvent):
            what = "there is more than one document in the text"
            self._report.error((), what, "Remove what follows the `---`.", line=_line(more))
        return built

    def _node(self, event: Event, place: Place, depth: int) -> Json:
        before = self._count
        self._count += (
            self._weights.get(str(event.anchor), 1) if isinstance(event, AliasEvent) else 1
        )
        if depth > MAX_DEPTH or self._count > MAX_VALUES:
            self._give_up(event, place, depth)
        built: Json
        if isinstance(event, ScalarEvent):
            built = self._scalar(event, place)
        elif isinstance(event, MappingStartEvent):
            built = self._mapping(event, place, depth)
        elif isinstance(event, SequenceStartEvent):
            built = self._sequence(event, place, depth)
        else:
            assert isinstance(event, AliasEvent)
            return self._alias(event, place)
        if event.anchor is not None:
            # Only now: an alias inside its own anchor finds nothing, so nothing contains itself.
            self._anchors[event.anchor] = built
            self._weights[event.anchor] = self._count - before
        return built

    def _give_up(self, event: Event, place: Place, depth: int) -> NoReturn:
        what = f"it has more than {MAX_VALUES:,} values, aliases expanded"
        if depth > MAX_DEPTH:
            what = f"it is nested more than {MAX_DEPTH} levels deep"
        self._report.error(place[:8], what, line=_line(event))
        raise self._report.refusal()

    def _scalar(self, event: ScalarEvent, place: Place) -> Json:
        text: str = event.value
        if event.tag is not None:
            if event.tag not in _TEXT_TAGS:
                self._refuse_tag(event.tag, place, _line(event))
            return text
        if event.style:
            return text
        found = read_plain(text)
        if isinstance(found, Unclear):
            fix = f'Write it in quotes if it is text: "{text}".'
            self._report.error(place, f"{show(text)} is {found.what}", fix, line=_line(event))
            return text
        return found

    def _refuse_tag(self, tag: str, place: Place, line: int) -> None:
        what = f"the tag {show(tag.replace('tag:yaml.org,2002:', '!!'))} is not supported"
        self._report.error(place, what, "Write plain values, text in quotes.", line=line)

    def _alias(self, event: AliasEvent, place: Place) -> Json:
        name = str(event.anchor)
        if name not in self._anchors:
            what = f"*{name} stands for nothing: no &{name} ends before it"
            self._report.error(place, what, "An alias comes after its anchor.", line=_line(event))
        return self._anchors.get(name)

    def _sequence(self, start: SequenceStartEvent, place: Place, depth: int) -> Json:
        if start.tag is not None:
            self._refuse_tag(start.tag, place, _line(start))
        built: list[Json] = []
        while not isinstance(event := next(self._events), SequenceEndEvent):
            here = (*place, len(built))
            self._mark(here, event)
            built.append(self._node(event, here, depth + 1))
        return built

    def _mapping(self, start: MappingStartEvent, place: Place, depth: int) -> Json:
        if start.tag is not None:
            self._refuse_tag(start.tag, place, _line(start))
        built: dict[str, Json] = {}
        merged: list[Json] = []
        braces = ""
        while not isinstance(event := next(self._events), MappingEndEvent):
            line = _line(event)
            key = self._node(event, place, depth + 1)
            if key == "<<" and isinstance(event, ScalarEvent) and not event.style:
                merged.append(self._node(next(self._events), (*place, "<<"), depth + 1))
                continue
            if isinstance(key, dict) and (braces := _inside(key)):
                # `{{ a.b }}` without quotes: a mapping in a mapping.
                self._node(next(self._events), place, depth + 1)
                continue
            name = key if isinstance(key, str) else self._name_of(key, place, line)
            here = (*place, name)
            if name in built:
                what = f"{show(name)} appears here twice"
                self._report.error(here, what, "Remove one of them.", line=line)
            self._mark(here, event)
            built[name] = self._node(next(self._events), here, depth + 1)
        if braces:
            return self._braces(braces, place, _line(start))
        return self._merge(built, merged, place) if merged else built

    def _name_of(self, key: Json, place: Place, line: int) -> str:
        fix = f'Write it in quotes: "{key}".' if not isinstance(key, (list, dict)) else ""
        self._report.error(place, f"the key {show(key)} is not text", fix, line=line)
        return str(key)

    def _braces(self, inside: str, place: Place, line: int) -> str:
        """`{{ a.b }}` as others write a reference: to YAML it is a mapping in a mapping."""
        fix = f'Write "${{{inside}}}", in quotes, if it is a reference.'
        what = f"{{{{ {inside} }}}} without quotes is not a text"
        self._report.error(place, what, fix, line=line)
        return f"{{{{ {inside} }}}}"

    def _merge(self, built: dict[str, Json], merged: list[Json], place: Place) -> Json:
        for source in _flat(merged):
            if not isinstance(source, dict):
                what = f"<< merges mappings, not {show(source)}"
                self._report.error((*place, "<<"), what, "Write <<: *anchor.")
                continue
            self._merged += len(source)
            if self._merged > _MAX_MERGED:
                self._report.error(place, "the document merges too much with <<")
                raise self._report.refusal()
            for key, each in source.items():
                built.setdefault(key, each)
        return built

    def _mark(self, place: Place, event: Event) -> None:
        if self._marks is not None:
            assert event.start_mark is not None
            self._marks[spell(place)] = (_line(event), event.start_mark.column + 1)


def _inside(key: dict[str, Json]) -> str:
    """What stands between the braces of `{{ a.b }}`; nothing, if that is not what was written."""
    ((name, value),) = key.items() if len(key) == 1 else (("", None),)
    return name if value is None else ""


def _flat(merged: list[Json]) -> Iterator[Json]:
    for each in merged:
        yield from each if isinstance(each, list) else [each]


def _line(event: Event) -> int:
    assert event.start_mark is not None
    return event.start_mark.line + 1
