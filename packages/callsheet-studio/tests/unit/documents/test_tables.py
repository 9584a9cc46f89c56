"""Shot list and call sheet: in tables, and on pages."""

from __future__ import annotations

import csv
import io
import json

import pytest
from tests.unit.documents.films import film

from callsheet_studio.documents import plan_files, shot_files
from callsheet_studio.documents.shots import COLUMNS
from callsheet_studio.documents.tables import as_csv
from callsheet_studio.documents.typeset import Document, breakable, typeset
from callsheet_studio.model.plan import ProductionPlan
from callsheet_studio.model.script import Words
from callsheet_studio.model.shots import ShotList

pytestmark = pytest.mark.requirement("P12")


def rows(data: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline="")))


def test_the_shot_list_has_the_columns_that_film_people_use() -> None:
    made = film(4, 2)
    found = rows(shot_files(made.shots, made.script, made.brief)["shots.csv"])
    assert tuple(found[0]) == COLUMNS
    assert [row["shot"] for row in found] == [shot.id for shot in made.shots.shots]
    second = found[1]
    assert (second["INT/EXT"], second["location"], second["size"]) == ("INT", "office", "MCU")
    assert (second["movement"], second["lens"], second["VFX"]) == (
        "push in",
        "35 mm",
        "screen replacement",
    )
    assert (second["start"], second["duration"]) == ("00:00:04:00", "4")
    assert found[0]["dialogue/VO"].startswith("VO: Two boats")
    assert "Text: Try Harbor" in found[6]["notes"]


def test_in_setup_order_shots_that_are_made_together_stand_together() -> None:
    made = film(4, 2)
    files = shot_files(made.shots, made.script, made.brief)
    found = rows(files["shots-by-setup.csv"])
    setups = [row["setup group"] for row in found]
    assert (
        setups
        == ["office-A"] * 2 + ["office-B"] * 2 + ["phone_screen-A"] * 2 + ["phone_screen-B"] * 2
    )
    assert sorted(row["shot"] for row in found) == sorted(shot.id for shot in made.shots.shots)


def test_lengths_in_the_table_add_up_to_the_film() -> None:
    made = film(5, 3, fps="29.97")
    found = rows(shot_files(made.shots, made.script, made.brief)["shots.csv"])
    frames = [made.shots.rate.frames(float(row["duration"])) for row in found]
    assert sum(frames) == made.brief.frames


@pytest.mark.parametrize("cell", ["=1+1", "+49 170", "-1", "@home", "\t=1", "  =1"])
def test_no_cell_is_a_formula(cell: str) -> None:
    found = rows(as_csv(("a", "b"), [(cell, "x")]))
    assert found[0]["a"].startswith("'")


@pytest.mark.parametrize("cell", ['say "hi", he said', "a;b,c", "two\nlines", "Ü ñ 海"])
def test_every_cell_comes_back(cell: str) -> None:
    found = rows(as_csv(("a", "b"), [("x", cell)]))
    assert found == [{"a": "x", "b": " ".join(cell.split())}]


def test_only_what_needs_it_begins_with_a_byte_order_mark() -> None:
    assert as_csv(("a",), [("plain",)]).startswith(b"a\r\n")
    assert as_csv(("a",), [("Ü",)]).startswith(b"\xef\xbb\xbfa")


def test_the_call_sheet_has_a_row_for_every_call() -> None:
    made = film(4, 2)
    found = rows(plan_files(made.plan, made.shots, made.brief)["callsheet.csv"])
    assert [row["shot"] for row in found] == [each.shot for each in made.plan.shot_plans]
    assert found[0]["model id"] == "runway-gen4.5"
    assert (found[0]["provider"], found[0]["billed seconds"]) == ("runway", "5")
    assert found[0]["approval"] == "needed"
    costs = sum(float(row["cost USD"]) for row in found)
    assert costs == pytest.approx(made.plan.cost_breakdown.expected)


def test_what_is_free_needs_nobody_to_say_yes() -> None:
    made = film(1, 1)
    step = made.plan.shot_plans[0].steps[0].model_copy(update={"usd": 0.0, "worst_usd": 0.0})
    free = made.plan.shot_plans[0].model_copy(update={"steps": (step,)})
    plan = made.plan.model_copy(update={"shot_plans": (free,)})
    assert rows(plan_files(plan, made.shots, made.brief)["callsheet.csv"])[0]["approval"] == "none"


