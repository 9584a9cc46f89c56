"""Telling: chance follows from what is told, and nothing is told twice."""

from __future__ import annotations

import pytest

from callsheet_studio.script.smith.lines import Dice, Teller
from callsheet_studio.script.words import Move

pytestmark = pytest.mark.requirement("P3")

MAP = {"msg": "one live map", "msg_n": "one live map", "msg_1": "one live map"}
WHO = {"who": "skippers", "Who": "Skippers", "figure": "ten berths", "Figure": "Ten berths"}
MOST = 30
"""Words: time enough."""


def teller(film: str = "a film") -> Teller:
    return Teller(Dice(film), "en", frozenset(), ())


def told(about: str, *before: str, film: str = "a film") -> str | None:
    """What is said about something, after some other kinds of moves."""
    telling = teller(film)
    for kind in before:
        telling.about = kind
        assert telling.say(kind, WHO, MOST)
        telling.given("Words of the brief.")
    telling.about = about
    return telling.say("next", MAP, MOST)


def test_a_line_is_the_same_however_much_was_told_before_it() -> None:
    for number in range(20):
        about = f"message/{number}"
        assert told(about) is not None
        assert told(about) == told(about, "people") == told(about, "people", "hook_plain")


def test_other_films_and_other_places_have_other_lines() -> None:
    assert len({told(f"message/{number}") for number in range(20)}) > 3
    assert len({told("message/1", film=f"film {number}") for number in range(20)}) > 3


def test_no_half_of_a_sentence_comes_twice_before_all_have_come() -> None:
    move = Move(
        "[A lid|A coat|A pen] falls, and [nobody looks|a door shuts|it rains].", frozenset()
    )
    telling = teller()
    said = []
    for number in range(3):
        telling.about = str(number)
        said.append(telling.try_(move, MOST) or "")
        telling.given("Words of the brief.")
    firsts, seconds = zip(*(line.rstrip(".").split(" falls, and ") for line in said), strict=True)
    assert sorted(firsts) == ["A coat", "A lid", "A pen"]
    assert sorted(seconds) == ["a door shuts", "it rains", "nobody looks"]


def test_no_sentence_begins_like_one_before_it_not_even_a_second_one() -> None:
    telling = teller()
    first = Move("You know {pain_n}. Now you know {brand}.", frozenset())
    slots = {"pain_n": "paper lists", "brand": "Harbor"}
    assert telling.pick([first.text], "close", slots) is not None
    assert telling.pick(["Now you know {brand}."], "cta", slots) is None
    assert telling.pick(["This is {brand}."], "cta", slots) is not None
