"""What props are made with: solid forms in a light, glass, metal, boxes seen over a corner.

A prop is painted in hundredths of its size around the middle of its foot: up is negative.
"""

from __future__ import annotations

import math
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from callsheet_studio.draw.colour import clear, luminance, mix
from callsheet_studio.draw.figures.tones import Tone, tone

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from callsheet_studio.draw.brush import Brush, Fill, Point, Stops
    from callsheet_studio.draw.light import Light

Outline: TypeAlias = Any
"""A path: in the words of SVG, or made by `oval`, `slab` or `poly`."""
How = Literal["flat", "round", "slant", "metal", "soft"]
Span: TypeAlias = tuple[float, float]
Painter: TypeAlias = "Callable[[Kit], None]"

PAPER, WHITE, STEEL, IRON = "#f4f0e6", "#f3f2ee", "#aab4bc", "#3a4149"
WOOD, OAK, GLASS, LEAF, RUBBER = "#a9703f", "#c9975c", "#d7e6ea", "#5f8f4e", "#2b2f35"
_LITTLE = 0.01
_BRIGHT = 0.42
"""How bright a colour is from which letters on it are dark."""


@lru_cache(maxsize=2048)
def _drawn(svg: str) -> Any:
    from skia_canvas_pyr import Path2D

    return Path2D(svg)


def oval(x: float, y: float, rx: float, ry: float, turn: float = 0.0) -> Outline:
    """An ellipse."""
    path = _new()
    path.ellipse(x, y, rx, ry, turn, 0, math.tau)
    return path


def slab(x: float, y: float, width: float, height: float, radius: float = 0.0) -> Outline:
    """A rectangle with round corners."""
    path = _new()
    path.roundRect(x, y, width, height, radius)
    return path


def poly(*points: Point) -> Outline:
    """Straight edges."""
    path = _new()
    path.moveTo(*points[0])
    for point in points[1:]:
        path.lineTo(*point)
    path.closePath()
    return path


def _new() -> Any:
    from skia_canvas_pyr import Path2D

    return Path2D()


@lru_cache(maxsize=2048)
def _tones(colour: str, light: Light) -> Tone:
    """The tones of a colour. What is dark stays so where it is dark."""
    found = tone(colour, light)
    lost = 0.62 * light.dark * max(0.0, 1 - 3 * luminance(colour)) ** 1.5
    if lost < _LITTLE:
        return found
    shares = ((found.lit, 0.7), (found.base, 1.0), (found.shade, 1.1), (found.deep, 1.1))
    lit, base, shade, deep = (mix(each, light.ink, lost * share) for each, share in shares)
    return Tone(lit, base, shade, deep, found.core)


