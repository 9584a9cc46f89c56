"""What is a film's own in all its pictures: its colours, its name, and the chance in them."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from callsheet_studio.draw.colour import luminance, rgb
from callsheet_studio.library import variants_in

if TYPE_CHECKING:
    from callsheet_studio.model.brief import Brief

_HEX = re.compile(r"#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})\Z")
_PALETTES = (
    ("#1f4e5f", "#f2a65a"),
    ("#2d3047", "#e0605a"),
    ("#264653", "#e9c46a"),
    ("#3d405b", "#81b29a"),
    ("#4a2c40", "#e9806e"),
    ("#1d3557", "#ffb703"),
)
"""For films that name no colours: a deep one and one that stands out from it."""
_SHORT = 4
_PALE = 0.82


@dataclass(frozen=True, slots=True)
class FilmStyle:
    """The same for every frame of a film."""

    palette: tuple[str, ...]
    """At least one colour, as `#rrggbb`."""
    accent: str
    look: str = ""
    """In words."""
    title: str = ""
    brand: str = ""
    language: str = "en"
    fps: str = "24"
    seed: str = ""
    kinds: tuple[tuple[str, str], ...] = ()
    """What the film says of its sets: of which kind each is."""


def style_of(brief: Brief) -> FilmStyle:
    """The style of a brief; what it does not say follows from the rest of it."""
    own = tuple(_long(each) for each in brief.style.palette if _HEX.match(each.strip()))
    spare = _PALETTES[int(brief.identity[:8], 16) % len(_PALETTES)]
    palette = own or spare
    return FilmStyle(
        palette=palette,
        accent=max(palette, key=_stands_out),
        look=f"{brief.style.look} {brief.style.mood}".strip(),
        title=brief.project.title,
        brand=brief.message.brand,
        language=brief.content.language,
        fps=brief.delivery.fps,
        seed=brief.identity[:16],
        kinds=tuple(variants_in(_about(brief)).items()),
    )


def _about(brief: Brief) -> str:
    """What a film is about, the most telling first."""
    message, audience = brief.message, brief.audience
    told = (
        brief.style.mood,
        brief.style.look,
        brief.project.title,
        brief.project.context,
        message.core,
        message.cta,
        audience.who,
        *message.supporting,
        *audience.pain_points,
    )
    return ". ".join(told)


def _long(colour: str) -> str:
    plain = colour.strip().lower()
    return "#" + "".join(each * 2 for each in plain[1:]) if len(plain) == _SHORT else plain


def _stands_out(colour: str) -> float:
    """Full and bright, but not almost white."""
    channels = rgb(colour)
    full = (max(channels) - min(channels)) / 255
    bright = luminance(colour)
    return full * (0.4 + math.sqrt(bright)) * (0.3 if bright > _PALE else 1.0)
