"""What a run may use is recorded with it: whoever goes on needs not say it again."""

from __future__ import annotations

import asyncio
import hashlib
import shutil
from typing import TYPE_CHECKING

import pytest
from tests.acceptance.command import call

from callsheet import Engine, Plan, Step, tool

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.requirement("E26")

TOOLS = """
from callsheet import tool

@tool("greet", effect="read")
async def greet(name: str) -> str:
    return "hello " + name
"""
PLAN = """
callsheet: 1
steps:
  - {id: who, ask: "Whom?"}
  - {id: a, tool: greet, args: {name: "${steps.who}"}}
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory in which a run waits for an answer that was left for it."""
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    (tmp_path / "work" / "tools.py").write_text(TOOLS)
    (tmp_path / "work" / "plan.yaml").write_text(PLAN)
    call("run", "plan.yaml", "--tools", "tools.py")
    assert call("answer", "last", "who", "Ann").code == 0
    return tmp_path / "work"


async def test_the_record_says_where_tools_came_from(place: Path) -> None:
    async with Engine.open(place / ".callsheet", drive=False) as engine:
        recorded = await (await engine.find("last")).provisions()
        assert recorded is not None
        (source,) = recorded.sources
        assert source.tools == ("greet",)
        assert source.file == str(place / "tools.py")
        assert source.digest == hashlib.sha256(TOOLS.encode()).hexdigest()
        assert source.reference == source.file
        assert (recorded.files, recorded.secrets, recorded.private) == ("", (), ())


