"""What a run of `production_plan` is given: its inputs, and the pictures of the brief."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from callsheet.errors import InputError
from callsheet_studio.brief.pictures import picture_bytes, pictures_of

if TYPE_CHECKING:
    from datetime import date
    from pathlib import Path

    from callsheet import Engine
    from callsheet.types import Tenant
    from callsheet_studio.model.brief import Brief
    from callsheet_studio.model.stack import Stack


def inputs_for(brief: Brief, today: date, stack: Stack) -> dict[str, Any]:
    """The inputs of `production_plan`, but for those of delivery."""
    return {
        "brief": brief.model_dump(mode="json"),
        "stack": stack.model_dump(mode="json"),
        "today": today.isoformat(),
    }


async def keep_pictures(engine: Engine | Tenant, brief: Brief, folder: Path | None) -> None:
    """Keep the pictures of a brief as artifacts: a run does not need their files any more.

    Raises:
        InputError: one is neither in the folder, as it was when the brief was read, nor kept.
    """
    for picture in pictures_of(brief):
        data = picture_bytes(picture, folder) if folder and picture.name else None
        if data is not None:
            await engine.artifacts.put(data, media_type=picture.media_type, name=picture.name)
            continue
        try:
            await engine.artifacts.get(picture)
        except InputError as error:
            raise InputError(
                f"The picture {picture.name or picture.digest!r} is not there any more as it was "
                "when the brief was read. Give the brief as a file, with its pictures beside it, "
                "or keep them first: callsheet artifact put."
            ) from error
