"""Sixteen further plans, by habits that were not known: nothing in them goes wrong in silence.

`judged/<name>.*` are the plans as they are handed in, `judged/tools.json` the tools they call. If
it is not certain what is meant, `check --fix` leaves it, and tells of it.
"""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest
from tests.corpus.checking import check, mend
from tests.corpus.labels import HERE, specs
from tests.corpus.reader import obey

if TYPE_CHECKING:
    from callsheet.core.plan.toolspec import ToolSpec
    from callsheet.core.problem import Problem

pytestmark = pytest.mark.requirement("E28")

JUDGED = HERE / "judged"
PLANS = {path.stem: path for path in sorted(JUDGED.iterdir()) if path.name != "tools.json"}
UNCLEAN = {"dagster-ish"}
"""It calculates in a reference, which a tool must do."""


@cache
def tools() -> dict[str, ToolSpec]:
    return specs(JUDGED)


@cache
def mended(name: str) -> tuple[Any, tuple[Problem, ...]]:
    return mend(PLANS[name].read_text(), tools())


def told(name: str, place: str) -> str:
    return " ".join(f"{each.what} {each.fix}" for each in mended(name)[1] if each.place == place)


@pytest.mark.parametrize("name", PLANS)
def test_a_plan_is_clean_after_fixing_and_one_further_round(name: str) -> None:
    problems, _ = check(obey(*mended(name)), tools())
    left = [str(each) for each in problems if each.severity == "error"]
    assert bool(left) == (name in UNCLEAN), left


def test_an_off_that_a_condition_asks_for_is_false() -> None:
    document, _ = mended("ansible-switch")
    assert document["inputs"]["dry_run"] == {"type": "boolean", "default": False}


def test_an_off_that_nobody_asks_for_is_asked() -> None:
    text = "callsheet: 1\nvars: {mode: off}\nsteps:\n  - {id: a, tool: http.ping, args: {url: x}}\n"
    _, left = mend(text, tools())
    assert [each.place for each in left if "true or false" in each.what] == ["vars.mode"]


def test_a_value_that_is_none_of_those_there_are_is_not_chosen_for_anyone() -> None:
    document, _ = mended("temporal-saga")
    assert document["steps"][0]["args"]["mode"] == "overwrite"
    assert "Choose one: append, replace." in told("temporal-saga", "steps[0].args.mode")


@pytest.mark.parametrize(
    ("name", "step", "argument", "meant"),
    [
        ("n8n-triage", 1, "text", "${item.title}"),
        ("asl-map-wait", 0, "path", "${item}"),
        ("dagster-ish", 1, "ticket_id", "${item.id}"),
    ],
)
def test_the_item_of_others_is_the_item(name: str, step: int, argument: str, meant: str) -> None:
    assert mended(name)[0]["steps"][step]["args"][argument] == meant


def test_a_long_wait_is_not_cut_short() -> None:
    found = mended("airflow-load")[0]["steps"][0]["retry"]
    assert found == {"attempts": 4, "backoff": "90s", "max_backoff": "90s"}


def test_what_takes_a_call_back_or_follows_its_failure_is_never_lost() -> None:
    assert "undo: {tool: hotel.cancel, args: {code:" in told("anthropic-style", "steps[1].cleanup")
    rescue = told("ansible-switch", "steps[1].rescue")
    assert "tool: dns.point" in rescue
    assert "${outcomes.point_the_name.state == 'failed'}" in rescue
    assert "`on_failure: ignore`" in rescue
    assert "at 'alarm'" in told("asl-choice", "steps[0].Catch")


def test_what_became_of_a_step_is_its_outcome() -> None:
    found = mended("gha-smoke")[0]["steps"][2]["args"]["message"]
    assert found == "switch was ${outcomes.switch.state}"
    assert "`on_failure: ignore` at switch" in told("gha-smoke", "steps[2].when")


def test_functions_and_context_of_a_state_machine_are_never_text() -> None:
    found = mended("asl-choice")[0]["steps"][2]["args"]["message"]
    assert found == "slow: ${steps.ping.ms} ms"
    step = {"id": "a", "tool": "http.ping", "args": {"url": "$$.Execution.Id"}}
    problems, _ = check(json.dumps({"callsheet": 1, "steps": [step]}), tools())
    assert [each.place for each in problems if each.severity == "error"] == ["steps[0].args.url"]


def test_a_whole_mapping_inside_a_text_is_told_with_its_fields() -> None:
    assert "it has label, score" in told("rewoo-scan", "steps[2].args.message")


def test_an_input_with_a_default_where_it_is_used_is_declared_with_it() -> None:
    document, _ = mended("compose-like")
    assert document["inputs"] == {"TABLE": {"type": "string", "default": "scans"}}
    assert document["steps"][1]["args"]["table"] == "${inputs.TABLE}"


def test_an_argument_that_is_missing_is_the_input_of_its_name() -> None:
    assert "Write `nights: ${inputs.nights}`." in told("anthropic-style", "steps[1].args.nights")
