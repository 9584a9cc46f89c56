"""Stdin and stdout, taken away from everybody else: nothing but the protocol is on them."""

from __future__ import annotations

import asyncio
import os
import queue
import sys
import threading
from contextlib import suppress
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

_STDIN, _STDOUT, _STDERR = 0, 1, 2
_CHUNK = 65_536
MOST = 5_000_000
"""Bytes of a message, as over HTTP."""
TOO_LONG = b"a message has at most 5,000,000 bytes"
"""What is handed on instead of one that is longer: no JSON, and so it is answered as such."""
_AHEAD = 64
"""Lines that are read before somebody wants them."""


class Wire(msgspec.Struct, frozen=True):
    """The two ends of a conversation, as descriptors that nobody else knows."""

    reads: int
    writes: int


def take_wire() -> Wire:
    """Take both. Called before any tool is loaded.

    From here on whatever prints, in Python or below it, here or in a process of ours, prints on
    stderr; and whatever reads stdin finds its end.
    """
    sys.stdout.flush()
    reads, writes = os.dup(_STDIN), os.dup(_STDOUT)  # which no child inherits
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, _STDIN)
    os.close(nothing)
    os.dup2(_STDERR, _STDOUT)
    sys.stdout = sys.stderr
    return Wire(reads, writes)


class Lines:
    """What the client says, line by line.

    Read in a thread of its own that nobody waits for: to read from a client that says nothing
    cannot be given up. It reads below Python's files, which would not let the process end.
    """

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._lines: asyncio.Queue[bytes | None] = asyncio.Queue(_AHEAD)
        self._loop = asyncio.get_running_loop()
        threading.Thread(target=self._read, name="callsheet-stdin", daemon=True).start()

    async def __aiter__(self) -> AsyncIterator[str]:
        while (line := await self._lines.get()) is not None:
            yield line.decode("utf-8", "replace")

    def _read(self) -> None:
        rest: list[bytes] = []
        held = 0
        # The loop is closed, or nobody listens any more: there is nothing left to do.
        with suppress(RuntimeError, OSError):
            while data := os.read(self._wire.reads, _CHUNK):
                *lines, end = data.split(b"\n")
                for line in lines:
                    is_long = held + len(line) > MOST
                    self._put(TOO_LONG if is_long else b"".join((*rest, line)))
                    rest, held = [], 0
                held += len(end)
                rest.append(end)
                if held > MOST:
                    rest = []  # its end is waited for; that it was too long is said then
            if any(rest):
                self._put(b"".join(rest))
            self._put(None)

    def _put(self, line: bytes | None) -> None:
        if line is not None and not line.strip():
            return
        asyncio.run_coroutine_threadsafe(self._lines.put(line), self._loop).result()


class Writer:
    """What we say. A client that does not read holds up what is said to it, and nothing else."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._todo: queue.SimpleQueue[tuple[bytes, asyncio.Future[None]]] = queue.SimpleQueue()
        self._loop = asyncio.get_running_loop()
        threading.Thread(target=self._write, name="callsheet-stdout", daemon=True).start()

    async def write(self, text: str) -> None:
        """Say something; returns when it is on its way."""
        done: asyncio.Future[None] = self._loop.create_future()
        self._todo.put((text.encode(), done))
        await done

    async def flush(self) -> None:
        """Nothing is kept back."""

    def _write(self) -> None:
        while True:
            data, done = self._todo.get()
            # A client that is gone hears nothing more, and that its end is read says so.
            with suppress(OSError):
                while data:
                    data = data[os.write(self._wire.writes, data) :]
            with suppress(RuntimeError):  # the loop is closed
                self._loop.call_soon_threadsafe(_settle, done)


def _settle(done: asyncio.Future[None]) -> None:
    if not done.done():
        done.set_result(None)
