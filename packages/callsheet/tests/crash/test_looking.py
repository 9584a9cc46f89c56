"""A disk that takes no writes, and one that is full, met at opening."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.slow, pytest.mark.requirement("S7")]  # real processes, with own disks


@pytest.mark.parametrize(
    ("kind", "said"), [("read only", [1, "succeeded", 7]), ("full", "store_full")]
)
def test_what_a_disk_that_takes_nothing_allows_is_done_and_what_not_is_told(
    tmp_path: Path, kind: str, said: object
) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.crash.looking", str(tmp_path), kind],
        capture_output=True,
        timeout=60,
        check=False,
        env={"PYTHONPATH": ":".join(sys.path)},
    )
    assert done.returncode == 0, done.stderr.decode()
    found = json.loads(done.stdout)
    if found is None:
        pytest.skip("This machine does not let us mount a disk")
    assert found == said
