"""Designed cards: titles, end cards, a film's name in a picture, and words for what has no drawing.

Typography in the film's palette, with one large motif that the light falls on, on all three layers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from callsheet_studio.draw.colour import (
    clear,
    darker,
    lighter,
    luminance,
    mix,
    rgb,
)
from callsheet_studio.draw.motifs import FORMS, MOTIFS, Motif, Tones
from callsheet_studio.draw.own import paint_logo
from callsheet_studio.draw.text import Block, fitted, write

if TYPE_CHECKING:
    from callsheet_studio.draw.light import Light
    from callsheet_studio.draw.stage import Stage
    from callsheet_studio.draw.style import FilmStyle

_TALL = 1.2
"""Heights per width from which on a frame is one for phones: 4:5 is, too."""
_PHONE = 1.5
"""Heights per width from which apps put their buttons over its lower third."""
_BANDS = {True: (0.155, 0.545), False: (0.07, 0.75)}
"""Where a motif begins and words end, as parts of the height: above a caption of two lines, even
when the camera comes closer; on a phone the lower third is under its buttons."""
_WORDMARK = 0.36
"""Where the middle of a name is there, at the lowest."""
SAFE = 0.1
"""Nothing is written nearer to an edge than so much of the frame."""
_BRIGHT = 0.3
"""How dark a light may be for a card on light ground."""
_APART = 0.16
"""How much brighter or darker than the ground a colour must be to be seen on it."""
_PALE = 0.5


def tones_of(style: FilmStyle, light: Light) -> Tones:
    """On light ground by day, on deep ground at night and in the studio."""
    main = min(style.palette, key=luminance)
    accent = style.accent
    if light.dark < _BRIGHT and light.name in {"high_key", "soft_day", "window", "hard_sun"}:
        ground = mix(lighter(main, 0.86), light.low, 0.22)
        others = tuple(each for each in style.palette if each != accent) or (main,)
        shape = max(others, key=lambda each: abs(luminance(each) - luminance(ground)))
        return Tones(
            ground,
            mix(ground, main, 0.22),
            darker(main, 0.3),
            shape,
            mix(shape, ground, 0.5),
            _apart(accent, ground),
            darker(main, 0.62),
        )
    ground = main if luminance(main) < 0.12 else darker(main, 0.45)  # noqa: PLR2004 -- ink on it
    return Tones(
        ground,
        darker(ground, 0.5),
        darker(ground, 0.55),
        mix(ground, accent, 0.32),
        mix(ground, light.key, 0.3),
        _apart(accent, ground),
        mix("#fbf7ef", accent, 0.05),
    )


def _apart(colour: str, ground: str) -> str:
    """The colour, moved away from the ground until it is seen on it."""
    dark = luminance(ground) < _PALE
    channels = rgb(colour)
    # A full colour is seen sooner than a grey one.
    needed = _APART + 0.3 * (1 - (max(channels) - min(channels)) / 255)
    for share in (0.0, 0.2, 0.4, 0.6):
        moved = lighter(colour, share) if dark else darker(colour, share)
        if abs(luminance(moved) - luminance(ground)) >= needed:
            return moved
    return lighter(colour, 0.7) if dark else darker(colour, 0.7)


# Whole cards


def paint_card(
    stage: Stage,
    style: FilmStyle,
    title: str,
    under: str,
    logo: bytes | None = None,
    thing: str = "",
) -> None:
    """A title or end card: the film's name, and below it what to do.

    Beside it the logo, if there is one, or what the film is about.
    """
    tones = tones_of(style, stage.light)
    motif = stage.chance("motif").choice(MOTIFS) if logo is None else _logo(logo)
    if thing and logo is None:
        motif = _of_thing(thing, style.brand)
    low = logo is None and _is_tall(stage)
    _compose(stage, tones, _copy(stage, title, under, alone=low), motif, low=low)


def _logo(data: bytes) -> Motif:
    """The user's logo where else a motif is."""

    def paint(stage: Stage, tones: Tones, centre: tuple[float, float], radius: float) -> None:
        paint_logo(stage, data, centre, radius, tones.ground)

    return paint


