"""`callsheet chat`, asked of a service: it says what it says of a home.

The tests are those of the command itself; each runs here once more, over HTTP.
"""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest
from tests.acceptance import command, test_cli_chat
from tests.acceptance.command import TOOLS
from tests.serve.threaded import KEY, threaded

from callsheet import load_tools

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

# Each starts a service.
pytestmark = [pytest.mark.slow, pytest.mark.requirement("M6", "S1", "S5")]

LEFT_OUT = {
    "test_a_turn_that_is_killed_does_not_hold_up_its_conversation": "a service drives what it has",
}
globals().update(
    {
        name: found
        for name, found in vars(test_cli_chat).items()
        if name.startswith("test_") and name not in LEFT_OUT
    }
)


@pytest.fixture(autouse=True)
def _served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CLI_TEST_DIR", str(tmp_path))
    monkeypatch.setenv("CALLSHEET_HOME", str(tmp_path / "elsewhere"))
    monkeypatch.setenv("CALLSHEET_KEY", KEY)
    with threaded(tmp_path / "home", tools=load_tools(TOOLS), talks=True) as served:
        monkeypatch.setenv("CALLSHEET_SERVER", served.url)
        yield


def test_a_terminal_that_is_killed_changes_nothing(tmp_path: Path) -> None:
    words = ("chat", "--once", "gate name=door")
    with subprocess.Popen(
        command.command(*words), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        command.until((tmp_path / "door.begun").exists, "the call to begin")
        process.kill()
    (one,) = command.call("chat", "--list", "--json").json["conversations"]
    assert one["state"] == "running"
    (tmp_path / "door.open").touch()
    assert command.call("watch", one["turn"], "--json").code == 0
    again = command.call("chat", "--once", "hello", "--conversation", one["id"])
    assert again.code == 0