@pytest.mark.slow  # commands, one after the other
def test_resume_fork_and_undo_need_no_tools(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    elsewhere = place.parent / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    home = ("--home", place / ".callsheet")
    done = call("resume", "last", *home, "--json")
    assert (done.code, done.json["steps"]["a"]["output"]) == (0, "hello Ann")
    assert call("fork", "last", "a", *home).code == 0
    assert call("undo", "last", *home).code == 0


def test_a_tool_that_was_mended_is_told_and_not_refused(place: Path) -> None:
    (place / "tools.py").write_text(TOOLS.replace("hello", "good day"))
    done = call("resume", "last")
    assert done.code == 0
    assert f"{place / 'tools.py'} has changed since the run was started." in done.err


def test_tools_that_are_given_win(place: Path) -> None:
    (place / "mine.py").write_text(TOOLS.replace("hello", "good day"))
    done = call("resume", "last", "--tools", "mine.py", "--json")
    assert done.json["steps"]["a"]["output"] == "good day Ann"
    assert "has changed" not in done.err


def test_nothing_is_imported_because_a_journal_of_another_home_names_it(place: Path) -> None:
    # As it comes with a repository: the same home, made by nobody here.
    shutil.copytree(place / ".callsheet", place / "theirs")
    done = call("resume", "last", "--home", "theirs")
    assert done.code == 2
    assert f"It was started with --tools {place / 'tools.py'}." in done.err


async def test_tools_handed_over_as_objects_are_named_and_not_loaded(tmp_path: Path) -> None:
    @tool("mine", effect="read")
    async def mine() -> int:
        return 1

    async with Engine.open(tmp_path / "home", [mine]) as engine:
        run = await engine.start(Plan(steps=(Step(id="a", tool="mine"),)))
        await run.wait()
        recorded = await run.provisions()
        assert recorded is not None
        assert [each.tools for each in recorded.sources] == [("mine",)]
        assert recorded.sources[0].reference == ""


async def test_of_files_and_addresses_only_what_a_run_uses_is_recorded(tmp_path: Path) -> None:
    (tmp_path / "f").mkdir()
    reads = Step(id="a", tool="file.read", args={"path": "x"}, on_failure="ignore")
    gets = Step(id="b", tool="http.get", args={"url": "http://localhost:1/"}, on_failure="ignore")
    home = tmp_path / "home"
    async with Engine.open(home, files=tmp_path / "f", allow_private=["10.0.0.0/8"]) as engine:
        for steps, files, private in (
            ((reads,), str(tmp_path / "f"), ()),
            ((gets,), "", ("10.0.0.0/8",)),
        ):
            run = await engine.start(Plan(steps=steps))
            await run.wait()
            recorded = await run.provisions()
            assert recorded is not None
            assert (recorded.files, recorded.private) == (files, private)
            assert recorded.sources == ()


WRITES = Plan(
    steps=(
        Step(id="q", ask="Go on?"),
        Step(id="a", tool="file.write", args={"path": "x", "text": "${steps.q}"}),
    )
)


async def test_a_run_is_not_taken_over_where_its_files_are_elsewhere(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    home = tmp_path / "home"
    async with Engine.open(home, files=tmp_path / "one", drain=0) as engine:
        run = (await engine.start(WRITES)).id
    async with Engine.open(home, files=tmp_path / "two") as engine:
        handle = await engine.get(run)
        assert not await handle.is_driven()
        there, here = tmp_path / "one", tmp_path / "two"
        assert await handle.missing() == [f"files in {there} (here: {here})"]
    async with Engine.open(home, files=tmp_path / "one") as engine:
        handle = await engine.get(run)
        assert await handle.is_driven()
        assert await handle.missing() == []
        await handle.answer("q", "yes")
        assert (await handle.wait()).state == "succeeded"
    assert (tmp_path / "one" / "x").read_text() == "yes"


def test_runs_says_what_an_interrupted_run_misses(place: Path) -> None:
    (run,) = call("runs", "--json").json
    assert "missing" not in run  # `resume` finds it by itself
    assert not call("runs").err
    (place / "tools.py").rename(place / "moved.py")
    told = call("runs").err
    assert f"misses greet ({place / 'tools.py'} is gone)" in told
    assert f"callsheet resume {run['run']}" in told
    (run,) = call("runs", "--json").json
    assert run["missing"] == [f"greet ({place / 'tools.py'} is gone)"]
    assert call("resume", "last", "--tools", "moved.py").code == 0
    assert not call("runs").err


async def test_tools_that_a_program_has_handed_over_are_missed_by_everybody_else(
    tmp_path: Path,
) -> None:
    @tool("greet", effect="read")
    async def greet(name: str) -> str:
        return name

    after = Step(id="g", tool="greet", args={"name": "a"}, needs=("q",))
    async with Engine.open(tmp_path / "home", [greet]) as engine:
        await engine.start(Plan(steps=(Step(id="q", ask="Whom?"), after)))
    told = await asyncio.to_thread(call, "runs", "--home", tmp_path / "home")
    assert "misses greet (handed over by a program" in told.err


GREETING = """
callsheet: 1
name: greeting
steps:
  - {id: a, tool: value, args: {value: WORD}}
output: ${steps.a}
"""


@pytest.mark.requirement("E1")
def test_a_tenants_plans_are_its_own_also_for_commands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    def saved(word: str) -> Path:
        (tmp_path / "greeting.yaml").write_text(GREETING.replace("WORD", word))
        return tmp_path / "greeting.yaml"

    acme = ("--tenant", "acme")
    call("plan", "save", saved("hello"))
    own = saved("bye")
    assert call("plan", "save", own, *acme, "--json").json["version"] == 1
    assert call("run", "greeting", "--json").json["output"] == "hello"
    assert call("run", "greeting", *acme, "--json").json["output"] == "bye"
    assert [run["plan"] for run in call("runs", *acme, "--json").json] == ["greeting"]
    assert "bye" in call("plan", "show", "greeting", *acme).out
    assert call("plan", "delete", "greeting", *acme).code == 0
    assert call("plan", "list", *acme, "--json").json == []
    assert call("run", "greeting", *acme).code == 2
    assert [plan["name"] for plan in call("plan", "list", "--json").json] == ["greeting"]
