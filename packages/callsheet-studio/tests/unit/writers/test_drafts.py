"""Drafts of a model: judged by every rule, and mended until none is broken that we keep."""

from __future__ import annotations

import json
import random
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest
from tests.acceptance.command import EXAMPLES

from callsheet_studio.brief import load
from callsheet_studio.script import check_script, write_script
from callsheet_studio.shots import check_continuity, check_shots, plan_shots
from callsheet_studio.writers import script as scriptsmith
from callsheet_studio.writers import shots as shotmaster
from callsheet_studio.writers.drawable import drawable

if TYPE_CHECKING:
    from callsheet_studio.model.brief import Brief
    from callsheet_studio.writers.asking import Draft

NAMES = ("harbor.yaml", "kornblume.yaml", "one-sentence.yaml", "saltwing.yaml")
Object = dict[str, Any]


@cache
def brief_of(name: str) -> Brief:
    return load(EXAMPLES / "briefs" / name)


def outcome(data: object, text: str = "") -> Object:
    return {"state": "succeeded", "output": {"data": data, "text": text, "problems": ["No."]}}


def draft(brief: Brief, data: object, *, last: bool = False) -> Draft:
    asked = scriptsmith.script_ask(brief).message
    return scriptsmith.read_draft(brief, asked, "script_answer_1", outcome(data), last=last)


def whole(brief: Brief) -> Object:
    """A script as a file has it, every field."""
    found: Object = write_script(brief).model_dump(mode="json")
    return found


# Four films, written twice.
@pytest.mark.slow
@pytest.mark.requirement("P4")
def test_a_whole_script_as_the_schema_has_it_is_taken_as_it_is() -> None:
    for name in NAMES:
        brief = brief_of(name)
        read = draft(brief, whole(brief))
        assert read.violations == ()
        made = scriptsmith.mended(brief, [read])
        assert {beat.source for beat in made.beats} == {"model"}
        plain = {"source": "offline", "source_step": "script"}
        ours = [beat.model_copy(update=plain) for beat in made.beats]
        assert tuple(ours) == write_script(brief).beats


@pytest.mark.requirement("P3")
def test_what_is_asked_for_is_a_part_of_the_schema_of_scripts_and_of_shots() -> None:
    brief = brief_of("harbor.yaml")
    ask = scriptsmith.script_ask(brief)
    beat = ask.answer["properties"]["beats"]["items"]
    assert beat["required"] == ["id", "script"]
    assert "start" not in beat["properties"]
    assert set(beat["properties"]["script"]["properties"]) == {
        "action",
        "dialogue",
        "voiceover",
        "on_screen_text",
    }
    shots = shotmaster.shots_ask(write_script(brief), brief).answer["properties"]["shots"]
    assert shots["items"]["properties"]["size"]["enum"][0] == "EWS"
    assert "$ref" not in json.dumps([ask.answer, shots])


def test_the_model_is_told_what_can_be_drawn_and_what_the_brief_forbids() -> None:
    brief = brief_of("harbor.yaml")
    ask = scriptsmith.script_ask(brief)
    assert '"harbour"' in ask.instructions
    assert "golden_hour" in ask.instructions
    assert "sailboat" in ask.instructions
    assert "It must not say: cheap" in ask.message
    assert brief.message.cta in ask.message


def test_what_can_be_drawn_keeps_to_its_budget_and_to_the_words_of_the_brief() -> None:
    brief = brief_of("harbor.yaml")
    for tokens in (300, 600, 1200, 2500):
        told = drawable(brief, tokens)
        assert len(told) <= tokens * 4
        assert "harbour" in json.loads(told)["places"]


SPOILS: list[Object] = [
    {"script": {"action": "A boat.", "voiceover": "word " * 60}},
    {"script": {"action": "A boat."}},
    {"script": {"action": "A boat.", "on_screen_text": "many words " * 12}},
    {"script": {"action": "Zork.", "dialogue": "ZORK: Here I am, with 99 friends."}},
    {"id": "9.9"},
    {"script": None},
    {"script": {"action": 3}},
    {"script": {}},
    {"visual": {"location": "Saturn", "pictures": [{"kind": "opera"}]}},
    {"start": 7, "end": 5},
    {"alternatives": [{"condition": "", "script": {"action": "x"}}]},
    {"visual": {"pictures": [{"kind": "thing", "action": "A", "said": "other"}]}},
    {"script": {"action": "A boat.", "voiceover": "Wir haben eine Idee und die ist gut."}},
    {"mood": 1, "emotion": {"intensity": 99}},
]
"""What a model may do to a beat."""


