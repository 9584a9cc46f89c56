"""An installation without the studio: its commands say what to install."""

from __future__ import annotations

import pytest
from tests.acceptance.command import call

from callsheet.cli import apps


@pytest.fixture(autouse=True)
def _nothing_plugged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apps, "commands_of_apps", dict)


@pytest.mark.requirement("S11")
@pytest.mark.parametrize("command", ["brief", "make", "schema", "stack"])
def test_a_command_of_the_studio_says_what_to_install(command: str) -> None:
    done = call(command, "x")
    assert done.code == 2
    assert "pip install callsheet-studio" in done.err


def test_any_other_unknown_command_is_unknown() -> None:
    done = call("mak")
    assert done.code == 2
    assert "No such command 'mak'" in done.err


@pytest.mark.parametrize("words", [(), ("plan",), ("ledger",)])
def test_without_a_command_the_help_is_shown(words: tuple[str, ...]) -> None:
    done = call(*words)
    assert done.code == 2
    assert "Usage: callsheet" in done.out
    assert ("Commands:" if words else "Run plans:") in done.out
