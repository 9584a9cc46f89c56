"""`file.read`, `file.write` and its undo."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import os
import stat
import subprocess
import sys
import threading
from typing import TYPE_CHECKING, Any

import pytest
from tests.unit.tools.ctx import FakeContext

from callsheet.errors import DeniedError, FatalError, InvalidError, ToolError
from callsheet.tools.blocking import SyncContext
from callsheet.tools.builtin.backup import Backups, temporary_for
from callsheet.tools.builtin.catalog import builtin_tools
from callsheet.tools.builtin.walk import reach
from callsheet.tools.registry import Registry, tool

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path

ROOT_USER = os.geteuid() == 0


class Files:
    """The file tools in a directory."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.backups = root.parent / "undo"
        self.registry = Registry(builtin_tools(root=root, backups=Backups(self.backups)))

    async def read(self, path: str, **args: Any) -> Any:
        return await self.registry.call("file.read", {"path": path, **args}, FakeContext())

    async def write(self, path: str, text: str, *, key: str = "k", attempt: int = 1) -> Any:
        ctx = FakeContext(key=key, attempt=attempt)
        return await self.registry.call("file.write", {"path": path, "text": text}, ctx)

    async def restore(self, key: str = "k", output: Any = None) -> Any:
        args = {"key": key, "args": {"path": "as it was called"}, "output": output}
        return await self.registry.call("file.restore", args, FakeContext(key=f"{key}:undo"))

    def tree(self) -> dict[str, bytes | None]:
        """Everything there is: None stands for a directory."""
        return {
            str(path.relative_to(self.root)): path.read_bytes() if path.is_file() else None
            for path in sorted(self.root.rglob("*"))
        }


@pytest.fixture
async def files(tmp_path: Path) -> AsyncIterator[Files]:
    (tmp_path / "root").mkdir()
    files = Files(tmp_path / "root")
    yield files
    await files.registry.close()


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


async def test_a_file_is_read_as_text(files: Files) -> None:
    (files.root / "a.txt").write_bytes("ø\r\n".encode())
    assert await files.read("a.txt") == {
        "path": str(files.root / "a.txt"),
        "bytes": 4,
        "digest": digest("ø\r\n".encode()),
        "text": "ø\r\n",
    }


async def test_a_file_of_any_bytes_is_read_as_base64(files: Files) -> None:
    (files.root / "a.bin").write_bytes(b"\xff\x00")
    found = await files.read("a.bin", encoding="base64")
    assert base64.b64decode(found["base64"]) == b"\xff\x00"
    with pytest.raises(InvalidError, match=r"not UTF-8 text\. Read it as base64"):
        await files.read("a.bin")


@pytest.mark.requirement("E7")
@pytest.mark.parametrize(
    ("path", "kind", "complaint"),
    [
        ("no.txt", InvalidError, "There is no file 'no.txt'"),
        ("", InvalidError, "'' is not a file"),
        (".", InvalidError, "'.' is not a file"),
        ("a\0b", InvalidError, "is not a path"),
        ("x" * 300, InvalidError, "File name too long"),
        ("pipe", InvalidError, "'pipe' is not a file"),
        ("circle", InvalidError, "'circle' is not a path"),
        ("file/below", InvalidError, "Not a directory"),
        ("large", InvalidError, "is larger than 10,000,000 bytes"),
        ("../undo/x", DeniedError, "is outside of"),
        ("/etc/passwd", DeniedError, "is outside of"),
        ("way_out/passwd", DeniedError, "is outside of"),
    ],
)
async def test_what_cannot_be_read_is_said_clearly(
    files: Files, path: str, kind: type[ToolError], complaint: str
) -> None:
    os.mkfifo(files.root / "pipe")
    (files.root / "circle").symlink_to("circle")
    (files.root / "way_out").symlink_to("/etc")
    (files.root / "file").touch()
    with (files.root / "large").open("wb") as large:
        large.truncate(10_000_001)
    with pytest.raises(kind) as caught:
        await files.read(path)
    assert complaint in caught.value.message


