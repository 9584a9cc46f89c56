"""Artifacts in a bucket: S3, GCS, Azure, or whatever else obstore reaches.

Small content is put under its digest in one conditional request. A large file is uploaded in parts
to a draft, named by what was really uploaded, and copied to its place, which is atomic there.
Importing this module imports obstore; the engine does so when an address is given.
"""

from __future__ import annotations

import asyncio
import secrets
from contextlib import contextmanager, suppress
from datetime import timedelta
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

import obstore
from obstore.exceptions import (
    AlreadyExistsError,
    BaseError,
    PermissionDeniedError,
    UnauthenticatedError,
)

from callsheet.core.plan.artifact import is_digest
from callsheet.errors import StoreError, StoreReadOnlyError
from callsheet.ports import KeptArtifact
from callsheet.stores import refusals
from callsheet.stores.artifacts.digest import (
    CHUNK,
    SHARD,
    Check,
    Content,
    content_of,
    damaged,
    pieces_of,
    place_of,
    unknown,
)
from callsheet.stores.failures import first_line

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
    from datetime import datetime
    from pathlib import Path

    from obstore import ObjectMeta
    from obstore.store import ObjectStore

WHOLE = 16 * CHUNK
"""Bytes up to which content goes in one request."""
DRAFTS = "drafts"
ABANDONED = timedelta(days=1)
"""After which a draft belongs to nobody: a bucket does not tell who is still writing."""
REMEMBERED = 100_000
"""Artifacts that were put again, of which it is known when."""


