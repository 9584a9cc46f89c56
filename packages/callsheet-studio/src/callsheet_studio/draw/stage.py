"""The stage: three layers to paint a set on, with the light and the camera of a shot.

A set is painted in the coordinates of a wide frame, (0, 0) to (width, height), and beyond its edges
by `bleed` on each side: the camera moves over it. How close the shot is, is the stage's business.
"""

from __future__ import annotations

import math
import random
import re
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from callsheet_studio.draw.brush import Brush
from callsheet_studio.draw.camera import camera_for

if TYPE_CHECKING:
    from collections.abc import Iterator

    from callsheet_studio.draw.brush import Point
    from callsheet_studio.draw.camera import Camera
    from callsheet_studio.draw.light import Light

BLEED = 0.1
"""How far layers reach over the frame, as a part of its longer side, on each side."""
LAYERS = ("back", "middle", "front")

_CLOSENESS = {
    "EWS": 1.0,
    "WS": 1.06,
    "FS": 1.4,
    "MWS": 1.5,
    "MS": 1.65,
    "MCU": 1.9,
    "CU": 2.2,
    "ECU": 2.6,
}
_DEPTH = {"back": 0.97, "middle": 1.0, "front": 1.12}
"""How much of an approach a layer takes part in: what is near grows faster. Things of the middle
stand on the floor of the back, so that these two stay together."""
_DUTCH = math.radians(6)
_OVER = 1.1
"""How much larger a tilted set is seen, so that its corners are full."""
_SOFT = 1.45
"""How close a shot is from which its back is never quite in focus."""
_COARSE, _BLURRED = 0.5, 0.25
"""Layers that are blurred by more than so many units are painted with half the pixels."""
_LASTING = frozenset(("scheme", "wall", "curtain", "outlook", "paints", "fruit"))
"""Choices that are the same from every side of a place."""
_MIXED = 2.5
"""How far what is blurred reaches, for each pixel that it is out of focus by."""
_FOCUS = {"deep": 0.0, "medium": 0.5, "shallow": 1.0}

_BARE = re.compile(
    r"(?i)\b(?:(?:empty|bare) shel\w+|shel\w+(?:,| are| is) (?:empty|bare)|sold out|all "
    r"gone|is gone|"
    r"leere[nrs]? regal\w*|regal\w*(?:,| ist| sind) leer|ausverkauft)\b"
)
"""Words that leave nothing on a shelf."""


class Side(msgspec.Struct, frozen=True):
    """One view of a place."""

    number: int = 0
    """0: the main one."""
    mirrored: bool = False
    """Whether it is seen the other way round."""


MAIN = Side()


