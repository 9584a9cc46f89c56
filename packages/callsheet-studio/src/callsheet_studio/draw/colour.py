"""Colours as `#rrggbb`, mixed in light: half-way between two is as bright as the eye expects."""

from __future__ import annotations

import colorsys
from functools import lru_cache

_GAMMA = 2.2


def rgb(colour: str) -> tuple[int, int, int]:
    """Red, green and blue, 0 to 255."""
    plain = colour.lstrip("#")
    return int(plain[0:2], 16), int(plain[2:4], 16), int(plain[4:6], 16)


@lru_cache(maxsize=4096)
def mix(first: str, second: str, share: float) -> str:
    """The first, with so much of the second in it: 0 is the first, 1 the second."""
    share = min(max(share, 0.0), 1.0)
    mixed = (
        (a**_GAMMA * (1 - share) + b**_GAMMA * share) ** (1 / _GAMMA)
        for a, b in zip(rgb(first), rgb(second), strict=True)
    )
    return "#{:02x}{:02x}{:02x}".format(*(round(each) for each in mixed))


def lighter(colour: str, share: float) -> str:
    """Towards white."""
    return mix(colour, "#ffffff", share)


def darker(colour: str, share: float) -> str:
    """Towards black, keeping the hue rich."""
    return mix(colour, "#05060d", share)


def shifted(colour: str, *, hue: float = 0.0, saturation: float = 1.0, value: float = 1.0) -> str:
    """Turned by a part of the colour circle; made fuller or paler, brighter or darker."""
    h, s, v = colorsys.rgb_to_hsv(*(each / 255 for each in rgb(colour)))
    turned = colorsys.hsv_to_rgb((h + hue) % 1, min(s * saturation, 1), min(v * value, 1))
    return "#{:02x}{:02x}{:02x}".format(*(round(each * 255) for each in turned))


def clear(colour: str, alpha: float) -> str:
    """The colour with some of what is behind it shining through."""
    return "rgba({}, {}, {}, {:.3f})".format(*rgb(colour), min(max(alpha, 0.0), 1.0))


def luminance(colour: str) -> float:
    """How bright it looks, 0 to 1."""
    red, green, blue = (each / 255 for each in rgb(colour))
    return float(0.2126 * red**_GAMMA + 0.7152 * green**_GAMMA + 0.0722 * blue**_GAMMA)
