"""Lines that a provider speaks: what is ordered, and for how much."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import TYPE_CHECKING

from callsheet.errors import InputError
from callsheet_studio.providers.catalogue import service_of, services
from callsheet_studio.providers.orders import Want
from callsheet_studio.providers.port import Order

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from callsheet import Artifact
    from callsheet_studio.film.speaking import LineData
    from callsheet_studio.model.stack import Offer, Stack, StackTool

_MODE, _UNIT, _CHARACTERS = "tts", "1k_characters", 1000


def voice_wants(
    asked: str, lines: Sequence[LineData], stack: Stack, kept: Mapping[str, Artifact]
) -> tuple[Want, ...]:
    """What is ordered so that a voice speaks all lines.

    Args:
        asked: an offer of the stack, `=`, and what its provider calls the voice.
        lines: what is said, in order.
        stack: what there is.
        kept: what was bought before, by its name.

    Raises:
        InputError: there is no such offer, or it cannot be ordered.
    """
    name, _, voice = asked.partition("=")
    known = _offers(stack)
    if name not in known or not voice:
        listed = ", ".join(known)
        raise InputError(
            f"--voice {asked!r} is not an offer and a voice, as in "
            f"elevenlabs-v3@elevenlabs=VOICE. Offers are {listed}."
        )
    tool, offer = known[name]
    return tuple(_want(tool, offer, line, voice, kept) for line in lines)


def _offers(stack: Stack) -> dict[str, tuple[StackTool, Offer]]:
    """The offers of voices that can be ordered, by their ids."""
    return {
        offer.id: (tool, offer)
        for tool in stack.tools
        for offer in tool.offers
        if offer.unit == _UNIT and (found := service_of(offer)) and found.model(tool.id, _MODE)
    }


def _want(
    tool: StackTool, offer: Offer, line: LineData, voice: str, kept: Mapping[str, Artifact]
) -> Want:
    (service,) = (each for each in services() if offer.provider in each.offered_as)
    model = service.model(tool.id, _MODE) or ""
    what = Order(kind="speech", model=model, text=line.text, voice=voice, language=line.language)
    told = json.dumps([service.name, what.model_dump(mode="json")], sort_keys=True)
    name = f"speech-{sha256(told.encode()).hexdigest()[:32]}"
    usd = max(offer.usd * len(line.text) / _CHARACTERS, offer.minimum_usd)
    return Want(
        service=service.name,
        offer=offer.id,
        what=what,
        usd=round(usd, 6),
        # Nobody listens to it but you: what was said is taken.
        most=1,
        secret=service.secret,
        name=name,
        kept=kept.get(name),
    )
