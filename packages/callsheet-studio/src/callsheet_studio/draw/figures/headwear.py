"""Beards, glasses, and what is worn on the head; from the front or turned half away."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet_studio.draw.colour import clear, mix
from callsheet_studio.draw.figures.outlines import mirrored, ring, traced
from callsheet_studio.draw.figures.shape import shape_of

if TYPE_CHECKING:
    from callsheet_studio.draw.figures.cut import Cut
    from callsheet_studio.draw.figures.paints import Paints


def paint_beard(cut: Cut, who: Paints, turn: float) -> None:
    """A beard, a shadow of one, a moustache."""
    face, look = shape_of(who, turn), who.look
    jaw = face.jaw
    far = 0.02 * turn
    full = look.has("beard")
    colour = who.hair.base if full else clear(who.hair.base, 0.42)
    lip = traced(
        "-0.12,0.765 -0.06,0.742 0,0.748 0.06,0.742 0.12,0.765 0.13,0.83 0.085,0.797 "
        "0,0.782 -0.085,0.797 -0.13,0.83"
    )
    if look.has("beard", "stubble"):
        drop = 0.055 if full else 0.004
        side = [
            (0.338, 0.44),
            (0.336 - far, 0.58),
            (jaw + 0.006 - far, 0.775),
            (face.chin + 0.1, 0.935 + drop * 0.7),
            (face.chin * 0.6, 0.995 + drop),
        ]
        inner = traced("0.09,0.9 0.135,0.83 0.16,0.755 0.25,0.7 0.305,0.58 0.322,0.44")
        whole = [
            *side,
            (0.0, 1.0 + drop),
            *mirrored(side)[::-1],
            *mirrored(inner)[::-1],
            (0.0, 0.885),
            *inner,
        ]
        if full:
            cut.part(whole, who.hair, corners=(0,), core=0.06)
        else:
            cut.flat(whole, colour)
    if look.has("beard", "moustache", "stubble"):
        cut.flat(lip, colour, corners=(5, 9))
    if full:
        cut.strands(
            who.hair,
            [
                [(-0.22, 0.8), (-0.16, 0.92), (-0.05, 1.02)],
                [(0.22, 0.8), (0.16, 0.92), (0.05, 1.02)],
                [(-0.1, 0.9), (-0.05, 0.96)],
                [(0.1, 0.9), (0.05, 0.96)],
            ],
            0.01,
        )


def paint_glasses(cut: Cut, who: Paints) -> None:
    """Round ones, with a gleam."""
    frame = mix(who.light.ink, "#3a2a20", 0.4)
    for side in (-1, 1):
        lens = ring(0.155 * side, 0.505, 0.105, 0.092)
        cut.flat(lens, who.lens)
        cut.line([*lens, *lens[:2]], frame, 0.014)
        cut.line([(0.26 * side, 0.49), (0.335 * side, 0.475)], frame, 0.013)
        gleam = [(0.1 * side, 0.45), (0.15 * side, 0.435), (0.11 * side, 0.53), (0.08 * side, 0.53)]
        cut.flat(gleam, clear("#ffffff", 0.2))
    cut.line([(-0.05, 0.5), (0.0, 0.485), (0.05, 0.5)], frame, 0.014)


def paint_headscarf(cut: Cut, who: Paints) -> None:
    """Around the face, falling on the shoulders."""
    cloth = who.scarf
    cut.flat(
        traced("-0.3,0.35 -0.2,0.2 0,0.15 0.2,0.2 0.3,0.35 0.3,0.1 -0.3,0.1"),
        clear(who.skin.deep, 0.35),
    )
    outer = traced(
        "0,-0.08 0.22,-0.02 0.36,0.14 0.42,0.42 0.43,0.8 0.5,1.15 0.62,1.36 0.3,1.52 "
        "0,1.56 -0.3,1.52 -0.62,1.36 -0.5,1.15 -0.43,0.8 -0.42,0.42 -0.36,0.14 "
        "-0.22,-0.02"
    )
    inner = traced(
        "0,0.125 -0.21,0.17 -0.32,0.36 -0.325,0.6 -0.25,0.82 -0.1,0.965 0,0.985 "
        "0.1,0.965 0.25,0.82 0.325,0.6 0.32,0.36 0.21,0.17"
    )
    cut.ring(outer, inner, cloth)
    soft = clear(cloth.deep, 0.5)
    cut.line(traced("0.3,0.86 0.1,1.1 -0.2,1.3 -0.42,1.36"), soft, 0.022)
    cut.line([(0.36, 0.95), (0.2, 1.22), (-0.05, 1.42)], soft, 0.018)
    cut.line([(-0.34, 0.84), (-0.2, 1.04), (-0.04, 1.14)], soft, 0.018)
    cut.line(traced("-0.37,0.3 -0.26,0.1 0,0.02 0.26,0.1 0.37,0.3"), clear(cloth.lit, 0.5), 0.016)


def paint_cap(cut: Cut, who: Paints) -> None:
    """A cap, or a helmet."""
    hard = who.look.has("helmet")
    cloth = who.hat
    rise = 0.16 if hard else 0.12
    dome = [
        (-0.385, 0.25),
        (-0.355, 0.08),
        (-0.23, -0.07),
        (-0.05, -rise),
        (0.1, -rise + 0.005),
        *traced("0.25,-0.06 0.36,0.09 0.385,0.25 0.2,0.2 0,0.185 -0.2,0.2"),
    ]
    cut.part(dome, cloth, corners=(0, 7), core=0.08)
    visor = traced("-0.41,0.25 -0.3,0.185 0,0.15 0.3,0.185 0.41,0.25 0.3,0.29 0,0.265 -0.3,0.29")
    cut.flat([(x * 0.8, y + 0.06) for x, y in visor], clear(who.skin.deep, 0.45))
    cut.part(visor, cloth, corners=(0, 4), core=0.03)
    if hard:
        cut.flat(
            [(-0.05, -rise), (0.05, -rise), (0.055, 0.16), (-0.055, 0.16)], clear(cloth.lit, 0.6)
        )
