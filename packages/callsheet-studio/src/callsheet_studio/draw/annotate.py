"""The annotation of a storyboard frame: slate, chips, thirds, corners and what the camera does.

A layer of its own over the clean picture.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet_studio.draw.brush import Brush
from callsheet_studio.draw.colour import clear
from callsheet_studio.draw.glyphs import GLYPHS, INK, YELLOW, Sheet
from callsheet_studio.draw.text import Block, line, write
from callsheet_studio.library.slate import chips_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from callsheet_studio.draw.brush import Point
    from callsheet_studio.model.shots import Shot


def annotation(shot: Shot, size: tuple[int, int], fps: str, language: str = "en") -> Brush:
    """The annotation of a shot, as large as the frame."""
    brush = Brush(*size)
    sheet = Sheet(brush, *size)
    _thirds(sheet)
    _corners(sheet)
    glyph = GLYPHS.get(shot.movement.kind)
    if glyph is not None:
        glyph(sheet, shot.movement.direction)
    _slate(sheet, shot.id, chips_of(shot, fps, language))
    return brush


def _thirds(sheet: Sheet) -> None:
    thin, colour = sheet.unit * 0.14, clear("#ffffff", 0.3)
    for part in (1 / 3, 2 / 3):
        sheet.brush.rect(part * sheet.width, 0, thin, sheet.height, colour)
        sheet.brush.rect(0, part * sheet.height, sheet.width, thin, colour)


def _corners(sheet: Sheet) -> None:
    edge, long, wide = sheet.unit * 3.6, sheet.unit * 4.8, sheet.unit * 0.36
    ctx = sheet.brush.ctx
    for colour, extra in ((clear(INK, 0.35), 0.3 * sheet.unit), ("#ffffff", 0.0)):
        ctx.beginPath()
        for x, sx in ((edge, 1), (sheet.width - edge, -1)):
            for y, sy in ((edge, 1), (sheet.height - edge, -1)):
                ctx.moveTo(x + sx * long, y)
                ctx.lineTo(x, y)
                ctx.lineTo(x, y + sy * long)
        ctx.strokeStyle, ctx.lineWidth = colour, wide + extra
        ctx.stroke()


def _slate(sheet: Sheet, name: str, chips: Sequence[str]) -> None:
    """The name of the shot in yellow, its data beside it; below it where the frame is narrow."""
    u, brush = sheet.unit, sheet.brush
    x, y = 6.1 * u, 6.1 * u
    block = line(name, 5.6 * u, weight=700)
    wide, high = max(block.width + 5.6 * u, 11.9 * u), 7.0 * u
    brush.rect(x, y, wide, high, YELLOW, radius=0.8 * u)
    write(brush, block, x=x + wide / 2, y=y + (high - block.height) / 2, colour=INK, align="center")
    left, row = x + wide + 1.7 * u, y + 1.15 * u
    for chip in chips:
        label = line(chip, 3.3 * u)
        reach = label.width + 3.6 * u
        if left + reach > sheet.width - 4 * u:
            left, row = x, max(row + 5.6 * u, y + high + 1.6 * u)
        _chip(brush, label, (left, row), (reach, 4.7 * u))
        left += reach + 1.1 * u


def _chip(brush: Brush, label: Block, at: Point, size: Point) -> None:
    brush.rect(*at, *size, clear(INK, 0.72), radius=size[1] / 2)
    middle = at[0] + size[0] / 2
    top = at[1] + (size[1] - label.height) / 2
    write(brush, label, x=middle, y=top, colour="#ffffff", align="center")
