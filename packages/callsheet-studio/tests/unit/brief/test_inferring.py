"""What a brief leaves open is inferred, listed, and never invented."""

from __future__ import annotations

from typing import Any

import pytest

from callsheet.errors import InputError
from callsheet_studio.brief import from_data, hints, revised

pytestmark = pytest.mark.requirement("P1")

CORE = "Harbor keeps every berth in view."


def read(core: str = CORE, **keys: Any) -> Any:
    return from_data({"core": core, **keys}, "it")


def why(brief: Any) -> dict[str, str]:
    return {each.key: each.why for each in brief.inferred}


@pytest.mark.parametrize(
    ("type_", "seconds"),
    [
        ("explainer", 60),
        ("product_demo", 45),
        ("social_ad", 30),
        ("testimonial", 90),
        ("brand_story", 90),
        ("general", 60),
    ],
)
def test_a_type_has_its_usual_length(type_: str, seconds: float) -> None:
    brief = read(type=type_)
    assert brief.content.duration == seconds
    assert brief.frames == seconds * 24
    assert "content.duration" in why(brief)


@pytest.mark.parametrize(
    ("type_", "duration", "structure"),
    [
        ("general", "15s", "three_part"),
        ("explainer", "44s", "three_part"),
        ("explainer", "45s", "three_act"),
        ("testimonial", "89s", "three_act"),
        ("brand_story", "90s", "eight_part"),
        ("general", "5m", "eight_part"),
        ("social_ad", "15s", "ad"),
        ("social_ad", "90s", "ad"),
    ],
)
def test_the_structure_follows_type_and_length(type_: str, duration: str, structure: str) -> None:
    for asked in ({}, {"structure": "auto"}, {"structure": None}):
        brief = read(type=type_, duration=duration, **asked)
        assert brief.content.structure == structure
        assert "content.structure" in why(brief)


def test_a_structure_that_is_said_is_kept() -> None:
    brief = read(type="explainer", duration="60s", structure="eight parts")
    assert brief.content.structure == "eight_part"
    assert "content.structure" not in why(brief)


@pytest.mark.parametrize(
    ("keys", "aspect"),
    [
        ({"platform": "TikTok"}, "9:16"),
        ({"platforms": ["Instagram Reels", "youtube"]}, "9:16"),
        ({"platform": "youtube shorts"}, "9:16"),
        ({"platform": "instagram stories"}, "9:16"),
        ({"platform": "Instagram"}, "4:5"),
        ({"platform": "youtube"}, "16:9"),
        ({"platform": "storytelling festival"}, "16:9"),
        ({}, "16:9"),
        ({"resolution": "1080x1080"}, "1:1"),
        ({"resolution": "1080x1350", "platform": "tiktok"}, "4:5"),
    ],
)
def test_the_aspect_follows_the_platform_or_the_resolution(
    keys: dict[str, Any], aspect: str
) -> None:
    brief = read(**keys)
    assert brief.delivery.aspect == aspect
    assert why(brief)["delivery.aspect"]


@pytest.mark.parametrize(
    ("aspect", "resolution"),
    [("16:9", "1280x720"), ("9:16", "720x1280"), ("1:1", "720x720"), ("4:5", "720x900")],
)
def test_the_resolution_follows_the_aspect(aspect: str, resolution: str) -> None:
    assert read(aspect=aspect).delivery.resolution == resolution


@pytest.mark.parametrize(
    ("core", "language"),
    [
        (CORE, "en"),
        ("Im Stellwerk entscheidest du, wohin die Reise geht.", "de"),
        ("Schöner wohnen.", "de"),
        ("Jeder Tag zählt.", "de"),
        ("Zing!", "en"),
    ],
)
def test_the_language_is_the_one_that_the_brief_is_written_in(core: str, language: str) -> None:
    brief = read(core)
    assert brief.content.language == language
    assert why(brief)["content.language"] == "the brief is written in it"


def test_a_german_brief_is_completed_in_german() -> None:
    brief = read("Lotsa plant den Dienst für dich.", type="product_demo", brand="Lotsa")
    assert brief.message.cta == "Jetzt Lotsa ausprobieren"
    assert brief.style.tone == "selbstbewusst"


def test_a_type_is_inferred_where_the_brief_calls_it_so() -> None:
    brief = read(context="Erklärvideo für die Website")
    assert brief.content.type == "explainer"
    assert why(brief)["content.type"] == "the brief calls it so"
    assert read(objective="a quiet spot in a commercial area").content.type == "general"


@pytest.mark.parametrize(
    ("core", "keys", "brand"),
    [
        (CORE, {"title": "Harbor"}, "Harbor"),
        (CORE, {"must_include": ["free", "Harbor"]}, "Harbor"),
        (CORE, {"supporting": ["with Harbor you sleep"]}, "Harbor"),
        ("You keep every berth with Harbor Pro.", {}, "Harbor Pro"),
        ("We meet on Friday.", {}, ""),
        ("Du siehst jeden Platz im Hafen.", {}, ""),
        ("We lend drills.", {"title": "How a town learned to share its tools"}, ""),
        ("We lend drills.", {"title": "Tool Shed"}, "Tool Shed"),
    ],
)
def test_a_brand_is_a_name_that_the_brief_uses(core: str, keys: dict[str, Any], brand: str) -> None:
    brief = read(core, **keys)
    assert brief.message.brand == brand
    assert ("message.brand" in why(brief)) == bool(brand)


