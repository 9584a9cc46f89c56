"""Artifacts: how much of the disk's own speed is left when bytes are named, checked and kept once.

The limit writes the same bytes to as many files in the same directory, each with one fsync: in one
thread, which the bar is about, and in as many threads as the store has.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from bench.sampling import Series, asked_in_turns, number, spread
from bench.table import Row
from callsheet.stores.artifacts.directory import THREADS, DirectoryArtifacts

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator
    from pathlib import Path

    from bench.cases import Bench

MEGABYTE = 1 << 20
AT_ONCE = 16
"""Calls that put artifacts at the same time."""
BAR = 0.5


class Work:
    """Artifacts of 1 MB, none like another, and the ways to get them to the disk."""

    def __init__(self, scratch: Path, pieces: int) -> None:
        self._scratch = scratch
        self._pieces = pieces
        self._noise = os.urandom(MEGABYTE - 8)
        self._used = 0

    async def keep(self) -> float:
        """Seconds that ours takes."""
        return await self._timed(self._keep)

    async def write(self) -> float:
        """Seconds that one thread takes."""
        return await self._timed(lambda root: asyncio.to_thread(self._write, root, 1))

    async def write_at_once(self) -> float:
        """Seconds that as many threads take as we have."""
        return await self._timed(lambda root: asyncio.to_thread(self._write, root, THREADS))

    async def twice(self) -> int:
        """How many files were written by putting everything a second time."""
        root = self._scratch / "twice"
        store = DirectoryArtifacts(root, sync="full", now=_now)
        written = []
        for _ in range(2):
            for serial in range(self._pieces):
                await store.put(self._content(serial))
            written.append({path.stat().st_ino for path in root.glob("??/*")})
        await store.close()
        shutil.rmtree(root)
        return len(written[1] - written[0])

    async def _timed(self, work: Callable[[Path], Awaitable[None]]) -> float:
        root = self._scratch / "bytes"
        root.mkdir()
        began = time.perf_counter()
        await work(root)
        took = time.perf_counter() - began
        await asyncio.to_thread(shutil.rmtree, root)
        return took

    async def _keep(self, root: Path) -> None:
        store = DirectoryArtifacts(root, sync="full", now=_now)
        serials = self._fresh()

        async def put_all() -> None:
            for serial in serials:
                await store.put(self._content(serial))

        async with asyncio.TaskGroup() as tasks:
            for _ in range(AT_ONCE):
                tasks.create_task(put_all())
        await store.close()

    def _write(self, root: Path, threads: int) -> None:
        serials = self._fresh()

        def write_all() -> None:
            for serial in serials:
                file = os.open(root / str(serial), os.O_WRONLY | os.O_CREAT | os.O_EXCL)
                os.write(file, self._content(serial))
                os.fsync(file)
                os.close(file)

        with ThreadPoolExecutor(threads) as pool:
            for done in [pool.submit(write_all) for _ in range(threads)]:
                done.result()

    def _fresh(self) -> Iterator[int]:
        first, self._used = self._used, self._used + self._pieces
        return iter(range(first, self._used))

    def _content(self, serial: int) -> bytes:
        return serial.to_bytes(8, "big") + self._noise


async def artifacts(bench: Bench) -> list[Row]:
    """Many artifacts of 1 MB, each of them new; then the same again."""
    sizes = bench.sizes
    work = Work(bench.scratch, sizes.artifacts)
    series = await asked_in_turns(
        {"ours": work.keep, "one": work.write, "several": work.write_at_once},
        sizes.artifact_samples,
    )
    again = await Work(bench.scratch, min(sizes.artifacts, 100)).twice()
    bench.notes.append(
        f"artifacts: the limits are plain files of the same bytes in the same directory, each with "
        f"one fsync, by one thread (the bar) and by {THREADS}; what was put a second time wrote "
        f"{again} files (0 is right)"
    )
    return [_row(f"artifacts: {sizes.artifacts} x 1 MB, all new", sizes.artifacts, series)]


def _row(case: str, megabytes: int, series: dict[str, Series]) -> Row:
    ours, one, several = (series[name] for name in ("ours", "one", "several"))
    shares = [limit.times(ours) for limit in (one, several)]
    return Row(
        case=case,
        ours=_speed(megabytes, ours),
        limits=(_speed(megabytes, one), _speed(megabytes, several)),
        ratios=(
            f"{number(shares[0].median)} ({spread(shares[0].seconds)})",
            f"{number(shares[1].median)} ({spread(shares[1].seconds)})",
        ),
        bar=f"≥ {BAR:.2f} of the disk",
        met=shares[0].median >= BAR,
    )


def _speed(megabytes: int, series: Series) -> str:
    speeds = [megabytes / seconds for seconds in series.seconds]
    return f"{number(megabytes / series.median)} MB/s ({spread(speeds)})"


def _now() -> datetime:
    return datetime.now(UTC)
