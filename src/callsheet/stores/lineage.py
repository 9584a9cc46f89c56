"""`Lineage` and `Cache` on SQL: rows that were written with the entries they follow from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet.core.entries import AttemptEnded
from callsheet.core.ids import RunId
from callsheet.ports import ArtifactUse, CachedCall
from callsheet.stores.compiled import AT_ONCE
from callsheet.stores.journal import entries_of

if TYPE_CHECKING:
    from asyncio import Future
    from collections.abc import Sequence

    from callsheet.stores.access import Access
    from callsheet.stores.compiled import Bound
    from callsheet.stores.session import Row


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
            query = self._named(digests[start : start + AT_ONCE])
            found.update(digest for (digest,) in await self._reader.all(query))
        return found

    def _named(self, digests: Sequence[str]) -> Bound:
        # What is missing is filled up with the last: asked twice, it is no other question.
        filled = [*digests, *[digests[-1]] * (AT_ONCE - len(digests))]
        values = {f"d{number}": digest for number, digest in enumerate(filled)}
        return self._sql.named.bind(**values)


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
