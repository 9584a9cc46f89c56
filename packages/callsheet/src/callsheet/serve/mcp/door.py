"""What a client may do, at the door it has come in by."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from callsheet.engine.tenant.tenant import Tenant

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext

APPROVE = "runs:approve"
"""The right to answer what a person is asked: one right, at every door."""
HERE = "this server; when it ends, the next process on this home goes on with it"


def rights(*, write: bool = True, approve: bool = False) -> Callable[[str], bool]:
    """The scopes of a client that has no key: all of them, or those that only read."""

    def may(scope: str) -> bool:
        return approve if scope == APPROVE else write or scope.endswith(":read")

    return may


def _nothing(*_said: object) -> None:
    return None


class Door(msgspec.Struct, frozen=True, kw_only=True):
    """Whose runs a client sees, and what it may do with them."""

    tenant: Tenant
    may: Callable[[str], bool] = rights()
    """Whether a scope, as `runs:write`, is the client's."""
    forms_count: bool = False
    """Whether a form that the client shows to its user counts as a person's answer."""
    secrets: frozenset[str] = frozenset()
    """Those that a plan which comes this way may name."""
    withheld: Mapping[str, str] = {}
    """Tools that are not offered, and what whoever runs the server would say to offer them."""
    here: str = HERE
    """What is said of a run that this process drives."""
    by: str | None = None
    """How journals name whoever comes this way; None: by the name of the client."""
    may_start: Callable[[], None] = _nothing
    """Raises if too many runs go on."""
    started: Callable[[str], None] = _nothing
    """Told of each run that is started."""


Doors: TypeAlias = "Callable[[ServerRequestContext[Any, Any]], Door]"
"""The door that a request has come in by."""