def test_shots_and_plan_for_programs_come_back() -> None:
    made = film(2, 2)
    shots = shot_files(made.shots, made.script, made.brief)["shots.json"]
    plan = plan_files(made.plan, made.shots, made.brief)["plan.json"]
    assert ShotList.model_validate_json(shots) == made.shots
    assert ProductionPlan.model_validate_json(plan) == made.plan
    assert isinstance(json.loads(plan)["cost_breakdown"]["expected"], float)


def test_the_plan_for_readers_says_what_it_takes_and_what_is_assumed() -> None:
    made = film(4, 2)
    text = plan_files(made.plan, made.shots, made.brief)["plan.md"].decode()
    assert "| cost, expected | $18.00 | $60.00 |" in text
    assert "| time | 14 min 30 s | 3 h |" in text
    assert "Proved to be the best" in text
    assert "as of 2026-06-20" in text
    first, _, annex = text.partition("## Annex")
    assert "| 1A | 4.0 s | image to video | runway-gen4.5 | 5 s | $1.80 |" in first
    # What only who checks the plan wants to know stands apart.
    assert "runway-api" not in first.partition("## Alternatives")[0]
    assert "| 1A | runway-gen4.5@runway-api |" in annex
    assert "Proved to be the best" in annex


def test_a_plan_that_is_not_proved_says_how_far_off_it_may_be() -> None:
    made = film(1, 1)
    proof = made.plan.proof.model_copy(update={"status": "feasible", "gap": 0.013})
    plan = made.plan.model_copy(update={"proof": proof})
    text = plan_files(plan, made.shots, made.brief)["plan.md"].decode()
    assert "At most 1.3% from the best" in text


def test_pages_are_made_for_every_script_and_for_words_without_end() -> None:
    words = Words(
        action="x" * 300 + " مرحبا 你好 🎬 Привет",
        voiceover="W" * 300,
        on_screen_text="A" * 60,
    )
    made = film(2, 1, words=words)
    assert shot_files(made.shots, made.script, made.brief)["shots.pdf"].startswith(b"%PDF-")


def test_a_plan_without_limits_alternatives_or_time_has_pages() -> None:
    made = film(1, 1)
    none = {"max_cost_usd": None, "deadline": None}
    constraints = made.brief.constraints.model_copy(update=none)
    brief = made.brief.model_copy(update={"constraints": constraints})
    idle = made.plan.timeline.model_copy(update={"lanes": (), "makespan": 0.0, "post": 0.0})
    update = {"timeline": idle, "alternatives": (), "assumptions": ()}
    plan = made.plan.model_copy(update=update)
    assert plan_files(plan, made.shots, brief)["callsheet.pdf"].startswith(b"%PDF-")


def test_a_word_wider_than_a_column_can_be_broken() -> None:
    found = breakable("x" * 300 + " short https://example.com/a/very/long/address?q=1")
    assert isinstance(found, str)
    endless, short, address = found.split(" ")
    assert max(map(len, endless.split("\u200b"))) <= 8
    assert short == "short"
    assert "com/\u200b" in address
    assert found.replace("\u200b", "") == "x" * 300 + " short " + address.replace("\u200b", "")


def test_a_long_word_of_the_language_is_left_to_hyphenation() -> None:
    word = "Donaudampfschifffahrtsgesellschaft"
    assert breakable(word) == word


def test_signs_of_the_template_are_only_words() -> None:
    made = film(1, 1)
    title = '#panic("no") $x$ \\ ] */ "'
    shots = made.shots.model_copy(update={"title": title})
    assert shot_files(shots, made.script, made.brief)["shots.pdf"].startswith(b"%PDF-")


def test_a_language_that_is_none_is_set_all_the_same() -> None:
    made = film(1, 1)
    script = made.script.model_copy(update={"language": "not a language!"})
    assert shot_files(made.shots, script, made.brief)["shots.pdf"].startswith(b"%PDF-")


def test_a_template_that_cannot_be_filled_is_told() -> None:
    with pytest.raises(Exception, match=r"shots\.pdf could not be set"):
        typeset(Document("shots", {}, language="en"))


def test_a_german_shot_list_has_places_and_props_in_german() -> None:
    made = film(4, 2, language="de")
    office = made.shots.shots[0]
    props = office.set.model_copy(update={"props": ("stack of papers", "Annas Hut")})
    listed = made.shots.model_copy(update={"shots": (office.model_copy(update={"set": props}),)})
    row = rows(shot_files(listed, made.script, made.brief)["shots.csv"])[0]
    assert (row["location"], row["props"]) == ("Büro", "Papierstapel, Annas Hut")
