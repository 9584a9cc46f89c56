"""The workshop: a bench under a tall window, tools on the wall; for wood, strings or bikes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet_studio.draw.colour import clear, lighter
from callsheet_studio.draw.rooms import (
    back_opening,
    paint_boards,
    paint_daylight,
    paint_shell,
    paint_sill,
    paint_window,
    room_of,
    settle,
)
from callsheet_studio.draw.solid import Solid
from callsheet_studio.draw.tools import (
    metals,
    paint_jar,
    paint_plane,
    paint_saw,
    paint_shaving,
    paint_square,
    paint_tool,
    paint_violin,
    paint_wheel,
)
from callsheet_studio.draw.walls import fall, windows

if TYPE_CHECKING:
    from callsheet_studio.draw.rooms import Room
    from callsheet_studio.draw.stage import Stage

GROUND = 0.88
SPOTS = ((0.36, 0.87, 1.0), (0.62, 0.88, 1.0))
SURFACE = (0.5, 0.56)

_BACK = 6.4
_HALF = 4.9
_HIGH = 4.1
_FRONT = 5.0
"""Where the bench begins, in metres from the camera."""
_ROOMY = 0.8
"""Narrower frames have room for every other tool only."""
_WALLS = (
    ("#b9a588", "#a08d72"),
    ("#93a7a2", "#7f938e"),
    ("#c1907a", "#a87a66"),
    ("#a9a9a0", "#8f8f88"),
)
"""At the back and at the sides: each film has its own."""
_OAK = "#b07a45"
_VIOLINS = ("violin", "geige", "luthier", "cello", "instrument", "string")
_BIKES = ("bike", "bicycle", "fahrrad", "lastenrad", "cycle", "rad ")


def paint(stage: Stage) -> None:
    """Wall, window and tools behind; the bench in the middle; a clamped board before the camera."""
    room = _shell(stage)
    behind = Solid(room, far=20)
    _board(stage, behind)
    _shelf(stage, behind)
    _planks(behind)
    _window(room, behind)
    _rafters(behind)
    bench = Solid(room, "middle", far=26)
    _bench(stage, bench)
    _on_bench(stage, bench)
    _offcuts(stage, bench)
    settle(room, (0.4, 0.45))
    _lamp(bench)
    _near(stage)


def _shell(stage: Stage) -> Room:
    room = room_of(stage, depth=_BACK, left=-_HALF, right=_HALF, tall=_HIGH)
    wall, side = stage.chance("wall").choice(_WALLS)
    paint_shell(room, wall=wall, floor="#7d5a3d", ceiling="#6b5138", side=side)
    paint_boards(room, "#8a6444", wide=0.3)
    _boarding(Solid(room, far=20))
    return room


def _boarding(wall: Solid) -> None:
    for row in range(1, 10):
        y = row * 0.42
        wall.wall((-_HALF, _HALF), (y, y + 0.016), _BACK, clear(wall.light.ink, 0.2))
    wall.wall((-_HALF, _HALF), (0, 0.16), _BACK, wall.tone("#5f452f", _BACK))


def _window(room: Room, wall: Solid) -> None:
    """Twelve panes on the side of the light, jars on the sill, and the light they let in."""
    panes = (3, 4) if wall.slim > _ROOMY else (2, 4)
    opening = back_opening(room, -1.4 * wall.slim, 2.0 * wall.slim, 1.4, 3.55)
    paint_window(room, opening, panes=panes, view="garden", frame="#7d6148", bar=0.055)
    paint_sill(room, opening, "#8f6c48")
    for index, colour in enumerate(("#6f8a58", "#d2b27c", "#557c8c")):
        foot = (-1.75 + index * 0.27, 1.35, _BACK - 0.1)
        paint_jar(wall, foot, colour, 0.22 + 0.07 * (index % 2))
    paint_daylight(room, opening, towards=(0.75, -1.0, -0.72), panes=panes, strength=0.8)


def _board(stage: Stage, wall: Solid) -> None:
    """The wall of tools: each has its place."""
    z = _BACK - 0.04
    panel = wall.tone("#5d4c3c", _BACK)
    wall.wall((0.06, 3.62), (1.4, 3.06), _BACK, clear(wall.light.ink, 0.35))
    wall.wall((0.0, 3.55), (1.45, 3.1), z, panel)
    rails, step = wall.light.lit(panel, 0.16), 1 if wall.slim > _ROOMY else 2
    for y in (3.0, 2.24):
        wall.wall((0.0, 3.55), (y, y + 0.03), z, rails)
    upper, lower = _pieces(stage, wall, z, step)
    for index, x in enumerate(upper[::step]):
        paint_tool(wall, (x, 3.0, z), index)
    for index, x in enumerate(lower[::step]):
        paint_tool(wall, (x, 2.24, z), index + 3)
    for index in range(0, 6, step):
        paint_tool(wall, (2.05 + index * 0.26, 2.24, z), (1, 1, 1, 2, 2, 3)[index])


def _pieces(
    stage: Stage, wall: Solid, z: float, step: int
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """The large things on the board; gives where there is room for tools, above and below."""
    if stage.mentions(*_VIOLINS):
        for index, varnish in enumerate(("#8a4a24", "#b0692f", "#6e3519")[::step]):
            paint_violin(wall, (0.38 + index * 0.56 * step, 3.02, z), varnish)
        return (2.0, 2.35, 2.7, 3.05, 3.35), ()
    if stage.mentions(*_BIKES):
        paint_wheel(wall, (0.72, 2.3, z), 0.62)
        if step == 1:
            paint_wheel(wall, (1.86, 2.3, z), 0.46)
        return (2.6, 2.9, 3.2, 3.42), ()
    paint_saw(wall, (0.2, 2.92, z))
    below = (0.24, 0.58, 0.94, 1.28, 1.58)
    if step > 1:
        return (3.3,), below
    paint_square(wall, (1.5, 2.98, z))
    return (2.2, 2.56, 2.92, 3.3), below


def _shelf(stage: Stage, wall: Solid) -> None:
    """Above the tools: tins, boxes, jars."""
    chance = stage.chance("shelf")
    wall.wall((-0.05, 3.65), (3.2, 3.3), _BACK, clear(wall.light.ink, 0.3))
    wall.box((-0.1, 3.65), (3.3, 3.36), (_BACK - 0.3, _BACK), "#7d5a3a")
    x = 0.1
    while x < 3.5:  # noqa: PLR2004 -- metres
        colour = chance.choice(("#c2ab84", "#6f8a98", "#84542f", "#d8cdb4", stage.accent))
        paint_jar(wall, (x, 3.36, _BACK - 0.25), colour, chance.uniform(0.2, 0.4))
        x += chance.choice((0.2, 0.22, 0.36))


def _planks(wall: Solid) -> None:
    """Wood that waits, leaning in the corner."""
    for index, tall in enumerate((2.7, 2.2, 2.9, 2.45, 1.9, 2.6)):
        x = -3.05 - index * 0.21
        colour = wall.tone(("#c1935c", "#9a6a3c", "#d0a871")[index % 3], _BACK)
        lean = [(x, 0, 5.9), (x + 0.17, 0, 5.9), (x + 0.1, tall, _BACK), (x - 0.07, tall, _BACK)]
        wall.face(lean, wall.light.shaded(colour, 0.12 * (index % 2)))
        wall.bar((x + 0.17, 0, 5.9), (x + 0.1, tall, _BACK), clear(wall.light.ink, 0.35), 0.025)


def _rafters(wall: Solid) -> None:
    for z in (_BACK - 0.3, 4.9, 3.6):
        wall.box((-_HALF, _HALF), (3.78, 4.05), (z, z + 0.22), "#5a4029")


def _bench(stage: Stage, bench: Solid) -> None:
    light, x, z = bench.light, (-2.75, 2.9), (_FRONT, _FRONT + 0.85)
    bench.shadow(x, z, 0.34)
    for left in (x[0] + 0.12, x[1] - 0.36):
        bench.box((left, left + 0.24), (0, 0.84), (z[1] - 0.2, z[1]), "#8a5e36")
    bench.box((x[0] + 0.2, x[1] - 0.2), (0.2, 0.27), (z[0] + 0.1, z[1]), "#80552f")
    boxes = ((-2.2, 0.55, "#9c6b3d"), (-1.45, 0.6, stage.accent), (-0.62, 0.42, "#b98a55"))
    for left, wide, colour in boxes:
        bench.box((left, left + wide), (0.27, 0.27 + wide * 0.5), (z[0] + 0.22, z[1]), colour)
    bench.box((0.5, 1.95), (0.27, 0.84), (z[0] + 0.1, z[1]), "#96683d")
    for row in range(3):
        y = 0.31 + row * 0.18
        bench.wall(
            (0.57, 1.88), (y, y + 0.15), z[0] + 0.1, light.lit(bench.tone("#9c6f43", _FRONT), 0.08)
        )
        bench.wall((1.12, 1.34), (y + 0.065, y + 0.09), z[0] + 0.1, bench.tone("#3d3128", _FRONT))
    for left in (x[0] + 0.12, x[1] - 0.36):
        bench.box((left, left + 0.24), (0, 0.84), (z[0], z[0] + 0.2), "#9a6c40")
    bench.wall((0.5, 1.95), (0.74, 0.84), z[0] + 0.1, clear(light.ink, 0.3))
    bench.box(x, (0.83, 0.95), z, _OAK)
    edge = [bench.at(x[0], 0.95, z[0]), bench.at(x[1], 0.95, z[0])]
    bench.brush.line(edge, clear(light.key, 0.6), stage.unit * 0.24)
    for grain in (0.16, 0.42, 0.64):
        bench.floor(x, (z[0] + grain, z[0] + grain + 0.02), clear(light.ink, 0.22), y=0.951)
    _vice(bench)


def _vice(bench: Solid) -> None:
    x, y, z = -2.15, 0.85, _FRONT - 0.02
    bench.box((x - 0.22, x + 0.22), (y - 0.22, y + 0.1), (z - 0.16, z - 0.02), "#6d4a2d")
    steel = metals(bench, z)[0]
    with bench.plane((x, y - 0.07, z - 0.17)):
        bench.brush.circle(0, 0, 0.05, steel)
        bench.brush.line(((-0.2, 0.12), (0.2, -0.12)), steel, 0.03)
        bench.brush.circle(-0.2, 0.12, 0.03, steel)
        bench.brush.circle(0.2, -0.12, 0.03, steel)


def _on_bench(stage: Stage, bench: Solid) -> None:
    light, chance, z = bench.light, stage.chance("shavings"), _FRONT + 0.3
    paint_plane(bench, (-1.35, 0.95, z))
    for index, colour in enumerate(("#c9a066", "#a9763f", "#dab988")):
        y = 0.95 + index * 0.075
        bench.box((1.1 + index * 0.1, 2.2 - index * 0.12), (y, y + 0.07), (z, z + 0.3), colour)
    if stage.mentions(*_VIOLINS):
        paint_violin(bench, (1.62, 2.0, z + 0.3), "#d09a58")
    paint_jar(bench, (2.5, 0.95, z), stage.accent, 0.24)
    for index in range(4):
        start, end = bench.at(2.46 + index * 0.03, 1.16, z), bench.at(2.38 + index * 0.1, 1.44, z)
        bench.brush.line((start, end), metals(bench, z)[index % 2], 0.026 * bench.metre(z))
    pale = light.lit(bench.tone("#e6c48c", z), 0.25)
    for index in range(16):
        if index % 2:
            at = (chance.uniform(-1.9, -0.2), 0.96, z + chance.uniform(-0.25, 0.1))
        else:
            at = (chance.uniform(-2.4, 0.6), 0.0, chance.uniform(4.1, 4.9))
        paint_shaving(bench, at, pale, chance.uniform(0.018, 0.034))


def _lamp(bench: Solid) -> None:
    """A jointed work lamp on the bench."""
    light, brush, z = bench.light, bench.brush, _FRONT + 0.6
    dark = light.shaded(bench.tone("#3c4a50", z), 0.35)
    elbow, head = (0.62, 1.6, z), (0.12, 1.86, z)
    bench.bar((0.42, 0.95, z), elbow, dark, 0.035)
    bench.bar(elbow, head, dark, 0.035)
    with bench.plane((0.42, 0.95, z)):
        brush.ellipse(0, -0.01, 0.16, 0.045, dark)
    with bench.plane(head), brush.moved(turn=0.5):
        brush.shape(
            ((-0.05, -0.07), (0.05, -0.07), (0.18, 0.17), (-0.18, 0.17)), dark, corners=(2, 3)
        )
        if light.lamps:
            brush.ellipse(0, 0.17, 0.16, 0.04, lighter(light.glow, 0.4))
    if light.lamps:
        brush.glow(*bench.at(0.04, 1.7, z), bench.metre(z) * 1.7, light.glow, 0.6 * light.lamps)
        brush.glow(*bench.at(-0.1, 0.97, z), bench.metre(z) * 0.9, light.glow, 0.4 * light.lamps)


def _offcuts(stage: Stage, bench: Solid) -> None:
    """A crate of offcuts beside where somebody stands."""
    x, z = (3.05, 3.75), (4.55, 5.1)
    bench.shadow(x, z, 0.3)
    for index, tall in enumerate((0.95, 1.2, 0.8, 1.1, 0.9)):
        foot = x[0] + 0.1 + index * 0.12
        colour = bench.tone(("#c79b62", "#a0703f", stage.accent)[index % 3], z[0])
        bench.bar((foot, 0.3, z[1]), (foot + 0.09 * (index - 1), tall, z[1]), colour, 0.08)
    bench.box(x, (0.0, 0.5), z, "#8d6236")
    for y in (0.17, 0.33):
        bench.wall(x, (y, y + 0.02), z[0], clear(bench.light.ink, 0.5))


def _near(stage: Stage) -> None:
    """The end of a board and a clamp at the lower edge, out of focus."""
    light, brush, u = stage.light, stage.front, stage.unit
    wood = light.shaded(light.air("#6d4a2d", 1.0), 0.6)
    y, end, low, left = stage.y(0.965), stage.x(0.16), stage.bottom * 1.2, stage.left * 2
    steel = light.shaded(light.air("#47525a", 1.0), 0.55)
    x = stage.x(0.03)
    with brush.soft(0.6 * u):
        brush.poly(((left, y - u), (end, y + 2 * u), (end + 4 * u, low), (left, low)), wood)
        brush.line(((left, y - u), (end, y + 2 * u)), clear(light.key, 0.35), 0.5 * u)
        brush.rect(x, y - 15 * u, 2.2 * u, 30 * u, steel, radius=u)
        brush.rect(x - 3 * u, y - 15 * u, 8 * u, 2.6 * u, steel, radius=u)
        brush.rect(x + 4.4 * u, y - 13 * u, 1.1 * u, 8 * u, steel)


# Other sides


def _to_timber(stage: Stage) -> None:
    """The wall of wood: a rack of boards, a cabinet of tins, a ladder."""
    room = _shell(stage)
    wall = Solid(room, far=20)
    chance = stage.chance("timber")
    for post in (-3.4, -1.7, 0.0):
        wall.box((post - 0.07, post + 0.07), (0, 3.3), (_BACK - 0.2, _BACK), "#5a4029")
    for row, y in enumerate((0.5, 1.15, 1.8, 2.45)):
        for post in (-3.4, -1.7, 0.0):
            wall.box((post - 0.05, post + 0.05), (y - 0.08, y), (_BACK - 0.6, _BACK), "#5a4029")
        for layer in range(3):
            left, right = -3.9 + chance.uniform(0, 0.5), 0.2 + chance.uniform(0, 0.6)
            low = y + layer * 0.11
            colour = ("#c1935c", "#9a6a3c", "#d0a871", "#b98a55")[(row + layer) % 4]
            wall.box((left, right), (low, low + 0.1), (_BACK - 0.55, _BACK - 0.05), colour)
    _tins(stage, wall)
    _rafters(wall)
    bench = Solid(room, "middle", far=26)
    fall(room)
    _horse(bench, -0.6)
    _offcuts(stage, bench)


def _tins(stage: Stage, wall: Solid) -> None:
    """A cabinet of shelves: tins, jars, boxes."""
    light, chance, z = wall.light, stage.chance("tins"), _BACK - 0.4
    wall.box((1.1, 3.5), (0, 2.7), (z, _BACK), "#80552f")
    wall.wall((1.18, 3.42), (0.08, 2.62), z, light.shaded(wall.tone("#6b4a30", z), 0.5))
    for row in range(5):
        y = 0.12 + row * 0.5
        wall.wall((1.14, 3.46), (y - 0.04, y), z - 0.01, light.lit(wall.tone("#9a6c40", z), 0.2))
        x = 1.32
        while x < 3.35:  # noqa: PLR2004 -- metres
            colour = chance.choice(("#c2ab84", "#6f8a98", "#a8553f", "#d8cdb4", stage.accent))
            paint_jar(wall, (x, y, z), colour, chance.uniform(0.18, 0.36))
            x += chance.choice((0.2, 0.24, 0.34))


def _horse(bench: Solid, x: float) -> None:
    """A sawhorse with a board over it."""
    z = 4.9
    bench.shadow((x - 0.7, x + 0.7), (z, z + 0.5), 0.3)
    for side in (-0.55, 0.55):
        for lean in (-0.18, 0.18):
            bench.bar((x + side + lean, 0, z + 0.2), (x + side, 0.72, z + 0.2), "#8a5e36", 0.07)
    bench.box((x - 0.75, x + 0.75), (0.7, 0.8), (z + 0.1, z + 0.3), "#9a6c40")
    bench.box((x - 1.3, x + 1.2), (0.8, 0.86), (z, z + 0.4), _OAK)


def _to_light(stage: Stage) -> None:
    """Two large windows, the bench under them, what waits to be finished."""
    room = _shell(stage)
    wall = Solid(room, far=20)
    shares = (0.28, 0.72)
    found = windows(
        room, shares, wide=2.3, span=(1.3, 3.4), view="garden", frame="#7d6148", panes=(3, 4)
    )
    for index, x in enumerate((-2.4, -1.0, 1.1, 2.2)):
        paint_jar(wall, (x, 1.3, _BACK - 0.1), ("#6f8a58", "#d2b27c", "#557c8c")[index % 3], 0.26)
    if stage.mentions(*_VIOLINS):
        for x, varnish in ((-0.35, "#8a4a24"), (0.2, "#b0692f")):
            paint_violin(wall, (x, 2.9, _BACK - 0.04), varnish)
    elif stage.mentions(*_BIKES):
        paint_wheel(wall, (0, 2.3, _BACK - 0.04), 0.5)
    else:
        paint_saw(wall, (-0.5, 2.7, _BACK - 0.04))
    _rafters(wall)
    bench = Solid(room, "middle", far=26)
    _bench(stage, bench)
    _on_bench(stage, bench)
    fall(room, found, panes=(3, 4))
    _lamp(bench)


SIDES = (_to_timber, _to_light)
