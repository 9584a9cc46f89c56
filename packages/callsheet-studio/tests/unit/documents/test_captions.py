"""Captions: what is said, word for word, when it is said, and readable."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.every import every
from tests.unit.documents.films import brief_of, film, script_of

from callsheet_studio.base.time import Rate
from callsheet_studio.documents import Caption, caption_files, captions, check_captions
from callsheet_studio.documents.breaking import Room, broken, columns, joined, words_of
from callsheet_studio.documents.captions import srt, vtt
from callsheet_studio.model.script import Script, Words

pytestmark = pytest.mark.requirement("P12")

RATE = Rate.of(24)
words = st.lists(
    st.text(st.characters(categories=("L", "N", "P", "S")), min_size=1, max_size=60), max_size=40
).map(" ".join)


def of(voiceover: str | None = None, dialogue: str | None = None) -> Script:
    said = Words(action="Somebody speaks.", voiceover=voiceover, dialogue=dialogue)
    return film(1, 1, words=said).script


def rules(found: tuple[Caption, ...] | list[Caption]) -> set[str]:
    return {violation.rule for violation in check_captions(found, RATE)}


@every(language=["en", "de"], fps=["24", "25", "29.97"])
def test_captions_of_a_film_keep_every_rule(language: str, fps: str) -> None:
    made = film(8, 2, language=language, fps=fps)
    found = captions(made.script)
    assert found
    assert check_captions(found, made.script.rate) == ()


# Many texts.
@pytest.mark.slow
@given(words, words)
def test_every_word_is_shown_once_and_in_order(first: str, second: str) -> None:
    brief = brief_of(20, language="en", fps="24")
    said = [Words(action="a", voiceover=text) for text in (first, second)]
    script = script_of(brief, 2)
    beats = [
        beat.model_copy(update={"script": each})
        for beat, each in zip(script.beats, said, strict=True)
    ]
    found = captions(script.model_copy(update={"beats": tuple(beats)}))
    shown = "".join("".join(caption.lines) for caption in found)
    assert "".join(shown.split()) == "".join(f"{first}{second}".split())


# Many texts.
@pytest.mark.slow
@given(words)
@settings(max_examples=50)
def test_however_much_is_said_lines_are_narrow_and_captions_apart(text: str) -> None:
    found = captions(of(voiceover=text))
    dense = len(found) * 22 > 192
    broken = rules(found) - ({"caption-apart", "caption-short"} if dense else set())
    assert broken <= {"caption-speed"}
    assert all(caption.end <= 192 for caption in found) or dense


def test_a_caption_is_there_while_its_words_are_said() -> None:
    made = film(4, 1)
    found = captions(made.script)
    starts = [beat.start for beat in made.script.beats]
    assert [caption.start for caption in found] == starts
    spoken = made.script.beats[0].script.voiceover
    assert spoken == " ".join(found[0].lines)
    assert 100 <= found[0].end <= 192


def test_lines_break_where_the_sense_allows_it() -> None:
    found = captions(of("It works offline on the pier, where the signal never did."))
    assert [caption.lines for caption in found] == [
        ("It works offline on the pier,", "where the signal never did.")
    ]


def test_sentences_are_not_torn_apart_when_each_has_room() -> None:
    text = (
        "The old list was on paper and nobody could read it. "
        "The new one is on every phone and always right."
    )
    found = captions(of(text))
    assert [" ".join(caption.lines)[-1] for caption in found] == [".", "."]


def test_a_quick_answer_shares_its_caption_with_a_dash_each() -> None:
    found = captions(of(dialogue="MARA: Is it free?\nJO: It is."))
    assert [caption.lines for caption in found] == [("- Is it free?", "- It is.")]


def test_how_something_is_said_is_not_read() -> None:
    found = captions(of(dialogue="JO: (to himself) Every night it is the same."))
    assert found[0].lines[0].startswith("Every night")


def test_who_speaks_on_needs_no_dash() -> None:
    found = captions(of(dialogue="MARA: Is it free?\nMARA: I hope it is."))
    assert not any(line.startswith("-") for caption in found for line in caption.lines)


def test_a_sentence_is_not_begun_in_the_caption_of_another_one() -> None:
    longer = (
        "This one sentence is so much longer that it wants more than the two lines it would have."
    )
    found = captions(of(f"Nobody saw it. {longer}"))
    assert found[0].lines == ("Nobody saw it.",)
    assert len(found) == 3


def test_one_word_each_is_still_long_enough_to_read() -> None:
    found = captions(of("No.", dialogue="JO: Oh."))
    assert (found[0].start, found[0].end, found[1].start) == (0, 20, 22)


def test_a_short_pause_is_no_flicker() -> None:
    # 17 words take 180 of the 192 frames of their beat.
    said = Words(action="a", voiceover="One two three four five six. " * 2 + "And so on at last.")
    found = captions(film(2, 1, words=said).script)
    second = next(each for each in found if each.start == 192)
    before = found[found.index(second) - 1]
    assert before.end == 190


def test_a_caption_stays_until_it_can_have_been_read() -> None:
    # No voice is measured: by the count of its words it is said sooner than read.
    script = of("Straightforwardly incomprehensible characteristics.")
    found = captions(script.model_copy(update={"language": "pt"}))
    assert [each.end - each.start for each in found] == [60]


def test_a_word_without_end_is_cut_into_lines() -> None:
    found = captions(of("x" * 100))
    assert "".join("".join(caption.lines) for caption in found) == "x" * 100
    assert "caption-width" not in rules(found)


def test_a_film_without_words_has_empty_captions() -> None:
    made = film(1, 1, words=Words(action="Nobody speaks."))
    files = caption_files(made.script, made.brief)
    assert files["captions.srt"] == b""
    assert files["captions.vtt"] == b"WEBVTT\n"


@pytest.mark.parametrize(
    ("caption", "rule"),
    [
        (Caption(0, 24, ("a", "b", "c")), "caption-lines"),
        (Caption(0, 72, ("x" * 43,)), "caption-width"),
        (Caption(0, 19, ("a",)), "caption-short"),
        (Caption(0, 169, ("a",)), "caption-long"),
        (Caption(0, 99, ("a",)), "caption-apart"),
        (Caption(0, 24, ("x" * 21,)), "caption-speed"),
    ],
)
def test_each_rule_finds_what_breaks_it(caption: Caption, rule: str) -> None:
    after = Caption(100 if rule == "caption-apart" else 200, 250, ("fine",))
    assert rules([caption, after]) == {rule}
    violation = check_captions([caption, after], RATE)[0]
    assert violation.where == "caption 1"
    assert violation.fix


def test_what_is_at_the_limit_is_fine() -> None:
    edge = [Caption(0, 20, ("x" * 16,)), Caption(22, 190, ("x" * 42, "y" * 42))]
    assert rules(edge) == set()


def test_times_in_files_are_the_frames() -> None:
    rate = Rate.of("29.97")
    found = [Caption(1800, 1850, ("a",)), Caption(107892, 107950, ("b",))]
    text = srt(found, rate)
    assert text.startswith("1\n00:01:00,060 --> 00:01:01,728\na\n\n2\n00:59:59,996")
    for time, frames in zip(
        re.findall(r"(\d+):(\d+):(\d+),(\d+)", text), (1800, 1850), strict=False
    ):
        hour, minute, second, milli = map(int, time)
        assert rate.frames(hour * 3600 + minute * 60 + second + milli / 1000) == frames


def test_markup_in_what_is_said_is_shown_and_not_obeyed() -> None:
    text = vtt([Caption(0, 24, ("a <b> & --> c",))], RATE, "16:9")
    assert "a &lt;b&gt; &amp; --&gt; c" in text
    assert text.count("-->") == 1


def test_upright_captions_are_above_what_platforms_cover() -> None:
    wide = vtt([Caption(0, 24, ("a",))], RATE, "16:9")
    upright = vtt([Caption(0, 24, ("a",))], RATE, "9:16")
    place = [int(re.findall(r"line:(\d+)%", text)[0]) for text in (wide, upright)]
    assert place[0] > 80
    # Two lines take 12 % of the height; the lowest 35 % are covered.
    assert place[1] + 12 <= 65
    assert "size:88%" in upright


def test_chinese_is_broken_at_its_pauses_and_its_signs_count_twice() -> None:
    told = "每个泊位一目了然\uff0c不再有纸质清单。立即免费试用三十天\uff01" * 2
    pieces = words_of(told, 0, 400, 42)
    assert joined(pieces) == told
    found = broken(pieces, Room(42, 168))
    lines = [joined(line) for caption in found for line in caption]
    assert "".join(lines) == told
    assert all(columns(line) <= 42 for line in lines)
    assert all(line[-1] in "\uff0c。\uff01" for line in lines)
    assert columns("Harbor 港湾") == 11
