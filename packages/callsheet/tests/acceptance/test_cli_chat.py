"""`callsheet chat` without a key: in an empty directory, through a pipe, as JSON, after a kill."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING, Any

import pytest
from tests.acceptance.command import TOOLS, call, command, until

if TYPE_CHECKING:
    from pathlib import Path

# Every one of them opens a home; some start processes.
pytestmark = [pytest.mark.slow, pytest.mark.requirement("M6", "S5")]


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CLI_TEST_DIR", str(tmp_path))
    monkeypatch.delenv("CALLSHEET_HOME", raising=False)


def said(text: str, *options: str) -> Any:
    return call("chat", "--once", text, "--no-plugins", *options)


def flow(text: str, *options: str) -> list[dict[str, Any]]:
    done = said(text, "--json", *options)
    assert done.code == 0, done
    return [json.loads(line) for line in done.out.splitlines()]


def test_a_tool_is_called_in_plain_words_and_the_flow_is_json_lines() -> None:
    events = flow("wait 0.01 seconds")
    (section,) = [each for each in events if each["kind"] == "tools" and "calls" in each]
    assert [(each["name"], each["args"]) for each in section["calls"]] == [
        ("wait", {"seconds": 0.01})
    ]
    assert (events[-1]["kind"], events[-1]["state"]) == ("end", "answered")
    numbers = [each["seq"] for each in events if "seq" in each]
    assert numbers == sorted(set(numbers))


def test_what_was_said_can_be_taken_back(tmp_path: Path) -> None:
    assert said('write "Hi" to hello.txt').code == 0
    assert (tmp_path / "hello.txt").read_text() == "Hi"
    assert said("undo that").code == 0
    assert not (tmp_path / "hello.txt").exists()


def test_why_something_failed_is_told() -> None:
    assert "There is no file" in said("read missing.txt").out
    assert "There is no file 'missing.txt'" in said("why did it fail?").out


def test_a_greeting_starts_nothing_but_its_own_turn() -> None:
    assert said("good morning").code == 0
    assert call("runs", "--json").json == [], "turns that have ended are left out"
    (run,) = call("runs", "--turns", "--json").json
    assert call("runs", "--plan", "turn", "--json").json == [run]
    assert run["plan"] == "turn"
    assert list(call("show", run["run"], "--json").json["steps"]) == ["a1"]


def test_answering_is_no_tool() -> None:
    for text in ("approve it", "answer yes", "yes"):
        assert "I do not understand that" in said(text).out
    offered = said("which tools are there?").out
    assert "runs.undo" in offered
    assert not [name for name in ("answer", "approve", "deny") if f".{name} " in offered]


def test_what_is_not_understood_names_what_is() -> None:
    done = said("order me a pizza")
    assert "I do not understand that. Nearest to it:" in done.out
    assert len(done.out.splitlines()) == 4


def test_a_pipe_is_a_conversation_without_colours_or_cursor_codes() -> None:
    done = subprocess.run(
        command("chat", "--no-plugins"),
        input="hello\nwait 0.01 s\n\nwhich tools are there?\n",
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "\x1b" not in done.stdout
    assert "✓ wait  seconds=0.01" in done.stdout
    listed = call("chat", "--list", "--json").json["conversations"]
    assert len(listed) == 1


def test_a_conversation_goes_on_where_it_was_left() -> None:
    said("hello")
    said("wait 0.01 s", "--conversation", "last")
    (one,) = call("chat", "--list", "--json").json["conversations"]
    assert one["state"] == "succeeded"


def test_a_turn_that_is_killed_does_not_hold_up_its_conversation(tmp_path: Path) -> None:
    words = ("chat", "--once", "gate name=door", "--no-plugins", "--tools", TOOLS)
    with subprocess.Popen(command(*words), stdout=subprocess.PIPE, text=True) as process:
        until((tmp_path / "door.begun").exists, "the call to begin")
        process.kill()
    (tmp_path / "door.open").touch()
    (one,) = call("chat", "--list", "--json").json["conversations"]
    assert call("resume", one["turn"], "--tools", TOOLS, "--json").code == 0
    again = said("hello", "--conversation", one["id"], "--tools", TOOLS)
    assert again.code == 0


def test_wrong_input_is_refused_before_anything_is_made(tmp_path: Path) -> None:
    for options in (("--model", "gpt-9"), ("--conversation", "last"), ("--offer", "nothing.*")):
        refused = said("hello", *options)
        assert refused.code == 2, options
    assert said("   ").code == 2
    assert said("x" * 1_000_001).code == 2
    assert call("runs", "--turns", "--json").json == []


def test_a_pipe_of_nonsense_is_told_so_and_not_shown_as_it_came() -> None:
    done = subprocess.run(
        command("chat", "--no-plugins"),
        # Control characters, empty lines, and an end in the middle of a line.
        input="\x1b[31mwait\x07 0.01 seconds\n\n   \nhello",
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "I do not understand that" in done.stdout
    assert "Hello." in done.stdout
    assert "\x1b" not in done.stdout
    assert "\x07" not in done.stdout
