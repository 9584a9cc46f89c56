"""References: `${…}` in the values of a plan, prepared once and resolved as often as needed.

`$${` is a literal `${`. A value that is one whole reference keeps its type; inside a longer text it
becomes text. Preparing is where everything is understood, so that resolving is only filling in;
what holds no reference is handed out as it is, never copied: treat it as frozen.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from callsheet.core.problem import Place, one_of, show, spell
from callsheet.core.refs.expression import Scope, is_true, parse
from callsheet.core.refs.filling import (
    Fill,
    Reference,
    fill_list,
    fill_mapping,
    fill_text,
    fill_whole,
)
from callsheet.core.refs.template import Slot, take_apart
from callsheet.core.refs.traps import Fault
from callsheet.core.value import Json
from callsheet.errors import NullReferenceError, ReferenceSyntaxError

if TYPE_CHECKING:
    from callsheet.core.refs.syntax import Path

Nullable: TypeAlias = Callable[[Place], bool]

_NONE: frozenset[str] = frozenset()
_MAX_FIELDS = 20
# By far the most common text with a reference in it is one plain path; it needs no taking apart.
_PLAIN = re.compile(r"\$\{\s*([A-Za-z_][\w.]*)\s*\}\Z", re.ASCII)


# Not tracked by the collector: a plan has thousands of them, and none is part of a cycle.
class _Live(msgspec.Struct, gc=False, frozen=True):
    """A part that is filled in when the scope is known."""

    fill: Fill


class Prepared(msgspec.Struct, gc=False, frozen=True, kw_only=True):
    """A value whose references are understood."""

    roots: frozenset[str]
    steps: frozenset[str]
    outcomes: frozenset[str]
    references: tuple[Reference, ...]
    content: Json
    """The value itself, when it is constant."""
    fill: Fill | None

    @property
    def secrets(self) -> tuple[str, ...]:
        """The names of the secrets it needs."""
        if "secrets" not in self.roots:
            return ()
        ways = (way for reference in self.references for way in reference.parsed.paths)
        return tuple(dict.fromkeys(str(way[1]) for way in ways if way[0] == "secrets"))

    @property
    def constant(self) -> bool:
        """Whether it resolves to the same value in every scope."""
        return self.fill is None

    def resolve(self, scope: Scope) -> Json:
        """The value with its references filled in; the scope is not changed.

        Raises:
            NullReferenceError: references that are null where none is allowed; all of them.
            InvalidError: a reference that cannot be evaluated on what is there.
        """
        if self.fill is None:
            return self.content
        nulls: list[Reference] = []
        result = self.fill(scope, nulls)
        if nulls:
            raise _null_error(nulls, scope)
        return result


class Condition(msgspec.Struct, frozen=True, kw_only=True):
    """A `when`: one whole reference, of which only the truth matters."""

    references: tuple[Reference, ...]

    @property
    def roots(self) -> frozenset[str]:
        """What it starts from."""
        return self.references[0].roots

    @property
    def steps(self) -> frozenset[str]:
        """The ids of the steps whose output it needs."""
        return self.references[0].steps

    @property
    def outcomes(self) -> frozenset[str]:
        """The ids of the steps of which it needs to know what became of them."""
        return self.references[0].outcomes

    def value(self, scope: Scope) -> Json:
        """What it gives.

        Raises:
            InvalidError: it cannot be evaluated on what is there.
        """
        return self.references[0].parsed.evaluate(scope)

    def truth(self, scope: Scope) -> bool:
        """JMESPath's truth: false, null, '', [] and {} are false; every number is true.

        Raises:
            InvalidError: it cannot be evaluated on what is there.
        """
        return is_true(self.value(scope))


def prepare(value: Json, *, nullable: Nullable | None = None) -> Prepared:
    """Understand all references in a value.

    `nullable` says of a place whether a null is allowed there; it is asked for whole references.

    Raises:
        ReferenceSyntaxError: the first reference that cannot be understood.
    """
    prepared, faults = examine(value, nullable=nullable)
    if faults:
        raise faults[0]
    return prepared


def as_data(value: Json) -> Prepared:
    """A value in which nothing is a reference, whatever it looks like."""
    return Prepared(
        roots=_NONE, steps=_NONE, outcomes=_NONE, references=(), content=value, fill=None
    )


def examine(
    value: Json, *, nullable: Nullable | None = None
) -> tuple[Prepared, tuple[ReferenceSyntaxError, ...]]:
    """As `prepare`, but with everything that is wrong next to what is right."""
    if not _is_marked(value):
        return as_data(value), ()
    builder = _Builder(nullable)
    built = builder.build(value, ())
    references = tuple(builder.references)
    prepared = Prepared(
        roots=_NONE.union(*(reference.parsed.roots for reference in references)),
        steps=_NONE.union(*(reference.parsed.steps for reference in references)),
        outcomes=_NONE.union(*(reference.parsed.outcomes for reference in references)),
        references=references,
        content=None if isinstance(built, _Live) else built,
        fill=built.fill if isinstance(built, _Live) else None,
    )
    return prepared, tuple(builder.faults)


def prepare_condition(text: str) -> Condition:
    """Understand a `when`.

    Raises:
        ReferenceSyntaxError: it is not one whole reference, or cannot be understood.
    """
    text = text.strip()
    prepared = prepare(text)
    if len(prepared.references) != 1 or not prepared.references[0].whole:
        fault = Fault("a condition is one whole reference", "Write ${steps.<id>.<field> == 'x'}.")
        raise _syntax_error((), text, fault)
    return Condition(references=prepared.references)


class _Builder:
    """Turns a value into what can be filled in, and collects what it meets on the way."""

    __slots__ = ("_nullable", "faults", "references")

    def __init__(self, nullable: Nullable | None) -> None:
        self._nullable = nullable
        self.references: list[Reference] = []
        self.faults: list[ReferenceSyntaxError] = []

    def build(self, value: Json, place: Place) -> Json | _Live:
        if not _is_marked(value):
            return value
        if isinstance(value, str):
            return self._text(value, place)
        if isinstance(value, list):
            return self._list(value, place)
        assert isinstance(value, dict)
        return self._mapping(value, place)

    def _text(self, text: str, place: Place) -> Json | _Live:
        plain = _PLAIN.match(text)
        parts = (Slot(plain[1]),) if plain else take_apart(text)
        if isinstance(parts, Fault):
            self.faults.append(_syntax_error(place, text, parts))
            return text
        if len(parts) == 1:
            (part,) = parts
            return part if isinstance(part, str) else self._whole(part, place)
        pieces = [
            part if isinstance(part, str) else self._slot(part, place, whole=False)
            for part in parts
        ]
        return _Live(fill_text([piece for piece in pieces if piece is not None]))

    def _whole(self, slot: Slot, place: Place) -> _Live | None:
        reference = self._slot(slot, place, whole=True)
        return _Live(fill_whole(reference)) if reference else None

    def _slot(self, slot: Slot, place: Place, *, whole: bool) -> Reference | None:
        parsed = parse(slot.text)
        if isinstance(parsed, tuple):
            text = f"${{{slot.text}}}"
            self.faults.extend(_syntax_error(place, text, fault) for fault in parsed)
            return None
        may_be_null = whole and (parsed.has_default or self._allows_null(place))
        reference = Reference(place=place, parsed=parsed, whole=whole, may_be_null=may_be_null)
        self.references.append(reference)
        return reference

    def _allows_null(self, place: Place) -> bool:
        return self._nullable is not None and self._nullable(place)

    def _mapping(self, value: dict[str, Json], place: Place) -> Json | _Live:
        built = {self._key(key, place): self.build(value[key], (*place, key)) for key in value}
        live = [(key, each.fill) for key, each in built.items() if isinstance(each, _Live)]
        still = {key: None if isinstance(each, _Live) else each for key, each in built.items()}
        return _Live(fill_mapping(still, live)) if live else still

    def _list(self, value: list[Json], place: Place) -> Json | _Live:
        built = [self.build(each, (*place, index)) for index, each in enumerate(value)]
        live = [(index, each.fill) for index, each in enumerate(built) if isinstance(each, _Live)]
        still = [None if isinstance(each, _Live) else each for each in built]
        return _Live(fill_list(still, live)) if live else still

    def _key(self, key: str, place: Place) -> str:
        if "${" not in key:
            return key
        parts = take_apart(key)
        if isinstance(parts, tuple) and len(parts) == 1 and isinstance(parts[0], str):
            return parts[0]
        fault = Fault("a key is fixed, it cannot hold a reference", "Put it into the value.")
        self.faults.append(_syntax_error(place, key, fault))
        return key


def _is_marked(value: Json) -> bool:
    """Whether `${` stands anywhere in it: the rest is left as it is."""
    if isinstance(value, str):
        return "${" in value
    if isinstance(value, dict):
        return any("${" in key or _is_marked(each) for key, each in value.items())
    return isinstance(value, list) and any(map(_is_marked, value))


def _syntax_error(place: Place, text: str, fault: Fault) -> ReferenceSyntaxError:
    where = f"{spell(place)}: " if place else ""
    message = f"{where}{show(text)}: {fault.what}" + (f". {fault.fix}" if fault.fix else "")
    return ReferenceSyntaxError(message, place=place, text=text, what=fault.what, fix=fault.fix)


def _null_error(nulls: list[Reference], scope: Scope) -> NullReferenceError:
    told = "; ".join(
        f"{spell(null.place) + ': ' if null.place else ''}${{{null.text}}}" for null in nulls
    )
    advice = missing_field(nulls[0].path, scope)
    if advice is None:
        advice = f"Write ${{{nulls[0].text} || 'x'}} to give a default"
    message = f"{'References are' if nulls[1:] else 'A reference is'} null: {told}. {advice}."
    return NullReferenceError(message, nulls=[(null.place, null.text) for null in nulls])


def missing_field(path: Path | None, scope: Scope) -> str | None:
    """Which field on a way is not there, and which are; None: all are, and the last one is null."""
    found: Json = dict(scope)
    for index, part in enumerate(path or ()):
        if isinstance(found, dict) and isinstance(part, str) and part not in found and index > 1:
            owner = ".".join(map(str, (path or ())[:index]))
            known = one_of(list(found)[:_MAX_FIELDS]) or "no fields"
            return f"{owner} has no {show(part)}: it has {known}"
        if isinstance(found, dict) and isinstance(part, str):
            found = found.get(part)
        elif isinstance(found, list) and isinstance(part, int) and -len(found) <= part < len(found):
            found = found[part]
        else:
            return None
    return None
