"""Plans as they are written: what the checker makes of them."""

from __future__ import annotations

import copy
import json
import re
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest
from tests.corpus.checking import check, mend
from tests.corpus.labels import samples, specs
from tests.corpus.score import Score, group_of, score, share

from callsheet import Engine, tools_from
from callsheet.core.check.fix import fix_document
from callsheet.core.patch import patched
from callsheet.core.plan.document import plain, read_text
from callsheet.core.problem import Report
from callsheet.testing.simulation.sample import sampled

if TYPE_CHECKING:
    from tests.corpus.labels import Sample

    from callsheet.core.plan.plan import Plan
    from callsheet.core.value import Json

pytestmark = [pytest.mark.requirement("E28"), pytest.mark.slow]  # forty plans, each checked often

FOREIGN = re.compile(r"\{\{|\$\{|\$[a-z_]+\.|#E\d|<[a-z_]\w*\.")


@cache
def scores() -> tuple[Score, ...]:
    return tuple(map(score, samples()))


GROUPS = ("open", "kept aside", "second set")


def _scored(group: str) -> list[Score]:
    found: dict[str, list[Score]] = {name: [] for name in GROUPS}
    for each in scores():
        name = group_of(each.sample)
        found[name if name in found else "open"].append(each)
    return found[group]


@pytest.mark.parametrize("group", GROUPS)
def test_nearly_every_mistake_is_named_in_the_first_pass_with_the_right_way_to_write_it(
    group: str,
) -> None:
    found = _scored(group)
    mistakes = sum(len(each.sample.mistakes) for each in found)
    unnamed = [(each.sample.name, one) for each in found for one in each.unnamed]
    wrong = [(each.sample.name, one) for each in found for one in each.wrong]
    assert share(mistakes - len(unnamed), mistakes) >= 95, unnamed
    assert share(mistakes - len(wrong), mistakes) >= 90, wrong


@pytest.mark.parametrize("group", GROUPS)
def test_most_plans_are_clean_after_fixing_and_one_further_round(group: str) -> None:
    found = _scored(group)
    left = {each.sample.name: list(map(str, each.left)) for each in found if each.left}
    assert share(len(found) - len(left), len(found)) >= 80, left


@pytest.mark.parametrize("sample", samples(), ids=lambda each: each.name)
def test_the_patches_of_all_problems_are_one_patch(sample: Sample) -> None:
    report = Report()
    document = plain(read_text(sample.text, report)[1], report)
    problems, _ = check(sample.text, specs())
    for problem in problems:
        if problem.patch is not None:
            # Strictly: an operation on what is not there is an error.
            document = patched(document, copy.deepcopy(problem.patch))
    assert document is not None


@pytest.mark.parametrize("sample", samples(), ids=lambda each: each.name)
def test_no_mistake_that_is_left_in_checks_clean(sample: Sample) -> None:
    """Each certain fix but one: the one that is left is told, whichever it is."""
    report = Report()
    original = plain(read_text(sample.text, report)[1], report)
    problems, _ = check(sample.text, specs())
    # An order that edges said is told at its step: without it, the references still do.
    certain = [
        each.patch
        for each in problems
        if each.patch is not None and not each.what.startswith("it comes after")
    ]
    for index in range(len(certain)):
        document = copy.deepcopy(original)
        for other, operation in enumerate(certain):
            if other != index:
                try:
                    document = patched(document, copy.deepcopy(operation))
                except (LookupError, ValueError):
                    continue
        if isinstance(document, dict) and document != _mended(sample):
            left, _ = check(document, specs())
            assert any(each.severity == "error" for each in left), certain[index]


def _mended(sample: Sample) -> Json:
    return mend(sample.text, specs())[0]


@pytest.mark.parametrize("sample", samples(), ids=lambda each: each.name)
async def test_what_checks_clean_runs_as_it_was_meant(sample: Sample) -> None:
    plan = next(each.plan for each in scores() if each.sample == sample)
    if plan is None:
        return
    called, result = await _run(plan)
    assert result == "succeeded"
    assert {name for name, _ in called} <= set(sample.calls)
    unconditional = {step.tool for step in plan.steps if step.tool and step.when is None}
    assert unconditional <= {name for name, _ in called} | _behind(plan)
    # What is nothing of this plan in {{ }} is honest text, and a warning.
    told = " ".join(str(each) for each in check(plan.to_json(), specs())[0])
    texts = [found for _, args in called for found in FOREIGN.findall(json.dumps(args))]
    assert "is not a reference: it stays as text" in told or texts == []


def _behind(plan: Plan) -> set[str | None]:
    """Tools of steps that are skipped with one that has a condition."""
    skipped = {step.id for step in plan.steps if step.when is not None}
    for step in plan.steps:
        if any(f"steps.{name}" in json.dumps(step.args) or name in step.needs for name in skipped):
            skipped.add(step.id)
    return {step.tool for step in plan.steps if step.id in skipped}


async def _run(plan: Plan) -> tuple[list[tuple[str, Json]], str]:
    called: list[tuple[str, Json]] = []
    known = specs()

    async def dispatch(name: str, args: dict[str, Any]) -> Json:
        called.append((name, args))
        return sampled(known[name].output_schema or {})

    described = [
        {"name": spec.name, "inputSchema": spec.input_schema, "outputSchema": spec.output_schema}
        for spec in known.values()
    ]
    terms: Any = {
        spec.name: {
            "effect": spec.effect,
            "idempotent": spec.idempotent,
            "undo": spec.undo,
            "cost": spec.cost,
            "ceiling": spec.ceiling,
        }
        for spec in known.values()
    }
    inputs = {
        name: sampled(schema)
        for name, schema in plan.inputs.items()
        if isinstance(schema, dict) and "default" not in schema
    }
    async with Engine.open(None, tools_from(described, dispatch, each=terms)) as engine:
        run = await engine.start(plan, inputs)
        async for view in run.watch():
            for question in view.questions:
                choices = question.choices
                answer = "approve" if question.ask == "approval" else (choices or ["x"])[0]
                await run.answer(question.step, answer)
        return called, str((await run.wait()).state)


def test_what_is_fixed_needs_no_second_fixing() -> None:
    for sample in samples():
        document = _mended(sample)
        assert isinstance(document, dict)
        again = fix_document(document, _Known())
        assert (again.document, again.done) == (document, ()), sample.name


class _Known:
    def spec(self, name: str) -> Any:
        return specs().get(name)

    def names(self) -> list[str]:
        return sorted(specs())
