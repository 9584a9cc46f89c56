"""What answers cost: prices, ceilings before, costs after, and estimates of what was cut."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

import msgspec

from callsheet.agents.message import encode
from callsheet.agents.model import Usage
from callsheet.core import value
from callsheet.core.plan.plan import Cost

if TYPE_CHECKING:
    from collections.abc import Iterable

    from callsheet.agents.message import Message
    from callsheet.agents.model import Request

MILLION = 1_000_000
BYTES_AT_LEAST = 2
"""Of UTF-8 in a token: fewer hardly occur, so a ceiling that counts so is one."""
BYTES_USUALLY = 4
OVERHEAD = 16
"""Tokens that a message, or a tool, takes beside its words."""


class Price(msgspec.Struct, frozen=True, kw_only=True):
    """USD for a million tokens."""

    input: float
    output: float
    cached: float | None = None
    """Of input that the provider had read before; None: as other input."""

    def of(self, usage: Usage) -> float:
        """What was used, in USD."""
        cached = min(usage.cached, usage.input)
        fresh = usage.input - cached
        read = self.input if self.cached is None else self.cached
        return (fresh * self.input + cached * read + usage.output * self.output) / MILLION


def known_price(service: str, model: str) -> Price | None:
    """What the library knows of a model's price; None: it does not know it, or is not here."""
    try:
        from genai_prices import Usage as Used
        from genai_prices import calc_price
    except ImportError:
        return None
    try:
        into = calc_price(Used(input_tokens=MILLION), model, provider_id=service)
        out = calc_price(Used(output_tokens=MILLION), model, provider_id=service)
    except LookupError:
        return None
    return Price(input=float(into.total_price), output=float(out.total_price))


def cost_of(usage: Usage, price: Price | None) -> Cost:
    """What an answer has cost; without a price its tokens alone are known."""
    usd = round(price.of(usage), 9) if price else 0.0
    return Cost(usd=usd, tokens=usage.input + usage.output)


def ceiling_of(request: Request, price: Price | None, most: int) -> Cost:
    """What an answer to this may cost at most, with so many tokens of output."""
    return cost_of(Usage(input=most_input(request), output=most), price)


def ceiling_after(before: int, added: int, price: Price | None, most: int) -> Cost:
    """What the next answer may cost: so many tokens of input before, so many characters more."""
    # A character has up to four bytes, but then it is more than one token's worth of text.
    more = ceil(added / BYTES_AT_LEAST) + OVERHEAD
    return cost_of(Usage(input=before + more, output=most), price)


def most_input(request: Request) -> int:
    """How many tokens a request has at most."""
    return _tokens(request, BYTES_AT_LEAST)


def estimated(request: Request, received: Iterable[str]) -> Usage:
    """What an answer has used that was cut: nobody has counted it."""
    output = sum(len(text.encode("utf-8", "replace")) for text in received)
    return Usage(
        input=_tokens(request, BYTES_USUALLY),
        output=ceil(output / BYTES_USUALLY),
        estimated=True,
    )


def _tokens(request: Request, per_token: int) -> int:
    size = len(request.instructions.encode("utf-8", "replace"))
    size += sum(map(size_of, request.messages))
    size += sum(len(value.encode(tool.schema)) + len(tool.description) for tool in request.tools)
    return ceil(size / per_token) + OVERHEAD * (len(request.messages) + len(request.tools) + 1)


def size_of(message: Message) -> int:
    """How many bytes of JSON a message has."""
    return len(encode(message))
