"""A noun is drawn in the sense, the kind and the look that is meant, or not at all."""

from __future__ import annotations

import pytest

from callsheet_studio.library.things import named_things
from callsheet_studio.script.own.told import told_in

pytestmark = pytest.mark.requirement("P15")


@pytest.mark.parametrize(
    ("sentence", "about", "drawn"),
    [
        ("A lock is a bathtub with a door at each end.", "A canal lock lifts a boat.", ()),
        ("Somebody had forgotten to close the lock.", "A bicycle in the shed.", ("lock",)),
        ("The old research ship leaves at nine in the morning.", "", ()),
        ("Vorher ein Fragebogen und ein Tropfen aus dem Finger.", "", ()),
        ("In den Ferien sind die Kühlschränke der Blutbank halb leer.", "", ()),
        ("Our red van brings the vegetables to your door.", "", ("vegetables", "door")),
        ("Our van brings the vegetables on Friday.", "", ("van", "vegetables")),
    ],
)
def test_a_word_with_several_meanings_needs_one_of_the_right_meaning(
    sentence: str, about: str, drawn: tuple[str, ...]
) -> None:
    assert named_things(sentence, about) == drawn


def test_a_screenplay_says_how_long_its_film_is_and_what_it_ends_on() -> None:
    told = told_in(
        "Title: Night\nNotes: 45 sec, please\n\nINT. KITCHEN - DAY\n\nADA\nHello there.\n\n"
        "TITLE: Call us.\n",
        "en",
    )
    assert told is not None
    assert (told.seconds, told.is_said, told.call) == (45, True, "Call us.")
