"""How phrases of a brief are understood."""

from __future__ import annotations

import pytest

from callsheet_studio.script.smith.material import figure, halves, kin, rest_of
from callsheet_studio.script.smith.phrases import one_of, phrase

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
        ("made from local clay", "en", "state"),
        ("open until midnight", "en", "state"),
        ("warm water suits included", "en", "noun"),
        ("half the bill in the first year", "en", "amount"),
        ("two pounds a week", "en", "price"),
        ("keys nobody can find", "en", "noun"),
        ("ohne eine Schraube", "de", "state"),
        ("warnt vor Störungen", "de", "verb"),
        ("Instrumente von der Stange klingen alle gleich", "de", "sentence"),
        ("das Lieblingsbrot ist ausverkauft", "de", "sentence"),
        ("abholen ohne anzustehen", "de", "doing"),
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


def test_a_plural_is_told_from_a_singular() -> None:
    for text in ("berths booked twice", "paper lists that get wet", "keys nobody can find"):
        assert phrase(text, "en").number == "many"
    for text in ("contradictory advice", "a cabin with windows", "news from far away only"):
        assert phrase(text, "en").number == "one"


def test_a_german_clause_gets_its_comma_and_an_article_its_case() -> None:
    assert phrase("Tische die wackeln", "de").text == "Tische, die wackeln"
    core = "In der Werkstatt bekommt jedes Holz die Zeit, die es braucht."
    assert phrase(core, "de").text == core.rstrip(".")
    assert not phrase("ein fester Platz im Team", "de").firm
    assert phrase("eine Kiste aus Kork", "de").firm


def test_a_pain_and_the_message_that_answers_it_share_a_word() -> None:
    pains = [phrase(text, "en") for text in ("paper lists that get wet", "berths booked twice")]
    assert kin(phrase("one live map for all berths", "en"), pains, "en") is pains[1]
    assert kin(phrase("payments before arrival", "en"), pains, "en") is None


def test_a_sentence_has_a_subject_and_what_is_said_of_it() -> None:
    said = phrase("Harbor keeps every berth in view.", "en", ["Harbor"])
    assert halves(said, "en") == ("Harbor", "keeps every berth in view")
    assert rest_of(said, "en") == "every berth in view"
    bound = phrase("Pawline walks your dog when you cannot.", "en", ["Pawline"])
    assert rest_of(bound, "en") == ""
