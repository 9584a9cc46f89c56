"""What the contract of providers is played with: one case for each provider.

A case stands in `case_<provider>.py` beside this file, in its `CASES`. Its server is real HTTP on
loopback, with no clock: work goes on by one piece each time it is looked at.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractAsyncContextManager

    from callsheet_studio.providers.port import Order, Provider

Fault = Literal[
    "rate_limited",
    "server_error",
    "bad_key",
    "no_balance",
    "refused",
    "expired",
    "lost_answer",
    "slow",
    "unknown_job",
]
"""What a server can be told to do:

- `rate_limited`: 429, with `retry-after: 7`;
- `server_error`: 500, whatever is asked, and nothing is ordered;
- `bad_key`: 401; `no_balance`: as this provider says it;
- `refused`: moderation, at once or as the end of the work, as this provider does it;
- `expired`: the address of what was made is refused; the next look has a fresh one;
- `lost_answer`: the order is taken, then the connection is closed without an answer;
- `slow`: an order is looked at at least three times before it is made;
- `unknown_job`: the server has forgotten every order.
"""

RETRY_AFTER = 7.0
"""What `rate_limited` tells, in seconds."""


class Server(Protocol):
    """A server that speaks a provider's API, and can be told to fail."""

    @property
    def base_url(self) -> str:
        """What the adapter is opened with."""

    @property
    def orders(self) -> list[str]:
        """What was accepted, and will be billed: the ids, oldest first."""

    @property
    def cancelled(self) -> list[str]:
        """Which of them it was asked not to make."""

    @property
    def made(self) -> bytes:
        """What it makes of every order."""

    def break_with(self, fault: Fault, times: int = 1) -> None:
        """Do this, for so many requests that it is about; `slow` and `unknown_job` from now on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A provider, and how its adapter is tried."""

    name: str
    start_server: Callable[[], AbstractAsyncContextManager[Server]]
    open: Callable[[str], Provider]
    """Given the server's `base_url`."""
    order: Order
    picture: bytes | None = None
    lacks: frozenset[Fault] = frozenset()
    """What cannot happen with this provider: `slow` when the order is answered with the thing."""
    cancels: bool = True
    """Whether the service can be asked to stop."""
    refuses_at_once: bool = False
    """Whether moderation answers the order; else it ends the work."""
    knows_tokens: bool = False
    """Whether the same token ordered twice is one order."""


def all_cases() -> list[Case]:
    """Of every provider."""
    files = sorted(Path(__file__).parent.glob("case_*.py"))
    modules = [importlib.import_module(f"tests.unit.providers.{each.stem}") for each in files]
    return [case for module in modules for case in module.CASES]
