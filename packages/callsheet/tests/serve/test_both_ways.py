"""Every command that takes `--server`, typed at a home and over a service: it says the same.

What is typed is one session. A service drives the runs of a home; the commands are typed once with
`--home`, as a second terminal does, and once with `--server`. What differs from run to run (ids,
times) is left out of the comparison, and nothing else.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from tests.acceptance.command import TOOLS, call
from tests.serve.stage import SECONDS
from tests.serve.threaded import KEY, threaded

from callsheet import load_tools

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.serve.stage import Served

# Sessions of many commands, each twice.
pytestmark = [pytest.mark.slow, pytest.mark.requirement("S1", "S5")]

STAMPS = {
    "callsheet": 1,
    "name": "stamps",
    "steps": [
        {"id": "one", "tool": "stamp", "args": {"name": "one"}},
        {"id": "two", "tool": "stamp", "args": {"name": "${steps.one}"}},
    ],
    "output": "${steps.two}",
}
ASKS = {
    "name": "asks",
    "steps": [
        {"id": "ok", "ask": "Go on?", "choices": ["yes", "no"]},
        {"id": "then", "tool": "stamp", "args": {"name": "${steps.ok}"}},
    ],
    "output": "${steps.then}",
}
BAD = {
    "name": "bad",
    "on_failure": "continue",
    "steps": [{"id": "b", "tool": "boom"}, {"id": "s", "tool": "stamp", "args": {"name": "s"}}],
}
MORE = [{"id": "added", "tool": "stamp", "args": {"name": "added"}}]
_MOVING = (
    (re.compile(r"\br[0-9a-z]{23}\b"), "RUN"),
    (re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|\+00:00)?"), "TIME"),
    (re.compile(r"\d\d:\d\d:\d\d(\.\d+)?"), "TIME"),
    (re.compile(r'"seconds": [0-9.e-]+'), '"seconds": N'),
    (re.compile(r"\b\d+(\.\d+)? ?(ms|s|µs)\b"), "DURATION"),
    (re.compile(r'"(key|digest|content|seed|owner|by)": ?"[^"]*"'), r'"\1": "…"'),
    (re.compile(r" --(home|server) \S+"), " --PLACE"),
    (re.compile(r" --tools \S+"), ""),  # a service has its own
    (re.compile(r"'(http://[^']*|/[^']*/home)'"), "PLACE"),
    (re.compile(r"snapshot [0-9a-f]{16}"), "snapshot …"),
    (re.compile(r"requested by \w+"), "requested by SOMEBODY"),  # a key, or a user
    (re.compile(r"\n *- "), "\n"),  # problems, listed or not
    # Where a home keeps its files is nothing that a service tells.
    (re.compile(r" in /\S+/artifacts\. It was collected, or never kept there;"), "."),
)


def alike(text: str) -> str:
    """What is said, without what differs from run to run."""
    for pattern, word in _MOVING:
        text = pattern.sub(word, text)
    return re.sub(r"(?<=\n) +", "", re.sub(r" +", " ", text))


class Terminal:
    """Somebody who types, at a home or over a service."""

    def __init__(self, way: str, home: Path, served: Served) -> None:
        self.said: list[tuple[str, int, str, str]] = []
        self._place = ["--home", str(home)] if way == "home" else ["--server", served.url]
        self._tools = ["--tools", TOOLS] if way == "home" else []
        self._url = f"{served.url}/api/runs"
        self._headers = {"Authorization": f"Bearer {KEY}"}

    def started(self, plan: object, wait: int = 0, **more: Any) -> str:
        """A run that the service drives."""
        body = {"plan": plan, **more}
        answer = httpx.post(
            f"{self._url}?wait={wait}",
            json=body,
            headers=self._headers,
            timeout=SECONDS,
            trust_env=False,
        )
        run: str = answer.json()["run"]
        return run

    def ended(self, run: str) -> None:
        """Wait for its end."""
        path = f"{self._url}/{run}/events"
        httpx.get(path, headers=self._headers, timeout=SECONDS, trust_env=False)

    def types(self, *words: object, tools: bool = False) -> Any:
        """Type a command, and keep what it says."""
        done = call(*words, *self._place, *(self._tools if tools else []))
        line = alike(" ".join(map(str, words)))
        self.said.append((line, done.code, alike(done.out), alike(done.err)))
        return done


def looking(at: Terminal, tmp_path: Path) -> None:
    done, bad = at.started(STAMPS, 30), at.started(BAD, 30)
    for words in (("runs",), ("runs", "--json"), ("runs", "--state", "failed", "--json")):
        at.types(*words)
    for run in (done, bad):
        for verb in ("show", "journal", "watch", "replay"):
            at.types(verb, run)
            at.types(verb, run, "--json")
    at.types("show", done, "two", "--json")
    at.types("show", "r0000nobody")
    at.types("journal", "nope", "--json")
    (tmp_path / "plan.json").write_text(json.dumps(STAMPS))
    at.types("run", tmp_path / "plan.json", "--json", tools=True)
    (tmp_path / "wrong.json").write_text(json.dumps({**STAMPS, "colour": "red"}))
    at.types("run", tmp_path / "wrong.json", tools=True)


def steering(at: Terminal, tmp_path: Path) -> None:
    asks = at.started(ASKS)
    at.types("pause", asks)
    at.types("show", asks)
    at.types("resume", asks, "--json", tools=True)
    at.types("answer", asks, "ok", "maybe")
    at.types("answer", asks, "ok", "yes")
    at.ended(asks)
    at.types("answer", asks, "ok", "no")
    at.types("show", asks, "--json")
    at.types("cancel", asks)
    at.types("pause", asks, "--json")
    stops = at.started(ASKS)
    at.types("cancel", stops, "--reason", "enough")
    at.ended(stops)
    at.types("show", stops, "--json")
    at.types("undo", asks, "--json", tools=True)
    at.types("show", asks)


def growing(at: Terminal, tmp_path: Path) -> None:
    steps = tmp_path / "more.json"
    steps.write_text(json.dumps(MORE))
    grows = at.started(STAMPS, open=True)
    at.types("add", grows, steps)
    at.types("add", grows, steps)
    at.types("seal", grows, "--json")
    at.ended(grows)
    at.types("seal", grows)
    at.types("show", grows, "--json")
    bad = at.started(BAD, 30)
    at.types("retry", bad, "b", "--json", tools=True)
    at.types("retry", bad, "nope", tools=True)
    done = at.started(STAMPS, 30)
    at.types("fork", done, "two", "--arg", "name=other", "--json", tools=True)
    at.types("fork", done, "nope", tools=True)


def keeping(at: Terminal, tmp_path: Path) -> None:
    (tmp_path / "plan.json").write_text(json.dumps(STAMPS))
    for words in (
        ("plan", "save", tmp_path / "plan.json"),
        ("plan", "save", tmp_path / "plan.json", "--json"),
        ("plan", "list"),
        ("plan", "show", "stamps"),
        ("plan", "show", "nope"),
    ):
        at.types(*words)
    at.types("run", "stamps", "--json", tools=True)
    at.types("plan", "delete", "stamps")
    (tmp_path / "note.txt").write_text("hello")
    put = at.types("artifact", "put", tmp_path / "note.txt", "--json")
    at.types("artifact", "get", put.json["$artifact"])
    at.types("artifact", "get", "f" * 64)
    at.types("ledger", "grant", "default", "--usd", "5", "--json")
    at.types("ledger", "show")
    at.types("ledger", "show", "--json")
    at.types("ledger", "show", "nobody")


@pytest.mark.parametrize("session", [looking, steering, growing, keeping])
def test_a_command_says_the_same_at_a_home_and_over_a_service(
    session: Callable[[Terminal, Path], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CLI_TEST_DIR", str(tmp_path))
    monkeypatch.setenv("CALLSHEET_KEY", KEY)
    monkeypatch.setenv("COLUMNS", "120")
    for name in ("CALLSHEET_SERVER", "CALLSHEET_HOME"):
        monkeypatch.delenv(name, raising=False)
    said = {}
    for way in ("home", "server"):
        with threaded(tmp_path / way, tools=load_tools(TOOLS)) as served:
            terminal = Terminal(way, tmp_path / way, served)
            session(terminal, tmp_path)
            said[way] = terminal.said
    for home, server in zip(said["home"], said["server"], strict=True):
        assert home == server
