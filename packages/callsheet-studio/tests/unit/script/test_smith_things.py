"""What is taken out of a brief as a thing: only what can be seen and named."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from callsheet_studio.brief import from_data
from callsheet_studio.script import write_script
from callsheet_studio.script.smith.material import figure, priced, slots_of
from callsheet_studio.script.smith.phrases import phrase
from callsheet_studio.script.smith.things import with_article

if TYPE_CHECKING:
    from callsheet_studio.model.script import Script

pytestmark = pytest.mark.requirement("P3")

_SEEDS = 12


@pytest.mark.parametrize(
    ("text", "things"),
    [
        ("picked up anywhere in town", ["town"]),
        ("insured against theft", []),
        ("helmet included", ["helmet"]),
        ("12 euros a day", []),
        ("fixed price from $149", []),
        ("half-price on Mondays", []),
        ("open from 6 am, Tuesday to Saturday", []),
        ("36 hours of rest for every dough", ["dough"]),
        ("flour from the mill down the road", ["flour", "mill", "road"]),
        ("upload receipts by phone", ["receipts", "phone"]),
        ("no fee if you get nothing back", []),
        ("shoeboxes full of receipts", ["shoeboxes", "receipts"]),
        ("fear of mistakes", []),
        ("quiet as a library", []),
        ("turns any park into a cinema", ["park", "cinema"]),
        ("a loan without paperwork", ["loan"]),
        ("no queues and no forms", []),
        ("keys instead of cards", ["keys"]),
        ("cancel anytime", []),
        ("cheap and cheerful", []),
        ("from $9 a month", []),
        ("teaches you to weld in ten evenings", []),
        ("shared bikes at every corner", ["bikes", "corner"]),
        ("used by nurses everywhere", ["nurses"]),
        ("fresh vegetables from local farms", ["fresh vegetables", "local farms"]),
        ("two chairs and one table", ["chairs", "table"]),
        ("your dog when you cannot", ["dog"]),
        ("forty clicks from fine to coarse", ["clicks"]),
    ],
)
def test_an_english_thing_can_be_seen_and_named(text: str, things: list[str]) -> None:
    assert list(phrase(text, "en").things) == things


@pytest.mark.parametrize(
    ("text", "things"),
    [
        ("Ihre Steuererklärung in 5 Tagen", []),
        ("Festpreis ab 149 €", []),
        ("alles per App, auch nachts", ["App"]),
        ("98 % der Bescheide ohne Rückfrage", ["Bescheide"]),
        ("12 Euro am Tag", []),
        ("Helm inklusive", ["Helm"]),
        ("Abholung am Bahnhof", ["Bahnhof"]),
        ("Rückgabe an allen Kiosken", []),
        ("ohne Stau und Lärm", []),
        ("gegen Diebstahl versichert", []),
        ("Brot aus dem Holzofen", ["Brot", "Holzofen"]),
        ("Kisten mit Äpfeln und Eiern", ["Kisten"]),
        ("ein Garten ohne Unkraut", ["Garten"]),
        ("mit Freunden auf dem Sofa", ["Sofa"]),
        ("die Schlüssel des Hofs", ["Schlüssel"]),
        ("Hütten in den Bergen", ["Hütten"]),
        ("passt auf den Balkon", ["Balkon"]),
        ("ein Weg in den Garten", ["Weg", "Garten"]),
        ("Angst vor Fehlern", []),
        ("mit Holzfasern aus der Region", []),
        ("Kaffee zum Mitnehmen", ["Kaffee"]),
        ("statt Papier eine Karte", ["Karte"]),
        ("zwei Stühle und ein Tisch", ["Stühle", "Tisch"]),
    ],
)
def test_a_german_thing_is_not_bent_and_not_absent(text: str, things: list[str]) -> None:
    assert list(phrase(text, "de").things) == things


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("helmet included", False),
        ("fixed price from $149", False),
        ("a helmet for every rider", True),
        ("helmets included", True),
        ("flour from the mill", True),
        ("contradictory advice", True),
        ("shoeboxes full of receipts", True),
        ("two chairs", True),
    ],
)
def test_a_noun_without_its_article_is_only_ever_a_fragment(text: str, *, whole: bool) -> None:
    slots = slots_of(phrase(text, "en"), "msg", "en")
    assert ("msg_n" in slots) == whole
    assert bool({"msg_1", "msg_p"} & slots.keys()) == whole
    assert slots["msg"] == text


@pytest.mark.parametrize(
    ("text", "language", "shape"),
    [
        ("fixed price from $149", "en", "noun"),
        ("repaired for free", "en", "state"),
        ("delivered fresh to your door", "en", "state"),
        ("quiet as a library", "en", "state"),
        ("ready in five minutes", "en", "state"),
        ("cancel anytime", "en", "order"),
        ("12 Euro am Tag", "de", "price"),
        ("mit Freunden auf dem Sofa", "de", "state"),
        ("statt Papier eine Karte", "de", "state"),
    ],
)
def test_the_shape_of_a_strangers_phrase(text: str, language: str, shape: str) -> None:
    assert phrase(text, language).shape == shape


def test_a_price_or_an_hour_is_no_number_to_begin_with() -> None:
    assert priced(figure("12 euros a day", "en"), "en")
    assert priced(figure("offen um 6 Uhr", "de"), "de")
    assert not priced(figure("15 minutes a day", "en"), "en")


def test_a_german_thing_has_the_article_that_the_brief_gives_away() -> None:
    told = ("Mit Radl mieten Sie ein Fahrrad", "Arbeit an einer Geige", "Abholung am Bahnhof")
    assert with_article("Fahrrad", told, "de") == "ein Fahrrad"
    assert with_article("Geige", told, "de") == "eine Geige"
    assert with_article("Bahnhof", told, "de") == "ein Bahnhof"
    assert with_article("Wasser", ("hält das Wasser klar",), "de") == "Wasser"
    assert with_article("Helm", told, "de") == "Helm"
    assert with_article("helmet", ("a helmet",), "en") == "helmet"


def _script(title: str, language: str, duration: int) -> Script:
    english = {
        "core": "Radl rents you a bike for the day.",
        "supporting": [
            "12 euros a day",
            "helmet included",
            "picked up anywhere in town",
            "repaired for free",
            "insured against theft",
        ],
        "cta": "Pick up your Radl today",
        "brand": "Radl",
    }
    german = {
        "core": "Das Steuerbüro Krüger macht Ihre Steuererklärung in 5 Tagen.",
        "supporting": [
            "Festpreis ab 149 €",
            "alles per App, auch nachts",
            "98 % der Bescheide ohne Rückfrage",
        ],
        "cta": "Jetzt Termin buchen",
        "brand": "Krüger",
    }
    content = {"type": "explainer", "duration": duration, "language": language}
    message = english if language == "en" else german
    data = {"project": {"title": title}, "message": message, "content": content}
    return write_script(from_data(data, where="a stranger's brief"))


def _all(script: Script) -> str:
    return "\n".join(
        f"{beat.question} {beat.script.action} {beat.script.voiceover}" for beat in script.beats
    )


@pytest.mark.parametrize("seed", range(_SEEDS))
def test_a_film_for_a_stranger_shows_no_fragments(seed: int) -> None:
    told = _all(_script(f"Radl {seed}", "en", 300))
    assert not re.search(r"the (?:anywhere|theft|free|euros)\b", told)
    assert not re.search(r"(?:even|is|get|with|find|on|comes|have) helmet included", told)
    assert "bout 12 euros" not in told
    assert "the bike" in told
    german = _all(_script(f"Krüger {seed}", "de", 90))
    assert not re.search(r": (?:Tagen|Festpreis|Rückfrage)\b", german)
    assert "Steuerbüro" in german


@pytest.mark.parametrize("seed", range(_SEEDS))
def test_nothing_is_first_if_nothing_follows(seed: int) -> None:
    script = _script(f"Krüger {seed}", "de", 20)
    spoken = " ".join(beat.script.voiceover or "" for beat in script.beats[:-1])
    assert "Festpreis" in spoken
    assert "App" not in spoken, "it is left to the end"
    assert not re.search(r"Zuerst|Am Anfang|erste Schritt|fängt es an|beginnt es|Danach", spoken)


def test_a_strangers_brand_is_named_where_there_is_nothing_else_to_begin_with() -> None:
    opening = _script("Radl", "en", 300).beats[0].script.voiceover
    assert opening
    assert "Radl" in opening
