"""Suggestions: each is made where it helps, and not where it would do harm."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from callsheet.core.plan.plan import Budget, Cost, Plan, Step
from callsheet.core.plan.toolspec import ToolSpec
from callsheet.core.run.graph import Graph
from callsheet.insight.advice import advise
from callsheet.insight.estimate import CostRange, Observed, Range
from callsheet.insight.forecast import Outlook, forecast

if TYPE_CHECKING:
    from callsheet.core.value import Json

pytestmark = pytest.mark.requirement("E21")

TOOLS = {
    spec.name: spec
    for spec in (ToolSpec(name="look"), ToolSpec(name="put", effect="write", undo="put"))
}
TWO_SECONDS = Observed(calls=9, seconds=Range(low=1, expected=2, high=4), cost=CostRange())


def advice(plan: Plan, history: dict[str, Observed] | None = None) -> list[tuple[str, str]]:
    outlook = Outlook(Graph(plan, TOOLS), TOOLS, history or {}, None)
    found = advise(outlook, forecast(outlook))
    assert all(each.severity == "warning" and each.fix for each in found)
    return [(each.place, each.what) for each in found]


def look(name: str, *needs: str, **args: Json) -> Step:
    return Step(id=name, tool="look", needs=needs, args={"of": name, **args})


def put(name: str, *needs: str, **args: Json) -> Step:
    return Step(id=name, tool="put", needs=needs, args={"of": name, **args})


def test_a_need_that_follows_from_a_reference_or_another_need_adds_nothing() -> None:
    plan = Plan(
        steps=(put("a"), put("b", "a"), put("c", "a", "b"), put("d", "c", x="${steps.c.x}"))
    )
    assert advice(plan) == [
        ("steps[2].needs[0]", "c waits for a anyway"),
        ("steps[3].needs[0]", "d waits for c anyway"),
    ]


def test_waiting_for_a_read_without_using_it_is_a_false_dependency() -> None:
    plan = Plan(steps=(look("a"), look("b", "a")))
    assert advice(plan) == [
        ("steps[1].needs[0]", "b waits for a, which only reads, and uses nothing of it")
    ]


def test_waiting_for_a_write_or_a_person_is_none() -> None:
    ask = Step(id="ok", ask="Well?")
    assert not advice(Plan(steps=(put("a"), look("b", "a"), ask, put("c", "ok"))))


def test_the_same_read_twice_is_noticed() -> None:
    plan = Plan(steps=(look("a", of="x"), look("b", of="x"), look("c", of="y")))
    assert advice(plan) == [("steps[1]", "b makes the same call as a")]


def test_reads_before_and_after_a_write_are_two_different_questions() -> None:
    before, after = look("a", of="x"), look("b", "w", of="x")
    assert not advice(Plan(steps=(before, put("w"), after)))


def test_two_equal_writes_may_well_be_meant() -> None:
    assert not advice(Plan(steps=(put("a", of="x"), put("b", of="x"))))


def test_a_narrow_concurrency_is_noticed_with_what_a_wider_one_would_save() -> None:
    plan = Plan(steps=tuple(look(name) for name in "abcd"), concurrency=2)
    ((place, what),) = advice(plan, {"look": TWO_SECONDS})
    assert place == "concurrency"
    assert what == "4 calls could run at once, and 2 do: it would save 2 of 4 s"
    ((_, what),) = advice(plan)
    assert what.endswith("how much it would save is not known yet")


def test_a_width_that_would_save_nothing_is_not_suggested() -> None:
    # Whatever the others do, the run is as long as its one long step.
    long = Step(id="w", tool="put", args={"of": "w"})
    short = Observed(calls=9, seconds=Range(low=0, expected=0, high=0), cost=CostRange())
    plan = Plan(steps=(long, look("a"), look("b")), concurrency=2)
    assert not advice(plan, {"put": TWO_SECONDS, "look": short})


def test_a_call_that_has_cost_something_and_reserves_nothing_is_noticed_under_a_cap() -> None:
    paid = CostRange(expected=Cost(usd=0.2), high=Cost(usd=0.25))
    history = {"look": Observed(calls=9, cost=paid)}
    capped = Plan(steps=(look("a"),), budget=Budget(usd=1))
    assert advice(capped, history) == [
        ("steps[0]", "look has cost up to 0.25 usd, and reserves nothing")
    ]
    assert not advice(Plan(steps=(look("a"),), budget=Budget(tokens=1)), history)
    ceiling = Step(id="a", tool="look", ceiling=Cost(usd=0.3))
    assert not advice(Plan(steps=(ceiling,), budget=Budget(usd=1)), history)
