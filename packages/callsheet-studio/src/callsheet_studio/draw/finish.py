"""What lies over a whole picture: a vignette, shafts of light, dust, rain or snow. Subtle."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from callsheet_studio.draw.brush import Brush
from callsheet_studio.draw.colour import clear, lighter, mix

if TYPE_CHECKING:
    from callsheet_studio.draw.stage import Stage

_SHAFTS = {"window": 0.1, "stage_beam": 0.14, "golden_hour": 0.11, "dawn": 0.06, "hard_sun": 0.05}
"""Lights whose beams are seen, and how strongly."""
_DUSTY = frozenset(("window", "stage_beam", "golden_hour", "warm_lamps", "low_key"))
_RAIN = re.compile(
    r"\b(?:rain\w*|storm\w*|drizzle|wet (?:\w+ )?(?:day|evening|morning|night|street)|"
    r"regen\w*|sturm\w*|gewitter)\b",
    re.IGNORECASE,
)
_SNOW = re.compile(r"\b(?:snow\w*|blizzard|schnee\w*|(?:ver)?schneit\w*)\b", re.IGNORECASE)
_SOFT = 1.6
"""Units that the edge of a beam is blurred by."""
_COARSE = 0.5
"""Light has no edges: half the pixels are enough for it."""


def paint_finish(stage: Stage, *, interior: bool, calm: bool = False) -> tuple[Brush, str]:
    """The finish of a picture and the weather in it, for the whole frame: it does not move.

    It may have fewer pixels.

    Args:
        stage: whose light and words it follows.
        interior: no rain or snow falls inside.
        calm: only the vignette, as for cards.
    """
    told = " ".join(stage.words[:-1])
    falls = not calm and not interior and (_RAIN.search(told) or _SNOW.search(told))
    fine = 1.0 if falls else _COARSE
    brush = Brush(math.ceil(stage.width * fine), math.ceil(stage.height * fine))
    brush.ctx.scale(fine, fine)
    if not calm:
        if stage.light.name in _SHAFTS:
            _shafts(stage, brush, _SHAFTS[stage.light.name])
        if falls:
            (_rain if _RAIN.search(told) else _snow)(stage, brush)
        elif stage.light.name in _DUSTY:
            _dust(stage, brush)
    _vignette(stage, brush, 0.16 if calm else 0.3 + 0.22 * stage.light.dark)
    weather = "" if not falls else "rain" if _RAIN.search(told) else "snow"
    return brush, weather


def _vignette(stage: Stage, brush: Brush, strength: float) -> None:
    """Darker towards the corners, in the ink of the light."""
    centre = (stage.width / 2, stage.height * 0.48)
    radius = (stage.width**2 + stage.height**2) ** 0.5 * 0.56
    ink = stage.light.ink
    stops = [
        (0.0, clear(ink, 0)),
        (0.52, clear(ink, 0)),
        (0.78, clear(ink, strength * 0.38)),
        (1.0, clear(ink, strength)),
    ]
    brush.rect(0, 0, stage.width, stage.height, brush.radial(centre, radius, stops))


def _shafts(stage: Stage, brush: Brush, strength: float) -> None:
    """Three beams from the side of the light, soft at their edges, that fade on their way."""
    light, chance, ctx = stage.light, stage.chance("shafts"), brush.ctx
    side = 1 if light.side >= 0 else -1
    colour = lighter(light.glow, 0.15)
    top, low = stage.upper, stage.bottom
    stops = [
        (0.0, clear(colour, strength * 1.5)),
        (0.5, clear(colour, strength * 0.75)),
        (0.92, clear(colour, 0.0)),
    ]
    with brush.soft(_SOFT * stage.unit):
        ctx.fillStyle = brush.linear((0, top), (0, low), stops)
        ctx.beginPath()
        for index in range(3):
            start = stage.x(0.5 + side * (0.42 - 0.17 * index)) + chance.uniform(-2, 2) * stage.unit
            end = start - side * (low - top) * (0.42 + 0.08 * index)
            wide = stage.unit * chance.uniform(4, 8)
            ctx.moveTo(start - wide, top)
            ctx.lineTo(start + wide, top)
            ctx.lineTo(end + wide * 2.2, low)
            ctx.lineTo(end - wide * 2.2, low)
            ctx.closePath()
        ctx.fill()


def _dust(stage: Stage, brush: Brush) -> None:
    light, chance, u = stage.light, stage.chance("dust"), stage.unit
    colour = mix("#ffffff", light.glow, 0.5)
    for _ in range(38):
        x = stage.x(0.5 + light.side * 0.14 + chance.gauss(0, 0.26))
        y = stage.y(chance.uniform(0.05, 0.95))
        brush.circle(
            x, y, chance.choice((0.1, 0.14, 0.22)) * u, clear(colour, chance.uniform(0.12, 0.5))
        )


def _rain(stage: Stage, brush: Brush) -> None:
    chance, u, ctx = stage.chance("rain"), stage.unit, brush.ctx
    colour = mix(stage.light.rim, "#dfe9f5", 0.5)
    for count, long, width, alpha in ((110, 3.2, 0.12, 0.26), (34, 7.5, 0.2, 0.24)):
        ctx.beginPath()
        for _ in range(count):
            x, y = (
                chance.uniform(stage.left, stage.right),
                chance.uniform(stage.upper, stage.bottom),
            )
            reach = long * u * chance.uniform(0.7, 1.3)
            ctx.moveTo(x, y)
            ctx.lineTo(x - reach * 0.2, y + reach)
        ctx.strokeStyle, ctx.lineWidth, ctx.lineCap = clear(colour, alpha), width * u, "round"
        ctx.stroke()


def _snow(stage: Stage, brush: Brush) -> None:
    chance, u = stage.chance("snow"), stage.unit
    for _ in range(150):
        near = chance.random() ** 3
        x, y = chance.uniform(stage.left, stage.right), chance.uniform(stage.upper, stage.bottom)
        brush.circle(x, y, (0.14 + 0.55 * near) * u, clear("#f6f9ff", 0.75 - 0.4 * near))
