"""The command line: what each command says, as text and as JSON, and its exit code."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from tests.acceptance.command import EXAMPLES, TOOLS, call, effects, write_plan

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


def value_plan(path: Path, value: object = "hello", **more: Any) -> Path:
    step = {"id": "a", "tool": "value", "args": {"value": value}}
    return write_plan(path / "plan.json", {"steps": [step], "output": "${steps.a}", **more})


def a_text(path: Path, text: str) -> Path:
    path.write_text(text, "utf-8")
    return path


def stamps(path: Path, *more: dict[str, Any], **fields: Any) -> Path:
    first = {"id": "one", "tool": "stamp", "args": {"name": "one"}}
    second = {"id": "two", "tool": "stamp", "args": {"name": "two"}, "needs": ["one"]}
    return write_plan(path / "stamps.json", {"steps": [first, second, *more], **fields})


def failing(path: Path, **fields: Any) -> Path:
    return stamps(path, {"id": "last", "tool": "boom", "needs": ["two"]}, **fields)


def asking(path: Path) -> Path:
    return write_plan(
        path / "asking.json",
        {
            "steps": [
                {"id": "ok", "ask": "Keep it?", "choices": ["keep", "drop"]},
                {"id": "then", "tool": "value", "args": {"value": "${steps.ok}"}},
            ],
            "output": "${steps.then}",
        },
    )


def approving(path: Path) -> Path:
    step = {"id": "pay", "tool": "stamp", "args": {"name": "pay"}, "approval": "required"}
    return write_plan(path / "approving.json", {"steps": [step]})


# Running


def test_a_run_that_succeeds_exits_with_0_and_ends_with_one_object(tmp_path: Path) -> None:
    done = call("run", value_plan(tmp_path), "--json")
    assert done.code == 0
    assert len(done.out.splitlines()) == 1
    result = done.json
    assert {"run", "state", "cause", "output", "steps", "cost", "problems"} <= set(result)
    assert (result["state"], result["output"], result["cause"]) == ("succeeded", "hello", None)
    assert result["steps"]["a"]["attempts"] == 1


def test_a_run_that_fails_is_undone_and_exits_with_1(tmp_path: Path) -> None:
    done = call("run", failing(tmp_path), "--tools", TOOLS, "--json")
    assert done.code == 1
    assert done.json["state"] == "undone"
    assert done.json["cause"]["step"] == "last"
    assert effects(tmp_path) == ["one", "two", "untwo", "unone"]


def test_a_run_that_only_stops_exits_with_1_and_says_why(tmp_path: Path) -> None:
    done = call("run", failing(tmp_path, on_failure="stop"), "--tools", TOOLS)
    assert done.code == 1
    assert "failed: last: boom, as announced" in done.out
    assert effects(tmp_path) == ["one", "two"]


def test_without_a_terminal_each_step_is_a_line(tmp_path: Path) -> None:
    done = call("run", failing(tmp_path), "--tools", TOOLS)
    # The tools say something when they are loaded, which is once in a process.
    lines = done.out.removeprefix("printed while the tools are loaded\n").splitlines()
    assert lines[0].startswith("run r")
    assert any("✗ last  failed" in line for line in lines)
    assert any("↶ one  undone" in line for line in lines)
    assert "\x1b" not in done.out


@pytest.mark.requirement("E17")
def test_a_question_with_nobody_to_ask_exits_with_3_and_says_how_to_answer(tmp_path: Path) -> None:
    done = call("run", asking(tmp_path), "--json")
    run = done.json["run"]
    assert (done.code, done.json["state"]) == (3, "waiting")
    assert done.json["questions"][0]["choices"] == ["keep", "drop"]
    assert f"callsheet answer {run} ok keep|drop" in done.err
    assert f"callsheet resume {run}" in done.err


@pytest.mark.requirement("E17", "E3")
def test_an_answer_for_a_run_that_nobody_drives_takes_effect_with_resume(tmp_path: Path) -> None:
    run = call("run", asking(tmp_path), "--json").json["run"]
    answered = call("answer", run, "ok", "keep", "--json")
    assert (answered.code, answered.json["served"]) == (0, False)
    resumed = call("resume", run, "--json")
    assert (resumed.code, resumed.json["output"]) == (0, "keep")


@pytest.mark.requirement("approval:answered-once")
def test_a_recorded_answer_cannot_be_given_twice_nor_be_a_wrong_one(tmp_path: Path) -> None:
    run = call("run", asking(tmp_path), "--json").json["run"]
    wrong = call("answer", run, "ok", "perhaps", "--json")
    assert (wrong.code, wrong.json["error"]["code"]) == (2, "request_refused")
    assert "keep, drop" in wrong.json["error"]["message"]
    assert call("answer", run, "ok", "drop").code == 0
    again = call("answer", run, "ok", "keep", "--json")
    assert (again.code, again.json["error"]["code"]) == (2, "request_refused")
    assert call("resume", run, "--json").json["output"] == "drop"


@pytest.mark.requirement("E17")
def test_yes_approves_approvals(tmp_path: Path) -> None:
    plan = approving(tmp_path)
    assert call("run", plan, "--tools", TOOLS, "--json").code == 3
    assert effects(tmp_path) == []
    done = call("run", plan, "--tools", TOOLS, "--json", "--yes")
    assert (done.code, effects(tmp_path)) == (0, ["pay"])


@pytest.mark.requirement("E17")
def test_yes_answers_neither_questions_nor_doubts(tmp_path: Path) -> None:
    assert call("run", asking(tmp_path), "--yes", "--json").code == 3
    plan = write_plan(tmp_path / "doubt.json", {"steps": [{"id": "x", "tool": "vanish"}]})
    done = call("run", plan, "--tools", TOOLS, "--yes", "--json")
    assert (done.code, done.json["steps"]["x"]["state"]) == (3, "in_doubt")


@pytest.mark.requirement("E17")
def test_a_denied_approval_fails_its_step(tmp_path: Path) -> None:
    run = call("run", approving(tmp_path), "--tools", TOOLS, "--json").json["run"]
    assert call("answer", run, "pay", "no").code == 0
    done = call("resume", run, "--tools", TOOLS, "--json")
    assert (done.code, done.json["steps"]["pay"]["error"]["class"]) == (1, "denied")


def test_a_doubt_is_answered_with_the_output(tmp_path: Path) -> None:
    plan = write_plan(
        tmp_path / "doubt.json",
        {"steps": [{"id": "x", "tool": "vanish"}], "output": "${steps.x.id}"},
    )
    run = call("run", plan, "--tools", TOOLS, "--json").json["run"]
    assert call("answer", run, "x", "happened", "--returned", "{'id': 7}").code == 2
    assert call("answer", run, "x", "happened", "--returned", '{"id": 7}').code == 0
    done = call("resume", run, "--tools", TOOLS, "--json")
    assert (done.code, done.json["output"]) == (0, 7)


def test_a_recorded_cancel_is_carried_out_by_resume_before_anything_starts(tmp_path: Path) -> None:
    plan = write_plan(
        tmp_path / "plan.json",
        {
            "steps": [
                {"id": "one", "tool": "stamp", "args": {"name": "one"}},
                {"id": "ok", "ask": "Go on?", "needs": ["one"]},
                {"id": "two", "tool": "stamp", "args": {"name": "two"}, "needs": ["ok"]},
            ]
        },
    )
    run = call("run", plan, "--tools", TOOLS, "--json").json["run"]
    assert call("answer", run, "ok", "yes").code == 0
    assert call("cancel", run, "--reason", "not today").code == 0
    done = call("resume", run, "--tools", TOOLS, "--json")
    assert (done.code, done.json["cause"]["kind"]) == (130, "cancel")
    assert effects(tmp_path) == ["one", "unone"]


@pytest.mark.requirement("E18")
def test_the_same_key_is_the_same_run_and_other_content_is_refused(tmp_path: Path) -> None:
    plan = value_plan(tmp_path)
    first = call("run", plan, "--key", "order-17", "--json").json["run"]
    assert call("run", plan, "--key", "order-17", "--json").json["run"] == first
    other = call("run", value_plan(tmp_path, "other"), "--key", "order-17", "--json")
    assert (other.code, other.json["error"]["code"]) == (2, "key_reused")


@pytest.mark.parametrize(
    ("schema", "text", "value"),
    [
        ({"type": "string"}, "17", "17"),
        ({"type": "integer"}, "17", 17),
        ({"type": "boolean"}, "true", True),
        ({"type": "array"}, "[1, 2]", [1, 2]),
        ({}, "plain", "plain"),
        ({}, "a=b", "a=b"),
        ({}, "NaN", "NaN"),
    ],
)
def test_an_input_is_json_unless_text_is_asked_for(
    tmp_path: Path, schema: dict[str, str], text: str, value: object
) -> None:
    plan = value_plan(tmp_path, "${inputs.x}", inputs={"x": schema})
    assert call("run", plan, "--input", f"x={text}", "--json").json["output"] == value


def test_inputs_come_from_a_file_too_and_the_command_line_wins(tmp_path: Path) -> None:
    plan = value_plan(
        tmp_path, "${inputs.a}-${inputs.b}", inputs={"a": {"type": "string"}, "b": {}}
    )
    (tmp_path / "in.yaml").write_text("a: from file\nb: 1\n")
    done = call("run", plan, "--inputs", tmp_path / "in.yaml", "--input", "b=2", "--json")
    assert done.json["output"] == "from file-2"


@pytest.mark.requirement("E4")
def test_concurrency_of_the_command_line_wins_over_the_plan_s(tmp_path: Path) -> None:
    done = call("run", value_plan(tmp_path), "--concurrency", "1", "--sync", "normal", "--json")
    entries = call("journal", done.json["run"], "--json").json
    assert entries[0]["plan"]["concurrency"] == 1
    assert call("run", value_plan(tmp_path), "--concurrency", "0").code == 2


def test_the_shell_is_offered_only_when_it_is_allowed(tmp_path: Path) -> None:
    step = {"id": "a", "tool": "sh", "args": {"command": "echo hi"}}
    plan = write_plan(tmp_path / "plan.json", {"steps": [step]})
    assert call("check", plan).code == 2
    assert "sh" in [spec["name"] for spec in call("tools", "--allow-shell", "--json").json]


# Undoing, replaying


@pytest.mark.requirement("E9", "undo:to-keeps-what-it-needed")
def test_undo_takes_back_a_run_that_has_ended_and_exits_with_0(tmp_path: Path) -> None:
    run = call("run", stamps(tmp_path), "--tools", TOOLS, "--json").json["run"]
    done = call("undo", run, "--to", "one", "--tools", TOOLS, "--json")
    assert (done.code, done.json["state"]) == (0, "undone")
    assert effects(tmp_path) == ["one", "two", "untwo"]
    again = call("undo", run, "--tools", TOOLS, "--json")
    assert (again.code, again.json["error"]["code"]) == (2, "request_refused")


@pytest.mark.requirement("E9")
def test_a_written_file_is_put_back_from_any_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "letter.txt"
    file.write_text("before")
    step = {"id": "a", "tool": "file.write", "args": {"path": str(file), "text": "after"}}
    plan = write_plan(tmp_path / "plan.json", {"steps": [step]})
    run = call("run", plan, "--json").json["run"]
    assert file.read_text() == "after"
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert call("undo", run).code == 0
    assert file.read_text() == "before"
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_undo_has_the_tools_that_the_run_was_started_with(tmp_path: Path) -> None:
    run = call("run", stamps(tmp_path), "--tools", TOOLS, "--json").json["run"]
    done = call("undo", run, "--json")
    assert (done.code, done.json["state"]) == (0, "undone")


@pytest.mark.requirement("E9")
def test_undo_needs_the_tools_and_says_so(tmp_path: Path) -> None:
    run = call("run", stamps(tmp_path), "--tools", TOOLS, "--json").json["run"]
    # Of a home that nobody has made here, nothing is loaded because it is named there.
    (tmp_path / "home" / "home.id").unlink()
    done = call("undo", run, "--json")
    assert (done.code, done.json["error"]["code"]) == (2, "missing_tools")
    assert "--tools" in done.json["error"]["message"]


@pytest.mark.requirement("E12", "replay:needs-no-tools")
def test_replay_is_identical_and_needs_no_tools(tmp_path: Path) -> None:
    run = call("run", failing(tmp_path), "--tools", TOOLS, "--json").json["run"]
    done = call("replay", run, "--json")
    assert (done.code, done.json["same"], done.json["difference"]) == (0, True, None)
    assert "identical" in call("replay", run).out


@pytest.mark.requirement("E12", "replay:first-difference-shown")
def test_replay_of_a_tampered_journal_exits_with_1_and_shows_the_difference(tmp_path: Path) -> None:
    run = call("run", stamps(tmp_path), "--tools", TOOLS, "--json").json["run"]
    swap_attempts(tmp_path / "home" / "callsheet.db")
    done = call("replay", run)
    assert done.code == 1
    assert "different" in done.out
    assert "+++ decided" in done.out
    assert call("replay", run, "--json").json["difference"]["seq"] == 2


def swap_attempts(database: Path) -> None:
    """Make step `two` start first, which it may not."""
    db = sqlite3.connect(database)
    with db:
        db.execute(
            "UPDATE journal SET body = replace(body, ?, ?) WHERE seq = 2",
            ('"step":"one"', '"step":"two"'),
        )
    db.close()


# Looking


def test_runs_are_listed_newest_first(tmp_path: Path) -> None:
    first = call("run", value_plan(tmp_path), "--json").json["run"]
    second = call("run", asking(tmp_path), "--json").json["run"]
    listed = call("runs", "--json").json
    assert [run["run"] for run in listed] == [second, first]
    assert [run["state"] for run in listed] == ["waiting", "succeeded"]
    assert [run["interrupted"] for run in listed] == [True, False]
    assert call("runs", "--limit", "1", "--json").json == listed[:1]
    assert first in call("runs").out


@pytest.mark.requirement("cli:ids")
def test_a_run_may_be_named_by_how_its_id_begins_or_as_the_last(tmp_path: Path) -> None:
    home = tmp_path / "home"
    plan = a_text(
        tmp_path / "plan.yaml", "callsheet: 1\nsteps: [{id: a, tool: value, args: {value: 1}}]"
    )
    first, second = (call("run", plan, "--home", home, "--json").json["run"] for _ in range(2))
    for name in (second, second[:-3], "last"):
        assert call("show", name, "--home", home, "--json").json["run"] == second
        assert call("replay", name, "--home", home).code == 0
        assert call("journal", name, "--home", home, "--json").json[0]["run"] == second
    several = call("show", "r", "--home", home)
    assert several.code == 2
    assert "More than one run begins with 'r'" in several.err
    assert first in several.err
    nobody = call("cancel", "nobody", "--home", home)
    assert "There is no run 'nobody'" in nobody.err
    refused = call("cancel", first[:-2], "--home", home, "--json")
    assert first in refused.out, "what is said names the run in full"


SUBPLAN = """
callsheet: 1
name: outer
steps:
  - id: many
    for_each: [1, 2, 3]
    plan: {name: inner, steps: [{id: a, tool: value, args: {value: 1}}]}
