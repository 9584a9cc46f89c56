"""`Lineage` and `Cache` on SQL: rows that were written with the entries they follow from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from callsheet.core.ids import RunId
from callsheet.core.index.derived import ArtifactUse, CachedCall
from callsheet.core.run.entries import AttemptEnded
from callsheet.stores.sql.journal import entries_of

if TYPE_CHECKING:
    from asyncio import Future
    from collections.abc import Sequence

    from callsheet.stores.sql.access import Access
    from callsheet.stores.sql.session import Row

AT_ONCE = 100
"""Digests that are asked about in one query."""


class SqlLineage:
    """`Lineage` on SQL."""

    def __init__(self, access: Access) -> None:
        self._reader = access.reader
        self._sql = access.statements

    async def uses(self, digest: str) -> Sequence[ArtifactUse]:
        """Where an artifact occurs, oldest run first, each run in order."""
        return await self._reader.apart(self._sql.uses.bind(digest=digest), _uses)

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
