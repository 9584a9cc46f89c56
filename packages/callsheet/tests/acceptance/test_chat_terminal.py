"""`callsheet chat` with somebody at the terminal: asked in place, stopped, left in the middle."""

from __future__ import annotations

import re
import signal
import subprocess
import unicodedata
from typing import TYPE_CHECKING

import pytest
from tests.acceptance.command import TOOLS, Terminal, call, command, until

if TYPE_CHECKING:
    from pathlib import Path

# Every one of them starts a process, and opens a home.
pytestmark = [pytest.mark.slow, pytest.mark.requirement("M6", "S5")]

ASKS = '[tools."stamp"]\napproval = "required"\n'
WORDS = ("chat", "--no-plugins", "--tools", TOOLS, "--config", "callsheet.toml")


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CLI_TEST_DIR", str(tmp_path))
    monkeypatch.delenv("CALLSHEET_HOME", raising=False)
    (tmp_path / "callsheet.toml").write_text(ASKS, "utf-8")


def test_an_approval_is_asked_for_in_place_and_leaving_it_is_no_answer(tmp_path: Path) -> None:
    with Terminal(*WORDS, directory=tmp_path) as terminal:
        terminal.see("/quit")
        terminal.type("stamp name=one\n")
        terminal.see("approve? [y/n/?]: ")
        terminal.type("?\n")
        terminal.see("nothing of it has happened")
        terminal.type("n\n")
        terminal.see("Denied by")
        terminal.screen = ""
        terminal.type("stamp name=two\n")
        terminal.see("approve? [y/n/?]: ")
        terminal.type("y\n")
        terminal.see("✓ stamp")
        terminal.screen = ""
        terminal.type("stamp name=three\n")
        terminal.see("approve? [y/n/?]: ")
        terminal.type("\x04")
        assert terminal.end() == 3
    assert "callsheet answer" in terminal.screen


def test_ctrl_c_stops_the_turn_and_twice_leaves(tmp_path: Path) -> None:
    with Terminal(*WORDS, directory=tmp_path) as terminal:
        terminal.see("/quit")
        terminal.type("\n")  # an empty line is nothing
        terminal.type("wait 600 seconds\n")
        terminal.see("● wait")
        terminal.process.send_signal(signal.SIGINT)
        terminal.see("cancelled: Ctrl-C")
        terminal.screen = ""
        terminal.type("hello\n")
        terminal.see("Hello.")
        terminal.type("deaf name=door\n")  # it does not listen when it is told to stop
        terminal.see("● deaf")
        terminal.process.send_signal(signal.SIGINT)
        terminal.see("Cancelling")
        terminal.process.send_signal(signal.SIGINT)
        assert terminal.end() == 130


def test_a_card_is_one_line_of_eighty_columns_whatever_stands_in_it(tmp_path: Path) -> None:
    name = "日本語" * 30
    with Terminal(*WORDS, directory=tmp_path) as terminal:
        terminal.see("/quit")
        terminal.type(f"file.read {name}.txt\n")
        terminal.see("did not work")
        terminal.type("/quit\n")
        assert terminal.end() == 0
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", terminal.screen)
    (card,) = [line for line in plain.splitlines() if "✗ file.read" in line]
    shown = card[: card.index("…") + 1]
    assert sum(2 if unicodedata.east_asian_width(each) == "W" else 1 for each in shown) <= 80


def test_the_exit_code_says_how_one_message_went(tmp_path: Path) -> None:
    def code(*words: str) -> int:
        return call("chat", "--no-plugins", "--once", *words).code

    (tmp_path / "empty.tape").touch()
    assert code("hello") == 0
    assert code("hello", "--model", "recorded:empty.tape") == 1
    assert code("") == 2
    asked = call(*WORDS, "--once", "stamp name=one")
    assert asked.code == 3
    assert "callsheet answer" in asked.err
    with subprocess.Popen(
        command("chat", "--no-plugins", "--tools", TOOLS, "--once", "gate name=door"),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        until((tmp_path / "door.begun").exists, "the call to begin")
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 130
