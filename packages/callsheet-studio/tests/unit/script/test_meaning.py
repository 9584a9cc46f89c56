"""The writer says something: whole sentences of the brief, and what can be seen with them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from tests.unit.script.smith_briefs import examples, generated

from callsheet_studio.base.speech import speech_frames
from callsheet_studio.brief import from_data
from callsheet_studio.library.things import named_things
from callsheet_studio.script import write_script
from callsheet_studio.script.wording import words_of
from callsheet_studio.shots import plan_shots

if TYPE_CHECKING:
    from callsheet_studio.model.brief import Brief

pytestmark = pytest.mark.requirement("P15")

ALL = (*examples(), *generated())
WRITTEN = tuple(b for b in ALL if not b.content.script and not b.content.shots)


def brief(**sections: Any) -> Brief:
    return from_data(sections, "test")


def lamp(language: str = "en", **more: Any) -> Brief:
    """A rear light for bicycles, told in either language."""
    english = language == "en"
    message = {
        "core": "Ember lets drivers see you from 300 metres."
        if english
        else "Mit Ember sehen dich Autos aus 300 Metern.",
        "supporting": [
            "one charge lasts 60 hours",
            "it survives rain",
            "works without tools",
        ]
        if english
        else ["eine Ladung hält 60 Stunden", "es übersteht Regen", "hält ohne Werkzeug"],
        "cta": "Get yours at ember.bike" if english else "Hol dir deins auf ember.bike",
        "brand": "Ember",
    }
    who = "people who cycle to work" if english else "Menschen, die mit dem Rad fahren"
    pains = ["cars that come too close"] if english else ["Autos, die zu nah kommen"]
    title = "Ember rear light" if english else "Ember Rücklicht"
    return brief(
        project={"title": title},
        audience={"who": who, "pain_points": pains},
        message=message,
        content={"type": "social_ad", "duration": "30s", "language": language} | more,
    )


def spoken(told: Brief) -> str:
    words = [
        text
        for beat in write_script(told).beats
        for text in (beat.script.voiceover, beat.script.dialogue)
        if text
    ]
    return " ".join(words)


@pytest.mark.slow  # Seventy scripts, some of them for five minutes.
def test_call_to_action_and_core_message_are_heard_in_every_film() -> None:
    for told in WRITTEN:
        heard = " ".join(words_of(spoken(told)))
        for said in (told.message.cta, told.message.core):
            assert " ".join(words_of(said)) in heard, told.project.title


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_film_begins_with_a_question_that_its_audience_has(language: str) -> None:
    first = write_script(lamp(language)).beats[0].script.voiceover
    assert first in {"Cars that come too close?", "Autos, die zu nah kommen?"}


@pytest.mark.parametrize("language", ["en", "de"])
def test_messages_are_quoted_whole_and_a_bare_verb_gets_its_subject(language: str) -> None:
    heard = spoken(lamp(language))
    for whole in {
        "en": ("One charge lasts 60 hours.", "It survives rain.", "Ember works without tools."),
        "de": ("Eine Ladung hält 60 Stunden.", "Es übersteht Regen.", "Ember hält ohne Werkzeug."),
    }[language]:
        assert whole in heard


@pytest.mark.slow  # Seventy scripts, some of them for five minutes.
def test_every_sentence_is_the_briefs_or_one_of_a_few_of_ours() -> None:
    ours = re.compile(
        r"(?:How does that work\?|And what does it cost\?|What do you get out of it\?|This is .+|"
        r"There is another way\.|Enough of that\.|Schluss damit\.|Wie geht das\?|Und was "
        r"kostet das\?|Was bringt das\?|Für .+|Das ist .+|"
        r"Es geht auch anders\.)\Z"
    )
    for told in WRITTEN:
        known = " ".join(words_of(told.model_dump_json()))
        for beat in write_script(told).beats:
            text = beat.script.voiceover or re.sub(r"^[^:]+: ", "", beat.script.dialogue or "")
            for said in filter(None, re.split(r"(?<=[.!?]) (?=[A-ZÄÖÜ0-9])", text)):
                same = " ".join(words_of(said.removeprefix(told.message.brand))) in known
                assert same or ours.match(said), (told.project.title, said)


@pytest.mark.slow  # Seventy scripts, some of them for five minutes.
def test_nobody_is_seen_or_heard_whom_the_brief_does_not_have() -> None:
    for told in WRITTEN:
        known = set(words_of(told.model_dump_json()))
        for beat in write_script(told).beats:
            for picture in beat.visual.pictures:
                for name in picture.people:
                    word = words_of(name)[0]
                    assert word in known or f"{word}s" in known or told.content.language == "de"


def told_in(**message: Any) -> Brief:
    return brief(
        project={"title": "Quiet Mondays"},
        message={
            "core": "Since we use Slotly, the phone is quiet.",
            "supporting": ["patients book at night on their phone", "it took one afternoon"],
            "cta": "Try Slotly",
            "brand": "Slotly",
        }
        | message,
        content={"type": "testimonial", "duration": "45s", "language": "en"},
    )


def test_a_testimonial_is_told_by_whom_the_brief_names_in_the_first_person() -> None:
    told = told_in(must_include=["Dr Marta Oliveira, dentist in Bristol, tells it herself"])
    beats = write_script(told).beats
    dialogue = [beat.script.dialogue for beat in beats if beat.script.dialogue]
    assert all(line.startswith("MARTA: ") for line in dialogue)
    assert any("Since we use Slotly" in line for line in dialogue)
    assert any(
        beat.script.on_screen_text == "Dr Marta Oliveira\ndentist in Bristol" for beat in beats
    )
    (look,) = {r for beat in beats for r in beat.production.references if "Marta" in r}
    assert "lab coat" in look


def test_a_testimonial_without_a_person_has_a_narrator() -> None:
    beats = write_script(told_in()).beats
    assert not any(beat.script.dialogue for beat in beats)
    assert not any(picture.people for beat in beats for picture in beat.visual.pictures)


@pytest.mark.parametrize("language", ["en", "de"])
def test_at_most_a_fifth_of_an_ad_is_without_a_voice(language: str) -> None:
    script = write_script(lamp(language, duration="25s"))
    said = sum(
        speech_frames(beat.script.voiceover, script.rate, script.words_per_minute, language)
        for beat in script.beats
        if beat.script.voiceover
    )
    assert said / script.frames >= 0.8


def test_a_brief_that_has_no_more_to_say_is_told_so() -> None:
    script = write_script(lamp(duration="60s"))
    (silence,) = [each for each in script.inferred if each.key == "beats.silence"]
    assert "nothing is made up" in silence.why


@pytest.mark.parametrize("language", ["en", "de"])
def test_an_ad_shows_its_product_in_the_first_three_and_the_last_five_seconds(
    language: str,
) -> None:
    script = write_script(lamp(language))
    first, last = script.beats[0], script.beats[-1]
    shots = plan_shots(script, lamp(language)).shots
    early = [shot for shot in shots if shot.start < 3 * script.rate.fps]
    assert any(shot.things == ("bike_light",) for shot in early)
    assert first.visual.pictures
    assert last.visual.pictures[-1].things == ("bike_light",)
    assert last.end - last.start <= 5 * script.rate.fps


def kinds(told: Brief) -> list[str]:
    return [p.kind for beat in write_script(told).beats for p in beat.visual.pictures]


def test_a_number_is_a_figure_and_a_way_a_diagram() -> None:
    told = brief(
        project={"title": "Where the rain goes"},
        message={
            "core": "A rainwater tank saves drinking water.",
            "supporting": [
                "rain runs from the roof through a filter into a tank under the lawn",
                "a family of four saves 45,000 litres a year",
            ],
            "cta": "Ask for a roof check",
        },
        content={"type": "explainer", "duration": "45s", "language": "en"},
    )
    graphics = [
        p.graphic for beat in write_script(told).beats for p in beat.visual.pictures if p.graphic
    ]
    assert ("roof", "filter", "tank") in {each.steps for each in graphics}
    assert ("45,000", "litres a year") in {(each.value, each.unit) for each in graphics}


@pytest.mark.slow  # Twenty films.
def test_ads_and_explainers_that_name_a_drawable_thing_have_inserts() -> None:
    sold = [b for b in WRITTEN if b.content.type in ("social_ad", "explainer", "product_demo")]
    sold = [b for b in sold if any(map(named_things, (b.message.core, *b.message.supporting)))]
    found = [kind for told in sold for kind in kinds(told)]
    inserts = sum(kind in ("thing", "hand", "screen", "product") for kind in found)
    assert inserts / len(found) >= 0.15


@pytest.mark.parametrize(
    ("mood", "place"),
    [
        ("misty dawn in the mountains", "mountain"),
        ("a wet November evening in the city", "street"),
        ("Regentag auf dem Spielplatz", "field"),
    ],
)
def test_the_place_of_the_brief_is_the_place_of_the_film(mood: str, place: str) -> None:
    told = brief(
        message={"core": "Ember lets drivers see you.", "cta": "Get it", "brand": "Ember"},
        style={"mood": mood},
        content={"type": "general", "duration": "30s", "language": "en"},
    )
    beats = write_script(told).beats
    assert {beat.visual.location for beat in beats[:-1]} == {place}


def test_a_state_that_is_said_is_asked_for() -> None:
    told = brief(
        message={
            "core": "We pack breakfast for children.",
            "supporting": ["our shelves are empty by Thursday"],
            "cta": "Give five pounds",
        },
        content={"type": "general", "duration": "30s", "language": "en"},
    )
    things = {
        thing
        for beat in write_script(told).beats
        for picture in beat.visual.pictures
        for thing in picture.things
    }
    assert "shelf:empty" in things
