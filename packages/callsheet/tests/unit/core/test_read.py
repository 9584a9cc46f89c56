from __future__ import annotations

import json
import math
import re
from datetime import UTC, datetime
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from callsheet.core.plan.document import MAX_BYTES, locate, plain
from callsheet.core.plan.duration import MAX_SECONDS
from callsheet.core.plan.plan import (
    Budget,
    Cost,
    Plan,
    Retry,
    Step,
    Undo,
)
from callsheet.core.plan.read import MAX_STEPS, read_plan
from callsheet.core.problem import MAX_PROBLEMS, Problem, Report, did_you_mean, show, spell
from callsheet.core.yaml.scalar import is_plain_text
from callsheet.errors import PlanError

if TYPE_CHECKING:
    from callsheet.core.value import Json

TRIP = """\
callsheet: 1
name: trip
description: A night away.
inputs:
  city: {type: string}
  nights: integer
budget: {usd: 2.50, seconds: 10m}
on_failure: stop
on_cancel: keep
concurrency: 4
steps:
  - id: flight
    tool: flights.book
    args:
      to: ${inputs.city}
    undo: {tool: flights.cancel, args: {id: "${output.id}"}}
  - id: hotel
    tool: hotels.book
    args: {city: "${inputs.city}", from: "${steps.flight.arrival}"}
    retry: {attempts: 3, backoff: 500ms}
    timeout: 30s
    touches: desk
    cost: 0.5
    ceiling: {usd: 1, tokens: 10}
  - id: rooms
    tool: hotels.photo
    for_each: ${steps.hotel.rooms}
    args: {room: "${item.id}"}
    needs: flight
    retry: 2
    undo: none
    idempotent: true
    destructive: false
  - id: ok
    ask: Keep it for ${steps.hotel.price} USD?
    choices: [keep, drop]
  - id: mail
    tool: mail.send
    when: ${steps.ok == 'keep'}
    args: {text: "Booked ${steps.hotel.name}"}
    approval: required
    priority: -3
    on_failure: ignore
    run_if_skipped: true
    in_doubt: fail
output: ${steps.hotel}
"""

TRIP_PLAN = Plan(
    name="trip",
    description="A night away.",
    inputs={"city": {"type": "string"}, "nights": {"type": "integer"}},
    budget=Budget(usd=2.5, seconds=600.0),
    on_failure="stop",
    on_cancel="keep",
    concurrency=4,
    steps=(
        Step(
            id="flight",
            tool="flights.book",
            args={"to": "${inputs.city}"},
            undo=Undo(tool="flights.cancel", args={"id": "${output.id}"}),
        ),
        Step(
            id="hotel",
            tool="hotels.book",
            args={"city": "${inputs.city}", "from": "${steps.flight.arrival}"},
            retry=Retry(attempts=3, backoff=0.5),
            timeout=30.0,
            touches=("desk",),
            cost=Cost(usd=0.5),
            ceiling=Cost(usd=1.0, tokens=10),
        ),
        Step(
            id="rooms",
            tool="hotels.photo",
            for_each="${steps.hotel.rooms}",
            args={"room": "${item.id}"},
            needs=("flight",),
            retry=Retry(attempts=2),
            undo="none",
            idempotent=True,
            destructive=False,
        ),
        Step(id="ok", ask="Keep it for ${steps.hotel.price} USD?", choices=("keep", "drop")),
        Step(
            id="mail",
            tool="mail.send",
            when="${steps.ok == 'keep'}",
            args={"text": "Booked ${steps.hotel.name}"},
            approval="required",
            priority=-3,
            on_failure="ignore",
            run_if_skipped=True,
            in_doubt="fail",
        ),
    ),
    output="${steps.hotel}",
)


def problems_of(
    source: str | bytes | dict[str, object] | Plan, name: str | None = None
) -> tuple[Problem, ...]:
    with pytest.raises(PlanError) as caught:
        read_plan(source, name=name)
    found = tuple(each for each in caught.value.problems if isinstance(each, Problem))
    assert found
    assert all(str(problem) in caught.value.message for problem in found)
    return found


def told(source: str | bytes | dict[str, object] | Plan) -> str:
    return "\n".join(map(str, problems_of(source)))


def a_plan(**fields: object) -> dict[str, object]:
    return {"callsheet": 1, "steps": [], **fields}


