"""HTTP/1.1 by hand: what a client costs is not to be measured."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


class Wire:
    """One connection that is kept open."""

    def __init__(self, host: str, port: int, key: str) -> None:
        self._where = host, port
        self._head = f"Host: {host}:{port}\r\nAuthorization: Bearer {key}\r\n"
        self._reader: asyncio.StreamReader
        self._writer: asyncio.StreamWriter

    async def __aenter__(self) -> Self:
        self._reader, self._writer = await asyncio.open_connection(*self._where)
        return self

    async def __aexit__(self, *_: object) -> None:
        self.drop()

    def drop(self) -> None:
        """End it at once, as a client does that is killed."""
        self._writer.transport.abort()

    def _send(self, method: str, path: str, body: bytes, more: str) -> None:
        kind = f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n" if body else ""
        self._writer.write(
            f"{method} {path} HTTP/1.1\r\n{self._head}{kind}{more}\r\n".encode() + body
        )

    async def ask(self, path: str, body: bytes = b"") -> bytes:
        """A body that is answered, whole."""
        try:
            status, length = await self._asked(path, body)
        except (asyncio.IncompleteReadError, ConnectionError):
            # It was not used for a while, and the service has closed it.
            self._reader, self._writer = await asyncio.open_connection(*self._where)
            status, length = await self._asked(path, body)
        content = await self._reader.readexactly(length)
        assert status in (200, 201), content
        return content

    async def _asked(self, path: str, body: bytes) -> tuple[int, int]:
        self._send("POST" if body else "GET", path, body, "")
        return await self._answer()

    async def _answer(self) -> tuple[int, int]:
        head = await self._reader.readuntil(b"\r\n\r\n")
        lines = head.decode().lower().split("\r\n")
        lengths = [line[15:] for line in lines if line.startswith("content-length:")]
        return int(lines[0].split(" ")[1]), int(lengths[0]) if lengths else 0

    async def stream(self, path: str, after: int) -> AsyncIterator[bytes]:
        """The lines of a stream that goes on."""
        more = (
            f"Accept: application/x-ndjson\r\nLast-Event-ID: {after}\r\n"
            if after
            else ("Accept: application/x-ndjson\r\n")
        )
        self._send("GET", path, b"", more)
        await self._answer()
        try:
            while size := int(await self._reader.readline(), 16):
                piece = await self._reader.readexactly(size + 2)
                for line in piece[:-2].splitlines():
                    yield line
        except (asyncio.IncompleteReadError, ConnectionError, ValueError):
            return
