"""Clarifying questions: few, by weight, never about what the brief says, and they count."""

from __future__ import annotations

from typing import Any

import pytest
from tests.unit.brief.test_reading import refusal

from callsheet_studio.base.speech import pace
from callsheet_studio.brief import answered, from_data, questions
from callsheet_studio.brief.choices import EMOTIONS, EMPHASES
from callsheet_studio.model.brief import Brief
from callsheet_studio.script.smith import material as smith_material

pytestmark = pytest.mark.requirement("P2")

CORE = "Harbor keeps every berth in view."
ANSWERS = {
    "core_message": "Harbor shows you every berth.",
    "tone": "playful",
    "cta": "Call us now",
    "midpoint_emotion": "pride",
    "act2_emphasis": "proof",
    "visual_metaphors": "a lighthouse",
}


def keys(**said: Any) -> list[str]:
    return [each.key for each in questions(from_data({"core": CORE, **said}, "it"))]


def test_questions_come_by_priority_and_only_about_what_is_missing() -> None:
    later = ["midpoint_emotion", "act2_emphasis", "visual_metaphors"]
    assert keys() == ["tone", "cta", *later]
    assert keys(tone="warm") == ["cta", *later]
    assert keys(tone="warm", cta="Go") == later
    assert keys(tone="warm", cta="Go", midpoint_emotion="joy", act2_emphasis="people") == later[2:]
    all_said = {"midpoint_emotion": "joy", "act2_emphasis": "people", "visual_metaphors": "rain"}
    assert keys(tone="warm", cta="Go", **all_said) == []


def test_a_script_is_asked_about_nothing_that_it_decides_itself() -> None:
    asked = questions(from_data({"script": "Look up. There."}, "it"))
    assert [each.key for each in asked] == ["core_message", "tone", "cta", "visual_metaphors"]
    assert [each.priority for each in asked] == ["high", "high", "high", "low"]


@pytest.mark.parametrize("core", [CORE, "Lotsa plant den Dienst für dich."])
def test_a_question_has_all_that_a_form_needs(core: str) -> None:
    for each in questions(from_data({"core": core}, "it")):
        assert each.text.endswith("?")
        assert each.hint
        assert (each.kind == "choice") == bool(each.options)
        assert not each.options or each.default in each.options
        assert each.default or each.key == "visual_metaphors"


def test_a_german_brief_is_asked_in_german_and_answered_in_german() -> None:
    brief = from_data({"core": "Lotsa plant den Dienst für dich."}, "it")
    asked = {each.key: each for each in questions(brief)}
    assert asked["tone"].text == "Wie soll der Film sprechen?"
    assert "Stolz" in asked["midpoint_emotion"].options
    after = answered(brief, {"midpoint_emotion": "Stolz", "act2_emphasis": "die Menschen"})
    assert (after.direction.midpoint_emotion, after.direction.act2_emphasis) == ("pride", "people")


@pytest.mark.parametrize("key", ANSWERS)
def test_an_answer_is_in_the_brief_and_no_longer_inferred(key: str) -> None:
    script = {"script": "Look up. There."} if key == "core_message" else {"core": CORE}
    brief = from_data(script, "it")
    after = answered(brief, {key: ANSWERS[key]})
    assert ANSWERS[key] in after.model_dump_json()
    assert after.digest != brief.digest
    assert key in {each.key for each in questions(brief)}
    assert key not in {each.key for each in questions(after)}


def test_what_was_inferred_from_an_answered_value_follows_it() -> None:
    brief = from_data({"script": "Look up. There."}, "it")
    assert brief.project.title == "Look up"
    assert answered(brief, {"core_message": "See the stars."}).project.title == "See the stars"


def test_an_empty_answer_leaves_it_as_it_is() -> None:
    brief = from_data({"core": CORE}, "it")
    assert answered(brief, {"tone": " ", "visual_metaphors": ""}) == brief
    assert answered(brief, {}) == brief


def test_an_answer_is_the_last_word() -> None:
    brief = from_data({"core": CORE, "tone": "warm"}, "it")
    assert answered(brief, {"tone": "urgent"}).style.tone == "urgent"


def test_answers_to_no_question_are_refused_all_at_once() -> None:
    brief = from_data({"core": CORE}, "it")
    found = refusal(answered, brief, {"ton": "warm", "mood": "x"}).problems
    assert [each.place for each in found] == ["answers.ton", "answers.mood"]
    assert found[0].fix == "Did you mean 'tone'?"


def test_answers_that_do_not_fit_are_refused_all_at_once() -> None:
    brief = from_data({"core": CORE, "must_avoid": ["cheap"]}, "it")
    answers = {"cta": "Buy cheap", "midpoint_emotion": "hunger"}
    found = refusal(answered, brief, answers).problems
    assert {each.place for each in found} == {"message.cta", "direction.midpoint_emotion"}


def test_a_brief_on_its_way_through_json_is_answered_alike() -> None:
    brief = from_data({"core": CORE, "pain_points": ["a b", "c d"], "deadline": "90m"}, "it")
    again = Brief.model_validate(brief.model_dump(mode="json"))
    assert again == brief
    assert answered(again, {"tone": "calm"}) == answered(brief, {"tone": "calm"})


def test_the_choices_are_those_that_the_script_knows() -> None:
    assert tuple(EMOTIONS) == smith_material.EMOTIONS
    assert tuple(EMPHASES) == smith_material.EMPHASES


def test_the_tones_that_are_offered_differ_in_pace() -> None:
    for core in (CORE, "Lotsa plant den Dienst für dich."):
        (tone,) = (
            each for each in questions(from_data({"core": core}, "it")) if each.key == "tone"
        )
        assert len({pace(option) for option in tone.options}) == 3