def a_step(**fields: object) -> dict[str, object]:
    return a_plan(steps=[{"id": "a", "tool": "t", **fields}])


def first(source: dict[str, object]) -> Step:
    return read_plan(source).steps[0]


def is_read_or_refused(source: str | bytes | dict[str, object]) -> bool:
    try:
        return isinstance(read_plan(source), Plan)
    except PlanError as error:
        return bool(error.problems)


# The same plan, however it is written


@pytest.mark.requirement("E1")
def test_yaml_json_mappings_and_python_build_the_same_plan() -> None:
    assert read_plan(TRIP) == TRIP_PLAN
    assert read_plan(TRIP.encode()) == TRIP_PLAN
    assert read_plan(json.dumps(TRIP_PLAN.to_json())) == TRIP_PLAN
    assert read_plan(TRIP_PLAN.to_yaml()) == TRIP_PLAN
    assert read_plan(TRIP_PLAN.to_json()) == TRIP_PLAN
    assert read_plan(TRIP_PLAN) == TRIP_PLAN
    assert read_plan({"callsheet": 1, "steps": [Step(id="a", tool="t")]}).steps[0].id == "a"


@pytest.mark.requirement("E1")
def test_equal_plans_have_equal_digests_however_they_are_written() -> None:
    one = read_plan("callsheet: 1\nbudget: {usd: 2}\nsteps: [{id: a, tool: t, timeout: 60}]")
    two = read_plan(
        '{"steps":[{"tool":"t","timeout":"1m","id":"a"}],"budget":{"usd":2.0},"callsheet":1}'
    )
    assert one.digest == two.digest


def test_a_plan_without_a_name_gets_one() -> None:
    assert read_plan(a_plan()).name == "plan"
    assert read_plan(a_plan(), name="trip").name == "trip"
    assert read_plan(a_plan(name="own"), name="trip").name == "own"
    assert read_plan(Plan(steps=()), name="trip").name == "plan"
    assert problems_of(a_plan(), name="my plan")[0].place == "name"


def test_a_null_is_as_if_the_field_were_not_there() -> None:
    assert read_plan(a_plan(budget=None, name=None)) == read_plan(a_plan())
    assert first(a_step(when=None, for_each=None, timeout=None)) == Step(id="a", tool="t")


def test_what_python_builds_is_normalised_and_copied() -> None:
    class City(StrEnum):
        OSLO = "oslo"

    args: dict[str, object] = {"city": City.OSLO, "list": (1, 2), "map": MappingProxyType({"a": 1})}
    step = first(a_step(args=args, timeout="2m"))
    args["city"] = "changed"
    assert step.args == {"city": "oslo", "list": [1, 2], "map": {"a": 1}}
    assert type(step.args["city"]) is str
    assert step.timeout == 120.0


@pytest.mark.parametrize(
    ("duration", "seconds"),
    [
        ("500ms", 0.5),
        ("30s", 30.0),
        ("5m", 300.0),
        ("1h", 3600.0),
        ("1d", 86400.0),
        (7, 7.0),
        (0.25, 0.25),
        ("1.5 h", 5400.0),
    ],
)
def test_durations_are_seconds_or_have_a_unit(duration: Json, seconds: float) -> None:
    assert first(a_step(timeout=duration)).timeout == seconds


def test_shorthands_stand_for_their_long_form() -> None:
    assert first(a_step(retry=4)).retry == Retry(attempts=4)
    assert first(a_step(retry={"backoff": 0})).retry == Retry(backoff=0.0)
    assert first(a_step(cost=2)).cost == Cost(usd=2.0)
    assert first(a_step(needs="b", touches="x")).needs == ("b",)
    assert read_plan(a_plan(inputs={"a": "string"})).inputs == {"a": {"type": "string"}}


# YAML


