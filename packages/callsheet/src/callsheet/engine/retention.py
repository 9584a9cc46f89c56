"""Collection: removing the bytes of artifacts that nothing refers to any more.

What a run, a context item or a saved plan names is kept, and what a running call has put. What was
put a moment ago is kept too: the entry that names it may be about to be written.
"""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import TYPE_CHECKING

import msgspec

from callsheet.core.ids import RunId, StepKey, child_run, idempotency_key, step_of
from callsheet.core.index.heads import Filter
from callsheet.core.past.outputs import Outputs, take_in
from callsheet.core.plan.agent import agent_key
from callsheet.core.plan.plan import NOTHING, Cost
from callsheet.core.run.entries import (
    AttemptEnded,
    AttemptStarted,
    Cause,
    RunEnded,
    RunStarted,
    StepsAdded,
    UndoEnded,
)
from callsheet.core.run.snapshot import Snapshot
from callsheet.core.run.unknown import UNREADABLE, decode_some
from callsheet.errors import ReplayImpossibleError, RequestRefusedError, StoreCorruptError
from callsheet.runtime.belonging import digests_named
from callsheet.runtime.log import log

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
    from datetime import datetime

    from callsheet.core.index.heads import RunHead
    from callsheet.core.run.entries import AnyEntry, ParentStep
    from callsheet.core.value import Json
    from callsheet.runtime.environment import Ports

GRACE = timedelta(hours=1)
MOMENT = timedelta(minutes=1)
"""How long bytes are left alone that a deleted run had, in case another run has just put them."""
AT_ONCE = 500
MAX_RUNS = 1_000_000


class Collected(msgspec.Struct, frozen=True, kw_only=True):
    """What a collection has removed, or would remove."""

    digests: tuple[str, ...] = ()
    size: int = 0
    """Bytes, in all."""
    drafts: int = 0
    """Files that processes had left unfinished when they died."""
    dry_run: bool = False

    def to_json(self) -> dict[str, Json]:
        """As plain data."""
        return {"artifacts": list(self.digests), "bytes": self.size, "dry_run": self.dry_run}


class Collector:
    """Looks for artifacts that nothing refers to."""

    def __init__(self, ports: Ports, pins: Callable[[], set[str]]) -> None:
        self._artifacts = ports.artifacts
        self._store = ports.store
        self._pins = pins
        """What running calls have put, and no entry names yet."""

    async def collect(self, before: datetime, *, dry_run: bool) -> Collected:
        """Remove what nobody has put since then and nothing refers to."""
        drafts = 0 if dry_run else await self._artifacts.sweep()
        gone: dict[str, int] = {}
        async for sizes in self._old(before):
            unused = await self._unused(list(sizes))
            if not dry_run:
                unused = await self._delete(unused, before)
            gone |= {digest: sizes[digest] for digest in unused}
        return Collected(
            digests=tuple(sorted(gone)), size=sum(gone.values()), drafts=drafts, dry_run=dry_run
        )

    async def drop(self, digests: Sequence[str], before: datetime) -> None:
        """Remove those of them that nothing refers to."""
        for first in range(0, len(digests), AT_ONCE):
            unused = await self._unused(digests[first : first + AT_ONCE])
            await self._delete(unused, before)

    async def _delete(self, unused: set[str], before: datetime) -> set[str]:
        gone = await self._artifacts.delete(sorted(unused), before=before)
        await self._store.lineage.forget_uploads(gone)
        return gone

    async def _old(self, before: datetime) -> AsyncIterator[dict[str, int]]:
        found: dict[str, int] = {}
        async for kept in self._artifacts.kept():
            if kept.written_at < before:
                found[kept.digest] = kept.size
            if len(found) >= AT_ONCE:
                yield found
                found = {}
        if found:
            yield found

    async def _unused(self, digests: Sequence[str]) -> set[str]:
        # Asked first: a call that ends meanwhile is written down before it lets go.
        pinned = self._pins()
        unused = set(digests) - pinned - await self._store.lineage.referenced(digests)
        return unused - await self._named() if unused else unused

    async def _named(self) -> set[str]:
        """What stands in plans that may still be carried out, and elsewhere in open runs.

        The index has what calls were given and made. A step that has not been called yet is not in
        it, nor is a checkpoint.
        """
        found: set[str] = set()
        for head in await self._store.journal.heads(Filter(open_only=True), limit=MAX_RUNS):
            # As it is written: what this version cannot read may still be gone on with by another.
            for _, line in await self._store.journal.lines(head.run):
                found.update(digests_named(line.encode()))
        for request in await self._store.inbox.pending():
            found.update(digests_named(msgspec.json.encode(request)))
        for plan in await self._store.plans.list(tenant=None):
            for version in await self._store.plans.versions(plan.name, tenant=plan.tenant):
                found.update(digests_named(msgspec.json.encode(version.plan)))
        return found


