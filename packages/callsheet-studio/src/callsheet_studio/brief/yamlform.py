"""A brief in YAML, as plain values and with the line of each.

All single values are text, as written: `16:9` is no number of seconds, `no` is a language, and a
title may be `007`. A brief has no use for aliases and tags, so there are none, and no bombs.
"""

from __future__ import annotations

import re
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

from callsheet_studio.brief.problems import show

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yaml.events import Event

    from callsheet_studio.brief.problems import Problems

DEEPEST = 8
"""Levels; a shot's key stands on the fourth."""
_LOADER = yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader
_NOTHING = frozenset({"", "~", "null", "Null", "NULL"})
_TEXT_TAGS = frozenset({"!", "tag:yaml.org,2002:str"})
_COLOUR = re.compile(r"[\[,:-]\s*#[0-9a-fA-F]{3,6}\b")


def read_yaml(text: str, problems: Problems) -> object:
    """The mapping, list or text that it stands for.

    Raises:
        InputError: it cannot be read as YAML at all.
    """
    try:
        return _Builder(text, problems).document()
    except yaml.YAMLError as error:
        _explain(error, text, problems)
        raise problems.refusal() from error


def _explain(error: yaml.YAMLError, text: str, problems: Problems) -> None:
    mark = getattr(error, "problem_mark", None)
    problem = getattr(error, "problem", None)
    if mark is None or problem is None:
        # It comes from the reader: a sign that no YAML may hold.
        problems.add("brief", f"it is not YAML: {str(error).splitlines()[0]}", "Remove the sign.")
        return
    lines = text.splitlines()
    around = "\n".join(lines[max(mark.line - 1, 0) : mark.line + 1])
    fix = "Look at this line and the one before it."
    if _COLOUR.search(around):
        fix = 'A # begins a comment: put colours into quotes, "#0b3c5d".'
    elif "\t" in around:
        fix = "Indent with spaces, not with tabs."
    elif "mapping values" in problem or "block mapping" in problem:
        fix = "Indent all keys alike; put a text with `: ` in it into quotes."
    what = f"it is not YAML: {problem} (column {mark.column + 1})"
    problems.add("brief", what, fix, line=mark.line + 1)


class _Builder:
    """Builds values from events; never deeper than briefs are."""

    __slots__ = ("_events", "_lines", "_problems")

    def __init__(self, text: str, problems: Problems) -> None:
        self._events: Iterator[Event] = yaml.parse(text, Loader=_LOADER)
        self._problems = problems
        self._lines: dict[str, int] = {}

    def document(self) -> object:
        next(self._events)
        if not isinstance(next(self._events), DocumentStartEvent):
            return None
        self._problems.know_lines(self._lines)
        built = self._node(next(self._events), "", 0)
        next(self._events)
        more = next(self._events)
        if isinstance(more, DocumentStartEvent):
            fix = "Remove what follows the second `---`."
            self._problems.add("brief", "there is more than one document", fix, line=_line(more))
        return built

    def _node(self, event: Event, place: str, depth: int) -> object:
        self._lines.setdefault(place, _line(event))
        if depth > DEEPEST:
            self._give_up(f"it is nested more than {DEEPEST} levels deep", event)
        if isinstance(event, AliasEvent):
            self._give_up(f"*{event.anchor} is an alias, and a brief has none", event)
        if isinstance(event, ScalarEvent):
            return self._scalar(event, place)
        assert isinstance(event, (MappingStartEvent, SequenceStartEvent))
        self._refuse_tag(event, place)
        if isinstance(event, SequenceStartEvent):
            return self._sequence(place, depth)
        return self._mapping(place, depth)

    def _give_up(self, what: str, event: Event) -> NoReturn:
        self._problems.add("brief", what, "Write plain values.", line=_line(event))
        raise self._problems.refusal()

    def _scalar(self, event: ScalarEvent, place: str) -> str | None:
        self._refuse_tag(event, place)
        is_plain = not event.style and event.tag is None
        return None if is_plain and event.value in _NOTHING else str(event.value)

    def _refuse_tag(
        self, event: ScalarEvent | MappingStartEvent | SequenceStartEvent, place: str
    ) -> None:
        if event.tag is not None and event.tag not in _TEXT_TAGS:
            tag = event.tag.replace("tag:yaml.org,2002:", "!!")
            what = f"the tag {show(tag)} is not supported"
            self._problems.add(place or "brief", what, "Write plain values.", line=_line(event))

    def _sequence(self, place: str, depth: int) -> list[object]:
        built: list[object] = []
        while not isinstance(event := next(self._events), SequenceEndEvent):
            built.append(self._node(event, f"{place}[{len(built)}]", depth + 1))
        return built

    def _mapping(self, place: str, depth: int) -> dict[str, object]:
        built: dict[str, object] = {}
        while not isinstance(event := next(self._events), MappingEndEvent):
            key = self._node(event, place, depth + 1)
            line = _line(event)
            if not isinstance(key, str):
                what = f"the key {show(key)} is not text"
                self._problems.add(place or "brief", what, "Write a name.", line=line)
            name = str(key)
            here = f"{place}.{name}" if place else name
            if name in built:
                what = f"{show(name)} stands here twice"
                self._problems.add(here, what, "Remove one of them.", line=line)
            self._lines[here] = line
            built[name] = self._node(next(self._events), here, depth + 1)
        return built


def _line(event: Event) -> int:
    assert event.start_mark is not None
    return event.start_mark.line + 1
