"""Worker processes for a film, started while this process still imports what it needs itself."""

from __future__ import annotations

import os
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from callsheet.apps import workers_ahead

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path

    from callsheet_studio.model.brief import Brief
    from callsheet_studio.production.stage import Stage

_FILMING = (
    "callsheet_studio.film.filming",
    "callsheet_studio.film.shoot",
    "cv2",
    "av",
    "skia_canvas_pyr",
    "callsheet_studio.base.memory:makes_one_film",
    "callsheet_studio.draw.text:load_fonts",
)
_SPEAKING = (
    "callsheet_studio.film.speaking",
    "callsheet_studio.sound.encode",
    "callsheet_studio.sound.voice:loaded_voice",
    "callsheet_studio.base.memory:makes_one_film",
)
"""What workers that film and speak load."""


@asynccontextmanager
async def workers_for(stop_after: Stage, out: Path) -> AsyncIterator[Callable[[Brief], None]]:
    """Start the workers that a production in this process will need, until this is left.

    Yields a function that is told the brief as soon as it is read: in some languages the voice has
    to be loaded, too.
    """
    # Nobody here multiplies large matrices: threads for that would only take time to begin.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # Nor does anybody here extend pydantic: worker processes need not look for who might.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    films = stop_after == "film"
    # Every picture waits for the voice; but where there is a film, it has spoken before, and one
    # process will do: what has changed since is mostly one shot.
    speaks = films and not _has_film(out)
    async with (
        workers_ahead(*_FILMING, many=int(films)),
        workers_ahead(many=int(speaks)) as speaker,
    ):
        from callsheet_studio.base.memory import give_back
        from callsheet_studio.base.voices import is_loaded

        give_back()

        def told(brief: Brief) -> None:
            if is_loaded(brief.content.language):
                speaker(*_SPEAKING)

        yield told


def _has_film(out: Path) -> bool:
    """Whether one was made there before. What is wrong with the place is told later."""
    try:
        return (out / "film.mp4").exists()
    except OSError:
        return False
