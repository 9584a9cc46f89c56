"""`make --produce`: what is ordered from providers, for how much, and whether somebody wants it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import msgspec

from callsheet.errors import InputError

if TYPE_CHECKING:
    from callsheet.apps.command import Output
    from callsheet_studio.production.commission import Commission
    from callsheet_studio.production.ordering import Quote
    from callsheet_studio.studio import Studio


class Shopping(msgspec.Struct, frozen=True, kw_only=True):
    """What was asked for."""

    yes: bool = False
    again: tuple[str, ...] = ()
    """Shots that are ordered again, although they were bought before."""
    voice: str | None = None
    """An offer and what its provider calls the voice; None: lines are spoken here."""


async def agreed(out: Output, studio: Studio, asked: Commission, shopping: Shopping) -> Quote:
    """Say what it costs, and ask.

    Raises:
        InputError: it cannot be produced, or nobody wants it.
    """
    # Imported here: who orders nothing needs nothing of providers.
    from callsheet_studio.production.ordering import MaximumMissingError

    again, voice = shopping.again, shopping.voice
    try:
        quote = await studio.order(asked, again=again, voice=voice)
    except MaximumMissingError:
        quote = await studio.order(asked, max_cost=_most(out), again=again, voice=voice)
    quote.check()
    out.show(*quote.preflight.lines())
    if shopping.yes or not quote.needs_yes:
        return quote
    worst, most = quote.preflight.worst, quote.purchase.max_cost
    asking = f"Order it, for ${worst:.2f} at worst and ${most:.2f} at most? yes / no"
    if _answer(out, asking, "Look at it, then add --yes.").casefold() not in {"y", "yes"}:
        raise InputError("Nothing was ordered.")
    return quote


def _most(out: Output) -> float:
    """What may be spent: nothing is ordered without knowing."""
    typed = _answer(out, "What may it cost at most, in USD?", "Give --max-cost 20.")
    try:
        return max(float(typed.removeprefix("$")), 0.0)
    except ValueError:
        raise InputError(f"{typed!r} is not an amount. Write it as in 20 or 12.50.") from None


def _answer(out: Output, question: str, otherwise: str) -> str:
    """What the person at this terminal types."""
    if out.as_json or not sys.stdin or not sys.stdin.isatty():
        raise InputError(f"{question} There is nobody here to ask. {otherwise}")
    out.show(question)
    return sys.stdin.readline().strip()
