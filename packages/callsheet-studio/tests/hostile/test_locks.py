"""A lock that somebody has laid a trap for harms nobody's file."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from callsheet.errors import InputError
from callsheet_studio.production.reserving import reserved

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.requirement("S10")


@pytest.mark.parametrize("trap", ["symbolic", "hard", "pipe"])
def test_a_lock_is_never_somebody_elses_file(trap: str, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_bytes(b"kept")
    lock = tmp_path / ".film.callsheet.lock"
    match trap:
        case "symbolic":
            lock.symlink_to(victim)
        case "hard":
            lock.hardlink_to(victim)
        case _:
            os.mkfifo(lock)
    with pytest.raises(InputError, match="lock"), reserved(tmp_path / "film"):
        pytest.fail("the trap was stepped into")
    assert victim.read_bytes() == b"kept"


def test_nothing_lies_among_the_temporary_files_of_everybody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared = tmp_path / "tmp"
    shared.mkdir()
    monkeypatch.setenv("TMPDIR", str(shared))
    monkeypatch.setattr("tempfile.tempdir", None)
    with reserved(tmp_path / "film"):
        assert list(shared.iterdir()) == []
        assert (tmp_path / ".film.callsheet.lock").stat().st_mode & 0o077 == 0
