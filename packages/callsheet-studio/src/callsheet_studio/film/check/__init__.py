"""Looking at what was filmed, and checks of a finished film.

Names are looked up when they are first used: whoever films only looks, and needs no documents.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from callsheet_studio.film.check.expected import Expected, ExpectedShot, FilmReport
    from callsheet_studio.film.check.finished import check_film

_WHERE = {
    "Expected": "callsheet_studio.film.check.expected",
    "ExpectedShot": "callsheet_studio.film.check.expected",
    "FilmReport": "callsheet_studio.film.check.expected",
    "check_film": "callsheet_studio.film.check.finished",
}

__all__ = ["Expected", "ExpectedShot", "FilmReport", "check_film"]


def __getattr__(name: str) -> object:
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_WHERE[name]), name)
