"""Whoever makes a request: a tenant, a name, scopes and limits."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from callsheet.core.run.start import TENANT
from callsheet.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable

NOUNS = ("plans", "runs", "turns", "artifacts", "context", "ledger")
APPROVE = "runs:approve"
ADMIN = "admin"
SCOPES = (*(f"{noun}:{verb}" for noun in NOUNS for verb in ("read", "write")), APPROVE, ADMIN)
"""All there are, in the order in which they are listed."""
KEYLESS = frozenset(SCOPES) - {APPROVE, ADMIN}
"""What a request without a key may do, on loopback."""


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """What one key may take at once; None: as much as there is."""

    requests: float | None = 100.0
    """A second; twice as many at once."""
    runs: int | None = 100
    """Started with it in one process, and not ended."""
    streams: int | None = 100
    body: int = 1_000_000
    """Bytes of a request; a plan has five times as many."""
    upload: int = 1_000_000_000


UNLIMITED = Limits(requests=None, runs=None, streams=None)


class Caller(msgspec.Struct, frozen=True, kw_only=True):
    """Who makes a request."""

    tenant: str
    name: str
    """As it is recorded with what they do."""
    scopes: frozenset[str]
    key: str | None = None
    """The id of the key; None: there is none."""
    limits: Limits = UNLIMITED
    machine: bool = False
    """Whether tools that reach this machine are theirs without a word in the configuration."""

    def may(self, scope: str) -> bool:
        """Whether a scope is theirs. Whoever may write may read; `admin` is all of them."""
        if scope in self.scopes or ADMIN in self.scopes:
            return True
        noun, _, verb = scope.partition(":")
        return verb == "read" and f"{noun}:write" in self.scopes


def keyless(*, everything: bool) -> Caller:
    """Whoever has no key, on loopback."""
    scopes = frozenset(SCOPES) if everything else KEYLESS
    return Caller(tenant=TENANT, name="local", scopes=scopes, machine=everything)


OWNER = Caller(tenant=TENANT, name="local", scopes=frozenset(SCOPES), key="local", machine=True)
"""Whoever has the key that lies in the home: they have what the command line has."""


def scopes_of(given: Iterable[str]) -> tuple[str, ...]:
    """Scopes, each once and in their order.

    Raises:
        InputError: there is none, or one that is none.
    """
    asked = {each.strip() for each in given}
    unknown = sorted(asked - set(SCOPES))
    if unknown or not asked:
        what = f"There is no scope {unknown[0]!r}." if unknown else "A key needs a scope."
        raise InputError(f"{what} Scopes are {', '.join(SCOPES)}.")
    return tuple(each for each in SCOPES if each in asked)
