"""Whoever writes one SQLite file stands in a queue, and nobody is passed in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from callsheet.stores.sqlite.queue import GATE, WriteQueue

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.requirement("S7")


def test_what_can_begin_begins_at_once(tmp_path: Path) -> None:
    queue = WriteQueue(tmp_path)
    assert queue.take(lambda: True, 0)
    assert queue.take(lambda: True, 0)
    queue.close()


def test_who_does_not_wait_tries_once(tmp_path: Path) -> None:
    queue, tries = WriteQueue(tmp_path), iter([False])
    assert not queue.take(lambda: next(tries), 0)
    assert next(tries, None) is None
    queue.close()


def test_who_comes_back_stands_behind_who_waits(tmp_path: Path) -> None:
    first, second = WriteQueue(tmp_path), WriteQueue(tmp_path)
    looked = []

    def begin() -> bool:
        # Between two looks the other one tries to pass, as a process does that writes all the time.
        looked.append(second.take(lambda: True, 0))
        return len(looked) == 3

    assert first.take(begin, 60)
    assert looked == [False, False, False]
    assert second.take(lambda: True, 0)
    first.close()
    second.close()


def test_who_gives_up_leaves_the_gate_open(tmp_path: Path) -> None:
    first, second = WriteQueue(tmp_path), WriteQueue(tmp_path)
    assert not first.take(lambda: False, 0.002)
    assert second.take(lambda: True, 0)
    first.close()
    first.close()
    second.close()


def test_the_gate_is_nobody_else_s(tmp_path: Path) -> None:
    WriteQueue(tmp_path).close()
    assert (tmp_path / GATE).stat().st_mode & 0o777 == 0o600
