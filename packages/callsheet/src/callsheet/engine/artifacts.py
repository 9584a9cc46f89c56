"""The artifacts of an engine, for whoever uses one: put, find, list, save, trace."""

from __future__ import annotations

import asyncio
import os
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import msgspec

from callsheet.core import given
from callsheet.core.ids import RunId
from callsheet.core.plan.artifact import Artifact, facts_of, is_digest
from callsheet.errors import InputError, UnknownArtifactError, UnknownRunError
from callsheet.runtime.context import bytes_of, media_type_of, name_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from callsheet.core.value import Json
    from callsheet.insight.ancestry import Walk
    from callsheet.insight.lineage import Direction, LineageGraph
    from callsheet.ports import KeptArtifact, Store

SHORTEST = 6
"""Characters of a digest that may stand for the whole."""
MOST = 500
"""Calls and artifacts that a graph has at most."""
_DIRECTIONS = ("up", "down", "both")
_HEX = frozenset("0123456789abcdef")


class Kept(Protocol):
    """What is needed of an `ArtifactStore`, whose promises these are."""

    async def put(self, data: bytes | Path) -> tuple[str, int]:
        """As `ArtifactStore.put`."""
        ...

    async def get(self, digest: str) -> bytes:
        """As `ArtifactStore.get`."""
        ...

    def read(self, digest: str) -> AsyncIterator[bytes]:
        """As `ArtifactStore.read`."""
        ...

    async def size(self, digest: str) -> int | None:
        """As `ArtifactStore.size`."""
        ...

    def kept(self) -> AsyncIterator[KeptArtifact]:
        """As `ArtifactStore.kept`."""
        ...


class ListedArtifact(msgspec.Struct, frozen=True, kw_only=True):
    """An artifact that is kept, and who made it."""

    artifact: Artifact
    run: str
    step: str
    """Of the call that made it, or of the first that names it; empty: nobody does."""
    tool: str
    made: bool
    """Whether that call made it."""
    used_by: int
    """How many calls were given it, or have it from others; in a listed run: of that run."""
    written_at: datetime | None = None

    def to_json(self) -> dict[str, Json]:
        """As plain data: the facts of the artifact, and who made and uses it."""
        return {
            **facts_of(self.artifact),
            "run": self.run or None,
            "step": self.step or None,
            "tool": self.tool or None,
            "used_by": self.used_by,
            "written_at": msgspec.to_builtins(self.written_at),
        }