async def test_without_a_root_the_current_directory_is_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "a.txt").write_text("x")
    (tmp_path / "b.txt").write_text("x")
    monkeypatch.chdir(tmp_path / "here")
    registry = Registry(builtin_tools())
    (tmp_path / "here" / "b").mkdir()
    for path in ("a.txt", str(tmp_path / "here" / "a.txt"), "./b/../a.txt"):
        found = await registry.call("file.read", {"path": path}, FakeContext())
        assert isinstance(found, dict)
        assert found["text"] == "x"
    for path in ("../b.txt", str(tmp_path / "b.txt"), "../here/a.txt"):
        with pytest.raises(DeniedError, match="is outside of"):
            await registry.call("file.read", {"path": path}, FakeContext())
    await registry.close()


async def test_a_new_file_is_written_with_its_directories(files: Files) -> None:
    assert await files.write("a/b/c.txt", "hello") == {
        "path": str(files.root / "a/b/c.txt"),
        "bytes": 5,
        "digest": digest(b"hello"),
        "previous": None,
    }
    assert files.tree() == {"a": None, "a/b": None, "a/b/c.txt": b"hello"}


async def test_an_existing_file_is_replaced_and_keeps_its_mode(files: Files) -> None:
    target = files.root / "a.sh"
    target.write_bytes(b"old")
    target.chmod(0o751)
    written = await files.write("a.sh", "new")
    assert written["previous"] == {"bytes": 3, "digest": digest(b"old")}
    assert target.read_bytes() == b"new"
    assert stat.S_IMODE(target.stat().st_mode) == 0o751


async def test_a_file_behind_a_link_is_written_and_the_link_stays(files: Files) -> None:
    (files.root / "real.txt").write_text("old")
    (files.root / "link.txt").symlink_to("real.txt")
    await files.write("link.txt", "new")
    assert (files.root / "link.txt").is_symlink()
    assert (files.root / "real.txt").read_text() == "new"


async def test_any_bytes_can_be_written_as_base64(files: Files) -> None:
    args: dict[str, Any] = {"path": "a.bin", "base64": base64.b64encode(b"\xff\x00").decode()}
    await files.registry.call("file.write", args, FakeContext())
    assert files.tree() == {"a.bin": b"\xff\x00"}


@pytest.mark.parametrize(
    ("args", "complaint"),
    [
        ({}, "give either args.text or args.base64"),
        ({"text": "a", "base64": "YQ=="}, "give either args.text or args.base64"),
        ({"base64": "not base64!"}, "args.base64 is not base64"),
    ],
)
async def test_content_that_makes_no_sense_is_invalid(
    files: Files, args: dict[str, Any], complaint: str
) -> None:
    with pytest.raises(InvalidError) as caught:
        await files.registry.call("file.write", {"path": "a", **args}, FakeContext())
    assert complaint in caught.value.message
    assert files.tree() == {}


def nothing_there(root: Path) -> None:
    pass


def file_there(root: Path) -> None:
    (root / "a/b").mkdir(parents=True)
    (root / "a/b/c.txt").write_bytes(b"old\xff")


def empty_file_there(root: Path) -> None:
    (root / "a/b").mkdir(parents=True)
    (root / "a/b/c.txt").touch(mode=0o600)


def directory_there(root: Path) -> None:
    (root / "a").mkdir()
    (root / "a/other.txt").write_bytes(b"other")


BEFORE = [nothing_there, file_there, empty_file_there, directory_there]


@pytest.mark.parametrize("before", BEFORE)
async def test_undo_brings_back_exactly_what_was_there(
    files: Files, before: Callable[[Path], None]
) -> None:
    before(files.root)
    tree = files.tree()
    output = await files.write("a/b/c.txt", "new")
    assert files.tree() != tree
    restored = await files.restore(output=output)
    assert restored["restored"] is True
    assert restored["removed"] == (output["previous"] is None)
    assert files.tree() == tree
    assert [path.name for path in files.backups.glob("*/*")] in ([], ["restored"])


