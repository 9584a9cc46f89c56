"""A plan made ready: who needs whom, and what a tool's declaration means for a step."""

from __future__ import annotations

import pytest
from tests.unit.core.story import TOOLS, a_plan

from callsheet.core.plan.plan import (
    NOTHING,
    Cost,
    Plan,
    Retry,
    Step,
    Undo,
)
from callsheet.core.plan.toolspec import ToolSpec
from callsheet.core.run.graph import Graph, graph_of, needs_of


def a_graph(*steps: Step, tools: dict[str, ToolSpec] | None = None) -> Graph:
    return Graph(a_plan(*steps), tools or TOOLS)


@pytest.mark.requirement("order:starts-after-needs")
def test_a_reference_anywhere_in_a_step_is_a_dependency() -> None:
    step = Step(
        id="z",
        tool="make",
        needs=("a",),
        args={"deep": [{"x": "${steps.b.name}"}], "twice": "${steps.a}"},
        for_each="${steps.c}",
        when="${steps.d == 'x'}",
        touches=("file:${steps.e}",),
        undo=Undo(tool="unmake", args={"id": "${output.id}", "of": "${steps.f}"}),
    )
    assert sorted(needs_of(step)) == ["a", "b", "c", "d", "e", "f"]
    assert needs_of(Step(id="q", ask="Is ${steps.g} right?")) == ("g",)
    assert needs_of(Step(id="q", tool="look", undo="none")) == ()


def test_dependents_and_ancestors_are_known_both_ways() -> None:
    graph = a_graph(
        Step(id="d", tool="look", needs=("b", "c")),
        Step(id="c", tool="look", needs=("a",)),
        Step(id="b", tool="look", needs=("a",)),
        Step(id="a", tool="look"),
        Step(id="e", tool="look"),
    )
    by_name = {str(name): planned for name, planned in graph.steps.items()}
    assert by_name["a"].dependents == ["c", "b"]
    assert graph.ancestors(by_name["d"].id) == {"a", "b", "c"}
    assert graph.ancestors(by_name["a"].id) == set()
    assert [planned.order for planned in by_name.values()] == [0, 1, 2, 3, 4]
    # Dependencies first, and among those that could come next the first in the plan.
    assert sorted(by_name, key=lambda name: by_name[name].rank) == ["a", "c", "b", "d", "e"]


@pytest.mark.requirement("retry:attempts-by-effect")
@pytest.mark.parametrize(
    ("step", "attempts"),
    [
        (Step(id="a", tool="look"), 3),
        (Step(id="a", tool="put"), 3),
        (Step(id="a", tool="make"), 1),
        (Step(id="a", tool="make", idempotent=True), 3),
        (Step(id="a", tool="put", idempotent=False), 1),
        (Step(id="a", tool="make", in_doubt="retry"), 3),
        (Step(id="a", tool="make", retry=Retry(attempts=5)), 5),
        (Step(id="a", tool="put", retry=Retry(attempts=1)), 1),
    ],
)
def test_reads_and_idempotent_writes_have_three_attempts_and_other_writes_one(
    step: Step, attempts: int
) -> None:
    (planned,) = a_graph(step).steps.values()
    assert planned.attempts == attempts


def test_a_step_s_own_word_comes_before_the_tool_s() -> None:
    tool = ToolSpec(
        name="t",
        effect="write",
        retry=Retry(attempts=7),
        timeout=9.0,
        ceiling=Cost(usd=3.0),
        undo="unmake",
    )
    tools = {**TOOLS, "t": tool}
    (plain,) = a_graph(Step(id="a", tool="t"), tools=tools).steps.values()
    assert (plain.attempts, plain.timeout, plain.reserve) == (7, 9.0, Cost(usd=3.0))
    own = Step(
        id="a",
        tool="t",
        retry=Retry(backoff=2.0),
        timeout=1.0,
        ceiling=Cost(usd=0.5),
        undo=Undo(tool="refund"),
    )
    (planned,) = a_graph(own, tools=tools).steps.values()
    assert (planned.attempts, planned.retry.backoff, planned.timeout) == (1, 2.0, 1.0)
    assert planned.undo_tool == "refund"
    assert planned.undo_reserve == Cost(usd=1.0)
    assert planned.reserve == Cost(usd=1.5), "the undo's cost is reserved with its step"


@pytest.mark.parametrize(
    ("step", "undo"),
    [
        (Step(id="a", tool="make"), "unmake"),
        (Step(id="a", tool="make", undo="none"), None),
        (Step(id="a", tool="make", undo=Undo(tool="refund")), "refund"),
        (Step(id="a", tool="shout"), None),
        (Step(id="a", tool="look", undo=Undo(tool="refund")), None),
        (Step(id="a", ask="?"), None),
        (Step(id="a", tool="unheard_of"), None),
    ],
)
def test_only_a_write_is_taken_back(step: Step, undo: str | None) -> None:
    (planned,) = a_graph(step).steps.values()
    assert planned.undo_tool == undo


def test_a_tool_that_only_reads_or_is_idempotent_may_simply_be_called_again() -> None:
    assert [TOOLS[name].repeatable for name in ("look", "put", "make")] == [True, True, False]


def test_a_question_calls_nothing_and_costs_nothing() -> None:
    (planned,) = a_graph(Step(id="a", ask="?", timeout=5.0)).steps.values()
    assert (planned.tool, planned.writes, planned.repeatable, planned.reserve) == (
        "",
        False,
        True,
        NOTHING,
    )
    assert planned.timeout == 5.0
    assert not planned.gated


def test_a_step_is_decided_first_when_it_has_a_condition_or_keys_that_are_not_known() -> None:
    graph = a_graph(
        Step(id="a", tool="look", when="${inputs.go}"),
        Step(id="b", tool="look", touches=("x", "${inputs.key}")),
        Step(id="c", tool="look", touches=("x",)),
    )
    assert [(planned.gated, planned.dynamic_touches) for planned in graph.steps.values()] == [
        (True, False),
        (True, True),
        (False, False),
    ]


def test_runs_of_one_plan_share_one_graph_and_few_are_kept() -> None:
    plan = a_plan(Step(id="a", tool="look"))
    again = Plan(steps=(Step(id="a", tool="look"),))
    first = graph_of(plan, TOOLS, {})
    assert graph_of(again, dict(TOOLS), {}) is first
    assert graph_of(plan, {**TOOLS, "look": ToolSpec(name="look", timeout=1.0)}, {}) is not first
    for number in range(70):
        graph_of(a_plan(Step(id=f"s{number}", tool="look")), TOOLS, {})
    assert graph_of(plan, TOOLS, {}) is not first
