"""What every command prints with `--json`: which keys, in which order, and of which types.

The shapes stand in `cli_json.json`, one for each command line. Programs read them: what is there
stays there.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.acceptance.command import TOOLS, call, write_plan

if TYPE_CHECKING:
    from collections.abc import Iterator

# Each opens a home on the disk, most of them several times.
pytestmark = [pytest.mark.slow, pytest.mark.requirement("S5")]

WITH_TOOLS = ("--tools", TOOLS)
TOLD = ("stamp", "value", "gate")
SHAPES = Path(__file__).with_name("cli_json.json")


def shape_of(value: Any) -> Any:
    """The keys and the types of a value; of a list, those that its members have."""
    if isinstance(value, dict):
        return {key: shape_of(each) for key, each in value.items()}
    if isinstance(value, list):
        shapes = [json.dumps(shape_of(each)) for each in value]
        return [json.loads(each) for each in dict.fromkeys(shapes)]
    return type(value).__name__


def said(*words: object) -> Any:
    return call(*words, "--json").json


def plans(here: Path) -> dict[str, Path]:
    stamp = {"id": "one", "tool": "stamp", "args": {"name": "one"}}
    ask = {"id": "ok", "ask": "Keep it?", "choices": ["keep", "drop"]}
    return {
        "good": write_plan(
            here / "good.json",
            {"name": "good", "description": "It does.", "steps": [stamp], "output": "${steps.one}"},
        ),
        "bad": write_plan(here / "bad.json", {"steps": [{"id": "a", "tool": "stmap"}]}),
        "odd": write_plan(
            here / "odd.json", {"steps": [{"id": "a", "tool": "blurt", "args": {"name": "x"}}]}
        ),
        "failing": write_plan(
            here / "failing.json",
            {"steps": [stamp, {"id": "last", "tool": "boom", "needs": ["one"]}]},
        ),
        "asking": write_plan(here / "asking.json", {"steps": [ask]}),
        "approving": write_plan(
            here / "approving.json", {"steps": [{**stamp, "approval": "required"}]}
        ),
        "more": write_plan(
            here / "more.json", {"steps": [{**stamp, "tool": "value", "args": {"value": 1}}]}
        ),
    }


def everything(here: Path) -> Iterator[tuple[str, Any]]:
    """Every command with `--json`, after what it needs; what it says, by what it shows."""
    files = plans(here)
    yield from before_a_run(files)
    yield from running(files)
    yield from keeping(here, files)
    yield from accounts()
    yield "gc", said("gc", "--older-than", "1d", "--dry-run")
    yield "backup", said("backup", here / "copy")


def before_a_run(files: dict[str, Path]) -> Iterator[tuple[str, Any]]:
    schemas = {"input_schema": None, "output_schema": None}
    listed = said("tools", *WITH_TOOLS, "--no-plugins")
    yield "tools", [{**each, **schemas} for each in listed if each["name"] in TOLD]
    yield "check: good", said("check", files["good"], *WITH_TOOLS)
    yield "check: bad", said("check", files["bad"])
    yield "check: warnings", said("check", files["odd"], *WITH_TOOLS)
    yield "preflight", said("preflight", files["good"], *WITH_TOOLS)
    yield "no such run", said("show", "r0")
    yield "usage", said("show", "--no-such-option")


def running(files: dict[str, Path]) -> Iterator[tuple[str, Any]]:
    ran = said("run", files["good"], *WITH_TOOLS)
    yield "run: succeeded", ran
    failed = said("run", files["failing"], *WITH_TOOLS)
    yield "run: undone", failed
    waiting = said("run", files["asking"])
    yield "run: waiting", waiting
    approving = said("run", files["approving"], *WITH_TOOLS)
    yield "run: waiting for an approval", approving
    yield "pause", said("pause", waiting["run"])
    yield "answer", said("answer", waiting["run"], "ok", "keep")
    yield "resume", said("resume", waiting["run"])
    yield "cancel", said("cancel", approving["run"], "--reason", "enough")
    growing = said("run", files["asking"], "--open")
    yield "run: open", growing
    yield "add", said("add", growing["run"], files["more"])
    yield "seal", said("seal", growing["run"])
    yield "fork", said("fork", ran["run"], "one", *WITH_TOOLS)
    yield "undo", said("undo", ran["run"], *WITH_TOOLS)
    yield from looking(ran["run"], failed["run"])


def looking(ran: str, failed: str) -> Iterator[tuple[str, Any]]:
    yield "runs", said("runs")
    yield "show", said("show", failed)
    yield "journal", said("journal", ran)
    watched = call("watch", ran, "--json").out.splitlines()
    yield "watch: first", json.loads(watched[0])
    yield "watch: last", json.loads(watched[-1])
    yield "replay", said("replay", ran)
    yield "stats", said("stats")


def keeping(here: Path, files: dict[str, Path]) -> Iterator[tuple[str, Any]]:
    """Plans, context and artifacts."""
    yield "plan save", said("plan", "save", files["good"])
    yield "plan list", said("plan", "list")
    yield "plan show", said("plan", "show", "good")
    yield "plan delete", said("plan", "delete", "good")
    yield "context put", said("context", "put", "project:blue", "style", '{"ink": 3}')
    yield "context put: mortal", said("context", "put", "project:blue", "mood", "x", "--ttl", "1d")
    yield "context get", said("context", "get", "project:blue", "style")
    yield "context list", said("context", "list", "project:blue")
    yield "context delete", said("context", "delete", "project:blue")
    (here / "note.txt").write_text("a note", "utf-8")
    put = said("artifact", "put", here / "note.txt")
    yield "artifact put", put
    yield "artifact get", said("artifact", "get", put["$artifact"], "-o", here / "again.txt")
    taking = {"id": "take", "tool": "value", "args": {"value": "${inputs.note}"}}
    plan = {"inputs": {"note": {}}, "steps": [taking], "output": "${steps.take}"}
    note = f"note={json.dumps(put)}"
    run = said("run", write_plan(here / "taking.json", plan), "--input", note)["run"]
    yield "artifacts", said("artifacts")
    yield "artifacts: of a run", said("artifacts", run)
    yield "lineage: of a run", said("lineage", run)
    yield "lineage: of an artifact", said("lineage", put["$artifact"])


def accounts() -> Iterator[tuple[str, Any]]:
    yield "ledger grant", said("ledger", "grant", "acme", "--usd", "5", "--note", "May")
    yield "ledger show", said("ledger", "show")
    yield "ledger statement", said("ledger", "statement", "acme", "--since", "2020-01-01")


@pytest.fixture
def shapes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CLI_TEST_DIR", str(tmp_path))
    monkeypatch.setenv("CALLSHEET_HOME", str(tmp_path / "home"))
    return {name: shape_of(value) for name, value in everything(tmp_path)}


def test_every_command_prints_the_json_it_has_always_printed(shapes: dict[str, Any]) -> None:
    recorded = json.loads(SHAPES.read_text("utf-8"))
    assert list(shapes) == list(recorded)
    for name, shape in shapes.items():
        # As text: the order of the keys counts.
        assert json.dumps(shape) == json.dumps(recorded[name]), name
