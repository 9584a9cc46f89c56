"""What the stores refuse, in the same words whichever store it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet.errors import (
    EngineClosedError,
    KeyReusedError,
    RequestRefusedError,
    StaleWriteError,
    StoreBusyError,
    StoreError,
)
from callsheet.stores.failures import translated

if TYPE_CHECKING:
    from pathlib import Path

    from callsheet.core.index.heads import RunHead


def closed() -> EngineClosedError:
    """Somebody uses a store that was closed."""
    return EngineClosedError("The store is closed; open it again to continue.")


def not_driving(home: str) -> StoreBusyError:
    """A process that does not drive wants to write a journal."""
    return StoreBusyError(
        f"This process does not drive {home!r}, so it writes no journal there. Leave a "
        "request for the driver instead (pause, resume, cancel, undo, answer)."
    )


def again(error: StoreError) -> StoreError:
    """The same for somebody else: an exception raised in many tasks collects all their traces."""
    same = type(error)(error.message)
    same.__cause__ = error.__cause__
    return same


def stale(run: str, *, after: int, length: int) -> StaleWriteError:
    """The writer believes something else about the journal than is in it."""
    return StaleWriteError(
        f"The journal of run {run!r} has {length} entries, not {after}: somebody else has written "
        "it, or it was deleted. Read it again and go on from there."
    )


def key_reused(head: RunHead, owner: str) -> KeyReusedError:
    """The start key is taken."""
    return KeyReusedError(
        f"The key {head.key!r} of tenant {head.tenant!r} belongs to run {owner!r}, not to "
        f"{head.run!r}. Use that run, or start with another key."
    )


def withdrawn(run: str) -> RequestRefusedError:
    """A run is to begin whose start somebody else has dealt with."""
    return RequestRefusedError(
        f"Run {run!r} does not begin: its start was cancelled, or another process has it."
    )


def still_open(run: str) -> RequestRefusedError:
    """A run that has not ended is to be deleted."""
    return RequestRefusedError(f"Run {run!r} has not ended. Cancel it first, then delete it.")


def plan_in_use(name: str, run: str) -> RequestRefusedError:
    """A plan that an open run is of is to be deleted."""
    return RequestRefusedError(
        f"Plan {name!r} is what the open run {run!r} is of. Delete the plan when it has ended."
    )


def claim(target: Path) -> None:
    """Make the directory that a backup goes to; only where there is nothing yet.

    Raises:
        StoreError: something is there, or nothing can be made there.
    """
    try:
        if target.exists() and not (target.is_dir() and not any(target.iterdir())):
            raise StoreError(f"{str(target)!r} exists and is not overwritten. Name another.")
        target.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as exc:
        raise translated(exc, target) from exc