@pytest.mark.parametrize(
    ("scalar", "value"),
    [
        ("true", True), ("False", False), ("null", None), ("~", None), ("", None),
        ("5", 5), ("-5", -5), ("+5", 5), ("0", 0), ("0x1F", 31), ("1.5", 1.5), ("1e3", 1000.0),
        (".5", 0.5), ("1.", 1.0), ("007.5", 7.5), ("text", "text"), ("-", "-"), ("y", "y"),
        ("1.2.3", "1.2.3"), ("3d", "3d"), ("-x", "-x"), ("'yes'", "yes"), ('"5"', "5"),
        ("!!str 5", "5"), ("! 5", "5"), ("'2024-01-01'", "2024-01-01"), ("<<", "<<"),
    ],
)  # fmt: skip
def test_plain_words_mean_what_yaml_1_2_says(scalar: str, value: Json) -> None:
    plan = read_plan(
        f"callsheet: 1\nsteps: []\noutput: [{scalar}]"
        if scalar != "-"
        else "callsheet: 1\nsteps: []\noutput: ['-']"
    )
    expected: Json = [] if scalar == "" else [value]
    assert plan.output == expected


@pytest.mark.parametrize(
    ("scalar", "why"),
    [
        ("yes", "true or false"), ("On", "true or false"), ("NO", "true or false"),
        ("2024-01-01", "a date"), ("2024-01-01T10:00:00Z", "a date"),
        ("12:30", "a number of seconds"), ("0777", "do not agree"), ("0o17", "do not agree"),
        ("1_000", "do not agree"), ("0b11", "do not agree"), ("-0x1F", "do not agree"),
        (".nan", "NaN and infinity"), ("-.inf", "NaN and infinity"), (".Inf", "NaN and infinity"),
        ("1e999", "NaN and infinity"), ("9223372036854775808", "over 2^63"),
        ("-9223372036854775809", "over 2^63"), ("9" * 5000, "over 2^63"),
        ("0x" + "f" * 5000, "over 2^63"), ("!!binary aGk=", "!!binary"), ("!mine x", "!mine"),
        ("!!set {a}", "!!set"), ("!!omap [a: 1]", "!!omap"), ("*nowhere", "stands for nothing"),
        ("&a [*a]", "stands for nothing"), ("{1: x}", "the key 1 is not text. Write it in quotes"),
        ("{? [a] : x}", "is not text"), ("{on: x}", "true or false"), ("{null: x}", "is not text"),
        ("{a: 1, a: 2}", "'a' appears here twice"), ("{<<: 5}", "<< merges mappings, not 5"),
        ('"\\x00"', "control character, U+0000"), ('{"\\x07": 1}', "control character, U+0007"),
    ],
)  # fmt: skip
def test_what_yaml_readers_do_not_agree_on_is_refused_with_its_line(scalar: str, why: str) -> None:
    found = problems_of(f"callsheet: 1\nsteps: []\noutput:\n  deep: {scalar}\n")
    assert why in str(found[0])
    assert found[0].place.startswith("output.deep")
    assert found[0].line == 4


def test_aliases_and_merges_say_the_same_again() -> None:
    plan = read_plan(
        "callsheet: 1\n"
        "steps:\n"
        "  - &base {id: a, tool: t, retry: {attempts: 2}, args: &args {x: 1}}\n"
        "  - {<<: *base, id: b}\n"
        "  - {<<: [*base, {priority: 3}], id: c, args: {<<: *args, y: 2}}\n"
    )
    assert [step.id for step in plan.steps] == ["a", "b", "c"]
    assert plan.steps[1].retry == Retry(attempts=2)
    assert plan.steps[2].priority == 3
    assert plan.steps[2].args == {"x": 1, "y": 2}


@pytest.mark.requirement("E2")
@pytest.mark.parametrize(
    ("text", "why", "line"),
    [
        ("", "the document is empty", None),
        ("# nothing\n", "the document is empty", None),
        ("~", "the document is empty", None),
        ("- a\n- b", "it must be a mapping, not a list", None),
        ("just text", "it must be a mapping, not text", None),
        ("callsheet: 1\nsteps: []\n---\nx: 1", "more than one document", 3),
        ("a: 'x\n", "it is not YAML: found unexpected end of stream", 2),
        ("a:\n\t- b", "Indent with spaces", 2),
        ("args: {to: ${inputs.city}, x: y: z}", "put a reference into quotes", 1),
        ("a: b: c", "put a text with `: ` in it into quotes", 1),
        ("%YAML 9.0\n---\na", "it is not YAML", 1),
        ("a: \x00", "control character, U+0000", 1),
        ("a: 1\nb: \x1b[31m", "control character, U+001B", 2),
        ("[" * 5000, "nested more than 64 levels deep", 1),
        ('{"a":' * 5000, "nested more than 64 levels deep", 1),
        ('{"a": 1,,}', "it is not YAML", 1),
        ("{", "it is not YAML", 2),
    ],
)
def test_text_that_cannot_be_read_says_why_and_where(text: str, why: str, line: int | None) -> None:
    (problem,) = problems_of(text)
    assert why in str(problem)
    assert problem.line == line


