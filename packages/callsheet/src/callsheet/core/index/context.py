"""Context: what an item may be, which version it becomes, and what is refused."""

from __future__ import annotations

import math
from datetime import datetime, timedelta

import msgspec
from msgspec.structs import replace

from callsheet.core import given, value
from callsheet.core.plan.duration import MAX_SECONDS
from callsheet.core.run.start import TENANT
from callsheet.core.value import Json
from callsheet.errors import InputError, StaleContextError

MOST = 16 * 1024 * 1024
"""Bytes that one scope may have, counting the newest version of each item."""
LONGEST = 200
"""Characters of a scope's or an item's name."""


class ContextItem(msgspec.Struct, frozen=True, kw_only=True):
    """Named data of a project or run, in one version."""

    scope: str
    name: str
    version: int
    value: Json
    size: int
    """Of its JSON, in bytes."""
    saved_at: datetime
    expires_at: datetime | None = None
    key: str = ""
    """Of the call that wrote it, if it was one: the same call writes one version."""
    tenant: str = TENANT
    """Whose it is: scopes of the same name of two tenants are two."""

    def to_json(self) -> dict[str, Json]:
        """What is known of it, as plain data; `value` is plain data itself, and may be large."""
        return {
            "scope": self.scope,
            "name": self.name,
            "version": self.version,
            "size": self.size,
            "saved_at": msgspec.to_builtins(self.saved_at),
            "expires_at": msgspec.to_builtins(self.expires_at),
        }


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """What is there already where an item is to go."""

    newest: int
    """The newest version of its name that has not expired; 0: none."""
    last: int
    """The highest number of its name that is known, expired or not."""
    others: int
    """Bytes of the newest versions of all other names in its scope."""


def placed(item: ContextItem, place: Place, *, after: int | None, most: int) -> ContextItem:
    """The item with its version.

    Raises:
        StaleContextError: the newest version is not the one it must follow.
        InputError: the scope would be too large.
    """
    if after is not None and after != place.newest:
        there = f"at version {place.newest}" if place.newest else "not there"
        raise StaleContextError(
            f"{item.name!r} in {item.scope!r} is {there}, not at version {after}: somebody else "
            "has changed it. Read it again, and write what follows from that."
        )
    size = place.others + item.size
    if size > most:
        raise InputError(
            f"{item.name!r} has {item.size:,} bytes; with it {item.scope!r} would have {size:,}, "
            f"and {most:,} is the most. Delete something there, or keep it as an artifact."
        )
    return replace(item, version=place.last + 1)


def check_names(scope: str, name: str = "x") -> None:
    """Refuse a scope or a name that cannot be one.

    Raises:
        InputError: says which, and why.
    """
    for what, text in (("scope", scope), ("name", name)):
        if not isinstance(text, str):
            raise given.wrong(what, "a string", text)
        if not text.strip() or len(text) > LONGEST or "\0" in text or value.problem_of(text):
            raise InputError(
                f"{text[:LONGEST]!r} cannot be a {what}: it must be text of 1 to {LONGEST} "
                "characters, as in 'project:blue' or 'style'."
            )


def size_of(data: Json) -> int:
    """How many bytes of JSON a value has.

    Raises:
        InputError: it is not a JSON value.
    """
    problem = value.problem_of(data)
    if problem is not None:
        raise InputError(f"The value cannot be kept: it is or holds something {problem}.")
    return len(value.encode(data))


def expiry(now: datetime, ttl: float | None) -> datetime | None:
    """When an item expires that lives so many seconds; None: never.

    Raises:
        InputError: it is no time to live.
    """
    if ttl is None:
        return None
    if not (math.isfinite(ttl) and 0 < ttl <= MAX_SECONDS):
        raise InputError(
            f"An item cannot live {ttl!r} seconds: write more than 0, or leave it out."
        )
    return now + timedelta(seconds=ttl)
