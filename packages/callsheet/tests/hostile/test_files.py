"""A plan reads and writes beneath one directory, and nowhere else."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.acceptance.command import call, write_plan

from callsheet import Engine, Plan, Step, Undo
from callsheet.core.ids import StepKey, idempotency_key
from callsheet.errors import InputError
from callsheet.tools.builtin import disk, walk
from callsheet.tools.builtin.walk import OutsideError, reach

if TYPE_CHECKING:
    from callsheet import Result

pytestmark = pytest.mark.requirement("S10")


async def carry_out(engine: Engine, tool: str, **args: Any) -> Result:
    run = await engine.start(Plan(steps=(Step(id="a", tool=tool, args=args),)))
    return await run.wait()


def text_of(result: Result) -> object:
    output = result.steps["a"].output
    assert isinstance(output, dict)
    return output["text"]


def error_of(result: Result) -> str:
    error = result.steps["a"].error
    assert error is not None
    assert error.error_class == "denied"
    return error.message


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The directory in which an engine is opened, beside what is nobody's business."""
    (tmp_path / "passwords").write_text("secret")
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path / "here"


WAYS_OUT = (
    "/proc/self/environ",
    "/etc/passwd",
    "/dev/zero",
    "/sys/kernel/hostname",
    "../passwords",
    "a/../../passwords",
    "./../here/../passwords",
    "{above}/passwords",
    "link",
    "far/passwords",
    "link_to_link",
    ".callsheet/callsheet.db",
    ".callsheet/../.callsheet/callsheet.toml",
    "home/callsheet.db",
    "to_home/callsheet.db",
)


@pytest.mark.slow  # a file each, through a whole engine
@pytest.mark.parametrize("tool", ["file.read", "file.write"])
async def test_no_way_leads_out_of_the_directory_or_into_the_home(here: Path, tool: str) -> None:
    (here / "a").mkdir()
    (here / ".callsheet").mkdir()
    (here / "link").symlink_to(here.parent / "passwords")
    (here / "link_to_link").symlink_to("link")
    (here / "far").symlink_to("..")
    (here / "to_home").symlink_to("home")
    said = {"text": "mine"} if tool == "file.write" else {}
    async with Engine.open(here / "home") as engine:
        for way in WAYS_OUT:
            path = way.format(above=here.parent)
            assert path in error_of(await carry_out(engine, tool, path=path, **said))
    assert (here.parent / "passwords").read_text() == "secret"
    assert not (here / "home" / "callsheet.toml").exists()


async def test_the_refusal_names_the_directory_and_how_to_choose_another(here: Path) -> None:
    async with Engine.in_memory() as engine:
        said = error_of(await carry_out(engine, "file.read", path="../passwords"))
    assert str(here) in said
    assert "--files DIR" in said


async def test_an_absolute_path_beneath_the_directory_is_fine(here: Path) -> None:
    async with Engine.in_memory() as engine:
        await carry_out(engine, "file.write", path=str(here / "new" / "a.txt"), text="x")
        found = await carry_out(engine, "file.read", path=str(here / "new" / "a.txt"))
    assert text_of(found) == "x"


async def test_whoever_opens_the_engine_chooses_the_directory(here: Path) -> None:
    async with Engine.in_memory(files=here.parent) as engine:
        found = await carry_out(engine, "file.read", path="passwords")
    assert text_of(found) == "secret"
    with pytest.raises(InputError, match=r"--files 'nowhere' is not a directory"):
        async with Engine.in_memory(files="nowhere"):
            pass


async def test_the_home_is_closed_wherever_the_directory_is(here: Path) -> None:
    home = here / "home"
    async with Engine.open(home):
        pass
    (home / "artifacts").mkdir(exist_ok=True)
    for files in (home, home / "artifacts", "/"):
        async with Engine.open(home, files=files) as engine:
            path = str(home / "callsheet.db") if files == "/" else "callsheet.db"
            assert "no plan may use it" in error_of(await carry_out(engine, "file.read", path=path))
    async with Engine.in_memory(files="/") as engine:
        for path in ("proc/self/environ", "/dev/null", "sys/kernel/hostname"):
            assert "no plan may use it" in error_of(await carry_out(engine, "file.read", path=path))


async def test_the_configuration_says_the_directory(here: Path) -> None:
    config = here / "engine.toml"
    config.write_text(f'[files]\nroot = "{here.parent}"')
    async with Engine.in_memory(config=config) as engine:
        found = await carry_out(engine, "file.read", path="passwords")
    assert text_of(found) == "secret"


def test_the_command_line_says_the_directory(here: Path) -> None:
    step = {"id": "a", "tool": "file.read", "args": {"path": "passwords"}}
    plan = write_plan(here / "plan.json", {"steps": [step], "output": "${steps.a.text}"})
    done = call("run", plan, "--files", here.parent, "--json")
    assert (done.code, done.json["output"]) == (0, "secret")
    assert call("run", plan, "--json").code == 1


WRITE = Plan(steps=(Step(id="a", tool="file.write", args={"path": "a.txt", "text": "after"}),))