"""


@pytest.mark.requirement("cli:ids")
def test_runs_are_those_that_somebody_started_unless_children_are_asked_for(tmp_path: Path) -> None:
    home = tmp_path / "home"
    outer = call(
        "run", a_text(tmp_path / "o.yaml", SUBPLAN), "--home", home, "--key", "k", "--json"
    )
    own = outer.json["run"]
    listed = call("runs", "--home", home, "--json").json
    assert [each["run"] for each in listed] == [own]
    family = call("runs", "--children", "--home", home, "--json").json
    assert sorted(each["plan"] for each in family) == ["inner", "inner", "inner", "outer"]
    assert {each.get("parent") for each in family} == {None, own}
    assert call("show", own[:12], "--home", home, "--json").json["run"] == own, "the one on top"
    for asked, many in {
        ("--state", "succeeded"): 1,
        ("--state", "failed"): 0,
        ("--state", "open"): 0,
        ("--plan", "outer"): 1,
        ("--plan", "inner"): 0,
        ("--key", "k"): 1,
        ("--key", "j"): 0,
        ("--tenant", "default"): 1,
        ("--tenant", "somebody"): 0,
        ("--since", "1h"): 1,
        ("--since", "2199-01-01"): 0,
    }.items():
        assert len(call("runs", *asked, "--home", home, "--json").json) == many, asked
    assert "is not an age" in call("runs", "--since", "soon", "--home", home).err


@pytest.mark.requirement("cli:ids")
@pytest.mark.parametrize("width", [80, 120])
def test_an_id_is_never_cut_in_the_list(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    home = tmp_path / "home"
    text = SUBPLAN.replace("outer", "a-plan-with-a-name-that-is-as-long-as-names-come")
    plan = a_text(tmp_path / "o.yaml", text)
    own = call("run", plan, "--home", home, "--key", "a-rather-long-key", "--json").json["run"]
    monkeypatch.setenv("COLUMNS", str(width))
    for more in ((), ("--children",)):
        shown = call("runs", *more, "--home", home).out.splitlines()
        assert all(len(line) <= width for line in shown)
        assert any(line.startswith(f"{own} ") and "✓ succeeded" in line for line in shown)


@pytest.mark.requirement("cli:interrupted")
def test_a_run_that_nobody_drives_is_interrupted_everywhere_and_does_not_age(
    tmp_path: Path,
) -> None:
    home = tmp_path / "home"
    crash = {"CALLSHEET_CRASH_AT": "call.before:1"}
    plan = value_plan(tmp_path)
    words = [sys.executable, "-m", "callsheet", "run", str(plan), "--home", str(home)]
    died = subprocess.run(words, env={**os.environ, **crash}, check=False, timeout=180)
    assert died.returncode != 0
    first = call("show", "last", "--home", home, "--json").json
    assert (first["state"], first["interrupted"]) == ("running", True)
    assert first["seconds"] == call("show", "last", "--home", home, "--json").json["seconds"]
    shown = call("show", "last", "--home", home)
    assert "interrupted" in shown.out.splitlines()[0]
    assert "callsheet resume" in shown.err
    assert "interrupted" in call("runs", "--home", home).out
    assert len(call("runs", "--state", "interrupted", "--home", home, "--json").json) == 1
    assert call("runs", "--state", "waiting", "--home", home, "--json").json == []


def test_a_home_that_is_not_there_yet_has_no_runs(tmp_path: Path) -> None:
    assert call("runs", "--home", tmp_path / "none", "--json").json == []
    assert "no runs" in call("runs", "--home", tmp_path / "none").err
    assert not (tmp_path / "none").exists()


FAILING = """
from callsheet import tool