def test_a_half_character_and_bytes_that_are_not_utf_8_are_refused() -> None:
    assert "not UTF-8 (at byte 2)" in told(b"a:\xff\xfe")
    assert "surrogate, at character 3" in told("a: \ud800")
    assert "U+D800" in told('{"callsheet": 1, "steps": [], "output": "\\ud800"}')
    assert read_plan("\ufeff" + TRIP) == TRIP_PLAN


def test_text_that_is_too_large_is_refused_before_it_is_read() -> None:
    assert "larger than 16 MB" in told(b"[" * (MAX_BYTES + 1))
    assert "larger than 16 MB" in told("[" * (MAX_BYTES + 1))


def test_a_billion_laughs_are_counted_not_laughed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("callsheet.core.yaml.read.MAX_VALUES", 20_000)
    laughs = "\n".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 12))
    assert "more than 20,000 values, aliases expanded" in told(f"a0: &a0 [x, x, x]\n{laughs}")


def test_more_values_than_a_plan_can_have_are_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("callsheet.core.yaml.read.MAX_VALUES", 100)
    assert "steps[97] (line 1): it has more than 100 values" in told(f"steps: [{'x, ' * 200}]")


def test_merging_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("callsheet.core.yaml.read._MAX_MERGED", 100)
    base = ", ".join(f"k{n}: 1" for n in range(30))
    merges = "\n".join(f"m{n}: {{<<: *base}}" for n in range(5))
    assert "merges too much" in told(f"base: &base {{{base}}}\n{merges}\n")


def test_json_with_a_repeated_key_is_refused_with_its_place() -> None:
    found = told('{"callsheet": 1, "steps": [{"id": "a",\n"tool": "t", "tool": "u"}]}')
    assert "steps[0].tool (line 2): 'tool' appears here twice" in found


def test_braces_that_are_not_json_are_read_as_yaml() -> None:
    assert read_plan("{callsheet: 1, steps: [{id: a, tool: t}],}").steps[0].id == "a"


def test_numbers_that_json_does_not_have_are_refused_with_their_place() -> None:
    found = told('{"callsheet": 1, "steps": [], "output": {"a": [NaN], "b": -Infinity}}')
    assert "output.a[0] (line 1): NaN" in found
    assert "output.b (line 1): NaN" in found


def test_where_quotes_or_comments_are_wrong_it_is_told_and_the_rest_is_read_as_well() -> None:
    found = told(
        "callsheet: 1\ninputs: {cities: list[str]}\nsteps:\n"
        "  - {id: a, tool: x, for_each: ${inputs.cities}, args: {to: ${item}}, neds: [b]}\n"
    )
    assert '(line 2): list[str] is not read as text here. Write `"list[str]"`' in found
    assert "(line 4): ${inputs.cities} is not read as text here" in found
    assert "steps[0].neds (line 4)" in found
    found = told('{\n  // a remark\n  "callsheet": 1, /* and\n another */ "stepps": ["//x"],\n}')
    assert "(line 2): there are no comments in JSON. Leave it out." in found
    assert "(line 3): there are no comments in JSON. Leave it out." in found
    assert "stepps (line 4)" in found


def test_the_slow_reader_reads_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    from yaml import SafeLoader

    monkeypatch.setattr("callsheet.core.yaml.read.LOADER", SafeLoader)
    assert read_plan(TRIP) == TRIP_PLAN
    assert "Indent with spaces" in told("a:\n\t- b")


def test_what_the_yaml_library_refuses_for_reasons_of_its_own_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("callsheet.core.yaml.read._UNPRINTABLE", re.compile(r"(?!)"))
    assert "it is not YAML: unacceptable character" in told("a: \x00")


# Fields


