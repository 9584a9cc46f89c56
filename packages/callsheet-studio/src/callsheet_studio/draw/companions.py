"""Who and what goes with somebody: a dog at their side, a bicycle under them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from callsheet_studio.draw.colour import clear

if TYPE_CHECKING:
    from collections.abc import Sequence

    from callsheet_studio.draw.brush import Brush
    from callsheet_studio.draw.place import Place
    from callsheet_studio.draw.things import Scene

ANIMALS = ("dog", "dog_sitting", "cat")
_SOMEBODY = 1.7
"""Metres of somebody."""
_SITS = {"dog": "dog_sitting"}
"""What an animal does where nobody goes on."""
_ON_THE_WAY = frozenset(("walking", "walking_calling", "running", "strolling"))
_BESIDE = {"dog": 0.78, "dog_sitting": 0.66, "cat": 0.56}
"""Metres that an animal is before somebody."""
_LEAST, _MOST = 0.55, 4.6
"""Metres of what stands beside somebody: less is in their hands, more is a place."""
_BUILT_IN = frozenset(
    ("door", "window", "life_jacket", "blanket", "rain_jacket", "sun", "cloud", "umbrella")
)
_HAND, _COLLAR = (0.12, 0.43), (0.23, 0.56)
"""Where a lead begins and ends: parts of somebody's height, and of the dog's."""


class _Bike(msgspec.Struct, frozen=True):
    """How large it is, and where its saddle is: in hundredths of its own size."""

    metres: float
    """Of a hundred parts."""
    saddle: float


_BIKES = {"bicycle": _Bike(1.62, -11.0), "cargo_bike": _Bike(1.85, -23.0)}


def paint_companion(
    scene: Scene, brush: Brush, props: Sequence[str], place: Place, pose: str
) -> None:
    """The animal of a shot, beside the first of its people, on their floor."""
    name = next((each for each in props if each in ANIMALS), "")
    if not name:
        return
    goes = pose in _ON_THE_WAY
    if goes and name == "dog_sitting":
        name = "dog"
    elif not goes:
        name = _SITS.get(name, name)
    from callsheet_studio.draw.props import catalog

    metre = place.height / _SOMEBODY
    size = catalog()[name].metres * metre * 1.1
    x = place.x + place.facing * _BESIDE[name] * metre
    half = size * 0.5
    x = min(max(x, half), scene.framing.width - half)
    _flipped(scene, brush, name, (x, place.foot + 0.01 * place.height), size, place.facing)
    scene.record.thing(name)
    if goes and name == "dog":
        hand = (
            place.x + place.facing * _HAND[0] * place.height,
            place.foot - _HAND[1] * place.height,
        )
        collar = (x + place.facing * _COLLAR[0] * size, place.foot - _COLLAR[1] * size)
        low = ((hand[0] + collar[0]) / 2, max(hand[1], collar[1]) + 0.02 * place.height)
        lead = clear(scene.stage.light.shaded(scene.stage.accent, 0.4), 0.95)
        brush.curve([hand, low, collar], lead, max(0.006 * place.height, 1.0))


def paint_beside(scene: Scene, brush: Brush, props: Sequence[str], place: Place) -> None:
    """The first large thing that is spoken of, before somebody, on their floor; if there is one."""
    from callsheet_studio.draw.props import catalog

    names = (each.partition(":")[0] for each in props)
    large = (each for each in names if _LEAST <= catalog()[each].metres <= _MOST)
    name = next((each for each in large if each not in _BUILT_IN), "")
    if not name:
        return
    metre = place.height / _SOMEBODY
    size = catalog()[name].metres * metre
    half = size * catalog()[name].grow / 2
    width = scene.framing.width
    aside = 0.4 * metre + half
    # Before them; if there is no room, behind their back.
    ways = (place.facing or 1, -(place.facing or 1))
    fits = [way for way in ways if -half * 0.4 < place.x + way * aside < width + half * 0.4]
    x = place.x + (fits or ways)[0] * aside
    if place.foot - size > scene.framing.height or not -half * 0.4 < x < width + half * 0.4:
        return
    _flipped(scene, brush, name, (x, place.foot + 0.01 * place.height), size, 1)
    scene.record.thing(name)


def paint_bike(scene: Scene, brush: Brush, name: str, place: Place) -> None:
    """What somebody rides, its saddle under them."""
    from callsheet_studio.draw.props import catalog

    bike = _BIKES[name]
    part = bike.metres / 100 * place.height / _SOMEBODY
    x = place.x - place.facing * bike.saddle * part
    size = part * 100 / catalog()[name].grow
    _flipped(scene, brush, name, (x, place.foot), size, place.facing)


def _flipped(
    scene: Scene,
    brush: Brush,
    name: str,
    at: tuple[float, float],
    size: float,
    facing: int,
) -> None:
    """A thing that looks the way somebody goes; what is written on it stays readable."""
    from callsheet_studio.draw.props import paint_prop

    light, (x, y) = scene.stage.light, at
    flip = facing < 0
    with brush.moved(x, y, flip=flip):
        paint_prop(
            brush,
            name,
            replace(light, side=-light.side) if flip else light,
            x=0,
            y=0,
            size=size,
            accent=scene.stage.accent,
            brand="" if flip else scene.brand,
        )
