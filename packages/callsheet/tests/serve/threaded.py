"""A service in a thread, for tests that are not async: commands are called beside it."""

from __future__ import annotations

import asyncio
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from tests.serve.stage import LOCAL, SECONDS, serving

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.serve.stage import Served

KEY = LOCAL


@contextmanager
def threaded(home: Path | None, serving: Any = serving, **options: Any) -> Iterator[Served]:
    """A service on a home, in a thread of its own, for as long as the block goes on."""
    begun = threading.Event()
    found: list[Served] = []
    ends: list[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = []

    async def main() -> None:
        over = asyncio.Event()
        async with serving(home, **options) as served:
            found.append(served)
            ends.append((asyncio.get_running_loop(), over))
            begun.set()
            await over.wait()

    def run() -> None:
        try:
            asyncio.run(main())
        finally:
            begun.set()

    thread = threading.Thread(target=run, name="service")
    thread.start()
    assert begun.wait(SECONDS)
    try:
        yield found[0]
    finally:
        for loop, over in ends:
            loop.call_soon_threadsafe(over.set)
        thread.join(SECONDS)
        assert not thread.is_alive()
