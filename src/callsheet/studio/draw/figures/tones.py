"""The tones of a colour in a light: what its lit side, its middle and its shadow look like."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from callsheet.studio.draw.colour import luminance, mix, shifted

if TYPE_CHECKING:
    from callsheet.studio.draw.light import Light


@dataclass(frozen=True, slots=True)
class Tone:
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
