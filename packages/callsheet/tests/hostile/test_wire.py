"""Lines that never end, on the wire of an agent's host."""

from __future__ import annotations

import asyncio
import os
import threading

import pytest

from callsheet.serve.mcp.wire import MOST, TOO_LONG, Lines, Wire

pytestmark = pytest.mark.requirement("S10")


async def test_a_message_that_is_too_long_is_not_kept_and_the_next_one_is_read() -> None:
    reads, writes = os.pipe()

    def said() -> None:
        with os.fdopen(writes, "wb") as wire:
            wire.write(b"{}\n" + b"x" * (MOST + 1) + b"\n" + b"[1]\n")

    threading.Thread(target=said, daemon=True).start()
    async with asyncio.timeout(60):
        heard = [line async for line in Lines(Wire(reads, reads))]
    os.close(reads)
    assert heard == ["{}", TOO_LONG.decode(), "[1]"]