@pytest.mark.requirement("E2")
@pytest.mark.parametrize(
    ("source", "place", "why"),
    [
        ({"steps": []}, "callsheet", "Write `callsheet: 1`."),
        (a_plan(callsheet=2), "callsheet", "Upgrade Callsheet"),
        (a_plan(callsheet=0), "callsheet", "there is no version 0"),
        (a_plan(callsheet="1"), "callsheet", "Write `callsheet: 1`."),
        (a_plan(callsheet=True), "callsheet", "not a boolean (true)"),
        ({"callsheet": 1}, "steps", "it is missing"),
        (a_plan(steps=None), "steps", "it must be a list, not empty"),
        (a_plan(steps={"a": {"tool": "t"}}), "steps", "Write `- id: a` and so on"),
        (a_plan(steps=["x"]), "steps[0]", "it must be a mapping, not text"),
        (a_plan(steps=[{}] * (MAX_STEPS + 1)), "steps", "at most 50,000 steps, not 50,001"),
        (a_plan(nmae="x"), "nmae", "Write `name: x`."),
        (a_plan(zzzzzz=1), "zzzzzz", "there is no field 'zzzzzz'. Leave it out. The fields are"),
        (a_plan(secrets=["X"]), "secrets", "there is no field 'secrets'"),
        (a_plan(queue="gpu"), "queue", "`queue` is not available in this version"),
        (a_plan(name="a b"), "name", "'a b' is not what `name` takes. Write `name: a-b`."),
        (a_plan(name=5), "name", "it must be a name for a plan, not an integer (5)"),
        (a_plan(description=5), "description", "it must be text"),
        (a_plan(concurrency=0), "concurrency", "between 1 and 10,000, not 0"),
        (a_plan(concurrency=10_001), "concurrency", "between 1 and 10,000"),
        (a_plan(concurrency=2.5), "concurrency", "it must be an integer, not a number (2.5)"),
        (a_plan(on_failure="undoo"), "on_failure", "Write `undo`."),
        (a_plan(on_failure=5), "on_failure", "it must be undo or stop or continue, not 5"),
        (a_plan(on_cancel="stop"), "on_cancel", "it must be undo or keep, not 'stop'"),
        (a_plan(budget=5), "budget", "Write `budget: {usd: 5}`."),
        (a_plan(budget={"usd": -1}), "budget.usd", "it must not be negative"),
        (a_plan(budget={"usd": "x"}), "budget.usd", "it must be a number, not text"),
        (a_plan(budget={"eur": 1}), "budget.eur", "there is no field 'eur'"),
        (a_plan(budget={"calls": 1.5}), "budget.calls", "it must be an integer"),
        (a_plan(budget={"seconds": 0}), "budget.seconds", "0 is no duration to wait"),
        (a_plan(inputs=[]), "inputs", "[] is not what `inputs` takes. Write `inputs: {}`."),
        (a_plan(inputs={"a b": {}}), "inputs['a b']", "not a name for an input"),
        (a_plan(inputs={"a": "strng"}), "inputs.a", "Did you mean 'string'?"),
        (a_plan(inputs={"a": 5}), "inputs.a", "Write `a: {type: integer, default: 5}`."),
        (a_plan(inputs={"a": {"type": 5}}), "inputs.a", "it is not a JSON Schema"),
        (a_plan(inputs={"a": {"$ref": "http://x.org/y"}}), "inputs.a", "Retrieval is disabled"),
        (
            a_plan(inputs={"a": {"items": {"type": "integer"}, "default": ["x"]}}),
            "inputs.a.default[0]",
            "it must be an integer",
        ),
        (a_plan(steps=[{"tool": "t"}]), "steps[0].id", "it is missing"),
        (a_step(id=None), "steps[0].id", "it is missing. Write `id: "),
        (a_step(id="A"), "steps[0].id", "'A' is not a step id"),
        (a_step(id="a/b"), "steps[0].id", "'a/b' is not a step id"),
        (a_step(id="a\n"), "steps[0].id", "'a\\n' is not a step id"),
        (a_step(id="1a"), "steps[0].id", "not a step id"),
        (a_step(id=5), "steps[0].id", "5 is not a step id. Write `id: step_5`."),
        (a_plan(steps=[{"id": "a"}]), "steps[0]", "it has neither `tool` nor `ask`"),
        (a_step(ask="x?"), "steps[0]", "it has both `tool` and `ask`"),
        (a_step(tool="a b"), "steps[0].tool", "not the name of a tool"),
        (a_step(tool=""), "steps[0].tool", "not the name of a tool"),
        (a_step(tool="${inputs.x}"), "steps[0].tool", "not the name of a tool"),
        (a_plan(steps=[{"id": "a", "plan": {}}]), "steps[0].plan.steps", "it is missing"),
        (a_plan(steps=[{"id": "a", "plan": "a b"}]), "steps[0].plan", "is not a saved plan"),
        (a_plan(steps=[{"id": "a", "plan": "a@0"}]), "steps[0].plan", "is not a saved plan"),
        (a_plan(steps=[{"id": "a", "plan": 5}]), "steps[0].plan", "it must be a saved plan"),
        (a_step(cache="soon"), "steps[0].cache", "it must be a duration"),
        (a_step(cache=0), "steps[0].cache", "no duration to wait"),
        (a_step(queue="x"), "steps[0].queue", "not available in this version"),
        (a_plan(steps=[{"id": "a", "ask": " "}]), "steps[0].ask", "it is empty"),
        (a_plan(steps=[{"id": "a", "ask": 5}]), "steps[0].ask", 'Write `"5"`.'),
        (a_step(args=[1]), "steps[0].args", "it must be a mapping, not a list"),
        (a_step(choices=[1]), "steps[0].choices[0]", "it must be text"),
        (a_step(choices=["a", "a"]), "steps[0].choices[1]", "'a' appears here twice"),
        (a_step(choices=5), "steps[0].choices", "it must be a list"),
        (a_step(needs=["A"]), "steps[0].needs[0]", "not a step id"),
        (a_step(needs=[None]), "steps[0].needs[0]", "it must be a step id, not empty"),
        (a_step(when=True), "steps[0].when", "a condition that is always true has no effect"),
        (a_step(for_each=5), "steps[0].for_each", "it must be a list or a reference"),
        (a_step(retry=0), "steps[0].retry", "between 1 and 100, not 0"),
        (a_step(retry=101), "steps[0].retry", "between 1 and 100"),
        (a_step(retry=True), "steps[0].retry", "it must be a number of attempts, not a boolean"),
        (a_step(retry={"attempts": "3"}), "steps[0].retry.attempts", "it must be an integer"),
        (a_step(retry={"backoff": -1}), "steps[0].retry.backoff", "-1 is no duration"),
        (a_step(timeout="30"), "steps[0].timeout", "Write `timeout: 30"),
        (a_step(timeout=0), "steps[0].timeout", "no duration to wait"),
        (a_step(timeout=MAX_SECONDS + 1), "steps[0].timeout", "no duration to wait"),
        (a_step(timeout=True), "steps[0].timeout", "it must be a duration"),
        (a_step(undo=3), "steps[0].undo", "Write {tool: …, args: {…}}, the name of a tool, or"),
        (a_step(undo={"args": {}}), "steps[0].undo.tool", "it is missing"),
        (a_step(undo={"tool": None}), "steps[0].undo.tool", "it must be the name of a tool"),
        (a_step(approval=True), "steps[0].approval", "Write `approval: required`."),
        (a_step(priority="high"), "steps[0].priority", "it must be an integer"),
        (a_step(touches=[""]), "steps[0].touches[0]", "it is empty"),
        (a_step(idempotent="yes"), "steps[0].idempotent", "it must be true or false"),
        (a_step(cost="5"), "steps[0].cost", "it must be a mapping"),
        (a_step(cost=True), "steps[0].cost", "it must be a mapping"),
        (a_step(cost=-1), "steps[0].cost", "it must not be negative"),
        (a_step(ceiling={"usd": True}), "steps[0].ceiling.usd", "it must be a number"),
        (a_step(on_failure="undo"), "steps[0].on_failure", "Write `on_failure: fail`."),
        (a_step(in_doubt="hope"), "steps[0].in_doubt", "it must be ask or retry or fail"),
        (a_step(args={"a": {1, 2}}), "steps[0].args.a", "of type set, which is not JSON"),
        (
            a_step(args={"a": datetime(2024, 1, 1, tzinfo=UTC)}),
            "steps[0].args.a",
            "of type datetime",
        ),
        (a_step(args={"a": math.inf}), "steps[0].args.a", "NaN and infinity are not JSON"),
        (a_step(args={"a": 2**63}), "steps[0].args.a", "the integer is over 2^63"),
        (a_step(args={"a": {5: 1}}), "steps[0].args.a", "the key 5 is not text"),
        (a_step(args={"a": "\x00"}), "steps[0].args.a", "control character"),
        ({"callsheet": 1, "steps": 5.0}, "steps", "it must be a list, not a number (5.0)"),
    ],
)
def test_a_field_that_is_wrong_says_where_and_what_to_write(
    source: dict[str, object], place: str, why: str
) -> None:
    problem = next(each for each in problems_of(source) if why in str(each))
    assert problem.place == place
    assert problem.line is None


