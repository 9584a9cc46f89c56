"""An agent, as somebody describes it in Python; and what of that is data."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from callsheet.core.plan.plan import Budget

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from callsheet.core.value import Json


class Capability(msgspec.Struct, frozen=True, kw_only=True):
    """Something that an agent can do: what it takes, and what it gives.

    Each is a pydantic model, anything else that pydantic has a schema for, or a JSON Schema of an
    object. Without one, it takes `{task: string}` and gives `{text: string}`.
    """

    input: Any = None
    output: Any = None


class Agent(msgspec.Struct, frozen=True, kw_only=True):
    """A role with capabilities, models, tools and a budget. Given to `Engine.open(agents=[…])`."""

    role: str
    capabilities: dict[str, Capability]
    """By name, as in `script.write`."""
    models: tuple[str, ...]
    """Tried in this order."""
    name: str = ""
    """What it is called; as its role, if nothing is said."""
    prompt: str | Path = ""
    """What it is told before everything else: the text, or the file of it."""
    tools: tuple[str, ...] = ()
    """What it may call."""
    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    """Context items that it may read and write, by name or by a pattern like `notes:*`."""
    budget: Budget | None = None
    """What one run of it may spend."""
    concurrency: int | None = None
    """How many of its answers may go on at once; None: any number."""
    preference: int = 0
    """Of two that are able, the one with the higher number is asked first."""
    limits: dict[str, float] = {}
    """`depth` of requests (3), `rounds` (20), and `seconds` (180)."""

    if TYPE_CHECKING:

        def __init__(  # noqa: PLR0913 -- the fields, as they may be written
            self,
            *,
            role: str,
            capabilities: Mapping[str, Capability] | Iterable[str],
            models: Iterable[str],
            name: str = "",
            prompt: str | Path = "",
            tools: Iterable[str] = (),
            reads: Iterable[str] = (),
            writes: Iterable[str] = (),
            budget: Budget | Mapping[str, Json] | None = None,
            concurrency: int | None = None,
            preference: int = 0,
            limits: Mapping[str, float] | None = None,
        ) -> None: ...