async def test_a_restore_is_an_undo_and_nothing_else(here: Path) -> None:
    (here / "a.txt").write_text("before")
    async with Engine.in_memory() as engine:
        first = await engine.start(WRITE)
        await first.wait()
        key = idempotency_key(first.id, StepKey("a"))
        for tool in ("file.restore", "context.restore"):
            steps = (Step(id="a", tool=tool, args={"key": key}),)
            run = await engine.start(Plan(steps=steps), tenant="beta")
            assert "cannot be called as a step" in error_of(await run.wait())
        assert (here / "a.txt").read_text() == "after"


async def test_an_undo_takes_back_its_own_call_whatever_key_it_is_given(here: Path) -> None:
    (here / "a.txt").write_text("before")
    async with Engine.in_memory() as engine:
        first = await engine.start(WRITE)
        await first.wait()
        undo = Undo(tool="file.restore", args={"key": idempotency_key(first.id, StepKey("a"))})
        item: dict[str, Any] = {"scope": "s", "name": "n", "value": 1}
        thief = Plan(steps=(Step(id="b", tool="context.set", args=item, undo=undo),))
        run = await engine.start(thief, tenant="beta")
        await run.wait()
        await run.undo()
        assert (await run.wait()).state == "undone"
        assert (here / "a.txt").read_text() == "after"
        await first.undo()
        await first.wait()
        assert (here / "a.txt").read_text() == "before"


async def test_what_is_written_is_restored_wherever_the_engine_is_opened_next(here: Path) -> None:
    home = here.parent / "home"
    (here / "a.txt").write_text("before")
    async with Engine.open(home) as engine:
        run = await engine.start(WRITE)
        await run.wait()
    (here / "else").mkdir()
    async with Engine.open(home, files=here / "else") as engine:
        again = await engine.get(run.id)
        await again.undo()
        await again.wait()
    assert (here / "a.txt").read_text() == "before"


def test_a_directory_that_becomes_a_link_while_it_is_walked_is_not_followed(here: Path) -> None:
    """Between two steps of the walk: what is held is the directory, not its name."""
    (here / "a" / "b").mkdir(parents=True)
    (here / "a" / "b" / "passwords").write_text("harmless")
    swapped = False

    def swap(_handle: int | None, name: str) -> bool:
        nonlocal swapped
        if name == "b":
            (here / "a" / "b").rename(here / "was_b")
            (here / "a" / "b").symlink_to(here.parent)
            swapped = True
        return False

    with reach(here, "a/b/passwords", forbids=swap) as spot:
        assert swapped
        with open(spot.open(), encoding="utf-8") as file:  # noqa: PTH123 -- of a descriptor
            assert file.read() == "harmless"


def test_a_file_that_becomes_a_link_before_it_is_opened_is_refused(here: Path) -> None:
    (here / "a.txt").write_text("harmless")
    with reach(here, "a.txt") as spot:
        (here / "a.txt").unlink()
        (here / "a.txt").symlink_to(here.parent / "passwords")
        with pytest.raises(OSError, match="symbolic links"):
            spot.open()


def test_links_that_stay_beneath_are_followed_and_circles_end(here: Path) -> None:
    (here / "a").mkdir()
    (here / "a" / "x.txt").write_text("x")
    (here / "to_a").symlink_to(here / "a")
    (here / "up").symlink_to("a/../a/./x.txt")
    (here / "circle").symlink_to("circle")
    for path in ("to_a/x.txt", "up", "to_a/../up"):
        with reach(here, path) as spot:
            assert spot.path == here / "a" / "x.txt"
    with pytest.raises(OSError, match="symbolic links"):
        reach(here, "circle")
    with pytest.raises(OutsideError):
        reach(here, "to_a/../../passwords")


def test_a_walk_leaves_no_handle_open(here: Path) -> None:
    before = len(list(Path("/proc/self/fd").iterdir()))
    (here / "far").symlink_to("..")
    for path in ("a/b/c", "../x", "far/x", "x", "..", "", "a\0b", "far/here/x"):
        try:
            with reach(here, path):
                pass
        except (OSError, OutsideError):
            pass
    assert len(list(Path("/proc/self/fd").iterdir())) == before


async def test_a_pipe_and_a_directory_are_no_files(here: Path) -> None:
    os.mkfifo(here / "pipe")
    async with Engine.in_memory() as engine:
        for path in ("pipe", "."):
            result = await carry_out(engine, "file.read", path=path)
            error = result.steps["a"].error
            assert error is not None
            assert error.message == f"{path!r} is not a file."


def test_nobody_may_open_a_private_file_while_it_is_written(
    here: Path,
) -> None:
    modes: list[int] = []

    class Source:
        def read(self, _size: int) -> bytes:
            modes.append((here / "temporary").stat().st_mode & 0o777)
            return b""

    before = os.umask(0)
    try:
        with walk.reach(here, "a") as spot:
            disk.replace(spot, Source(), temporary="temporary", mode=0o640)  # type: ignore[arg-type]
    finally:
        os.umask(before)
    assert modes == [0o600]
    assert (here / "a").stat().st_mode & 0o777 == 0o640
