"""Connections, with an end to patience: heads come in time, and what is cut is gone at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from typing_extensions import override
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from callsheet.serve.problems import MEDIA_TYPE, Refusal, refused

if TYPE_CHECKING:
    import asyncio

    from uvicorn.protocols.http.httptools_impl import RequestResponseCycle


HEAD = 10.0
"""Seconds in which the head of a request must have come."""
MOST_HEAD = 65_536
"""Bytes that it may have."""
STREAMS = "callsheet.streams"
"""In the scope of a request that is answered for as long as somebody listens."""
_API = "/api/"


class Connection(HttpToolsProtocol):
    """A connection of the service."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self._late: asyncio.TimerHandle | None = None
        self._head = 0
        """Bytes of a head that is not whole yet."""
        self._is_in_body = False

    @override
    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        super().connection_made(transport)
        self._expect()

    @override
    def data_received(self, data: bytes) -> None:
        is_rest = self._is_in_body
        super().data_received(data)
        if not self._is_idle or self.transport.is_closing():
            return
        # A head that is not whole; or the rest of a body that nobody reads any more.
        if not (is_rest or self._is_in_body):
            self._head += len(data)
        if self._head > MOST_HEAD:
            self.send_400_response("The head of the request is too large.")
        elif self._late is None:
            self._expect()

    @override
    def on_headers_complete(self) -> None:
        self._relax()
        self._head = 0
        self._is_in_body = True
        size = len(self.url) + sum(len(name) + len(text) + 4 for name, text in self.headers)
        if size > MOST_HEAD or not self.url.startswith((b"/", b"*")):
            raise ValueError  # the parser gives up, and it is answered with 400
        super().on_headers_complete()

    @override
    def on_message_complete(self) -> None:
        self._is_in_body = False
        self._relax()
        super().on_message_complete()

    @override
    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        cycle.scope["callsheet.transport"] = self.transport  # type: ignore[typeddict-unknown-key]  # ours
        cycle.transport = _Together(self.transport, self.loop)  # type: ignore[assignment]  # all that it uses
        super()._start_asgi_task(cycle, app)

    @override
    def eof_received(self) -> bool:  # type: ignore[override]  # as asyncio has it
        """Whether whoever says no more is still answered.

        Who has asked for something whole may be waiting for it. Who listens to a stream is taken
        to be gone: they would be told things for ever.
        """
        if self._is_idle or self._is_in_body:
            return False
        scope = self.cycle.scope
        if STREAMS in scope or not scope["path"].startswith(_API):
            return False
        self.cycle.keep_alive = False
        return True

    @override
    def send_400_response(self, msg: str) -> None:
        answer = refused(Refusal(400, "http", msg), "")
        head = (
            b"content-type: %s\r\ncontent-length: %d\r\n"
            b"x-content-type-options: nosniff\r\nconnection: close\r\n\r\n"
        ) % (MEDIA_TYPE.encode(), len(answer.body))
        self.transport.write(STATUS_LINE[400] + head + bytes(answer.body))
        self.transport.close()

    @override
    def connection_lost(self, exc: Exception | None) -> None:
        self._relax()
        super().connection_lost(exc)

    @override
    def _unsupported_upgrade_warning(self) -> None:
        """Nothing to warn of: it is answered as it would be without."""

    @property
    def _is_idle(self) -> bool:
        """Whether nobody is at work on a request."""
        cycle: RequestResponseCycle | None = self.cycle
        return cycle is None or cycle.response_complete

    def _expect(self) -> None:
        self._late = self.loop.call_later(HEAD, self._cut)

    def _relax(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def _cut(self) -> None:
        self._late = None
        if self._is_idle:
            self.transport.abort()


class _Together:
    """A transport that sends the head of an answer with what is known of its body by then."""

    __slots__ = ("_held", "_is_begun", "_loop", "_transport")

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport = transport
        self._loop = loop
        self._held = b""
        self._is_begun = False

    def write(self, data: bytes) -> None:
        """Send it; the first of it with the second, if that is written in the same moment."""
        if not self._is_begun:
            self._is_begun = True
            self._held = data
            self._loop.call_soon(self._send)
        elif self._held:
            self._held += data
            self._send()
        else:
            self._transport.write(data)

    def close(self) -> None:
        """Close it when all is sent."""
        self._send()
        self._transport.close()

    def is_closing(self) -> bool:
        """Whether it is being closed."""
        return self._transport.is_closing()

    def _send(self) -> None:
        held, self._held = self._held, b""
        if held:
            self._transport.write(held)
