"""What the engine needs from the world: protocols only.

The promises below are executable: `callsheet.testing.contracts` runs them against every
implementation. Nothing here knows how a port is implemented, and the runtime knows nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

import msgspec

from callsheet.core.value import Json

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime
    from pathlib import Path

    from callsheet.core.entries import AnyEntry, EndState
    from callsheet.core.ids import RunId, StepKey
    from callsheet.core.plan import Plan
    from callsheet.core.toolspec import ToolSpec

RequestKind = Literal["pause", "resume", "cancel", "undo", "answer"]


class Timer(Protocol):
    """Something that will happen, unless it is cancelled first."""

    def cancel(self) -> None:
        """Make it not happen. Harmless when it already has."""
        ...


class Clock(Protocol):
    """Time and chance."""

    def now(self) -> datetime:
        """The time, aware, in UTC; never earlier than the last one given."""
        ...

    def call_later(self, seconds: float, callback: Callable[[], object]) -> Timer:
        """Call back, on the event loop, after so many seconds (at once if not positive)."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Return after so many seconds."""
        ...

    def chance(self) -> int:
        """64 bits that nobody can foresee (or, in a simulation, everybody)."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class RunHead:
    """What can be said of a run without reading its journal: an index, never the truth."""

    run: RunId
    name: str
    """Of the plan."""
    plan: str
    """The plan's digest."""
    content: str
    """Digest of plan and inputs together: what a start key stands for."""
    tenant: str
    key: str | None
    started_at: datetime
    ended: EndState | None
    """None while the run is open (or open again, being undone)."""
    ended_at: datetime | None


class Journal(Protocol):
    """An append-only record of runs. Entries of a run are numbered from 1."""

    async def append(self, run: RunId, entries: Sequence[AnyEntry], *, after: int) -> int:
        """Append entries atomically and return the new length.

        The entries are durable when this returns (see the store's `sync`). It writes all of them
        or none. A journal begins with `RunStarted` at `after=0`. Cancelling the caller does not
        take the entries back.

        Raises:
            StaleWriteError: the journal is not `after` entries long.
            KeyReusedError: the first entry's `(tenant, key)` belongs to another run.
        """
        ...

    async def read(
        self, run: RunId, *, after: int = 0, limit: int | None = None
    ) -> Sequence[AnyEntry]:
        """The entries numbered after+1 and up, in order; empty for a run that does not exist."""
        ...

    async def head(self, run: RunId) -> RunHead | None:
        """What the index says of a run."""
        ...

    async def find(self, tenant: str, key: str) -> RunHead | None:
        """The run that was started with this key."""
        ...

    async def heads(
        self, *, limit: int = 50, before: RunId | None = None, open_only: bool = False
    ) -> Sequence[RunHead]:
        """Runs, newest first; `before` pages on."""
        ...

    async def delete(self, run: RunId) -> bool:
        """Remove an ended run whole, in one transaction; False when there is none.

        Raises:
            RequestRefusedError: the run has not ended.
        """
        ...


class Request(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something asked of a run, perhaps by another process."""

    id: str
    run: str
    kind: RequestKind
    by: str | None = None
    step: str | None = None
    """`answer`: which step; `undo`: the step to keep."""
    answer: Json = None
    output: Json = None
    reason: str = ""


class Settled(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What became of a request."""

    refusal: str | None = None
    """Why it was not done; None: it was journalled."""


class Inbox(Protocol):
    """Requests to runs, from any process, in the order they were put."""

    async def put(self, request: Request) -> None:
        """Leave a request. Durable when this returns. The same id twice is one request."""
        ...

    async def pending(self) -> Sequence[Request]:
        """Requests that are not settled, oldest first. Cheap enough to ask ten times a second."""
        ...

    async def settle(self, request: str, settled: Settled) -> None:
        """Say what became of a request."""
        ...

    async def settled(self, request: str) -> Settled | None:
        """What became of a request; None while nobody has dealt with it."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedPlan:
    """One version of a saved plan."""

    name: str
    version: int
    plan: Plan
    saved_at: datetime


class PlanShelf(Protocol):
    """Saved plans; every version is kept until the plan is deleted."""

    async def save(self, plan: Plan, at: datetime) -> SavedPlan:
        """Save under the plan's name. The same content as the newest version is that version."""
        ...

    async def get(self, name: str, version: int | None = None) -> SavedPlan | None:
        """A version, or the newest."""
        ...

    async def list(self) -> Sequence[SavedPlan]:
        """The newest version of each, by name."""
        ...

    async def versions(self, name: str) -> Sequence[SavedPlan]:
        """All versions, oldest first."""
        ...

    async def delete(self, name: str) -> bool:
        """Remove all versions; False when there is none.

        Raises:
            RequestRefusedError: an open run is of one of them.
        """
        ...


class Store(Protocol):
    """Where everything durable lives. Opened once, closed once."""

    journal: Journal
    inbox: Inbox
    plans: PlanShelf

    @property
    def driving(self) -> bool:
        """Whether this process holds the driver lock. Others may read, and write to the inbox."""
        ...

    @property
    def driven(self) -> bool:
        """Whether any process holds the driver lock right now, this one or another."""
        ...

    async def backup(self, target: Path) -> None:
        """Write a consistent copy while the store is in use. Refuses to overwrite."""
        ...

    async def close(self) -> None:
        """Finish what is being written, release the lock. Harmless the second time."""
        ...


class Log(Protocol):
    """A structured logger: a constant event name and fields (structlog's shape)."""

    def info(self, event: str, **fields: object) -> object:
        """For the record."""
        ...

    def warning(self, event: str, **fields: object) -> object:
        """For somebody to look at."""
        ...


class Context(Protocol):
    """What a tool is told about the call it serves, and what it may say while it works."""

    run: RunId
    step: StepKey
    attempt: int
    key: str
    """The idempotency key: the same for all attempts of this step."""
    saved: Json
    """What `checkpoint` was last given by an earlier attempt of this step, or None."""
    grace: float
    """Seconds a tool that is told to stop has before it is killed or abandoned."""

    @property
    def log(self) -> Log:
        """A logger that says which call it is."""
        ...

    @property
    def cancelled(self) -> bool:
        """Whether the tool has been told to stop."""
        ...

    def progress(self, fraction: float | None = None, message: str = "") -> None:
        """Say how far it is; for watchers, never journalled."""
        ...

    async def checkpoint(self, data: Json) -> None:
        """Journal something (a provider's job id) that the next attempt must have."""
        ...

    def charge(self, *, usd: float = 0.0, credits: float = 0.0, tokens: int = 0) -> None:
        """Say what the call has cost; added up, and instead of the declared cost."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Wait on the engine's clock."""
        ...


class Toolbox(Protocol):
    """The tools there are."""

    def spec(self, name: str) -> ToolSpec | None:
        """A tool's declaration, or None if there is no such tool."""
        ...

    def names(self) -> Sequence[str]:
        """All of them, sorted."""
        ...

    async def call(self, name: str, args: dict[str, Json], ctx: Context) -> Json:
        """Call a tool and return its output as a JSON value.

        Any exception may come out of it; a `ToolError` says what class it is. Cancelling this
        coroutine tells the tool to stop; it ends within `ctx.grace`, unless the tool is a
        coroutine that does not listen. A thread that does not is left behind (`AbandonedError`).
        """
        ...

    async def close(self) -> None:
        """Stop whatever the tools have running."""
        ...
