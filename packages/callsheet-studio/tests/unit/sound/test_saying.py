"""Addresses, prices and numbers are given to the voice in words."""

from __future__ import annotations

import pytest

from callsheet_studio.sound.saying import LONGEST_WORD, hints_in, sayable


@pytest.mark.parametrize(
    ("text", "language", "said"),
    [
        ("Try harbor.app/try now.", "en", "Try harbor dot app slash try now."),
        ("Besuchen Sie www.vogt.de.", "de", "Besuchen Sie w w w Punkt vogt Punkt de."),
        ("Mail info@harbor.app", "en", "Mail info at harbor dot app"),
        ("It is $9.99 a month.", "en", "It is 9 dollars 99 a month."),
        ("Nur 9,99 €!", "de", "Nur 9 Euro 99!"),
        ("For $1,200.00.", "en", "For 1200 dollars."),
        ("Ab 1.400 €.", "de", "Ab 1400 Euro."),
        ("aus 1.400 Metern", "de", "aus 1400 Metern"),
        ("1,250 boats", "en", "1250 boats"),
        ("20 % mehr", "de", "20 Prozent mehr"),
        ("20% more & more", "en", "20 percent more and more"),
        ("Call +49 40 123456", "en", "Call plus 4 9, 4 0, 1 2 3 4 5 6"),
        ('Say "hello" <now>', "en", "Say hello now"),
        ("Nothing  to   change.", "en", "Nothing to change."),
    ],
)
def test_it_is_said_as_somebody_would(text: str, language: str, said: str) -> None:
    assert sayable(text, language) == said


def test_a_hint_is_for_whole_words_in_any_case() -> None:
    hints = {"Lotsa": "Loht-sah", "Lotsa Go": "Loht-sah Goh"}
    assert sayable("LOTSA, lotsa go, Lotsas", "en", hints) == "Loht-sah, Loht-sah Goh, Lotsas"


def test_no_word_is_longer_than_a_voice_can_bear() -> None:
    said = sayable("a" * 300 + " " + "7" * 100, "en")
    assert max(map(len, said.split())) <= LONGEST_WORD
    assert said.count("a") == 300
    assert said.count("7") == 100


def test_a_line_carries_the_hints_that_it_needs_and_no_other() -> None:
    hints = {"Lotsa": "Loht-sah", "Ondo": "On-doh"}
    assert hints_in("Ask lotsa.", hints) == {"Lotsa": "Loht-sah"}
    assert hints_in("Lotsas und Onda.", hints) == {}
