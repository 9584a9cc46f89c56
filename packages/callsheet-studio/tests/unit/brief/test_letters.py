"""A letter to whoever makes the film: what is said to them is not said in it."""

from __future__ import annotations

from pathlib import Path

import pytest
import rtoml

from callsheet_studio.brief import load
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


def test_a_letter_is_from_whoever_stands_below_the_name_and_is_about_what_they_do(
    tmp_path: Path,
) -> None:
    letter = tmp_path / "mail.txt"
    letter.write_text(
        "Hello,\n\nmy cousin gave me your number. A storm took the roof of the shed in May.\n"
        "We sharpen knives at your door, three pounds a blade.\n\n"
        'At the end could it say "Bring out your knives."\n\n'
        "Warmly,\nRobin Teal\nEdgeworks\nTel. 01632 960 100\n\nP.S. The dog says hello.\n",
        "utf-8",
    )
    brief = load(letter)
    assert brief.message.brand == "Edgeworks"
    assert brief.message.core == "We sharpen knives at your door, three pounds a blade."
    assert brief.message.cta == "Bring out your knives."
    assert "number" not in " ".join(brief.message.supporting)
    assert "dog" not in " ".join(brief.message.supporting)
