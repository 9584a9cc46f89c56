"""What a drawing may rest on: words that say that something is there."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from callsheet_studio.brief import from_data
from callsheet_studio.library.asking import asked, film_of
from callsheet_studio.library.facts import figure_in, listed_in
from callsheet_studio.library.naming import people_named, place_named
from callsheet_studio.library.things import named_things
from callsheet_studio.script import write_script

pytestmark = pytest.mark.requirement("P15")

TABLE = tomllib.loads(
    (Path(__file__).parents[2] / "labelled" / "sentences.toml").read_text("utf-8")
)


def misread(part: str) -> list[str]:
    """The sentences of a part of the table that are read otherwise than they are meant."""
    return [
        text
        for _, text, must, never in TABLE[part]
        if not set(must) <= set(named_things(text)) or set(never) & set(named_things(text))
    ]


def test_every_sentence_of_the_table_is_read_as_it_is_meant() -> None:
    assert misread("open") == []


def test_sentences_that_were_kept_aside_are_read_as_well() -> None:
    assert len(misread("aside")) <= 0.1 * len(TABLE["aside"])


@pytest.mark.parametrize(
    ("text", "language", "people"),
    [
        ("No builders, no dust.", "en", ()),
        ("The family dinners were loud.", "en", ()),
        ("Doreen, 78, had stopped going to bingo.", "en", ("Doreen",)),
        ("And in August the meadow pays you back.", "en", ()),
        ("Kein Handwerker kommt.", "de", ()),
        ("Die Kinder bringen Äpfel mit.", "de", ("Kinder",)),
    ],
)
def test_people_are_there_where_words_say_so(
    text: str, language: str, people: tuple[str, ...]
) -> None:
    assert people_named(text, language) == people


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("in a tiny kitchen on the fourth floor", "kitchen"),
        ("in the hospital corridor", ""),
        ("in a loading bay at night", ""),
        ("in the cold store", ""),
        ("without a kitchen", ""),
        ("in der Grundschule", "classroom"),
    ],
)
def test_a_place_is_what_its_last_word_says(text: str, place: str) -> None:
    assert place_named(text) == place


@pytest.mark.parametrize(
    ("text", "language", "value", "unit"),
    [
        ("Auch bei minus zehn Grad.", "de", "\u221210", "Grad"),
        ("It works at -28 °C.", "en", "\u221228", "°C"),
        ("Es werden 3 bis 4 Kilowattstunden.", "de", "3\u20134", "Kilowattstunden"),
        ("Um 4 Uhr 12 gehört dir die Stadt.", "de", "4:12", ""),
        ("9 out of 10 claims are paid.", "en", "9 in 10", ""),
    ],
)
def test_a_number_is_drawn_as_it_is_said(text: str, language: str, value: str, unit: str) -> None:
    found = figure_in(text, language)
    assert found is not None
    assert (found.value, found.unit) == (value, unit)


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("No smell, no flies", ("- smell", "- flies")),
        ("Kein Öltank mehr, kein Ruß", ("- Öltank", "- Ruß")),
        ("Coffee grounds yes, chicken bones no", ("+ Coffee grounds", "- chicken bones")),
        ("We bake, you sleep", ()),
        ("It lifts, turns and stops.", ()),
    ],
)
def test_what_is_only_listed_is_a_list(text: str, items: tuple[str, ...]) -> None:
    assert listed_in(text) == items


@pytest.mark.parametrize(
    ("title", "core", "product"),
    [
        ("Doreen hears the kettle", "With Finch in her ear Doreen is back.", ""),
        ("Der Kühlschrank, der rückwärts läuft", "Eine Wärmepumpe holt Wärme.", "heat_pump"),
        ("Rear light", "Ember lets drivers see you.", "bike_light"),
        ("Unterwegs", "Mit Ember sehen dich Autos.", ""),
    ],
)
def test_the_product_is_what_the_core_is_about(title: str, core: str, product: str) -> None:
    language = "de" if "ä" in core or "dich" in core else "en"
    assert film_of((title, core, ""), language, "").product == product


def test_what_a_word_only_hints_at_has_no_picture() -> None:
    film = film_of(("", "", ""), "en", "")
    assert [each.kind for each in asked("Dinner turns into soil.", film)] == ["fact"]


def test_a_setting_is_where_the_film_plays() -> None:
    told = {
        "title": "Wormley",
        "core_message": "Wormley eats your peelings.",
        "key_messages": ["No smell, no flies"],
        "call_to_action": "Adopt 500 worms",
        "duration": "20s",
    }
    here = write_script(from_data(told | {"setting": "a tiny kitchen, rain outside"}, "it"))
    assert {beat.visual.location for beat in here.beats[:-1]} == {"kitchen"}
    nowhere = write_script(from_data(told | {"setting": "loading bay at night"}, "it"))
    assert {beat.visual.location for beat in nowhere.beats[:-1]} == {"product_table"}


def test_messages_that_are_a_little_too_long_are_said_or_read() -> None:
    messages = [f"This is message number {n} and it says a bit more" for n in range(8)]
    told = {"core": "We say a lot.", "supporting": messages, "cta": "Call us", "brand": "Lots"}
    script = write_script(from_data({"message": told, "content": {"duration": "30s"}}, "it"))
    heard = " ".join(beat.script.voiceover or "" for beat in script.beats)
    assert sum(f"number {n}" in heard for n in range(8)) >= 5
