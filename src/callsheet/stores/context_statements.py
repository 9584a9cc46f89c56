"""The statements of context."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from sqlalchemy import and_, bindparam, delete, func, insert, or_, select, update

from callsheet.stores.compiling import Compiled, is_
from callsheet.stores.schema import context, context_uses

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement, FromClause

    from callsheet.stores.compiled import Statement


class ContextStatements(Compiled):
    """What is said about named data."""

    @cached_property
    def put_item(self) -> Statement:
        """Add a version of an item."""
        return self._compile(insert(context))

    @cached_property
    def item(self) -> Statement:
        """A version of an item, if it has not expired."""
        query = select(context).where(
            is_(context.c.scope), is_(context.c.name), is_(context.c.version), _is_there(context)
        )
        return self._compile(query)

    @cached_property
    def newest_item(self) -> Statement:
        """The newest version of an item that has not expired."""
        query = (
            select(context)
            .where(is_(context.c.scope), is_(context.c.name), _is_there(context))
            .order_by(context.c.version.desc())
            .limit(1)
        )
        return self._compile(query)

    @cached_property
    def newest_version(self) -> Statement:
        """The number of the newest version of an item that has not expired; NULL: none."""
        query = select(func.max(context.c.version)).where(
            is_(context.c.scope), is_(context.c.name), _is_there(context)
        )
        return self._compile(query)

    @cached_property
    def last_version(self) -> Statement:
        """The highest number of an item, expired or not; NULL: none."""
        query = select(func.max(context.c.version)).where(is_(context.c.scope), is_(context.c.name))
        return self._compile(query)

    @cached_property
    def items(self) -> Statement:
        """The newest version of each item in a scope that has not expired, by name."""
        query = select(context).where(is_(context.c.scope), _is_newest()).order_by(context.c.name)
        return self._compile(query)

    @cached_property
    def other_bytes(self) -> Statement:
        """How many bytes the newest versions of all other items in a scope have; NULL: none."""
        query = select(func.sum(context.c.size)).where(
            is_(context.c.scope), context.c.name != bindparam("name"), _is_newest()
        )
        return self._compile(query)

    @cached_property
    def item_of_call(self) -> Statement:
        """The version that a call wrote."""
        return self._compile(select(context).where(is_(context.c.key)))

    @cached_property
    def expire_item(self) -> Statement:
        """Have the version that a call wrote expire."""
        query = (
            update(context)
            .where(context.c.key == bindparam("call"))
            .values(expires_at=bindparam("at"))
        )
        return self._compile(query)

    @cached_property
    def forget_item(self) -> Statement:
        """Remove all versions of an item."""
        return self._compile(delete(context).where(is_(context.c.scope), is_(context.c.name)))

    @cached_property
    def forget_scope(self) -> Statement:
        """Remove everything in a scope."""
        return self._compile(delete(context).where(is_(context.c.scope)))

    @cached_property
    def prune_context(self) -> Statement:
        """Remove what has expired, but for the last number of an item that is still there."""
        later, kept = context.alias("later"), context.alias("kept")
        has_later = (
            select(later.c.version)
            .where(_same_name(later), later.c.version > context.c.version)
            .exists()
        )
        is_kept = select(kept.c.version).where(_same_name(kept), _is_there(kept)).exists()
        query = delete(context).where(
            context.c.expires_at <= bindparam("at"), or_(has_later, ~is_kept)
        )
        return self._compile(query)

    @cached_property
    def name_in_context(self) -> Statement:
        """Note that a context item names an artifact."""
        return self._compile(insert(context_uses))

    @cached_property
    def forget_names(self) -> Statement:
        """Remove what items name that are not there any more."""
        there = (
            select(context.c.version)
            .where(
                context.c.scope == context_uses.c.scope,
                context.c.name == context_uses.c.name,
                context.c.version == context_uses.c.version,
            )
            .exists()
        )
        return self._compile(delete(context_uses).where(~there))


def _is_there(table: FromClause) -> ColumnElement[bool]:
    return or_(table.c.expires_at.is_(None), table.c.expires_at > bindparam("at"))


def _is_newest() -> ColumnElement[bool]:
    later = context.alias("later")
    has_later = (
        select(later.c.version)
        .where(_same_name(later), later.c.version > context.c.version, _is_there(later))
        .exists()
    )
    return and_(_is_there(context), ~has_later)


def _same_name(table: FromClause) -> ColumnElement[bool]:
    return and_(table.c.scope == context.c.scope, table.c.name == context.c.name)
