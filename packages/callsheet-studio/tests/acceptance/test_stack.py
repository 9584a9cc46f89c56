"""The command line about the tool stack."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from typing import TYPE_CHECKING, Any

import pytest
from tests.acceptance.command import call, run
from tests.unit.stack.files import STARTING, file, offer, starting, tool

from callsheet import Engine
from callsheet_studio.branch import BRANCH
from callsheet_studio.stack import StackTables, read_stack, starting_stack

if TYPE_CHECKING:
    from pathlib import Path

# Slow, up to half a second each: every command opens a home of its own.
pytestmark = [pytest.mark.slow, pytest.mark.requirement("P8")]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CALLSHEET_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)  # what belongs to a database and is a file lies here
    return tmp_path / "home"


@pytest.fixture
def written(tmp_path: Path) -> Path:
    return tmp_path / "stack.json"


def test_without_an_import_the_shipped_stack_is_shown_and_nothing_is_made(home: Path) -> None:
    listed = call("stack", "list")
    assert listed.code == 0
    assert len(listed.out.splitlines()) >= 79
    assert "Starting data of 2026-11-15; nothing was imported here." in listed.err
    assert call("stack", "show", "veo-3.1").code == 0
    assert not home.exists()


def test_an_empty_directory_and_a_home_without_a_stack_are_not_an_import(home: Path) -> None:
    home.mkdir()
    assert "nothing was imported" in call("stack", "list").err
    assert list(home.iterdir()) == []
    call("ledger", "grant", "acme", "--usd", 1)
    assert "nothing was imported" in call("stack", "list").err
    db = sqlite3.connect(home / "callsheet.db")
    names = [name for (name,) in db.execute("SELECT name FROM sqlite_master")]
    db.close()
    assert not [name for name in names if "studio" in name]


def test_the_starting_data_is_imported_and_shown(written: Path) -> None:
    written.write_text(STARTING, "utf-8")
    done = call("stack", "import", written)
    assert done.code == 0
    assert done.out.splitlines() == [
        "tool added: 78, offer added: 194",
        "Imported 78 stack tools with 194 offers, as of 2026-11-15.",
    ]
    again = call("stack", "import", written)
    assert again.out == "Nothing has changed: 78 stack tools with 194 offers, as of 2026-11-15.\n"
    listed = call("stack", "list", "--json").json
    assert (listed["origin"], len(listed["tools"])) == ("imported", 78)
    assert listed["tools"] == starting_stack().model_dump(mode="json")["tools"]
    assert "nothing was imported" not in call("stack", "list").err


def test_a_change_is_said_kept_and_shown(written: Path) -> None:
    written.write_text(STARTING, "utf-8")
    call("stack", "import", written)
    newer = starting()
    newer["meta"]["written"] = "2026-12-01"
    newer["tools"][0]["offers"][0].update(usd=0.15, as_of="2026-12-01")
    written.write_text(json.dumps(newer), "utf-8")
    would = call("stack", "import", written, "--dry-run", "--json").json
    assert (would["dry_run"], [c["kind"] for c in would["changes"]]) == (True, ["price"])
    done = call("stack", "import", written)
    assert "price" in done.out
    assert "$0.12 / second" in done.out
    assert "$0.15 / second" in done.out
    shown = call("stack", "show", "runway-gen4.5", "--json").json
    assert shown["tool"]["offers"][0]["usd"] == 0.15
    assert shown["changes"][0]["kind"] == "price"
    assert (shown["changes"][0]["before"]["usd"], shown["changes"][0]["source"]) == (
        0.12,
        "litellm",
    )
    before = call("stack", "show", "runway-gen4.5", "--as-of", "2026-11-30", "--json").json
    assert before["tool"]["offers"][0]["usd"] == 0.12


def test_a_dry_run_makes_nothing(home: Path, written: Path) -> None:
    written.write_text(file(), "utf-8")
    done = call("stack", "import", written, "--dry-run")
    assert (done.code, "Would import 1 stack tool with 1 offer" in done.out) == (0, True)
    assert not home.exists()


def test_everything_about_a_stack_tool_is_shown() -> None:
    out = call("stack", "show", "veo-3.1").out
    for words in (
        "ends 2026-11-17",
        "4, 6, 8 s",
        "veo-3.1@gemini-api:1080p+sound",
        "$0.4 / second",
        "1375 ± 13",
        "360 s",
        "must be 8 s",
        "litellm",
        "2026-11-15",
    ):
        assert words in out
    assert "at least $0.56" in call("stack", "show", "runway-aleph2").out
    assert "not EU" in call("stack", "show", "hunyuanvideo-1.5").out


@pytest.mark.parametrize(
    ("words", "expected", "unexpected"),
    [
        (("--category", "music"), "suno", "veo-3.1"),
        (("--capability", "lip_sync"), "kling-v4", "runway-gen4.5"),
        (("--capability", "9:16", "--category", "image"), "imagen-4", "veo-3.1"),
        (("--complexity", "9"), "seedance-2.0", "wan-2.2"),
        (("--shot", "CU", "--capability", "sound"), "veo-3.1", "kling-v2.5-turbo-pro"),
        (("--as-of", "2026-10-01"), "luma-ray-3.2", "kling-v4"),
    ],
)
def test_a_list_is_of_what_was_asked_for(
    words: tuple[str, ...], expected: str, unexpected: str
) -> None:
    done = call("stack", "list", *words, "--json")
    names = [each["id"] for each in done.json["tools"]]
    assert expected in names
    assert unexpected not in names


def test_a_question_that_nothing_answers_says_so() -> None:
    done = call("stack", "list", "--category", "sfx", "--capability", "lip_sync")
    assert (done.code, done.out, "No stack tool is like that" in done.err) == (0, "", True)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("show", "veo-3"), "veo-3.1"),
        (("list", "--capability", "telepathy"), "telepathy"),
        (("list", "--category", "film"), "film"),
        (("list", "--as-of", "yesterday"), "is not a date"),
        (("list", "--as-of", "1999-01-01"), "1999-01-01"),
        (("list", "--complexity", "11"), "1 to 10"),
        (("import", "nothing.json"), "cannot be read"),
    ],
)
def test_what_cannot_be_answered_is_refused(words: tuple[str, ...], said: str) -> None:
    done = call("stack", *words)
    assert (done.code, done.out) == (2, "")
    assert said in done.err


def test_a_file_with_faults_is_refused_whole_with_all_of_them(home: Path, written: Path) -> None:
    bad = tool(id="b", durations_s=None, offers=[offer(usd=-1), offer(unit="frame")])
    written.write_text(file(tool(), bad), "utf-8")
    done = call("stack", "import", written)
    assert (done.code, done.out) == (2, "")
    places = [f"tools[1] (b).{key}" for key in ("offers[0].usd", "offers[1].unit", "durations_s")]
    for place in places:
        assert place in done.err
    assert not home.exists()
    problems: list[Any] = call("stack", "import", written, "--json").json["error"]["problems"]
    assert [each["place"] for each in problems] == places


def test_a_refused_file_leaves_the_imported_stack_as_it_was(written: Path) -> None:
    written.write_text(file(), "utf-8")
    call("stack", "import", written)
    before = call("stack", "list", "--json").json
    for content in (b"", b"\xff\xfe", b"[", b"{}", file(tool(offers=[offer(usd=-1)])).encode()):
        written.write_bytes(content)
        assert call("stack", "import", written).code == 2
    assert call("stack", "list", "--json").json == before


def test_it_is_listed_and_imported_while_another_process_drives(
    home: Path, written: Path, tmp_path: Path
) -> None:
    written.write_text(file(), "utf-8")

    async def main() -> None:
        async with Engine.open(home) as engine:
            done = await asyncio.to_thread(run, "stack", "import", written, directory=tmp_path)
            assert (done.code, "Imported 1 stack tool" in done.out) == (0, True)
            listed = await asyncio.to_thread(call, "stack", "list", "--json")
            assert [each["id"] for each in listed.json["tools"]] == ["acme-1"]
            loaded = await StackTables(engine.database(BRANCH)).load()
            assert loaded == read_stack(file(), "here")

    asyncio.run(main())


def test_a_database_is_a_home_too(database: str, written: Path, tmp_path: Path) -> None:
    written.write_text(file(), "utf-8")
    assert "nothing was imported" in call("stack", "list", "--home", database).err
    assert call("stack", "import", written, "--home", database).code == 0
    copy = tmp_path / "copy"
    assert call("backup", copy, "--home", database).code == 0
    for home in (database, copy):
        listed = call("stack", "list", "--home", home, "--json").json
        assert [each["id"] for each in listed["tools"]] == ["acme-1"]
