"""A document that comes in pieces, and plans that are chosen by words."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callsheet.agents.drafting.fitting import fitting
from callsheet.agents.drafting.reader import Document, read_json
from callsheet.core.plan.plan import Plan, Step

pytestmark = pytest.mark.requirement("M5")

values = st.recursive(
    st.none() | st.booleans() | st.integers(-1000, 1000) | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(
    steps=st.lists(st.dictionaries(st.text(max_size=5), values, max_size=3), max_size=5),
    output=values,
    size=st.integers(1, 9),
    first=st.booleans(),
)
def test_every_step_is_seen_once_however_the_text_is_cut(
    steps: list[dict[str, object]], output: object, size: int, *, first: bool
) -> None:
    fields = {"output": output, "steps": steps} if first else {"steps": steps, "output": output}
    text = f"Here:\n```json\n{json.dumps(fields)}\n```\nDone."
    document = Document()
    closed = [
        each
        for start in range(0, len(text), size)
        for each in document.feed(text[start : start + size])
    ]
    assert [json.loads(each.text) for each in closed] == steps
    assert [each.index for each in closed] == list(range(len(steps)))
    assert document.whole == json.dumps(fields)


@pytest.mark.parametrize("text", ["", "no object", '{"steps": [{"id": "a"}', '{"steps": "'])
def test_what_has_not_closed_is_not_whole(text: str) -> None:
    document = Document()
    document.feed(text)
    assert document.whole is None


@pytest.mark.parametrize("text", ['{"a": 1, "a": 2}', "[NaN]", '"\\ud800"', "[" * 100_000, "1e999"])
def test_what_cannot_be_written_down_is_no_json(text: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        read_json(text)


def test_of_two_plans_that_fit_alike_none_is_clear() -> None:
    plans = [Plan(name=name, steps=[Step(id="weather", tool="look")]) for name in ("a1", "b1")]
    assert [each.clear for each in fitting("weather look", plans)] == [False, False]
    assert not fitting("anything", [])
