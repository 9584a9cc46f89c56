"""What a door offers is recorded with open runs that come in by it, and holds for what is added."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from callsheet import Context, Engine, tool
from callsheet.errors import PlanError

if TYPE_CHECKING:
    from pathlib import Path

    from callsheet import Run

pytestmark = pytest.mark.requirement("E19", "S3")

HELLO: dict[str, Any] = {
    "name": "hello",
    "on_failure": "continue",
    "steps": [{"id": "a", "tool": "value", "args": {"value": 1}}],
}
READS: dict[str, Any] = {"id": "r", "tool": "file.read", "args": {"path": "word"}}
NAMES: dict[str, Any] = {"id": "s", "tool": "echo", "args": {"text": "${secrets.TOKEN}"}}
OFFERED = ("value", "echo", "grow", "file.read")


@tool(effect="read")
async def echo(text: str) -> str:
    """Say it again."""
    return text


@tool(effect="write", idempotent=True)
async def grow(ctx: Context, step: dict[str, Any]) -> None:
    """Add a step from inside."""
    await ctx.add([step])


@tool(effect="read")
async def reach() -> str:
    """What another process has, and no door has offered."""
    return "reached"


async def left_open(home: Path, plan: dict[str, Any] = HELLO, **options: Any) -> str:
    """An open run that came in by a door and whose process is gone."""
    options.setdefault("files", home.parent)
    async with Engine.open(home, [echo, grow], **options) as engine:
        run = await engine.tenant("default", tools=OFFERED, secrets=()).start(plan, open=True)
        await until_waiting(run)
        return run.id


async def until_waiting(run: Run) -> None:
    async for seen in run.watch(0.01):
        if seen.state == "waiting":
            return


async def ended(run: Run) -> dict[str, Any]:
    await run.seal()
    return {key: step.state for key, step in (await run.wait()).steps.items()}


async def test_it_is_recorded_with_open_runs_that_come_in_by_a_door(tmp_path: Path) -> None:
    name = await left_open(tmp_path / "home")
    async with Engine.open(
        tmp_path / "home", [echo, grow], files=tmp_path, recover=False
    ) as engine:
        told = await (await engine.get(name)).provisions()
        assert told is not None
        assert told.offered is not None
        assert set(told.offered.tools) == set(OFFERED)
        assert told.offered.secrets == ()
        assert told.files == str(tmp_path)
        mine = await engine.start(HELLO, open=True)
        theirs = await engine.tenant("default", tools=OFFERED).start(HELLO)
        for run in (mine, theirs):  # at home, or nothing can be added
            told = await run.provisions()
            assert told is not None
            assert told.offered is None
        await mine.cancel()


async def test_what_is_added_gets_at_nothing_that_a_wider_process_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CALLSHEET_SECRET_TOKEN", "hush")
    name = await left_open(tmp_path / "home")
    wide: dict[str, Any] = {"allow_shell": True, "files": tmp_path}
    async with Engine.open(tmp_path / "home", [echo, grow, reach], **wide) as engine:
        run = await engine.get(name)
        assert await run.missing() == []
        assert run.is_driven_here
        wider: tuple[Any, ...] = (
            {"id": "x", "tool": "reach"},
            {"id": "x", "tool": "sh", "args": {"argv": ["id"]}},
            {"id": "x", "plan": {"name": "y", "steps": [{"id": "z", "tool": "reach"}]}},
        )
        for step in wider:
            with pytest.raises(PlanError, match="there is no tool"):
                await run.add([step], by="somebody")
        inner: Any = {"name": "y", "steps": [{**NAMES, "id": "z"}]}
        inside: Any = {"id": "g", "tool": "grow", "args": {"step": {"id": "x", "tool": "reach"}}}
        await run.add([NAMES, {"id": "p", "plan": inner}, inside], by="somebody")
        await until_waiting(run)
        states = await ended(run)
        assert states["s"] == states["p"] == states["x"] == "failed"
        errors = {key: step.error for key, step in (await run.status()).steps.items()}
        assert "does not offer it" in str(errors["s"])
        # What comes in by no door is the process's own.
        own = await engine.run({"steps": [{"id": "x", "tool": "reach"}, {**NAMES}]})
        assert own.state == "succeeded"


async def test_another_directory_is_neither_taken_over_by_itself_nor_reached(
    tmp_path: Path,
) -> None:
    name = await left_open(tmp_path / "home")
    other = tmp_path / "other"
    other.mkdir()
    (other / "word").write_text("not for them", "utf-8")
    async with Engine.open(tmp_path / "home", [echo, grow], files=other) as engine:
        run = await engine.get(name)
        assert [each.partition(" (")[0] for each in await run.missing()] == [f"files in {tmp_path}"]
        await engine.resume(name)  # somebody says so
        with pytest.raises(PlanError, match=r"there is no tool 'file\.read'"):
            await run.add([READS], by="somebody")
        assert await ended(run) == {"a": "succeeded"}


async def test_private_addresses_are_not_reached_because_a_wider_process_drives(
    tmp_path: Path,
) -> None:
    async with Engine.open(tmp_path / "home") as engine:
        door = engine.tenant("default", tools=("value", "http.get"))
        run = await door.start(HELLO, open=True)
    name = run.id
    async with Engine.open(tmp_path / "home", allow_private=True) as engine:
        run = await engine.get(name)
        assert "private addresses" in str(await run.missing())
        await engine.resume(name)
        step: Any = {"id": "h", "tool": "http.get", "args": {"url": "http://127.0.0.1:1/"}}
        with pytest.raises(PlanError, match=r"there is no tool 'http\.get'"):
            await run.add([step], by="somebody")
        assert await ended(run) == {"a": "succeeded"}