@pytest.mark.parametrize("before", BEFORE)
async def test_undo_finds_the_backup_by_the_key_when_the_output_is_unknown(
    files: Files, before: Callable[[Path], None]
) -> None:
    before(files.root)
    tree = files.tree()
    await files.write("a/b/c.txt", "new")
    await files.restore(output=None)
    assert files.tree() == tree


async def test_undo_accepts_that_nothing_was_done(files: Files) -> None:
    assert await files.restore("never used") == {"restored": False}


async def test_undo_may_be_repeated(files: Files) -> None:
    (files.root / "a.txt").write_text("old")
    await files.write("a.txt", "new")
    await files.restore()
    assert await files.restore() == {"restored": False}
    assert files.tree() == {"a.txt": b"old"}


@pytest.mark.requirement("E18")
async def test_a_write_repeated_with_the_same_key_does_not_forget_what_was_there_first(
    files: Files,
) -> None:
    (files.root / "a.txt").write_text("old")
    first = await files.write("a.txt", "new", attempt=1)
    assert await files.write("a.txt", "new", attempt=2) == first
    await files.restore()
    assert files.tree() == {"a.txt": b"old"}


async def test_writes_with_different_keys_are_taken_back_one_by_one(files: Files) -> None:
    await files.write("a.txt", "one", key="k1")
    await files.write("a.txt", "two", key="k2")
    await files.restore("k2")
    assert files.tree() == {"a.txt": b"one"}
    await files.restore("k1")
    assert files.tree() == {}


async def test_a_key_is_good_for_one_file_only(files: Files) -> None:
    await files.write("a.txt", "one")
    with pytest.raises(InvalidError, match="was used to write"):
        await files.write("b.txt", "one")


async def test_a_directory_that_others_use_by_now_stays(files: Files) -> None:
    await files.write("a/b/c.txt", "new")
    (files.root / "a/other.txt").write_bytes(b"other")
    await files.restore()
    assert files.tree() == {"a": None, "a/other.txt": b"other"}


async def test_what_somebody_else_has_put_there_since_is_kept_aside(files: Files) -> None:
    (files.root / "a.txt").write_text("old")
    await files.write("a.txt", "new")
    (files.root / "a.txt").write_text("somebody else's")
    restored = await files.restore()
    assert files.tree() == {"a.txt": b"old"}
    with open(restored["kept"]) as kept:  # noqa: ASYNC230, PTH123 -- a test
        assert kept.read() == "somebody else's"


async def test_a_file_that_somebody_has_removed_since_is_brought_back(files: Files) -> None:
    file_there(files.root)
    tree = files.tree()
    await files.write("a/b/c.txt", "new")
    (files.root / "a/b/c.txt").unlink()
    (files.root / "a/b").rmdir()
    await files.restore()
    assert files.tree() == tree


async def test_a_directory_in_the_place_of_the_file_is_not_touched(files: Files) -> None:
    await files.write("a.txt", "new")
    (files.root / "a.txt").unlink()
    (files.root / "a.txt").mkdir()
    with pytest.raises(FatalError, match="could not be put back"):
        await files.restore()
    assert files.tree() == {"a.txt": None}


@pytest.mark.parametrize("before", BEFORE)
async def test_a_crash_between_backup_and_write_changes_nothing_and_can_be_undone_or_repeated(
    files: Files, before: Callable[[Path], None]
) -> None:
    before(files.root)
    tree = files.tree()
    with reach(files.root, "a/b/c.txt") as spot:
        Backups(files.backups).keep("k", spot, written=digest(b"new"))
    assert files.tree() == tree
    await files.restore()
    assert files.tree() == tree
    with reach(files.root, "a/b/c.txt") as spot:
        Backups(files.backups).keep("k", spot, written=digest(b"new"))
    await files.write("a/b/c.txt", "new", attempt=2)
    assert files.tree()["a/b/c.txt"] == b"new"
    await files.restore()
    assert files.tree() == tree


