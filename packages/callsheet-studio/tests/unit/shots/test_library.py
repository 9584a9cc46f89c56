"""The library: complete, named as the models name it, and found from words."""

from __future__ import annotations

from typing import get_args

import pytest
from tests.unit.shots.page import PAGE, page

from callsheet_studio import library
from callsheet_studio.library import (
    find_place,
    find_preset,
    find_set,
    presets,
    sets,
    sizes,
    time_of_day,
)
from callsheet_studio.model.shots import Angle, Direction, Kind, Move, Size

pytestmark = pytest.mark.requirement("P5")


def test_it_has_what_the_models_name_and_nothing_else() -> None:
    assert tuple(library.sizes()) == get_args(Size)
    assert tuple(library.kinds()) == get_args(Kind)
    assert tuple(library.angles()) == get_args(Angle)
    assert tuple(library.movements()) == get_args(Move)
    ways = {way for move in library.movements().values() for way in move.directions}
    assert ways <= set(get_args(Direction))


def test_sizes_come_nearer_step_by_step() -> None:
    listed = list(sizes().values())
    assert [entry.step for entry in listed] == [*range(8)]
    assert [entry.fills for entry in listed] == sorted(entry.fills for entry in listed)
    assert [entry.seen for entry in listed] == sorted((e.seen for e in listed), reverse=True)


def test_every_lens_of_a_size_is_a_lens() -> None:
    known = {lens.mm for lens in library.lenses().values()}
    assert all(set(entry.lens) <= known for entry in sizes().values())


def test_there_are_enough_sets_and_presets_and_each_says_what_it_is_for() -> None:
    assert len(sets()) >= 18
    assert len(presets()) >= 8
    shelves = (sets(), presets(), sizes(), library.angles(), library.movements())
    for shelf in (*shelves, library.lenses(), library.compositions(), library.kinds()):
        assert all(entry.purpose for entry in shelf.values())


def test_every_set_can_be_lit_at_each_of_its_times() -> None:
    for entry in sets().values():
        where = "interior" if entry.interior else "exterior"
        for time in entry.times:
            preset = presets()[find_preset(entry, time)]
            assert preset.id in entry.lights
            assert time in preset.times
            assert where in preset.where


def test_every_preset_of_a_set_can_be_used_there() -> None:
    for entry in sets().values():
        for name in entry.lights:
            assert set(presets()[name].times) & set(entry.times), (entry.id, name)


NOWHERE = ("plain_room", "open_air", "building_front")


def test_every_set_speaks_both_languages() -> None:
    for entry in sets().values():
        # What stands for places without a drawing is asked for by no word.
        assert bool(entry.keywords) is (entry.id not in NOWHERE)
        assert bool(entry.keywords_de) is (entry.id not in NOWHERE)
        assert len(entry.details) == len(entry.details_de) >= 4
        assert entry.view != entry.view_de


def test_no_detail_is_shown_in_two_sets() -> None:
    details = [detail for entry in sets().values() for detail in entry.details]
    assert len(details) == len(set(details))


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("harbour masters of small marinas", "harbour"),
        ("a beach at the end of the pier road, waves and sea", "coast"),
        ("Büro", "office"),
        ("Hafenmeister", "harbour"),
        ("HARBOUR OFFICE", "office"),
        ("coffee shop", "cafe"),
        ("Product table", "product_table"),
        ("phone_screen", "phone_screen"),
        ("berths booked twice, paper lists", "harbour"),
        ("Solarstrom für Mieter in der Wohnung", "home"),
        ("", "abstract"),
        ("quux", "abstract"),
    ],
)
def test_a_set_is_found_from_words(words: str, expected: str) -> None:
    assert find_set(words) == expected


def test_what_no_set_knows_is_the_default() -> None:
    assert find_set("quux", "home") == "home"
    assert find_set("quux", "") == ""


def test_a_keyword_alone_finds_a_set_that_has_it() -> None:
    for entry in sets().values():
        for word in (*entry.keywords, *entry.keywords_de):
            found = sets()[find_set(word)]
            assert word in (*found.keywords, *found.keywords_de, found.id), (word, found.id)


def test_mood_chooses_among_the_lights_that_suit() -> None:
    office = sets()["office"]
    assert find_preset(office, "day") == "window"
    assert find_preset(office, "day", "dramatic and dark") == "low_key"
    assert find_preset(office, "night", "dramatic") == "low_key"
    assert find_preset(office, "no such hour") == find_preset(office, "day")