def test_the_title_is_the_brand_or_the_first_words() -> None:
    assert read(brand="Harbor").project.title == "Harbor"
    long = "Our night school teaches you to weld in ten evenings."
    assert read(long).project.title == "Our night school teaches you to weld"


def test_supporting_messages_come_from_the_brief_alone() -> None:
    pains = ["berths booked twice", "wet paper", "no-shows", "queues"]
    assert read(pain_points=pains).message.supporting == tuple(pains[:3])
    two = "You see every berth, and guests pay before they come."
    assert read(two).message.supporting == ("You see every berth", "guests pay before they come")
    one = read("Every berth in view.")
    assert one.message.supporting == ()
    assert "message.supporting" not in why(one)


def test_the_length_of_a_film_follows_its_own_script() -> None:
    short = from_data({"script": "One idea.\n\nAnother idea."}, "it")
    assert short.content.duration == 15
    long = from_data({"script": "word " * 150}, "it")
    assert long.content.duration == 70
    assert "150 words" in why(long)["content.duration"]
    assert not long.message.supporting


def test_the_length_of_a_film_follows_its_own_shots() -> None:
    shots = [{"action": "a", "duration": 2.5}, {"action": "b"}]
    assert from_data({"shots": shots}, "it").content.duration == 6.5


@pytest.mark.parametrize(
    ("script", "core"),
    [
        ("Look up. There they are.", "Look up."),
        ("Title: X\n\nINT. LAB - DAY\n\nMARA\nIt works!\n", "It works!"),
        ("BILD | TON\nEin Rad. | Zwölf Uhr. Nichts geht mehr.", "Zwölf Uhr."),
    ],
)
def test_the_core_of_an_own_script_is_its_first_sentence(script: str, core: str) -> None:
    brief = from_data({"script": script}, "it")
    assert brief.message.core == core
    assert why(brief)["message.core"] == "the first sentence of your script"


def test_a_revised_brief_infers_anew_what_hangs_on_the_change() -> None:
    brief = read(type="explainer", platform="tiktok", deadline="2h")
    after = revised(brief, {"content.type": "social_ad", "delivery.platform": "youtube"}, "it")
    assert (after.content.duration, after.content.structure) == (30, "ad")
    assert after.delivery.aspect == "16:9"
    assert after.constraints.deadline == 7200
    assert revised(brief, {}, "it") == brief


@pytest.mark.parametrize(
    ("core", "language"),
    [
        ("Notre port garde chaque place en vue.", "fr"),
        ("Nuestro puerto ve cada amarre con calma.", "es"),
        ("Il nostro porto vede ogni posto.", "it"),
        ("Onze haven ziet elke plek van het water.", "nl"),
        ("我们的产品让港口管理更简单", "zh"),
        ("Harbor で港が見える、すぐに見える", "ja"),
        ("Гавань видит каждое место", "ru"),
    ],
)
def test_a_language_nobody_writes_in_here_is_not_taken_for_english(
    core: str, language: str
) -> None:
    with pytest.raises(InputError, match=f"no script can be written in '{language}'"):
        read(core)
    assert from_data({"script": core}, "it").content.language == language


@pytest.mark.parametrize(
    "core", ["El Sol keeps the garden warm.", "La Vie en Rose is open.", "Run.", "Ω keeps time."]
)
def test_a_foreign_name_does_not_make_a_brief_foreign(core: str) -> None:
    assert read(core).content.language == "en"


def test_a_place_without_a_drawing_of_its_own_is_told() -> None:
    shots = [{"action": "Mia waits.", "place": each} for each in ("bridge", "bathroom", "office")]
    told = {each.key: each for each in read(shots=shots).inferred if "place" in each.key}
    assert [*told] == ["content.shots[0].place", "content.shots[1].place"]
    near, none = told.values()
    assert (near.value, none.value) == ("street", "card")
    assert "'bridge'" in near.why
    assert "no drawing for 'bathroom': shot 2 becomes a card; places are street, home," in none.why


def test_a_heading_without_a_drawing_of_its_own_is_told_once() -> None:
    scenes = ("EXT. RIVER - DAY", "INT. BATHROOM - DAY", "INT. BATHROOM - NIGHT", "INT. OFFICE")
    play = "".join(f"{heading}\n\nMia waits there.\n\n" for heading in scenes).strip()
    brief = read(script=play)
    told = {each.key: each.value for each in brief.inferred if "[" in each.key}
    assert told == {
        "content.script[EXT. RIVER - DAY]": "coast",
        "content.script[INT. BATHROOM - DAY]": "card",
    }
    assert revised(brief, {"message.cta": "Come in"}, "it").content.script == play


@pytest.mark.parametrize("tone", ["blorp", "chaleureux"])
def test_a_tone_that_nothing_follows_from_is_taken_and_said(tone: str) -> None:
    brief = read(tone=tone)
    assert brief.style.tone == tone
    (hint,) = hints(brief)
    assert f"no word of '{tone}' is known" in hint
    assert "taken as neutral" in hint


@pytest.mark.parametrize("tone", ["", "playful", "warmly blorp", "Sachlich", "electronic pulse"])
def test_a_tone_that_something_follows_from_needs_no_hint(tone: str) -> None:
    assert hints(read(tone=tone) if tone else read()) == ()