@pytest.mark.requirement("E2")
def test_every_problem_is_found_at_once_in_the_order_of_the_document() -> None:
    found = problems_of(
        "callsheet: 1\n"
        "steps:\n"
        "  - id: B\n"
        "    tool: x\n"
        "    timeout: soon\n"
        "  - id: a\n"
        "    tol: x\n"
        "  - id: a\n"
        "    tool: y\n"
        "nmae: x\n"
    )
    assert [(problem.place, problem.line) for problem in found] == [
        ("nmae", 10),
        ("steps[0].id", 3),
        ("steps[0].timeout", 5),
        ("steps[1].tol", 7),
        ("steps[2].id", 8),
    ]
    assert found[-1].what == "the id 'a' is already used by steps[1]"


def test_what_is_missing_is_found_at_the_line_it_is_missing_from() -> None:
    (problem,) = problems_of("callsheet: 1\nsteps:\n- id: a\n  tool: t\n  undo:\n    args: {}\n")
    assert (problem.place, problem.line) == ("steps[0].undo.tool", 5)


def test_a_document_in_which_everything_is_wrong_gets_its_answer_quickly() -> None:
    fields: dict[str, object] = {f"zork{n}": 1 for n in range(300)}
    found = problems_of(a_plan(**fields))
    assert len(found) == MAX_PROBLEMS
    assert found[-1].what == "there are 201 more problems"
    assert sum("The fields are" in problem.fix for problem in found) == 1, "told once"