@dataclass(frozen=True)
class Kit:
    """A brush in a light, and what the thing may carry: the film's colour and its name."""

    brush: Brush
    light: Light
    accent: str
    brand: str = ""
    grounded: bool = True
    """Whether shadows fall on what things stand on."""
    state: str = ""
    """`empty`, `open`, `lit` …: for things that have a drawing of it."""

    # Colours

    @property
    def side(self) -> int:
        """-1: the light comes from the left."""
        return 1 if self.light.side > 0 else -1

    @cached_property
    def white(self) -> str:
        """The lightest: where a lamp or a window is mirrored."""
        return mix(self.light.glow, "#ffffff", 0.45)

    def tone(self, colour: str) -> Tone:
        """The tones of a colour."""
        return _tones(colour, self.light)

    def base(self, colour: str) -> str:
        """A colour in this light, neither lit nor in shadow."""
        return self.tone(colour).base

    def lit(self, colour: str) -> str:
        """Where the light falls on it."""
        return self.tone(colour).lit

    def shade(self, colour: str) -> str:
        """Where it does not."""
        return self.tone(colour).shade

    def deep(self, colour: str) -> str:
        """In a gap or under an edge."""
        return self.tone(colour).deep

    def ink(self, alpha: float = 0.3) -> str:
        """A shadow over what is there."""
        return clear(self.light.ink, alpha)

    def shine(self, alpha: float = 0.5) -> str:
        """Light over what is there; less of it where it is dark."""
        return clear(self.white, alpha * (1 - 0.35 * self.light.dark))

    def on(self, colour: str) -> str:
        """A colour for letters on a ground of another."""
        return self.deep("#23262b") if luminance(colour) > _BRIGHT else self.lit("#fbf8f1")

    # Gradients

    def ramp(self, stops: Stops, x: Span, y: Span = (0.0, 0.0)) -> Fill:
        """From the lit side to the other one; on a slant if `y` is a span too."""
        ends = x if self.side < 0 else (x[1], x[0])
        return self.brush.linear((ends[0], y[0]), (ends[1], y[1]), stops)

    def stops(self, colour: str, how: How) -> list[tuple[float, str]]:
        """The tones of a colour from the light to the shadow."""
        t, light = self.tone(colour), self.light
        bounce = mix(t.deep, light.fill, 0.3)
        if how == "metal":
            hot = mix(t.lit, self.white, 0.7)
            return [(0.0, t.shade), (0.1, t.lit), (0.2, hot), (0.27, t.lit), (0.44, t.base),
                    (0.5, t.deep), (0.62, t.shade), (0.8, t.base), (0.9, t.lit),
                    (1.0, t.deep)]  # fmt: skip
        if how == "round":
            return [(0.0, t.base), (0.07, t.lit), (0.3, t.lit), (0.5, t.base), (0.545, t.base),
                    (0.6, t.shade), (0.86, t.deep), (1.0, bounce)]  # fmt: skip
        if how == "soft":
            return [(0.0, t.lit), (0.45, t.base), (0.8, t.shade), (1.0, t.deep)]
        return [(0.0, t.lit), (0.5, t.base), (1.0, t.shade)]

    def fill(self, path: Outline, colour: str, how: How) -> Fill:
        """A gradient over the whole of a path."""
        box = self._path(path).bounds
        tall = (0.0, 0.0) if how in ("round", "metal") else (box.top, box.bottom)
        return self.ramp(self.stops(colour, how), (box.left, box.right), tall)

    # Forms

    def form(
        self,
        path: Outline,
        colour: str,
        how: How = "slant",
        *,
        rim: float = 0.8,
        core: float = 0.0,
    ) -> None:
        """A solid form: its tones, a bright edge to the light (`rim` wide), a dark one away."""
        path = self._path(path)
        self.lay(path, self.fill(path, colour, how))
        lines: list[tuple[Fill, float]] = []
        if core:
            lines.append((self._away(path, self.deep(colour)), core))
        if rim:
            bright = mix(self.lit(colour), self.light.rim, 0.75)
            lines.append((self._near(path, bright), rim))
        if lines:
            self._edges(path, lines)

    def lay(self, path: Outline, fill: Fill) -> None:
        """Just fill a path."""
        self.brush.ctx.fillStyle = fill
        self.brush.ctx.fill(self._path(path))

    def edge(self, path: Outline, colour: str, wide: float, *, away: bool = False) -> None:
        """A line along the inside of a path, on its lit side or `away` from it."""
        path = self._path(path)
        self._edges(path, ((self._away(path, colour) if away else self._near(path, colour), wide),))

    def _near(self, path: Any, colour: str) -> Fill:
        """A colour on the lit side of a path, nothing on the other."""
        return self._across(
            path,
            [(0.0, clear(colour, 0.95)), (0.24, clear(colour, 0.7)), (0.5, clear(colour, 0.0))],
        )

    def _away(self, path: Any, colour: str) -> Fill:
        return self._across(
            path, [(0.5, clear(colour, 0.0)), (0.75, clear(colour, 0.5)), (1.0, clear(colour, 0.8))]
        )

    def _across(self, path: Any, stops: Stops) -> Fill:
        box = path.bounds
        return self.ramp(stops, (box.left, box.right), (box.top, box.bottom))

    def _edges(self, path: Any, lines: Sequence[tuple[Fill, float]]) -> None:
        """Lines along the inside of a path; cut out once, because that is what costs."""
        ctx = self.brush.ctx
        ctx.save()
        ctx.clip(path)
        ctx.lineJoin = "round"
        for colour, wide in lines:
            ctx.strokeStyle, ctx.lineWidth = colour, wide * 2
            ctx.stroke(path)
        ctx.restore()

    def trace(
        self,
        path: Outline,
        colour: Fill,
        wide: float,
        *,
        cap: str = "round",
        dash: Sequence[float] = (),
    ) -> None:
        """A line along a path."""
        ctx = self.brush.ctx
        ctx.save()
        ctx.strokeStyle, ctx.lineWidth, ctx.lineCap, ctx.lineJoin = colour, wide, cap, "round"
        if dash:
            ctx.setLineDash(list(dash))
        ctx.stroke(self._path(path))
        ctx.restore()

    def tube(self, path: Outline, colour: str, wide: float) -> None:
        """A rod or a cable: three lines over each other, the bright one to the light."""
        t = self.tone(colour)
        self.trace(path, t.deep, wide)
        with self.brush.moved(self.side * wide * 0.12, -wide * 0.1):
            self.trace(path, t.base, wide * 0.62)
        with self.brush.moved(self.side * wide * 0.2, -wide * 0.18):
            self.trace(path, mix(t.lit, self.light.rim, 0.4), wide * 0.2)

    def mould(
        self,
        top: Span,
        bottom: Span,
        colour: str,
        *,
        mid: float = 0.0,
        flat: float = 0.13,
        how: How = "round",
    ) -> None:
        """Something turned: half its width and y, above and below; it bulges by `mid`."""
        (a, y), (b, foot) = top, bottom
        c = (a + b) / 2 + mid
        sag = b * flat
        path = (
            f"M{-a} {y} Q{-c} {(y + foot) / 2} {-b} {foot - sag} "
            f"C{-b} {foot + sag * 0.35} {b} {foot + sag * 0.35} {b} {foot - sag} "
            f"Q{c} {(y + foot) / 2} {a} {y} Z"
        )
        self.form(path, colour, how)

    def mouth(  # noqa: PLR0913 -- where and what of a picture
        self,
        x: float,
        y: float,
        rx: float,
        lip: str,
        inner: str,
        *,
        flat: float = 0.16,
        wall: float = 0.07,
    ) -> None:
        """The opening of a vessel: its lip, and the dark inside."""
        ry = rx * flat
        self.lay(oval(x, y, rx, ry), self.ramp(self.stops(lip, "flat"), (x - rx, x + rx)))
        hole = oval(x, y + ry * 0.06, rx * (1 - wall), ry * (1 - wall * 1.6))
        t = self.tone(inner)
        self.lay(hole, self.ramp([(0.0, t.deep), (0.6, t.shade), (1.0, t.base)], (x - rx, x + rx)))

    @contextmanager
    def within(self, path: Outline) -> Iterator[None]:
        """Draw only inside a path, meanwhile."""
        ctx = self.brush.ctx
        ctx.save()
        ctx.clip(self._path(path))
        try:
            yield
        finally:
            ctx.restore()

    @contextmanager
    def face(self, origin: Point, across: Point, down: Point) -> Iterator[None]:
        """Draw on a face that is turned away: one step right and one down are these."""
        ctx = self.brush.ctx
        ctx.save()
        ctx.transform(*across, *down, *origin)
        try:
            yield
        finally:
            ctx.restore()

    # Light

    def shadow(
        self,
        wide: float,
        *,
        x: float = 0.0,
        y: float = 0.0,
        flat: float = 0.16,
        strength: float = 1.0,
    ) -> None:
        """On what it stands on: dark where it touches, soft away from the light."""
        if not self.grounded:
            return
        ctx, light = self.brush.ctx, self.light
        for reach, shift, dark in ((1.5, 0.28, 0.34), (1.08, 0.05, 0.5)):
            ctx.save()
            ctx.translate(x - self.side * wide * shift, y)
            ctx.scale(1.0, flat)
            alpha = dark * strength * (0.8 + 0.3 * light.hard)
            stops = [
                (0.0, clear(light.ink, alpha)),
                (0.62, clear(light.ink, alpha * 0.62)),
                (0.84, clear(light.ink, alpha * 0.16)),
                (1.0, clear(light.ink, 0)),
            ]
            self.brush.circle(0, 0, wide * reach, self.brush.radial((0, 0), wide * reach, stops))
            ctx.restore()

    def pane(
        self, path: Outline, *, tint: str = GLASS, body: float = 0.2, line: float = 0.7
    ) -> None:
        """Glass: what is behind shines through, its edges catch the light."""
        light = self.light
        box = self._path(path).bounds
        colour = mix(self.base(tint), self.white, 0.25)
        stops = [
            (0.0, clear(colour, body * 1.9)),
            (0.16, clear(colour, body * 0.8)),
            (0.6, clear(colour, body * 0.55)),
            (0.88, clear(mix(colour, light.ink, 0.5), body * 1.0)),
            (1.0, clear(colour, body * 1.5)),
        ]
        self.lay(path, self.ramp(stops, (box.left, box.right)))
        path = self._path(path)
        far = self._away(path, mix(colour, light.ink, 0.35 + 0.25 * (1 - light.dark)))
        self.trace(path, clear(light.ink, 0.26 * (1 - light.dark)), line * 0.5)
        self._edges(path, ((self._near(path, self.white), line), (far, line * 0.8)))

    def spot(self, x: float, y: float, radius: float, colour: str, alpha: float = 0.7) -> None:
        """Something round catches the light: a soft disc of a colour."""
        stops = [(0.0, clear(colour, alpha)), (1.0, clear(colour, 0))]
        self.brush.circle(x, y, radius, self.brush.radial((x, y), radius, stops))

    def glint(self, path: Outline, alpha: float = 0.6) -> None:
        """A window mirrored on something smooth."""
        self.lay(path, self.shine(alpha))

    def lamp(self, x: float, y: float, radius: float, colour: str, strength: float = 0.5) -> None:
        """Something that shines of itself: more where it is dark."""
        self.brush.glow(
            x, y, radius, colour, strength * (0.35 + 0.65 * max(self.light.dark, self.light.lamps))
        )

    # Letters

    def letter(
        self, text: str, x: float, y: float, box: Span, colour: str, *, weight: int = 700
    ) -> None:
        """A name, as large as a box around its middle allows; nothing if there is none."""
        if not text.strip():
            return
        from callsheet_studio.draw.text import fitted, write

        block = fitted(text, box, largest=box[1], smallest=min(box[1], 2.2), weight=weight)
        write(self.brush, block, x=x, y=y - block.height / 2, colour=colour, align="center")

    def bars(
        self,
        x: float,
        y: float,
        lengths: Sequence[float],
        *,
        gap: float,
        thick: float,
        colour: Fill,
    ) -> None:
        """Lines of writing that nobody needs to read."""
        for index, length in enumerate(lengths):
            if length:
                self.brush.rect(x, y + index * gap, length, thick, colour, radius=thick / 2)

    def _path(self, path: Outline) -> Any:
        return _drawn(path) if isinstance(path, str) else path


def fitted(painter: Painter, scale: float, *, x: float = 0.0) -> Painter:
    """A painter whose thing reaches too far: made smaller and moved, so that it is in its box."""

    def paint(kit: Kit) -> None:
        with kit.brush.moved(x, 0, scale=scale):
            painter(kit)

    return paint


def steam(kit: Kit, x: float, y: float, high: float) -> None:
    """Rising from something hot."""
    soft = mix(kit.white, kit.light.fill, 0.25)
    for dx, lean, alpha in ((-0.16, 0.1, 0.34), (0.14, -0.12, 0.26)):
        a, b = x + dx * high, high
        path = (
            f"M{a} {y} "
            f"C{a - 0.24 * b} {y - 0.3 * b} {a + 0.26 * b} {y - 0.5 * b} {a + lean * b} {y - b} "
            f"C{a + 0.38 * b} {y - 0.52 * b} {a - 0.06 * b} {y - 0.34 * b} {a + 0.07 * b} {y} Z"
        )
        stops = [(0.0, clear(soft, 0)), (0.55, clear(soft, alpha)), (1.0, clear(soft, 0.02))]
        kit.lay(path, kit.brush.linear((0, y - high), (0, y), stops))
