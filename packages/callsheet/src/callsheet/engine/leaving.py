"""Starts that are left: by a process that does not drive, for one that has the tools.

A start is a request in the inbox, under the id that its run will have. Whoever begins the run deals
with the request in the same append, so a start is taken once, whoever is killed in between, or it
was withdrawn and never begins. What is refused is kept with it, for whoever asks.
"""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

from msgspec.structs import replace

from callsheet.core import value
from callsheet.core.ids import RunId, step_of
from callsheet.core.index.heads import EVERY_RUN, RunHead
from callsheet.core.plan.plan import content_digest
from callsheet.core.run.request import LeftStart, Request
from callsheet.errors import KeyReusedError, RequestRefusedError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from callsheet.core.index.heads import Filter
    from callsheet.core.plan.plan import Plan
    from callsheet.core.run.entries import EndState
    from callsheet.core.run.request import LeftFork
    from callsheet.core.value import Json
    from callsheet.ports import Journal, Store

START = "start"


async def leave(store: Store, run: RunId, start: LeftStart, *, by: str | None = None) -> RunId:
    """Leave a start; returns the id of its run. The same key and content is the same start.

    One that was refused or cancelled has not used its key up.

    Raises:
        KeyReusedError: the key was left with other content.
    """
    for attempt in count():
        name = f"{START}-{run}" if start.key is None else _name(start.tenant, start.key, attempt)
        request = Request(id=name, run=run, kind="start", by=by, start=start)
        stands = await store.inbox.put(request)
        if await _is_over(store, stands):
            continue
        if stands.start is None or stands.start.content != start.content:
            raise KeyReusedError(
                f"Key {start.key!r} belongs to run {stands.run!r}, which was left to be started "
                "with another plan or other inputs. Use a new key, or start it with the same "
                "content."
            )
        return RunId(stands.run)
    raise AssertionError


async def _is_over(store: Store, request: Request) -> bool:
    """Whether a start stands for no run: it was refused or cancelled, or its run is deleted."""
    settled = await store.inbox.settled(request.id)
    if settled is None:
        return False
    run = RunId(settled.run or request.run)
    return settled.refusal is not None or await store.journal.head(run) is None


def _name(tenant: str, key: str, attempt: int) -> str:
    return f"{START}-{value.digest([tenant, key])[:32]}-{attempt}"


def content_of(plan: Plan, inputs: Json, fork: LeftFork | None) -> str:
    """What the key of a start stands for; of a fork, as of one that was made."""
    if fork is None:
        return content_digest(plan, inputs)
    again = [step.args for step in plan.steps if step.id == step_of(fork.step)]
    return value.digest([fork.run, fork.step, again])


def head_of(request: Request) -> RunHead | None:
    """A start as the list of runs shows it; None: it is none."""
    start = request.start
    if start is None:
        return None
    return RunHead(
        run=RunId(request.run),
        name=start.plan.name,
        plan=start.plan.digest,
        content=start.content,
        tenant=start.tenant,
        key=start.key,
        started_at=start.at,
        ended=None,
        ended_at=None,
        subject=start.subject,
    )


async def pending_heads(store: Store, which: Filter) -> list[RunHead]:
    """The starts that nobody has taken, newest first."""
    heads = (head_of(request) for request in await store.inbox.pending())
    found = [head for head in heads if head is not None and which.takes(head)]
    return sorted(found, key=lambda head: head.run, reverse=True)


def merged(
    runs: Sequence[RunHead], starts: Iterable[RunHead], *, limit: int, before: str | None
) -> Sequence[RunHead]:
    """Runs and starts in one list, newest first; one that has just begun is in it once."""
    found = {head.run: head for head in starts if before is None or head.run < before}
    if not found:
        return runs
    found.update({head.run: head for head in runs})
    last = runs[-1].run if len(runs) == limit else ""
    newest = sorted((run for run in found if run >= last), reverse=True)
    return [found[run] for run in newest[:limit]]


async def forget(store: Store, run: RunId) -> bool:
    """Remove a start that never began; False: there is none.

    Raises:
        RequestRefusedError: nobody has taken it yet.
    """
    left = await store.inbox.start_of(run)
    if left is None:
        return False
    request, settled = left
    if settled is None:
        raise RequestRefusedError(f"Run {run!r} has not begun. Cancel it first.")
    return await store.inbox.forget(request.id, unless=_after(request))


async def forget_old(store: Store, before: datetime, *, dry_run: bool) -> list[RunHead]:
    """Remove starts that were refused or cancelled before that; returns them, newest first.

    One that is another run, because that had its key, is kept as long as the run.
    """
    gone: list[RunHead] = []
    for request, settled in await store.inbox.over():
        at = settled.at or (request.start.at if request.start is not None else None)
        if at is None or at >= before:
            continue
        if settled.run is not None and await store.journal.head(RunId(settled.run)) is not None:
            continue
        if not dry_run and not await store.inbox.forget(request.id, unless=_after(request)):
            continue
        head = head_of(request)
        if head is not None and settled.refusal is not None:
            ended: EndState | None = "cancelled" if settled.cancelled else None
            gone.append(replace(head, ended=ended, ended_at=at))
    return gone


def _after(request: Request) -> str:
    """The name of the next start with the key of a start; it counts them, so it goes first."""
    start = request.start
    if start is None or start.key is None:
        return ""
    return _name(start.tenant, start.key, int(request.id.rpartition("-")[2]) + 1)


class WithStarts:
    """What `run_named` asks of a journal, with the starts that nobody has taken."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._journal: Journal = store.journal

    async def head(self, run: RunId) -> RunHead | None:
        """What the index says of a run, or of a start, whatever became of it."""
        found = await self._journal.head(run)
        if found is None and (left := await self._store.inbox.start_of(run)):
            return head_of(left[0])
        return found

    async def heads(
        self, which: Filter = EVERY_RUN, *, limit: int = 50, before: RunId | None = None
    ) -> Sequence[RunHead]:
        """Runs and starts that nobody has taken, newest first."""
        runs = await self._journal.heads(which, limit=limit, before=before)
        return merged(runs, await pending_heads(self._store, which), limit=limit, before=before)