def _of_thing(name: str, brand: str) -> Motif:
    """What a film is about where else a motif is."""
    from callsheet_studio.draw.props import catalog, paint_prop

    def paint(stage: Stage, tones: Tones, centre: tuple[float, float], radius: float) -> None:
        size = 1.5 * radius / max(catalog()[name.partition(":")[0]].grow, 1.0)
        with stage.in_frame("back") as back:
            back.circle(*centre, radius, clear(tones.shape, 0.5))
        with stage.in_frame() as brush:
            paint_prop(
                brush,
                name,
                stage.light,
                x=centre[0],
                y=centre[1] + size * 0.5,
                size=size,
                accent=tones.accent,
                brand=brand,
                shadow=False,
            )

    return paint


def paint_words(stage: Stage, style: FilmStyle, text: str) -> None:
    """What has no drawing: its words, large, in the light of its scene."""
    tones = scene_tones(style, stage.light)
    motif, low = stage.chance(f"motif/{text}").choice(FORMS), _is_tall(stage)
    _compose(stage, tones, _copy(stage, text, "", alone=low), motif, low=low)


def scene_tones(style: FilmStyle, light: Light) -> Tones:
    """The deep colour of the film in the light of a scene."""
    main = min(style.palette, key=luminance)
    ground = mix(mix(main, light.midground, 0.1), light.ink, 0.08 + 0.3 * light.dark)
    return Tones(
        ground=ground,
        deep=mix(ground, light.ink, 0.5),
        dark=mix(ground, light.ink, 0.66),
        shape=mix(ground, light.glow, 0.3),
        second=mix(ground, light.fill, 0.5),
        accent=_apart(style.accent, ground),
        ink=mix("#ffffff", light.key, 0.2) if luminance(ground) < _PALE else light.ink,
    )


def paint_wordmark(stage: Stage, style: FilmStyle, text: str, *, at: float = 0.47) -> None:
    """A film's name before its set: the set steps back, the name stands in the light.

    Args:
        stage: with its set.
        style: of the film.
        text: the name.
        at: where its middle is, as a part of the height.
    """
    light = stage.light
    at = min(at, _WORDMARK) if _is_tall(stage) else at
    ink = mix("#ffffff", light.key, 0.25)
    shade = mix(darker(min(style.palette, key=luminance), 0.4), light.ink, 0.25)
    with stage.in_frame("back") as back:
        wide = stage.right - stage.left
        stops = [(0.0, clear(shade, 0.3)), (0.5, clear(shade, 0.62)), (1.0, clear(shade, 0.42))]
        fill = back.linear((0, stage.upper), (0, stage.bottom), stops)
        back.rect(stage.left, stage.upper, wide, stage.bottom - stage.upper, fill)
    block = fitted(
        text,
        (stage.width * (1 - 2.6 * SAFE), stage.height * (0.3 if _is_tall(stage) else 0.42)),
        largest=min(stage.height * 0.26, stage.width * 0.2),
        smallest=stage.unit * 3,
        weight=700,
    )
    with stage.in_frame() as brush:
        x, y = stage.width / 2, stage.height * at - block.height / 2
        brush.glow(x, stage.height * at, block.width * 0.7 + 10 * stage.unit, light.glow, 0.42)
        with brush.soft(1.1 * stage.unit):
            write(
                brush, block, x=x, y=y + 0.9 * stage.unit, colour=clear(shade, 0.85), align="center"
            )
        stops = [(0.0, "#ffffff"), (0.5, ink), (1.0, mix(ink, light.fill, 0.35))]
        write(
            brush,
            block,
            x=x,
            y=y,
            colour=brush.linear((0, y), (0, y + block.height), stops),
            align="center",
        )
        bar = min(block.width, 24 * stage.unit)
        below = y + block.height + block.size * 0.3
        brush.rect(x - bar / 2, below, bar, 0.8 * stage.unit, _apart(style.accent, shade))


# Parts


def ground_of(stage: Stage, tones: Tones) -> None:
    """What a card or a figure lies on."""
    light = stage.light
    with stage.in_frame("back") as brush:
        wide, high = stage.right - stage.left, stage.bottom - stage.upper
        stops = [(0.0, mix(tones.ground, light.key, 0.08)), (0.55, tones.ground), (1.0, tones.deep)]
        fill = brush.linear((stage.left, stage.upper), (stage.right * 0.6, stage.bottom), stops)
        brush.rect(stage.left, stage.upper, wide, high, fill)
        x = stage.x(0.5 + 0.38 * light.side)
        brush.glow(x, stage.y(0.1), 0.75 * max(stage.width, stage.height), light.glow, 0.16)


