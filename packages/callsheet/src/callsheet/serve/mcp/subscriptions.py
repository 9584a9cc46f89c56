"""Telling clients that a run has changed: a level, not a log. The `after` cursor has the order."""

from __future__ import annotations

from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any

import anyio
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler
from mcp.shared.subscriptions import ResourceUpdated
from mcp_types import EmptyResult

from callsheet.errors import CallsheetError
from callsheet.runtime.feed import Event

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine

    from anyio.abc import TaskGroup
    from mcp.server.context import ServerRequestContext
    from mcp_types import (
        SubscribeRequestParams,
        SubscriptionsListenRequestParams,
        SubscriptionsListenResult,
        UnsubscribeRequestParams,
    )

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


class Subscribing:
    """The same for clients of the older protocol: `resources/subscribe` and `unsubscribe`."""

    def __init__(self, doors: Doors) -> None:
        self._doors = doors
        self._watched: dict[tuple[str, str], anyio.CancelScope] = {}

    async def subscribe(
        self, ctx: ServerRequestContext[TaskGroup, Any], params: SubscribeRequestParams
    ) -> EmptyResult:
        """Tell the client from now on; of what is not there, or is another's, nothing is told."""
        uri, session = str(params.uri), ctx.session
        run = await run_at(self._doors(ctx), uri)
        if run is not None:
            self._forget(ctx, uri)
            ctx.lifespan_context.start_soon(
                self._watch, (_session(ctx), uri), run, lambda: session.send_resource_updated(uri)
            )
        return EmptyResult()

    async def unsubscribe(
        self, ctx: ServerRequestContext[TaskGroup, Any], params: UnsubscribeRequestParams
    ) -> EmptyResult:
        """Tell it no more."""
        self._forget(ctx, str(params.uri))
        return EmptyResult()

    async def _watch(
        self, key: tuple[str, str], run: Run, tell: Callable[[], Coroutine[Any, Any, None]]
    ) -> None:
        with anyio.CancelScope() as scope:
            self._watched[key] = scope
            # The client is gone: there is nobody to tell.
            with suppress(anyio.ClosedResourceError, anyio.BrokenResourceError):
                await follow(run, tell)
        if self._watched.get(key) is scope:
            del self._watched[key]

    def _forget(self, ctx: ServerRequestContext[TaskGroup, Any], uri: str) -> None:
        scope = self._watched.pop((_session(ctx), uri), None)
        if scope is not None:
            scope.cancel()


@asynccontextmanager
async def watching(_server: object) -> AsyncIterator[TaskGroup]:
    """What watches runs for clients, for as long as the server serves."""
    async with anyio.create_task_group() as group:
        yield group
        group.cancel_scope.cancel()


def _session(ctx: ServerRequestContext[Any, Any]) -> str:
    headers = getattr(ctx.request, "headers", None)  # none on stdio, where there is one client
    return headers.get("mcp-session-id", "") if headers is not None else ""


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
