"""The tones of a colour in a light: what its lit side, its middle and its shadow look like."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from callsheet_studio.draw.colour import darker, luminance, mix, shifted

if TYPE_CHECKING:
    from callsheet_studio.draw.light import Light


class Tone(msgspec.Struct, frozen=True):
    """One colour in one light."""

    lit: str
    base: str
    shade: str
    deep: str
    """In the shadow that a part throws on itself."""
    core: float
    """How much of that shadow is seen."""


def tone(colour: str, light: Light, *, depth: float = 1.0) -> Tone:
    """The tones of a colour, so far away (1: at the camera)."""
    base = mix(colour, light.air(colour, depth), min(0.2 + 1.4 * light.dark + (1 - depth), 1.0))
    base = mix(base, mix(light.near, light.fill, 0.45), 0.8 * light.dark**1.15)
    return _toned(base, colour, light)


def skin_tone(colour: str, light: Light, *, depth: float = 1.0) -> Tone:
    """The tones of skin: where there is little light it grows darker, and stays warm."""
    base = mix(colour, light.air(colour, depth), min(0.2 + 0.5 * light.dark + (1 - depth), 1.0))
    dim = mix(darker(shifted(colour, saturation=1.25), 0.62), light.fill, 0.3)
    return _toned(mix(base, dim, 0.8 * light.dark**1.15), colour, light)


def _toned(base: str, colour: str, light: Light) -> Tone:
    # White takes the colour of the light; a dark cloth only gets lighter.
    bright = luminance(colour) ** 0.55
    base = light.lit(base, 0.13 * bright * (1 - light.dark))
    return Tone(
        lit=light.lit(shifted(base, value=1.14), 0.03 + 0.34 * bright + 0.22 * light.dark),
        base=base,
        shade=light.shaded(shifted(base, saturation=1.28, value=0.86), 0.1 + 0.2 * light.dark),
        deep=light.shaded(shifted(base, saturation=1.4, value=0.68), 0.2 + 0.2 * light.dark),
        core=0.34 + 0.4 * light.hard,
    )
