"""The command as a process: Ctrl-C, kill -9 and resume, a second terminal, a person at one."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from tests.acceptance.command import (
    SECONDS,
    TOOLS,
    Done,
    Process,
    Terminal,
    call,
    command,
    effects,
    environment,
    run,
    until,
    write_plan,
)

from callsheet import Engine

if TYPE_CHECKING:
    from pathlib import Path

# Every one of them starts real processes.
pytestmark = [pytest.mark.slow, pytest.mark.requirement("S5")]


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """This process is the second terminal: it stands where the first one does."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CLI_TEST_DIR", str(tmp_path))
    monkeypatch.delenv("CALLSHEET_HOME", raising=False)


def stamp(name: str, **more: Any) -> dict[str, Any]:
    return {"id": name, "tool": "stamp", "args": {"name": name}, **more}


def gate(name: str, tool: str = "gate", **more: Any) -> dict[str, Any]:
    return {"id": name, "tool": tool, "args": {"name": name}, **more}


def gated(tmp_path: Path, tool: str = "gate") -> Path:
    """A plan that has an effect, waits for the test, and has another."""
    steps = [stamp("one"), gate("door", tool, needs=["one"]), stamp("two", needs=["door"])]
    return write_plan(tmp_path / "gated.json", {"name": "gated", "steps": steps})


def started(process_words: tuple[object, ...], tmp_path: Path) -> Process:
    """A process that drives a run, which stands at the door."""
    process = Process(*process_words, directory=tmp_path)
    until(
        lambda: (tmp_path / "door.begun").exists() or process.popen.poll() is not None,
        "the step `door` to begin",
    )
    assert process.popen.poll() is None, process.end()
    return process


def only_run() -> dict[str, Any]:
    listed: list[dict[str, Any]] = call("runs", "--json").json
    assert len(listed) == 1
    return listed[0]


def open_door(tmp_path: Path) -> None:
    (tmp_path / "door.open").touch()


# Stdout


def test_with_json_stdout_is_json_whatever_tools_print(tmp_path: Path) -> None:
    steps = [{"id": "a", "tool": "chatter"}, {"id": "b", "tool": "chatty"}]
    plan = write_plan(tmp_path / "plan.json", {"steps": steps})
    done = run("run", plan, "--tools", TOOLS, "--json", directory=tmp_path)
    assert done.code == 0
    assert done.json["steps"]["b"]["output"] == "said"
    for line in ("while the tools are loaded", "by a tool", "by a worker process"):
        assert line in done.err
    assert run("tools", "--tools", TOOLS, "--json", directory=tmp_path).json


# Ctrl-C


@pytest.mark.requirement("E9", "cancel:every-attempt-gets-a-final-record")
def test_ctrl_c_cancels_and_undoes_and_exits_with_130(tmp_path: Path) -> None:
    with started(("run", gated(tmp_path), "--tools", TOOLS), tmp_path) as process:
        process.signal(signal.SIGINT)
        done = process.end()
    assert done.code == 130
    assert "Cancelling" in done.out
    assert effects(tmp_path) == ["one", "unone"]
    shown = only_run()
    assert (shown["state"], shown["interrupted"]) == ("undone", False)


@pytest.mark.requirement("E11", "durability:finished-never-runs-again")
def test_a_second_ctrl_c_leaves_the_run_to_be_resumed(tmp_path: Path) -> None:
    plan = gated(tmp_path, "deaf")
    with started(("run", plan, "--tools", TOOLS, "--json"), tmp_path) as process:
        process.signal(signal.SIGINT)
        until((tmp_path / "door.told").exists, "the tool to be told")
        process.signal(signal.SIGINT)
        until(lambda: "kept as it is" in _so_far(process), "the run to be left")
        process.signal(signal.SIGINT)  # the tool does not listen; a third one waits for nobody
        done = process.end()
    assert done.code == 130
    interrupted = only_run()
    assert (interrupted["interrupted"], effects(tmp_path)) == (True, ["one"])
    resumed = call("resume", interrupted["run"], "--tools", TOOLS, "--json")
    assert (resumed.code, resumed.json["cause"]["kind"]) == (130, "cancel")
    assert effects(tmp_path) == ["one", "unone"]


