"""What words ask to be shown: the right thing, place, person and number, or a card."""

from __future__ import annotations

import pytest

from callsheet_studio.brief import from_data
from callsheet_studio.library.asking import Asked, Film, asked, film_of
from callsheet_studio.library.facts import figure_in, steps_in
from callsheet_studio.library.naming import people_named, place_named
from callsheet_studio.library.things import find_props, with_state
from callsheet_studio.script.smith.places import world_of

pytestmark = pytest.mark.requirement("P15")


def first(text: str, language: str) -> Asked:
    """The picture that a sentence asks for first."""
    return asked(text, Film(language))[0]


@pytest.mark.parametrize(
    "text",
    [
        "We train people.",
        "You can paint what you like.",
        "The fire brigade needs you.",
        "It rose to the top.",
        "Wir helfen mit Handschuhen.",
        "Wilhelm kommt.",
        "Der Leiter der Schule spricht.",
        "Der Verband lädt ein.",
    ],
)
def test_a_word_that_means_something_else_is_no_thing(text: str) -> None:
    assert find_props(text) == ()


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("We work even in the snow.", ""),
        ("Wir arbeiten auch im Schnee.", ""),
        ("She was on holiday.", ""),
        ("Wir sitzen auf der Bank.", ""),
        ("Three times a week in the gym.", ""),
        ("Wir treffen uns in der Turnhalle.", ""),
        ("We meet in the kitchen.", "kitchen"),
        ("Wir treffen uns im Wald.", "forest"),
        ("The kitchen is open until midnight.", "kitchen"),
        ("Die Küche hat bis Mitternacht geöffnet.", "kitchen"),
        ("We work outside.", "open_air"),
        ("Wir arbeiten draußen.", "open_air"),
    ],
)
def test_what_is_no_place_puts_nothing_anywhere(text: str, place: str) -> None:
    assert place_named(text) == place


@pytest.mark.parametrize(
    ("text", "language", "value", "unit"),
    [
        ("They went out 112 times.", "en", "112", "times"),
        ("Sie sind 112 Mal ausgerückt.", "de", "112", "Mal"),
        ("It takes seventy hours.", "en", "70", "hours"),
        ("Die Ausbildung dauert siebzig Stunden.", "de", "70", "Stunden"),
    ],
)
def test_how_often_and_how_long_is_a_figure(
    text: str, language: str, value: str, unit: str
) -> None:
    found = figure_in(text, language)
    assert found is not None
    assert (found.value, found.unit) == (value, unit)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("It is 3 times as fast.", "en"),
        ("Mit der Linie 4 hält man vor der Tür.", "de"),
    ],
)
def test_a_number_that_counts_nothing_is_no_figure(text: str, language: str) -> None:
    assert figure_in(text, language) is None


@pytest.mark.parametrize(
    ("text", "language", "value"),
    [
        ("It costs four euros.", "en", "4"),
        ("Sie kostet vier Euro.", "de", "4"),
        ("Einen Termin gibt es in zehn Minuten.", "de", "10"),
    ],
)
def test_a_price_and_a_time_in_words_are_figures(text: str, language: str, value: str) -> None:
    found = figure_in(text, language)
    assert found is not None
    assert found.value == value


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("Well, filter, tank, tap: four stations.", ("Well", "filter", "tank", "tap")),
        ("Brunnen, Filter, Speicher: drei Stationen.", ("Brunnen", "Filter", "Speicher")),
        ("In three steps: cut, sew and wash.", ("cut", "sew", "wash")),
        ("In drei Schritten: schneiden, nähen und waschen.", ("schneiden", "nähen", "waschen")),
    ],
)
def test_what_is_counted_off_is_a_diagram(text: str, steps: tuple[str, ...]) -> None:
    assert steps_in(text) == steps


@pytest.mark.parametrize(
    ("text", "language", "people"),
    [
        ("A teacher and a baker.", "en", ("teacher", "baker")),
        ("Bei uns kommen Bäcker und Lehrerinnen.", "de", ("Bäcker", "Lehrerinnen")),
        ("There are two nurses for every patient.", "en", ("nurses",)),
    ],
)
def test_all_who_are_named_together_are_seen(
    text: str, language: str, people: tuple[str, ...]
) -> None:
    assert next(each.people for each in asked(text, Film(language)) if each.people) == people


def test_somebody_with_a_trade_and_a_name_is_one() -> None:
    assert people_named("Imkerin Petra geht hinauf.", "de") == ("Petra",)
    assert people_named("The baker Tom smiles.", "en") == ("Tom",)


@pytest.mark.parametrize(
    ("text", "language"),
    [("Most of them were cellars under water.", "en"), ("Es war ein kalter Winter.", "de")],
)
def test_a_sign_of_the_weather_is_no_picture_of_its_own(text: str, language: str) -> None:
    assert first(text, language).kind == "fact"


@pytest.mark.parametrize(
    ("title", "text", "language", "things"),
    [
        ("Where our water comes from", "Fill a bottle.", "en", ("drinking_bottle",)),
        ("Woher das Wasser kommt", "Wer eine Flasche füllt", "de", ("drinking_bottle",)),
        ("Our vineyard", "A bottle from the cellar.", "en", ("bottle",)),
        ("The fire brigade", "Helmet and boots are yours.", "en", ("boot",)),
        ("Die Feuerwehr", "Helm und Stiefel bekommst du.", "de", ("boot",)),
        ("Ride safely", "A helmet for everybody.", "en", ("helmet",)),
        ("The hiking shoe", "Every shoe is sewn by hand.", "en", ("boot",)),
        ("Der Wanderschuh", "Jeder Schuh ist von Hand genäht.", "de", ("boot",)),
        ("Mend a tyre", "You need a pump.", "en", ()),
        ("Reifen flicken", "Du brauchst eine Pumpe.", "de", ()),
    ],
)
def test_a_thing_is_what_the_film_means_by_it(
    title: str, text: str, language: str, things: tuple[str, ...]
) -> None:
    film = film_of((title,), language, "")
    assert tuple(each.partition(":")[0] for each in asked(text, film)[0].things) == things


@pytest.mark.parametrize(
    "text", ["It switches itself off.", "Er schaltet sich von selbst ab.", "It is turned off."]
)
def test_what_switches_itself_off_is_off(text: str) -> None:
    assert with_state("kettle", text) == "kettle:off"


@pytest.mark.parametrize(
    ("brand", "core", "place"),
    [
        ("Riverside Physio", "You will walk again.", "clinic"),
        ("Stadtwerke Ahlen", "Wir prüfen das Wasser.", "product_table"),
        ("Harbor", "Every berth in view.", "harbour"),
        ("Elm Street Bakery", "Fresh every day.", "shop"),
        ("Weihnachtsmarkt am Dom", "Es riecht nach Zimt.", "street"),
        ("The club on Station Road", "Come and join us.", "street"),
    ],
)
def test_a_brand_is_where_its_last_word_says(brand: str, core: str, place: str) -> None:
    told = {
        "project": {"title": "A film"},
        "message": {"core": core, "cta": "Come", "brand": brand},
        "content": {"type": "social_ad", "duration": "30s"},
    }
    assert world_of(from_data(told, "test"))[0] == place
