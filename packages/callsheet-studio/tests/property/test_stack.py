"""Whatever is done to the file of a tool stack, it is one, or it is refused."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.stack.files import file, offer, starting, tool

from callsheet.errors import InputError
from callsheet_studio.model.stack import Stack
from callsheet_studio.stack import read_stack

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.requirement("P8")

ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.sampled_from(
        ["second", "clip_5s", "video", "active", "720p", "4k", "2026-11-15", "\ud800"]
    ),
    lambda children: (
        st.lists(children, max_size=3) | st.dictionaries(st.text(), children, max_size=3)
    ),
    max_leaves=6,
)


def small() -> dict[str, Any]:
    """A file with one of everything that the shipped one has."""
    kept = ("veo-3.1", "nano-banana-2", "lyria-3.5-pro")
    whole = starting()
    tools = [each for each in whole["tools"] if each["id"] in kept]
    return {**whole, "tools": tools, "meta": {"written": "2026-11-15"}}


def spots(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every place in some data, as what it is in and its key there."""
    if isinstance(value, (dict, list)):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield value, key
            yield from spots(value[key])


@given(st.data())
def test_a_file_with_anything_anywhere_is_a_stack_or_is_refused(data: st.DataObject) -> None:
    whole = small()
    for _ in range(data.draw(st.integers(1, 3))):
        found = list(spots(whole))
        inside, key = found[data.draw(st.integers(0, len(found) - 1))]
        if data.draw(st.booleans()):
            inside[key] = data.draw(ANYTHING)
        else:
            del inside[key]
    try:
        stack = read_stack(json.dumps(whole), "here")
    except InputError:
        return
    assert Stack.model_validate_json(stack.model_dump_json()) == stack
    ids = [each.id for one in stack.tools for each in one.offers]
    assert len(set(ids)) == len(ids)
    assert all(each.usd >= 0 for one in stack.tools for each in one.offers)


@given(st.text())
def test_any_text_is_a_stack_or_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        read_stack(text, "here")


@given(
    st.lists(
        st.fixed_dictionaries(
            {"provider": st.sampled_from(["A", "a!", "B"]), "usd": st.floats(0, 9)},
            optional={
                "conditions": st.dictionaries(
                    st.sampled_from(["tier", "note", "mode"]), st.sampled_from(["x", "y"])
                )
            },
        ),
        max_size=8,
    )
)
def test_every_offer_has_an_id_of_its_own(offers: list[dict[str, Any]]) -> None:
    text = file(tool(offers=[offer(**each) for each in offers]))
    (found,) = read_stack(text, "here").tools
    ids = [each.id for each in found.offers]
    assert len(set(ids)) == len(offers)
    assert all(name.startswith("acme-1@") for name in ids)
