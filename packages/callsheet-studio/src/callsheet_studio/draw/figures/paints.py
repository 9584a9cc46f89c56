"""All tones of somebody in one light."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from callsheet_studio.draw.colour import clear, darker, lighter, luminance, mix
from callsheet_studio.draw.figures.tones import Tone, skin_tone, tone

if TYPE_CHECKING:
    from callsheet_studio.draw.figures.look import Look
    from callsheet_studio.draw.light import Light

_DEEP = 0.12
"""Skin that is darker has lips of another red."""


class Paints(msgspec.Struct, frozen=True):
    """What somebody is painted with."""

    look: Look
    light: Light
    skin: Tone
    hair: Tone
    cloth: Tone
    under: Tone
    legs: Tone
    shoes: Tone
    white: Tone
    """Of eyes, teeth and paper."""
    line: str
    """Of lashes and brows."""
    lips: Tone

    @property
    def lens(self) -> str:
        """Of glasses: dark ones hide the eyes."""
        if self.look.has("dark"):
            return clear("#1c1d22", 0.94)
        return clear(lighter(self.light.fill, 0.5), 0.17)

    @property
    def scarf(self) -> Tone:
        """Of a headscarf."""
        look = self.look
        return self.tone(look.cloth if look.top == "dress" else mix(look.under, "#8a4f6a", 0.45))

    @property
    def hat(self) -> Tone:
        """Of a cap or a helmet."""
        look = self.look
        usual = "#f0b72f" if look.has("helmet") else mix(look.legs, look.cloth, 0.35)
        return self.tone(look.trim or usual)

    def tone(self, colour: str) -> Tone:
        """Any other colour in the same light."""
        return tone(colour, self.light)


def paints_of(look: Look, light: Light, depth: float = 1.0) -> Paints:
    """The tones of a look in a light, so far away (1: at the camera)."""
    redder = 0.36 if look.form == "woman" else 0.2
    deep = luminance(look.skin) < _DEEP
    lips = mix(look.skin, "#8f3540" if deep else "#b8434f", redder)
    return Paints(
        look=look,
        light=light,
        skin=skin_tone(look.skin, light, depth=depth),
        hair=tone(look.hair, light, depth=depth),
        cloth=tone(look.cloth, light, depth=depth),
        under=tone(look.under, light, depth=depth),
        legs=tone(look.legs, light, depth=depth),
        shoes=tone(look.shoes, light, depth=depth),
        white=tone("#f4f1ea", light, depth=depth),
        line=mix(darker(look.hair, 0.8), light.ink, 0.6),
        lips=skin_tone(lips, light, depth=depth),
    )
