"""Forecasts, number by number: what is declared, what was observed, and what nobody knows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from callsheet.core.plan.plan import Budget, Cost, Plan, Retry, Step
from callsheet.core.plan.toolspec import Limit, ToolSpec
from callsheet.core.run.graph import Graph
from callsheet.insight.estimate import CostRange, Observed, Range
from callsheet.insight.forecast import Forecast, Outlook, forecast

if TYPE_CHECKING:
    from callsheet.core.value import Json

pytestmark = pytest.mark.requirement("E21")

TOOLS = {
    spec.name: spec
    for spec in (
        ToolSpec(name="look"),
        ToolSpec(name="film", effect="write", cost=Cost(usd=0.5), ceiling=Cost(usd=0.75)),
        ToolSpec(name="guess", timeout=4.0, retry=Retry(attempts=2, backoff=1.0)),
        ToolSpec(name="lone", limit=Limit(at_once=1)),
    )
}


def seen(seconds: float = 2.0, **more: object) -> Observed:
    taken = Range(low=seconds / 2, expected=seconds, high=seconds * 2)
    fields: dict[str, object] = {"calls": 10, "steps": 8, "succeeded": 8, **more}
    return Observed(seconds=taken, cost=CostRange(), **fields)  # type: ignore[arg-type]


def foresee(
    plan: Plan, history: dict[str, Observed] | None = None, inputs: Json = None
) -> Forecast:
    return forecast(Outlook(Graph(plan, TOOLS), TOOLS, history or {}, inputs))


def a_plan(*steps: Step, **fields: object) -> Plan:
    return Plan(steps=steps, **fields)  # type: ignore[arg-type]


def missing(found: Forecast, what: str) -> list[str]:
    return [each.step for each in found.unknown if each.what == what]


def test_a_tool_that_was_never_called_is_listed_and_not_guessed() -> None:
    found = foresee(a_plan(Step(id="a", tool="look")))
    assert found.steps[0].seconds is None
    assert found.steps[0].cost is None
    assert found.chance is None
    assert [each.what for each in found.unknown] == ["seconds", "cost", "chance"]


def test_a_declared_cost_is_expected_and_the_ceiling_is_the_high_end() -> None:
    found = foresee(a_plan(Step(id="a", tool="film"), Step(id="b", tool="film")))
    assert found.cost == CostRange(
        low=Cost(usd=1, calls=2), expected=Cost(usd=1, calls=2), high=Cost(usd=1.5, calls=2)
    )
    assert not missing(found, "cost")


def test_a_step_s_own_cost_goes_before_its_tool_s() -> None:
    step = Step(id="a", tool="film", cost=Cost(usd=0.1), ceiling=Cost(usd=0.2))
    assert foresee(a_plan(step)).cost.high == Cost(usd=0.2, calls=1)


def test_enough_calls_outweigh_what_is_declared_and_few_do_not() -> None:
    paid = CostRange(low=Cost(usd=0.1), expected=Cost(usd=0.2), high=Cost(usd=0.3))
    plan = a_plan(Step(id="a", tool="film"))
    few, many = Observed(calls=4, cost=paid), Observed(calls=5, cost=paid)
    assert foresee(plan, {"film": few}).cost.expected.usd == 0.5
    assert foresee(plan, {"film": many}).cost.expected.usd == 0.2


def test_a_timeout_is_a_bound_and_no_estimate() -> None:
    found = foresee(a_plan(Step(id="a", tool="guess")))
    # Twice four seconds, and the longest wait in between.
    assert found.steps[0].at_most == 9.0
    assert found.seconds == Range(low=0, expected=0, high=9.0)
    assert missing(found, "seconds") == ["a"]


def test_steps_in_a_row_take_the_sum_and_side_by_side_the_longest() -> None:
    history = {"look": seen(2.0), "film": seen(5.0)}
    row = a_plan(Step(id="a", tool="look"), Step(id="b", tool="film", needs=("a",)))
    found = foresee(row, history)
    assert found.seconds == Range(low=3.5, expected=7.0, high=14.0)
    assert (found.critical_path, found.critical_seconds) == (("a", "b"), 7.0)
    assert (found.waves, found.width) == ((("a",), ("b",)), 1)
    beside = a_plan(Step(id="a", tool="look"), Step(id="b", tool="film"))
    found = foresee(beside, history)
    assert found.seconds == Range(low=2.5, expected=5.0, high=10.0)
    assert found.critical_path == ("b",)
    assert (found.waves, found.width) == ((("a", "b"),), 2)


def test_concurrency_limits_and_touches_make_it_longer() -> None:
    history = {"look": seen(2.0), "lone": seen(2.0)}
    items: Json = [1, 2, 3, 4]
    step = Step(id="a", tool="look", for_each=items)
    assert foresee(a_plan(step), history).seconds.expected == 2.0
    found = foresee(a_plan(step, concurrency=2), history)
    assert (found.seconds.expected, found.width, found.at_once) == (4.0, 4, 2)
    limited = a_plan(Step(id="a", tool="lone", for_each=items))
    assert foresee(limited, history).seconds.expected == 8.0
    touching = a_plan(Step(id="a", tool="look", for_each=items, touches=("x",)))
    assert foresee(touching, history).seconds.expected == 8.0


def test_a_list_of_unknown_size_is_said_per_item_and_one_is_counted() -> None:
    plan = a_plan(Step(id="a", tool="look"), Step(id="b", tool="film", for_each="${steps.a.shots}"))
    found = foresee(plan)
    assert found.steps[1].calls is None
    assert missing(found, "calls") == ["b"]
    assert found.cost.low == Cost(calls=1), "the list may be empty"
    assert found.cost.expected == Cost(usd=0.5, calls=2)


def test_a_list_that_is_an_input_is_counted_once_the_inputs_are_known() -> None:
    plan = a_plan(Step(id="a", tool="film", for_each="${inputs.shots}"), inputs={"shots": {}})
    assert foresee(plan).steps[0].calls is None
    found = foresee(plan, inputs={"shots": [1, 2, 3]})
    assert found.steps[0].calls == 3
    assert found.cost.low == Cost(usd=1.5, calls=3)
    assert foresee(plan, inputs={"shots": "no list"}).steps[0].calls is None


def test_what_may_be_skipped_is_not_in_the_low_end() -> None:
    plan = a_plan(
        Step(id="a", tool="look"),
        Step(id="b", tool="film", when="${steps.a}"),
        Step(id="c", tool="film", needs=("b",)),
        Step(id="d", tool="film", needs=("b",), run_if_skipped=True),
    )
    found = foresee(plan)
    assert [step.presence for step in found.steps] == ["always", "maybe", "maybe", "always"]
    assert (found.cost.low.usd, found.cost.expected.usd) == (0.5, 1.5)
    timed = foresee(plan, {"look": seen(2.0), "film": seen(6.0)})
    assert timed.seconds == Range(low=1.0 + 3.0, expected=2.0 + 6.0 + 6.0, high=28.0)


def test_a_condition_on_inputs_is_decided_once_they_are_known() -> None:
    plan = a_plan(
        Step(id="a", tool="film", when="${inputs.go}"),
        Step(id="b", tool="film", needs=("a",)),
        inputs={"go": {}},
    )
    given: list[tuple[Json, str]] = [
        (None, "maybe"),
        ({"go": True}, "always"),
        ({"go": False}, "never"),
    ]
    for inputs, presence in given:
        found = foresee(plan, inputs=inputs)
        assert [step.presence for step in found.steps] == [presence] * 2
    never = foresee(plan, inputs={"go": False})
    assert (never.cost.high, never.unknown) == (Cost(), ())


def test_retries_of_the_past_lengthen_and_raise_the_price_of_the_future() -> None:
    plan = a_plan(Step(id="a", tool="look", retry=Retry(attempts=3, backoff=0.0)))
    found = foresee(plan, {"look": seen(2.0, retried=0.5)})
    # 1 + 0.5 + 0.25 tries; a third is needed more often than once in ten cases.
    assert found.seconds == Range(low=1.0, expected=3.5, high=12.0)
    assert (found.cost.low.calls, found.cost.high.calls) == (1, 3)
    once = foresee(plan, {"look": seen(2.0, retried=0.05)})
    assert once.steps[0].tries.high < 1.1


def test_the_chance_is_that_of_all_steps_and_every_item() -> None:
    history = {"look": seen(succeeded=7, steps=9), "film": seen(succeeded=4, steps=4)}
    one = foresee(a_plan(Step(id="a", tool="look")), history)
    assert one.chance == pytest.approx(7.5 / 10)
    assert one.observations == 9
    items: Json = [1, 2]
    more = a_plan(Step(id="a", tool="look", for_each=items), Step(id="b", tool="look"))
    # Once it has gone well, it is likelier to go well again.
    again = 7.5 / 10 * 8.5 / 11 * 9.5 / 12
    assert foresee(more, history).chance == pytest.approx(again)
    both = foresee(a_plan(*more.steps, Step(id="c", tool="film")), history)
    assert both.chance == pytest.approx(again * 4.5 / 5)
    assert both.observations == 4
    unknown = a_plan(Step(id="a", tool="look"), Step(id="b", tool="film"))
    assert foresee(unknown, {"look": seen()}).chance is None


def test_a_step_whose_failure_is_ignored_does_not_lower_the_chance() -> None:
    plan = a_plan(Step(id="a", tool="look"), Step(id="b", tool="film", on_failure="ignore"))
    found = foresee(plan, {"look": seen(succeeded=7, steps=9)})
    assert found.chance == pytest.approx(0.75)


def test_an_empty_list_takes_nothing_and_risks_nothing() -> None:
    nothing: Json = []
    plan = a_plan(Step(id="a", tool="look"), Step(id="b", tool="film", for_each=nothing))
    found = foresee(plan, {"look": seen(2.0)})
    assert (found.seconds.expected, found.cost.high) == (2.0, Cost(calls=1))
    assert found.chance is not None


def test_a_person_is_named_and_not_timed() -> None:
    plan = a_plan(
        Step(id="ok", ask="Go on?"), Step(id="a", tool="look", needs=("ok",), approval="required")
    )
    found = foresee(plan, {"look": seen(2.0)})
    assert found.asks == ("ok", "a")
    assert found.seconds.expected == 2.0
    assert not found.unknown


@pytest.mark.parametrize(
    ("cap", "verdict"), [(0.4, "does not fit"), (0.6, "may not fit"), (0.75, "fits")]
)
def test_the_budget_is_held_against_what_is_expected_and_the_worst(
    cap: float, verdict: str
) -> None:
    plan = a_plan(Step(id="a", tool="film"), budget=Budget(usd=cap))
    (line,) = foresee(plan).budget
    assert (line.expected, line.high, line.worst, line.verdict) == (0.5, 0.75, 0.75, verdict)


def test_the_worst_case_is_every_try_of_every_call_at_its_ceiling() -> None:
    step = Step(id="a", tool="film", idempotent=True, for_each=[1, 2])
    (line,) = foresee(a_plan(step, budget=Budget(usd=2))).budget
    assert (line.expected, line.high, line.worst) == (1.0, 1.5, 4.5)
    assert line.verdict == "should fit"


def test_without_a_ceiling_nobody_promises_that_it_fits() -> None:
    plan = a_plan(Step(id="a", tool="look"), budget=Budget(usd=9, calls=9, seconds=99))
    usd, calls, seconds = foresee(plan, {"look": seen()}).budget
    assert (usd.verdict, usd.worst) == ("fits", 0.0), "it has been called, and was free"
    assert (calls.verdict, calls.worst) == ("fits", 3)
    assert (seconds.verdict, seconds.worst) == ("should fit", None)
    unknown = foresee(plan).budget[0]
    assert (unknown.verdict, unknown.worst) == ("should fit", None)


def test_a_sub_plan_counts_as_a_whole() -> None:
    inner = a_plan(Step(id="x", tool="look"), Step(id="y", tool="film", needs=("x",)), name="inner")
    found = foresee(
        a_plan(Step(id="a", plan=inner), Step(id="b", tool="look", needs=("a",))),
        {"look": seen(2.0), "film": seen(3.0)},
    )
    assert found.seconds.expected == 7.0
    assert found.cost.expected.calls == 3
    assert found.steps[0].plan == "inner"
    alone = foresee(a_plan(Step(id="a", plan=inner)))
    assert (alone.cost.low.usd, alone.cost.expected.usd, alone.cost.high.usd) == (0.5, 0.5, 0.75)
    assert alone.chance is None
    assert missing(alone, "seconds") == ["a/x", "a/y"]