def test_a_mapping_that_contains_itself_is_refused() -> None:
    circle: dict[str, object] = {}
    circle["again"] = circle
    assert "nested more than 64 levels deep" in told(a_plan(output=circle))


def test_what_is_no_document_at_all_is_refused() -> None:
    report = Report()
    assert plain(object(), report) is None
    assert "of type object" in str(report.problems[0])


def test_problems_are_located_in_text_only_if_it_can_be_read() -> None:
    problems = (Problem(place="steps[0].args.x", what="wrong"),)
    assert locate(problems, "steps:\n- args:\n    x: 1\n")[0].line == 3
    assert locate(problems, "[" * 100)[0].line is None
    assert locate(problems, "steps: '")[0].line == 1
    assert locate(problems, "other: 1")[0].line is None


# Problems


def test_a_problem_is_a_line_for_a_person() -> None:
    assert str(Problem(place="a", what="it is wrong", fix="Write b.")) == "a: it is wrong. Write b."
    warning = Problem(place="a", what="hm", severity="warning", line=3)
    assert str(warning) == "a (line 3): warning: hm"


@pytest.mark.parametrize(
    ("place", "spelled"),
    [
        ((), "plan"),
        (("steps", 3, "args", "room"), "steps[3].args.room"),
        (("steps", 0, "args", "my key", "x-y"), "steps[0].args['my key'].x-y"),
        ((0, "a"), "[0].a"),
    ],
)
def test_places_are_spelled_as_one_would_say_them(
    place: tuple[str | int, ...], spelled: str
) -> None:
    assert spell(place) == spelled


def test_warnings_come_after_errors_and_both_in_the_order_of_their_places() -> None:
    report = Report()
    report.warn(("steps", 0), "w")
    report.error(("output",), "e3")
    report.error(("steps", 10), "e2")
    report.error(("steps", 9, "args"), "e1")
    report.error((), "e0")
    assert [problem.what for problem in report.ordered] == ["e0", "e1", "e2", "e3", "w"]
    assert report.failed


def test_similar_words_are_suggested_and_long_values_are_cut() -> None:
    assert did_you_mean("nmae", ["name", "budget"]) == "Did you mean 'name'?"
    assert did_you_mean("nmae", ["budget"]) == ""
    assert (show(None), show(True), show("x")) == ("null", "true", "'x'")
    assert len(show("x" * 500)) < 70


