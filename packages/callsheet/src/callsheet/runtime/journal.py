"""The journal as the runtime uses it: values that are too large to stand in it lie beside it.

A value over 32 KB is kept by its digest before the entry that names it is written, so whoever
reads the entry finds the value; a crash in between leaves bytes that nobody names, and they are
collected. Readers get entries whole. Folding, deciding and replay need none of this: they read the
journal itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from msgspec import Raw, structs

from callsheet.core import value
from callsheet.core.plan.artifact import LARGE
from callsheet.core.run import entries as e
from callsheet.core.run.graph import args_refer_to
from callsheet.core.run.unknown import decode_some
from callsheet.errors import (
    MissingValueError,
    StaleWriteError,
    StoreError,
    UnknownArtifactError,
)
from callsheet.runtime.log import log
from callsheet.runtime.outage import SHORTEST, is_outage, outlast

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from callsheet.core.ids import RunId
    from callsheet.core.index.heads import RunHead
    from callsheet.core.run.entries import AnyEntry, UndoCall
    from callsheet.core.run.unknown import Damage
    from callsheet.ports import ArtifactStore, Clock, Journal

_UNDOABLE = (e.AttemptStarted, e.AttemptEnded)
_TO_NOTHING = e.Refers()
_STEP_ARGS = "steps[", "].args"
"""Around the number of a step: where its arguments stand in an entry that adds it."""


class WholeJournal:
    """A journal, and the artifact store in which its large values lie."""

    def __init__(self, journal: Journal, artifacts: ArtifactStore, clock: Clock) -> None:
        self.journal = journal
        self._artifacts = artifacts
        self._clock = clock

    def append(self, run: RunId, entries: Sequence[AnyEntry], *, after: int) -> Awaitable[int]:
        """As `Journal.append`; what is large is durable before the entries are."""
        # On the way of every entry: no coroutine of its own while nothing is large.
        for entry in entries:
            if _is_large(entry):
                return self._append_slim(run, entries, after)
        return self.journal.append(run, entries, after=after)

    async def _append_slim(self, run: RunId, entries: Sequence[AnyEntry], after: int) -> int:
        slim = [await self._slim(entry) if _is_large(entry) else entry for entry in entries]
        return await self.journal.append(run, slim, after=after)

    async def append_after_all(
        self, run: RunId, entries: Sequence[AnyEntry], error: StoreError, *, after: int
    ) -> int:
        """What `append` has failed to do, as soon as the store is back, however long that takes.

        A run that somebody is just starting is not waited for: whoever starts it is told.

        Raises:
            StoreError: it never will be; or the run was to begin with these.
        """
        first = entries[0]
        is_new = isinstance(first, e.RunStarted) and first.parent is None
        if is_new or not is_outage(error):
            raise error

        async def again() -> int:
            slim = [await self._slim(entry) if _is_large(entry) else entry for entry in entries]
            try:
                return await self.journal.append(run, slim, after=after)
            except StaleWriteError:
                # Nobody knew what had become of it. If these very entries are there, it was made.
                found = await self.journal.read(run, after=after)
                if [*map(e.encode, found)] == [*map(e.encode, slim)]:
                    return after + len(slim)
                raise

        log.warning("store.away", run=run, error=error.message)
        await self._clock.sleep(SHORTEST)
        return await outlast(again, self._clock, run=run)

    async def head(self, run: RunId) -> RunHead | None:
        """As `Journal.head`."""
        return await self.journal.head(run)

    async def read(
        self, run: RunId, *, after: int = 0, limit: int | None = None
    ) -> Sequence[AnyEntry]:
        """As `Journal.read`, with every value in its place.

        Raises:
            MissingValueError: one of them is not where it was kept. It is never left out: whoever
                goes on without it would go on with something else.
        """
        entries = await self.journal.read(run, after=after, limit=limit)
        if any(map(_is_slim, entries)):
            return [await self.whole(entry) if _is_slim(entry) else entry for entry in entries]
        return entries

    async def whole_of(self, entry: AnyEntry) -> AnyEntry:
        """An entry with its values in their places; most have them there."""
        return await self.whole(entry) if _is_slim(entry) else entry

    async def view(
        self, run: RunId, *, after: int = 0, limit: int | None = None
    ) -> tuple[Sequence[AnyEntry], list[tuple[AnyEntry, MissingValueError]]]:
        """The same for whoever only looks: what is missing stands as the journal has it.

        Such an entry still has its `stored`, which names the digests; and each is told.
        """
        entries = await self.journal.read(run, after=after, limit=limit)
        if not any(map(_is_slim, entries)):
            return entries, []
        missing: list[tuple[AnyEntry, MissingValueError]] = []
        seen: list[AnyEntry] = []
        for entry in entries:
            try:
                seen.append(await self.whole(entry) if _is_slim(entry) else entry)
            except MissingValueError as exc:
                missing.append((entry, exc))
                seen.append(entry)
        return seen, missing

    async def readable(self, run: RunId) -> tuple[Sequence[AnyEntry], Damage | None]:
        """The entries of a damaged run, as far as they can be read, and what is wrong then."""
        found, damage = decode_some(await self.journal.lines(run))
        shown = []
        for entry in found:
            try:
                shown.append(await self.whole(entry) if _is_slim(entry) else entry)
            except StoreError:
                shown.append(entry)  # its value is damaged, too; the entry is not
        return shown, damage

    async def whole(self, entry: AnyEntry) -> AnyEntry:
        """An entry with its values in their places.

        Raises:
            MissingValueError: one of them is not where it was kept.
        """
        if isinstance(entry, e.StepsAdded):
            return await self._whole_steps(entry)
        found: dict[str, object] = {
            field: await self._get(digest) for field, digest in (entry.stored or {}).items()
        }
        if isinstance(entry, _UNDOABLE) and entry.undo is not None and entry.undo.stored:
            args = await self._get(entry.undo.stored)
            found["undo"] = structs.replace(entry.undo, args=args, stored="")
        return structs.replace(entry, **found, stored=None)

    async def _whole_steps(self, entry: e.StepsAdded) -> AnyEntry:
        steps = list(entry.steps)
        for place, digest in (entry.stored or {}).items():
            index = int(place[len(_STEP_ARGS[0]) : -len(_STEP_ARGS[1])])
            args = value.decode(await self._get(digest))
            steps[index] = structs.replace(steps[index], args=args)
        return structs.replace(entry, steps=tuple(steps), stored=None, refers={})

    async def _slim_steps(self, entry: e.StepsAdded) -> AnyEntry:
        """What large arguments refer to is kept with the steps: by that they wait for others."""
        steps = list(entry.steps)
        stored: dict[str, str] = {}
        refers: dict[str, e.Refers] = {}
        for index, step in enumerate(steps):
            raw = Raw(value.encode(step.args))
            if _size(raw) > LARGE:
                stored[f"{_STEP_ARGS[0]}{index}{_STEP_ARGS[1]}"] = await self._put(raw)
                steps[index] = structs.replace(step, args={})
                if (used := args_refer_to(step)) != _TO_NOTHING:
                    refers[step.id] = used
        return structs.replace(entry, steps=tuple(steps), stored=stored or None, refers=refers)

    async def _slim(self, entry: AnyEntry) -> AnyEntry:
        if isinstance(entry, e.StepsAdded):
            return await self._slim_steps(entry)
        changed: dict[str, object] = {}
        stored: dict[str, str] = {}
        for field in e.LARGE_FIELDS[type(entry)]:
            raw: Raw = getattr(entry, field)
            if _size(raw) > LARGE:
                stored[field] = await self._put(raw)
                changed[field] = e.NULL
        if isinstance(entry, _UNDOABLE) and _is_large_undo(entry.undo):
            undo = cast("UndoCall", entry.undo)
            digest = await self._put(undo.args)
            changed["undo"] = structs.replace(undo, args=e.NULL, stored=digest)
        return structs.replace(entry, **changed, stored=stored or None)

    async def _put(self, raw: Raw) -> str:
        # In its one spelling, so that equal values are kept once and the digest is the value's.
        digest, _ = await self._artifacts.put(value.canonical(value.decode(raw)))
        return digest

    async def _get(self, digest: str) -> Raw:
        try:
            return Raw(await self._artifacts.get(digest))
        except UnknownArtifactError as exc:
            raise MissingValueError(
                f"A value is missing: {digest} is not in {self._artifacts.where}. The run cannot "
                "go on, be undone or forked without it. Put the file back there, from a backup or "
                "from where the artifacts were before, and resume the run."
            ) from exc


class SeenJournal:
    """A journal for whoever only looks on: what is missing is shown as the journal has it."""

    def __init__(self, whole: WholeJournal) -> None:
        self._whole = whole

    async def read(
        self, run: RunId, *, after: int = 0, limit: int | None = None
    ) -> Sequence[AnyEntry]:
        """As `Journal.read`, with every value in its place that is to be had."""
        entries, _ = await self._whole.view(run, after=after, limit=limit)
        return entries

    async def head(self, run: RunId) -> RunHead | None:
        """As `Journal.head`."""
        return await self._whole.head(run)


# It has a length, which its stub does not say.
_size: Callable[[Raw], int] = cast("Callable[[Raw], int]", len)


def _is_large(entry: AnyEntry) -> bool:
    # On the way of every entry: most are one of these two.
    if type(entry) is e.AttemptStarted:
        return _size(entry.args) > LARGE or _is_large_undo(entry.undo)
    if isinstance(entry, e.AttemptEnded):
        return _size(entry.output) > LARGE or _is_large_undo(entry.undo)
    if isinstance(entry, e.StepsAdded):
        return len(value.encode(entry.steps)) > LARGE
    fields = e.LARGE_FIELDS.get(type(entry), ())
    return any(_size(getattr(entry, field)) > LARGE for field in fields)


def _is_large_undo(undo: UndoCall | None) -> bool:
    return undo is not None and _size(undo.args) > LARGE


def _is_slim(entry: AnyEntry) -> bool:
    if entry.stored:
        return True
    return isinstance(entry, _UNDOABLE) and entry.undo is not None and bool(entry.undo.stored)
