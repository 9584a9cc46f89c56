"""The tools `context.get`, `context.set` and `context.restore`: data that runs share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from typing_extensions import TypedDict

from callsheet.core.index.context import MOST, ContextItem, check_names, expiry, size_of
from callsheet.errors import InputError, InvalidError
from callsheet.ports import Context
from callsheet.tools.builtin.undoing import UNDO_ONLY, written_by
from callsheet.tools.registry import tool

if TYPE_CHECKING:
    from callsheet.tools.builtin.access import ContextAccess
    from callsheet.tools.registry import AnyTool

ITEM = "context:${args.scope}/${args.name}"
"""What a call touches."""


class ContextRead(TypedDict):
    """What `context.get` returns."""

    value: Any
    version: int
    """0: it is not there, or has expired; the value is null then."""


class ContextWritten(TypedDict):
    """What `context.set` returns."""

    version: int
    bytes: int


class ContextRestored(TypedDict):
    """What `context.restore` returns."""

    restored: bool
    """False: nothing had been written."""


def context_tools(access: ContextAccess) -> list[AnyTool]:
    """The tools, on one shelf."""
    from pydantic import Field

    scope_text = "what the item belongs to, as in project:blue"

    @tool("context.get", effect="read", touches=ITEM)
    async def get(
        ctx: Context,
        scope: Annotated[str, Field(description=scope_text)],
        name: str,
        version: Annotated[int | None, Field(description="by default the newest", ge=1)] = None,
    ) -> ContextRead:
        """Read an item that runs share; null and version 0 if it is not there."""
        item = await access.shelf.get(
            scope, name, at=access.clock.now(), version=version, tenant=ctx.tenant
        )
        if item is None:
            return ContextRead(value=None, version=0)
        return ContextRead(value=item.value, version=item.version)

    @tool("context.set", effect="write", idempotent=True, undo="context.restore", touches=ITEM)
    async def set_(
        scope: Annotated[str, Field(description=scope_text)],
        name: str,
        value: Any,
        ctx: Context,
        ttl: Annotated[float | None, Field(description="seconds it lives", gt=0)] = None,
        after: Annotated[
            int | None, Field(description="the version it must follow; 0: there is none", ge=0)
        ] = None,
    ) -> ContextWritten:
        """Write a new version of an item that runs share; refused if `after` is not the newest."""
        try:
            check_names(scope, name)
            now = access.clock.now()
            item = ContextItem(
                scope=scope,
                name=name,
                version=0,
                value=value,
                size=size_of(value),
                saved_at=now,
                expires_at=expiry(now, ttl),
                key=ctx.key,
                tenant=ctx.tenant,
            )
            kept = await access.shelf.put(item, after=after, most=MOST)
        except InputError as exc:
            raise InvalidError(exc.message) from exc
        return ContextWritten(version=kept.version, bytes=kept.size)

    @tool("context.restore", effect="write", idempotent=True)
    async def restore(
        ctx: Context,
        key: Annotated[str, Field(description=UNDO_ONLY)] = "",  # noqa: ARG001 -- see UNDO_ONLY
        args: dict[str, Any] | None = None,  # noqa: ARG001 -- what every undo is given
        output: Any = None,  # noqa: ARG001 -- as above; unknown after a crash, and not needed
    ) -> ContextRestored:
        """Take a `context.set` back: the version before it is the newest again."""
        written = written_by(ctx.key, "context.set")
        taken = await access.shelf.withdraw(written, at=access.clock.now())
        return ContextRestored(restored=taken is not None)

    return [get, set_, restore]
