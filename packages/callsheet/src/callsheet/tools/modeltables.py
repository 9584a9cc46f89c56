"""What a configuration says of models and of turns: `[models.NAME]` and `[turns]`."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import msgspec

from callsheet.core.plan.plan import Budget
from callsheet.core.value import Json
from callsheet.tools.function.terms import seconds_of

if TYPE_CHECKING:
    from collections.abc import Callable

_SECRET = re.compile(r"\$\{secrets\.([A-Za-z_][A-Za-z0-9_]*)\}\Z")
MOST = 1000
"""Rounds of a turn, or calls at once."""
SETTINGS = (
    "frequency_penalty",
    "max_tokens",
    "parallel_tool_calls",
    "presence_penalty",
    "seed",
    "temperature",
    "thinking",
    "timeout",
    "top_k",
    "top_p",
)
"""What a model may be told; what it takes of it, the record of each answer says."""


class ModelTable(msgspec.Struct, frozen=True, kw_only=True):
    """What is said of one model."""

    model: str
    """`provider:model`."""
    base_url: str | None = None
    key: str | None = None
    """The name of the secret that is the key; None: the provider's usual one."""
    settings: dict[str, Json] = {}
    price: dict[str, float] | None = None
    """USD a million tokens: `input`, `output`, perhaps `cached`."""
    record: str | None = None
    """A file that every answer is recorded in."""


class TurnsTable(msgspec.Struct, frozen=True, kw_only=True):
    """What holds for turns that do not say otherwise."""

    budget: Budget | None = None
    tools: tuple[str, ...] | None = None
    result: int = 20_000
    """Characters of a result that a model is given."""
    limits: dict[str, float] = {}


def model_of(found: object) -> object:
    """The name of a model: `provider:model`."""
    if not isinstance(found, str) or not all(found.partition(":")):
        raise ValueError(f"must be a provider and a model, not {found!r}")
    return found


def url_of(found: object) -> object:
    """The address of a server."""
    if isinstance(found, str):
        try:
            parts = urlsplit(found)
            if parts.scheme in ("http", "https") and parts.hostname:
                return found
        except ValueError:
            pass
    raise ValueError(f"must be the address of a server, not {found!r}")


def key_of(found: object) -> object:
    """The name of a secret; never the key itself."""
    match = _SECRET.match(found) if isinstance(found, str) else None
    if match is None:
        raise ValueError("must name a secret, never be the key itself")
    return match[1]


def settings_of(found: object) -> object:
    """What a model is told."""
    unknown = sorted(_table(found).keys() - set(SETTINGS))
    if unknown:
        raise ValueError(f"has no {', '.join(unknown)}; there are {', '.join(SETTINGS)}")
    most = _table(found).get("max_tokens", 1)
    if not isinstance(most, int) or isinstance(most, bool) or most < 1:
        raise ValueError(f"max_tokens must be a whole number from 1, not {most!r}")
    return found


def price_of(found: object) -> object:
    """USD for a million tokens."""
    if not isinstance(found, dict) or not {"input", "output"} <= found.keys():
        raise ValueError(f"must say what input and output cost, not {found!r}")
    unknown = sorted(found.keys() - {"input", "output", "cached"})
    if unknown:
        raise ValueError(f"has no {', '.join(unknown)}")
    for name, usd in found.items():
        if not isinstance(usd, (int, float)) or isinstance(usd, bool) or not 0 <= usd < math.inf:
            raise ValueError(f"{name} must be a number of USD, not {usd!r}")
    return found


def path_of(found: object) -> object:
    """A file's path."""
    if not isinstance(found, str) or not found or "\0" in found:
        raise ValueError(f"must be the path of a file, not {found!r}")
    return found


def budget_of(found: object) -> object:
    """A budget, as plans have it."""
    try:
        budget = msgspec.convert(found, Budget)
    except msgspec.ValidationError as exc:
        raise ValueError(f"cannot be that: {exc}") from exc
    said = [each for each in msgspec.structs.astuple(budget) if isinstance(each, (int, float))]
    if any(not 0 <= each < math.inf for each in said):
        raise ValueError("must not be negative or infinite")
    return budget


def characters_of(found: object) -> object:
    """How many characters."""
    if not isinstance(found, int) or isinstance(found, bool) or not 0 < found <= 10**7:
        raise ValueError(f"must be a number of characters from 1 to 10,000,000, not {found!r}")
    return found


def limits_of(found: object) -> object:
    """The limits of a turn."""
    unknown = sorted(_table(found).keys() - {"turn", "call", "rounds", "calls"})
    if unknown:
        raise ValueError(f"has no {', '.join(unknown)}; there are turn, call, rounds, calls")
    return {
        name: seconds_of(said) if name in ("turn", "call") else _count(name, said)
        for name, said in _table(found).items()
    }


def _table(found: object) -> dict[str, Json]:
    if isinstance(found, dict):
        return found
    raise ValueError(f"must be a table, not {found!r}")


def _count(name: str, found: object) -> int:
    if not isinstance(found, int) or isinstance(found, bool) or not 0 < found <= MOST:
        raise ValueError(f"{name} must be a whole number from 1 to {MOST:,}, not {found!r}")
    return found


MODEL: dict[str, tuple[Callable[[object], object], str]] = {
    "model": (model_of, 'model = "anthropic:claude-sonnet-5"'),
    "base_url": (url_of, 'base_url = "http://127.0.0.1:8080"'),
    "key": (key_of, 'key = "${secrets.ANTHROPIC}"'),
    "settings": (settings_of, "settings = {temperature = 0, max_tokens = 8192}"),
    "price": (price_of, "price = {input = 3.0, output = 15.0}"),
    "record": (path_of, 'record = "tape.jsonl"'),
}
TURNS: dict[str, tuple[Callable[[object], object], str]] = {
    "budget": (budget_of, "budget = {usd = 1.0}"),
    "result": (characters_of, "result = 20000"),
    "limits": (limits_of, "limits = {turn = 180, call = 120, rounds = 30, calls = 8}"),
}