@tool(effect="read")
async def find(name: str) -> str:
    return {}[name]  # not there
"""


@pytest.mark.requirement("cli:ids", "tool:traceback")
def test_a_step_is_shown_with_its_attempts_and_where_it_failed(tmp_path: Path) -> None:
    home = tmp_path / "home"
    tools = a_text(tmp_path / "failing.py", FAILING)
    text = """
callsheet: 1
name: outer
on_failure: stop
steps:
  - id: inside
    plan: {name: inner, steps: [{id: a, tool: find, args: {name: Oslo}}]}
"""
    plan = a_text(tmp_path / "plan.yaml", text)
    assert call("run", plan, "--tools", tools, "--home", home).code == 1
    shown = call("show", "last", "inside/a", "--home", home).out
    for part in ("tool     find", '{"name": "Oslo"}', "1  failed", "KeyError", "# not there"):
        assert part in shown
    told = call("show", "last", "inside/a", "--home", home, "--json").json
    assert told["args"] == {"name": "Oslo"}
    assert "# not there" in told["attempts"][0]["error"]["traceback"]
    wrong = call("show", "last", "insid", "--home", home)
    assert (wrong.code, "Did you mean 'inside'?" in wrong.err) == (2, True)


def test_show_tells_a_run_as_it_stands(tmp_path: Path) -> None:
    run = call("run", asking(tmp_path), "--json").json["run"]
    shown = call("show", run)
    assert "Keep it?" in shown.out
    assert f"callsheet answer {run} ok" in shown.err
    assert call("show", run, "--json").json["state"] == "waiting"


def test_the_journal_is_printed_as_it_is_written(tmp_path: Path) -> None:
    run = call("run", value_plan(tmp_path), "--json").json["run"]
    entries = call("journal", run, "--json").json
    assert [entry["seq"] for entry in entries] == [1, 2, 3, 4]
    kinds = ["RunStarted", "AttemptStarted", "AttemptEnded", "RunEnded"]
    assert [entry["kind"] for entry in entries] == kinds
    assert call("journal", run, "--after", "3", "--json").json == entries[3:]
    assert "AttemptEnded" in call("journal", run).out


def test_watching_a_run_that_has_ended_tells_all_of_it(tmp_path: Path) -> None:
    run = call("run", value_plan(tmp_path), "--json").json["run"]
    done = call("watch", run, "--json")
    lines = [json.loads(line) for line in done.out.splitlines()]
    assert done.code == 0
    assert [line["seq"] for line in lines[:-1]] == [1, 2, 3, 4]
    assert lines[-1]["state"] == "succeeded"


def test_watching_a_run_that_nobody_drives_ends_and_says_how_to_go_on(tmp_path: Path) -> None:
    run = call("run", asking(tmp_path), "--json").json["run"]
    done = call("watch", run)
    assert done.code == 3
    assert f"callsheet resume {run}" in done.err


# Plans, tools, keeping


@pytest.mark.requirement("E1")
def test_plans_are_saved_listed_shown_run_and_deleted_by_name(tmp_path: Path) -> None:
    assert (
        call("plan", "save", value_plan(tmp_path, name="greeting"), "--json").json["version"] == 1
    )
    changed = value_plan(tmp_path, "bye", name="greeting")
    assert call("plan", "save", changed, "--json").json["version"] == 2
    assert [plan["name"] for plan in call("plan", "list", "--json").json] == ["greeting"]
    assert call("plan", "show", "greeting", "--json").json["versions"] == [1, 2]
    assert "hello" in call("plan", "show", "greeting", "--version", "1").out
    assert call("run", "greeting", "--json").json["output"] == "bye"
    assert call("plan", "delete", "greeting").code == 0
    gone = call("run", "greeting", "--json")
    assert (gone.code, "greeting" in gone.json["error"]["message"]) == (2, True)


@pytest.mark.requirement("E1")
def test_a_plan_that_an_open_run_needs_is_not_deleted(tmp_path: Path) -> None:
    call("plan", "save", asking(tmp_path))
    assert call("run", "asking", "--json").code == 3
    refused = call("plan", "delete", "asking", "--json")
    assert (refused.code, refused.json["error"]["code"]) == (2, "request_refused")


def test_a_shown_plan_is_read_back_as_the_same_plan(tmp_path: Path) -> None:
    saved = call("plan", "save", EXAMPLES / "trip.yaml", "--json").json
    (tmp_path / "again.yaml").write_text(call("plan", "show", "trip").out)
    assert call("plan", "save", tmp_path / "again.yaml", "--json").json["digest"] == saved["digest"]


def test_tools_are_listed_with_what_they_do() -> None:
    listed = {spec["name"]: spec for spec in call("tools", "--tools", TOOLS, "--json").json}
    assert {"wait", "file.write", "stamp"} <= set(listed)
    assert (listed["stamp"]["effect"], listed["stamp"]["undo"]) == ("write", "unstamp")
    assert listed["gate"]["effect"] == "read"
    assert "stamp" in call("tools", "--tools", TOOLS).out


def test_gc_deletes_what_ended_long_ago_and_nothing_else(tmp_path: Path) -> None:
    ended = call("run", value_plan(tmp_path), "--json").json["run"]
    waiting = call("run", asking(tmp_path), "--json").json["run"]
    nothing = {"artifacts": [], "bytes": 0}
    assert call("gc", "--json").json == {"deleted": [], "dry_run": False, **nothing}
    would = call("gc", "--older-than", "0s", "--dry-run", "--json").json
    assert would == {"deleted": [ended], "dry_run": True, **nothing}
    assert call("gc", "--older-than", "0s").code == 0
    assert [run["run"] for run in call("runs", "--json").json] == [waiting]
    assert call("gc", "--older-than", "soon").code == 2


def test_a_backup_opens_as_a_home(tmp_path: Path) -> None:
    run = call("run", value_plan(tmp_path), "--json").json["run"]
    assert call("backup", tmp_path / "copy").code == 0
    assert call("show", run, "--home", tmp_path / "copy", "--json").json["output"] == "hello"
    assert call("backup", tmp_path / "copy").code == 2


@pytest.mark.requirement("E2")
def test_check_says_whether_a_plan_is_one(tmp_path: Path) -> None:
    good = call("check", failing(tmp_path), "--tools", TOOLS, "--json")
    assert (good.code, good.json["ok"], good.json["steps"]) == (0, True, 3)
    assert "is a plan: 3 steps" in call("check", failing(tmp_path), "--tools", TOOLS).out


def test_the_examples_check() -> None:
    for plan in EXAMPLES.glob("*.yaml"):
        done = call("check", plan, "--tools", EXAMPLES / "trip_tools.py", "--json")
        assert (done.code, done.json["problems"]) == (0, []), plan


# The command line itself


def test_the_version_and_the_help_are_there() -> None:
    assert call("--version").out.startswith("callsheet ")
    helped = call("--help")
    assert helped.code == 0
    for name in ("check", "run", "resume", "undo", "answer", "replay", "plan", "gc", "130"):
        assert name in helped.out
    assert "--older-than" in call("gc", "--help").out


def test_the_home_is_dot_callsheet_unless_said_otherwise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CALLSHEET_HOME")
    assert call("run", value_plan(tmp_path)).code == 0
    assert (tmp_path / ".callsheet" / "callsheet.db").exists()
    elsewhere = call("runs", "--home", tmp_path / "elsewhere", "--json")
    assert (elsewhere.code, elsewhere.json) == (0, [])
    assert not (tmp_path / "elsewhere").exists()
