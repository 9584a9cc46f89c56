"""Laws of the codec: what is written down is what is read, whatever it is."""

from __future__ import annotations

import types
from datetime import UTC, datetime
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from callsheet.core import value
from callsheet.core.run import entries as e

# A hundred examples of each.
pytestmark = pytest.mark.slow

Anything = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False)
    # A lone surrogate is no text: nothing that comes from UTF-8 has one.
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"]), max_size=3), inner)
    ),
    max_leaves=4,
).filter(lambda found: value.problem_of(found) is None)

_text = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
_times = st.datetimes(timezones=st.just(UTC))
_finite = st.floats(allow_nan=False, allow_infinity=False)
_PLAIN: dict[object, st.SearchStrategy[Any]] = {
    str: _text,
    int: st.integers(-(2**63), 2**63 - 1),
    float: _finite,
    bool: st.booleans(),
    type(None): st.none(),
    datetime: _times,
    Any: Anything,
    msgspec.Raw: Anything.map(lambda found: msgspec.Raw(value.encode(found))),
}


@cache
def of_type(hint: Any) -> st.SearchStrategy[Any]:
    """Values of a type that entries are made of."""
    if hint in _PLAIN:
        return _PLAIN[hint]
    origin, inside = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return st.one_of([of_type(option) for option in inside])
    if origin is Literal:
        return st.sampled_from(inside)
    if origin is tuple:
        return st.lists(of_type(inside[0]), max_size=2).map(tuple)
    if origin is dict:
        return st.dictionaries(_text, of_type(inside[1]), max_size=2)
    return st.deferred(lambda: of_struct(hint))  # a step may hold a plan, which has steps


@cache
def of_struct(kind: Any) -> st.SearchStrategy[Any]:
    hints = get_type_hints(kind)
    made = {}
    for field in msgspec.structs.fields(kind):
        made[field.name] = of_type(hints[field.name])
        if not field.required:
            made[field.name] = st.just(default_of(field)) | made[field.name]
    return st.builds(kind, **made)


def default_of(field: msgspec.structs.FieldInfo) -> Any:
    if field.default is not msgspec.NODEFAULT:
        return field.default
    assert callable(field.default_factory)
    return field.default_factory()


KINDS: tuple[type[e.AnyEntry], ...] = get_args(e.AnyEntry)


@pytest.mark.requirement("E11", "E22")
@given(st.one_of([of_struct(kind) for kind in KINDS]))
def test_every_entry_is_read_as_it_was_written(entry: e.AnyEntry) -> None:
    line = e.encode(entry)
    assert b"\n" not in line, "an entry is one line"
    again = e.decode(line)
    assert type(again) is type(entry)
    assert again == entry
    assert e.encode(again) == line


@given(Anything)
def test_a_value_is_read_as_it_was_written_and_spelled_in_one_way(found: Any) -> None:
    assert value.decode(value.encode(found)) == found
    assert value.canonical(value.decode(value.canonical(found))) == value.canonical(found)


@given(st.dictionaries(_text, Anything, max_size=4), st.randoms(use_true_random=False))
def test_the_order_of_keys_does_not_change_a_digest(found: dict[str, Any], chance: Any) -> None:
    keys = list(found)
    chance.shuffle(keys)
    assert value.digest({key: found[key] for key in keys}) == value.digest(found)
