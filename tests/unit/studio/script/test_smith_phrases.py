"""How phrases of a brief are understood."""

from __future__ import annotations

import pytest

from callsheet.studio.script.smith_material import figure, halves, rest_of, split
from callsheet.studio.script.smith_phrases import one_of, phrase

pytestmark = pytest.mark.requirement("P3")


@pytest.mark.parametrize(
    ("text", "language", "shape"),
    [
        ("one live map for all berths", "en", "noun"),
        ("Payments arrive before the boat does", "en", "sentence"),
        ("Harbor keeps every berth in view.", "en", "sentence"),
        ("most old radiators can stay", "en", "sentence"),
        ("works offline on the pier", "en", "verb"),
        ("book in two taps", "en", "order"),
        ("losing receipts", "en", "doing"),
        ("eleven trams on the original tracks", "en", "noun"),
        ("drivers who have waited 30 years for it", "en", "noun"),
        ("Fichte aus 1.400 Metern Höhe", "de", "noun"),
        ("Ausfälle werden in 10 Minuten ersetzt", "de", "sentence"),
        ("funktioniert offline am Steg", "de", "verb"),
        ("Vereinbaren Sie Ihren Probemonat", "de", "order"),
        ("bis 20 Uhr am Vorabend bestellen", "de", "doing"),
        ("In der Schule liest du nach einem Winter.", "de", "sentence"),
        ("never pass your hands over an open dish", "en", "order"),
    ],
)
def test_the_shape_of_a_phrase(text: str, language: str, shape: str) -> None:
    assert phrase(text, language).shape == shape


@pytest.mark.parametrize(
    ("text", "language", "small"),
    [
        ("A heat pump helps", "en", "a heat pump helps"),
        ("Harbor helps", "en", "Harbor helps"),
        ("NASA helps", "en", "NASA helps"),
        ("Im Stellwerk entscheidest du", "de", "im Stellwerk entscheidest du"),
        ("Wünsche trägt das Team ein", "de", "Wünsche trägt das Team ein"),
    ],
)
def test_a_capital_goes_only_if_it_is_no_name(text: str, language: str, small: str) -> None:
    assert phrase(text, language, ["Harbor"]).small == small


def test_things_are_what_a_camera_could_find() -> None:
    assert phrase("one live map for all berths", "en").things == ("live map", "berths")
    assert phrase("Harbor pays in four minutes", "en", ["Harbor"]).things == ()
    assert phrase("12 Jahre Lagerung unter dem Dach", "de").things == ("Dach",)


@pytest.mark.parametrize(
    ("who", "one"),
    [
        ("harbour masters of small marinas", "harbour master"),
        ("couples and families", ""),
        ("bakeries", ""),
        ("nurses", "nurse"),
    ],
)
def test_one_of_an_audience(who: str, one: str) -> None:
    assert one_of(who, "en") == one


def test_a_number_is_taken_alone_only_if_it_says_the_same() -> None:
    assert figure("let the air flow for 15 minutes", "en") == "15 minutes"
    assert figure("teaches you to weld in ten evenings", "en") == "ten evenings"
    assert figure("noise stays below 40 decibels", "en") == ""


def test_a_phrase_is_set_in_two_where_both_stand_alone() -> None:
    assert split(phrase("half of the crossing on battery power", "en"), "en") == (
        "half of the crossing",
        "on battery power",
    )
    assert split(phrase("300 Stunden Arbeit an einer Geige", "de"), "de") == (
        "300 Stunden Arbeit",
        "an einer Geige",
    )
    assert split(phrase("most old radiators can stay", "en"), "en") is None


def test_a_sentence_has_a_subject_and_what_is_said_of_it() -> None:
    said = phrase("Harbor keeps every berth in view.", "en", ["Harbor"])
    assert halves(said, "en") == ("Harbor", "keeps every berth in view")
    assert rest_of(said, "en") == "every berth in view"
