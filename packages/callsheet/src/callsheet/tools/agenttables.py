"""What a configuration says of agents: `[agents.NAME]`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from callsheet.core.ids import CAPABILITY
from callsheet.core.plan.plan import Budget
from callsheet.tools.function.terms import seconds_of
from callsheet.tools.modeltables import budget_of, path_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from callsheet.core.value import Json

MOST_ROUNDS = 1000
MOST_DEEP = 8
"""As deep as runs may be nested."""


class AgentTable(msgspec.Struct, frozen=True, kw_only=True):
    """What is said of one agent."""

    role: str = ""
    capabilities: dict[str, dict[str, str]] = {}
    """Each with the files of its schemas, `input` and `output`, as far as they are said."""
    models: tuple[str, ...] = ()
    prompt: str | None = None
    """A file."""
    tools: tuple[str, ...] = ()
    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    budget: Budget | None = None
    concurrency: int | None = None
    preference: int = 0
    limits: dict[str, float] = {}


def role_of(found: object) -> object:
    """A role: one word."""
    if not isinstance(found, str) or not CAPABILITY.match(found):
        raise ValueError(f"must be a lowercase word, not {found!r}")
    return found


def capabilities_of(found: object) -> object:
    """Names of capabilities, or a table of them with their schemas."""
    if isinstance(found, list):
        found = {name if isinstance(name, str) else repr(name): {} for name in found}
    if not isinstance(found, dict) or not found:
        raise ValueError(f"must be a list of names, or a table of them, not {found!r}")
    for name, said in found.items():
        if not CAPABILITY.match(name):
            raise ValueError(f"has {name!r}; write lowercase words joined by dots")
        if not isinstance(said, dict) or not said.keys() <= {"input", "output"}:
            raise ValueError(f"{name} may say `input` and `output`, the files of two schemas")
        for file in said.values():
            path_of(file)
    return found


def count_of(found: object) -> object:
    """How many at once."""
    if not isinstance(found, int) or isinstance(found, bool) or not 0 < found <= MOST_ROUNDS:
        raise ValueError(f"must be a whole number from 1 to {MOST_ROUNDS:,}, not {found!r}")
    return found


def preference_of(found: object) -> object:
    """Which of those that are able comes first."""
    if not isinstance(found, int) or isinstance(found, bool) or abs(found) > MOST_ROUNDS:
        raise ValueError(f"must be a whole number, not {found!r}")
    return found


def limits_of(found: object) -> object:
    """How long a chain of requests may be, how many answers a run may have, how long it takes."""
    known = {"depth": MOST_DEEP, "rounds": MOST_ROUNDS}
    if not isinstance(found, dict) or not found.keys() <= {*known, "seconds"}:
        raise ValueError(f"has depth, rounds and seconds, not {found!r}")
    said: dict[str, Json] = {}
    for name, number in found.items():
        if name == "seconds":
            said[name] = seconds_of(number)
            continue
        if not isinstance(number, int) or isinstance(number, bool) or not 0 < number <= known[name]:
            raise ValueError(f"{name} must be a whole number from 1 to {known[name]}")
        said[name] = number
    return said


AGENT: dict[str, tuple[Callable[[object], object], str]] = {
    "role": (role_of, 'role = "writer"'),
    "capabilities": (capabilities_of, 'capabilities = ["script.write"]'),
    "prompt": (path_of, 'prompt = "prompts/writer.md"'),
    "budget": (budget_of, "budget = {usd = 1.0}"),
    "concurrency": (count_of, "concurrency = 2"),
    "preference": (preference_of, "preference = 1"),
    "limits": (limits_of, "limits = {depth = 3, rounds = 20, seconds = 180}"),
}
LISTS = {
    "models": 'models = ["writer", "openai:gpt-5", "offline"]',
    "tools": 'tools = ["http.get"]',
    "reads": 'reads = ["style:*"]',
    "writes": 'writes = ["notes:*"]',
}