@pytest.mark.requirement("P4")
# Many drafts, each mended.
@pytest.mark.slow
def test_whatever_a_model_writes_the_script_keeps_every_rule() -> None:
    for seed in range(28):
        chance = random.Random(seed)
        brief = brief_of(NAMES[seed % len(NAMES)])
        data = whole(brief)
        for spoil in (SPOILS[seed % len(SPOILS)], *chance.sample(SPOILS, 2)):
            beat = chance.choice(data["beats"])
            beat |= spoil
        read = draft(brief, data)
        made = scriptsmith.mended(brief, [read])
        assert check_script(made, brief) == check_script(write_script(brief), brief), seed
        assert [(b.start, b.end) for b in made.beats] == [
            (b.start, b.end) for b in write_script(brief).beats
        ], seed


@pytest.mark.parametrize("data", [{}, {"beats": None}, {"beats": [1, None, "x"]}, {"title": 3}])
def test_an_answer_without_beats_is_written_offline(data: Object) -> None:
    brief = brief_of("saltwing.yaml")
    read = draft(brief, data)
    assert read.violations
    assert read.goes_back
    made = scriptsmith.mended(brief, [read, None])
    assert {beat.source for beat in made.beats} == {"offline"}
    assert made.beats == write_script(brief).beats


def test_the_last_draft_does_not_go_back_and_the_best_one_is_taken() -> None:
    brief = brief_of("harbor.yaml")
    good, bad = whole(brief), whole(brief)
    bad["beats"][1]["script"]["voiceover"] = "word " * 80
    first, second = draft(brief, good), draft(brief, bad, last=True)
    assert second.violations
    assert not second.goes_back
    made = scriptsmith.mended(brief, [first, second])
    assert {beat.source for beat in made.beats} == {"model"}


def test_what_goes_back_says_the_answer_and_each_violation_with_its_place_and_fix() -> None:
    brief = brief_of("harbor.yaml")
    data = whole(brief)
    data["beats"][1]["script"]["voiceover"] = "word " * 80
    read = draft(brief, data)
    assert f"- {data['beats'][1]['id']}: 80 spoken words take" in read.message
    assert "Shorten it by" in read.message
    assert "word word" in read.message
    assert read.message.startswith(scriptsmith.script_ask(brief).message)


def directed(brief: Brief, data: object) -> Draft:
    script = write_script(brief)
    asked = shotmaster.shots_ask(script, brief).message
    return shotmaster.read_draft(script, brief, asked, "shots_answer_1", outcome(data), last=False)


@pytest.mark.requirement("P5")
def test_a_list_of_shots_as_the_schema_has_it_is_taken_as_it_is() -> None:
    brief = brief_of("harbor.yaml")
    script = write_script(brief)
    planned = plan_shots(script, brief)
    read = directed(brief, planned.model_dump(mode="json"))
    assert read.violations == ()
    made = shotmaster.mended(script, brief, [read])
    assert {shot.source for shot in made.shots} == {"model"}
    assert [shot.size for shot in made.shots] == [shot.size for shot in planned.shots]


@pytest.mark.requirement("P5")
# Many lists, each mended.
@pytest.mark.slow
def test_however_a_model_directs_continuity_is_kept() -> None:
    kinds = ["static", "push", "pan", "whip", "opera"]
    for seed in range(12):
        chance = random.Random(seed)
        brief = brief_of(NAMES[seed % len(NAMES)])
        script = write_script(brief)
        planned = plan_shots(script, brief)
        shots = [
            {
                "id": shot.id,
                "size": chance.choice(["EWS", "MS", "CU", "ECU"]),
                "angle": chance.choice(["eye", "low", "dutch"]),
                "movement": {"kind": chance.choice(kinds), "direction": "left"},
            }
            for shot in planned.shots
            if chance.random() > 0.2
        ]
        read = directed(brief, {"shots": shots})
        made = shotmaster.mended(script, brief, [read])
        ours = [*check_shots(planned, script), *check_continuity(planned)]
        assert [*check_shots(made, script), *check_continuity(made)] == ours, seed
        assert [(s.id, s.start, s.end) for s in made.shots] == [
            (s.id, s.start, s.end) for s in planned.shots
        ]


def test_a_model_decides_nothing_about_a_shot_but_how_it_is_filmed() -> None:
    brief = brief_of("harbor.yaml")
    data = plan_shots(write_script(brief), brief).model_dump(mode="json")
    data["shots"][0]["end"] += 24
    data["shots"][1]["action"] = "A dragon lands."
    found = {(each.where, each.message) for each in directed(brief, data).violations}
    assert (data["shots"][0]["id"], "end is not yours to decide.") in found
    assert (data["shots"][1]["id"], "action is not yours to decide.") in found
