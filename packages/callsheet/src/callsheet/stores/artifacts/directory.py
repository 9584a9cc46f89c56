"""Artifacts in a directory: a file for each, under its digest, whole or not there at all.

Content is written to a draft, synced, and renamed to its place; the same content at the same time
ends in the same file, whoever comes last. A file lock keeps two moments apart, also between
processes: somebody finds that an artifact is there and relies on it, and somebody removes it.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
import secrets
import shutil
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from datetime import UTC, datetime
from itertools import product
from threading import Lock
from typing import TYPE_CHECKING, Final, ParamSpec, TypeVar

from callsheet.core.plan.artifact import is_digest
from callsheet.ports import KeptArtifact
from callsheet.stores import refusals
from callsheet.stores.artifacts.digest import (
    CHUNK,
    SHARD,
    Check,
    Content,
    content_of,
    damaged,
    place_of,
    unknown,
)
from callsheet.stores.artifacts.drafts import (
    copy_into,
    new_draft,
    remove_abandoned,
    sync_directory,
    write_all,
)
from callsheet.stores.failures import translated

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
    from pathlib import Path
    from typing import BinaryIO

    from callsheet.stores.sql.session import Sync

P = ParamSpec("P")
T = TypeVar("T")

THREADS = 8
DRAFT = ".draft-"
LOCK_FILE = "artifacts.lock"
_SHARDS: Final = tuple("".join(pair) for pair in product("0123456789abcdef", repeat=SHARD))
AT_ONCE = 500
"""How many are removed before others may go on."""


class DirectoryArtifacts:
    """`ArtifactStore` in a directory, which is made when the first artifact comes.

    With `sync="full"` an artifact survives the loss of power once `put` has returned; with
    `"normal"` the death of the process.
    """

    def __init__(self, root: Path, *, sync: Sync, now: Callable[[], datetime]) -> None:
        self._root = root
        self.where = str(root)
        self._is_synced = sync == "full"
        self._now = now
        self._pool = ThreadPoolExecutor(THREADS, thread_name_prefix="callsheet-artifacts")
        self._writing = {shard: Lock() for shard in _SHARDS}
        """So that threads that come with the same content write it once."""
        self._preparing = Lock()
        self._is_prepared = False
        self._closed = False

    async def put(self, data: bytes | Path) -> tuple[str, int]:
        """Keep bytes, or a file's; returns digest and size. What is there is not written again."""
        content = await self._in_thread(self._put, data)
        return content.digest, content.size

    async def get(self, digest: str) -> bytes:
        """The bytes, all at once; checked against the digest."""
        return await self._in_thread(self._get, digest)

    async def read(self, digest: str) -> AsyncIterator[bytes]:
        """The bytes, piece by piece; checked against the digest at the end."""
        file = await self._in_thread(self._open, digest)
        check = Check()
        with file:
            while chunk := await self._in_thread(_next_of, file, check):
                yield chunk
        if check.content.digest != digest:
            raise damaged(digest, str(self._place(digest)))

    async def size(self, digest: str) -> int | None:
        """How many bytes there are; None: there is no such artifact."""
        found = await self._in_thread(self._stat, digest)
        return found.st_size if found else None

    def path(self, digest: str) -> Path | None:
        """The file they lie in; None: there is no such artifact. Nobody may write to it."""
        return self._place(digest) if self._stat(digest) else None

    async def kept(self) -> AsyncIterator[KeptArtifact]:
        """Everything there is, in no order."""
        for shard in _SHARDS:
            for each in await self._in_thread(self._list, shard):
                yield each

    async def delete(self, digests: Sequence[str], *, before: datetime | None = None) -> set[str]:
        """Remove artifacts; returns those that were there and are not any more."""
        gone: set[str] = set()
        for first in range(0, len(digests), AT_ONCE):
            some = digests[first : first + AT_ONCE]
            gone |= await self._in_thread(self._delete, some, before)
        return gone

    async def sweep(self) -> int:
        """Remove the drafts of writers that died; returns how many."""
        return await self._in_thread(self._sweep)

    async def backup(self, target: Path, first: Callable[[], Awaitable[None]]) -> None:
        """Link or copy everything into a new directory, after `first`; nothing is removed then."""
        with ExitStack() as stack:
            if self._root.is_dir():
                await self._in_thread(stack.enter_context, self._locked(fcntl.LOCK_SH))
            await first()
            async for each in self.kept():
                await self._in_thread(self._copy, each.digest, target / place_of(each.digest))

    async def close(self) -> None:
        """Finish what is being written. Harmless the second time."""
        self._closed = True
        await asyncio.to_thread(self._pool.shutdown)

    # In a thread

    def _put(self, data: bytes | Path) -> Content:
        content = content_of(data)
        self._prepare()
        with self._writing[content.digest[:SHARD]]:
            if not self._renew(content):
                content = self._write(data, content)
        if self._is_synced:
            sync_directory(self._place(content.digest).parent)
        return content

    def _renew(self, content: Content) -> bool:
        """Whether it is there already; if so, it is as young as if it were written now."""
        try:
            with self._locked(fcntl.LOCK_SH):
                file = os.open(self._place(content.digest), os.O_RDONLY | os.O_CLOEXEC)
                try:
                    if os.fstat(file).st_size != content.size:
                        return False  # cut off by the loss of power, in a home without full sync
                    self._date(file)
                    if self._is_synced:
                        os.fsync(file)  # whoever wrote it may not have, or not yet
                finally:
                    os.close(file)
        except FileNotFoundError:
            return False
        return True

    def _write(self, data: bytes | Path, content: Content) -> Content:
        draft = self._place(content.digest).with_name(f"{DRAFT}{secrets.token_hex(8)}")
        with self._locked(fcntl.LOCK_SH):
            # Locked for as long as it is written: who dies leaves a draft that is not.
            file = new_draft(draft)
        try:
            if isinstance(data, bytes):
                write_all(file, data)
            else:
                # It may have changed since it was named: what is copied is what is kept.
                content = copy_into(file, data)
            self._publish(file, draft, self._place(content.digest))
        except BaseException:
            with suppress(OSError):
                draft.unlink()
            raise
        finally:
            os.close(file)
        return content

    def _publish(self, file: int, draft: Path, place: Path) -> None:
        self._date(file)
        if self._is_synced:
            os.fsync(file)
        with self._locked(fcntl.LOCK_SH):
            draft.replace(place)

    def _get(self, digest: str) -> bytes:
        with self._open(digest) as file:
            data = file.read()
        if content_of(data).digest != digest:
            raise damaged(digest, str(self._place(digest)))
        return data

    def _open(self, digest: str) -> BinaryIO:
        try:
            return self._place(digest).open("rb")
        except FileNotFoundError as exc:
            raise unknown(digest, str(self._root)) from exc

    def _stat(self, digest: str) -> os.stat_result | None:
        if not is_digest(digest):
            return None
        try:
            return self._place(digest).stat()
        except FileNotFoundError:
            return None

    def _list(self, shard: str) -> list[KeptArtifact]:
        found = []
        with suppress(FileNotFoundError), os.scandir(self._root / shard) as entries:
            for entry in entries:
                with suppress(FileNotFoundError):  # removed while we look
                    stat = entry.stat()
                    at = datetime.fromtimestamp(stat.st_mtime, UTC)
                    found.append(KeptArtifact(digest=entry.name, size=stat.st_size, written_at=at))
        return [each for each in found if is_digest(each.digest)]

    def _delete(self, digests: Sequence[str], before: datetime | None) -> set[str]:
        if not self._root.is_dir():
            return set()
        with self._locked(fcntl.LOCK_EX):
            return {digest for digest in digests if self._remove(digest, before)}

    def _remove(self, digest: str, before: datetime | None) -> bool:
        stat = self._stat(digest)
        if stat is None or (before is not None and stat.st_mtime >= before.timestamp()):
            return False
        self._place(digest).unlink(missing_ok=True)
        return True

    def _sweep(self) -> int:
        if not self._root.is_dir():
            return 0
        with self._locked(fcntl.LOCK_EX):
            return sum(remove_abandoned(draft) for draft in self._root.glob(f"*/{DRAFT}*"))

    def _copy(self, digest: str, target: Path) -> None:
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            # They never change: a second name for a file is as good as a second file.
            os.link(self._place(digest), target)
        except OSError:
            shutil.copyfile(self._place(digest), target)

    # Inside

    def _place(self, digest: str) -> Path:
        return self._root / place_of(digest)

    def _date(self, file: int) -> None:
        at = self._now().timestamp()
        os.utime(file, (at, at))

    def _prepare(self) -> None:
        """Make all that artifacts will lie in, at once: synced one by one they would cost more.

        Once per process, also if it is there: whoever made it may have died before it was synced.
        """
        with self._preparing:
            if self._is_prepared:
                return
            above = [parent for parent in self._root.parents if not parent.is_dir()]
            self._root.mkdir(mode=0o700, parents=True, exist_ok=True)
            for shard in _SHARDS:
                (self._root / shard).mkdir(mode=0o700, exist_ok=True)
            if self._is_synced:
                for directory in (self._root, self._root.parent, *(each.parent for each in above)):
                    sync_directory(directory)
            self._is_prepared = True

    @contextmanager
    def _locked(self, how: int) -> Iterator[None]:
        file = os.open(self._root / LOCK_FILE, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(file, how)
            yield
        finally:
            os.close(file)

    async def _in_thread(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        if self._closed:
            raise refusals.closed()
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._pool, lambda: work(*args, **kwargs))
        except OSError as exc:
            raise translated(exc, self._root) from exc


def _next_of(file: BinaryIO, check: Check) -> bytes:
    return check.passed(file.read(CHUNK))
