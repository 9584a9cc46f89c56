"""References, one by one, and how each kind of value that holds some is filled in.

A filling is a closure over what was prepared: resolving a step's arguments is on the path of every
call, so nothing is looked up or decided there that could have been before.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from callsheet.core import value as values
from callsheet.core.problem import Place
from callsheet.core.refs.expression import Expression, Scope
from callsheet.core.value import Json

if TYPE_CHECKING:
    from callsheet.core.refs.syntax import Path


# Not tracked by the collector: a plan has thousands of them, and none is part of a cycle.
class Reference(msgspec.Struct, gc=False, frozen=True, kw_only=True):
    """One `${…}` and where it stands."""

    place: Place
    """Within the value that was prepared."""
    parsed: Expression
    whole: bool
    """It is the whole value, so its type is kept."""
    may_be_null: bool = False

    @property
    def text(self) -> str:
        """The expression, without `${` and `}`."""
        return self.parsed.text

    @property
    def roots(self) -> frozenset[str]:
        """What it starts from: inputs, steps, outcomes, item, args, output, key, saved."""
        return self.parsed.roots

    @property
    def steps(self) -> frozenset[str]:
        """The ids of the steps whose output it needs."""
        return self.parsed.steps

    @property
    def outcomes(self) -> frozenset[str]:
        """The ids of the steps of which it needs to know what became of them."""
        return self.parsed.outcomes

    @property
    def inputs(self) -> frozenset[str]:
        """The names of the inputs it needs."""
        return self.parsed.inputs

    @property
    def path(self) -> Path | None:
        """The way it goes, if it is nothing but names and positions."""
        return self.parsed.path

    @property
    def has_default(self) -> bool:
        """It says itself what stands for a null (`|| 'x'`)."""
        return self.parsed.has_default


Fill: TypeAlias = Callable[[Scope, list[Reference]], Json]
"""Gives the value; references that are null although they must not be are added to the list."""


def text_of(value: Json) -> str:
    """A value inside a longer text: text as it is, everything else as its JSON."""
    return value if isinstance(value, str) else values.encode(value).decode()


def fill_whole(reference: Reference) -> Fill:
    """A value that is one whole reference: its type is kept."""
    evaluate = reference.parsed.evaluate
    may_be_null = reference.may_be_null

    def fill(scope: Scope, nulls: list[Reference]) -> Json:
        found = evaluate(scope)
        if found is None and not may_be_null:
            nulls.append(reference)
        return found

    return fill


def fill_text(pieces: list[str | Reference]) -> Fill:
    """A text with references in it."""

    def fill(scope: Scope, nulls: list[Reference]) -> Json:
        texts: list[str] = []
        for piece in pieces:
            if isinstance(piece, str):
                texts.append(piece)
                continue
            found = piece.parsed.evaluate(scope)
            if found is None:
                # Not even a default makes a text of null.
                nulls.append(piece)
            else:
                texts.append(text_of(found))
        return "".join(texts)

    return fill


def fill_mapping(still: dict[str, Json], live: list[tuple[str, Fill]]) -> Fill:
    """A mapping; only the living parts are filled in, the others are shared."""

    def fill(scope: Scope, nulls: list[Reference]) -> Json:
        result = still.copy()
        for key, part in live:
            result[key] = part(scope, nulls)
        return result

    return fill


def fill_list(still: list[Json], live: list[tuple[int, Fill]]) -> Fill:
    """A list; only the living parts are filled in, the others are shared."""

    def fill(scope: Scope, nulls: list[Reference]) -> Json:
        result = still.copy()
        for index, part in live:
            result[index] = part(scope, nulls)
        return result

    return fill
