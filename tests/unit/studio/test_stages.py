"""The stages of a production, where they are only declared."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.requirement("P13")

DECLARED = "import sys, callsheet.studio.stages; print(*sys.modules)"


# About 0.6 s: a process of its own imports all stages.
@pytest.mark.slow
def test_who_declares_the_stages_imports_nothing_that_draws() -> None:
    done = subprocess.run(
        [sys.executable, "-c", DECLARED],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    modules = set(done.stdout.split())
    assert "callsheet.studio.film.stages" in modules
    assert not {"callsheet.studio.draw.frame", "callsheet.studio.film.shoot"} & modules
    assert not {"av", "cv2", "numpy", "skia_canvas_pyr"} & modules
