"""Documents speak the language of the film: labels, numbers, dates. Tables for programs do not."""

from __future__ import annotations

import ast
import re
import string
import tomllib
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from tests.unit.documents.films import film

from callsheet_studio import documents, execute_full_pipeline
from callsheet_studio.brief import load
from callsheet_studio.documents.labels import LANGUAGES, labels
from callsheet_studio.documents.page import Shown, index_page

pytestmark = pytest.mark.requirement("P12")

HERE = Path(documents.__file__).parent
BRIEFS = Path(__file__).parents[5] / "examples" / "briefs"
CODES = sorted(file.stem for file in LANGUAGES.glob("*.toml"))
DE = labels("de")


def spoken(code: str) -> dict[str, dict[str, str]]:
    return tomllib.loads((LANGUAGES / f"{code}.toml").read_text("utf-8"))


def in_code() -> set[str]:
    """Every text that is given to `say` as it stands there."""
    found = set()
    for path in HERE.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and node.args and _is_say(node.func):
                first = node.args[0]
                if isinstance(first, ast.Constant):
                    found.add(str(first.value))
    return found


def _is_say(called: ast.expr) -> bool:
    name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
    return name == "say"


def in_templates() -> set[str]:
    found: set[str] = set()
    for path in (HERE / "templates").iterdir():
        text = path.read_text("utf-8")
        found |= set(re.findall(r'\bsay\("([^"]+)"\)', text))
        found |= set(re.findall(r"\[\[([^\[\]]+)\]\]", text))
        for heads in re.findall(r"\b(?:heads|(?:left|right|away)-head|named)\(([^()]*)\)", text):
            found |= set(re.findall(r'"([^"]*)"', heads))
    return found - {""}


@pytest.mark.parametrize("code", CODES)
def test_every_label_of_the_documents_is_said_in_every_language(code: str) -> None:
    told = spoken(code)["texts"]
    used = in_code() | in_templates()
    assert {"Length", "Scene {number}", "Approval", "Shot list", "Files", "Props"} <= used
    assert used - told.keys() == set()


@pytest.mark.parametrize("code", CODES)
def test_a_language_says_nothing_that_no_document_asks_for(code: str) -> None:
    sources = " ".join(path.read_text("utf-8") for path in HERE.rglob("*") if _is_source(path))
    sources += " high balanced budget optimal feasible "  # what the model says
    flat = re.sub(r'"\s+f?"', "", sources)
    assert [text for text in spoken(code)["texts"] if text not in flat] == []


def _is_source(path: Path) -> bool:
    return path.suffix in {".py", ".typ", ".html"}


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("table", ["texts", "sentences"])
def test_a_translation_takes_over_every_part_of_a_text(code: str, table: str) -> None:
    for text, other in spoken(code)[table].items():
        assert slots(other) == slots(text), text


def slots(text: str) -> list[str]:
    return sorted(name for _, name, *_ in string.Formatter().parse(text) if name is not None)


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "en"),
        ("de", "de"),
        ("de-AT", "de"),
        ("DE", "de"),
        ("fr", "en"),
        ("", "en"),
        ("..", "en"),
    ],
)
def test_a_language_that_is_not_known_is_told_in_english(language: str, told: str) -> None:
    assert labels(language).language == told
    assert labels(language)("Length") == {"en": "Length", "de": "Länge"}[told]


def test_numbers_and_days_are_written_as_the_language_writes_them() -> None:
    en = labels("en")
    assert (en.money(1234.5), DE.money(1234.5)) == ("$1,234.50", "1.234,50 $")
    assert (en.money(0.001), DE.money(0.001)) == ("< $0.01", "< 0,01 $")
    assert (en.seconds(4.25), DE.seconds(4.25)) == ("4.2 s", "4,2 s")
    assert (en.number(2.5), DE.number(2.5)) == ("2.5", "2,5")
    assert (en.share(0.6), DE.share(0.6)) == ("0.60", "0,60")
    assert (en.percent(0.015), DE.percent(0.015)) == ("1.5%", "1,5 %")
    day = date(2026, 11, 5)
    assert (en.day(day), DE.day(day)) == ("2026-11-05", "05.11.2026")


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (
            (
                "1 shot for $1234.50 ($2000.00 at worst), ready in 1 h 05 min, quality at least "
                "0.60 on average: the fastest plan of any quality, not proved optimal."
            ),
            (
                "1 Einstellung für 1234,50 $ (schlimmstenfalls 2000,00 $), fertig in 1 h 05 min, "
                "Qualität im Mittel mindestens 0,60: der schnellste Plan gleich welcher Qualität, "
                "nicht bewiesen optimal."
            ),
        ),
        (
            "6 s + 4.5 s of veo-3.1@x:720p, in 2 clips: $0.0084 for 3 attempts.",
            "6 s + 4,5 s von veo-3.1@x:720p, in 2 Clips: 0,0084 $ für 3 Versuche.",
        ),
        (
            "2 of 9 shots are made otherwise with a@b (quality budget, over $5.00, after 2 h).",
            (
                "2 von 9 Einstellungen entstehen anders, mit a@b (Qualität günstig, über 5,00 $, "
                "nach 2 h)."
            ),
        ),
        (
            "a@b: $0.30 for a clip of 5 s, at least $0.10 a call, as of 2026-07-10 (list (v1.2)).",
            (
                "a@b: 0,30 $ für einen Clip von 5 s, mindestens 0,10 $ je Aufruf, Stand 10.07.2026 "
                "(list (v1.2))."
            ),
        ),
        (
            "No plan that is cheaper, faster exists, whatever else were given up.",
            (
                "Einen Plan, der billiger, schneller ist, gibt es nicht, was auch immer man sonst "
                "aufgäbe."
            ),
        ),
        ("usual for the type social_ad", "üblich für die Art Werbespot"),
        ("Nobody has translated this.", "Nobody has translated this."),
    ],
)
def test_a_sentence_of_the_solver_is_said_anew_with_its_numbers(said: str, told: str) -> None:
    assert DE.said(said) == told
    assert labels("en").said(said) == said


