"""Own scripts: broken into beats of the film's exact length, without changing a word."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.unit.script.samples import CTA, make_brief

from callsheet.errors import InputError
from callsheet_studio.base.speech import speech_frames
from callsheet_studio.library import sets
from callsheet_studio.script import check_script, own_script, write_script
from callsheet_studio.script.own.narration import clauses, sentences
from callsheet_studio.script.own.reading import Form, form_of, two_lines

if TYPE_CHECKING:
    from callsheet_studio.model.brief import Brief
    from callsheet_studio.model.script import Beat, Script

PAGE = Path(__file__).parents[5] / "docs" / "how-to" / "bring-your-own-script.md"
NARRATION = """
Every summer, two boats want the same berth. The list on paper knows nothing of it.

Harbor shows every berth on one live map. Guests pay before they arrive.

And it works offline, out on the pier.
"""


def spoken(script: Script) -> str:
    parts = [(beat.script.voiceover, beat.script.dialogue) for beat in script.beats]
    return " ".join(text for pair in parts for text in pair if text)


def bare(text: str) -> str:
    return "".join(text.split())


def added(script: Script) -> list[Beat]:
    keys = {entry.key for entry in script.inferred}
    return [beat for beat in script.beats if f"beats.{beat.id}" in keys]


def tiles(script: Script, frames: int) -> bool:
    ends = [0, *(beat.end for beat in script.beats)]
    starts = [*(beat.start for beat in script.beats), frames]
    return ends == starts and all(beat.frames > 0 for beat in script.beats)


# Narration


@pytest.mark.requirement("P1", "P3")
def test_narration_becomes_beats_word_for_word() -> None:
    brief = make_brief(script=NARRATION)
    script = write_script(brief)
    assert spoken(script).split() == NARRATION.split()
    assert check_script(script, brief) == ()
    assert script.structure == "own"
    assert [len(sentences(beat.script.voiceover or "")) for beat in script.beats] == [2, 2, 1, 0]


def test_a_place_that_is_spoken_of_is_the_set() -> None:
    script = write_script(make_brief(script=NARRATION + "\n\nThen home, to the kitchen."))
    assert script.beats[0].visual.location == "harbour"
    assert script.beats[3].visual.location == "kitchen"
    assert script.beats[3].id == "2.1"
    assert all(beat.visual.location in sets() for beat in script.beats)


def test_an_end_card_with_the_call_to_action_is_added_and_listed() -> None:
    script = write_script(make_brief(script=NARRATION))
    assert [beat.script.on_screen_text for beat in added(script)] == [CTA]
    assert script.beats[-1] == added(script)[0]


def test_a_call_to_action_that_is_there_is_not_added() -> None:
    script = write_script(make_brief(script=f"{NARRATION}\n\n{CTA}!"))
    assert added(script) == []
    assert script.beats[-1].script.on_screen_text is None


def test_a_call_to_action_in_the_middle_gets_an_end_card_all_the_same() -> None:
    script = write_script(make_brief(script=f"{CTA}!\n\n{NARRATION}"))
    assert [beat.script.on_screen_text for beat in added(script)] == [CTA]


def test_a_film_much_longer_than_its_words_gets_pictures_that_are_listed() -> None:
    brief = make_brief(script=NARRATION, seconds=120)
    script = write_script(brief)
    assert spoken(script).split() == NARRATION.split()
    assert check_script(script, brief) == ()
    silent = [beat for beat in script.beats if not beat.script.voiceover]
    assert silent == added(script)
    assert len({beat.script.action for beat in script.beats}) == len(script.beats)


def test_the_time_that_is_left_goes_to_the_ends_of_scenes() -> None:
    two = f"{HARBOUR}\n\nA gull lands.\n\n{OFFICE}"
    script = write_script(make_brief(script=two, seconds=30))
    first, last, other, _ = (beat.frames for beat in script.beats)
    assert first < last
    assert abs(last - other) <= 1


HARBOUR = "EXT. HARBOUR - DAY\n\nBoats lie still."
OFFICE = "INT. OFFICE - DAY\n\nA phone rings."


def test_scenes_and_texts_stay_apart_however_little_time_there_is() -> None:
    play = f"{HARBOUR}\n\n{OFFICE}\n\n> One <\n\nMARA\nYes.\n\n> Two <"
    script = write_script(make_brief(script=play, seconds=9, cta=""))
    assert [beat.scene for beat in script.beats] == [1, 2, 2]
    texts = [beat.script.on_screen_text for beat in script.beats]
    assert texts == [None, "One", "Two"]


def test_short_ideas_share_a_beat_when_time_is_short() -> None:
    four = "One boat.\n\nTwo boats.\n\nThree boats.\n\nOne berth."
    roomy = write_script(make_brief(script=four, seconds=26))
    tight = write_script(make_brief(script=four, seconds=13))
    assert [beat.script.voiceover for beat in roomy.beats[:2]] == ["One boat.", "Two boats."]
    assert len(tight.beats) < len(roomy.beats)
    assert spoken(tight).split() == spoken(roomy).split() == four.split()


def test_more_that_is_seen_to_happen_gets_more_time() -> None:
    play = "EXT. HARBOUR - DAY\n\nRain. Wind. Waves.\n\nA gull."
    script = write_script(make_brief(script=play, seconds=14, cta=""))
    many, one = (beat.frames for beat in script.beats)
    assert many == 9 * 24
    assert one == 5 * 24


def test_the_first_time_to_spare_goes_to_beats_that_are_too_short() -> None:
    long = "We came at dawn and tied up at noon and then we ate on the pier by the boats."
    script = write_script(make_brief(script=f"{long}\n\nTwo boats.", seconds=12, cta=""))
    first, second = (beat.frames for beat in script.beats)
    assert first == speech_frames(long, script.rate, 150, "en")
    assert second == 12 * 24 - first


def test_pictures_are_added_where_scenes_end_first() -> None:
    play = f"{HARBOUR}\n\nA gull lands.\n\n{OFFICE}\n\nSomebody answers."
    script = write_script(make_brief(script=play, seconds=55, cta=""))
    assert len(script.beats) == 6
    assert [beat.id for beat in added(script)] == ["1.3", "2.3"]


def test_pictures_are_added_where_ideas_end_and_not_within_one() -> None:
    idea = "We came at dawn and tied up at noon and then we ate. " * 3
    script = write_script(make_brief(script=f"{idea}\n\n{idea}", seconds=75, cta=""))
    kinds = ["picture" if beat in added(script) else "words" for beat in script.beats]
    assert kinds == [*["words"] * 3, "picture", *["words"] * 3, "picture"]


def test_writing_without_blanks_gets_none() -> None:
    text = "\u6bcf\u5e74\u590f\u5929\uff0c\u4e24\u8258\u8239\u3002" * 8
    script = write_script(make_brief(script=text, seconds=40, language="zh"))
    assert len(script.beats) > 2
    assert "".join(beat.script.voiceover or "" for beat in script.beats) == text


def test_words_that_need_it_are_spoken_faster_and_it_says_so() -> None:
    brief = make_brief(script=NARRATION, seconds=18)
    script = write_script(brief)
    assert 150 < script.words_per_minute <= 180
    assert check_script(script, brief) == ()
    told = {entry.key: entry.value for entry in script.inferred}
    assert told["words_per_minute"] == script.words_per_minute


def test_without_room_for_a_card_the_call_to_action_is_on_the_last_picture() -> None:
    brief = make_brief(script=NARRATION, seconds=14)
    script = write_script(brief)
    assert spoken(script).split() == NARRATION.split()
    assert script.beats[-1].script.on_screen_text == CTA
    assert f"beats.{script.beats[-1].id}.script.on_screen_text" in {
        entry.key for entry in script.inferred
    }


def test_a_text_of_the_authors_on_the_last_picture_stays_and_the_card_is_short() -> None:
    brief = make_brief(script="A boat. | | One berth", seconds=4)
    script = own_script(brief, "columns")
    assert [beat.script.on_screen_text for beat in script.beats] == ["One berth", CTA]
    assert script.beats[1].frames >= 24
    tiny = own_script(make_brief(script="A boat. | | One berth", seconds=1), "columns")
    assert [beat.script.on_screen_text for beat in tiny.beats] == ["One berth"]


@pytest.mark.requirement("P4")
def test_words_that_cannot_be_spoken_in_the_time_are_refused_with_three_ways_out() -> None:
    with pytest.raises(InputError) as refused:
        write_script(make_brief(script=NARRATION, seconds=10))
    message = refused.value.message
    assert f"```\n{message}\n```" in PAGE.read_text("utf-8")
    assert "37 spoken words take 13.6 s even at 180 words per minute" in message
    assert "the film has 10.0 s" in message
    assert "'Harbor shows every berth on' …" in message
    ways = re.search(r"Take out (\d+) words, or set content.duration to (\d+)s, or leave", message)
    assert ways
    long_enough = make_brief(script=NARRATION, seconds=int(ways[2]))
    assert write_script(long_enough).words_per_minute == 180
    shorter = " ".join(NARRATION.split()[int(ways[1]) :])
    assert write_script(make_brief(script=shorter, seconds=10)).frames == 240


def test_a_sentence_too_long_for_a_beat_is_cut_where_a_speaker_breathes() -> None:
    long = "We came at dawn, we tied up at noon, we ate on the pier, we slept on the boat, " * 2
    brief = make_brief(script=long, seconds=40)
    script = write_script(brief)
    assert spoken(script).split() == long.split()
    assert check_script(script, brief) == ()
    assert all((beat.script.voiceover or ",").endswith(",") for beat in script.beats)


@pytest.mark.parametrize(
    "text", ["", " \n ", "Title: Nothing\nAuthor: Nobody\n", "| VIDEO | AUDIO |\n|---|---|"]
)
def test_a_script_with_nothing_in_it_is_refused(text: str) -> None:
    with pytest.raises(InputError, match=r"content\.script: nothing is said or seen"):
        own_script(make_brief(script=text))


def test_speakers_in_a_narration_speak() -> None:
    script = write_script(
        make_brief(script="ANNA: I lost berths.\nNARRATOR: Every day.\nANNA: Yes.")
    )
    said = [(beat.script.dialogue, beat.script.voiceover) for beat in script.beats[:3]]
    assert said == [("ANNA: I lost berths.", None), (None, "Every day."), ("ANNA: Yes.", None)]
    assert [beat.audio.dialogue_present for beat in script.beats[:3]] == [True, False, True]


def test_a_german_script_gets_german_metadata() -> None:
    text = "Zwei Boote wollen denselben Liegeplatz, z.B. im Hafen am 3. Mai. Die Liste weiß nichts."
    brief = make_brief(script=text, language="de", cta="Jetzt Harbor testen", seconds=20)
    script = write_script(brief)
    assert spoken(script).split() == text.split()
    assert check_script(script, brief) == ()
    assert script.beats[0].question == "Warum weiter zusehen?"
    assert script.beats[0].visual.location == "harbour"
    assert sentences(text)[1] == "Die Liste weiß nichts."


@pytest.mark.parametrize("seconds", [20, 30, 60, 90])
def test_the_emotion_of_the_midpoint_is_felt_at_the_midpoint_alone(seconds: int) -> None:
    script = write_script(make_brief(script=NARRATION, seconds=seconds))
    (felt,) = [beat for beat in script.beats if beat.emotion.character == "relief"]
    assert felt.start <= script.frames // 2 < felt.end


def test_the_same_script_twice_is_the_same_script() -> None:
    brief = make_brief(script=NARRATION, seconds=60)
    assert write_script(brief).model_dump_json() == write_script(brief).model_dump_json()


@pytest.mark.parametrize(
    ("text", "lines"),
    [("Try it", "Try it"), ("a b c d e f g h i j", "a b c d e\nf g h i j")],
)
def test_a_text_for_the_screen_is_broken_in_two_if_it_must_be(text: str, lines: str) -> None:
    assert two_lines(text) == lines


# Two columns

TABLE = """
# Harbor Lights