# There and back

texts = st.text(
    st.characters(blacklist_categories=["Cs"], blacklist_characters="\x7f", min_codepoint=32)
    | st.sampled_from("\n\t\r"),
    max_size=12,
) | st.sampled_from(
    ["yes", "1e3", "2024-01-01", "12:30", "0777", "null", "~", "5", "a: b", "- a", "#x", "a #b",
     "line\nline\n", "a\n\nb", " a\nb", "a\n", "\n", "'", '"', "{x}", "${steps.a}", "%a", "@a",
     "`a`", "!a", "&a", "*a", "|", ">", "?", "-", "=", "<<", "\x85", "\u2028", "\ufeffx", "\ufffe",
     "trailing ", "a\r\nb", "tab\tbed", "0o7", "1_0", ".5", "é", "😀", "---", "...\n", "a:\n"]
)  # fmt: skip
values: st.SearchStrategy[Json] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=10,
)
names = st.from_regex(r"[a-z][a-z0-9_]{0,8}", fullmatch=True)
lines = texts.filter(lambda text: bool(text.strip()))
amounts = st.floats(0, 1e6)
costs = st.builds(Cost, usd=amounts, credits=amounts, tokens=st.integers(0, 2**53))
seconds = st.floats(0.001, 1e6)
steps = st.builds(
    Step,
    id=names,
    tool=names,
    args=st.dictionaries(texts, values, max_size=3),
    needs=st.lists(names, unique=True, max_size=3).map(tuple),
    when=st.none() | texts,
    for_each=st.none() | st.lists(values, max_size=3) | texts,
    retry=st.none() | st.builds(Retry, attempts=st.none() | st.integers(1, 100), backoff=seconds),
    timeout=st.none() | seconds,
    undo=st.none()
    | st.just("none")
    | st.builds(Undo, tool=names, args=st.dictionaries(texts, values)),
    approval=st.sampled_from([None, "required"]),
    priority=st.integers(-9, 9),
    touches=st.lists(lines, unique=True, max_size=2).map(tuple),
    idempotent=st.none() | st.booleans(),
    cost=st.none() | costs,
    ceiling=st.none() | costs,
    on_failure=st.sampled_from(["fail", "skip", "ignore"]),
    run_if_skipped=st.booleans(),
    in_doubt=st.sampled_from(["ask", "retry", "fail"]),
)
questions = st.builds(
    Step, id=names, ask=lines, choices=st.lists(lines, unique=True, max_size=3).map(tuple)
)
plans = st.builds(
    Plan,
    steps=st.lists(steps | questions, max_size=3, unique_by=lambda step: step.id).map(tuple),
    name=st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._-]{0,9}", fullmatch=True),
    description=texts,
    inputs=st.dictionaries(
        names, st.sampled_from([{}, {"type": "string"}, {"default": [1, None]}]), max_size=2
    ),
    budget=st.none() | st.builds(Budget, usd=st.none() | amounts, seconds=st.none() | seconds),
    on_failure=st.sampled_from(["undo", "stop", "continue"]),
    on_cancel=st.sampled_from([None, "undo", "keep"]),
    concurrency=st.integers(1, 10_000),
    output=values,
)


@pytest.mark.requirement("E1")
@settings(deadline=None)
@given(plans)
def test_what_is_written_is_read_back_as_the_same_plan(plan: Plan) -> None:
    assert read_plan(plan.to_yaml()) == plan
    assert read_plan(json.dumps(plan.to_json())) == plan
    assert read_plan(plan) == plan
    assert read_plan(plan.to_json()).digest == plan.digest


@given(texts)
def test_text_that_would_be_something_else_is_quoted(text: str) -> None:
    assert is_plain_text("word")
    plan = Plan(steps=(), output=text)
    assert read_plan(plan.to_yaml()).output == text


@settings(deadline=None)
@given(st.text(max_size=60) | st.binary(max_size=60))
def test_any_text_is_a_plan_or_refused_with_a_reason(source: str | bytes) -> None:
    assert is_read_or_refused(source)


@given(values)
def test_any_value_is_a_plan_or_refused_with_a_reason(value: Json) -> None:
    assert is_read_or_refused({"callsheet": 1, "steps": value})
