"""A letter to whoever makes the film: what is said to them is not said in it."""

from __future__ import annotations

from pathlib import Path

import pytest
import rtoml

from callsheet_studio.brief.letter.talk import bare, is_aside, refers_back

pytestmark = pytest.mark.requirement("P1", "P15")

SENTENCES = rtoml.loads(Path(__file__).with_name("letters.toml").read_text("utf-8"))


def test_what_is_said_to_whoever_makes_the_film_is_told_from_what_it_says() -> None:
    spoken = [each for each in SENTENCES["aside"] if not is_aside(each)]
    lost = [each for each in SENTENCES["said"] if is_aside(each)]
    assert spoken == []
    assert lost == []


def test_a_sentence_is_said_without_what_leads_to_it_and_what_is_remarked_on_it() -> None:
    assert bare("Was man wissen sollte: Leder hält lang.") == "Leder hält lang."
    assert bare("What you should know: leather lasts.") == "Leather lasts."
    assert bare("We glue trainers, too, you can mention that.") == "We glue trainers, too."
    assert bare("Turnschuhe kleben wir auch, das darf man ruhig sagen.") == (
        "Turnschuhe kleben wir auch."
    )
    assert bare("Opening hours: Monday to Friday.") == "Opening hours: Monday to Friday."


def test_a_wish_for_something_like_that_takes_that_with_it() -> None:
    assert refers_back("Something like that would be great for us, too.")
    assert refers_back("So etwas hätten wir auch gern.")
    assert not refers_back("We would love a film of 45 seconds.")