KILLED = """
import asyncio, os, sys
from pathlib import Path
from callsheet.tools.builtin.backup import Backups
from callsheet.tools.builtin.catalog import builtin_tools
from callsheet.tools.registry import Registry
from tests.unit.tools.ctx import FakeContext

root, undo = Path(sys.argv[1]), Path(sys.argv[2])
registry = Registry(builtin_tools(root=root, backups=Backups(undo)))
args = {"path": "a/b/c.txt", "text": "new"}

def die_at(point):
    passed = 0
    def at(event, details):
        # Every change of the disk is announced by one of these.
        nonlocal passed
        if event in ("os.rename", "os.mkdir") or (event == "open" and details[2] & os.O_CREAT):
            passed += 1
            if passed == point:
                os._exit(9)
    sys.addaudithook(at)

for line in sys.stdin:
    child = os.fork()
    if not child:
        die_at(int(line))
        asyncio.run(registry.call("file.write", args, FakeContext(key="k")))
        os._exit(0)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


@pytest.mark.slow  # a Python that forks for each point of the write
@pytest.mark.parametrize("before", [nothing_there, file_there])
async def test_a_write_that_is_killed_anywhere_leaves_the_old_file_or_the_new_one_and_can_be_undone(
    files: Files, before: Callable[[Path], None]
) -> None:
    before(files.root)
    tree = files.tree()
    command = [sys.executable, "-c", KILLED, str(files.root), str(files.backups)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as program:  # noqa: ASYNC220 -- a test
        assert program.stdin
        assert program.stdout
        for point in range(1, 20):
            print(point, file=program.stdin, flush=True)
            code = program.stdout.readline().strip()
            assert code in ("0", "9")
            content = files.tree().get("a/b/c.txt")
            assert content in (tree.get("a/b/c.txt"), b"new")
            await files.restore()
            assert files.tree() == tree
            if code == "0":
                assert point > 3
                return
    pytest.fail("The write never came to its end.")


@pytest.mark.skipif(ROOT_USER, reason="root may write anywhere")
async def test_a_directory_that_may_not_be_written_is_denied_and_nothing_is_left(
    files: Files,
) -> None:
    (files.root / "locked").mkdir(mode=0o500)
    with pytest.raises(DeniedError, match="Permission denied"):
        await files.write("locked/a.txt", "new")
    assert [path.name for path in files.backups.glob("*/*")] in ([], ["restored"])


async def test_a_write_that_fails_half_way_takes_itself_back(files: Files) -> None:
    (files.root / "a").touch()
    with pytest.raises(InvalidError, match="Not a directory"):
        await files.write("a/b/c.txt", "new")
    assert files.tree() == {"a": b""}
    assert not files.backups.exists()


async def test_a_writer_that_was_left_behind_cannot_finish_after_the_undo(files: Files) -> None:
    target = files.root / "a.txt"
    backups = Backups(files.backups)
    with reach(files.root, "a.txt") as spot:
        backups.keep("k", spot, written=digest(b"new"))
    temporary = files.root / temporary_for("k", 1)
    temporary.write_bytes(b"half of it")
    await files.restore()
    with pytest.raises(FileNotFoundError):
        temporary.replace(target)
    assert files.tree() == {}


async def test_a_write_that_is_told_to_stop_before_it_began_does_nothing(files: Files) -> None:
    write = next(t for t in builtin_tools(root=files.root) if t.spec.name == "file.write")
    told: list[BaseException] = []

    @tool(effect="read")
    def stopped(ctx: SyncContext) -> None:
        while not ctx.cancelled:
            ctx.progress()
            threading.Event().wait(0.001)
        try:
            write(ctx, "a.txt", "new")
        except asyncio.CancelledError as exc:
            told.append(exc)

    ctx = FakeContext()
    files.registry.add(stopped)
    async with asyncio.TaskGroup() as group:
        call = group.create_task(files.registry.call("stopped", {}, ctx))
        await ctx.wait_heard()
        call.cancel()
    assert told
    assert files.tree() == {}
