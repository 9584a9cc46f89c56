"""How long words take: counted as they are spoken."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callsheet_studio.base.speech import (
    HARD,
    LIMIT,
    MEDIUM,
    SOFT,
    fits,
    pace,
    speech_frames,
    spoken_words,
    words_that_fit,
)
from callsheet_studio.base.time import Rate

RATES = [Rate.of(text) for text in ("24", "25", "30", "23.976", "29.97")]
rates = st.sampled_from(RATES)
paces = st.integers(60, LIMIT)


@pytest.mark.requirement("P4")
@pytest.mark.parametrize(
    ("text", "language", "words"),
    [
        ("", "en", 0),
        ("Two boats want one berth.", "en", 5),
        ("It's Tom's", "en", 2),
        # Prices
        ("$9.99", "en", 2),
        ("9,99 €", "de", 2),
        ("USD 30", "en", 2),
        ("30 EUR", "de", 2),
        ("only $1,999 now", "en", 4),
        ("$9.99/month", "en", 4),
        # Addresses
        ("harbor.app/try", "en", 5),
        ("https://harbor.app/try", "en", 5),
        ("Visit harbor.app.", "en", 4),
        ("www.harbor.app", "en", 7),
        ("hello@harbor.app", "en", 5),
        # Phone numbers
        ("0800 123 456", "en", 10),
        ("+49 30 1234567", "de", 12),
        ("Call (555) 123-4567 now", "en", 12),
        # Numbers
        ("30", "en", 1),
        ("12 000 000 boats", "en", 4),
        ("013 boats", "en", 2),
        ("45", "en", 2),
        ("1999", "en", 3),
        ("1,999,999", "en", 11),
        ("1.999", "de", 6),
        ("2.5 times", "en", 4),
        ("2nd", "en", 1),
        ("20%", "en", 2),
        ("20 %", "en", 2),
        ("10-20 boats", "en", 4),
        ("10:30", "en", 2),
        # Short forms
        ("z.B. heute", "de", 3),
        ("and so on, etc.", "en", 5),
        ("an SDK", "en", 4),
        ("our API", "en", 3),
        ("TRY IT NOW", "en", 3),
        ("You and I", "en", 3),
        # Compounds
        ("state-of-the-art", "en", 4),
        ("Liegeplatz", "de", 1),
        ("Liegeplatzverwaltungssystem", "de", 3),
        ("internationalisation", "en", 2),
        # Who speaks
        ("MARA: Come in.", "en", 2),
        ("MARA (V.O.): (softly) Come in.\nTOM: No.", "en", 3),
        ("MÜLLER: Gut.", "de", 1),
        ("Remember: come in.", "en", 3),
        # Other writing
        ("مرحبا بالعالم", "ar", 2),
        ("你好世界", "zh", 2),
        ("你好世界你好", "zh", 3),
        ("😀 yes 👍🏽", "en", 1),
    ],
)
def test_words_are_counted_as_they_are_spoken(text: str, language: str, words: int) -> None:
    assert spoken_words(text, language) == words


@pytest.mark.parametrize(
    ("tone", "wpm"),
    [
        ("calm", SOFT),
        ("warm and confident", SOFT),
        ("ein ruhiger, sanfter Ton", SOFT),
        ("confident", MEDIUM),
        ("", MEDIUM),
        ("software", MEDIUM),
        ("warm but urgent", MEDIUM),
        ("Hard sell", HARD),
        ("urgent", HARD),
        ("dringend", HARD),
        ("energische Ansage", HARD),
    ],
)
def test_a_tone_has_its_pace(tone: str, wpm: int) -> None:
    assert pace(tone) == wpm <= LIMIT


def test_ten_words_at_150_take_four_seconds_and_a_tenth_more() -> None:
    assert speech_frames("one " * 10, Rate.of(25), 150, "en") == 110


@given(st.integers(0, 5000), rates, paces)
def test_what_fits_fits_and_a_word_more_does_not(frames: int, rate: Rate, wpm: int) -> None:
    words = words_that_fit(frames, rate, wpm)
    assert fits("boat " * words, frames, rate, wpm, "en")
    assert not fits("boat " * (words + 1), frames, rate, wpm, "en")


@given(st.text(max_size=200), st.sampled_from(["en", "de", "ar", "xx", ""]))
def test_any_text_can_be_counted(text: str, language: str) -> None:
    assert 0 <= spoken_words(text, language) <= 12 * len(text)


@given(st.text(max_size=80), rates, paces)
def test_a_faster_voice_never_takes_longer(text: str, rate: Rate, wpm: int) -> None:
    assert speech_frames(text, rate, wpm + 1, "en") <= speech_frames(text, rate, wpm, "en")


@pytest.mark.parametrize("sign", ["9", "a.", "(0", "1 ", "a-", "1a", "1.", "A", "@", "[", "$1"])
def test_a_text_of_five_thousand_signs_is_no_trap(sign: str) -> None:
    assert spoken_words(sign * 5_000, "en") >= 0
