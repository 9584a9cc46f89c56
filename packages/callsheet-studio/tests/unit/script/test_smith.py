"""The offline writer: complete scripts, valid on every brief, and each answer changes the film."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from tests.unit.script.smith_briefs import examples, generated
from tests.unit.script.smith_briefs import harbor as make_harbor

from callsheet_studio import library
from callsheet_studio.brief import answered
from callsheet_studio.script import check_script, coverage
from callsheet_studio.script.smith.writing import OfflineWriter

if TYPE_CHECKING:
    from callsheet_studio.model.brief import Brief
    from callsheet_studio.model.script import Beat, Script

pytestmark = pytest.mark.requirement("P3")

ALL = (*examples(), *generated())


@pytest.fixture
def harbor() -> Brief:
    return make_harbor()


def write(brief: Brief) -> Script:
    return OfflineWriter().write(brief)


def with_direction(brief: Brief, **answers: str) -> Brief:
    return brief.model_copy(update={"direction": brief.direction.model_copy(update=answers)})


def spoken(script: Script) -> str:
    lines = (beat.script.voiceover or beat.script.dialogue for beat in script.beats)
    return " ".join(filter(None, lines))


def actions(script: Script) -> str:
    return " ".join(beat.script.action for beat in script.beats)


@pytest.mark.slow  # Sixty scripts, some of them for five minutes.
def test_no_script_breaks_a_rule_and_every_field_is_filled() -> None:
    for brief in ALL:
        script = write(brief)
        assert check_script(script, brief) == ()
        measured = coverage(script, brief)
        assert (measured.message_coverage, measured.metadata) == (1.0, 1.0)
        assert script.beats[-1].end == script.frames == brief.frames


def test_the_same_brief_gives_the_same_script(harbor: Brief) -> None:
    assert write(harbor) == write(harbor.model_copy())


def test_money_and_the_frame_rate_do_not_change_a_word(harbor: Brief) -> None:
    constraints = harbor.constraints.model_copy(update={"max_cost_usd": 7.0})
    delivery = harbor.delivery.model_copy(update={"fps": "25"})
    changed = harbor.model_copy(update={"constraints": constraints, "delivery": delivery})
    assert spoken(write(changed)) == spoken(write(harbor))


def test_how_a_name_is_said_does_not_change_a_word(harbor: Brief) -> None:
    said = harbor.content.model_copy(update={"pronunciation": {"Harbor": "HAR-bur"}})
    other = harbor.model_copy(update={"content": said})
    assert write(other) == write(harbor)
    assert other.identity == harbor.identity


def test_hook_and_call_to_action_have_another_version_with_its_condition(harbor: Brief) -> None:
    beats = write(harbor).beats
    for beat in (beats[0], beats[-1]):
        (other,) = beat.alternatives
        assert other.condition
        assert other.script.action != beat.script.action
        assert (other.script.voiceover, other.script.on_screen_text) != (
            beat.script.voiceover,
            beat.script.on_screen_text,
        )


def test_places_and_lights_are_those_of_the_library() -> None:
    for brief in ALL[::4]:
        for beat in write(brief).beats:
            assert beat.visual.location in library.sets()
            assert beat.visual.lighting in library.presets()
            assert beat.visual.size in library.sizes()
            assert beat.visual.movement in library.movements()


def test_a_harbour_brief_plays_at_the_harbour(harbor: Brief) -> None:
    assert write(harbor).beats[0].visual.location == "harbour"


def test_place_and_hour_are_constant_within_a_scene() -> None:
    for brief in ALL[::3]:
        scenes: dict[int, set[tuple[str, str, str]]] = {}
        for beat in write(brief).beats:
            seen = beat.visual
            where = (seen.location, seen.time_of_day, seen.lighting)
            scenes.setdefault(beat.scene, set()).add(where)
        assert all(len(found) == 1 for found in scenes.values())


@pytest.mark.parametrize("language", ["en", "de"])
def test_scripts_speak_the_language_of_the_brief(language: str) -> None:
    brief = next(b for b in generated() if b.content.language == language)
    kinds = {beat.function.kind for beat in write(brief).beats}
    assert ("call to action" in kinds) == (language == "en")
    assert ("Handlungsaufruf" in kinds) == (language == "de")


def test_no_number_is_said_or_shown_that_the_brief_does_not_have() -> None:
    for brief in ALL[::3]:
        known = set(re.findall(r"\d+", brief.model_dump_json()))
        for beat in write(brief).beats:
            told = f"{beat.script.voiceover} {beat.script.dialogue} {beat.script.on_screen_text}"
            assert set(re.findall(r"\d+", told)) <= known


@pytest.mark.requirement("P2")
def test_the_second_act_dwells_on_what_is_asked_for(harbor: Brief) -> None:
    told = {
        emphasis: spoken(write(with_direction(harbor, act2_emphasis=emphasis)))
        for emphasis in ("solution", "problem", "people")
    }
    assert "This is for harbour masters" in told["people"]
    assert len(set(told.values())) == 3


# Every answer to a clarifying question changes the film.


def turn(script: Script, felt: str) -> list[Beat]:
    return [beat for beat in script.beats if beat.emotion.character == felt]


@pytest.mark.requirement("P2")
@pytest.mark.parametrize("emotion", ["relief", "pride", "confidence", "joy", "wonder", "belonging"])
def test_the_feeling_of_the_midpoint_is_felt_seen_and_heard(harbor: Brief, emotion: str) -> None:
    for brief in (harbor, *(b for b in generated()[:6] if b.content.language == "en")):
        (beat,) = turn(write(with_direction(brief, midpoint_emotion=emotion)), emotion)
        assert beat.audio.music_mood.endswith(emotion)


@pytest.mark.requirement("P2")
def test_proof_comes_with_its_numbers_first(harbor: Brief) -> None:
    message = harbor.message.model_copy(
        update={"supporting": ("one live map", "payments before arrival", "300 berths in a day")}
    )
    brief = harbor.model_copy(update={"message": message})
    proof = spoken(write(with_direction(brief, act2_emphasis="proof"))).lower()
    other = spoken(write(with_direction(brief, act2_emphasis="solution"))).lower()
    assert proof.index("300 berths") < proof.index("one live map")
    assert other.index("300 berths") > other.index("one live map")


@pytest.mark.requirement("P2")
def test_a_metaphor_is_seen_in_pictures_and_keywords(harbor: Brief) -> None:
    image = "a knot that opens by itself"
    script = write(with_direction(harbor, visual_metaphors=image))
    assert image in actions(script).lower()
    assert any(image in beat.visual.keywords for beat in script.beats)
    assert image not in actions(write(harbor)).lower()


@pytest.mark.requirement("P2")
def test_tone_changes_pace_and_words(harbor: Brief) -> None:
    calm = write(answered(harbor, {"tone": "calm"}))
    urgent = write(answered(harbor, {"tone": "urgent"}))
    assert calm.words_per_minute < urgent.words_per_minute
    assert spoken(calm) != spoken(urgent)
    assert calm.beats[0].audio.music_mood != urgent.beats[0].audio.music_mood


@pytest.mark.requirement("P2")
def test_core_message_and_call_to_action_are_said_as_answered(harbor: Brief) -> None:
    core, cta = "Every boat finds its berth.", "Come to the boat show"
    script = write(answered(harbor, {"core_message": core, "cta": cta}))
    assert core.rstrip(".").lower() in spoken(script).lower()
    assert cta in spoken(script)
    assert script.beats[-1].script.on_screen_text == cta
