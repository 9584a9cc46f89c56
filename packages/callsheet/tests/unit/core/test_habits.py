"""Ways of other systems to say things, each by itself; whole documents are in the corpus."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.corpus.checking import check, mend
from tests.corpus.labels import specs
from tests.corpus.test_families import FAMILIES

if TYPE_CHECKING:
    from callsheet.core.value import Json

pytestmark = pytest.mark.requirement("E28")

TOOLS = specs(FAMILIES)
BUILD: dict[str, Json] = {"id": "b", "tool": "build.image", "args": {"path": "/x", "tag": "t"}}
SHORT: dict[str, Json] = {"id": "w", "tool": "text.summarize", "args": {"text": "x"}}
SHIP: dict[str, Json] = {
    "id": "d",
    "tool": "deploy.release",
    "args": {"image": "${steps.b.image}", "environment": "p"},
}


def a_plan(*steps: dict[str, Json], **more: Json) -> dict[str, Json]:
    return {"callsheet": 1, "name": "p", **more, "steps": [*steps]}


def fixed(document: Json) -> Any:
    """After `check --fix`."""
    assert isinstance(document, dict)
    return mend(document, TOOLS)[0]  # type: ignore[arg-type]


def told(document: dict[str, Json]) -> str:
    return "\n".join(str(each) for each in check(document, TOOLS)[0] if each.severity == "error")


@pytest.mark.parametrize(
    ("when", "meant"),
    [
        ("${steps.b.ok == 'true'}", "${steps.b.ok == `true`}"),
        ("${{ steps.b.outputs.ok == 'yes' }}", "${steps.b.ok == `true`}"),
        (
            "${steps.w.words > '3' && steps.b.ok != 'no'}",
            "${steps.w.words > `3` && steps.b.ok != `false`}",
        ),
        ("b.ok and w.words > 3", "${steps.b.ok && steps.w.words > `3`}"),
        ("b.conclusion == 'success'", "${outcomes.b.state == 'succeeded'}"),
        ("b is failed", "${outcomes.b.state == 'failed'}"),
        ("b.image is defined", "${steps.b.image != `null`}"),
        ("'x' in b.image", "${contains(steps.b.image, 'x')}"),
        ("'x' not in b.image", "${!(contains(steps.b.image, 'x'))}"),
        ("b.image | length > 3", "${length(steps.b.image) > `3`}"),
        ([{"input": "$(tasks.b.results.ok)", "operator": "in", "values": ["true"]}],
         "${steps.b.ok == `true`}"),
        ({"or": [{"Variable": "$.w.words", "NumericGreaterThan": 3}, {"if": "b.ok"}]},
         "${(steps.w.words > `3`) || (steps.b.ok)}"),
    ],
)  # fmt: skip
def test_a_condition_in_the_words_of_others_is_rewritten(when: Json, meant: str) -> None:
    document = a_plan(BUILD, SHORT, {**SHIP, "when": when})
    assert fixed(document)["steps"][2]["when"] == meant


def test_a_comparison_that_can_never_hold_is_an_error() -> None:
    document = a_plan(BUILD, SHORT, {**SHIP, "when": "${steps.w.text == `3`}"})
    assert "steps.w.text is a string, and is compared with an integer" in told(document)
    assert told(a_plan(BUILD, SHORT, {**SHIP, "when": "${steps.w.words == `3`}"})) == ""


def test_a_step_for_failures_is_told_the_condition_and_never_runs_after_a_success() -> None:
    document = a_plan(BUILD, {**SHIP, "if": "failure()", "needs": ["b"]})
    assert "Write `when: ${outcomes.b.state == 'failed'}`" in told(document)
    assert "when" in fixed(document)["steps"][1]


def test_conditions_on_edges_and_in_steps_that_choose_go_to_the_steps_they_are_about() -> None:
    edges: Json = [{"from": "b", "to": "d", "condition": "b.ok"}, ["b", "w"]]
    found = fixed(a_plan(BUILD, SHORT, SHIP, edges=edges))
    assert [step.get("when") for step in found["steps"]] == [None, None, "${steps.b.ok}"]
    assert found["steps"][1]["needs"] == ["b"]
    rules: Json = [{"Variable": "$.b.ok", "BooleanEquals": True, "Next": "d"}]
    choice: dict[str, Json] = {"id": "c", "choices": rules, "default": "w"}
    found = fixed(a_plan({**BUILD, "next": "c"}, choice, SHORT, SHIP))
    assert found["steps"][3]["when"] == "${steps.b.ok == `true`}"
    assert found["steps"][2]["when"] == "${!((steps.b.ok == `true`))}"
    assert "no branching steps" in told(a_plan({**BUILD, "next": "c"}, choice, SHORT, SHIP))


@pytest.mark.parametrize("way", ["b >> [w, d]", "b -> w; b -> d", [["b", "w"], "b >> d"],
                                 {"b": {"main": [[{"node": "w"}, {"node": "d"}]]}}])  # fmt: skip
def test_an_order_beside_the_steps_is_their_needs(way: Json) -> None:
    found = fixed(a_plan(BUILD, SHORT, SHIP, dependencies=way))
    assert [step.get("needs") for step in found["steps"]] == [None, ["b"], ["b"]]


def test_what_follows_a_group_waits_for_it() -> None:
    found = fixed(a_plan(BUILD, {"parallel": [SHORT, {**SHORT, "id": "v"}]}, SHIP))
    assert [step["id"] for step in found["steps"]] == ["b", "w", "v", "d"]
    assert [step.get("needs") for step in found["steps"]] == [None, ["b"], ["b"], ["w", "v"]]


def test_what_is_said_once_for_all_steps_is_said_by_each() -> None:
    said: Json = {"retries": 2, "retry_delay": {"minutes": 1}, "owner": "ops"}
    found = fixed(a_plan(BUILD, {**SHIP, "retries": 5}, default_args=said))
    assert "default_args" not in found
    assert found["steps"][0]["retry"] == {
        "attempts": 3,
        "backoff": "1m",
        "max_backoff": "1m",
    }
    assert found["steps"][1]["retry"] == 6


@pytest.mark.parametrize(
    "text",
    ["$(b.image)", "$.b.image", "={{ b.image }}", "{{{ b.image }}}", "{b[image]}", "#{b.image}",
     "<<b.image>>", "b.image", '{{ $node["b"].json.image }}', "{{ $('b').item.json.image }}"],
)  # fmt: skip
def test_references_of_others_are_rewritten(text: str) -> None:
    document = a_plan(BUILD, {**SHIP, "args": {"image": text, "environment": "p"}})
    assert fixed(document)["steps"][1]["args"]["image"] == "${steps.b.image}"


@pytest.mark.parametrize(
    "text", ["$5", "README.md", "example.com", "a.b", "<b>", "b", "see b.image, please", "$(ls)"]
)
def test_honest_text_stays_as_it_is(text: str) -> None:
    document = a_plan({**SHORT, "args": {"text": text}})
    assert told(document) == ""
    assert fixed(document) == document


def test_an_input_that_nobody_declares_is_declared_with_the_type_that_is_wanted() -> None:
    args: Json = {"text": "${inputs.text}", "max_words": "${inputs.most}"}
    found = fixed(a_plan({**SHORT, "args": args}))
    assert found["inputs"] == {"text": {"type": "string"}, "most": {"type": "integer"}}


def test_the_second_step_of_an_id_gets_another_and_references_mean_the_first() -> None:
    document = a_plan(BUILD, {**SHIP, "id": "b"})
    assert "the id 'b' is already used by steps[0]. Write `id: release`." in told(document)


def test_an_undo_that_lacks_an_argument_is_written_out() -> None:
    find: dict[str, Json] = {
        "id": "book",
        "tool": "flights.book",
        "args": {"flight_id": "1", "passenger": "A"},
        "undo": "flights.release",
    }
    call = {"tool": "flights.release", "args": {"reference": "${output.reference}"}}
    assert fixed(a_plan(find))["steps"][0]["undo"] == call


def test_a_name_in_double_quotes_where_text_is_taken_is_told_with_what_works() -> None:
    send: dict[str, Json] = {**SHORT, "args": {"text": '${join("\\n", [steps.b.image])}'}}
    assert '"\\n" in double quotes is a name, not text' in told(a_plan(BUILD, send))
