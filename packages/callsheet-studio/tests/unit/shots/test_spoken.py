"""Words onto shots: every one, once, where a speaker would breathe; and time to read."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.shots.scripts import B, brief, script

from callsheet_studio.base.clauses import clauses
from callsheet_studio.base.time import Rate
from callsheet_studio.model.script import Words
from callsheet_studio.shots import plan_shots
from callsheet_studio.shots.reading import text_on
from callsheet_studio.shots.spoken import breaths, heard, lines, onto_shots, told

pytestmark = pytest.mark.requirement("P5")

RATE = Rate.of("24")


def test_a_text_is_cut_at_its_clauses() -> None:
    text = "Every morning Mara counts the boats, and every morning two are wrong. Nobody knows why."
    assert clauses(text) == (
        "Every morning Mara counts the boats,",
        "and every morning two are wrong.",
        "Nobody knows why.",
    )


def test_a_word_or_two_is_no_clause_but_a_short_sentence_is() -> None:
    assert clauses("Well, yes, it works on the pier.") == ("Well, yes, it works on the pier.",)
    assert clauses("Stop. Look at the water.") == ("Stop.", "Look at the water.")


def test_a_long_clause_is_cut_before_a_turn() -> None:
    text = "The harbour master walks up and down all day long because nobody wrote down the berth"
    assert clauses(text) == (
        "The harbour master walks up and down all day long",
        "because nobody wrote down the berth",
    )


@settings(max_examples=50)
@given(st.text(alphabet="ab ,.;:!?\"'\u2013\u2014\n", max_size=120))
def test_clauses_joined_are_the_text_again(text: str) -> None:
    assert " ".join(clauses(text)).split() == text.split()


def test_words_go_to_the_shot_they_are_heard_in() -> None:
    words = Words(action="", voiceover="One two three four five six. Seven eight nine ten eleven.")
    said = breaths(words, 240, RATE, 150, "en")
    cut = said[0].end
    rows = onto_shots(said, (cut, 240))
    assert [row.voiceover for row in rows] == [
        "One two three four five six.",
        "Seven eight nine ten eleven.",
    ]


def test_a_line_over_two_shots_names_its_speaker_in_both() -> None:
    line = "MARA: I walked the whole pier this morning, and the list was wrong again, you know."
    said = breaths(Words(action="", dialogue=line), 200, RATE, 150, "en")
    rows = onto_shots(said, (said[0].end, 200))
    assert all(row.dialogue and row.dialogue.startswith("MARA: ") for row in rows)
    both = "\n".join(row.dialogue or "" for row in rows)
    assert told(both, None) == told(line, None)


def test_speech_that_is_too_long_still_ends_with_its_beat() -> None:
    words = Words(action="", voiceover="a b c d e f, g h i j k l. " * 10)
    said = breaths(words, 100, RATE, 150, "en")
    assert said[-1].end == 100


def test_a_speaker_is_heard_when_they_are_seen_if_there_is_time() -> None:
    short = B(
        10,
        action="Rain runs down the window. Mara takes the radio.",
        voiceover=None,
        dialogue="MARA: Do you read me?",
        part="own",
    )
    rain, mara = plan_shots(script(short, kind="brand_story"), brief()).shots
    assert rain.dialogue is None
    assert mara.dialogue == "MARA: Do you read me?"
    assert mara.lip_sync


@pytest.mark.parametrize(
    ("lengths", "card", "expected"),
    [
        ((100, 40), None, (True, False)),
        ((100, 80), 1, (False, True)),
        ((100, 60), 1, (True, False)),
        ((40, 40), None, (True, True)),
        ((30, 40, 40), None, (False, True, True)),
        ((30,), None, (True,)),
    ],
)
def test_text_stands_where_it_can_be_read(
    lengths: tuple[int, ...], card: int | None, expected: tuple[bool, ...]
) -> None:
    assert tuple(t == "40 clicks" for t in text_on("40 clicks", lengths, RATE, card)) == expected


def test_a_silent_beat_without_text_has_neither() -> None:
    (shot,) = plan_shots(script(B(4, voiceover=None)), brief()).shots
    assert (shot.voiceover, shot.dialogue, shot.on_screen_text) == (None, None, None)


def test_how_a_line_is_said_is_not_said() -> None:
    first, second = lines("PAVEL: (to himself) Every night.\n(louder) Forty years!")
    assert first.text == "(to himself) Every night."
    assert [heard(line.text) for line in (first, second)] == ["Every night.", "Forty years!"]
    assert heard("(sighs)") == "(sighs)"
