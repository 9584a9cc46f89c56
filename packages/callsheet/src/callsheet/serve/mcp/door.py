"""What a client may do, at the door it has come in by."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from mcp.server.context import ServerRequestContext

    from callsheet.engine.tenant.tenant import Tenant

HERE = "this server; when it ends, the next process on this home goes on with it"


class Door(msgspec.Struct, frozen=True, kw_only=True):
    """Whose runs a client sees, and what it may do with them."""

    tenant: Tenant
    may_write: bool = True
    may_approve: bool = False
    """Whether a call alone may answer what a person is asked."""
    forms_count: bool = False
    """Whether a form that the client shows to its user counts as a person's answer."""
    secrets: frozenset[str] = frozenset()
    """Those that a plan which comes this way may name."""
    withheld: Mapping[str, str] = {}
    """Tools that are not offered, and what whoever runs the server would say to offer them."""
    here: str = HERE
    """What is said of a run that this process drives."""


Doors: TypeAlias = "Callable[[ServerRequestContext[Any, Any]], Door]"
"""The door that a request has come in by."""
