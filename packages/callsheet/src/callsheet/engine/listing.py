"""Runs, as somebody names them: by an id, by how one begins, or the last."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypedDict

from callsheet.core import given
from callsheet.core.ids import RunId
from callsheet.core.index.heads import EVERY_RUN, Filter
from callsheet.errors import UnknownRunError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from callsheet.core.index.heads import RunHead
    from callsheet.core.run.step import RunState

_PAGE = 500
_AFTER_ALL = "\x7f"
"""Sorts after every character of an id."""
_MOST_NAMED = 5
LAST = "last"
"""The newest run that is no sub-plan's."""


class Narrowed(TypedDict, total=False):
    """Which runs `Engine.runs` lists; it explains each."""

    state: RunState | str | None
    plan: str | None
    tenant: str | None
    subject: str | None
    key: str | None
    since: datetime | None
    top_level: bool
    open_only: bool


def filtered(which: Filter) -> Filter:
    """Which runs somebody asks for.

    Raises:
        InputError: a flag is none.
    """
    for name in ("top_level", "open_only"):
        given.flag(name, getattr(which, name))
    return which


class Index(Protocol):
    """Where runs are looked up."""

    async def head(self, run: RunId) -> RunHead | None:
        """As `Journal.head`."""
        ...

    async def heads(
        self, which: Filter = EVERY_RUN, *, limit: int = 50, before: RunId | None = None
    ) -> Sequence[RunHead]:
        """As `Journal.heads`."""
        ...


async def run_named(journal: Index, name: str) -> RunId:
    """The run of an id, of the beginning of one, or the `last` one.

    Where a run and its sub-plans begin alike, the run is meant.

    Raises:
        UnknownRunError: there is none, or more than one.
    """
    if name == LAST:
        newest = await journal.heads(Filter(top_level=True), limit=1)
        if not newest:
            raise UnknownRunError("There are no runs yet.")
        return newest[0].run
    if await journal.head(RunId(name)) is not None:
        return RunId(name)
    heads = await journal.heads(limit=_PAGE, before=RunId(name + _AFTER_ALL)) if name else ()
    alike = [head for head in heads if head.run.startswith(name)]
    if len(alike) > 1:
        alike = [head for head in alike if head.parent is None] or alike
    if not alike:
        raise UnknownRunError(f"There is no run {name!r}. `callsheet runs` lists them.")
    if len(alike) > 1:
        shown = ", ".join(head.run for head in alike[:_MOST_NAMED])
        more = ", …" if len(alike) > _MOST_NAMED else ""
        raise UnknownRunError(
            f"More than one run begins with {name!r}: {shown}{more}. Write more of it."
        )
    return alike[0].run


def the_run(run: object) -> RunId:
    """The name of a run, as somebody gives it."""
    return RunId(given.sought("run", run))
