"""The driver lock: one process drives a home, and its death frees it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from callsheet.errors import StoreBusyError
from callsheet.stores.sqlite.lock import LOCK_FILE, DriverLock, is_held

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.requirement("E11")

DRIVE = """
import pathlib, sys
from callsheet.stores.sqlite.lock import DriverLock
lock = DriverLock(pathlib.Path(sys.argv[1]))
print("driving", flush=True)
sys.stdin.read()
"""

FORK_AND_DIE = """
import os, pathlib, signal, sys
from callsheet.stores.sqlite.lock import DriverLock
lock = DriverLock(pathlib.Path(sys.argv[1]))
child_runs, say_so = os.pipe()
if os.fork():
    os.read(child_runs, 1)
    print("driving", flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
os.write(say_so, b"!")
sys.stdin.read()
"""


@contextmanager
def a_driver(home: Path, code: str = DRIVE) -> Iterator[subprocess.Popen[bytes]]:
    """A process that holds the lock of a home until its input is closed."""
    with subprocess.Popen(
        [sys.executable, "-c", code, str(home)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"driving\n"
        yield process


def test_a_second_process_is_told_who_drives(tmp_path: Path) -> None:
    with (
        a_driver(tmp_path) as driver,
        pytest.raises(StoreBusyError, match=f"Process {driver.pid} drives .*answer and watch"),
    ):
        DriverLock(tmp_path)


def test_a_second_engine_in_the_same_process_is_told_so(tmp_path: Path) -> None:
    lock = DriverLock(tmp_path)
    with pytest.raises(StoreBusyError, match="This process already drives"):
        DriverLock(tmp_path)
    lock.release()


def test_the_lock_dies_with_a_killed_process(tmp_path: Path) -> None:
    with a_driver(tmp_path) as driver:
        driver.send_signal(signal.SIGKILL)
        driver.wait()
        DriverLock(tmp_path).release()


def test_the_lock_dies_with_its_process_even_if_a_forked_child_lives_on(tmp_path: Path) -> None:
    with a_driver(tmp_path, FORK_AND_DIE) as driver:
        driver.wait()
        DriverLock(tmp_path).release()


def test_a_released_lock_can_be_taken_again(tmp_path: Path) -> None:
    lock = DriverLock(tmp_path)
    lock.release()
    lock.release()
    DriverLock(tmp_path).release()


def test_the_file_names_the_driver(tmp_path: Path) -> None:
    (tmp_path / LOCK_FILE).write_text("a much longer text than a number", "ascii")
    lock = DriverLock(tmp_path)
    assert (tmp_path / LOCK_FILE).read_text("ascii") == str(os.getpid())
    lock.release()


def test_a_lock_file_with_anything_in_it_is_still_only_a_lock(tmp_path: Path) -> None:
    (tmp_path / LOCK_FILE).write_bytes(b"\xff\x00 no number")
    DriverLock(tmp_path).release()


def test_whether_a_home_is_driven_can_be_seen_without_driving_it(tmp_path: Path) -> None:
    assert not is_held(tmp_path)
    with a_driver(tmp_path) as driver:
        assert is_held(tmp_path)
        driver.send_signal(signal.SIGKILL)
        driver.wait()
        assert not is_held(tmp_path)
    DriverLock(tmp_path).release()
    assert not is_held(tmp_path)
