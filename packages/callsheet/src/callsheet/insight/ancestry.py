"""Walking through lineage: up to what artifacts were made from, down to what was made of them.

Across runs, cache hits, forks and child runs, breadth first, and at most so far.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from callsheet.core.ids import RunId
from callsheet.core.plan.artifact import ANY_TYPE, Artifact
from callsheet.core.run.entries import RunStarted, StepsAdded
from callsheet.core.run.unknown import UNREADABLE
from callsheet.errors import StoreCorruptError
from callsheet.insight.lineage import LineageGraph, Story, occurrence_of
from callsheet.runtime.log import log

if TYPE_CHECKING:
    from collections.abc import Iterable

    from callsheet.core.index.derived import ArtifactUse
    from callsheet.insight.lineage import Direction, LineageCall, LineageLink, Occurrence, Role
    from callsheet.ports import Journal, Lineage


@dataclass(slots=True)
class Walk:
    """One walk, from artifacts: up, down or both; None: only to those who name them."""

    lineage: Lineage
    journal: Journal
    most: int
    _stories: dict[str, Story] = field(default_factory=dict)
    _steps: dict[str, dict[str, list[ArtifactUse]]] = field(default_factory=dict)
    _met: dict[ArtifactUse, Occurrence] = field(default_factory=dict)
    _calls: dict[str, LineageCall] = field(default_factory=dict)
    _artifacts: dict[str, Artifact] = field(default_factory=dict)
    _links: dict[LineageLink, None] = field(default_factory=dict)
    _unreadable: set[str] = field(default_factory=set)
    """Runs that are damaged, or were written by a newer version."""
    _cut: bool = False

    async def from_run(self, run: RunId, direction: Direction | None) -> LineageGraph:
        """From all that occurs in a run."""
        uses = await self.lineage.of_run(run)
        for found in await self._occurrences(uses):
            if not self._take(found):
                break
        return await self._walked(dict.fromkeys(use.digest for use in uses), direction)

    async def from_artifact(self, artifact: Artifact, direction: Direction | None) -> LineageGraph:
        """From one artifact."""
        self._artifacts[artifact.digest] = artifact
        if direction is None:
            for found in await self._occurrences(await self.lineage.uses(artifact.digest)):
                self._take(found)
        return await self._walked([artifact.digest], direction)

    async def _walked(self, roots: Iterable[str], direction: Direction | None) -> LineageGraph:
        roots = tuple(roots)
        if direction in {"up", "both"}:
            await self._follow(roots, "produced")
        if direction in {"down", "both"}:
            await self._follow(roots, "consumed")
        return LineageGraph(
            roots=roots,
            artifacts=tuple(self._artifacts.values()),
            calls=tuple(self._calls.values()),
            links=tuple(self._links),
            cut=self._cut,
        )

    async def _follow(self, roots: tuple[str, ...], role: Role) -> None:
        """From artifacts to those who produced (up) or consumed them (down), and on from there."""
        seen = set(roots)
        waiting = deque(roots)
        while waiting:
            for found in await self._ends(waiting.popleft(), role):
                if not self._take(found):
                    return
                for other in await self._others(found, role):
                    if other not in seen:
                        seen.add(other)
                        waiting.append(other)

    async def _ends(self, digest: str, role: Role) -> list[Occurrence]:
        """Who produced an artifact, or consumed it."""
        uses = await self._occurrences(await self.lineage.uses(digest))
        found = [each for each in uses if each.link.role == role]
        if role == "produced" and not found:
            # Whoever made it is not kept any more, or never was: how it came here is still known.
            found = [each for each in uses if each.call.how != "call"]
        return found

    async def _others(self, found: Occurrence, role: Role) -> list[str]:
        """The artifacts at the other end of a call."""
        if found.call.how != "call":
            return []
        uses = await self._uses_of(found.call)
        return [
            other.artifact.digest
            for other in await self._occurrences(uses)
            if other.link.role != role and self._take(other)
        ]

    async def _uses_of(self, call: LineageCall) -> list[ArtifactUse]:
        """What a step of a run was given and made."""
        if call.run not in self._steps:
            steps: dict[str, list[ArtifactUse]] = {}
            for use in await self.lineage.of_run(RunId(call.run)):
                steps.setdefault(use.step, []).append(use)
            self._steps[call.run] = steps
        return self._steps[call.run].get(call.step, [])

    def _take(self, found: Occurrence) -> bool:
        """Add it to the graph; False: there is no room for it."""
        call, digest = found.call, found.artifact.digest
        new = (call.id not in self._calls) + (digest not in self._artifacts)
        if new and len(self._calls) + len(self._artifacts) + new > self.most:
            self._cut = True
            return False
        # The attempt that made something says more than one that was only given something.
        if call.id not in self._calls or found.link.role == "produced":
            self._calls[call.id] = call
        self._artifacts[digest] = _fuller(self._artifacts.get(digest), found.artifact)
        self._links[found.link] = None
        return True

    async def _occurrences(self, uses: Iterable[ArtifactUse]) -> list[Occurrence]:
        """What the journals say of uses; a run that cannot be read is passed over."""
        found = []
        for use in uses:
            if use.run in self._unreadable:
                continue
            try:
                found.append(await self._occurrence(use))
            except UNREADABLE as exc:
                self._unreadable.add(use.run)
                log.warning("run.unreadable", run=use.run, reason=exc.message)
        return found

    async def _occurrence(self, use: ArtifactUse) -> Occurrence:
        if use not in self._met:
            entries = await self.journal.read(use.run, after=use.seq - 1, limit=1)
            if not entries:
                raise StoreCorruptError(f"Entry {use.seq} of run {use.run!r} is missing.")
            (entry,) = entries
            self._met[use] = occurrence_of(use, entry, await self._story(use))
        return self._met[use]

    async def _story(self, use: ArtifactUse) -> Story:
        known = self._stories.get(use.run)
        if known is None:
            first, *_ = await self.journal.read(use.run, limit=1)
            assert isinstance(first, RunStarted), "the journal's own promise"
            known = Story(first)
            if first.open:
                entries = await self.journal.read(use.run)
                added = tuple(each for each in entries if isinstance(each, StepsAdded))
                known = Story(first, added)
            self._stories[use.run] = known
        return known


def _fuller(known: Artifact | None, other: Artifact) -> Artifact:
    """All that two mentions of an artifact say of it."""
    if known is None:
        return other
    return Artifact(
        digest=known.digest,
        media_type=other.media_type if known.media_type == ANY_TYPE else known.media_type,
        size=known.size or other.size,
        name=known.name or other.name,
    )
