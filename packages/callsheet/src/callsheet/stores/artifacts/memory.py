"""Artifacts in memory: the reference, and for engines that keep nothing."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from callsheet.ports import KeptArtifact
from callsheet.stores import refusals
from callsheet.stores.artifacts.digest import content_of, pieces_of, place_of, unknown

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
    from datetime import datetime
    from pathlib import Path

_HERE = "this engine's memory"
_LITTLE = 256 * 1024


class MemoryArtifacts:
    """`ArtifactStore` that ends with its process."""

    def __init__(self, now: Callable[[], datetime]) -> None:
        self._now = now
        self.where = "memory"
        self._kept: dict[str, tuple[bytes, datetime]] = {}
        self._closed = False

    async def put(self, data: bytes | Path) -> tuple[str, int]:
        """Keep bytes, or a file's; returns digest and size. What is there is not written again."""
        self._must_be_open()
        if not isinstance(data, bytes):
            data = b"".join(await asyncio.to_thread(list, pieces_of(data)))
        # A little is named sooner here than in a thread, and simulations are the same every time.
        if len(data) < _LITTLE:
            content = content_of(data)
        else:
            content = await asyncio.to_thread(content_of, data)
        there, _ = self._kept.get(content.digest, (data, None))
        self._kept[content.digest] = (there, self._now())
        return content.digest, content.size

    async def get(self, digest: str) -> bytes:
        """The bytes, all at once."""
        self._must_be_open()
        place_of(digest)
        if digest not in self._kept:
            raise unknown(digest, _HERE)
        return self._kept[digest][0]

    async def read(self, digest: str) -> AsyncIterator[bytes]:
        """The bytes; they are in one piece."""
        yield await self.get(digest)

    async def size(self, digest: str) -> int | None:
        """How many bytes there are; None: there is no such artifact."""
        self._must_be_open()
        return len(self._kept[digest][0]) if digest in self._kept else None

    def path(self, digest: str) -> Path | None:
        """None: nothing in memory lies in a file."""
        del digest
        return None

    async def kept(self) -> AsyncIterator[KeptArtifact]:
        """Everything there is, in no order."""
        self._must_be_open()
        for digest, (data, at) in list(self._kept.items()):
            yield KeptArtifact(digest=digest, size=len(data), written_at=at)

    async def delete(self, digests: Sequence[str], *, before: datetime | None = None) -> set[str]:
        """Remove artifacts; returns those that were there and are not any more."""
        self._must_be_open()
        gone = {
            digest
            for digest in digests
            if digest in self._kept and (before is None or self._kept[digest][1] < before)
        }
        for digest in gone:
            del self._kept[digest]
        return gone

    async def sweep(self) -> int:
        """Nobody leaves anything unfinished here."""
        self._must_be_open()
        return 0

    async def backup(self, target: Path, first: Callable[[], Awaitable[None]]) -> None:
        """Write everything into a directory, after `first`."""
        self._must_be_open()
        kept = dict(self._kept)
        await first()
        await asyncio.to_thread(_write, kept | self._kept, target)

    async def close(self) -> None:
        """Take nothing more. Harmless the second time."""
        self._closed = True

    def _must_be_open(self) -> None:
        if self._closed:
            raise refusals.closed()


def _write(kept: Mapping[str, tuple[bytes, datetime]], target: Path) -> None:
    for digest, (data, _) in kept.items():
        place = target / place_of(digest)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