def _edges(stage: Stage, tones: Tones) -> None:
    """Something small and near, so that the card has depth when the camera moves."""
    u, chance = stage.unit, stage.chance("edges")
    with stage.in_frame("front") as brush:
        for _ in range(5):
            x = chance.choice(
                (stage.x(chance.uniform(-0.06, 0.05)), stage.x(chance.uniform(0.95, 1.06)))
            )
            y, radius = stage.y(chance.uniform(0.05, 1.0)), chance.uniform(0.5, 1.5) * u
            brush.circle(x, y, radius, clear(tones.accent, chance.uniform(0.25, 0.7)))


class _Copy(msgspec.Struct, frozen=True):
    """What is written on a card, and where it begins."""

    name: Block
    call: Block
    gap: float
    top: float


def _copy(stage: Stage, title: str, under: str, *, alone: bool = False) -> _Copy:
    """The words; `alone` in the middle of what is free on a phone, else at its end."""
    u, is_wide = stage.unit, stage.width > stage.height
    width = stage.width * (0.45 if is_wide else 1 - 2 * SAFE)
    largest = min(stage.height * (0.19 if is_wide else 0.1), stage.width * 0.16)
    high_name, high_call = _heights(stage, alone=not under)
    name = fitted(
        title, (width, stage.height * high_name), largest=largest, smallest=2.6 * u, weight=700
    )
    call = fitted(
        under,
        (width, stage.height * high_call),
        largest=min((7.4 if is_wide else 5.2) * u, name.size * 0.75),
        smallest=2.2 * u,
        weight=500,
    )
    gap = max(5.4 * u, name.size * 0.42) if under else 0.0
    high = name.height + gap + (call.height if under else 0.0)
    start, end = _band(stage, alone=alone)
    middle = 0.5 if is_wide else (start + end) / 2 + 0.02
    lowest = stage.height * end - high
    centred = min(stage.height * middle - high / 2, lowest)
    return _Copy(name, call, gap, centred if is_wide or alone else lowest)


def _heights(stage: Stage, *, alone: bool) -> tuple[float, float]:
    """How high a name and what is under it may be, as parts of the height."""
    if _is_tall(stage):
        return (0.26 if alone else 0.19), 0.1
    return (0.36, 0.2) if stage.width > stage.height else (0.28, 0.15)


def _is_tall(stage: Stage) -> bool:
    return stage.height >= stage.width * _TALL


def _band(stage: Stage, *, alone: bool = False) -> tuple[float, float]:
    """The part of a frame that words and motif have for themselves."""
    return _BANDS[alone or stage.height >= stage.width * _PHONE]


def _beside(stage: Stage, copy: _Copy, *, low: bool) -> tuple[tuple[float, float], float]:
    """The motif above the words; or large below them, where captions may lie on it."""
    if low:
        return (stage.x(0.58), stage.y(0.84)), stage.width * 0.38
    above = stage.height * _band(stage)[0]
    room = copy.top - 9 * stage.unit - above
    radius = min(stage.width * 0.36, room / 2)
    return (stage.x(1 - SAFE) - radius, above + room / 2), radius


def _compose(stage: Stage, tones: Tones, copy: _Copy, motif: Motif, *, low: bool = False) -> None:
    """Words on the left and the motif on the right; or the motif above or below the words."""
    u = stage.unit
    ground_of(stage, tones)
    if stage.width > stage.height:
        radius = min(stage.width * 0.2, stage.height * 0.36)
        centre = stage.x(0.765), stage.y(0.49)
    else:
        centre, radius = _beside(stage, copy, low=low)
    motif(stage, tones, centre, radius)
    _edges(stage, tones)
    x = stage.x(SAFE)
    with stage.in_frame() as brush:
        brush.rect(x, copy.top - 5 * u, 11 * u, 1.1 * u, tones.accent)
        write(brush, copy.name, x=x, y=copy.top, colour=tones.ink)
        below = copy.top + copy.name.height + copy.gap
        write(brush, copy.call, x=x, y=below, colour=mix(tones.ink, tones.ground, 0.2))
