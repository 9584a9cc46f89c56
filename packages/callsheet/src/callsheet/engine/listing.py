"""Runs, as somebody looks for them: by state, plan, time, key, tenant; by how an id begins."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

import msgspec
from msgspec.structs import replace

from callsheet.core.ids import RunId
from callsheet.core.run.entries import RunStarted
from callsheet.errors import UnknownRunError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence
    from datetime import datetime

    from callsheet.core.index.heads import RunHead
    from callsheet.ports import Journal

_PAGE, _LEAST = 500, 50
_FAMILY = 10
"""Characters with which a child's id begins as its parent's does."""
_AFTER_ALL = "\x7f"
"""Sorts after every character of an id."""
_MOST_NAMED = 5
LAST = "last"
"""The newest run that is no sub-plan's."""


class Narrowed(TypedDict, total=False):
    """Which runs `Engine.runs` lists; what is not said does not matter."""

    open_only: bool
    """Those that have not ended."""
    ended: str | None
    """Those that ended in this state."""
    plan: str | None
    """Those of plans of this name."""
    since: datetime | None
    """Those that started since then."""
    key: str | None
    """Those that were started with this key."""
    tenant: str | None
    """Those of this tenant."""
    children: bool
    """Also those that are sub-plans of others (the default)."""


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """Which runs are looked for. None: it does not matter."""

    open_only: bool = False
    ended: str | None = None
    """The state in which it ended."""
    plan: str | None = None
    """The name of its plan."""
    since: datetime | None = None
    key: str | None = None
    tenant: str | None = None
    children: bool = True
    """Also the runs that steps of others are."""

    def fits(self, head: RunHead) -> bool:
        """Whether a run is looked for, as far as the index can say."""
        asked = ((self.ended, head.ended), (self.plan, head.name))
        named = ((self.key, head.key), (self.tenant, head.tenant))
        return all(want in (None, has) for want, has in (*asked, *named))


async def listed(
    journal: Journal, wanted: Wanted, *, limit: int, before: RunId | None
) -> list[RunHead]:
    """Runs that fit, newest first."""
    found: list[RunHead] = []
    async for head in _heads(journal, wanted, before, page=limit):
        if wanted.since is not None and head.started_at < wanted.since:
            # Ids sort by the time of the start; but clocks differ, and children begin later.
            if head.run[:_FAMILY] < _family_of(wanted.since):
                break
            continue
        if not wanted.fits(head):
            continue
        parent = None if head.key is not None else await _parent(journal, head.run)
        if parent is None or wanted.children:
            found.append(replace(head, parent=parent))
        if len(found) >= limit:
            break
    return found


async def run_named(journal: Journal, name: str) -> RunId:
    """The run of an id, of the beginning of one, or the `last` one.

    Where a run and its sub-plans begin alike, the run is meant.

    Raises:
        UnknownRunError: there is none, or more than one.
    """
    if name == LAST:
        newest = await listed(journal, Wanted(children=False), limit=1, before=None)
        if not newest:
            raise UnknownRunError("There are no runs yet.")
        return newest[0].run
    if await journal.head(RunId(name)) is not None:
        return RunId(name)
    heads = await journal.heads(limit=_PAGE, before=RunId(name + _AFTER_ALL)) if name else ()
    alike = [head.run for head in heads if head.run.startswith(name)]
    if len(alike) > 1:
        alike = [run for run in alike if await _parent(journal, run) is None] or alike
    if not alike:
        raise UnknownRunError(f"There is no run {name!r}. `callsheet runs` lists them.")
    if len(alike) > 1:
        shown = ", ".join(alike[:_MOST_NAMED]) + (", …" if len(alike) > _MOST_NAMED else "")
        raise UnknownRunError(f"More than one run begins with {name!r}: {shown}. Write more of it.")
    return alike[0]


async def _heads(
    journal: Journal, wanted: Wanted, before: RunId | None, *, page: int
) -> AsyncIterator[RunHead]:
    if wanted.key is not None and wanted.tenant is not None:
        head = await journal.find(wanted.tenant, wanted.key)
        if head is not None and (before is None or head.run < before):
            yield head
        return
    while True:
        heads: Sequence[RunHead] = await journal.heads(
            limit=max(_LEAST, min(page, _PAGE)), before=before, open_only=wanted.open_only
        )
        for head in heads:
            yield head
        if not heads:
            return
        before = heads[-1].run


async def _parent(journal: Journal, run: RunId) -> str | None:
    """The run that this one is a step of."""
    for first in await journal.read(run, limit=1):
        if isinstance(first, RunStarted) and first.parent is not None:
            return first.parent.run
    return None


def _family_of(at: datetime) -> str:
    """How the id of a run begins that was started a minute before."""
    from callsheet.core.ids import mint_run

    return mint_run(max(int(at.timestamp() * 1000) - 60_000, 0), 0)[:_FAMILY]
