"""Artifacts on a simulated disk: what was not durable when the process died is not there."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from typing_extensions import override

from callsheet.errors import StoreError
from callsheet.stores.artifacts.memory import MemoryArtifacts

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from pathlib import Path

    from callsheet.testing.simulation.disk import SimulatedDisk


class SimulatedArtifacts(MemoryArtifacts):
    """`ArtifactStore` that takes its time, fails, and outlives the process."""

    def __init__(self, disk: SimulatedDisk, now: Callable[[], datetime]) -> None:
        super().__init__(now)
        self._disk = disk

    @override
    async def put(self, data: bytes | Path) -> tuple[str, int]:
        """Keep bytes; only when this has returned they are there for sure."""
        fate = self._disk.fate(asyncio.get_running_loop().time())
        delay = self._disk.delay()
        if delay:
            loop = asyncio.get_running_loop()
            over = loop.create_future()
            timer = loop.call_later(delay, over.set_result, None)
            try:
                await over
            finally:
                timer.cancel()
        if fate == "failed":
            raise StoreError("The disk has failed.")
        put = await super().put(data)
        if fate != "fine":
            raise StoreError("The disk has failed.")
        return put

    def has(self, digest: str) -> bool:
        """Whether it is there."""
        return digest in self._kept

    def bytes_of(self, digest: str) -> bytes:
        """The bytes, for whoever judges."""
        return self._kept[digest][0]
