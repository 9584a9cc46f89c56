"""Things and screens in a shot: large before the set, on something to stand on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from callsheet_studio.draw.colour import clear, mix
from callsheet_studio.draw.depicting import Record
from callsheet_studio.library import in_group

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from callsheet_studio.draw.brush import Point
    from callsheet_studio.draw.figures import Look
    from callsheet_studio.draw.place import Framing, Place
    from callsheet_studio.draw.reading import Subject
    from callsheet_studio.draw.sets import Painting
    from callsheet_studio.draw.stage import Stage

PLINTH = "product_table"
"""The set that is made for one thing."""
_TABLE = 0.74
_TALL_TABLE = 0.55
"""In a frame for phones."""
_TABLES = {"high": 0.52, "overhead": 0.26}
"""Where the far edge of a table is, before a thing that is seen close."""
_ON_TABLE = {
    "EWS": 0.24,
    "WS": 0.34,
    "FS": 0.4,
    "MWS": 0.46,
    "MS": 0.52,
    "MCU": 0.58,
    "CU": 0.64,
    "ECU": 0.8,
}
"""How large a thing is on a table."""
_NEAR = 0.72
"""How much of the frame a thing on the ground fills that is seen close."""
_PARTS_OF = {"MCU": (1.1, 0.2), "CU": (1.35, 0.3), "ECU": (1.7, 0.42)}
"""How large a vehicle is that is seen close, and how far its middle is from that of the frame."""
_LOOKED_AT = 0.44
"""How large something is that somebody before the camera looks at."""
_WATER, _FLOOR = 0.84, 0.92
"""Where it floats or stands, as a part of the height."""
_LARGE = 0.9
"""Metres of a thing that no table bears."""
_SOMEBODY = 1.7
"""Metres of somebody."""
_WIDEST, _FILLS = 0.8, 0.55
"""Parts of the width: what a thing may have, and from which on it fills the frame."""
_MOST, _PAIR = 3, 2
"""Things that have room on one table."""
_RIDES = frozenset(("vehicles", "boats", "animals", "outdoors"))
"""Groups of things that need no table, however close they are."""
_AFLOAT = frozenset(("boat", "sailboat", "ferry", "night_boat"))


class Scene(msgspec.Struct, frozen=True):
    """What the painters of subjects are given."""

    stage: Stage
    framing: Framing
    painting: Painting | None
    place: Place
    looks: Mapping[str, str]
    """What the people of the film look like, in words."""
    interior: bool
    brand: str = ""
    record: Record = msgspec.field(default_factory=Record)
    """What is painted is noted here."""

    def worn(self, name: str) -> str:
        """What somebody looks like, in words."""
        group, _, number = name.rpartition(" ")
        return self.looks.get(name) or (self.looks.get(group, "") if number.isdigit() else "")

    def look(self, name: str) -> Look:
        """The look of somebody."""
        from callsheet_studio.draw.figures import look_of

        group, _, number = name.rpartition(" ")
        told = self.looks.get(name)
        if told is None and number.isdigit():
            told = in_group(group, self.looks.get(group, ""), int(number) - 1)
        return look_of(name, told or "")


def paint_thing(scene: Scene, subject: Subject) -> None:
    """The first thing of a subject: on the plinth, the floor or the water, or on a table."""
    from callsheet_studio.draw.props import catalog

    name = subject.props[0]
    if scene.painting and scene.painting.name == PLINTH and scene.painting.surface:
        _on_plinth(scene, subject.props, scene.painting.surface)
    elif _is_large(name) and _stands(scene, name):
        _on_ground(scene, name, catalog()[_plain(name)].metres)
    elif len(subject.props) > 1:
        _side_by_side(scene, subject.props)
    else:
        put_on_table(scene, name, x=_inwards(scene.framing), size=_ON_TABLE[scene.framing.size])


def _on_plinth(scene: Scene, names: Sequence[str], surface: Point) -> None:
    """One thing, or several beside each other and smaller."""
    stage, shown = scene.stage, names[:_MOST]
    x, y = stage.seen(stage.x(surface[0]), stage.y(surface[1]))
    if len(shown) == 1:
        _prop(scene, shown[0], (x, y), 0.34 * stage.closeness)
        return
    size = 0.3 * stage.closeness * (1.0 if len(shown) == _PAIR else 0.8)
    wide = min(size * scene.framing.base, scene.framing.width * 0.8 / len(shown))
    for number, name in enumerate(shown):
        aside = (number - (len(shown) - 1) / 2) * wide * 1.05
        _prop(scene, name, (x + aside, y), size, most=0.8 / len(shown))


def _side_by_side(scene: Scene, names: Sequence[str]) -> None:
    """Several things on one table."""
    edge = _table(scene)
    tall = scene.framing.is_tall
    foot = edge + (scene.framing.height - edge) * (0.18 if tall else 0.42)
    shown = names[:_MOST]
    size = _ON_TABLE[scene.framing.size] * (0.92 if len(shown) == _PAIR else 0.7)
    for number, name in enumerate(shown):
        x = (number + 0.5) / len(shown)
        _prop(
            scene, name, ((0.1 + 0.8 * x) * scene.framing.width, foot), size, most=0.8 / len(shown)
        )


def _plain(name: str) -> str:
    """Without its state."""
    return name.partition(":")[0]


def _is_large(name: str) -> bool:
    """Whether a thing stands on no table: for its size, or because it goes where it likes."""
    from callsheet_studio.draw.props import catalog

    entry = catalog()[_plain(name)]
    return entry.metres >= _LARGE or entry.group == "animals" or name == "hedgehog"


def _stands(scene: Scene, name: str) -> bool:
    """Whether a large thing is where its place is: close, only what rides or floats is."""
    from callsheet_studio.draw.props import catalog

    return scene.framing.has_feet or catalog()[_plain(name)].group in _RIDES


def _on_ground(scene: Scene, name: str, metres: float) -> None:
    """A large thing, as large as it is beside somebody; closer, as it fills the frame."""
    from callsheet_studio.draw.props import catalog

    framing, stage, place = scene.framing, scene.stage, scene.place
    foot, x, size = stage.y(framing.middle + 0.4), stage.x(_inwards(framing)), _NEAR
    if framing.size in _PARTS_OF and catalog()[_plain(name)].group == "vehicles":
        # From so near one sees a part of it: how it goes, not that it is there.
        size, aside = _PARTS_OF[framing.size]
        x, foot = (
            stage.x(0.5 - framing.facing * aside),
            stage.y(framing.middle + 0.4 + (size - _NEAR) * 0.3),
        )
        _prop(scene, name, (x, foot), size, most=size, facing=framing.facing)
        return
    if metres < _LARGE:
        size = _NEAR * _ON_TABLE[framing.size]
        foot += stage.y(0.04)
    if framing.has_feet:
        foot, x = place.foot, place.x
        size = min(max(metres * place.height / _SOMEBODY / framing.base, 0.14), 0.72)
    if _plain(name) in _AFLOAT:
        foot, x, size = (
            (stage.y(0.72), stage.x(0.44), 0.4) if framing.has_feet else (foot * 0.88, x, size)
        )
    _prop(scene, name, (x, foot), size)


def _inwards(framing: Framing) -> float:
    """A thing is nearer to the middle than somebody would be."""
    return 0.5 + (framing.thirds[0] - 0.5) * 0.7


def put_on_table(scene: Scene, name: str, *, x: float, size: float) -> None:
    """A thing on a table before the camera, so large against the frame."""
    edge = _table(scene)
    down = 0.62 if edge <= scene.framing.height / 2 else 0.18 if scene.framing.is_tall else 0.42
    foot = edge + (scene.framing.height - edge) * down
    _prop(scene, name, (x * scene.framing.width, foot), size)


def put_before(scene: Scene, name: str, *, x: float) -> None:
    """What somebody looks at who is seen from behind: where it stands or floats, or on a table."""
    size = _LOOKED_AT if scene.framing.width > scene.framing.height else _LOOKED_AT * 0.75
    if not (_is_large(name) and _stands(scene, name)):
        put_on_table(scene, name, x=x, size=size)
        return
    foot = _WATER if _plain(name) in _AFLOAT else _FLOOR
    _prop(scene, name, (x * scene.framing.width, foot * scene.framing.height), size)


def _table(scene: Scene) -> float:
    """Something to stand on: wood inside, ground outside. Where its far edge is."""
    stage, light = scene.stage, scene.stage.light
    wood = light.air("#9b7452" if scene.interior else light.near, 0.95)
    usual = _TALL_TABLE if scene.framing.is_tall else _TABLE
    y = stage.height * _TABLES.get(scene.framing.angle, usual)
    wide, high = stage.right - stage.left, stage.bottom - y
    with stage.in_frame() as brush:
        lit, dark = light.lit(wood, 0.34), light.shaded(wood, 0.4)
        ends = (lit, dark) if light.side < 0 else (dark, lit)
        stops = [(0.0, ends[0]), (0.5, wood), (1.0, ends[1])]
        fill = brush.linear((0, y), (stage.width, stage.bottom), stops)
        brush.rect(stage.left, y, wide, high, fill)
        for share in (-0.9, -0.55, -0.2, 0.15, 0.5, 0.85):
            far, near = stage.x(0.5 + share * 0.7), stage.x(0.5 + share * 1.5)
            brush.line([(far, y), (near, stage.bottom)], clear(light.ink, 0.16), 0.25 * stage.unit)
        gleam = [(0.0, clear(light.key, 0.5)), (1.0, clear(light.key, 0.0))]
        brush.rect(
            stage.left, y, wide, 0.3 * high, brush.linear((0, y), (0, y + 0.3 * high), gleam)
        )
        deep = [(0.0, clear(light.ink, 0.0)), (1.0, clear(light.ink, 0.5))]
        brush.rect(stage.left, y, wide, high, brush.linear((0, y), (0, stage.bottom), deep))
    return y


def _prop(
    scene: Scene, name: str, at: Point, size: float, most: float = _WIDEST, facing: int = 1
) -> None:
    """A thing on its foot; what goes somewhere can be seen the other way round."""
    from callsheet_studio.draw.props import catalog, paint_prop

    width = scene.framing.width
    high = min(size * scene.framing.base, most * width / catalog()[_plain(name)].grow)
    scene.record.thing(name)
    # What fills a narrow frame stands in its middle.
    x = width / 2 if high > width * _FILLS and most == _WIDEST else at[0]
    flip, light = facing < 0, scene.stage.light
    with scene.stage.in_frame() as brush, brush.moved(x, at[1], flip=flip):
        paint_prop(
            brush,
            name,
            msgspec.structs.replace(light, side=-light.side) if flip else light,
            x=0,
            y=0,
            size=high,
            accent=scene.stage.accent,
            brand=scene.brand,
            shadow=_plain(name) not in _AFLOAT,
        )


def paint_screen_of(scene: Scene, subject: Subject) -> None:
    """A device with its screen, in its own light."""
    from callsheet_studio.draw.screens import device_of, paint_screen

    stage = scene.stage
    scene.record.screen = True
    scene.record.thing(device_of(stage.words))
    if device_of(stage.words) == "laptop":
        _table(scene)
    with stage.in_frame() as brush:
        glow = mix(stage.light.glow, stage.accent, 0.2)
        middle = scene.framing.middle
        brush.glow(stage.width / 2, stage.height * middle, stage.height * 0.6, glow, 0.3)
        paint_screen(
            brush,
            stage.light,
            words=stage.words,
            brand=subject.text,
            accent=stage.accent,
            x=stage.width / 2,
            y=stage.height * middle,
            height=stage.height * (0.5 if scene.framing.is_tall else 0.8),
        )
