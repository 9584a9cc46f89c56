"""Briefs from the command line, and the page that lists their keys."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
import yaml
from tests.acceptance.command import EXAMPLES, call
from tests.acceptance.pages import names_in, tables

from callsheet_studio.brief.choices import CHOICES
from callsheet_studio.brief.fields import FIELDS, SECTIONS, SHOT_FIELDS

pytestmark = pytest.mark.requirement("P1")

BRIEFS = EXAMPLES / "briefs"


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")


def a_file(text: str, name: str = "brief.yaml") -> Path:
    path = Path(name)
    path.write_text(text, "utf-8")
    return path


def test_a_check_says_what_was_understood_and_what_is_inferred() -> None:
    done = call("brief", "check", BRIEFS / "museum-night.yaml")
    assert done.code == 0, done.err
    first, *_ = done.out.splitlines()
    assert first == (
        "✓ Long Night at the Tram Museum  general, 60 s, 1,800 frames at 30 fps, 1:1, en"
    )
    said, _, inferred = done.out.partition("\ninferred\n")
    assert "eleven trams on the original tracks" in said
    assert "style.tone" not in said
    assert "style.tone" in inferred
    assert "message.core" not in inferred
    assert "callsheet brief questions" in done.err


def test_a_check_for_programs_has_the_whole_brief() -> None:
    found = call("brief", "check", BRIEFS / "harbor.yaml", "--json").json
    assert found["ok"] is True
    assert found["frames"] == 45 * 24
    assert found["brief"]["message"]["core"] == "Harbor keeps every berth in view."
    assert found["brief"]["constraints"]["deadline"] == 10800
    assert {each["key"] for each in found["inferred"]} == {
        "content.structure",
        "direction.midpoint_emotion",
        "direction.act2_emphasis",
    }
    assert all(each["why"] for each in found["inferred"])


def test_a_tone_that_nothing_follows_from_is_accepted_with_a_hint() -> None:
    path = a_file("message: {core: Harbor is near.}\nstyle: {tone: blorp}\n")
    done = call("brief", "check", path)
    assert done.code == 0
    assert "style.tone: no word of 'blorp' is known. It is taken as neutral" in done.err
    (hint,) = call("brief", "check", path, "--json").json["hints"]
    assert "blorp" in hint
    assert call("brief", "check", BRIEFS / "harbor.yaml", "--json").json["hints"] == []


@pytest.mark.parametrize("command", ["check", "questions"])
def test_what_is_wrong_is_said_at_once_and_nothing_is_written(command: str, tmp_path: Path) -> None:
    path = a_file("content: {type: opera, duration: 6h}\nmesage: {core: x}\n")
    done = call("brief", command, path)
    assert done.code == 2
    assert done.out == ""
    lines = done.err.splitlines()
    assert lines[0] == "Error: The brief brief.yaml does not check:"
    assert [line.split()[0] for line in lines[1:]] == [
        "message.core:",
        "content.type",
        "content.duration",
        "mesage",
    ]
    assert [each.name for each in tmp_path.iterdir()] == ["brief.yaml"]
    as_json = call("brief", command, path, "--json")
    assert as_json.code == 2
    problems = as_json.json["error"]["problems"]
    assert [each["place"] for each in problems] == [
        "message.core",
        "content.type",
        "content.duration",
        "mesage",
    ]
    assert problems[1]["line"] == 1


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("empty.yaml", b""),
        ("latin.yaml", b"message: {core: \xe4}"),
        ("bomb.yaml", b"a: &a [x]\nb: [*a, *a]\n"),
        ("deep.json", b"[" * 100_000),
        ("six-hours.yaml", b"message: {core: Long.}\ncontent: {duration: 6h}\n"),
        ("control.yaml", b"message: {core: \x00}"),
        ("brief.docx", b"PK"),
    ],
)
def test_bad_files_exit_with_2(name: str, data: bytes) -> None:
    Path(name).write_bytes(data)
    done = call("brief", "check", name)
    assert done.code == 2
    assert done.err.startswith("Error: ")
    assert "mistake in Callsheet" not in done.err


@pytest.mark.requirement("P2")
def test_questions_are_listed_with_what_a_person_needs() -> None:
    done = call("brief", "questions", BRIEFS / "one-sentence.yaml")
    assert done.code == 0
    assert done.out.splitlines()[:4] == [
        "tone  How shall the film speak?  high",
        *(
            line.ljust(len("  options  friendly, confident, calm, energetic, playful, serious"))
            for line in (
                "  options  friendly, confident, calm, energetic, playful, serious",
                "  default  friendly",
                "  hint     It decides words, pace and music.",
            )
        ),
    ]
    found = call("brief", "questions", BRIEFS / "one-sentence.yaml", "--json").json
    assert [each["key"] for each in found] == [
        "tone",
        "cta",
        "midpoint_emotion",
        "act2_emphasis",
        "visual_metaphors",
    ]
    assert found[0]["options"][0] == found[0]["default"] == "friendly"


@pytest.mark.requirement("P2")
def test_a_brief_that_says_it_all_is_asked_nothing() -> None:
    done = call("brief", "questions", BRIEFS / "orchard.yaml")
    assert (done.code, done.out) == (0, "")
    assert "Nothing is left to ask" in done.err
    assert call("brief", "questions", BRIEFS / "orchard.yaml", "--json").json == []


def test_the_schema_lets_every_example_pass_and_stops_unknown_keys() -> None:
    done = call("brief", "schema")
    validator = jsonschema_rs.validator_for(done.json)
    for path in sorted(BRIEFS.iterdir()):
        if path.suffix in {".yaml", ".json"}:
            data: Any = yaml.safe_load(path.read_text("utf-8"))
            # Dates are text in JSON.
            assert validator.is_valid(json.loads(json.dumps(data, default=str))), path.name
    assert not validator.is_valid({"mesage": {}})
    assert not validator.is_valid({"content": {"lenght": 3}})
    assert not validator.is_valid({"message": {"supporting": ["m"] * 13}})


# The page


def test_every_key_is_documented_with_its_other_names() -> None:
    said = tables("docs/reference/brief.md")
    for section in SECTIONS:
        listed = [tuple(names_in(row[0])) for row in said[section]]
        declared = [(field.name, *field.aliases) for field in FIELDS if field.section == section]
        assert listed == declared, section
    assert [names_in(row[0])[0] for row in said["Shot"]] == list(SHOT_FIELDS)


def test_every_closed_set_is_documented() -> None:
    said = tables("docs/reference/brief.md")
    for key, members in CHOICES.items():
        section, _, name = key.partition(".")
        (row,) = (row for row in said[section] if names_in(row[0])[0] == name)
        assert [each for each in names_in(row[1]) if each != "auto"] == list(members), key
