"""What arrives at the loop of a run between two turns, and who waits until it is written.

Calls that end, timers, requests and checkpoints come at any time; the loop takes them in together,
at the beginning of its next turn. Whoever asked for something waits until what came of it is
durable.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from msgspec import Raw

from callsheet.core import value
from callsheet.core.past.requests import entry_of
from callsheet.core.run import entries as e
from callsheet.errors import InputError, RequestRefusedError, ToolError
from callsheet.runtime import crash
from callsheet.runtime.log import log

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from callsheet.core.ids import StepKey
    from callsheet.core.run.request import Request
    from callsheet.core.run.snapshot import Snapshot
    from callsheet.core.value import Json
    from callsheet.errors import CallsheetError
    from callsheet.ports import Toolbox
    from callsheet.runtime.environment import Environment


_TOLD = (InputError, ToolError)
"""What is raised as it is."""


class Mailbox:
    """The mail of one loop."""

    def __init__(
        self, snapshot: Snapshot, shared: Environment, note: Callable[[e.AnyEntry], None]
    ) -> None:
        """`note` has the loop write an entry at the end of its turn."""
        self._snapshot = snapshot
        self._clock = shared.clock
        self._toolbox: Toolbox = shared.toolbox
        self._note = note
        self._mail: list[Callable[[], None]] = []
        # Done when something has happened. Every turn has its own.
        self._wake: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiters: list[asyncio.Future[None]] = []
        """To be resolved once this turn is durable."""
        self._asked: dict[asyncio.Future[None], None] = {}
        """Whoever waits for an answer."""
        self._refused: set[str] = set()
        """Requests that nobody waits for, and of which the run has said that they were refused."""
        self._gone: CallsheetError | None = None
        """Why nothing is taken in any more."""

    # For the loop

    def check_with(self, toolbox: Toolbox) -> None:
        """Steps that are added may call these tools."""
        self._toolbox = toolbox

    @property
    def is_empty(self) -> bool:
        """Whether nothing has arrived since the mail was taken in."""
        return not self._mail

    async def wait(self) -> None:
        """Return when something has arrived since the mail was taken in, or changed outside."""
        await self._wake

    def take_in(self) -> None:
        """Let happen what has arrived."""
        self._wake = asyncio.get_running_loop().create_future()
        mail, self._mail = self._mail, []
        for happened in mail:
            happened()

    def confirm(self) -> None:
        """What was taken in is written: tell whoever waits for that."""
        waiters, self._waiters = self._waiters, []
        for waiter in waiters:
            if not waiter.done():
                waiter.set_result(None)

    def close(self, gone: CallsheetError) -> None:
        """Take nothing in any more; whoever waits, or comes later, is told why."""
        self._gone = gone
        self._mail.clear()
        # It refers back to the loop, which is to be freed as soon as nobody asks about the run.
        self._note = _ignore
        for waiter in list(self._asked):
            if not waiter.done():
                waiter.set_exception(gone)

    # For everybody else

    def nudge(self) -> None:
        """Have the loop look again: something outside of its run has changed."""
        if not self._wake.done():
            self._wake.set_result(None)

    def post(self, happened: Callable[[], None]) -> None:
        """Have something happen at the beginning of the next turn."""
        if self._gone is None:
            self._mail.append(happened)
            self.nudge()

    async def request(self, request: Request) -> None:
        """Have done what is asked; returns when it is journalled.

        Raises:
            RequestRefusedError: the run's state does not allow it.
        """
        await self.durably(lambda: self._entries_of(request))

    async def save_checkpoint(self, step: StepKey, attempt: int, data: Json) -> None:
        """Have a tool's checkpoint journalled."""
        raw = Raw(value.encode(data))

        def saved() -> list[e.AnyEntry]:
            return [e.CheckpointSaved(at=self._clock.now(), step=step, attempt=attempt, data=raw)]

        await self.durably(saved)
        crash.reach("checkpoint.after")

    async def wait_durable(self) -> None:
        """Return when everything known up to now is written."""
        await self.durably(list)

    def _entries_of(self, request: Request) -> list[e.AnyEntry]:
        try:
            entry = self._sound_entry_of(request)
        except InputError as refusal:
            if request.left and not self._snapshot.ended and request.id not in self._refused:
                # Whoever asked has gone: the run itself must say that it was not done.
                self._refused.add(request.id)
                what = f"A request ({request.kind}) was refused: {refusal.message}"
                self._note(e.ProblemNoted(at=self._clock.now(), message=what))
            raise
        return [] if entry is None else [entry]

    def _sound_entry_of(self, request: Request) -> e.AnyEntry | None:
        entry = entry_of(self._snapshot, request, self._clock.now(), self._toolbox)
        if entry is not None:
            e.must_read_back(entry)
        return entry

    async def durably(self, make: Callable[[], Sequence[e.AnyEntry]]) -> None:
        """Have entries made at the beginning of the next turn; returns when they are journalled.

        They are written in one append. What `make` raises is raised here, and nothing is written.
        """
        if self._gone is not None:
            raise self._gone
        waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def happened() -> None:
            try:
                entries = make()
            except Exception as exc:  # noqa: BLE001 -- whoever asked is told; the run goes on
                if not waiter.done():
                    waiter.set_exception(exc if isinstance(exc, _TOLD) else _unserved(exc))
                return
            for entry in entries:
                self._note(entry)
            self._waiters.append(waiter)

        self._asked[waiter] = None
        self.post(happened)
        try:
            await waiter
        finally:
            self._asked.pop(waiter, None)


def _unserved(exc: Exception) -> RequestRefusedError:
    """Something went wrong while one request was served, and nothing else was."""
    log.warning("request.broken", error=repr(exc))
    return RequestRefusedError(
        f"The request could not be served, and nothing was changed: {exc!r}. Please report this."
    )


def _ignore(_entry: e.AnyEntry) -> None:
    """Nothing is taken in any more."""
