"""Problems are collected, all of them, and told with their places."""

from __future__ import annotations

import pickle

import pytest

from callsheet.errors import CallsheetError, InputError, PlanError, StoreBusyError
from callsheet.types import Problem, Problems

WRONG = Problem(place="steps[0].tool", what="there is no tool 'x'", fix="Remove it.", line=3)
ODD = Problem(place="steps[1]", what="it is never used", severity="warning")


@pytest.mark.requirement("E2")
def test_one_problem_does_not_hide_the_others() -> None:
    problems = Problems()
    assert not problems.failed
    problems.add("budget", "it is not a mapping", "Write {…}.", line=7)
    problems.take(PlanError("The plan does not check: …", [WRONG, ODD]), "plan.yaml")
    problems.take(InputError("There is no file 'x'."), "--tools x")
    places = [each.place for each in problems.problems]
    assert places == ["budget", "steps[0].tool", "steps[1]", "--tools x"]
    assert [each.severity for each in problems.errors] == ["error"] * 3
    assert problems.failed
    assert problems.problems[-1].what == "There is no file 'x'"


def test_what_an_error_says_can_be_said_of_a_file() -> None:
    problems = Problems()
    problems.take(PlanError("…", [WRONG]), "--config", within="callsheet.toml: ")
    assert str(problems.problems[0]).startswith("callsheet.toml: steps[0].tool (line 3): ")


def test_warnings_alone_are_no_failure() -> None:
    problems = Problems()
    problems.take(PlanError("…", [ODD]), "plan")
    assert (problems.failed, problems.errors, len(problems.problems)) == (False, [], 1)


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (StoreBusyError("It is."), {"code": "store_busy", "message": "It is.", "problems": []}),
        (InputError("It is."), {"code": "input", "message": "It is.", "problems": []}),
        (
            PlanError("It is.", [WRONG, ODD]),
            {
                "code": "plan",
                "message": "It is.",
                "problems": [
                    {
                        "severity": "error",
                        "place": "steps[0].tool",
                        "what": "there is no tool 'x'",
                        "fix": "Remove it.",
                        "line": 3,
                    },
                    {"place": "steps[1]", "what": "it is never used", "severity": "warning"},
                ],
            },
        ),
    ],
)
def test_an_error_is_told_with_its_problems_also_by_another_process(
    error: CallsheetError, told: dict[str, object]
) -> None:
    assert error.to_json() == told
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), again.to_json()) == (type(error), told)