class BucketArtifacts:
    """`ArtifactStore` in a bucket, or below a prefix of one; it belongs to one home alone."""

    def __init__(self, bucket: ObjectStore, name: str, *, now: Callable[[], datetime]) -> None:
        self._bucket = bucket
        self.where = self._name = name
        self._now = now
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._relied_on: dict[str, datetime] = {}
        """When content was put that was there: a bucket's dates cannot be changed."""
        self._closed = False

    async def put(self, data: bytes | Path) -> tuple[str, int]:
        """Keep bytes, or a file's; returns digest and size. What is there is not written again."""
        self._must_be_open()
        content = await asyncio.to_thread(content_of, data)
        with self._translated():
            async with self._alone(content.digest):
                if await self.size(content.digest) == content.size:
                    self._rely_on(content.digest)
                elif isinstance(data, bytes):
                    await self._put_whole(data, content)
                else:
                    content = await self._put_file(data, content)
        return content.digest, content.size

    async def get(self, digest: str) -> bytes:
        """The bytes, all at once; checked against the digest."""
        self._must_be_open()
        place = place_of(digest)
        with self._translated(digest):
            found = await obstore.get_async(self._bucket, place)
            data = bytes(await found.bytes_async())
        if (await asyncio.to_thread(content_of, data)).digest != digest:
            raise damaged(digest, f"{place} in {self._name}")
        return data

    async def read(self, digest: str) -> AsyncIterator[bytes]:
        """The bytes, piece by piece; checked against the digest at the end."""
        self._must_be_open()
        place = place_of(digest)
        check = Check()
        with self._translated(digest):
            found = await obstore.get_async(self._bucket, place)
            stream = found.stream(min_chunk_size=CHUNK)
        while True:
            with self._translated(digest):
                chunk = await anext(stream, None)
            if chunk is None:
                break
            yield await asyncio.to_thread(check.passed, bytes(chunk))
        if check.content.digest != digest:
            raise damaged(digest, f"{place} in {self._name}")

    async def size(self, digest: str) -> int | None:
        """How many bytes there are; None: there is no such artifact."""
        found = await self._head(digest)
        return found["size"] if found else None

    def path(self, digest: str) -> Path | None:
        """None: nothing in a bucket lies in a file here."""
        del digest
        return None

    async def kept(self) -> AsyncIterator[KeptArtifact]:
        """Everything there is, in no order."""
        async for found in self._list():
            shard, _, digest = found["path"].rpartition("/")
            if is_digest(digest) and shard == digest[:SHARD]:
                yield KeptArtifact(
                    digest=digest, size=found["size"], written_at=found["last_modified"]
                )

    async def delete(self, digests: Sequence[str], *, before: datetime | None = None) -> set[str]:
        """Remove artifacts; returns those that were there and are not any more."""
        self._must_be_open()
        gone = {digest for digest in digests if await self._delete(digest, before)}
        if before is not None:
            young = {key: at for key, at in self._relied_on.items() if at >= before}
            self._relied_on = young
        return gone

    async def sweep(self) -> int:
        """Remove drafts that are older than any upload takes; returns how many."""
        latest = self._now() - ABANDONED
        drafts = [each async for each in self._list(DRAFTS) if each["last_modified"] < latest]
        with self._translated():
            await obstore.delete_async(self._bucket, [draft["path"] for draft in drafts])
        return len(drafts)

    async def backup(self, target: Path, first: Callable[[], Awaitable[None]]) -> None:
        """Copy nothing: a bucket is backed up by other means, and outlives the home."""
        del target
        await first()

    async def close(self) -> None:
        """Take nothing more. Harmless the second time."""
        self._closed = True

    def _rely_on(self, digest: str) -> None:
        self._relied_on.pop(digest, None)
        self._relied_on[digest] = self._now()
        if len(self._relied_on) > REMEMBERED:
            del self._relied_on[next(iter(self._relied_on))]

    async def _put_whole(self, data: bytes, content: Content) -> None:
        place = place_of(content.digest)
        try:
            await obstore.put_async(self._bucket, place, data, mode="create")
        except AlreadyExistsError:
            # Another process was quicker; or what is there was cut off, and is made whole.
            if await self.size(content.digest) != content.size:
                await obstore.put_async(self._bucket, place, data, use_multipart=False)

    async def _put_file(self, path: Path, content: Content) -> Content:
        if content.size <= WHOLE:
            data = b"".join(await asyncio.to_thread(list, pieces_of(path)))
            # It may have changed since it was named: what is uploaded is what is kept.
            content = await asyncio.to_thread(content_of, data)
            await self._put_whole(data, content)
            return content
        draft = f"{DRAFTS}/{secrets.token_hex(8)}"
        check = Check()
        try:
            await obstore.put_async(self._bucket, draft, _passing(path, check))
            place = place_of(check.content.digest)
            await obstore.copy_async(self._bucket, draft, place)
        finally:
            with suppress(BaseError, FileNotFoundError):
                await obstore.delete_async(self._bucket, draft)
        return check.content

    async def _delete(self, digest: str, before: datetime | None) -> bool:
        async with self._alone(digest):
            found = await self._head(digest)
            if found is None or (before is not None and self._is_younger(found, digest, before)):
                return False
            with self._translated(), suppress(FileNotFoundError):
                await obstore.delete_async(self._bucket, place_of(digest))
            return True

    def _is_younger(self, found: ObjectMeta, digest: str, before: datetime) -> bool:
        relied_on = self._relied_on.get(digest, found["last_modified"])
        return max(found["last_modified"], relied_on) >= before

    async def _head(self, digest: str) -> ObjectMeta | None:
        self._must_be_open()
        if not is_digest(digest):
            return None
        with self._translated():
            try:
                return await obstore.head_async(self._bucket, place_of(digest))
            except FileNotFoundError:
                return None

    async def _list(self, prefix: str | None = None) -> AsyncIterator[ObjectMeta]:
        self._must_be_open()
        pages = obstore.list(self._bucket, prefix)
        while True:
            with self._translated():
                page = await anext(pages, None)
            if page is None:
                return
            for found in page:
                yield found

    def _alone(self, digest: str) -> asyncio.Lock:
        """Nobody else of this process puts or removes the same content."""
        return self._locks.setdefault(digest, asyncio.Lock())

    def _must_be_open(self) -> None:
        if self._closed:
            raise refusals.closed()

    @contextmanager
    def _translated(self, digest: str | None = None) -> Iterator[None]:
        try:
            yield
        except FileNotFoundError as exc:
            if digest is not None:
                raise unknown(digest, self._name) from exc
            raise self._failure(exc, "has no such bucket or prefix") from exc
        except (PermissionDeniedError, UnauthenticatedError) as exc:
            raise self._failure(
                exc, "may not be used with these credentials", StoreReadOnlyError
            ) from exc
        except (BaseError, OSError) as exc:
            raise self._failure(exc, "could not be used") from exc

    def _failure(
        self, exc: Exception, what: str, kind: type[StoreError] = StoreError
    ) -> StoreError:
        return kind(f"{self._name} {what}. The system says: {first_line(exc)}.")


async def _passing(path: Path, check: Check) -> AsyncIterator[bytes]:
    pieces = pieces_of(path)
    while chunk := await asyncio.to_thread(next, pieces, b""):
        yield await asyncio.to_thread(check.passed, chunk)
