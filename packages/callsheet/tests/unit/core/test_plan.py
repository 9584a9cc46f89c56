"""The plan as a value: its identity, and amounts that add up."""

from __future__ import annotations

import msgspec
import pytest

from callsheet.core import value
from callsheet.core.plan.plan import (
    NOTHING,
    Cost,
    Plan,
    Step,
    Undo,
    content_digest,
    tool_names,
)


def test_equal_content_is_one_plan() -> None:
    one = Plan(steps=(Step(id="a", tool="look"),))
    other = Plan(steps=(Step(id="a", tool="look", priority=0),), name="plan")
    assert one.digest == other.digest
    assert one.digest != Plan(steps=(Step(id="b", tool="look"),)).digest


def test_a_plan_keeps_its_identity_through_the_codec() -> None:
    plan = Plan(steps=(Step(id="a", tool="look", undo=Undo(tool="b", args={"x": 1.5})),))
    again = msgspec.json.decode(msgspec.json.encode(plan), type=Plan)
    assert again == plan
    assert again.digest == plan.digest


def test_what_is_default_is_not_written_down() -> None:
    assert value.decode(value.encode(Plan(steps=(Step(id="a", ask="?"),)))) == {
        "steps": [{"id": "a", "ask": "?"}]
    }


@pytest.mark.requirement("idempotency:other-content-is-refused")
def test_a_start_is_its_plan_and_its_inputs() -> None:
    plan, other = Plan(steps=(Step(id="a"),)), Plan(steps=(Step(id="b"),))
    assert content_digest(plan, {"a": 1, "b": 2}) == content_digest(plan, {"b": 2, "a": 1})
    assert content_digest(plan, {"a": 1}) != content_digest(plan, {"a": 2})
    assert content_digest(plan, {}) != content_digest(other, {})


def test_every_tool_of_a_plan_is_named_undo_tools_included() -> None:
    plan = Plan(
        steps=(
            Step(id="a", tool="book", undo=Undo(tool="cancel")),
            Step(id="b", tool="book", undo="none"),
            Step(id="c", ask="?"),
        )
    )
    assert tool_names(plan) == {"book", "cancel"}


def test_amounts_add_up_without_binary_dust() -> None:
    tenth = Cost(usd=0.1, credits=0.2, tokens=3, calls=1)
    assert tenth.plus(tenth).plus(tenth) == Cost(usd=0.3, credits=0.6, tokens=9, calls=3)
    assert tenth.plus(tenth).plus(tenth).minus(tenth).minus(tenth) == tenth
    assert tenth.minus(tenth) == NOTHING


def test_nothing_changes_no_amount() -> None:
    some = Cost(usd=1.0)
    assert some.plus(NOTHING) is some
    assert NOTHING.plus(some) is some
    assert some.minus(NOTHING) is some


def test_an_amount_is_spelled_the_same_whoever_gave_it() -> None:
    # An int would be written as 2, and come back from the journal as 2.0: other bytes.
    whole = Cost(usd=2, credits=3)
    assert value.encode(whole) == value.encode(Cost(usd=2.0, credits=3.0))
    again = msgspec.json.decode(msgspec.json.encode(whole), type=Cost)
    assert value.encode(again) == value.encode(whole)
