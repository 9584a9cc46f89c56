"""What serves: an engine, and what the service keeps beside it."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Protocol, Self

import msgspec

from callsheet.agents.checks import LOOKING, STEERING
from callsheet.agents.models import ASK
from callsheet.errors import CallsheetError
from callsheet.runtime.clock import SystemClock
from callsheet.runtime.log import log
from callsheet.serve.access.keys import Keys
from callsheet.serve.access.limits import Counters
from callsheet.serve.access.tickets import Tickets
from callsheet.serve.alongside import alongside
from callsheet.serve.audit import Audit
from callsheet.serve.cursors import Cursors
from callsheet.serve.idempotency import Answers
from callsheet.serve.shown import Shown
from callsheet.serve.spelled import Spelled
from callsheet.serve.uploads import Uploads

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

    from callsheet.engine.engine import Engine
    from callsheet.engine.tenant.tenant import Tenant
    from callsheet.ports import Clock
    from callsheet.serve.access.caller import Caller


MOST_TENANTS = 1_000
RETAINED = 3600.0
"""Seconds between two looks for runs that are older than they are kept."""


class Stream(Protocol):
    """An answer that goes on, and ends when the service does."""

    def end(self) -> None:
        """The service closes."""


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """How a service treats whoever asks."""

    keyless: bool = True
    """Whether requests without a key are answered: only where it listens on loopback alone."""
    no_key: bool = False
    """Whether those may do everything."""
    local_key: str | None = None
    """The key that lies in the home."""
    origins: frozenset[str] = frozenset()
    """Whose pages may ask, beside its own: each with a key."""
    address: str = ""
    """Where it listens, for links and for the page."""


class Service:
    """An engine that is served. `async with` keeps its chores going."""

    def __init__(
        self, engine: Engine, settings: Settings | None = None, *, clock: Clock | None = None
    ) -> None:
        self.engine = engine
        self.settings = settings or Settings()
        self.clock: Clock = clock or SystemClock()
        self.keys = Keys(engine, self.clock)
        self.tickets = Tickets(engine, self.clock)
        self.answers = Answers(engine, self.clock)
        self.audit = Audit(engine, self.clock)
        self.uploads = Uploads(engine, self.clock)
        self.cursors = Cursors(engine)
        self.counters = Counters()
        self.shown = Shown()
        self.spelled = Spelled()
        self.streams: set[Stream] = set()
        self.closing = False
        self.is_ready = False
        self.force: Callable[[], None] = _nothing
        """Ends requests that go on; set by whoever serves."""
        self._over = asyncio.Event()
        self._narrowed: dict[tuple[str, bool, frozenset[str], frozenset[str] | None], Tenant] = {}
        """Tenants without some tools: those that reach the machine, or steer runs."""
        self._chores = AsyncExitStack()

    async def __aenter__(self) -> Self:
        await self.cursors.open()
        self._deaf = self.engine.listen(self.counters.told)
        await self._chores.enter_async_context(
            alongside(
                audit=self.audit.keep_writing(),
                answers=self.answers.prune(),
                held=self.answers.renew(),
                runs=self._retain(),
            )
        )
        self.is_ready = True
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
        await self._chores.aclose()
        self._deaf()
        await self.audit.write()

    async def _retain(self) -> None:
        """Delete runs that are older than they are kept, every hour."""
        keeps = self.engine.keeps
        while keeps is not None and self.engine.driving:
            await self.clock.sleep(RETAINED)
            try:
                await self.engine.prune(keeps)
            except CallsheetError as error:
                log.warning("runs.unpruned", error=error.message)

    def close(self) -> None:
        """Take nothing more, and let whoever reads a stream, or waits, come back elsewhere."""
        self.closing, self.is_ready = True, False
        self._over.set()
        for stream in tuple(self.streams):
            stream.end()

    async def closed(self) -> None:
        """Return when it is closing."""
        await self._over.wait()

    def request_id(self) -> str:
        """A name for a request."""
        return f"req_{self.clock.chance():016x}"

    def tenant(self, caller: Caller, secrets: frozenset[str] | None = None) -> Tenant:
        """All that a caller can see; with `secrets`, whose plans may name no others.

        The tools that reach this machine are there for whoever has the key of the home, and for
        tenants whose tools the configuration names.
        """
        grants, tools = self.engine.grants, self.engine.tools
        reaches = caller.machine or (caller.key is not None and caller.tenant in grants.tools)
        # What steers runs in conversations is not more than the routes are.
        withheld = frozenset() if caller.may("runs:write") else STEERING
        withheld |= frozenset() if caller.may("runs:read") else LOOKING
        if reaches and not withheld and secrets is None:
            return self.engine.tenant(caller.tenant)
        asked = caller.tenant, reaches, withheld, secrets
        found = self._narrowed.get(asked)
        if found is None:
            own = [name for name in tools.names() if name not in withheld]
            if not reaches:
                own = [
                    name
                    for name in own
                    if name not in grants.machine and not tools.reaches_machine(name)
                ]
                # Who has models that are named may ask them; who has all has files among them.
                if self.engine.models.are_named(caller.tenant):
                    own.append(ASK)
            if len(self._narrowed) >= MOST_TENANTS:
                self._narrowed.pop(next(iter(self._narrowed)))
            found = self.engine.tenant(caller.tenant, tools=own, secrets=secrets)
            self._narrowed[asked] = found
        return found


def _nothing() -> None:
    return None
