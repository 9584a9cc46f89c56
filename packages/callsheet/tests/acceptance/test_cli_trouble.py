"""What people run into with the command line when things go wrong."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from tests.acceptance.command import TOOLS, Process, call, effects, run, until, write_plan

from callsheet import Engine, Plan, RunState, Step

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.requirement("E10", "E9")
def test_a_doubt_of_a_stuck_run_is_answered_and_then_undone(tmp_path: Path) -> None:
    taken_back = {"tool": "unstamp", "args": {"args": {"name": "${output}"}}}
    step = {"id": "a", "tool": "blurt", "args": {"name": "letter"}, "undo": taken_back}
    plan = write_plan(tmp_path / "plan.json", {"steps": [step]})
    home = ("--home", tmp_path / "home")

    asked = run("run", plan, "--tools", TOOLS, "--json", *home, directory=tmp_path)
    name = asked.json["run"]
    assert (asked.code, asked.json["state"]) == (3, "waiting")

    assert run("cancel", name, *home, directory=tmp_path).code == 0
    stuck = run("resume", name, "--tools", TOOLS, "--json", *home, directory=tmp_path)
    assert (stuck.code, stuck.json["state"]) == (1, "stuck")

    answered = run("answer", name, "a", "happened", "--returned", '"x"', *home, directory=tmp_path)
    assert f"callsheet undo {name}" in answered.out

    undone = run("undo", name, "--tools", TOOLS, "--json", *home, directory=tmp_path)
    assert (undone.code, undone.json["state"]) == (0, "undone")
    assert effects(tmp_path) == ["letter", "unx"]


@pytest.mark.requirement("S5")
def test_a_reader_that_goes_away_does_not_stop_the_run(tmp_path: Path) -> None:
    steps = [
        {"id": "wait", "tool": "gate", "args": {"name": "gate"}},
        {"id": "last", "tool": "stamp", "args": {"name": "done"}, "needs": ["wait"]},
    ]
    plan = write_plan(tmp_path / "plan.json", {"steps": steps})
    home = ("--home", tmp_path / "home")
    with Process("run", plan, "--tools", TOOLS, *home, directory=tmp_path) as process:
        until((tmp_path / "gate.begun").exists, "the first step")
        assert process.popen.stdout is not None
        process.popen.stdout.close()
        (tmp_path / "gate.open").touch()
        assert process.popen.stderr is not None
        said = process.popen.stderr.read().decode()
        assert process.popen.wait(30) == 0
    assert "Traceback" not in said
    assert effects(tmp_path) == ["done"]


@pytest.mark.requirement("E17", "approval:bound-to-arguments")
def test_whoever_approves_sees_what_is_approved(tmp_path: Path) -> None:
    args = {"path": str(tmp_path / "letter.txt"), "text": "Dear Ada"}
    step = {"id": "a", "tool": "file.write", "args": args, "approval": "required"}
    plan = write_plan(tmp_path / "plan.json", {"steps": [step]})
    waiting = call("run", plan, "--json", "--home", tmp_path / "home")
    (question,) = waiting.json["questions"]
    assert "Dear Ada" in question["text"]
    assert question["args"] == args


WRITE = Step(id="a", tool="file.write", args={"path": "${inputs.path}", "text": "new"})
LETTER = Plan(name="letter", inputs={"path": {"type": "string"}}, steps=(WRITE,))


@pytest.mark.requirement("E9", "S7")
async def test_a_restored_backup_can_take_back_what_the_home_could(tmp_path: Path) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("old", "utf-8")
    async with Engine.open(tmp_path / "home", files=tmp_path) as engine:
        first = await engine.start(LETTER, {"path": str(letter)})
        assert (await first.wait()).state is RunState.SUCCEEDED
        await engine.backup(tmp_path / "copy")
    async with Engine.open(tmp_path / "copy") as engine:
        again = await engine.get(first.id)
        await again.undo()
        assert (await again.wait()).state is RunState.UNDONE
    assert letter.read_text("utf-8") == "old"


async def test_a_deleted_run_leaves_nothing_of_its_undo_behind(tmp_path: Path) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("old", "utf-8")
    async with Engine.open(tmp_path / "home", files=tmp_path) as engine:
        done = await engine.start(LETTER, {"path": str(letter)})
        await done.wait()
        assert list((tmp_path / "home" / "undo").iterdir())
        assert [head.run for head in await engine.prune(timedelta(seconds=-1))] == [done.id]
        assert not list((tmp_path / "home" / "undo").iterdir())
