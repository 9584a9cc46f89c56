"""Connections, with an end to patience: heads come in time, and what is cut is gone at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import h11
from typing_extensions import override
from uvicorn.protocols.http.h11_impl import H11Protocol

if TYPE_CHECKING:
    import asyncio


HEAD = 10.0
"""Seconds in which the head of a request must have come."""


class Connection(H11Protocol):
    """A connection of the service."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        app = self.app

        async def known(scope: Any, receive: Any, send: Any) -> None:
            scope["callsheet.transport"] = self.transport
            await app(scope, receive, send)

        self.app = known
        self._late: asyncio.TimerHandle | None = None

    @override
    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        super().connection_made(transport)
        self._expect()

    @override
    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.their_state is h11.IDLE:
            if self._late is None:
                self._expect()
        else:
            self._relax()

    @override
    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._relax()

    @override
    def connection_lost(self, exc: Exception | None) -> None:
        self._relax()
        super().connection_lost(exc)

    def _expect(self) -> None:
        self._late = self.loop.call_later(HEAD, self._cut)

    def _relax(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def _cut(self) -> None:
        self._late = None
        if self.conn.their_state is h11.IDLE:
            self.transport.abort()
