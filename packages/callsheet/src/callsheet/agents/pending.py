"""How an answer says that it asks for a call whose arguments are still being written."""

from __future__ import annotations

_ASKS = "asks for "


def pending(id: str, name: str) -> str:
    """What watchers are told; for people as it is, for a flow as `pending_in` reads it."""
    return f"{_ASKS}{name} ({id})"


def pending_in(message: str) -> tuple[str, str] | None:
    """The id and the tool of such a call; None: it says something else."""
    if not message.startswith(_ASKS) or not message.endswith(")"):
        return None
    name, _, id = message[len(_ASKS) : -1].partition(" (")
    return id, name