def _so_far(process: Process) -> str:
    """What a process has said on stderr up to now."""
    assert process.popen.stderr is not None
    os.set_blocking(process.popen.stderr.fileno(), False)
    process.heard += (process.popen.stderr.read() or b"").decode()
    return process.heard


HAUNTED = """
import asyncio, typer
from callsheet.cli.output import Output

async def deaf():
    while True:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            pass

async def main():
    asyncio.get_running_loop().create_task(deaf())
    await asyncio.sleep(0)

with Output(as_json=True) as out:
    out.run(main())
    out.data({"said": "all"})
    raise typer.Exit(7)
"""


def test_a_tool_that_never_stops_does_not_hold_up_the_end(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", HAUNTED], capture_output=True, timeout=SECONDS, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (7, b'{"said": "all"}\n', b"")


# kill -9


@pytest.mark.requirement("E11", "E12", "durability:finished-never-runs-again")
def test_a_killed_run_is_resumed_and_each_effect_happens_once(tmp_path: Path) -> None:
    with started(("run", gated(tmp_path), "--tools", TOOLS), tmp_path) as process:
        process.popen.kill()
        process.end()
    killed = only_run()["run"]
    open_door(tmp_path)
    resumed = call("resume", killed, "--json")
    assert (resumed.code, resumed.json["state"]) == (0, "succeeded")
    assert resumed.json["steps"]["door"]["attempts"] == 2
    assert effects(tmp_path) == ["one", "two"]
    assert call("replay", killed).code == 0


@pytest.mark.requirement("E11")
def test_a_disk_that_is_full_is_waited_for_and_the_run_goes_on_afterwards(tmp_path: Path) -> None:
    step = {"id": "s", "tool": "value", "args": {"value": "${item}" + "x" * 20_000}}
    plan = write_plan(
        tmp_path / "plan.json",
        {"steps": [{**step, "for_each": list(range(100))}], "concurrency": 1},
    )
    limited = ["sh", "-c", 'ulimit -f 1500; exec "$@"', "sh", *command("run", plan, "--json")]
    with subprocess.Popen(
        limited, cwd=tmp_path, env=environment(tmp_path), stderr=subprocess.PIPE
    ) as driver:
        assert driver.stderr is not None
        # It says so, and does not give up.
        assert any(b"store.away" in line for line in driver.stderr)
        stuck = only_run()
        assert (stuck["state"], stuck["interrupted"]) == ("running", False)
        driver.kill()
    resumed = call("resume", stuck["run"], "--json")
    assert (resumed.code, len(resumed.json["steps"])) == (0, 101)
    assert call("replay", stuck["run"]).code == 0


def test_ctrl_c_stops_watching_only(tmp_path: Path) -> None:
    with started(("run", gated(tmp_path), "--tools", TOOLS, "--json"), tmp_path) as driver:
        with Process("watch", only_run()["run"], "--json", directory=tmp_path) as watcher:
            assert watcher.popen.stdout is not None
            assert b"RunStarted" in watcher.popen.stdout.readline()
            watcher.signal(signal.SIGINT)
            assert watcher.end().code == 130
        open_door(tmp_path)
        assert driver.end().code == 0


# A second terminal


@pytest.mark.requirement("processes:second-terminal", "E3", "pause:nothing-starts")
def test_a_run_is_paused_watched_and_resumed_from_a_second_terminal(tmp_path: Path) -> None:
    with started(("run", gated(tmp_path), "--tools", TOOLS, "--json"), tmp_path) as driver:
        name = only_run()["run"]
        paused = call("pause", name, "--json")
        assert (paused.code, paused.json["served"]) == (0, True)
        open_door(tmp_path)
        until(lambda: _state(name, "door") == "succeeded", "the door to be passed")
        assert call("show", name, "--json").json["paused"]
        assert effects(tmp_path) == ["one"]
        with Process("watch", name, "--json", directory=tmp_path) as watcher:
            resumed = call("resume", name, "--json")
            watched = watcher.end()
        done = driver.end()
    assert (done.code, resumed.code, watched.code) == (0, 0, 0)
    assert resumed.json["state"] == "succeeded"
    lines = [json.loads(line) for line in watched.out.splitlines()]
    assert [line["seq"] for line in lines[:-1]] == list(range(1, len(lines)))
    assert lines[-1]["run"] == name
    assert effects(tmp_path) == ["one", "two"]


def _state(name: str, step: str) -> str:
    shown = call("show", name, "--json")
    return str(shown.json["steps"][step]["state"])


@pytest.mark.requirement("processes:second-terminal")
def test_a_run_is_cancelled_from_a_second_terminal(tmp_path: Path) -> None:
    with started(("run", gated(tmp_path), "--tools", TOOLS, "--json"), tmp_path) as driver:
        name = only_run()["run"]
        cancelled = call("cancel", name, "--reason", "enough")
        done = driver.end()
    assert (cancelled.code, done.code) == (0, 130)
    assert done.json["cause"]["message"] == "enough"
    assert effects(tmp_path) == ["one", "unone"]
    too_late = call("cancel", name, "--json")
    assert (too_late.code, too_late.json["error"]["code"]) == (2, "request_refused")


@pytest.mark.requirement("processes:second-terminal", "E9")
def test_a_run_is_undone_from_a_second_terminal(tmp_path: Path) -> None:
    with started(("run", gated(tmp_path), "--tools", TOOLS, "--json"), tmp_path) as driver:
        name = only_run()["run"]
        undone = call("undo", name, "--json")
        done = driver.end()
    assert (undone.code, undone.json["state"]) == (0, "undone")
    assert (done.code, done.json["cause"]["kind"]) == (1, "request")
    assert effects(tmp_path) == ["one", "unone"]


@pytest.mark.requirement("processes:second-terminal", "E17")
def test_a_question_is_answered_from_a_second_terminal(tmp_path: Path) -> None:
    steps = [
        gate("door"),
        {"id": "ok", "ask": "Go on?", "choices": ["yes", "no"]},
        stamp("one", when="${steps.ok == 'yes'}"),
    ]
    plan = write_plan(tmp_path / "plan.json", {"steps": steps})
    with started(("run", plan, "--tools", TOOLS, "--json"), tmp_path) as driver:
        name = only_run()["run"]
        wrong = call("answer", name, "ok", "maybe", "--json")
        assert (wrong.code, wrong.json["error"]["code"]) == (2, "request_refused")
        assert call("answer", name, "ok", "yes").code == 0
        assert call("answer", name, "ok", "no").code == 2
        open_door(tmp_path)
        assert driver.end().code == 0
    assert effects(tmp_path) == ["one"]


@pytest.mark.requirement("E26", "E3")
def test_a_second_run_in_the_same_home_runs_beside_the_first(tmp_path: Path) -> None:
    plan = gated(tmp_path)
    with started(("run", plan, "--tools", TOOLS, "--json"), tmp_path) as driver:
        first = only_run()["run"]
        beside = write_plan(tmp_path / "beside.json", {"steps": [stamp("two")]})
        second = call("run", beside, "--tools", TOOLS, "--json")
        assert (second.code, second.json["state"]) == (0, "succeeded")
        resumed = call("undo", second.json["run"], "--tools", TOOLS, "--json")
        assert (resumed.code, resumed.json["state"]) == (0, "undone")
        assert call("gc").code == 0
        assert call("show", first, "--json").json["state"] == "running"
        open_door(tmp_path)
        assert driver.end().code == 0


# A person at a terminal


def asking(tmp_path: Path) -> Path:
    steps = [
        stamp("one"),
        {"id": "ok", "ask": "Keep it for 7 USD?", "choices": ["keep", "drop"], "needs": ["one"]},
        stamp("pay", approval="required", when="${steps.ok == 'keep'}"),
    ]
    return write_plan(tmp_path / "asking.json", {"steps": steps})


@pytest.mark.requirement("E17")
def test_questions_and_approvals_are_asked_in_the_terminal(tmp_path: Path) -> None:
    words = ("run", asking(tmp_path), "--tools", TOOLS)
    with Terminal(*words, directory=tmp_path) as terminal:
        terminal.see("keep / drop: ")
        terminal.type("perhaps\n")
        terminal.see("takes one of: keep, drop")
        terminal.type("keep\n")
        terminal.see("approve / deny: ")
        terminal.type("y\n")
        assert terminal.end() == 0
    assert "Keep it for 7 USD?" in terminal.screen
    assert "succeeded" in terminal.screen
    assert effects(tmp_path) == ["one", "pay"]


@pytest.mark.requirement("E17")
def test_somebody_who_goes_away_leaves_the_run_waiting(tmp_path: Path) -> None:
    with Terminal("run", asking(tmp_path), "--tools", TOOLS, directory=tmp_path) as terminal:
        terminal.see("keep / drop: ")
        terminal.type("\x04")
        assert terminal.end() == 3
    assert "callsheet answer" in terminal.screen
    assert only_run()["state"] == "waiting"


@pytest.mark.requirement("processes:second-terminal")
def test_a_question_that_is_answered_elsewhere_is_no_longer_asked(tmp_path: Path) -> None:
    with Terminal("run", asking(tmp_path), "--tools", TOOLS, directory=tmp_path) as terminal:
        terminal.see("keep / drop: ")
        name = only_run()["run"]
        assert call("answer", name, "ok", "drop").code == 0
        assert terminal.end() == 0
    assert effects(tmp_path) == ["one"]


IN_THE_BACKGROUND = """
import fcntl, os, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
child = os.fork()
if not child:
    os.setpgid(0, 0)
    os.execv(sys.argv[1], sys.argv[1:])
_, status = os.waitpid(child, os.WUNTRACED)
print("stopped" if os.WIFSTOPPED(status) else "ended", flush=True)
if os.WIFSTOPPED(status):
    os.kill(child, 9)
"""


@pytest.mark.requirement("processes:second-terminal", "E26")
def test_a_command_in_the_background_is_not_stopped_by_its_terminal(tmp_path: Path) -> None:
    # Stopped while it writes, it would keep all others from the home.
    words = ("run", asking(tmp_path), "--tools", TOOLS)
    shell = (sys.executable, "-c", IN_THE_BACKGROUND)
    with Terminal(*words, directory=tmp_path, shell=shell) as terminal:
        terminal.see("keep / drop: ")
        terminal.type("keep\n")  # for the shell, which does not read it
        name = only_run()["run"]
        assert call("answer", name, "ok", "drop").code == 0
        terminal.see("ended")
    assert only_run()["state"] == "succeeded"


def test_ctrl_c_in_a_terminal_cancels_while_somebody_is_asked(tmp_path: Path) -> None:
    with Terminal("run", asking(tmp_path), "--tools", TOOLS, directory=tmp_path) as terminal:
        terminal.see("keep / drop: ")
        os.killpg(terminal.process.pid, signal.SIGINT)
        assert terminal.end() == 130
    assert "Cancelling" in terminal.screen
    assert effects(tmp_path) == ["one", "unone"]


# Resuming


def test_resume_of_a_waiting_run_that_another_process_drives_says_how_to_answer(
    tmp_path: Path,
) -> None:
    ask = {"id": "ok", "ask": "Well?", "choices": ["keep", "drop"]}
    plan = {"callsheet": 1, "steps": [ask]}

    async def beside() -> tuple[str, Done]:
        async with Engine.open(tmp_path / ".callsheet") as engine:
            started = await engine.start(plan)
            words = ("resume", started.id)
            return started.id, await asyncio.to_thread(run, *words, directory=tmp_path)

    name, done = asyncio.run(beside())
    assert done.code == 3
    assert f"callsheet answer {name} ok keep|drop" in done.err


@pytest.mark.parametrize(
    ("tool", "code", "state"), [("stamp", 0, "succeeded"), ("boom", 1, "failed")]
)
def test_resume_of_a_run_that_has_ended_prints_what_came_of_it_and_exits_as_it_did(
    tool: str, code: int, state: str, tmp_path: Path
) -> None:
    args = {"name": "one"} if tool == "stamp" else {}
    steps = [{"id": "one", "tool": tool, "args": args}]
    plan = write_plan(tmp_path / "plan.json", {"steps": steps, "on_failure": "stop"})
    ran = call("run", plan, "--tools", TOOLS, "--json")
    again = call("resume", ran.json["run"], "--json")
    assert (ran.code, again.code, again.json["state"]) == (code, code, state)
    assert again.json["steps"] == ran.json["steps"]
    assert state in call("resume", ran.json["run"]).out
