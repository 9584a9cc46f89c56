"""What tests have drawn with is cleared away in their own thread."""

from __future__ import annotations

import gc
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(autouse=True, scope="module")
def _cleared() -> Iterator[None]:
    """Canvases complain when another thread deletes them, which may be one of a later test."""
    yield
    if "skia_canvas_pyr" in sys.modules:
        gc.collect()
