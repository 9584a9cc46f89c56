"""What is on a screen: an interface chosen by the words of a shot, in the film's own colour."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Literal

import rtoml

from callsheet_studio.draw.colour import luminance, mix, shifted
from callsheet_studio.draw.devices import paint_laptop, paint_phone
from callsheet_studio.draw.display import Screen, paint_display
from callsheet_studio.draw.pane import Skin

if TYPE_CHECKING:
    from collections.abc import Iterable

    from callsheet_studio.draw.brush import Brush
    from callsheet_studio.draw.light import Light

__all__ = [
    "Device",
    "Screen",
    "device_of",
    "paint_display",
    "paint_screen",
    "screen_kind",
    "screen_of",
]

Device = Literal["phone", "laptop"]

_USUAL: dict[Device, str] = {"phone": "list", "laptop": "dashboard"}
_PHONES = re.compile(
    r"\b(?:phone|smartphone|mobile|apps?\b|handy|telefon|thumb|daumen|swipe|wisch)", re.IGNORECASE
)
_DARK = 0.4
_PALE = 0.6
_DEEP = 0.2


@cache
def _table() -> dict[str, re.Pattern[str]]:
    """The interfaces, and what speaks of each."""
    text = files("callsheet_studio.draw").joinpath("screens.toml").read_text("utf-8")
    return {
        kind: re.compile(rf"\b(?:{'|'.join(map(_pattern, words))})\b")
        for kind, words in rtoml.loads(text).items()
    }


def _pattern(word: str) -> str:
    return re.escape(word).replace(r"\*", r"\w*")


def screen_kind(words: Iterable[str], device: Device = "phone") -> str:
    """The interface that the words of a shot speak of first; the usual one if of none."""
    told = " ".join(words).lower()
    found = [
        (match.start(), kind) for kind, stems in _table().items() if (match := stems.search(told))
    ]
    return min(found)[1] if found else _USUAL[device]


def device_of(words: Iterable[str]) -> Device:
    """What a screen is in, by the words of a shot."""
    return "phone" if _PHONES.search(" ".join(words)) else "laptop"


def screen_of(
    words: Iterable[str], device: Device, light: Light, *, accent: str, brand: str = ""
) -> Screen:
    """The screen of a shot: dark where it is dark, and in the film's colour."""
    dark = light.dark > _DARK
    ground, card, ink, faint = (
        ("#0f1620", "#1b2531", "#e8eff5", "#344252")
        if dark
        else ("#eef2f5", "#ffffff", "#22303c", "#d3dbe2")
    )
    strong = accent
    if not dark and luminance(accent) > _PALE:
        strong = mix(accent, ink, 0.22)
    elif dark and luminance(accent) < _DEEP:
        strong = mix(accent, "#ffffff", 0.3)
    tint = 0.006 if dark else 0.1
    skin = Skin(
        ground=mix(ground, light.key, tint),
        card=mix(card, light.key, tint * 0.6),
        ink=ink,
        faint=mix(faint, light.key, tint),
        accent=strong,
        second=shifted(strong, hue=0.42, saturation=0.62, value=0.92),
        is_dark=dark,
    )
    return Screen(screen_kind(words, device), skin, brand)


def paint_screen(  # noqa: PLR0913 -- where and what of a picture
    brush: Brush,
    light: Light,
    *,
    words: Iterable[str],
    brand: str,
    accent: str,
    x: float,
    y: float,
    height: float,
) -> None:
    """A device with its screen, free in the frame: a phone if the words speak of one, or a laptop.

    Args:
        brush: painted on.
        light: of the shot.
        words: of the shot; they choose device and interface.
        brand: the name that may be written.
        accent: the film's colour.
        x: the middle.
        y: the middle.
        height: of a phone; a laptop is as large as the layer allows.
    """
    told = tuple(words)
    device = device_of(told)
    screen = screen_of(told, device, light, accent=accent, brand=brand)
    if device == "phone":
        paint_phone(brush, light, screen, x=x, y=y, height=height)
        return
    wide = min(height * 1.2, brush.canvas.width * 0.7)
    paint_laptop(brush, light, screen, x=x, y=y + wide * 0.24, wide=wide)
