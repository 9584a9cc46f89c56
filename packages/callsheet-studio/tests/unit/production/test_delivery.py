"""Files into a directory: whole or not at all, and never over somebody's work."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from callsheet.errors import FatalError, InputError
from callsheet_studio.production import delivery

pytestmark = pytest.mark.requirement("P12")

FILES = {"script.md": b"one", "storyboard/1A.png": b"two"}


def delivered(out: Path, files: dict[str, bytes], *, force: bool = False) -> list[str]:
    digests = {name: delivery.digest(data) for name, data in files.items()}
    report = json.dumps(delivery.manifest(out, digests)).encode()
    return delivery.put(out, {**files, delivery.REPORT: report}, force=force)


def names(out: Path) -> set[str]:
    return {str(path.relative_to(out)) for path in out.rglob("*") if path.is_file()}


def test_what_is_delivered_lies_there_and_nothing_else(tmp_path: Path) -> None:
    out = tmp_path / "deep" / "film"
    assert delivered(out, FILES) == ["report.json", "script.md", "storyboard/1A.png"]
    assert names(out) == {*FILES, "report.json"}
    assert (out / "storyboard/1A.png").read_bytes() == b"two"


def test_what_is_the_same_is_not_written_again(tmp_path: Path) -> None:
    delivered(tmp_path, FILES)
    before = (tmp_path / "script.md").stat().st_mtime_ns
    assert delivered(tmp_path, FILES) == []
    assert (tmp_path / "script.md").stat().st_mtime_ns == before


def test_what_is_ours_is_replaced(tmp_path: Path) -> None:
    delivered(tmp_path, FILES)
    assert "script.md" in delivered(tmp_path, FILES | {"script.md": b"new"})
    assert (tmp_path / "script.md").read_bytes() == b"new"


@pytest.mark.parametrize("name", ["script.md", "report.json"])
def test_what_is_not_ours_is_left_alone_and_nothing_is_written(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("mine")
    with pytest.raises(InputError, match=name) as refusal:
        delivery.check_place(tmp_path, [*FILES, "report.json"])
    assert "--force" in str(refusal.value)
    with pytest.raises(InputError, match=name):
        delivered(tmp_path, FILES)
    assert names(tmp_path) == {name}
    assert (tmp_path / name).read_text() == "mine"


def test_what_was_changed_since_is_somebodys_work(tmp_path: Path) -> None:
    delivered(tmp_path, FILES)
    (tmp_path / "script.md").write_text("edited")
    with pytest.raises(InputError, match=r"script\.md"):
        delivered(tmp_path, FILES | {"storyboard/1A.png": b"new"})
    assert (tmp_path / "storyboard/1A.png").read_bytes() == b"two"
    delivered(tmp_path, FILES, force=True)
    assert (tmp_path / "script.md").read_bytes() == b"one"


def test_a_foreign_file_that_is_already_right_is_in_nobodys_way(tmp_path: Path) -> None:
    (tmp_path / "script.md").write_bytes(b"one")
    assert "script.md" not in delivered(tmp_path, FILES)


def test_files_of_an_earlier_make_stay_and_are_said_to_be_old(tmp_path: Path) -> None:
    delivered(tmp_path, FILES)
    delivered(tmp_path, {"script.md": b"new"})
    report = json.loads((tmp_path / "report.json").read_text())
    assert report["stale"] == ["storyboard/1A.png"]
    delivered(tmp_path, FILES)
    assert json.loads((tmp_path / "report.json").read_text())["stale"] == []


def test_taking_it_back_leaves_what_was_there_before(tmp_path: Path) -> None:
    out = tmp_path / "film"
    before = delivery.contents(out, [*FILES, "report.json"])
    delivered(out, FILES)
    delivery.put_back(out, before)
    assert not out.exists()


def test_taking_a_second_delivery_back_leaves_the_first(tmp_path: Path) -> None:
    delivered(tmp_path, FILES)
    kept = {name: (tmp_path / name).read_bytes() for name in names(tmp_path)}
    changed = FILES | {"script.md": b"new", "plan.md": b"plan"}
    digests = {name: delivery.digest(data) for name, data in changed.items()}
    others = delivery.missing(tmp_path, digests)
    assert others == ["plan.md", "script.md"]
    before = delivery.contents(tmp_path, [*others, "report.json"])
    delivered(tmp_path, changed)
    delivery.put_back(tmp_path, before)
    assert {name: (tmp_path / name).read_bytes() for name in names(tmp_path)} == kept


def test_a_file_where_the_directory_should_be_is_refused(tmp_path: Path) -> None:
    (tmp_path / "film").write_text("mine")
    with pytest.raises(InputError, match="is a file"):
        delivery.check_place(tmp_path / "film", FILES)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_directory_that_cannot_be_written_is_refused_before_anything_is_made(
    tmp_path: Path,
) -> None:
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(InputError, match="cannot be written"):
            delivery.check_place(tmp_path / "film", FILES)
    finally:
        tmp_path.chmod(0o700)


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="there is no such file system here")
def test_a_file_system_that_takes_no_files_is_refused_even_to_root() -> None:
    with pytest.raises(InputError, match=r"/proc cannot be written .*another directory with -o"):
        delivery.check_place(Path("/proc/film"), FILES)


def test_to_check_a_place_leaves_nothing_in_it(tmp_path: Path) -> None:
    delivery.check_place(tmp_path / "film", FILES)
    assert not list(tmp_path.iterdir())


def test_a_file_above_the_directory_is_named(tmp_path: Path) -> None:
    (tmp_path / "film").write_text("mine")
    with pytest.raises(InputError, match=r"film is a file"):
        delivery.check_place(tmp_path / "film" / "deep", FILES)


def full_after(monkeypatch: pytest.MonkeyPatch, renames: int) -> None:
    """From the given rename on the disk is full."""
    real = Path.replace
    left = [renames]

    def replace(path: Path, target: Path) -> Path:
        left[0] -= 1
        if left[0] == -1:
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(path, target)

    monkeypatch.setattr(Path, "replace", replace)


@pytest.mark.parametrize("renames", [0, 1, 2])
def test_a_full_disk_leaves_everything_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, renames: int
) -> None:
    delivered(tmp_path, FILES)
    kept = {name: (tmp_path / name).read_bytes() for name in names(tmp_path)}
    full_after(monkeypatch, renames)
    with pytest.raises(FatalError, match="No space left on device") as full:
        delivered(tmp_path, dict.fromkeys(FILES, b"new"))
    assert "-o" in str(full.value)
    assert {name: (tmp_path / name).read_bytes() for name in names(tmp_path)} == kept


def test_a_full_disk_leaves_no_directory_that_was_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    full_after(monkeypatch, 1)
    with pytest.raises(FatalError):
        delivered(tmp_path / "film", FILES)
    assert not (tmp_path / "film").exists()


KILLED = """
import json, os, sys
from pathlib import Path
from callsheet_studio.production import delivery

out, renames, real, done = Path(sys.argv[1]), int(sys.argv[2]), Path.replace, []

def replace(path, target):
    if len(done) == renames:
        os._exit(9)
    done.append(path)
    return real(path, target)

Path.replace = replace
files = {"script.md": b"one", "storyboard/1A.png": b"two"}
digests = {name: delivery.digest(data) for name, data in files.items()}
report = json.dumps(delivery.manifest(out, digests)).encode()
delivery.put(out, {**files, "report.json": report})
"""
"""A delivery that ends without a word at the given rename."""


@pytest.mark.parametrize("renames", [0, 2])
def test_the_same_delivery_goes_on_where_a_kill_has_ended_it(tmp_path: Path, renames: int) -> None:
    out = tmp_path / "film"
    command = [sys.executable, "-c", KILLED, str(out), str(renames)]
    assert subprocess.run(command, check=False).returncode == 9
    assert len(names(out)) == 3
    delivery.check_place(out, [*FILES, "report.json"])
    delivered(out, FILES)
    assert names(out) == {*FILES, "report.json"}
    assert (out / "script.md").read_bytes() == b"one"
