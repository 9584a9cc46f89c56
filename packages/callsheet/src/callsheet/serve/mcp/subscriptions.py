"""Telling clients that a run has changed: a level, not a log. The `after` cursor has the order."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

import anyio
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler
from mcp.shared.subscriptions import ResourceUpdated

from callsheet.errors import CallsheetError
from callsheet.runtime.feed import Event

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from mcp.server.context import ServerRequestContext
    from mcp_types import SubscriptionsListenRequestParams, SubscriptionsListenResult

    from callsheet.runtime.run import Run
    from callsheet.serve.mcp.door import Door, Doors

_RUN = "run://"


class Listening:
    """Serves `subscriptions/listen` from the journals: any process can, whoever drives the run."""

    def __init__(self, doors: Doors, bus: InMemorySubscriptionBus) -> None:
        self._doors = doors
        self._bus = bus
        self._streams = ListenHandler(bus)

    async def __call__(
        self, ctx: ServerRequestContext[Any, Any], params: SubscriptionsListenRequestParams
    ) -> SubscriptionsListenResult:
        """One stream; it ends when the client leaves it."""
        door = self._doors(ctx)
        watched: list[tuple[str, Run]] = []
        kept: list[str] = []
        for uri in params.notifications.resource_subscriptions or ():
            run = await run_at(door, uri)
            if run is not None:
                watched.append((uri, run))
            if run is not None or not uri.startswith(_RUN):
                kept.append(uri)  # of what is not there, or is another's, nothing is told
        wanted = params.notifications.model_copy(update={"resource_subscriptions": kept or None})
        narrowed = params.model_copy(update={"notifications": wanted})
        async with anyio.create_task_group() as group:
            for uri, run in watched:
                group.start_soon(follow, run, self._telling(uri))
            ended = await self._streams(ctx, narrowed)
            group.cancel_scope.cancel()
        return ended

    def _telling(self, uri: str) -> Callable[[], Coroutine[Any, Any, None]]:
        async def tell() -> None:
            await self._bus.publish(ResourceUpdated(uri=uri))

        return tell


async def run_at(door: Door, uri: str) -> Run | None:
    """The run that a resource is about, if the door shows it."""
    if not uri.startswith(_RUN) or not door.may("runs:read"):
        return None
    with suppress(CallsheetError):
        return await door.tenant.get(uri.removeprefix(_RUN).partition("/")[0])
    return None


async def follow(run: Run, tell: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Say each time that something has happened in a run, until it has ended."""
    with suppress(CallsheetError):
        after = len(await run.journal())
        async for told in run.events(after):
            if isinstance(told, Event):
                await tell()
