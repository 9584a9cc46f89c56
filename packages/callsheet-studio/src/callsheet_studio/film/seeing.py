"""The stage that looks whether the film shows what it says, as a tool. It draws, in a process."""

from __future__ import annotations

from typing import Any

from callsheet import tool
from callsheet_studio.base.carrying import or_invalid
from callsheet_studio.base.edition import edition
from callsheet_studio.base.memory import drawing_here
from callsheet_studio.model.brief import Brief
from callsheet_studio.model.shots import ShotList

_VERSION = edition("draw")


@tool("studio.seen", version=_VERSION, isolated=True, effect="read")
def seen(shots: ShotList, brief: Brief) -> dict[str, Any]:
    """Look whether each shot shows what is said; those that do not come first, the worst of all."""
    from callsheet_studio.base.fonts import check_fonts
    from callsheet_studio.film.check.meaning import judge_pictures, share

    or_invalid(check_fonts)
    with drawing_here():
        judged = judge_pictures(shots, brief)
    worst = ("contradicts", "generic", "not_drawable", "card", "shown")
    ordered = sorted(judged, key=lambda each: worst.index(each.verdict))
    told = [each.model_dump(mode="json") for each in ordered]
    return {"shares": share(judged), "of": len(judged), "shots": told}
