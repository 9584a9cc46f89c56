"""A brief may be an e-mail: what is said in passing is read, and what is no message is left out."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

import pytest

from callsheet_studio.brief import load
from callsheet_studio.brief.ask import answered
from callsheet_studio.script import write_script

if TYPE_CHECKING:
    from pathlib import Path

    from callsheet_studio.model.brief import Brief

pytestmark = pytest.mark.requirement("P1", "P15")


def read(tmp_path: Path, text: str) -> Brief:
    path = tmp_path / "mail.txt"
    path.write_text(textwrap.dedent(text), "utf-8")
    return load(path)


def test_what_stands_above_and_below_a_letter_is_no_message(tmp_path: Path) -> None:
    brief = read(
        tmp_path,
        """
        Betreff: Film für den Tag der offenen Tür

        Hallo zusammen,

        ich leite die Freie Schule am Bach. Jeden Mittwoch sind alle draußen im Wald.

        Am Ende: Kommt am 14. Juni vorbei!

        Viele Grüße
        Anke
        """,
    )
    assert brief.message.cta == "Kommt am 14. Juni vorbei!"
    assert "Anke" not in brief.message.brand
    assert brief.project.title == "Die Freie Schule am Bach"
    assert "Betreff" not in f"{brief.message.core} {brief.message.supporting}"


def test_what_the_film_is_to_end_with_is_its_call(tmp_path: Path) -> None:
    brief = read(
        tmp_path,
        """
        Hello,

        we sell flowers by the harbour. People can order bouquets by phone.
        Please end with: Flowers that slept in the field.
        """,
    )
    assert brief.message.cta == "Flowers that slept in the field."
    assert "Order bouquets by phone" in " ".join((brief.message.core, *brief.message.supporting))


def test_a_title_ends_with_a_word_that_can_end_one(tmp_path: Path) -> None:
    brief = read(tmp_path, "We turned a car park into 60 vegetable beds. Anyone can have one.")
    assert brief.project.title == "We turned a car park"


def test_a_letter_can_be_answered_and_says_what_it_said(tmp_path: Path) -> None:
    brief = read(tmp_path, "We turned a car park into 60 vegetable beds. Anyone can have one.")
    changed = answered(brief, {"tone": "calm"})
    assert changed.message.core == brief.message.core
    assert changed.style.tone == "calm"
    heard = {each.key for each in changed.inferred if "from your words" in each.why}
    assert "message.core" in heard
    assert answered(brief, {}) == brief


def test_a_letter_of_three_lines_is_signed_where_it_ends(tmp_path: Path) -> None:
    brief = read(
        tmp_path,
        """
        We run evening pottery classes in Leeds, and everybody takes home a bowl.
        Could you do about 20 seconds for Instagram? The first evening is half price.
        Call us on 0113 496 0000 - Farah & Joe, Arch 9 Pottery
        """,
    )
    assert brief.message.brand == "Arch 9 Pottery"
    assert brief.message.cta == "Call us on 0113 496 0000"
    assert brief.content.duration == 20
    assert not any("20 seconds" in each for each in brief.message.supporting)


def test_a_telephone_number_is_read_and_not_said(tmp_path: Path) -> None:
    brief = read(tmp_path, "We mend bikes while you wait.\nCall us on 0113 496 0000.")
    script = write_script(brief)
    last = script.beats[-1].script
    assert "496" not in (last.voiceover or "")
    assert "0113 496 0000" in " ".join((last.on_screen_text or "").split())


def test_a_wish_in_passing_is_no_message(tmp_path: Path) -> None:
    brief = read(
        tmp_path,
        """
        Hallo zusammen,

        wir machen im Dezember wieder unseren Flohmarkt in der Markthalle. Der Eintritt ist frei.

        Vielleicht eine halbe Minute, hochkant fürs Handy? Am Ende bitte: Bringt Lampen mit!

        Viele Grüße
        Miriam vom Verein Altes Eisen
        """,
    )
    assert (brief.content.duration, brief.delivery.aspect) == (30, "9:16")
    assert brief.message.cta == "Bringt Lampen mit!"
    assert brief.message.brand == "Altes Eisen"
    assert not any("Minute" in each for each in brief.message.supporting)
