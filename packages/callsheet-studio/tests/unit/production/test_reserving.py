"""One production at a time into one directory."""

from __future__ import annotations

import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from callsheet.errors import InputError
from callsheet_studio.production.reserving import reserved

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.requirement("P12")

HOLDER = """
import sys
from pathlib import Path
from callsheet_studio.production.reserving import reserved

with reserved(Path(sys.argv[1])):
    print("reserved", flush=True)
    sys.stdin.read()
"""


def holder_of(out: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", HOLDER, str(out)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == b"reserved\n"
    return process


def test_a_directory_that_another_process_makes_something_for_is_refused(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path)
    with holder_of(tmp_path / "film") as other:
        for same in (tmp_path / "film", tmp_path / "link" / "film"):
            making = rf"Process {other.pid} is making"
            with pytest.raises(InputError, match=making) as refusal, reserved(same):
                pytest.fail("it was reserved twice")
            assert "-o" in refusal.value.message
        with reserved(tmp_path / "other"):
            pass
        other.communicate()
    with reserved(tmp_path / "film"):
        pass


def test_it_is_free_again_when_its_process_was_killed(tmp_path: Path) -> None:
    with holder_of(tmp_path / "film") as other:
        other.send_signal(signal.SIGKILL)
        other.communicate()
        with reserved(tmp_path / "film"):
            pass


def test_one_process_may_ask_for_it_again_and_leaves_nothing_behind(tmp_path: Path) -> None:
    out = tmp_path / "new" / "film"
    with reserved(out):
        with reserved(out):
            pass
        left = [path.name for path in (tmp_path / "new").iterdir()]
        assert left == [".film.callsheet.lock"], "the inner one has not given it away"
    assert list(tmp_path.iterdir()) == []


def test_a_lock_keeps_what_was_delivered(tmp_path: Path) -> None:
    with reserved(tmp_path / "new" / "film"):
        (tmp_path / "new" / "film").mkdir()
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["film"]
