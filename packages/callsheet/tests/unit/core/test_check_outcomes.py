"""What the checker says of `${outcomes.ID}` and of `within`."""

from __future__ import annotations

import pytest
from tests.unit.core.test_check import FIND, FLY, check, echo, errors, warnings

from callsheet.core.plan.plan import Step, Undo
from callsheet.core.plan.read import read_plan
from callsheet.errors import PlanError

pytestmark = pytest.mark.requirement("step:outcomes", "E2")

EACH = Step(id="each", tool="hotels.find", for_each=[1, 2])


def said_of(reference: str, *steps: Step, policy: str = "continue") -> list[str]:
    step = echo({"x": ["${" + reference + "}"]})
    return errors(FIND, FLY, EACH, *steps, step, on_failure=policy)


@pytest.mark.parametrize(
    "reference",
    [
        "outcomes.find",
        "outcomes.find.state",
        "outcomes.find.error.class",
        "outcomes.find.error.happened == 'unknown'",
        "outcomes.find.output.rooms[0].id",
        "outcomes.fly.output.price",
        "outcomes.each",
        "outcomes.each[0].state",
        "outcomes.each[*].error.message",
        "outcomes.each[1].output.name",
    ],
)
def test_an_outcome_has_a_state_an_output_and_an_error(reference: str) -> None:
    assert said_of(reference) == []


@pytest.mark.parametrize(
    ("reference", "told"),
    [
        ("outcomes.find.stat", "outcomes.find has no 'stat'. Write `${outcomes.find.state}`."),
        ("outcomes.find.error.kind", "outcomes.find.error has no 'kind'"),
        ("outcomes.find.output.zzz", "outcomes.find.output has no 'zzz'"),
        ("outcomes.find.state.x", "outcomes.find.state is a string and has no field 'x'"),
        ("outcomes.each.state", "outcomes.each is an array and has no field 'state'"),
        ("outcomes.fnd.state", "there is no step 'fnd'. Write `${outcomes.find.state}`."),
        ("outcomes.qqqqqq", "there is no step 'qqqqqq'"),
        ("outcomes.a", "a step cannot refer to itself"),
        ("outcomes", "a reference names its step. Write outcomes.<id>"),
    ],
)
def test_a_reference_to_an_outcome_must_lead_somewhere(reference: str, told: str) -> None:
    found = said_of(reference)
    assert found, reference
    assert found[0].startswith(f"steps[3].args.x[0]: ${{{reference}}}: {told}")


def test_a_cycle_through_outcomes_is_told() -> None:
    one = Step(id="one", tool="echo", args={"x": "${outcomes.two.state}"})
    two = Step(id="two", tool="echo", args={"x": "${outcomes.one.state}"})
    (error,) = errors(one, two)
    assert "Steps form a cycle: one -> two -> one" in error


def test_an_undo_knows_nothing_of_outcomes() -> None:
    undo = Undo(tool="flights.cancel", args={"id": "${outcomes.find.state}"})
    step = Step(id="fly", tool="flights.book", args={"to": "Oslo"}, undo=undo)
    (error,) = errors(FIND, step)
    assert error.startswith("steps[1].undo.args.id: ${outcomes.find.state}: an undo cannot refer")


@pytest.mark.parametrize("policy", ["undo", "stop"])
def test_a_failure_that_nobody_can_see_is_worth_a_warning(policy: str) -> None:
    seen = echo({"x": "${outcomes.find.state}"})
    (warning,) = warnings(FIND, seen, on_failure=policy)
    assert warning.startswith(
        "steps[1].args.x: warning: ${outcomes.find.state} never sees a failure: one of 'find' stops"
    )
    assert "Write `on_failure: ignore` in find" in warning


@pytest.mark.parametrize("own", ["skip", "ignore"])
def test_a_failure_that_is_kept_from_the_run_can_be_seen(own: str) -> None:
    find = Step(id="find", tool="hotels.find", on_failure=own)  # type: ignore[arg-type]
    assert check(find, echo({"x": "${outcomes.find.state}"})) == ()


def test_what_is_only_watched_is_used() -> None:
    assert check(FIND, output="${outcomes.find.state}", on_failure="continue") == ()


@pytest.mark.parametrize("within", [0, "0s", -1, "soon", []])
@pytest.mark.requirement("step:within")
def test_the_time_of_a_step_is_a_duration(within: object) -> None:
    step = {"id": "a", "tool": "echo", "within": within}
    with pytest.raises(PlanError, match=r"steps\[0\].within"):
        read_plan({"callsheet": 1, "steps": [step]})


@pytest.mark.requirement("step:within")
def test_the_time_of_a_step_reads_back_as_it_was_written() -> None:
    plan = read_plan("callsheet: 1\nsteps:\n  - {id: a, tool: echo, within: 2m}\n")
    assert plan.steps[0].within == 120.0
    assert read_plan(plan.to_yaml()) == plan
    assert plan.steps[0] == Step(id="a", tool="echo", within="2m")
