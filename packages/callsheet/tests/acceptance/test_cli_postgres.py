"""The command line on a database: two terminals, and a password that nobody ever sees."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.acceptance.command import TOOLS, Process, call, effects, until, write_plan

from callsheet.cli.place import Place

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.requirement("store:postgresql", "S5")

PASSWORD = "open-sesame"


@pytest.fixture
def home(database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A database whose URL has a password; this server takes any."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CLI_TEST_DIR", str(tmp_path))
    monkeypatch.delenv("CALLSHEET_HOME", raising=False)
    return database.replace("postgres@", f"postgres:{PASSWORD}@")


def gated(tmp_path: Path) -> Path:
    steps = [
        {"id": "one", "tool": "stamp", "args": {"name": "one"}},
        {"id": "door", "tool": "gate", "args": {"name": "door"}, "needs": ["one"]},
    ]
    return write_plan(tmp_path / "gated.json", {"name": "gated", "steps": steps})


@pytest.mark.slow  # a real process drives
@pytest.mark.requirement("processes:second-terminal")
def test_a_second_terminal_cancels_what_the_first_one_drives(home: str, tmp_path: Path) -> None:
    words = ("run", gated(tmp_path), "--tools", TOOLS, "--home", home)
    with Process(*words, directory=tmp_path) as process:
        until(
            lambda: (tmp_path / "door.begun").exists() or process.popen.poll() is not None,
            "the step `door` to begin",
        )
        (listed,) = call("runs", "--json", "--home", home).json
        cancelled = call("cancel", listed["run"], "--home", home)
        done = process.end()
    assert cancelled.code == 0
    assert done.code == 130
    assert effects(tmp_path) == ["one", "unone"]
    shown = call("show", listed["run"], "--home", home)
    for said in (cancelled, done, shown):
        assert PASSWORD not in said.out + said.err


def test_no_command_shows_the_password(
    home: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = write_plan(tmp_path / "asks.json", {"steps": [{"id": "ok", "ask": "Go on?"}]})
    asked = call("run", plan, "--home", home)
    (listed,) = call("runs", "--json", "--home", home).json
    run = listed["run"]
    said = [
        asked,
        call("show", run, "--home", home),
        call("show", "nonsense", "--home", home),
        call("cancel", run, "--home", home),
        call("backup", tmp_path / "copy", "--home", home),
        call("plan", "list", "--home", home),
        call("plan", "show", "nonsense", "--home", home),
        call("runs", "--home", home.replace("postgres:", "nobody:")),
        call("runs", "--home", f"postgresql://ada:{PASSWORD}@127.0.0.1:1/db"),
        call("runs", "--home", f"postgresql://ada:{PASSWORD}%zz@127.0.0.1:1/db"),
        call("runs", "--home", f"mysql://ada:{PASSWORD}@127.0.0.1:1/db"),
        call("--help"),
    ]
    monkeypatch.setenv("CALLSHEET_HOME", home)
    said += [call("runs"), call("runs", "--help"), call("show", run)]
    for each in said:
        assert PASSWORD not in each.out + each.err
        assert "Traceback" not in each.err
    assert "--home" in asked.out + asked.err, "what to type next names the database"
    assert call("runs", "--json", "--home", tmp_path / "copy").json[0]["run"] == run


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("postgresql://ada:pw@host:5433/db", "postgresql://ada@host:5433/db"),
        ("postgresql://ada@host/db?password=pw&sslmode=require", "…?sslmode=require"),
        ("postgresql://a:p@b:pw@host/db", "postgresql://a@host/db"),
        ("postgresql:///db?host=/run/pg", "postgresql:///db?host=/run/pg"),
        ("postgresql://[ada:pw@host/db", "postgresql://…"),
        ("postgresql://ada:pw/pw@host/db", "postgresql://…"),
    ],
)
def test_a_place_is_shown_without_its_password(url: str, shown: str) -> None:
    place = Place.of(url)
    assert str(place) == shown.replace("…?", "postgresql://ada@host/db?")
    assert place.opened == url
    assert "pw" not in repr(place)
