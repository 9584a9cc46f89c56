"""The phone: large in the frame, a room behind it out of focus, cards that leave its screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet_studio.draw.colour import clear, lighter, mix
from callsheet_studio.draw.devices import PHONE, paint_phone
from callsheet_studio.draw.pane import Pane
from callsheet_studio.draw.screens import screen_of

if TYPE_CHECKING:
    from callsheet_studio.draw.screens import Screen
    from callsheet_studio.draw.stage import Stage

GROUND = 0.9
SURFACE = (0.5, 0.9)
LOOK = (0.5, 0.46)

_TALL = 0.86
_BROAD = 0.7
_NARROW, _ON_PHONES = 1.5, (0.6, 0.41)
"""In a frame for phones, how high it is and where its middle is: clear of buttons and captions."""


def paint(stage: Stage) -> None:
    """A blurred room behind, the phone in the middle, one card before it."""
    screen = screen_of(stage.words, "phone", stage.light, accent=stage.accent, brand=stage.brand)
    _room(stage)
    _lights(stage)
    _table(stage, screen)
    share, middle = _ON_PHONES if stage.height >= stage.width * _NARROW else (_TALL, 0.5)
    high = min(stage.height * share, stage.width * _BROAD / PHONE)
    x, y = stage.x(0.5), stage.y(middle)
    glow = 0.16 + 0.5 * stage.light.dark
    stage.middle.glow(x, y, high * 0.85, screen.shine, glow)
    is_wide = stage.width > stage.height
    if is_wide:
        _cards(stage, screen)
    lean = -0.2 if stage.light.side > 0 else 0.2
    paint_phone(
        stage.middle,
        stage.light,
        screen,
        x=x,
        y=y,
        height=high,
        turn=0.05 if lean < 0 else -0.05,
        lean=lean if is_wide else lean * 0.5,
        seed=stage.seed,
    )
    _near(stage)


def _room(stage: Stage) -> None:
    """Large soft planes: a wall, a window on the side of the light, something dark opposite."""
    light, brush, side = stage.light, stage.back, stage.light.side
    spare = stage.bleed
    left, top = stage.left - spare, stage.upper - spare
    wide, high = stage.whole[0] + 2 * spare, stage.whole[1] + 2 * spare
    night = light.dark * 0.7
    wall = [
        (0.0, light.shaded(light.top, night)),
        (0.5, light.shaded(light.mid, night)),
        (1.0, light.shaded(mix(light.low, light.near, 0.35), night)),
    ]
    brush.rect(left, top, wide, high, brush.linear((0, top), (0, top + high), wall))
    x = stage.x(0.5 + (0.36 if side > 0 else -0.36))
    reach = max(stage.width, stage.height) * 0.6
    brush.glow(x, stage.y(0.3), reach, light.glow, 0.75 * (1 - light.dark))
    with brush.soft(2.4 * stage.unit):
        pane = clear(lighter(light.glow, 0.3), 0.6 * (1 - light.dark))
        step, tall = stage.x(0.115), stage.y(0.56)
        for index in range(2):
            at = x + (index - 1) * step * 1.12
            brush.rect(at, stage.y(0.06), step, tall, pane)
        far = stage.x(0.5 - (0.4 if side > 0 else -0.4))
        shelf = clear(light.shaded(light.near, 0.35), 0.5)
        for row, share in enumerate((0.2, 0.42)):
            brush.rect(far - stage.x(0.13), stage.y(share), stage.x(0.26), 1.8 * stage.unit, shelf)
            for thing in range(4):
                at = far - stage.x(0.11) + thing * stage.x(0.058)
                colour = (stage.accent, light.fill, light.key, light.far)[(thing + row) % 4]
                tall = (7 + 4 * ((thing * 7 + row) % 3)) * stage.unit
                soft = clear(light.shaded(light.air(colour, 0.6), 0.3 * light.dark), 0.7)
                brush.rect(at, stage.y(share) - tall, stage.x(0.036), tall, soft)


def _lights(stage: Stage) -> None:
    """Lamps far out of focus: discs, where lamps are lit; pale ones by day."""
    light, brush, chance, u = stage.light, stage.back, stage.chance("bokeh"), stage.unit
    strength = 0.08 + 0.3 * light.lamps
    for index in range(16):
        x, y = chance.uniform(stage.left, stage.right), stage.y(chance.uniform(0.05, 0.66))
        size = chance.uniform(2.2, 6.5) * u
        colour = (light.glow, light.rim, stage.accent)[index % 3]
        alpha = strength * chance.uniform(0.4, 1.0)
        brush.circle(x, y, size, clear(colour, alpha))
        brush.circle(x, y, size * 0.86, clear(colour, alpha * 0.4))


def _table(stage: Stage, screen: Screen) -> None:
    """The edge of a table, and what the screen throws on it."""
    light, brush, u = stage.light, stage.back, stage.unit
    y, low = stage.y(0.82), stage.bottom + stage.bleed
    wood = light.shaded(light.air("#8d6a4c", 0.8), 0.3 + 0.5 * light.dark)
    stops = [(0.0, clear(wood, 0.0)), (0.18, wood), (1.0, light.shaded(wood, 0.5))]
    wide = stage.whole[0] + 2 * stage.bleed
    left = stage.left - stage.bleed
    brush.rect(
        left, y - 4 * u, wide, low - y + 4 * u, brush.linear((0, y - 4 * u), (0, low), stops)
    )
    brush.glow(stage.x(0.5), stage.y(0.97), 46 * u, screen.shine, 0.2 + 0.4 * light.dark)


def _cards(stage: Stage, screen: Screen) -> None:
    """Three cards beside the phone, in the manner of its interface."""
    u, light = stage.unit, stage.light
    places = ((0.155, 0.26, 1.0), (0.19, 0.6, 0.86), (0.825, 0.4, 1.0))
    for index, (x, y, size) in enumerate(places):
        wide, tall = 34 * u * size, 15 * u * size
        left, top = stage.x(x) - wide / 2, stage.y(y) - tall / 2
        brush = stage.middle
        pane = Pane(brush, screen.skin, u * 0.62 * size, stage.chance(f"card {index}"))
        e = pane.e
        with brush.soft(1.4 * u):
            brush.rect(left + u, top + 2.5 * u, wide, tall, clear(light.ink, 0.3), radius=5 * e)
        pane.card((left, top, wide, tall), radius=5)
        mark = (screen.skin.accent, screen.skin.second, screen.skin.accent)[index]
        brush.circle(left + 10 * e, top + tall / 2, 6 * e, mark)
        if index == 1:
            brush.circle(left + 10 * e, top + tall / 2, 2.6 * e, screen.skin.card)
        else:
            pane.tick(left + 10 * e, top + tall / 2, 2.8 * e, screen.skin.card)
        pane.bar(left + 21 * e, top + tall * 0.3, wide * 0.46, high=3, colour=screen.skin.ink)
        pane.bar(left + 21 * e, top + tall * 0.55, wide * (0.36 - 0.08 * index), high=2.4)


def _near(stage: Stage) -> None:
    """Something on the table, so near that it is only a shape."""
    light, brush, u = stage.light, stage.front, stage.unit
    x = stage.x(0.03 if light.side > 0 else 0.97)
    colour = light.shaded(light.air(stage.accent, 0.9), 0.3 + 0.4 * light.dark)
    with brush.soft(1.6 * u):
        brush.rect(x - 7 * u, stage.y(0.87), 14 * u, 40 * u, colour, radius=2 * u)
        brush.ellipse(x, stage.y(0.87), 7 * u, 1.6 * u, light.lit(colour, 0.3))
