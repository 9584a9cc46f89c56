"""The statements of lineage and cache."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from sqlalchemy import bindparam, delete, insert, select, union

from callsheet.stores.compiled import AT_ONCE
from callsheet.stores.compiling import Compiled, is_
from callsheet.stores.schema import artifact_uses, cache, context_uses, journal

if TYPE_CHECKING:
    from callsheet.stores.compiled import Statement


class IndexStatements(Compiled):
    """What is said about artifacts and cached calls."""

    @cached_property
    def use(self) -> Statement:
        """Note that an entry names an artifact."""
        return self._compile(insert(artifact_uses))

    @cached_property
    def uses(self) -> Statement:
        """Where an artifact occurs."""
        order = (artifact_uses.c.run, artifact_uses.c.seq, artifact_uses.c.role)
        query = select(artifact_uses).where(is_(artifact_uses.c.digest)).order_by(*order)
        return self._compile(query)

    @cached_property
    def uses_of_run(self) -> Statement:
        """Which artifacts a run names, in order."""
        order = (artifact_uses.c.seq, artifact_uses.c.role, artifact_uses.c.digest)
        query = select(artifact_uses).where(is_(artifact_uses.c.run)).order_by(*order)
        return self._compile(query)

    @cached_property
    def forget_uses(self) -> Statement:
        """Remove what a run names."""
        return self._compile(delete(artifact_uses).where(is_(artifact_uses.c.run)))

    @cached_property
    def named(self) -> Statement:
        """Those of `AT_ONCE` digests that an entry or a context item names."""
        wanted = [
            bindparam(f"d{number}", type_=artifact_uses.c.digest.type) for number in range(AT_ONCE)
        ]
        query = union(
            select(artifact_uses.c.digest).where(artifact_uses.c.digest.in_(wanted)),
            select(context_uses.c.digest).where(context_uses.c.digest.in_(wanted)),
        )
        return self._compile(query)

    @cached_property
    def reuse(self) -> Statement:
        """Note that a call may serve again."""
        return self._compile(insert(cache))

    @cached_property
    def youngest_call(self) -> Statement:
        """The youngest call of a key: its run, and its entry."""
        same = (journal.c.run == cache.c.run) & (journal.c.seq == cache.c.seq)
        query = (
            select(cache.c.run, cache.c.seq, journal.c.body)
            .join_from(cache, journal, same)
            .where(is_(cache.c.key))
            .order_by(cache.c.at.desc(), cache.c.run.desc(), cache.c.seq.desc())
            .limit(1)
        )
        return self._compile(query)

    @cached_property
    def forget_calls(self) -> Statement:
        """Remove a run's calls from the cache."""
        return self._compile(delete(cache).where(is_(cache.c.run)))