@pytest.mark.parametrize(
    ("words", "expected"),
    [("NIGHT", "night"), ("am Abend", "evening"), ("sunset", "dusk"), ("later", "")],
)
def test_an_hour_is_read_from_words(words: str, expected: str) -> None:
    assert time_of_day(words) == expected


@pytest.mark.requirement("P15")
@pytest.mark.parametrize(
    ("place", "heading", "drawn"),
    [
        ("kitchen", "INT. KITCHEN - DAY", "kitchen"),
        ("hospital", "EXT. HOSPITAL - NIGHT", "building_front"),
        ("lighthouse stairs", "INT. LIGHTHOUSE STAIRS - NIGHT", "plain_room"),
        ("lighthouse kitchen", "INT. LIGHTHOUSE KITCHEN - NIGHT", "kitchen"),
        ("platform", "EXT. PLATFORM - DAY", "open_air"),
        ("apartment building staircase", "INT. APARTMENT BUILDING, STAIRCASE - DAY", "plain_room"),
        ("wohnung flur", "INNEN. WOHNUNG, FLUR - TAG", "plain_room"),
        ("bahnsteig", "AUSSEN. BAHNSTEIG - TAG", "open_air"),
        ("u-boot", "INNEN. U-BOOT - TAG", "plain_room"),
        ("forest", "EXT. FOREST - DAY", "forest"),
        ("abstract", "EXT. FOREST - DAY", "abstract"),
        ("moon base", "", ""),
    ],
)
def test_no_place_is_drawn_from_the_wrong_side_or_as_another(
    place: str, heading: str, drawn: str
) -> None:
    assert library.drawn_as(place, heading) == drawn


def test_the_reference_page_tells_what_the_data_say() -> None:
    assert PAGE.read_text("utf-8") == page()


def test_what_is_said_of_angles_and_movements_is_said_in_german_too() -> None:
    for entry in (*library.angles().values(), *library.movements().values()):
        assert entry.name_de, entry.id
        assert entry.purpose_de, entry.id
        assert entry.purpose_de != entry.purpose


def test_a_set_and_its_props_have_german_names() -> None:
    for entry in sets().values():
        assert entry.name_de, entry.id
        assert len(entry.props_de) == len(entry.props), entry.id


PLACES = {
    "street": "bridge, square, market, the old bridge, Brücke, Markt",
    "home": "bedroom, living room, dining room, Schlafzimmer, Wohnzimmer, Esszimmer",
    "office": "bank, Büro",
    "shop": "bakery, kiosk, bookshop, Bäckerei, Blumenladen",
    "cafe": "bar, pub, restaurant, Kantine, Gasthaus",
    "factory": "warehouse, Lager, Lagerhalle",
    "workshop": "garage, atelier, Werkstatt",
    "clinic": "hospital, waiting room, Krankenhaus, Praxis",
    "classroom": "school, library, campus, Schule, Bibliothek, Kindergarten, Kita",
    "stage": "theatre, opera, Theater, Konzert",
    "coast": "beach, river, lake, Strand, am Fluss",
    "field": "park, garden, playground, farm, Garten, Spielplatz, Bauernhof, Stadtpark",
    "road": "parking lot, Tankstelle, Parkplatz",
    "skyline": "balcony, Balkon",
    "meeting": "conference room, meeting room",
    "harbour": "marina, pier, Yachthafen",
    "": (
        "bathroom, Badezimmer, church, airport, Flughafen, train, submarine bridge, a black hole, "
        "gym, cinema, stadium, Kino, Turnhalle, village hall, rowing club, Ruderclub, Parkbank, "
        "hotel room, city hall, lobby, Rathaus, Metzgerei, hotel, depot, Terrasse, canal, Kanal, "
        "car, "
        "cold store, loading bay, hospital corridor, Tramdepot, Friseursalon"
    ),
}


@pytest.mark.parametrize(
    ("place", "expected"),
    [(place, name) for name, places in PLACES.items() for place in places.split(", ")],
)
def test_an_everyday_place_is_drawn_as_the_set_that_comes_nearest(
    place: str, expected: str
) -> None:
    assert find_place(place) == expected


def test_no_place_comes_nearest_to_two_sets_in_one_language() -> None:
    for language in ("places", "places_de"):
        named = [place for entry in sets().values() for place in getattr(entry, language)]
        assert len(named) == len(set(named))


@pytest.mark.parametrize("words", ["We bridge the gap.", "the market leader", "train your team"])
def test_a_word_for_a_place_moves_nothing_that_is_no_place(words: str) -> None:
    assert find_set(words, "") in {"", "office"}
