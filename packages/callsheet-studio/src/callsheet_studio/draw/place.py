"""Where somebody is in the frame: by the size of the shot, the thirds, and the way they look."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Literal

import msgspec
from msgspec.structs import replace

from callsheet_studio.draw.stage import closeness_of
from callsheet_studio.library import compositions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from callsheet_studio.draw.sets import Painting, Spot
    from callsheet_studio.model.shots import Shot

View = Literal["front", "three_quarter", "profile", "back"]

HEADS = 7.5
"""How many heads high a body is."""
TALL = {"EWS": 0.15, "WS": 0.55, "FS": 0.8, "MWS": 1.26, "MS": 1.75}
"""Height of a whole body in heights of the frame."""
_HEAD = {"MCU": 0.45, "CU": 0.7, "ECU": 1.9}
"""Height of a head in heights of the frame."""
_EYES = {"MWS": 0.25, "MS": 0.3, "MCU": 0.37, "CU": 0.42, "ECU": 0.5}
"""Where the eyes are when the feet are not seen: on the upper third, a little lower when close."""
_FEET = {"EWS": 0.9, "WS": 0.915, "FS": 0.945}
"""The lowest that feet may stand: they are seen, and there is floor under them."""
_TALL_EYES = {"MWS": 0.23, "MS": 0.27, "MCU": 0.33, "CU": 0.35, "ECU": 0.4}
"""The same in a frame for phones, whose lower third is under buttons and captions."""
_TALL_HEAD = {"CU": 0.76}
"""How much smaller a head is there: captions have their place below the chin."""
_TITLED = {"MCU": (0.77, 0.403), "CU": (0.53, 0.409)}
"""The same, and the eyes, where a title has its place above the hair."""
_PHONE = 1.5
"""Heights per width from which a frame is one for phones."""
_FREE = 0.4
"""The middle of what is free there."""
_EYE_IN_HEAD = 0.48
_NARROW = 1.3
"""A frame that is narrower than it is high counts only as high as so many widths."""
_VIEWS: tuple[tuple[int, View], ...] = ((12, "front"), (60, "three_quarter"), (115, "profile"))
_ANGLED = {"high": (0.94, 0.03), "overhead": (0.9, 0.05), "low": (1.06, -0.02)}
"""How much larger somebody is from an angle, and how much lower in the frame."""
_AROUND, _SIDES = 200, (0.14, 0.86)
"""Degrees around somebody that are a width of the set, and how far to its sides we look."""
_DRIFT = 0.24
_LIMITS = (0.16, 0.84)
_THIRD = 0.2
"""How far from its third, as a part of the width, somebody may be for a better place to stand."""
_BEYOND = (-0.2, 1.2)
"""How far over the edges of a set a camera may look that comes closer."""
_USUAL = 0.85
_HIGHEST = 0.8
_MEETING = 0.6
_NEARER = 1.35
"""How much larger somebody is in a great view whose set has no place that is far away."""
_SPREAD = 0.25
"""Difference in size from which spots tell how a set grows smaller with distance."""


class Place(msgspec.Struct, frozen=True):
    """Where somebody is, in pixels."""

    x: float
    crown: float
    """The top of the head."""
    height: float
    """Of the whole body, standing, whether it is seen or not."""
    facing: int
    """1: looks to the right."""
    view: View

    @property
    def foot(self) -> float:
        """Where the feet stand."""
        return self.crown + self.height

    @property
    def head(self) -> float:
        """The height of the head."""
        return self.height / HEADS

    def beside(self, away: float, *, turned: bool = False, scale: float = 1.0) -> Place:
        """Somebody so many heads to the right, standing on the same floor."""
        height = self.height * scale
        return replace(
            self,
            x=self.x + away * self.head,
            crown=self.foot - height,
            height=height,
            facing=-self.facing if turned else self.facing,
        )


class Framing(msgspec.Struct, frozen=True):
    """A shot, seen through the camera."""

    size: str
    width: int
    height: int
    thirds: tuple[float, float]
    facing: int
    view: View
    angle: str = "eye"
    bearing: int = 0
    drift: float = 0.0
    """How far aside a close shot looks, as parts of the width: no two are set up exactly alike."""
    titled: bool = False
    """Whether something is written over it."""

    @property
    def base(self) -> float:
        """What sizes are parts of: the height, or less in a narrow frame."""
        return min(self.height, self.width * _NARROW)

    @property
    def is_tall(self) -> bool:
        """Whether the frame is one for phones."""
        return self.height >= self.width * _PHONE

    @property
    def middle(self) -> float:
        """Where what is shown has its middle, as a part of the height."""
        return _FREE if self.is_tall else 0.5

    @property
    def is_close(self) -> bool:
        """Whether only a face is seen."""
        return self.size in _HEAD

    @property
    def has_feet(self) -> bool:
        """Whether somebody is seen down to the floor."""
        return self.size in _FEET


def framing_of(shot: Shot, size: tuple[int, int]) -> Framing:
    """How a shot is framed."""
    width, height = size
    third = compositions().get(shot.composition.thirds) or compositions()["centre"]
    return Framing(
        size=shot.size,
        width=width,
        height=height,
        thirds=(third.x, third.y),
        facing=_facing(shot, third.x),
        view=view_from(shot.bearing),
        angle=shot.angle,
        bearing=shot.bearing,
        drift=_chance(shot, "drift").uniform(-_DRIFT, _DRIFT),
        titled=bool(shot.on_screen_text),
    )


def _chance(shot: Shot, about: str) -> random.Random:
    """Numbers of a shot that hold wherever in the film it is."""
    return random.Random(f"{shot.action}/{shot.size}/{shot.bearing}/{about}")  # noqa: S311 -- a picture


def view_from(bearing: int) -> View:
    """What is seen of somebody from a side."""
    turned = abs(bearing)
    return next((view for limit, view in _VIEWS if turned <= limit), "back")


def _facing(shot: Shot, x: float) -> int:
    """The way of the scene; else into the frame; else as the camera stands."""
    way = shot.composition.screen_direction
    if way != "neutral":
        return 1 if way == "left_to_right" else -1
    middle = compositions()["centre"].x
    if x != middle:
        return 1 if x < middle else -1
    return 1 if shot.bearing >= 0 else -1


def place_of(framing: Framing, painting: Painting | None) -> Place:
    """Where the one person of a shot is."""
    grown, lower = _ANGLED.get(framing.angle, (1.0, 0.0))
    if framing.is_close:
        height = _HEAD[framing.size] * _eased(framing)[0] * framing.base * HEADS * grown
    else:
        height = TALL[framing.size] * framing.base * grown
    x = min(max(framing.thirds[0], _LIMITS[0]), _LIMITS[1])
    if framing.has_feet:
        x, foot, scale = _stand(framing, painting, x)
        height *= scale
        crown = foot * framing.height - height
    else:
        eyes = (_eased(framing)[1] + lower) * framing.height
        crown = eyes - height / HEADS * _EYE_IN_HEAD
    return Place(_kept(framing, x, height), crown, height, framing.facing, framing.view)


def _eased(framing: Framing) -> tuple[float, float]:
    """How much smaller a head is than the size says, and where its eyes are."""
    if not framing.is_tall:
        return 1.0, _EYES[framing.size]
    usual = _TALL_HEAD.get(framing.size, 1.0), _TALL_EYES[framing.size]
    return _TITLED.get(framing.size, usual) if framing.titled else usual


def _kept(framing: Framing, x: float, height: float) -> float:
    """Not nearer to the edge than a shoulder, if the frame is wide enough for that."""
    half = min(height * 0.12, framing.width / 2)
    return min(max(x * framing.width, half), framing.width - half)


def _stand(framing: Framing, painting: Painting | None, x: float) -> tuple[float, float, float]:
    """Where feet are in the frame, and how much larger than usual somebody is there."""
    lowest = _FEET[framing.size]
    if painting and _is_spotted(framing, painting):
        closeness = closeness_of(framing.size)
        spot = _spot(painting, x, closeness)
        return _reached(x, spot, closeness), lowest, 1.0
    if painting is None or framing.size == "FS":
        return x, lowest, 1.0
    spots = sorted(painting.spots, key=lambda spot: abs(spot[0] - x))
    if framing.size == "EWS":
        return _far(painting, spots, x, lowest)
    far = 1.0 if painting.is_narrow else _THIRD
    near = [spot for spot in spots if spot[2] >= _USUAL and abs(spot[0] - x) < far]
    if near:
        return near[0][0], min(near[0][1], lowest), near[0][2]
    return x, min(max(painting.ground, _HIGHEST), lowest), 1.0


def _is_spotted(framing: Framing, painting: Painting) -> bool:
    """Whether somebody from head to foot must be at a spot of their set."""
    return framing.size == "FS" and painting.is_narrow and bool(painting.spots)


def _spot(painting: Painting, x: float, near: float) -> Spot:
    """The spot that can be seen nearest to an x."""
    return min(painting.spots, key=lambda spot: abs(_reached(x, spot, near) - x))


def towards(x: float, spot: Spot, near: float) -> float:
    """What a camera comes closer to so that a spot is at an x, as far as the set reaches."""
    return min(max((x - spot[0] * near) / (1 - near), _BEYOND[0]), _BEYOND[1])


def _reached(x: float, spot: Spot, near: float) -> float:
    """Where a spot is then."""
    at = towards(x, spot, near)
    return at + (spot[0] - at) * near


def _far(
    painting: Painting, spots: Sequence[Spot], x: float, lowest: float
) -> tuple[float, float, float]:
    """In a room, as far away as it is deep. Outside, where people of the set are so small."""
    wanted = TALL["EWS"] / TALL["WS"]
    by_size = sorted(spots, key=lambda spot: spot[2])
    if painting.is_room:
        far = by_size[0] if by_size else (x, painting.ground, 1.0)
        return far[0], min(far[1], lowest), far[2] / wanted
    if by_size and by_size[-1][2] - by_size[0][2] >= _SPREAD:
        (_, low, small), (_, high, large) = by_size[0], by_size[-1]
        # What is far away is nearer to where all lines meet.
        foot = low + (high - low) * (wanted - small) / (large - small)
        return 0.5 + (x - 0.5) * _MEETING, foot, 1.0
    if spots and abs(spots[0][0] - x) < _THIRD:
        return spots[0][0], min(spots[0][1], lowest), _NEARER
    return x, min(painting.ground, lowest), _NEARER


def look_at(
    framing: Framing, painting: Painting, closeness: float, place: Place
) -> tuple[float, float]:
    """What the camera comes closer to.

    From another side there is another part of the set behind somebody; and the floor of the set is
    where the feet are.
    """
    x, y = painting.look
    if painting.is_place:
        aside = min(max(x - framing.bearing / _AROUND, _SIDES[0]), _SIDES[1])
        x = min(max(aside + framing.drift, 0.0), 1.0)
    if not framing.has_feet or closeness == 1.0:
        return x, y
    foot = place.foot / framing.height if framing.size == "FS" else painting.ground
    ground = painting.ground
    if _is_spotted(framing, painting):
        spot = _spot(painting, place.x / framing.width, closeness)
        x, ground = towards(place.x / framing.width, spot, closeness), spot[1]
    return x, min(max((foot - ground * closeness) / (1 - closeness), -0.5), 1.5)