def test_words_of_somebody_are_never_taken_for_ours() -> None:
    assert DE("VO: {words}", words="{length} Length $1.50") == "OFF: {length} Length $1.50"


def test_a_german_script_and_plan_have_no_english_label() -> None:
    made = film(3, 2, language="de")
    script = documents.script_files(made.script, made.brief)["script.md"].decode()
    plan = documents.plan_files(made.plan, made.shots, made.brief)["plan.md"].decode()
    ours = {text for text, other in spoken("de")["texts"].items() if text != other}
    for text in (script, plan):
        cells = {cell.strip(" *#:-") for cell in re.split(r"[|\n]|:\*\*", text)}
        assert cells & ours == set()
    assert "- **Länge:** 24,0 s" in script
    assert "| Bild | Ton |" in script
    assert "| Einstellung | Länge | Rezept | Werkzeug |" in plan
    assert "## Annahmen" in plan
    assert re.search(r"\| Kosten, erwartet \| \d+,\d\d \$ \|", plan)


def test_german_pages_have_german_titles() -> None:
    made = film(3, 2, language="de")
    shots = documents.shot_files(made.shots, made.script, made.brief)["shots.pdf"]
    plan = documents.plan_files(made.plan, made.shots, made.brief)["callsheet.pdf"]
    assert b"Shotlist</" in shots
    assert b"Disposition" in plan
    english = film(3, 2)
    assert (
        b"Shot list</"
        in documents.shot_files(english.shots, english.script, english.brief)["shots.pdf"]
    )


def test_the_german_page_says_that_it_is_german() -> None:
    made = film(3, 2, language="de")
    shown = Shown(made.brief, made.script, made.shots, made.plan)
    page = index_page(shown, accent="#123456", files=("film.mp4",), found=[]).decode()
    assert '<html lang="de">' in page
    assert "[[" not in page
    for word in ("Der Film hat jede Prüfung bestanden.", "Szene 1", "Drehbuch", "Schlimmstenfalls"):
        assert word in page
    for word in (">Length<", ">Script<", ">Files<", "Play shot", ">Expected<"):
        assert word not in page


def test_tables_for_programs_are_the_same_in_every_language() -> None:
    made = film(3, 2, language="de")
    files = documents.plan_files(made.plan, made.shots, made.brief)
    files |= documents.shot_files(made.shots, made.script, made.brief)
    sheet, shots = (files[name].decode("utf-8-sig") for name in ("callsheet.csv", "shots.csv"))
    assert sheet.startswith("shot,purpose,tool,provider,")
    assert shots.startswith("scene,shot,INT/EXT,")
    assert "VO: " in shots
    english = film(3, 2)
    same = documents.plan_files(english.plan, english.shots, english.brief)["callsheet.csv"]
    assert files["callsheet.csv"] == same


# The solver plans a whole film.
@pytest.mark.slow
@pytest.mark.parametrize("name", ["kornblume", "geigenbau"])
async def test_all_that_a_real_plan_says_can_be_said_in_german(name: str) -> None:
    brief = load(BRIEFS / f"{name}.yaml")
    made = await execute_full_pipeline(brief, today=date(2026, 9, 1))
    assert made.plan is not None
    assert made.shots is not None
    said: list[str] = [made.plan.summary.text, made.plan.proof.objective, *made.plan.assumptions]
    said += [each.what for each in made.plan.alternatives]
    said += [each for shot in made.plan.shot_plans for each in (*shot.reasons, *shot.notes)]
    said += [each.why for each in (*brief.inferred, *made.script.inferred, *made.shots.inferred)]
    assert [each for each in said if DE.said(each) == each] == []
    names: list[Any] = [each.recipe for each in made.plan.shot_plans]
    names += [step.purpose for each in made.plan.shot_plans for step in each.steps]
    names += [shot.lighting.preset for shot in made.shots.shots]
    names += [f"{s.movement.kind} {s.movement.direction}".strip() for s in made.shots.shots]
    names += [made.script.type, made.script.structure]
    known = spoken("de")["names"]
    assert {name.replace("_", " ") for name in names} - known.keys() <= {"animatic"}
