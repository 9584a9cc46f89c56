"""What a command does with signals: SIGTERM and SIGHUP drain, and a further one ends it."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.acceptance.command import TOOLS, Process, call, effects, until, write_plan

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

# Every one of them starts real processes.
pytestmark = [pytest.mark.slow, pytest.mark.requirement("S5", "E5")]

each_that_drains = pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])


@pytest.fixture(autouse=True)
def _hears_sighup() -> Iterator[None]:
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)  # the suite itself may run under `nohup`
    yield
    signal.signal(signal.SIGHUP, before)


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CLI_TEST_DIR", str(tmp_path))
    monkeypatch.delenv("CALLSHEET_HOME", raising=False)


def a_plan(tmp_path: Path, door: str, first: str = "stamp") -> Path:
    """A plan that has an effect, waits for the test, and has another."""
    steps = [
        {"id": "one", "tool": first, "args": {"name": "one"}},
        {"id": "door", "tool": door, "args": {"name": "door"}, "needs": ["one"]},
        {"id": "two", "tool": "stamp", "args": {"name": "two"}, "needs": ["door"]},
    ]
    return write_plan(tmp_path / "plan.json", {"name": "gated", "steps": steps})


def started(tmp_path: Path, plan: Path, *options: str) -> Process:
    """A process that drives a run, which stands at the door."""
    process = Process("run", plan, "--tools", TOOLS, *options, directory=tmp_path)
    until(
        lambda: (tmp_path / "door.begun").exists() or process.popen.poll() is not None,
        "the step `door` to begin",
    )
    assert process.popen.poll() is None, process.end()
    return process


def so_far(process: Process) -> str:
    assert process.popen.stderr is not None
    os.set_blocking(process.popen.stderr.fileno(), False)
    process.heard += (process.popen.stderr.read() or b"").decode()
    return process.heard


def drains(process: Process, number: int) -> None:
    """Send a signal, and wait until the process says that it leaves the run."""
    process.popen.send_signal(number)
    until(lambda: "kept as it is" in so_far(process), "the run to be left")


def only_run() -> dict[str, Any]:
    (run,) = call("runs", "--json").json
    found: dict[str, Any] = call("show", run["run"], "--json").json
    return found


def open_door(tmp_path: Path) -> None:
    (tmp_path / "door.open").touch()


@each_that_drains
def test_what_runs_may_finish_and_is_not_done_again(number: int, tmp_path: Path) -> None:
    with started(tmp_path, a_plan(tmp_path, "pay")) as process:
        drains(process, number)
        open_door(tmp_path)
        done = process.end()
    shown = only_run()
    assert (done.code, shown["state"]) == (130, "running")
    said = process.heard + done.err
    assert shown["steps"]["door"]["state"] == "succeeded", "a write, and not in doubt"
    assert f"callsheet resume {shown['run']} --tools {TOOLS}" in said
    assert effects(tmp_path) == ["one", "door"]
    resumed = call("resume", shown["run"], "--tools", TOOLS, "--json")
    assert (resumed.code, resumed.json["state"]) == (0, "succeeded")
    assert effects(tmp_path) == ["one", "door", "two"]


@each_that_drains
def test_a_further_signal_ends_it_at_once(number: int, tmp_path: Path) -> None:
    with started(tmp_path, a_plan(tmp_path, "deaf")) as process:
        drains(process, number)
        process.popen.send_signal(signal.SIGTERM)
        done = process.end()
    assert done.code == 130
    shown = only_run()
    assert shown["steps"]["door"]["state"] == "running", "as after a crash"
    open_door(tmp_path)
    resumed = call("resume", shown["run"], "--tools", TOOLS, "--json")
    assert (resumed.code, resumed.json["steps"]["door"]["attempts"]) == (0, 2)


def test_a_process_that_ignores_sighup_goes_on(tmp_path: Path) -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)  # inherited, as of `nohup`
    try:
        process = started(tmp_path, a_plan(tmp_path, "gate"), "--json")
    finally:
        signal.signal(signal.SIGHUP, before)
    with process:
        process.popen.send_signal(signal.SIGHUP)
        open_door(tmp_path)
        done = process.end()
    assert (done.code, done.json["state"]) == (0, "succeeded")


def kill(process: Process, _: Path) -> None:
    process.popen.kill()


def stop_and_continue(process: Process, tmp_path: Path) -> None:
    process.popen.send_signal(signal.SIGSTOP)
    until(lambda: _state_of(process.popen.pid) == "T", "the process to be stopped")
    open_door(tmp_path)
    process.popen.send_signal(signal.SIGCONT)


def _state_of(pid: int) -> str:
    return Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()[0]


@pytest.mark.requirement("durability:killed-anywhere-ends-the-same")
@pytest.mark.parametrize(("act", "attempts"), [(kill, 2), (stop_and_continue, 1)])
def test_a_process_that_drains_is_killed_or_stopped(
    act: Callable[[Process, Path], None], attempts: int, tmp_path: Path
) -> None:
    with started(tmp_path, a_plan(tmp_path, "gate")) as process:
        drains(process, signal.SIGTERM)
        act(process, tmp_path)
        process.end()
    open_door(tmp_path)
    resumed = call("resume", only_run()["run"], "--tools", TOOLS, "--json")
    assert (resumed.code, resumed.json["state"]) == (0, "succeeded")
    assert resumed.json["steps"]["door"]["attempts"] == attempts
    assert effects(tmp_path) == ["one", "two"]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_process_that_takes_back_is_ended_and_takes_back_once(
    number: int, tmp_path: Path
) -> None:
    plan = a_plan(tmp_path, "boom_at_the_door", "slow_stamp")
    with started(tmp_path, plan) as process:
        open_door(tmp_path)
        until((tmp_path / "slow_undo.begun").exists, "the undo to begin")
        if number == signal.SIGTERM:
            drains(process, number)
            (tmp_path / "slow_undo.open").touch()
        else:
            process.popen.kill()
        process.end()
    (tmp_path / "slow_undo.open").touch()
    shown = only_run()
    code = call("resume", shown["run"], "--tools", TOOLS, "--json").code
    assert (code, only_run()["state"]) == (1, "undone")
    assert effects(tmp_path) == ["one", "unone"]


@each_that_drains
def test_a_process_that_waits_inside_a_sub_plan_is_ended_and_goes_on(
    number: int, tmp_path: Path
) -> None:
    inner = {"steps": [{"id": "door", "tool": "pay", "args": {"name": "door"}}]}
    plan = write_plan(tmp_path / "outer.json", {"steps": [{"id": "sub", "plan": inner}]})
    with started(tmp_path, plan) as process:
        drains(process, number)
        open_door(tmp_path)
        assert process.end().code == 130
    runs = call("runs", "--json").json
    parent = min(runs, key=lambda run: len(run["run"]))
    resumed = call("resume", parent["run"], "--tools", TOOLS, "--json")
    assert (resumed.code, resumed.json["state"]) == (0, "succeeded")
    assert effects(tmp_path) == ["door"]


@each_that_drains
def test_a_process_that_asks_a_person_is_ended_at_once_and_asks_again(
    number: int, tmp_path: Path
) -> None:
    steps = [
        {"id": "ok", "ask": "Well?", "choices": ["keep", "drop"]},
        {"id": "door", "tool": "gate", "args": {"name": "door"}},
    ]
    plan = write_plan(tmp_path / "asking.json", {"steps": steps, "output": "${steps.ok}"})
    with started(tmp_path, plan) as process:
        drains(process, number)
        open_door(tmp_path)
        assert process.end().code == 130
    run = only_run()["run"]
    waiting = call("resume", run, "--tools", TOOLS, "--json")
    assert (waiting.code, waiting.json["state"]) == (3, "waiting")
    assert f"callsheet answer {run} ok keep|drop" in waiting.err
    assert call("answer", run, "ok", "keep").code == 0
    assert call("resume", run, "--tools", TOOLS, "--json").json["output"] == "keep"
