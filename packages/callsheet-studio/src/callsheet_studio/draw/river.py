"""Fresh water: a river or a lake, its far bank with trees, a jetty on this side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet_studio.draw.nature import (
    cumulus,
    far_off,
    flood,
    hills,
    near_by,
    sun_at,
    verge,
    water,
    wood,
)
from callsheet_studio.draw.sky import paint_birds, paint_sky

if TYPE_CHECKING:
    from callsheet_studio.draw.stage import Stage

_BANK = 0.8
"""Where this side of the water begins, as a part of the height."""


def paint_river(stage: Stage) -> None:
    """Hills and a wood over there, calm water, grass on this side."""
    light, u, top = stage.light, stage.unit, stage.horizon
    flood(stage, light.near)
    paint_sky(stage, down_to=top)
    cumulus(stage, count=3, top=0.12, down=0.34)
    paint_birds(stage, count=4, around=(0.3, 0.2))
    hills(stage, "hills", y=top + u, rise=9 * u, depth=0.35, colour="#6f8a7c")
    wood(stage, "far bank", y=top + u, high=11 * u, fill=far_off(light, "#4d6b4a", 0.6), firs=False)
    water(stage, stage.back, top=top, sun=sun_at(light), bottom=stage.y(_BANK))
    bank = near_by(light, "#6d7c4d")
    stops = [(0.0, light.lit(bank, 0.12)), (0.3, bank), (1.0, light.shaded(bank, 0.35))]
    fill = stage.back.linear((0, stage.y(_BANK)), (0, stage.bottom), stops)
    wide = stage.right - stage.left
    stage.back.rect(stage.left, stage.y(_BANK), wide, 4 * stage.height, fill)
    for side in (-1, 1):
        verge(stage, side, wide=0.26, high=15 * u, colour="#5a6a45")