| VIDEO | AUDIO |
|---|---|
| A marina at dawn. Boats lie still. | VO: Every summer, two boats want the same berth. |
| Mara at her desk. SUPER: no | SFX: gulls<br>MARA (tired): Not again. |
| SUPER: "One live map" | MUSIC: strings begin |
## The office
| INT. OFFICE. A phone. | "So that is all?" |
"""


@pytest.mark.requirement("P1")
def test_a_table_is_seen_on_the_left_and_heard_on_the_right() -> None:
    brief = make_brief(script=TABLE)
    script = write_script(brief)
    assert form_of(TABLE) == "columns"
    assert script.title == "Harbor Lights"
    assert spoken(script) == (
        "Every summer, two boats want the same berth. MARA: (tired) Not again. So that is all?"
    )
    first, desk, text, office, _ = script.beats
    assert first.script.action == "A marina at dawn. Boats lie still."
    assert desk.script.action == "Mara at her desk. SUPER: no"
    assert desk.audio.effects == ("gulls",)
    assert (text.script.on_screen_text, text.audio.music_mood) == ("One live map", "strings begin")
    assert (office.id, office.visual.location) == ("2.1", "office")
    assert check_script(script, brief) == ()


@pytest.mark.parametrize(
    "text",
    [
        "VIDEO | AUDIO\nA marina. | Two boats.\nA map. | One berth.",
        "BILD\tTON\nA marina.\tTwo boats.\nA map.\tOne berth.",
        "| # | NARRATION | VISUAL |\n| 1 | Two boats. | A marina. |\n| 2 | One berth. | A map. |",
        "A marina. | Two boats.\nA map. | One berth.",
    ],
)
def test_columns_are_recognised_by_their_heads_or_their_shape(text: str) -> None:
    script = write_script(make_brief(script=text, seconds=20))
    words = [(beat.script.action, beat.script.voiceover) for beat in script.beats[:2]]
    assert words == [("A marina.", "Two boats."), ("A map.", "One berth.")]


# Forms


@pytest.mark.parametrize(
    ("text", "form"),
    [
        (NARRATION, "narration"),
        (TABLE, "columns"),
        ("INT. OFFICE - DAY\n\nA phone rings.", "fountain"),
        ("INNEN. BÜRO - TAG\n\nEin Telefon.", "fountain"),
        ("Title: Harbor\n\nA phone rings.", "fountain"),
        ("Hello.\n\nMARA (V.O.)\nTwo boats.", "fountain"),
        ("MARA\nTwo boats.\n\nTOM\nOne berth.", "fountain"),
        ("\tTwo boats.\n\n\tOne berth.", "narration"),
        ("Boats | berths: that is all.\n\nAnd more.\n\nAnd more.", "narration"),
        ("THE PROBLEM\nTwo boats want one berth.", "narration"),
        ("External help is on its way. Interns too.", "narration"),
    ],
)
def test_the_form_of_a_script_is_seen(text: str, form: Form) -> None:
    assert form_of(text) == form


# Laws

SIGNS = "aZe .!,?;\n|\t()[]*/>~=@<MARINT-é你。\u06270\u06619😀"
texts = st.one_of(st.text(max_size=300), st.text(st.sampled_from(SIGNS), max_size=300))
seconds = st.integers(1, 200)
fps = st.sampled_from(["24", "25", "29.97", "23.976"])


def made(brief: Brief, form: Form | None) -> Script | str:
    """The script, or why there is none."""
    try:
        return own_script(brief, form)
    except InputError as refused:
        return refused.message


@pytest.mark.requirement("P3", "P4")
# It takes longer because whole scripts are made, a hundred of them.
@pytest.mark.slow
@settings(deadline=None)
@given(texts, seconds, fps, st.sampled_from(["en", "de", "ar"]))
def test_any_narration_keeps_its_words_and_fills_the_film(
    text: str, length: int, rate: str, language: str
) -> None:
    # A label would be taken for who speaks, a first `#` for a title, a zero byte is dropped.
    plain = text.replace(":", ".").replace("#", ".").replace("\x00", "").replace("\ufeff", "")
    brief = make_brief(script=plain, seconds=length, fps=rate, language=language, avoid=())
    script = made(brief, "narration")
    if isinstance(script, str):
        assert "does not fit" in script or not plain.strip()
        return
    assert bare(spoken(script)) == bare(plain)
    assert tiles(script, brief.frames)
    found = {violation.rule for violation in check_script(script, brief)}
    # In a film with too little room texts and pictures may be short; what is said fits always.
    assert found <= {"beat-length", "text-time", "twin"}


# It takes longer because whole scripts are made, a hundred of them.
@pytest.mark.slow
@settings(deadline=None)
@example("", "fountain", 30)
@given(texts, st.sampled_from(["fountain", "columns", None]), seconds)
def test_whatever_somebody_pastes_is_a_film_or_refused(
    text: str, form: Form | None, length: int
) -> None:
    brief = make_brief(script=text, seconds=length, avoid=())
    script = made(brief, form)
    if isinstance(script, str):
        return
    assert tiles(script, brief.frames)
    found = {violation.rule for violation in check_script(script, brief)}
    # A text of the author's on the last picture leaves the call to action without a place.
    assert found <= {"beat-length", "text-time", "text-size", "twin", "cta"}


@given(texts)
def test_sentences_and_clauses_are_the_text_again(text: str) -> None:
    assert bare("".join(sentences(text))) == bare(text)
    assert bare("".join(clauses(text))) == bare(text)
