"""Laws of forecasts: ranges hold what they expect, and more work never looks like less."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs
from tests.property.choice import Choice
from tests.property.strategies import TOOLS, a_plan

from callsheet.core.plan.plan import Cost, Plan
from callsheet.core.run.graph import Graph
from callsheet.insight.advice import advise
from callsheet.insight.estimate import CostRange, Observed, Range
from callsheet.insight.forecast import Forecast, Outlook, forecast

# Each is tried on a hundred plans.
pytestmark = [pytest.mark.slow, pytest.mark.requirement("E21")]

CURRENCIES = ("usd", "credits", "tokens", "calls")
AMOUNTS = st.integers(min_value=0, max_value=8)


@st.composite
def plans(draw: st.DrawFn) -> Plan:
    return a_plan(Choice(draw), capped=draw(st.booleans()))


@st.composite
def histories(draw: st.DrawFn) -> dict[str, Observed]:
    found = {}
    for name in draw(st.sets(st.sampled_from(sorted(TOOLS)))):
        ends = sorted(draw(st.tuples(AMOUNTS, AMOUNTS, AMOUNTS)))
        low, middle, high = (Cost(usd=end / 8, tokens=end) for end in ends)
        steps = draw(st.integers(min_value=0, max_value=20))
        found[name] = Observed(
            calls=draw(st.integers(min_value=1, max_value=20)),
            seconds=Range(low=ends[0], expected=ends[1], high=ends[2]),
            retried=draw(st.sampled_from((0.0, 0.05, 0.25, 0.5, 1.0))),
            steps=steps,
            succeeded=draw(st.integers(min_value=0, max_value=steps)),
            cost=CostRange(low=low, expected=middle, high=high),
        )
    return found


def outlook(plan: Plan, history: dict[str, Observed]) -> Outlook:
    return Outlook(Graph(plan, TOOLS), TOOLS, history, None)


def foreseen(plan: Plan, history: dict[str, Observed]) -> Forecast:
    return forecast(outlook(plan, history))


@given(plans(), histories())
def test_a_range_holds_what_is_expected(plan: Plan, history: dict[str, Observed]) -> None:
    found = foreseen(plan, history)
    assert found.seconds.low <= found.seconds.expected <= found.seconds.high
    for currency in CURRENCIES:
        ends = (found.cost.low, found.cost.expected, found.cost.high)
        low, expected, high = (getattr(end, currency) for end in ends)
        assert 0 <= low <= expected <= high, currency
    for step in found.steps:
        if step.seconds is not None:
            assert step.seconds.low <= step.seconds.expected <= step.seconds.high
        assert 1 <= step.tries.expected <= step.tries.high <= max(step.attempts, 1)


@given(plans(), histories())
def test_the_longest_path_is_never_longer_than_the_run(
    plan: Plan, history: dict[str, Observed]
) -> None:
    found = foreseen(plan, history)
    assert found.critical_seconds <= found.seconds.expected + 1e-6
    assert 1 <= found.at_once <= found.width
    assert found.at_once <= plan.concurrency
    assert sorted(name for wave in found.waves for name in wave) == sorted(
        step.id for step in plan.steps
    )


@given(plans(), histories(), st.integers(min_value=2, max_value=5))
def test_dearer_calls_never_make_a_cheaper_run(
    plan: Plan, history: dict[str, Observed], factor: int
) -> None:
    def dearer(amount: Cost) -> Cost:
        return Cost(usd=amount.usd * factor, tokens=amount.tokens * factor)

    more = {
        name: structs.replace(
            seen,
            cost=CostRange(
                low=dearer(seen.cost.low),
                expected=dearer(seen.cost.expected),
                high=dearer(seen.cost.high),
            ),
        )
        for name, seen in history.items()
        if seen.cost is not None
    }
    before, after = foreseen(plan, history).cost, foreseen(plan, more).cost
    for end in ("low", "expected", "high"):
        for currency in CURRENCIES:
            assert getattr(getattr(before, end), currency) <= getattr(getattr(after, end), currency)


@given(plans(), histories())
def test_more_failures_never_raise_the_chance(plan: Plan, history: dict[str, Observed]) -> None:
    worse = {
        name: structs.replace(seen, steps=seen.steps + 1) if seen.steps else seen
        for name, seen in history.items()
    }
    before, after = foreseen(plan, history).chance, foreseen(plan, worse).chance
    assert (before is None) == (after is None)
    assert before is None or after is None or 0 < after <= before < 1 or before == after == 1


@given(plans())
def test_without_history_and_estimates_every_number_is_listed_as_unknown(plan: Plan) -> None:
    found = foreseen(plan, {})
    called = {step.step for step in found.steps if step.tool and step.presence != "never"}
    for what in ("seconds", "chance"):
        listed = {each.step for each in found.unknown if each.what == what}
        # Those of sub-plans are listed, too, by a path.
        assert {step for step in listed if "/" not in step} == called
    assert found.seconds.expected == 0
    assert found.chance is None


@given(plans(), histories())
def test_the_same_plan_and_history_give_the_same_forecast_and_advice(
    plan: Plan, history: dict[str, Observed]
) -> None:
    once, again = outlook(plan, history), outlook(plan, history)
    found = forecast(once)
    assert found == forecast(again)
    assert advise(once, found) == advise(again, found)


@given(plans(), histories())
def test_a_budget_that_fits_holds_the_worst_case(plan: Plan, history: dict[str, Observed]) -> None:
    for line in foreseen(plan, history).budget:
        if line.verdict == "fits":
            assert line.worst is not None
            assert line.high <= line.cap >= line.worst
        if line.verdict == "does not fit":
            assert line.expected > line.cap
