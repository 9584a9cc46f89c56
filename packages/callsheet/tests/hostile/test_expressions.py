"""A short expression cannot ask for more than the engine has."""

from __future__ import annotations

import tracemalloc

import pytest

from callsheet import Engine, Plan, Step
from callsheet.core.refs.evaluation import MOST_BUILT, MOST_STEPS
from callsheet.core.refs.expression import Expression, Scope, parse
from callsheet.errors import InvalidError

pytestmark = pytest.mark.requirement("S10")

LARGE = "x" * 10_000_000
SCOPE: Scope = {
    "inputs": {"s": "0123456789", "l": [1] * 8, "large": LARGE, "deep": [[["x"]]]},
    "steps": {"a": {"items": [{"n": n, "name": f"name {n}"} for n in range(6_000)]}},
}

BUILT = {
    "1 GB of text": "inputs.s" + " | join('',[@,@,@,@,@,@,@,@,@,@])" * 8,
    "text of what was written out": "inputs" + " | [@,@,@,@,@,@,@,@]" * 7 + " | to_string(@)",
    "a list of lists of the same": "inputs" + " | [@,@,@,@,@,@,@,@]" * 7,
    "a mapping of mappings of the same": "inputs" + " | {a: @, b: @, c: @, d: @}" * 12,
    "a large value twice": "[inputs.large, inputs.large]",
    "a large text turned around": "reverse(inputs.large)",
    "a large text with glue": "join(inputs.large, ['a', 'b'])",
    "two towers compared": f"(inputs{' | [@,@]' * 25}) == (inputs{' | [@,@]' * 25})",
    "a tower looked for": f"contains([inputs{' | [@,@]' * 25}], inputs{' | [@,@]' * 25})",
}
WORK = {
    "flattened again and again": "inputs.l" + " | [].[@,@,@,@,@,@,@,@][]" * 6,
    "a product": "inputs.l[*].[@,@,@,@,@,@,@,@][]" + ".[@,@,@,@,@,@,@,@][]" * 6,
    "a product of a function": "map(&[@,@,@,@,@,@,@,@], inputs.l)" + "[].[@,@,@,@,@,@,@,@][]" * 6,
}


def evaluate(text: str) -> object:
    parsed = parse(text)
    assert isinstance(parsed, Expression), parsed
    return parsed.evaluate(SCOPE)


@pytest.mark.parametrize("text", BUILT.values(), ids=BUILT.keys())
def test_what_an_expression_builds_is_bounded(text: str) -> None:
    tracemalloc.start()
    try:
        with pytest.raises(InvalidError, match=f"it builds more than {MOST_BUILT:,} characters"):
            evaluate(text)
        assert tracemalloc.get_traced_memory()[1] < 60_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("text", WORK.values(), ids=WORK.keys())
def test_the_steps_of_an_expression_are_bounded(text: str) -> None:
    with pytest.raises(InvalidError, match=f"it takes more than {MOST_STEPS:,} steps"):
        evaluate(text)


def test_a_value_that_is_there_is_handed_on_however_large_it_is() -> None:
    assert evaluate("inputs.large") is LARGE
    assert evaluate("[inputs.large][0]") is LARGE
    assert evaluate("{a: inputs.large, b: inputs.s}") == {"a": LARGE, "b": "0123456789"}
    assert evaluate("inputs.missing || inputs.large") is LARGE


def test_what_plans_usually_ask_for_is_far_from_the_bounds() -> None:
    assert len(evaluate("steps.a.items[*].name")) == 6_000  # type: ignore[arg-type]
    found = evaluate("steps.a.items[?n > `10`].{name: name, n: n}")
    assert len(found) == 5_989  # type: ignore[arg-type]
    assert evaluate("sort_by(steps.a.items, &name)[0].n") == 0
    assert evaluate("length(steps.a.items)") == 6_000


def test_the_same_expression_over_the_same_values_always_gives_the_same() -> None:
    text = "inputs.l[*].[@, @] | [0]"
    assert [evaluate(text) for _ in range(3)] == [[1, 1]] * 3
    compared = "[`1` == `1`, `1` < `2`, `true` < `2`, inputs.l == inputs.l]"
    assert evaluate(compared) == [True, True, None, True]


@pytest.mark.parametrize("text", ["to_number('nan')", "sum([`9e307`, `9e307`, `9e307`])"])
def test_a_number_that_json_cannot_say_is_refused(text: str) -> None:
    with pytest.raises(InvalidError, match="not a finite number"):
        evaluate(text)


async def test_in_a_run_it_is_a_failed_step_and_the_engine_goes_on() -> None:
    steps = (
        Step(id="a", tool="value", args={"value": "0123456789"}),
        Step(
            id="b",
            tool="value",
            args={"value": "${steps.a" + " | join('',[@,@,@,@,@,@,@,@,@,@])" * 8 + "}"},
        ),
    )
    async with Engine.in_memory() as engine:
        result = await (await engine.start(Plan(steps=steps))).wait()
        error = result.steps["b"].error
        assert error is not None
        assert error.error_class == "invalid"
        assert "it builds more than" in error.message
