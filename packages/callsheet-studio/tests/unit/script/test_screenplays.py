"""Twelve screenplays as screenwriters write them, and what a reader of the page would say."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from tests.unit.script.samples import make_brief

from callsheet_studio.brief import from_data
from callsheet_studio.documents.scripts import script_files
from callsheet_studio.documents.shots import shot_files
from callsheet_studio.library import place_in
from callsheet_studio.script import write_script
from callsheet_studio.script.own.fountain import is_fountain, read_fountain
from callsheet_studio.script.own.page import read_page
from callsheet_studio.shots import plan_shots

PLAYS = Path(__file__).parents[2] / "screenplays"
LABELS: dict[str, Any] = tomllib.loads((PLAYS / "labels.toml").read_text("utf-8"))
LEAST = 0.95

pytestmark = pytest.mark.requirement("P3", "P12")


def page(name: str) -> str:
    return (PLAYS / f"{name}.fountain").read_text("utf-8")


def language(name: str) -> str:
    return str(LABELS[name].get("language", "en"))


def words(text: str) -> set[str]:
    return set(re.findall(r"[\w'#-]+", text.casefold()))


def found_as(person: str, names: list[str]) -> list[str]:
    """Those that are this person: by their whole name, or a part of it."""
    return [name for name in names if words(name) <= words(person)]


@pytest.mark.parametrize("name", LABELS)
def test_a_screenplay_is_known_as_one(name: str) -> None:
    assert is_fountain(page(name))


def test_the_people_of_all_screenplays_are_found_and_nobody_else() -> None:
    wanted = found = others = 0
    for name, label in LABELS.items():
        names = [person.name for person in read_fountain(page(name), language(name)).people]
        wanted += len(label["people"])
        found += sum(len(found_as(person, names)) == 1 for person in label["people"])
        others += sum(not any(found_as(p, [each]) for p in label["people"]) for each in names)
    assert found >= LEAST * wanted, f"{found} of {wanted}"
    assert others <= (1 - LEAST) * wanted, f"{others} that are nobody"


def test_people_look_as_their_authors_say() -> None:
    wanted, right = 0, 0
    for name, label in LABELS.items():
        looks = {p.name: p.look for p in read_fountain(page(name), language(name)).people}
        for person, look in label["looks"].items():
            wanted += 1
            right += [authors(looks[each]) for each in found_as(person, list(looks))] == [look]
    assert right >= LEAST * wanted, f"{right} of {wanted}"


def authors(look: str) -> str:
    """What the author says of somebody, without what a pronoun has added."""
    return re.sub(r"(?:, |\A)(?:wo)?man\Z", "", look)


def test_a_pronoun_says_who_is_a_man_where_a_name_does_not() -> None:
    told = "RUPRECHT (63), Filzhut, kniet. Neben ihm hält seine Enkelin JONNA (9) ein Messer."
    spoken = "RUPRECHT\nJa.\n\nJONNA\nNein.\n\nJonna hält seinen Arm."
    read = read_fountain(f"EXT. WALD - TAG\n\n{told}\n\n{spoken}\n", "de")
    assert {p.name: p.look.split(", ")[-1] for p in read.people} == {
        "RUPRECHT": "man",
        "JONNA": "woman",
    }


@pytest.mark.parametrize("name", LABELS)
def test_transitions_are_no_pictures(name: str) -> None:
    draft = read_fountain(page(name), language(name))
    seen = [passage.action for passage in draft.passages]
    assert not [each for each in LABELS[name]["transitions"] if each in " ".join(seen)]
    noted = [each.text for each in read_page(page(name)).elements if each.kind == "transition"]
    assert set(LABELS[name]["transitions"]) <= set(noted)


@pytest.mark.parametrize("name", LABELS)
def test_words_on_the_screen_are_found_wherever_they_stand(name: str) -> None:
    draft = read_fountain(page(name), language(name))
    texts = [line for passage in draft.passages for line in passage.text.splitlines()]
    assert texts == LABELS[name]["supers"]


@pytest.mark.parametrize("name", LABELS)
def test_every_line_is_there_word_for_word(name: str) -> None:
    elements = read_page(page(name)).elements
    assert sum(element.kind == "cue" for element in elements) == LABELS[name]["lines"]
    written = page(name)
    says = [say.text for each in read_fountain(written).passages for say in each.says]
    assert says
    plain = re.sub(r"[*_]|/\*.*?\*/", "", written)
    flat = " ".join(plain.split())
    assert not [text for text in says if text not in flat]


# About 0.3 s each: script, shots and their documents.
@pytest.mark.slow
@pytest.mark.parametrize("name", LABELS)
def test_slug_lines_stand_word_for_word_in_every_document(name: str) -> None:
    brief = make_brief(script=page(name), seconds=150, language=language(name))
    script = write_script(brief)
    shots = plan_shots(script, brief)
    headings = list(LABELS[name]["headings"])
    assert list(dict.fromkeys(b.visual.heading for b in script.beats if b.visual.heading)) == (
        list(dict.fromkeys(headings))
    )
    told = {file: data.decode() for file, data in script_files(script, brief).items()}
    for heading in headings:
        assert heading in told["script.fountain"]
        assert f"· {heading}".replace("#", r"\#") in told["script.md"].replace("\\", "")
    assert {shot.set.heading for shot in shots.shots if shot.set.heading} == set(headings)
    table = shot_files(shots, script, brief)["shots.csv"].decode()
    assert not [heading for heading in headings if place_in(heading) not in table]
    for transition in LABELS[name]["transitions"]:
        assert not [shot for shot in shots.shots if transition in shot.action]


@pytest.mark.parametrize(
    ("heading", "hour", "light"),
    [
        ("EXT. BEACH - GOLDEN HOUR", "dusk", "golden_hour"),
        ("EXT. BEACH - MAGIC HOUR", "dusk", "golden_hour"),
        ("EXT. BEACH - FIRST LIGHT", "dawn", "dawn"),
        ("EXT. BEACH - DAWN", "dawn", "dawn"),
        ("EXT. BEACH - DUSK", "dusk", None),
        ("EXT. BEACH - NIGHT", "night", None),
        ("AUSSEN. STRAND \u2013 BLAUE STUNDE", "dusk", "blue_hour"),
        ("AUSSEN. STRAND \u2013 MORGENGRAUEN", "dawn", "dawn"),
    ],
)
def test_an_hour_of_light_is_light(heading: str, hour: str, light: str | None) -> None:
    play = f"{heading}\n\nGrey water."
    seen = write_script(make_brief(script=play, seconds=15)).beats[0].visual
    assert seen.time_of_day == hour
    assert light is None or seen.lighting == light


def test_a_scene_that_goes_on_keeps_its_hour() -> None:
    play = "INT. KITCHEN - NIGHT\n\nA cup.\n\nINT. HALLWAY - CONTINUOUS\n\nA coat.\n\n"
    script = write_script(make_brief(script=play + "INT. KITCHEN - LATER\n\nTwo.", seconds=30))
    assert {beat.visual.time_of_day for beat in script.beats if beat.scene < 4} == {"night"}


def test_a_place_that_is_not_drawn_from_inside_is_told() -> None:
    headings = ("INT. HARBOUR \u2013 NIGHT", "EXT. ROAD \u2013 NIGHT", "EXT. CEMETERY - DAY")
    play = "\n\n".join(f"{heading}\n\nRain." for heading in headings)
    brief = from_data({"message": {"cta": "Call us"}, "content": {"script": play}}, "it")
    told = {each.key: each for each in brief.inferred if each.key.startswith("content.script[")}
    assert "from inside" in told["content.script[INT. HARBOUR \u2013 NIGHT]"].why
    assert "no drawing for 'cemetery'" in told["content.script[EXT. CEMETERY - DAY]"].why
    assert "content.script[EXT. ROAD \u2013 NIGHT]" not in told


def test_people_in_the_picture_column_are_people() -> None:
    table = (
        "| Video | Audio |\n| --- | --- |\n"
        "| MARA (41, navy jacket) opens the shutters. | NARRATOR: Every morning. |\n"
        "| JONAS, 12, school bag, runs past. | MARA: Late again! |\n"
    )
    script = write_script(make_brief(script=table, seconds=20))
    shots = plan_shots(script, make_brief(script=table, seconds=20))
    looks = {figure.name: figure.look for figure in shots.figures}
    assert looks["Mara"] == "41, navy jacket"
    assert looks["Jonas"] == "12, school bag"


def test_a_script_with_forty_people_has_forty_people() -> None:
    draft = read_fountain(page("town-meeting"))
    assert len(draft.people) == len(LABELS["town-meeting"]["people"])
