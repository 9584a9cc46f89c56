"""Whether an offer can be used at all: on the day, for the brief, for what a shot needs.

Each test answers with the reason against it, or an empty text. What is not known counts against an
offer wherever it matters; only an unknown region is allowed, and told in the plan.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from callsheet_studio.solve.terms import local, short_side

if TYPE_CHECKING:
    from datetime import date

    from callsheet_studio.model.stack import Offer, Stack, StackTool
    from callsheet_studio.solve.needs import Need
    from callsheet_studio.solve.terms import Terms, Wish

_OPEN = ("apache", "mit", "bsd", "cc0", "cc-by", "mpl", "gpl")
_EVERYWHERE = {"global", "worldwide", "any"}
_ONLY = re.compile(r"\b([a-z0-9]{3})[ -]only\b")


def on_the_day(tool: StackTool, offer: Offer, today: date, terms: Terms) -> str:
    """Why it cannot be had on a day."""
    if gone := tool_gone(tool, today):
        return gone
    if offer.until is not None and today > offer.until:
        return f"was offered until {offer.until}"
    own_card = local(offer.provider) and "cpu" not in offer.provider.casefold()
    if own_card and tool.category != "render" and not terms.gpu:
        return "needs a graphics card of one's own"
    return ""


def tool_gone(tool: StackTool, today: date) -> str:
    """Why a tool is not there on a day: only active ones are planned with."""
    if tool.retires is not None and today >= tool.retires:
        return f"is retired since {tool.retires}"
    return "" if tool.status == "active" else f"is {tool.status}"


def for_the_brief(tool: StackTool, offer: Offer, wish: Wish, aspects: frozenset[str]) -> str:
    """Why a video offer does not serve the brief."""
    if not tool.aspects:
        return "does not tell its aspects"
    if not aspects.intersection(tool.aspects):
        return f"does not make {wish.aspect}"
    return sharp_enough(tool, offer, wish) or allowed(tool, wish)


def sharp_enough(tool: StackTool, offer: Offer, wish: Wish) -> str:
    """Why its picture is too small."""
    pixels = resolution(tool, offer)
    if pixels is None:
        return "does not tell its resolution"
    return "" if pixels >= wish.short_side else f"makes {pixels}p, not {wish.short_side}p"


def resolution(tool: StackTool, offer: Offer) -> int | None:
    """The short side that is certain for the price.

    An offer that tells none, of a tool whose other offers do, may be for the smallest. If no offer
    of the tool tells one, its price is for all that it makes.
    """
    if offer.resolution is not None:
        return short_side(offer.resolution) or None
    made = [short_side(each) for each in tool.resolutions]
    told = any(each.resolution is not None for each in tool.offers)
    return (min(made) if told else max(made)) if made else None


def allowed(tool: StackTool, wish: Wish) -> str:
    """Why region or licence forbid it."""
    if not in_region(tool, wish.region):
        return f"is not offered in {wish.region}"
    if wish.any_licence:
        return ""
    if tool.licence is None:
        return "does not tell its licence"
    accepted = [word.strip().casefold() for word in re.split(r"[,;/]", wish.licences)]
    if any(_licensed(tool.licence.casefold(), word) for word in accepted if word):
        return ""
    return f"has another licence ({tool.licence})"


def in_region(tool: StackTool, region: str) -> bool:
    """Whether it may be used there; an unknown region is allowed.

    `!EU` among the regions of a tool says that it may be used everywhere but there.
    """
    if not region or not tool.regions:
        return True
    here = region.casefold()
    named = {each.casefold() for each in tool.regions}
    if f"!{here}" in named:
        return False
    positive = {each for each in named if not each.startswith("!")}
    return not positive or here in positive or bool(positive & _EVERYWHERE)


def _licensed(licence: str, word: str) -> bool:
    free = "not apache" not in licence and any(re.search(rf"\b{name}\b", licence) for name in _OPEN)
    if word == "open":
        return free
    if word == "commercial":
        return free or "proprietary" in licence
    return word in licence


def for_the_shot(tool: StackTool, offer: Offer, need: Need, mode: str) -> str:
    """Why it cannot make this kind of shot in a mode."""
    only = {found for text in _texts(offer) for found in _ONLY.findall(text)}
    asked = offer.conditions.get("mode")
    if (only and mode not in only) or (isinstance(asked, str) and asked != mode):
        return f"is not offered for {mode}"
    if need.lip_sync and (not tool.lip_sync or not _sounding(tool, offer)):
        return "does not move lips to words"
    if mode == "t2v" and need.references > (tool.reference_images or 0):
        return "does not take the reference pictures"
    return ""


def _texts(offer: Offer) -> list[str]:
    return [text.casefold() for text in offer.conditions.values() if isinstance(text, str)]


def _sounding(tool: StackTool, offer: Offer) -> bool:
    return bool(tool.native_audio if offer.audio is None else offer.audio)


def takes_references(tool: StackTool) -> bool:
    """Whether an image tool can be shown who is to be seen."""
    return bool(tool.reference_images) or bool({"multi-reference", "edit"} & set(tool.modes))


def aspects_for(aspect: str, stack: Stack) -> frozenset[str]:
    """The aspects that a film in `aspect` can be cut from.

    Its own; if no tool of the stack makes that, the longer ones of the same orientation: their
    ends are cut off, and the short side keeps its pixels.
    """
    made = {each for tool in stack.tools if tool.category == "video" for each in tool.aspects}
    if aspect in made:
        return frozenset({aspect})
    return frozenset(each for each in made if _longer(each, aspect))


def _longer(made: str, wanted: str) -> bool:
    (a, b), (c, d) = (tuple(int(part) for part in each.split(":")) for each in (made, wanted))
    return a * d >= c * b if c > d else a * d <= c * b
