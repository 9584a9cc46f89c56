"""How phrases of a brief are understood."""

from __future__ import annotations

import pytest

from callsheet_studio.script.smith.phrases import phrase

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


def test_a_german_clause_gets_its_comma() -> None:
    assert phrase("Tische die wackeln", "de").text == "Tische, die wackeln"
    core = "In der Werkstatt bekommt jedes Holz die Zeit, die es braucht."
    assert phrase(core, "de").text == core.rstrip(".")
