"""Right from above: a floor with people on it, or a table with a thing that lies there."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import msgspec

from callsheet_studio.draw.colour import clear, darker, lighter, mix
from callsheet_studio.draw.figures.paints import paints_of

if TYPE_CHECKING:
    from callsheet_studio.draw.brush import Brush
    from callsheet_studio.draw.figures import Look
    from callsheet_studio.draw.figures.paints import Paints
    from callsheet_studio.draw.reading import Subject
    from callsheet_studio.draw.stage import Stage
    from callsheet_studio.draw.things import Scene

_METRE = {"EWS": 0.1, "WS": 0.22, "FS": 0.34, "MWS": 0.46, "MS": 0.6}
"""Heights of the frame that a metre is, for people."""
_FLAT = frozenset((
    "list", "wet_list", "book", "notebook", "calendar", "receipt", "ticket", "map", "card",
    "envelope", "phone", "tablet", "wallet", "key", "pen",
))  # fmt: skip
"""Things whose face is their upper side."""
_ROUND = frozenset(("cup", "deposit_cup"))
_WOOD, _STONE, _EARTH, _GREEN = "#9b7452", "#8d9196", "#7d6a4e", "#7f9a5c"
_FLOORS = {
    "field": ("rows", _GREEN), "forest": ("plain", "#5f7a4a"), "mountain": ("plain", "#8a8f7c"),
    "coast": ("boards", "#a08a6c"), "harbour": ("boards", "#94836c"), "street": ("lane", "#6a6e76"),
    "road": ("lane", "#5f6268"), "skyline": ("slabs", _STONE), "factory": ("lane", "#85888a"),
    "kitchen": ("slabs", "#b7a588"), "shop": ("slabs", "#b9b4a6"), "clinic": ("slabs", "#c3cdca"),
    "lab": ("slabs", "#c5ccd0"), "office": ("slabs", "#7f8f97"), "meeting": ("slabs", "#8b8f96"),
}  # fmt: skip
"""What the ground of a place is, and its colour; else boards."""
_LAID = 0.6
"""How large a thing on a table is, against the frame."""


class _Ground(msgspec.Struct, frozen=True):
    """A surface that fills the frame."""

    kind: str
    colour: str
    metre: float


def seen_from_above(scene: Scene, subject: Subject) -> bool:
    """Whether a shot is one that is drawn from right above."""
    if scene.framing.angle != "overhead":
        return False
    if subject.kind == "people":
        return scene.framing.size in _METRE
    return subject.kind == "thing" and subject.props[0] in _FLAT | _ROUND


def paint_above(scene: Scene, subject: Subject) -> None:
    """The ground, and who or what is on it."""
    stage, framing = scene.stage, scene.framing
    if subject.kind == "thing":
        _surface(stage, _Ground("boards", _WOOD, framing.base * 0.9))
        _laid(scene, subject.props[0])
        scene.record.thing(subject.props[0])
        return
    place = scene.painting.name if scene.painting else ""
    kind, colour = _FLOORS.get(place, ("boards", _WOOD))
    metre = _METRE[framing.size] * framing.base
    _surface(stage, _Ground(kind, colour, metre))
    count = len(subject.names)
    scene.record.cast(subject.names, [scene.worn(name) for name in subject.names], subject.pose)
    with stage.in_frame() as brush:
        for number, name in enumerate(subject.names):
            x = framing.width * (0.5 + (framing.thirds[0] - 0.5) * 0.6)
            x += (number - (count - 1) / 2) * 0.95 * metre
            y = framing.height * (0.52 + 0.07 * ((number % 2) if count > 1 else 0))
            goes = subject.pose in {"walking", "running"}
            _somebody(
                brush, paints_of(scene.look(name), stage.light), (x, y), metre,
                turn=0.0 if framing.facing > 0 else math.pi, goes=goes,
            )  # fmt: skip


# Ground


def _surface(stage: Stage, ground: _Ground) -> None:
    light = stage.light
    tone = light.air(ground.colour, 0.92)
    with stage.in_frame("back") as brush:
        wide, high = stage.right - stage.left, stage.bottom - stage.upper
        brush.rect(stage.left, stage.upper, wide, high, tone)
        {"rows": _rows, "lane": _lane, "slabs": _slabs, "plain": _plain}.get(ground.kind, _boards)(
            stage, brush, tone, ground.metre
        )
        far = max(stage.width, stage.height)
        x, y = stage.x(0.5 + 0.3 * light.side), stage.y(0.2)
        brush.glow(x, y, far * 0.8, light.key, 0.16 + 0.12 * light.hard)
        fade = [(0.0, clear(light.ink, 0.0)), (0.6, clear(light.ink, 0.08)),
                (1.0, clear(light.ink, 0.34))]  # fmt: skip
        centre = (stage.x(0.5), stage.y(0.5))
        vignette = brush.radial(centre, far * 0.75, fade)
        brush.rect(stage.left, stage.upper, wide, high, vignette)


def _boards(stage: Stage, brush: Brush, tone: str, metre: float) -> None:
    chance, step = stage.chance("above"), metre * 0.18
    y = stage.upper
    while y < stage.bottom:
        shade = chance.choice((stage.light.shaded(tone, 0.6), stage.light.lit(tone, 0.6)))
        wide = stage.right - stage.left
        brush.rect(stage.left, y, wide, step, clear(shade, chance.uniform(0.03, 0.16)))
        brush.rect(stage.left, y, wide, max(step * 0.04, 1), clear(stage.light.ink, 0.34))
        x = stage.left + chance.uniform(0.2, 1.6) * metre
        while x < stage.right:
            brush.rect(x, y, max(step * 0.04, 1), step, clear(stage.light.ink, 0.3))
            x += chance.uniform(1.2, 2.6) * metre
        y += step


def _slabs(stage: Stage, brush: Brush, tone: str, metre: float) -> None:
    chance, step = stage.chance("above"), metre * 0.6
    line = clear(stage.light.ink, 0.22)
    for row in range(math.ceil((stage.bottom - stage.upper) / step)):
        y = stage.upper + row * step
        for column in range(math.ceil((stage.right - stage.left) / step)):
            x = stage.left + column * step
            shade = chance.choice((stage.light.shaded(tone, 0.6), stage.light.lit(tone, 0.6)))
            brush.rect(x, y, step, step, clear(shade, chance.uniform(0.0, 0.1)))
            brush.rect(x, y, step, max(step * 0.02, 1), line)
            brush.rect(x, y, max(step * 0.02, 1), step, line)


def _rows(stage: Stage, brush: Brush, tone: str, metre: float) -> None:
    chance, step = stage.chance("above"), metre * 0.75
    earth, leaf = stage.light.air(_EARTH, 0.9), stage.light.lit(tone, 0.2)
    y = stage.upper
    while y < stage.bottom:
        brush.rect(stage.left, y, stage.right - stage.left, step * 0.42, clear(earth, 0.75))
        x = stage.left
        while x < stage.right:
            size = step * chance.uniform(0.16, 0.26)
            colour = chance.choice((leaf, stage.light.shaded(tone, 0.3)))
            brush.circle(x, y + step * 0.7, size, clear(colour, 0.8))
            x += step * chance.uniform(0.3, 0.5)
        y += step


def _lane(stage: Stage, brush: Brush, tone: str, metre: float) -> None:
    _plain(stage, brush, tone, metre)
    paint = clear(lighter(stage.light.lit(tone, 0.5), 0.5), 0.8)
    y = stage.y(0.78)
    for number in range(-4, 8):
        brush.rect(stage.x(0.1) + number * metre * 1.5, y, metre * 0.9, metre * 0.1, paint)


def _plain(stage: Stage, brush: Brush, tone: str, metre: float) -> None:
    chance = stage.chance("above")
    for _ in range(70):
        x, y = chance.uniform(stage.left, stage.right), chance.uniform(stage.upper, stage.bottom)
        shade = chance.choice((stage.light.shaded(tone, 0.5), stage.light.lit(tone, 0.5)))
        size = metre * chance.uniform(0.08, 0.4)
        brush.ellipse(x, y, size, size * 0.5, clear(shade, 0.12), turn=chance.uniform(0, 3))


# People


def _somebody(
    brush: Brush, who: Paints, at: tuple[float, float], metre: float, *, turn: float, goes: bool
) -> None:
    """Head, shoulders, arms and shoes, with a long shadow; turned to where they look."""
    light, small = who.light, 0.78 if who.look.age == "child" else 1.0
    long = metre * small * (0.9 + 0.6 * light.hard)
    x, y = at
    with brush.soft(metre * 0.03):
        brush.line(
            [(x, y), (x - light.side * long, y + long * 0.42)],
            clear(light.ink, 0.3 + 0.2 * light.hard), metre * 0.3 * small,
        )  # fmt: skip
    with brush.moved(x, y, scale=metre * small, turn=turn):
        step = 0.2 if goes else 0.06
        for side in (-1, 1):
            brush.ellipse(step * side + 0.03, 0.1 * side, 0.14, 0.055, who.shoes.shade)
        _shoulders(brush, who, swing=0.16 if goes else 0.05)
        _crown(brush, who.look, who)


def _shoulders(brush: Brush, who: Paints, swing: float) -> None:
    cloth = who.cloth
    for side in (-1, 1):
        reach = 0.06 - swing * side
        sleeve = [(-0.02, 0.2 * side), (reach * 0.7, 0.29 * side), (reach + 0.1, 0.3 * side)]
        brush.curve(sleeve, cloth.shade, 0.12)
        brush.circle(reach + 0.15, 0.3 * side, 0.045, who.skin.base)
    lit = (0, -0.25) if (who.light.side < 0) else (0, 0.25)
    fill = brush.linear(
        lit, (0, -lit[1]), [(0.0, cloth.lit), (0.45, cloth.base), (1.0, cloth.shade)]
    )
    brush.shape(
        ((-0.12, 0.0), (-0.1, 0.2), (0.0, 0.27), (0.1, 0.2), (0.12, 0.0), (0.1, -0.2), (0.0, -0.27),
         (-0.1, -0.2)), fill,
    )  # fmt: skip


def _crown(brush: Brush, look: Look, who: Paints) -> None:
    """The top of a head: a nose, hair with its parting, or what is worn on it."""
    top = who.scarf if look.has("headscarf") else who.hat if look.has("cap", "helmet") else who.hair
    if look.style == "bald" and not look.has("cap", "helmet", "headscarf"):
        top = who.skin
    brush.ellipse(0.0, 0.02, 0.15, 0.13, clear(who.light.ink, 0.3))
    brush.ellipse(0.05, 0.0, 0.115, 0.09, who.skin.base)
    brush.ellipse(0.155, 0.0, 0.026, 0.02, who.skin.shade)
    if look.has("cap", "helmet"):
        brush.ellipse(0.12, 0.0, 0.09, 0.075, top.shade)
    if look.covered and not look.has("headscarf"):
        brush.ellipse(-0.07, 0.0, 0.13, 0.12, top.shade)
    if look.style in {"bun", "ponytail", "pigtails"}:
        brush.ellipse(-0.15, 0.0, 0.06, 0.05, top.base)
    fill = brush.radial((-0.05, -0.04), 0.2, [(0.0, top.lit), (0.5, top.base), (1.0, top.shade)])
    brush.ellipse(-0.01, 0.0, 0.125, 0.108, fill)
    brush.curve([(0.1, -0.03), (0.0, -0.035), (-0.1, -0.01)], clear(top.deep, 0.5), 0.008)


# Things


def _laid(scene: Scene, name: str) -> None:
    """A thing on a table, a little askew, as it was put down."""
    from callsheet_studio.draw.props import paint_prop

    stage, framing = scene.stage, scene.framing
    x, y = framing.width * (0.5 + (framing.thirds[0] - 0.5) * 0.4), framing.height * 0.52
    size = _LAID * framing.base * (1.15 if framing.size in {"CU", "ECU"} else 1.0)
    askew = stage.chance(f"askew/{name}").uniform(-0.16, 0.16)
    with stage.in_frame() as brush:
        if name in _ROUND:
            _cup(brush, stage, (x, y), size)
            return
        light = stage.light
        shade = [(0.0, clear(light.ink, 0.55)), (0.6, clear(light.ink, 0.4)),
                 (1.0, clear(light.ink, 0.0))]  # fmt: skip
        with brush.moved(x, y, turn=askew):
            reach, aside = size * 0.56, -light.side * size * 0.05
            fill = brush.radial((aside, size * 0.06), reach, shade)
            brush.circle(aside, size * 0.06, reach, fill)
            paint_prop(
                brush, name, light, x=0, y=size * 0.5, size=size, accent=stage.accent,
                brand=scene.brand, shadow=False,
            )  # fmt: skip


def _cup(brush: Brush, stage: Stage, at: tuple[float, float], size: float) -> None:
    """A cup on its saucer, and the ring that another one has left."""
    light, accent = stage.light, stage.accent
    china = light.air("#f1ece2", 0.95)
    (x, y), r = at, size * 0.5
    stain = clear(darker(light.air("#6b4a30", 0.9), 0.2), 0.5)
    ring = [
        (x + r * 1.75 + r * 0.52 * math.cos(step / 24 * math.tau), y + r * 0.5
         + r * 0.52 * math.sin(step / 24 * math.tau)) for step in range(24)
    ]  # fmt: skip
    brush.curve(ring, stain, r * 0.05)
    with brush.soft(r * 0.06):
        brush.circle(x - light.side * r * 0.16, y + r * 0.1, r, clear(light.ink, 0.42))
    lit = [(0.0, light.lit(china, 0.45)), (0.6, china), (1.0, light.shaded(china, 0.25))]
    fill = brush.linear((x + light.side * r, y - r), (x - light.side * r, y + r), lit)
    brush.circle(x, y, r, fill)
    brush.circle(x, y, r * 0.72, clear(light.ink, 0.12))
    with brush.moved(x, y, turn=-0.6):
        brush.line([(r * 0.5, 0), (r * 0.86, 0)], accent, r * 0.15)
    brush.circle(x, y, r * 0.6, mix(accent, light.ink, 0.1 + 0.4 * light.dark))
    brush.circle(x, y, r * 0.54, light.shaded(accent, 0.35))
    coffee = [(0.0, "#7a4c2c"), (0.75, "#54301b"), (1.0, "#351d12")]
    brush.circle(x, y + r * 0.02, r * 0.5, brush.radial((x - r * 0.1, y), r * 0.55, coffee))
    brush.curve(
        [(x - r * 0.26, y - r * 0.22), (x - r * 0.02, y - r * 0.3), (x + r * 0.22, y - r * 0.2)],
        clear("#ffffff", 0.4), r * 0.04,
    )  # fmt: skip
