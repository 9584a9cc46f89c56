"""Light: what a preset of the library looks like. Everything drawn takes its colours from it."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import msgspec
import rtoml
from msgspec.structs import replace

from callsheet_studio.draw.colour import mix

if TYPE_CHECKING:
    from collections.abc import Mapping

DEFAULT = "soft_day"
_MIDDLE = 0.5
"""How near the middle ground is."""


class Light(msgspec.Struct, frozen=True):
    """Eleven colours, and how the light falls."""

    name: str
    top: str
    mid: str
    low: str
    glow: str
    far: str
    midground: str
    near: str
    ink: str
    rim: str
    key: str
    fill: str
    side: float
    """-1: from the left, 1: from the right."""
    hard: float
    dark: float
    lamps: float
    """How much practical lamps and lit windows give."""

    def plane(self, depth: float) -> str:
        """The colour of a plane: 0 at the horizon, 1 right before the camera."""
        if depth < _MIDDLE:
            return mix(self.far, self.midground, depth * 2)
        return mix(self.midground, self.near, depth * 2 - 1)

    def air(self, colour: str, depth: float) -> str:
        """A colour as it looks in this light, so far away: 0 at the horizon, 1 at the camera."""
        lit = mix(colour, self.plane(depth), 0.28 + 0.55 * self.dark)
        return mix(lit, self.low, 0.62 * (1 - depth) ** 1.6)

    def lit(self, colour: str, share: float = 0.5) -> str:
        """The side of a thing that the light falls on."""
        return mix(colour, self.key, share)

    def shaded(self, colour: str, share: float = 0.5) -> str:
        """The side of a thing that lies in its own shadow."""
        return mix(colour, self.ink, share)


@cache
def _table() -> Mapping[str, Any]:
    return rtoml.loads(files("callsheet_studio.draw").joinpath("light.toml").read_text("utf-8"))


@cache
def light_of(preset: str) -> Light:
    """The light of a preset; one that is not known looks like a soft day."""
    table = _table()
    told = dict(table.get(preset) or table[DEFAULT])
    return Light(name=preset, side=told.pop("from"), **told)


def presets() -> tuple[str, ...]:
    """All that have a look."""
    return tuple(_table())


def tinted(light: Light, accent: str, share: float = 0.12) -> Light:
    """The same light with a little of a film's own colour in its planes."""
    return replace(
        light,
        far=mix(light.far, accent, share),
        midground=mix(light.midground, accent, share),
        near=mix(light.near, accent, share * 0.7),
    )
