"""Streams: what happens, as server-sent events or as lines, to one reader.

Nothing is held for a reader: what does not fit between here and there is in the journal. One that
is slow is told to come back, one that does not read at all is cut.
"""

from __future__ import annotations

import asyncio
from contextlib import aclosing, suppress
from typing import TYPE_CHECKING

import msgspec
from starlette.responses import Response
from typing_extensions import override

from callsheet.errors import CallsheetError
from callsheet.runtime.log import log
from callsheet.serve.http.protocol import STREAMS

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from contextlib import AbstractContextManager

    from starlette.types import Receive, Scope, Send

    from callsheet.serve.service import Service

PING = 15.0
SLOW = 5.0
"""A reader who lets us wait so long is told to come back."""
CUT = 30.0
"""A reader who lets us wait so long is cut."""
AGAIN = 1000
"""Milliseconds after which a reader comes back."""
NDJSON = "application/x-ndjson"
_PLAIN = ("entry", "flow")
"""Events that say themselves what they are."""
SSE = "text/event-stream"


class Part(msgspec.Struct, frozen=True):
    """One thing to tell."""

    event: str
    data: bytes
    """JSON, on one line."""
    id: int | None = None
    """Where to go on after it; None: it is told once, to whoever is there."""


def sse(part: Part) -> bytes:
    """As a server-sent event."""
    number = b"" if part.id is None else b"id: %d\n" % part.id
    return b"%sevent: %s\ndata: %s\n\n" % (number, part.event.encode(), part.data)


def line(part: Part) -> bytes:
    """As a line of JSON; what is told once says what it is."""
    if part.event in _PLAIN:
        return part.data + b"\n"
    return b'{"event":"%s","data":%s}\n' % (part.event.encode(), part.data)


class EventStream(Response):
    """Tells one reader what comes, until it ends or the reader goes away."""

    def __init__(
        self,
        parts: AsyncGenerator[Part, None],
        service: Service,
        counted: AbstractContextManager[None],
        *,
        lines: bool = False,
    ) -> None:
        super().__init__(media_type=NDJSON if lines else SSE)
        del self.headers["content-length"]
        self.headers["Cache-Control"] = "no-cache, no-transform"
        self.headers["X-Accel-Buffering"] = "no"
        self._parts = parts
        self._service = service
        self._counted = counted
        self._spell = line if lines else sse
        self._is_sse = not lines
        self._task: asyncio.Task[object] | None = None
        self._is_over = False
        self._is_sending = False
        self._is_idle = True
        self._last: int | None = None

    def end(self) -> None:
        """The service closes: the reader comes back, here or elsewhere."""
        if self._task is not None and not self._is_over:
            self._is_over = True
            self._task.cancel()

    @override
    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._task = asyncio.current_task()
        self._service.streams.add(self)
        scope[STREAMS] = True
        try:
            with self._counted:
                async with asyncio.TaskGroup() as group:
                    watching = group.create_task(self._watch(receive, send))
                    try:
                        await self._tell(send)
                    finally:
                        watching.cancel()
        except* _TooSlowError:
            log.warning("stream.cut", path=scope["path"])
            transport = scope.get("callsheet.transport")
            if transport is not None:
                # What waits in it is for somebody who does not read: closing would wait for them.
                transport.abort()
        finally:
            self._service.streams.discard(self)

    async def _tell(self, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        try:
            if self._is_sse:
                await self._send(send, b"retry: %d\n\n" % AGAIN)
            async with aclosing(self._parts):
                async for part in self._parts:
                    self._is_idle = False
                    is_slow = await self._send(send, self._spell(part))
                    self._last = part.id if part.id is not None else self._last
                    if is_slow:
                        told = msgspec.json.encode({"after": self._last})
                        await self._send(send, self._spell(Part("lagging", told)))
                        break
        except asyncio.CancelledError:
            if not self._is_over:
                raise
            asyncio.current_task().uncancel()  # type: ignore[union-attr]  # this is one
        except CallsheetError as error:
            # The engine closes, or its database is away: the reader comes back.
            log.info("stream.ended", error=error.message)
        self._is_over = True
        with suppress(TimeoutError):
            async with asyncio.timeout(SLOW):
                await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _send(self, send: Send, data: bytes) -> bool:
        """Send something; whether the reader let us wait.

        Raises:
            _TooSlowError: they do not read.
        """
        now = asyncio.get_running_loop().time
        began = now()
        self._is_sending = True
        try:
            async with asyncio.timeout(CUT):
                await send({"type": "http.response.body", "body": data, "more_body": True})
        except TimeoutError as exc:
            raise _TooSlowError from exc
        finally:
            self._is_sending = False
        return now() - began > SLOW

    async def _watch(self, receive: Receive, send: Send) -> None:
        """See whether the reader is still there, and show that we are."""
        while True:
            try:
                async with asyncio.timeout(PING):
                    message = await receive()
            except TimeoutError:
                if self._is_idle and not self._is_sending and not self._is_over and self._is_sse:
                    await self._send(send, b": ping\n\n")
                self._is_idle = True
                continue
            if message["type"] == "http.disconnect":
                self.end()
                return


class _TooSlowError(Exception):
    """A reader who does not read."""
