"""Servers that answer as none should."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

HALF = b"HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nhalf"
"""An answer that breaks off."""
EMPTY = b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"
SILENCE = b""
"""Nothing, and the line is not cut."""


def saying(body: str, status: str = "200 OK", **headers: str) -> bytes:
    """An answer in JSON."""
    named = {"content-type": "application/json", "content-length": str(len(body)), **headers}
    lines = [f"HTTP/1.1 {status}", *(f"{name}: {text}" for name, text in named.items())]
    return ("\r\n".join(lines) + "\r\n\r\n" + body).encode()


@asynccontextmanager
async def answering(answer: bytes) -> AsyncIterator[tuple[str, list[bytes]]]:
    """A server that gives everybody this answer; its address, and what it was asked."""
    asked: list[bytes] = []
    done = asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append(await reader.readuntil(b"\r\n\r\n"))
        if answer is SILENCE:
            await done.wait()
        writer.write(answer)
        writer.close()
        await writer.wait_closed()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    host, port = server.sockets[0].getsockname()
    try:
        yield f"http://{host}:{port}", asked
    finally:
        done.set()
        server.close()
        await server.wait_closed()
