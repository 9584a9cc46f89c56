"""The locks of a home: a driver is alive as long as it holds its own, and its death frees it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from callsheet.errors import StoreBusyError
from callsheet.stores.sqlite.lock import DRIVERS, LOCK_FILE, DriverLocks, HomeLock, Lock, is_held

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.requirement("E11")

DRIVE = """
import pathlib, sys
from callsheet.stores.sqlite.lock import DriverLocks
locks = DriverLocks(pathlib.Path(sys.argv[1]))
assert locks.hold(1)
print("driving", flush=True)
sys.stdin.read()
"""

FORK_AND_DIE = """
import os, pathlib, signal, sys
from callsheet.stores.sqlite.lock import DriverLocks
locks = DriverLocks(pathlib.Path(sys.argv[1]))
assert locks.hold(1)
child_runs, say_so = os.pipe()
if os.fork():
    os.read(child_runs, 1)
    print("driving", flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
os.write(say_so, b"!")
sys.stdin.read()
"""

HOLD_HOME = """
import pathlib, sys
from callsheet.stores.sqlite.lock import HomeLock
lock = HomeLock(pathlib.Path(sys.argv[1]))
print("driving", flush=True)
sys.stdin.read()
"""


@contextmanager
def a_process(home: Path, code: str = DRIVE) -> Iterator[subprocess.Popen[bytes]]:
    """A process that holds a lock of a home until its input is closed."""
    with subprocess.Popen(
        [sys.executable, "-c", code, str(home)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"driving\n"
        yield process


def test_a_driver_is_alive_until_its_process_is_killed(tmp_path: Path) -> None:
    locks = DriverLocks(tmp_path)
    assert not locks.is_held(1)
    with a_process(tmp_path) as driver:
        assert locks.is_held(1)
        assert not locks.hold(1)
        driver.send_signal(signal.SIGKILL)
        driver.wait()
        assert not locks.is_held(1)


def test_a_driver_that_is_stopped_is_alive(tmp_path: Path) -> None:
    with a_process(tmp_path) as driver:
        driver.send_signal(signal.SIGSTOP)
        assert DriverLocks(tmp_path).is_held(1)
        driver.send_signal(signal.SIGCONT)


def test_a_driver_dies_with_its_process_even_if_a_forked_child_lives_on(tmp_path: Path) -> None:
    with a_process(tmp_path, FORK_AND_DIE) as driver:
        driver.wait()
        assert not DriverLocks(tmp_path).is_held(1)


def test_two_drivers_of_one_process_are_two(tmp_path: Path) -> None:
    one, two = DriverLocks(tmp_path), DriverLocks(tmp_path)
    assert one.hold(1)
    assert not two.hold(1)
    assert two.hold(2)
    one.release()
    one.release()
    assert not two.is_held(1)
    assert one.is_held(2)
    two.release()
    assert list((tmp_path / DRIVERS).iterdir()) == []


def test_what_killed_drivers_have_left_is_removed_by_the_next(tmp_path: Path) -> None:
    one, two = DriverLocks(tmp_path), DriverLocks(tmp_path)
    assert one.hold(3)
    for name in ("1.lock", "2.lock", "9.lock", "notes.txt"):
        (tmp_path / DRIVERS / name).write_text("")
    assert two.hold(4)
    left = sorted(path.name for path in (tmp_path / DRIVERS).iterdir())
    assert left == ["3.lock", "4.lock", "9.lock", "notes.txt"]
    assert one.is_held(3)


def test_whoever_makes_a_home_is_waited_for_and_one_that_drives_alone_is_named(
    tmp_path: Path,
) -> None:
    (tmp_path / "callsheet.db").write_bytes(b"")
    with (
        a_process(tmp_path, HOLD_HOME) as driver,
        pytest.raises(StoreBusyError, match=f"Process {driver.pid} holds .*older version"),
    ):
        HomeLock(tmp_path)
    HomeLock(tmp_path).release()


def test_a_lock_file_with_anything_in_it_is_still_only_a_lock(tmp_path: Path) -> None:
    path = tmp_path / LOCK_FILE
    path.write_bytes(b"\xff\x00 no number, and a much longer text than one")
    lock = Lock(path)
    assert path.read_text("ascii") == str(os.getpid())
    assert is_held(path)
    lock.release()
    assert not is_held(path)


def test_a_link_is_not_followed_to_what_it_points_at(tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.write_text("mine", "ascii")
    (tmp_path / LOCK_FILE).symlink_to(precious)
    with pytest.raises(OSError, match="symbolic links"):
        Lock(tmp_path / LOCK_FILE)
    assert precious.read_text("ascii") == "mine"