class Retention:
    """What is removed of a home: runs, and the bytes that nothing refers to without them."""

    def __init__(
        self,
        ports: Ports,
        pins: Callable[[], set[str]],
        forget: Callable[[Sequence[str]], None],
        keep: Callable[[Sequence[AnyEntry]], Awaitable[None]],
    ) -> None:
        self._journal = ports.store.journal
        self._lineage = ports.store.lineage
        self._context = ports.store.context
        self._clock = ports.clock
        self._collector = Collector(ports, pins)
        self._forget = forget
        """Drops what was kept for the undo of calls with these keys."""
        self._keep = keep
        """Keeps what others still need of a run that is about to be deleted."""

    async def delete(self, run: RunId) -> bool:
        """Remove an ended or damaged run whole, with what it alone held; False: there is none.

        The runs that were steps of it go with it.

        Raises:
            RequestRefusedError: it has not ended, or is itself a step of a run that is kept.
        """
        parent = await self._parent_of(run)
        if parent is not None:
            raise RequestRefusedError(
                f"Run {run!r} is step {parent.step!r} of run {parent.run!r}. Delete that one."
            )
        await self._give_up(run)
        return await self._remove(run)

    async def _remove(self, run: RunId) -> bool:
        entries, damage = await self._readable(run)
        uses = await self._lineage.of_run(run)
        started = dict.fromkeys(each.step for each in entries if isinstance(each, AttemptStarted))
        if damage is None:
            await self._keep(entries)
        if not await self._journal.delete(run):
            return False
        # After it, or it could not be undone any more; what a crash leaves has no parent then.
        sub_plans = sub_plans_in(entries)
        for step in started:
            if step_of(step) in sub_plans:
                await self._remove(child_run(run, StepKey(step)))
        if damage is not None:
            await self._remove_orphans(run)
        keys = [idempotency_key(run, StepKey(step)) for step in started]
        await asyncio.to_thread(self._forget, keys)
        digests = list(dict.fromkeys(use.digest for use in uses))
        await self._collector.drop(digests, self._clock.now() - MOMENT)
        return True

    async def _readable(self, run: RunId) -> tuple[Sequence[AnyEntry], str | None]:
        """The entries of a run, as far as they can be read, and why not all of them can."""
        try:
            entries = await self._journal.read(run)
            take_in(snapshot := Snapshot(), Outputs(snapshot), entries)
        except UNREADABLE as exc:
            entries, _ = decode_some(await self._journal.lines(run))
            return entries, exc.message
        return entries, None

    async def _give_up(self, run: RunId) -> None:
        """End a run that is damaged and has not ended: nobody could ever do it otherwise.

        What it had reserved is given back, except what is known to be spent. One that was written
        by a newer version is not damaged.
        """
        head = await self._journal.head(run)
        if head is None or head.ended is not None:
            return
        try:
            entries = await self._journal.read(run)
            take_in(snapshot := Snapshot(), Outputs(snapshot), entries)
        except StoreCorruptError as exc:
            lines = await self._journal.lines(run)
            log.warning("run.given_up", run=run, reason=exc.message)
            cause = Cause(kind="failure", message=exc.message)
            ended = RunEnded(
                at=self._clock.now(), state="stuck", cause=cause, spent=_known_costs(lines)
            )
            await self._journal.append(run, [ended], after=lines[-1][0] if lines else 0)
        except ReplayImpossibleError:
            return

    async def _remove_orphans(self, run: RunId) -> None:
        """Remove the runs that were steps of one whose journal did not say so any more."""
        for head in await self._journal.heads(limit=MAX_RUNS):
            first, _ = decode_some((await self._journal.lines(head.run))[:1])
            parent = first[0].parent if first and isinstance(first[0], RunStarted) else None
            if parent is not None and parent.run == run:
                await self._give_up(head.run)
                await self._remove(head.run)

    async def _parent_of(self, run: RunId) -> ParentStep | None:
        """The step of a run that is kept which this run is."""
        try:
            first = await self._journal.read(run, limit=1)
        except UNREADABLE:
            return None
        for entry in first:
            parent = entry.parent if isinstance(entry, RunStarted) else None
            if parent is not None and await self._journal.head(RunId(parent.run)) is not None:
                return parent
        return None

    async def prune(self, older_than: timedelta, *, dry_run: bool) -> list[RunHead]:
        """Remove ended runs that ended longer ago than that; returns them, oldest last.

        Runs that are steps of others stay for as long as those do.
        """
        latest = self._clock.now() - older_than
        heads = await self._journal.heads(limit=MAX_RUNS)
        old = [
            head
            for head in heads
            if head.ended_at is not None
            and head.ended_at < latest
            and await self._parent_of(head.run) is None
        ]
        for head in old if not dry_run else ():
            await self._remove(head.run)
        return old

    async def collect(self, grace: timedelta, *, dry_run: bool) -> Collected:
        """Remove the bytes that nothing refers to and nobody has put for so long."""
        now = self._clock.now()
        if not dry_run:
            # What has expired names nothing any more.
            await self._context.prune(at=now)
        return await self._collector.collect(now - grace, dry_run=dry_run)


def sub_plans_in(entries: Sequence[AnyEntry]) -> set[str]:
    """The steps of a run that are runs themselves."""
    written = [
        entry.plan.steps if isinstance(entry, RunStarted) else entry.steps
        for entry in entries
        if isinstance(entry, (RunStarted, StepsAdded))
    ]
    return {
        step.id
        for steps in written
        for step in steps
        if step.plan is not None or agent_key(step) is not None
    }


def _known_costs(lines: Sequence[tuple[int, str]]) -> Cost:
    """What a damaged run is known to have cost."""
    entries, _ = decode_some(lines)
    spent = NOTHING
    for entry in entries:
        if isinstance(entry, (AttemptEnded, UndoEnded)):
            spent = spent.plus(entry.cost)
    return spent
