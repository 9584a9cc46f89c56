"""Artifacts: their bytes, and the indexes that say which call made and used what."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import msgspec

if TYPE_CHECKING:
    from asyncio import Future
    from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Sequence
    from datetime import datetime
    from pathlib import Path

    from callsheet.core.ids import RunId
    from callsheet.core.index.derived import ArtifactUse, CachedCall


class KeptArtifact(msgspec.Struct, frozen=True, kw_only=True):
    """An artifact as the store has it."""

    digest: str
    size: int
    written_at: datetime


class ArtifactStore(Protocol):
    """Immutable bytes by their digest. Whoever has a digest may have the bytes.

    Writing is atomic: a digest is there with all its bytes or not at all, whoever else writes the
    same at the same time and whenever the process dies.
    """

    where: str
    """What messages call the place: a directory, or an address."""

    async def put(self, data: bytes | Path) -> tuple[str, int]:
        """Keep bytes, or a file's; returns digest and size. What is there is not written again.

        Durable when this returns (see the store's `sync`), and as young as if it were new.

        Raises:
            InputError: the file cannot be read.
            StoreFullError: the disk is full; nothing is left behind under the digest.
            StoreError: they cannot be kept.
        """
        ...

    async def get(self, digest: str) -> bytes:
        """The bytes, all at once; checked against the digest.

        Raises:
            UnknownArtifactError: they are not there.
            StoreCorruptError: they are not what they were.
        """
        ...

    def read(self, digest: str) -> AsyncIterator[bytes]:
        """The bytes, piece by piece; checked against the digest at the end.

        Raises:
            UnknownArtifactError: they are not there.
            StoreCorruptError: they are not what they were.
        """
        ...

    async def size(self, digest: str) -> int | None:
        """How many bytes there are; None: there is no such artifact."""
        ...

    def path(self, digest: str) -> Path | None:
        """The file they lie in, for programs that want one; None: not in a directory here.

        Nobody may write to it.
        """
        ...

    def kept(self) -> AsyncIterator[KeptArtifact]:
        """Everything there is, in no order."""
        ...

    async def delete(self, digests: Sequence[str], *, before: datetime | None = None) -> set[str]:
        """Remove artifacts; returns those that were there and are not any more.

        With `before`, only those that nobody has put since then: whoever puts content that is there
        already may rely on it, also while it is about to be removed.
        """
        ...

    async def sweep(self) -> int:
        """Remove what writers that died have left unfinished; returns how many."""
        ...

    async def backup(self, target: Path, first: Callable[[], Awaitable[None]]) -> None:
        """Copy everything into a new directory, after `first`; nothing is removed meanwhile.

        Artifacts in a bucket are not copied: the copy of a home is opened with the same bucket.
        """
        ...

    async def close(self) -> None:
        """Release what it holds."""
        ...


class Lineage(Protocol):
    """Which entries name which artifacts: an index of the journal, changed with it."""

    async def uses(self, digest: str, *, tenant: str | None = None) -> Sequence[ArtifactUse]:
        """Where an artifact occurs, oldest run first, each run in order; of a tenant's, or all."""
        ...

    async def of_run(self, run: RunId) -> Sequence[ArtifactUse]:
        """What occurs in a run, in order."""
        ...

    async def referenced(self, digests: Sequence[str]) -> set[str]:
        """Those of the digests that any run or context item still names."""
        ...

    async def of_tenant(self, tenant: str, *, begins: str = "") -> Sequence[str]:
        """The artifacts of a tenant whose digests begin so, sorted.

        A tenant's are those that a run or a context item of its names, and those it has put.
        """
        ...

    async def note_upload(self, tenant: str, digest: str, *, at: datetime) -> None:
        """Say that a tenant has put an artifact, which it may use from then on; once or often.

        It keeps nothing: what nobody names is collected.
        """
        ...

    async def forget_uploads(self, digests: Collection[str]) -> None:
        """Drop what was said of artifacts that are not kept any more."""
        ...


class Cache(Protocol):
    """Which call of which run has given what: an index of the journal, changed with it."""

    def find(self, key: str) -> Future[CachedCall | None]:
        """The youngest call with this key (`AttemptEnded.cache_key`) of a run that is kept.

        Done already, if it takes no time to look: then a step need not wait for the answer.
        """
        ...
