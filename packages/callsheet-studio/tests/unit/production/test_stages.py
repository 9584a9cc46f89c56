"""The stages of a production, where they are only declared."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.requirement("P13")

STAGES = "callsheet_studio.stages"
WORKERS = ("film.filming", "film.speaking", "sound.voice")
"""Where worker processes find what they do."""
BOOKS = {f"callsheet_studio.model.{name}" for name in ("brief", "script", "plan")}
BOOKS |= {"callsheet_studio.production.planning", "callsheet_studio.shots"}


def imported_by(module: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", f"import sys, {module}; print(*sys.modules)"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stdout.split())


# About 0.6 s: a process of its own imports all stages.
@pytest.mark.slow
def test_who_declares_the_stages_imports_nothing_that_draws() -> None:
    modules = imported_by(STAGES)
    assert "callsheet_studio.film.stages" in modules
    assert not {"callsheet_studio.draw.frame", "callsheet_studio.film.shoot"} & modules
    assert not {"av", "cv2", "numpy", "skia_canvas_pyr"} & modules


# About 0.3 s each: a process of its own.
@pytest.mark.slow
@pytest.mark.parametrize("name", WORKERS)
def test_a_process_that_films_or_speaks_imports_nothing_that_it_is_not_given(name: str) -> None:
    modules = imported_by(f"callsheet_studio.{name}")
    assert f"callsheet_studio.{name}" in modules
    assert (
        not (BOOKS | {"callsheet_studio.production.planning", "callsheet_studio.shots"}) & modules
    )
