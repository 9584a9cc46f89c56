"""`Lineage` and `Cache` on SQL: rows that were written with the entries they follow from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from callsheet.core.ids import RunId
from callsheet.core.index.derived import ArtifactUse, CachedCall
from callsheet.core.run.entries import AttemptEnded
from callsheet.stores.sql.journal import entries_of
from callsheet.stores.sql.records import stamp

if TYPE_CHECKING:
    from asyncio import Future
    from collections.abc import Collection, Sequence
    from datetime import datetime

    from callsheet.stores.sql.access import Access
    from callsheet.stores.sql.session import Row, Session

AFTER_ALL = "g"
"""Sorts after every character of a digest."""
AT_ONCE = 100
"""Digests that are asked about in one query."""


class SqlLineage:
    """`Lineage` on SQL."""

    def __init__(self, access: Access) -> None:
        self._reader = access.reader
        self._writer = access.writer
        self._sql = access.statements

    async def uses(self, digest: str, *, tenant: str | None = None) -> Sequence[ArtifactUse]:
        """Where an artifact occurs, oldest run first, each run in order."""
        if tenant is None:
            query = self._sql.uses.bind(digest=digest)
        else:
            query = self._sql.uses_of_tenant.bind(digest=digest, tenant=tenant)
        return await self._reader.apart(query, _uses)

    async def of_run(self, run: RunId) -> Sequence[ArtifactUse]:
        """What occurs in a run, in order."""
        return await self._reader.apart(self._sql.uses_of_run.bind(run=run), _uses)

    async def referenced(self, digests: Sequence[str]) -> set[str]:
        """Those of the digests that any run or context item still names."""
        found: set[str] = set()
        for start in range(0, len(digests), AT_ONCE):
            some = msgspec.json.encode(digests[start : start + AT_ONCE]).decode()
            rows = await self._reader.all(self._sql.named.bind(digests=some))
            found.update(digest for (digest,) in rows)
        return found

    async def of_tenant(self, tenant: str, *, begins: str = "") -> Sequence[str]:
        """The artifacts of a tenant whose digests begin so, sorted."""
        query = self._sql.artifacts_of_tenant.bind(
            tenant=tenant, first=begins, after=begins + AFTER_ALL
        )
        return [digest for (digest,) in await self._reader.all(query)]

    async def note_upload(self, tenant: str, digest: str, *, at: datetime) -> None:
        """Say that a tenant has put an artifact."""
        said = self._sql.upload.bind(tenant=tenant, digest=digest, at=stamp(at))
        await self._writer.call(lambda session: session.run(said))

    async def forget_uploads(self, digests: Collection[str]) -> None:
        """Drop what was said of artifacts that are not kept any more."""
        gone = sorted(digests)

        def act(session: Session) -> None:
            for digest in gone:
                session.run(self._sql.forget_upload.bind(digest=digest))

        if gone:
            await self._writer.call(act)


class SqlCache:
    """`Cache` on SQL."""

    def __init__(self, access: Access) -> None:
        self._reader = access.reader
        self._sql = access.statements

    def find(self, key: str) -> Future[CachedCall | None]:
        """The youngest call with this key of a run that is kept."""
        return self._reader.soon(self._sql.youngest_call.bind(key=key), _call)


def _call(rows: list[Row]) -> CachedCall | None:
    for run, seq, body in rows:
        (entry,) = entries_of([(seq, body)], after=seq - 1)
        assert isinstance(entry, AttemptEnded)
        return CachedCall(run=RunId(run), entry=entry)
    return None


def _uses(rows: list[Row]) -> Sequence[ArtifactUse]:
    return [
        ArtifactUse(digest=digest, run=RunId(run), seq=seq, step=step, role=role)
        for digest, run, seq, step, role in rows
    ]