class Artifacts:
    """Immutable bytes by their digest, and which call made and used what."""

    def __init__(self, kept: Kept, store: Store) -> None:
        self._kept = kept
        self._store = store

    async def put(
        self, data: bytes | str | Path, *, media_type: str = "", name: str = ""
    ) -> Artifact:
        """Keep bytes, text or a file, to be given to runs as an input (`artifact.to_json()`).

        What no run refers to is removed by a later collection.

        Raises:
            InputError: the file cannot be read.
            StoreError: they cannot be kept.
        """
        name, media_type = name_of(data, name), given.text("media_type", media_type)
        digest, size = await self._kept.put(bytes_of(data))
        kind = media_type or media_type_of(name, is_text=isinstance(data, str))
        return Artifact(digest=digest, media_type=kind, size=size, name=name)

    async def get(self, artifact: Artifact | str) -> bytes:
        """The bytes, all at once, checked against the digest.

        Raises:
            UnknownArtifactError: they are not there.
            StoreCorruptError: they are not what they were.
        """
        return await self._kept.get(_digest_of(artifact))

    def read(self, artifact: Artifact | str) -> AsyncIterator[bytes]:
        """The bytes, piece by piece, checked against the digest at the end."""
        return self._kept.read(_digest_of(artifact))

    async def save(self, artifact: Artifact | str, target: str | Path) -> None:
        """Write the bytes to a new file: it is there whole, or not at all.

        Raises:
            InputError: there is something at `target`, or it cannot be written.
        """
        path = Path(target)
        if await asyncio.to_thread(path.is_dir):
            raise InputError(f"{str(path)!r} is a directory. Name a new file in it.")
        draft = path.with_name(f".{path.name}.{os.getpid()}.part")
        try:
            with draft.open("xb") as file:
                async for piece in self.read(artifact):
                    await asyncio.to_thread(file.write, piece)
            # A link is made only where there is nothing.
            await asyncio.to_thread(os.link, draft, path)
        except FileExistsError as exc:
            raise InputError(f"{str(path)!r} exists and is not overwritten. Name another.") from exc
        except OSError as exc:
            raise InputError(f"Cannot write {str(path)!r}: {exc.strerror}.") from exc
        finally:
            with suppress(OSError):
                draft.unlink()

    async def find(self, name: str) -> str:
        """The digest that begins like this; six characters are enough if only one does.

        Raises:
            UnknownArtifactError: none does, or several do.
        """
        if is_digest(given.text("name", name)):
            return name
        if len(name) < SHORTEST or not _HEX.issuperset(name):
            raise UnknownArtifactError(
                f"{name!r} is not a digest. Give the first {SHORTEST} or more of its characters, "
                "0-9 and a-f; `callsheet artifacts` lists them."
            )
        found = [each.digest async for each in self._kept.kept() if each.digest.startswith(name)]
        if len(found) == 1:
            return found[0]
        what = "Several artifacts begin" if found else "No artifact begins"
        raise UnknownArtifactError(f"{what} with {name!r}. `callsheet artifacts` lists them.")

    async def about(self, digest: str) -> ListedArtifact:
        """What is known of one: its size, its type, and who made it.

        Raises:
            UnknownArtifactError: it is not there.
        """
        size = await self._kept.size(given.text("digest", digest))
        if size is None:
            raise UnknownArtifactError(
                f"There is no artifact {digest}. `callsheet artifacts` lists what there is."
            )
        start = Artifact(digest=digest, size=size)
        graph = await self._walk(MOST).from_artifact(start, None)
        return _listed(graph.artifacts[0], graph)

    async def list(self, *, run: str | None = None, limit: int = 50) -> list[ListedArtifact]:
        """What is kept, newest first; or what occurs in a run, in order.

        Raises:
            UnknownRunError: there is no such run.
        """
        given.whole("limit", limit)
        run = given.name_or_none("run", run)
        if run is not None:
            graph = await self._of_run(run, None, max(MOST, 4 * limit))
            return [_listed(each, graph) for each in graph.artifacts][:limit]
        kept = [each async for each in self._kept.kept()]
        kept.sort(key=lambda each: (each.written_at, each.digest), reverse=True)
        return [await self._describe(each) for each in kept[:limit]]

    async def lineage(
        self, name: str, *, direction: Direction = "both", most: int = MOST
    ) -> LineageGraph:
        """What an artifact, or all of a run, was made from, and what was made of it.

        Raises:
            UnknownRunError, UnknownArtifactError: there is nothing of that name.
        """
        name = given.sought("name", name)
        if direction not in _DIRECTIONS:
            raise InputError(f"direction must be one of: {', '.join(_DIRECTIONS)}.")
        if await self._store.journal.head(RunId(name)) is not None:
            return await self._of_run(name, direction, most)
        digest = await self.find(name)
        size = await self._kept.size(digest)
        graph = await self._walk(most).from_artifact(
            Artifact(digest=digest, size=size or 0), direction
        )
        if size is None and not graph.calls:
            raise UnknownArtifactError(
                f"There is no artifact {digest}, and no run names one. `callsheet artifacts` "
                "lists what there is."
            )
        return graph

    def draw(self, graph: LineageGraph) -> str:
        """A picture of lineage, as an SVG document."""
        from callsheet.insight.picture import picture_of

        return picture_of(graph)

    async def _of_run(
        self, run: str, direction: Direction | None, most: int = MOST
    ) -> LineageGraph:
        if await self._store.journal.head(RunId(run)) is None:
            raise UnknownRunError(f"There is no run {run!r}. `callsheet runs` lists them.")
        return await self._walk(most).from_run(RunId(run), direction)

    async def _describe(self, kept: KeptArtifact) -> ListedArtifact:
        start = Artifact(digest=kept.digest, size=kept.size)
        graph = await self._walk(MOST).from_artifact(start, None)
        return _listed(graph.artifacts[0], graph, kept.written_at)

    def _walk(self, most: int) -> Walk:
        from callsheet.insight.ancestry import Walk

        return Walk(self._store.lineage, self._store.journal, most)


def _listed(
    artifact: Artifact, graph: LineageGraph, written_at: datetime | None = None
) -> ListedArtifact:
    made = graph.producers(artifact.digest)
    used = graph.consumers(artifact.digest)
    call = next(iter((*made, *used)), None)
    return ListedArtifact(
        artifact=artifact,
        run=call.run if call else "",
        step=call.step if call else "",
        tool=call.tool if call else "",
        made=bool(made),
        used_by=len(used),
        written_at=written_at,
    )


def _digest_of(artifact: Artifact | str) -> str:
    if isinstance(artifact, Artifact):
        return artifact.digest
    return given.text("artifact", artifact)