@dataclass
class Stage:
    """What a painter of sets is given."""

    width: int
    height: int
    light: Light
    size: str = "WS"
    angle: str = "eye"
    lens: float = 28.0
    focus: str = "deep"
    """The depth of field; `far`: what is behind is what is looked at."""
    seed: str = ""
    """The same for every shot of one scene: it is the same place."""
    words: tuple[str, ...] = ()
    """What the shot is about: props, keywords, subject."""
    accent: str = "#f2a65a"
    """The film's own colour."""
    brand: str = ""
    """What is written on screens."""
    at: tuple[float, float] = (0.5, 0.55)
    """What the camera looks at when it comes closer, as parts of the frame."""
    near: float = 0.0
    """How much larger than in a wide shot the set is seen, if not as the size says."""
    side: Side = MAIN
    """Which side of the place is seen."""
    reach: tuple[int, int] | None = None
    """Pixels that are ever seen beyond the frame, to the sides and up and down; None: the bleed."""
    kind: str = ""
    """What kind of such a place it is: the field that is an orchard."""
    furniture: tuple[str, ...] = ()
    """Things of the catalogue that stand in a room which has no drawing of its own."""
    _is_flat: bool = field(default=False, init=False)
    """Whether the middle is a part of the back."""

    # Layers; where nobody paints, there are none

    @cached_property
    def back(self) -> Brush:
        """What is behind."""
        return self._layer("back")

    @cached_property
    def middle(self) -> Brush:
        """Where people are."""
        return self._layer("middle")

    @cached_property
    def front(self) -> Brush:
        """What is before them."""
        return self._layer("front")

    def _layer(self, name: str) -> Brush:
        fine = self.fineness(name)
        wide, high = self.canvas
        # What is soft on the others is soft for a canvas of few pixels.
        soft = fine if name == "middle" else 1.0
        brush = Brush(math.ceil(wide * fine), math.ceil(high * fine), soft)
        brush.ctx.setTransform(fine, 0, 0, fine, self.edges[0] * fine, self.edges[1] * fine)
        self._approach(brush, _DEPTH[name])
        return brush

    def fineness(self, layer: str) -> float:
        """Pixels that a layer is painted with, per pixel: less where it is out of focus anyway."""
        is_subject = layer == "middle" and not self._is_flat
        return _COARSE if not is_subject and self.blur >= _BLURRED * self.unit else 1.0

    # Places

    @property
    def bleed(self) -> int:
        """Pixels beyond each edge."""
        return round(max(self.width, self.height) * BLEED)

    @property
    def whole(self) -> tuple[int, int]:
        """The size of a layer, as it is painted."""
        return self.width + 2 * self.bleed, self.height + 2 * self.bleed

    @cached_property
    def edges(self) -> tuple[int, int]:
        """Pixels that are kept beyond each edge: what is never seen need not be there."""
        if self.reach is None:
            return self.bleed, self.bleed
        # What is out of focus is mixed with what is beside it. Even, for layers of half the pixels.
        soft = math.ceil(self.blur * _MIXED) + 1
        x, y = (min((each + soft + 1) // 2 * 2, self.bleed) for each in self.reach)
        return x, y

    @property
    def canvas(self) -> tuple[int, int]:
        """The size of a layer, as it is kept."""
        return self.width + 2 * self.edges[0], self.height + 2 * self.edges[1]

    @property
    def unit(self) -> float:
        """A hundredth of the height: what things are measured in."""
        return self.height / 100

    @property
    def left(self) -> float:
        """The left end of a layer."""
        return -float(self.bleed)

    @property
    def right(self) -> float:
        """The right end of a layer."""
        return float(self.width + self.bleed)

    @property
    def bottom(self) -> float:
        """The lower end of a layer."""
        return float(self.height + self.bleed)

    @property
    def upper(self) -> float:
        """The upper end of a layer."""
        return -float(self.bleed)

    def x(self, share: float) -> float:
        """Pixels from the left edge of the frame."""
        return self.width * share

    def y(self, share: float) -> float:
        """Pixels from the upper edge of the frame."""
        return self.height * share

    # The shot

    @cached_property
    def camera(self) -> Camera:
        """For built sets."""
        return camera_for(self.width, self.height, lens=min(self.lens, 32), angle=self.angle)

    @cached_property
    def horizon(self) -> float:
        """For sets under the sky: higher when the camera looks down, lower when it looks up."""
        share = {"high": 0.36, "low": 0.74, "overhead": 0.12}.get(self.angle, 0.58)
        return self.height * share

    @property
    def closeness(self) -> float:
        """How much larger than in a wide shot the set is seen."""
        return self.near or closeness_of(self.size)

    @property
    def blur(self) -> float:
        """Pixels that the back is out of focus by."""
        if self.focus == "far":
            return 0.0
        depth = max(_FOCUS.get(self.focus, 0.0), 0.35 if self.closeness > _SOFT else 0.0)
        return depth * (self.closeness - 0.75) * self.unit * 0.9

    @contextmanager
    def flattened(self) -> Iterator[None]:
        """Paint the set as one plane behind the subject: its middle is laid onto the back."""
        self._is_flat = True
        yield
        ctx = self.back.ctx
        ctx.save()
        ctx.resetTransform()
        ctx.drawImage(self.middle.canvas, 0, 0)
        ctx.restore()
        self._is_flat = False
        del self.middle

    def chance(self, about: str) -> random.Random:
        """Numbers that look accidental, and are the same for the same place."""
        side = self.side.number * 2 + self.side.mirrored
        seen = f"{about}/{side}" if side and about not in _LASTING else about
        return random.Random(f"{self.seed}/{seen}")  # noqa: S311 -- a picture, not a secret

    @contextmanager
    def turned(self) -> Iterator[None]:
        """Paint the set as it is from its side; mirrored, the light comes from where it came."""
        light = self.light
        if self.side.mirrored:
            self.light = replace(light, side=-light.side)
        try:
            yield
        finally:
            self.light = light

    def mentions(self, *names: str) -> bool:
        """Whether the shot is about one of these."""
        told = " ".join(self.words).lower()
        return any(name in told for name in names)

    @property
    def is_bare(self) -> bool:
        """Whether shelves and counters of its set are empty."""
        return bool(_BARE.search(". ".join(self.words)))

    @contextmanager
    def readable(self, brush: Brush, x: float) -> Iterator[Light]:
        """Paint something with letters around an x of the set: mirrored, they are not.

        Yields:
            The light that falls on it.
        """
        if not self.side.mirrored:
            yield self.light
            return
        brush.ctx.save()
        brush.ctx.translate(2 * x, 0)
        brush.ctx.scale(-1, 1)
        try:
            yield replace(self.light, side=-self.light.side)
        finally:
            brush.ctx.restore()

    def _approach(self, brush: Brush, depth: float) -> None:
        """Move a layer towards what the camera looks at, as close as the shot is."""
        ctx = brush.ctx
        x, y = self.width * self.at[0], self.height * self.at[1]
        scale = 1 + (self.closeness - 1) * depth
        if self.angle == "dutch":
            ctx.translate(self.width / 2, self.height / 2)
            ctx.rotate(_DUTCH)
            ctx.scale(_OVER, _OVER)
            ctx.translate(-self.width / 2, -self.height / 2)
        ctx.translate(x, y)
        ctx.scale(scale, scale)
        ctx.translate(-x, -y)
        if self.side.mirrored:
            ctx.translate(self.width, 0)
            ctx.scale(-1, 1)

    def seen(self, x: float, y: float, *, layer: str = "middle") -> Point:
        """Where in the frame a point of the set is seen."""
        scale = 1 + (self.closeness - 1) * _DEPTH[layer]
        at_x, at_y = self.width * self.at[0], self.height * self.at[1]
        return at_x + (x - at_x) * scale, at_y + (y - at_y) * scale

    def tilted(self, x: float, y: float) -> Point:
        """Where a point of the frame is when the camera is tilted."""
        if self.angle != "dutch":
            return x, y
        across, down = x - self.width / 2, y - self.height / 2
        cos, sin = math.cos(_DUTCH), math.sin(_DUTCH)
        return (
            self.width / 2 + across * cos - down * sin,
            self.height / 2 + across * sin + down * cos,
        )

    @contextmanager
    def in_frame(self, layer: str = "middle") -> Iterator[Brush]:
        """Paint on a layer in the coordinates of the frame, however close the set is."""
        brush: Brush = getattr(self, layer)
        brush.ctx.save()
        fine = self.fineness(layer)
        brush.ctx.setTransform(fine, 0, 0, fine, self.edges[0] * fine, self.edges[1] * fine)
        if self.angle == "dutch":
            brush.ctx.translate(self.width / 2, self.height / 2)
            brush.ctx.rotate(_DUTCH)
            brush.ctx.translate(-self.width / 2, -self.height / 2)
        try:
            yield brush
        finally:
            brush.ctx.restore()


def closeness_of(size: str) -> float:
    """How much larger than in a wide shot a set is seen."""
    return _CLOSENESS.get(size, 1.0)
