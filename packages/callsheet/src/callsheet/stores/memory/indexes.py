"""Lineage and cache in memory: what the journals say, kept in dictionaries."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from callsheet.core import value
from callsheet.core.ids import RunId
from callsheet.core.index.derived import CachedCall
from callsheet.core.plan.artifact import artifacts_in
from callsheet.core.run.entries import AttemptEnded, decode

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from datetime import datetime

    from callsheet.core.index.derived import ArtifactUse, Derived, Reusable
    from callsheet.stores.memory.contents import Contents


class MemoryIndexes:
    """`Lineage` and `Cache` in memory."""

    def __init__(self, contents: Contents) -> None:
        self._contents = contents
        self._uses: dict[str, list[ArtifactUse]] = {}
        self._reusable: dict[str, list[Reusable]] = {}
        self._tenants: dict[str, str] = {}
        """Whose each run is."""

    def note(self, run: str, derived: Derived, tenant: str) -> None:
        """Take in what an append to a run of this tenant says."""
        self._tenants[run] = tenant
        self._uses.setdefault(run, []).extend(derived.uses)
        self._reusable.setdefault(run, []).extend(derived.reusable)

    def forget(self, run: str) -> None:
        """Drop what a deleted run has said."""
        self._uses.pop(run, None)
        self._reusable.pop(run, None)
        self._tenants.pop(run, None)

    async def uses(self, digest: str, *, tenant: str | None = None) -> Sequence[ArtifactUse]:
        """Where an artifact occurs, oldest run first, each run in order."""
        return [
            use
            for run in sorted(self._uses)
            if tenant is None or self._tenants.get(run) == tenant
            for use in self._of(run)
            if use.digest == digest
        ]

    async def of_run(self, run: RunId) -> Sequence[ArtifactUse]:
        """What occurs in a run, in order."""
        return self._of(run)

    def _of(self, run: str) -> list[ArtifactUse]:
        uses = self._uses.get(run, ())
        return sorted(uses, key=lambda use: (use.seq, use.role, use.digest))

    async def referenced(self, digests: Sequence[str]) -> set[str]:
        """Those of the digests that any run or context item still names."""
        named = {use.digest for uses in self._uses.values() for use in uses}
        return set(digests) & (named | set(self._in_context()))

    async def of_tenant(self, tenant: str, *, begins: str = "") -> Sequence[str]:
        """The artifacts of a tenant whose digests begin so, sorted."""
        runs = [run for run, whose in self._tenants.items() if whose == tenant]
        named = {use.digest for run in runs for use in self._uses.get(run, ())}
        named |= {*self._in_context(tenant), *self._contents.uploads.get(tenant, ())}
        return sorted(digest for digest in named if digest.startswith(begins))

    async def note_upload(self, tenant: str, digest: str, *, at: datetime) -> None:
        """Say that a tenant has put an artifact."""
        self._contents.writable()
        self._contents.uploads.setdefault(tenant, {})[digest] = at

    async def forget_uploads(self, digests: Collection[str]) -> None:
        """Drop what was said of artifacts that are not kept any more."""
        self._contents.writable()
        gone = set(digests)
        for own in self._contents.uploads.values():
            for digest in gone & own.keys():
                del own[digest]

    def _in_context(self, tenant: str | None = None) -> Iterator[str]:
        for item in self._contents.context:
            if tenant not in (None, item.tenant):
                continue
            yield from (artifact.digest for artifact in artifacts_in(value.decode(item.body)))

    def find(self, key: str) -> asyncio.Future[CachedCall | None]:
        """The youngest call with this key of a run that is kept."""
        found: asyncio.Future[CachedCall | None] = asyncio.get_running_loop().create_future()
        found.set_result(self._find(key))
        return found

    def _find(self, key: str) -> CachedCall | None:
        calls = [call for calls in self._reusable.values() for call in calls if call.key == key]
        if not calls:
            return None
        youngest = max(calls, key=lambda call: (call.at, call.run, call.seq))
        entry = decode(self._contents.journals[youngest.run][youngest.seq - 1])
        assert isinstance(entry, AttemptEnded)
        return CachedCall(run=RunId(youngest.run), entry=entry)
