"""The commands `preflight` and `stats`, and how the log is written, from the command line."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from tests.acceptance.command import TOOLS, call, write_plan

if TYPE_CHECKING:
    from pathlib import Path

# Each opens a home on the disk, most of them several times.
pytestmark = [pytest.mark.slow, pytest.mark.requirement("S5")]


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CLI_TEST_DIR", str(tmp_path))
    monkeypatch.setenv("CALLSHEET_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("COLUMNS", "120")


def a_plan(path: Path, **fields: Any) -> Path:
    steps = [
        {"id": "a", "tool": "value", "args": {"value": 1}},
        {"id": "b", "tool": "value", "args": {"value": "${item}"}, "for_each": "${inputs.list}"},
        {"id": "c", "tool": "boom", "needs": ["b"], "on_failure": "ignore"},
    ]
    inputs = {"list": {"type": "array"}}
    return write_plan(path / "plan.json", {"steps": steps, "inputs": inputs, **fields})


@pytest.mark.requirement("E21")
def test_a_preflight_says_what_is_known_and_what_is_not(tmp_path: Path) -> None:
    plan = a_plan(tmp_path, budget={"calls": 9})
    done = call("preflight", plan, "--tools", TOOLS)
    assert done.code == 0, done.err
    assert "plan  3 steps in 2 waves, 2 at once, from 0 earlier runs" in done.out
    assert re.search(r"duration +unknown", done.out)
    assert "seconds and chance of a, b: value has not been called yet" in done.out
    assert "calls of b: the number of items is known only when it runs" in done.out
    assert not (tmp_path / "home").exists(), "it writes nothing, not even a home"
    (tmp_path / "home").mkdir()
    assert done.out.endswith(call("preflight", plan, "--tools", TOOLS).out)
    assert not list((tmp_path / "home").iterdir())


@pytest.mark.requirement("E21")
def test_a_preflight_learns_from_the_runs_of_its_home(tmp_path: Path) -> None:
    plan = a_plan(tmp_path)
    given = (plan, "--tools", TOOLS, "--input", "list=[1,2]")
    assert call("run", *given).code == 0
    found = call("preflight", *given, "--json").json
    assert (found["plan"], found["runs"], found["width"]) == ("plan", 1, 3)
    assert [step["calls"] for step in found["steps"]] == [1, 2, 1]
    assert found["steps"][0]["observations"] == 3
    assert found["chance"] == pytest.approx(3.5 / 4 * 4.5 / 5 * 5.5 / 6)
    assert found["cost"]["expected"] == {"usd": 0, "credits": 0, "tokens": 0, "calls": 4}
    text = call("preflight", *given).out
    assert "too early to say  3 observations" in text
    assert "unknown" not in text


def test_a_preflight_of_what_does_not_check_says_all_that_is_wrong(tmp_path: Path) -> None:
    done = call("preflight", a_plan(tmp_path), "--input", "list=1", "--json")
    assert done.code == 2
    places = {problem["place"] for problem in done.json["error"]["problems"]}
    assert {"steps[2].tool", "inputs.list"} <= places


@pytest.mark.requirement("E20")
def test_stats_show_each_tool_and_one_alone(tmp_path: Path) -> None:
    plan = a_plan(tmp_path)
    call("run", plan, "--tools", TOOLS, "--input", "list=[1,2]")
    text = call("stats").out
    assert [line.split()[0] for line in text.splitlines()] == ["tool", "boom", "value"]
    listed = call("stats", "--json").json
    assert [(each["tool"], each["calls"], each["failed"]) for each in listed] == [
        ("boom", 1, 1),
        ("value", 3, 0),
    ]
    assert listed[1]["seconds"]["p50"] <= listed[1]["seconds"]["max"]
    (value,) = call("stats", "value", "--since", "1h", "--json").json
    assert value["cost"] == {"usd": 0, "credits": 0, "tokens": 0, "calls": 3}


def test_stats_of_nothing_say_so(tmp_path: Path) -> None:
    call("plan", "save", a_plan(tmp_path))
    done = call("stats", "nobody")
    assert (done.code, done.out) == (0, "")
    assert "No call of 'nobody' has ended" in done.err
    assert call("stats", "--json").json == []
    wrong = call("stats", "--since", "soon")
    assert wrong.code == 2
    assert "--since 'soon' is not an age. Write it as in 30d, 12h or 90m." in wrong.err


@pytest.mark.requirement("E20")
def test_the_log_is_json_on_stderr_if_that_is_wanted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CALLSHEET_LOG", "text")
    monkeypatch.setenv("CALLSHEET_LOG_LEVEL", "info")
    plan = write_plan(tmp_path / "say.json", {"steps": [{"id": "a", "tool": "speak"}]})
    tools = tmp_path / "tools.py"
    tools.write_text(
        "from callsheet import Context, tool\n"
        "@tool(effect='read')\n"
        "async def speak(ctx: Context) -> None:\n"
        "    ctx.log.info('spoken', words=3)\n"
    )
    done = call("--log-format", "json", "run", plan, "--tools", tools, "--json")
    assert done.json["state"] == "succeeded"
    (said,) = (json.loads(line) for line in done.err.splitlines() if line.startswith("{"))
    assert (said["event"], said["words"], said["step"]) == ("spoken", 3, "a")
    quiet = call("--log-level", "warning", "run", plan, "--tools", tools, "--json")
    assert "spoken" not in quiet.err
    assert call("--log-format", "loud", "runs").code == 2


@pytest.mark.requirement("E20")
def test_a_run_from_the_command_line_is_told_to_whatever_is_set_up(tmp_path: Path) -> None:
    plan = write_plan(
        tmp_path / "one.json", {"steps": [{"id": "a", "tool": "value", "args": {"value": 1}}]}
    )
    # The global providers can be set once in a process: this one is theirs.
    program = """
import sys
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import ConsoleSpanExporter, SimpleSpanProcessor
exporter = ConsoleSpanExporter(out=sys.stderr, formatter=lambda span: f"SPAN {span.name}\\n")
provider = TracerProvider()
provider.add_span_processor(SimpleSpanProcessor(exporter))
trace.set_tracer_provider(provider)
from callsheet.cli.app import run_command
sys.exit(run_command(sys.argv[1:]))
"""
    words = [sys.executable, "-c", program, "run", str(plan), "--json"]
    for wanted, spans in (("1", ["SPAN call value", "SPAN run one"]), ("", [])):
        told = {**os.environ, "CALLSHEET_TELEMETRY": wanted}
        done = subprocess.run(words, env=told, capture_output=True, check=True, text=True)
        assert [line for line in done.stderr.splitlines() if line.startswith("SPAN")] == spans
