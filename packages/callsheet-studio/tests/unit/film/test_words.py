"""The check reads for itself: what is said, denied and likened, by its own words."""

from __future__ import annotations

import inspect
import tomllib
from pathlib import Path

import pytest

from callsheet_studio.film.check import agreeing, words
from callsheet_studio.film.check.words import heard, lexicon, numbers_in
from callsheet_studio.library.shelves import sets
from callsheet_studio.library.things import catalog

pytestmark = pytest.mark.requirement("P15")

TABLE = tomllib.loads(
    (Path(__file__).parents[2] / "labelled" / "sentences.toml").read_text("utf-8")
)


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_thing_and_place_that_can_be_drawn_has_words(language: str) -> None:
    known = lexicon(language)
    named = {name for names in (*known.things.values(), *known.ends.values()) for name in names}
    assert named == set(catalog())
    assert {name for names in known.places.values() for name in names} <= set(sets())


def test_it_asks_nobody_who_chooses_pictures() -> None:
    for module in (words, agreeing):
        source = inspect.getsource(module)
        assert "library.naming" not in source
        assert "library.asking" not in source
        assert "library.mentions" not in source
        assert "named_things" not in source


@pytest.mark.parametrize(
    ("language", "text", "thing", "standing"),
    [
        ("en", "The van drives round at night.", "van", "said"),
        ("en", "There are no more plastic cups.", "deposit_cup", "denied"),
        ("en", "It weighs less than a phone.", "phone", "likened"),
        ("en", "A tag as flat as a credit card.", "card", "likened"),
        ("de", "Kein Auto, kein Stau.", "car", "denied"),
        ("de", "So leise wie ein Kühlschrank.", "fridge", "likened"),
        ("de", "Größere Heizkörper reichen aus.", "radiator", "said"),
    ],
)
def test_a_thing_is_said_denied_or_likened(
    language: str, text: str, thing: str, standing: str
) -> None:
    assert heard(text, language).things[thing] == standing


@pytest.mark.parametrize("part", ["open", "aside"])
def test_what_must_not_be_drawn_is_not_said(part: str) -> None:
    wrong = [
        (text, sorted(set(never) & heard(text, language).said("things")))
        for language, text, _, never in TABLE[part]
        if set(never) & heard(text, language).said("things")
    ]
    # Figures of speech are the illustrator's: here, a word is taken at its word.
    assert len(wrong) <= 0.25 * len(TABLE[part]), wrong


@pytest.mark.parametrize(
    ("language", "text", "numbers"),
    [
        ("en", "Last winter it was 95, now 180 children.", {95, 180}),
        ("en", "It works at -28 °C.", {-28}),
        ("de", "Auch bei minus zehn Grad.", {-10}),
        ("de", "Aus 1 werden 3 bis 4.", {1, 3, 4}),
        ("en", "Two thousand samples a year.", {2000, 2, 1000}),
    ],
)
def test_numbers_are_read_in_digits_and_words(
    language: str, text: str, numbers: set[float]
) -> None:
    assert numbers_in(text, language) == numbers
