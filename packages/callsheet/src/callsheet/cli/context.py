"""The commands about data that runs share: `context put|get|list|delete`."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from callsheet.cli.arguments import value_of
from callsheet.cli.home import Where, driving, looking
from callsheet.cli.options import DEFAULT_HOME, AsJson, Home, age_of
from callsheet.cli.output import Output
from callsheet.errors import InputError

if TYPE_CHECKING:
    from datetime import timedelta

    from callsheet.cli.place import Place
    from callsheet.types import ContextItem

_Scope: TypeAlias = Annotated[
    str, typer.Argument(metavar="SCOPE", help="What it belongs to, such as project:blue.")
]
_Name: TypeAlias = Annotated[str, typer.Argument(metavar="NAME", help="The name of an item.")]

_Tenant: TypeAlias = Annotated[
    str, typer.Option("--tenant", metavar="NAME", help="Whose scope it is.")
]
_DEFAULT = "default"


def context() -> typer.Typer:
    """The commands of `callsheet context`."""
    app = typer.Typer(no_args_is_help=True, help="Read and write data that runs share.")
    for command in (put, get, list_items, delete):
        app.command(command.__name__.removesuffix("_items"))(command)
    return app


def put(
    scope: _Scope,
    name: _Name,
    value: Annotated[
        str | None, typer.Argument(metavar="[VALUE]", help="JSON; what is not JSON is text.")
    ] = None,
    *,
    file: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Read the value from a file instead.")
    ] = None,
    ttl: Annotated[
        str | None,
        typer.Option(metavar="AGE", help="How long it is kept, such as 30d, 12h or 90m."),
    ] = None,
    after: Annotated[
        int | None, typer.Option(min=0, help="The version it must follow; 0: none yet.")
    ] = None,
    tenant: _Tenant = _DEFAULT,
    home: Home = DEFAULT_HOME,
    as_json: AsJson = False,
) -> None:
    """Store a value as the next version of an item."""
    with Output(as_json=as_json) as out:
        if (value is None) == (file is None):
            raise InputError("Give either a VALUE or --file, and not both.")
        data = value_of(_text(file) if file is not None else value or "", None)
        lives = age_of("--ttl", ttl) if ttl is not None else None
        kept = asyncio.run(_put(home, tenant, (scope, name), data, ttl=lives, after=after))
        if as_json:
            out.data(kept.to_json())
        else:
            out.show(f"Kept {name} in {scope} as version {kept.version}.")


async def _put(
    home: Place,
    tenant: str,
    where: tuple[str, str],
    data: Any,
    *,
    ttl: timedelta | None,
    after: int | None,
) -> ContextItem:
    async with driving(Where(home=home), create=True) as engine:
        return await engine.context.set(*where, data, ttl=ttl, after=after, tenant=tenant)


def _text(file: Path) -> str:
    try:
        return file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as exc:
        raise InputError(f"Cannot read {str(file)!r}: {exc}.") from exc


def get(
    scope: _Scope,
    name: _Name,
    version: Annotated[
        int | None, typer.Option(min=1, help="Which version; by default the newest.")
    ] = None,
    tenant: _Tenant = _DEFAULT,
    home: Home = DEFAULT_HOME,
    as_json: AsJson = False,
) -> None:
    """Print an item's value as JSON; with --json, with what is known of it."""
    with Output(as_json=as_json) as out:
        found = asyncio.run(_get(home, tenant, scope, name, version))
        if as_json:
            out.data({**found.to_json(), "value": found.value})
        else:
            text = json.dumps(found.value, indent=2, ensure_ascii=False)
            out.console.print(text, markup=False, soft_wrap=True)


async def _get(home: Place, tenant: str, scope: str, name: str, version: int | None) -> ContextItem:
    async with looking(home, served=False) as engine:
        found = await engine.context.get(scope, name, version, tenant=tenant)
    if found is None:
        which = f"version {version} of {name!r}" if version else f"{name!r}"
        raise InputError(
            f"There is no {which} in {scope!r}, or it has expired. "
            f"`callsheet context list {scope}` lists what there is."
        )
    return found


def list_items(
    scope: _Scope,
    tenant: _Tenant = _DEFAULT,
    home: Home = DEFAULT_HOME,
    as_json: AsJson = False,
) -> None:
    """List the items of a scope: the newest version of each."""
    with Output(as_json=as_json) as out:
        found = [item.to_json() for item in asyncio.run(_list(home, tenant, scope))]
        if as_json:
            out.data(found)
        elif not found:
            out.remark(f"There is nothing in {scope!r}.")
        else:
            from callsheet.cli.show.lists import context_table

            out.show(context_table(found))


async def _list(home: Place, tenant: str, scope: str) -> list[ContextItem]:
    async with looking(home, served=False) as engine:
        return list(await engine.context.list(scope, tenant=tenant))


def delete(
    scope: _Scope,
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="An item; by default the whole scope.")
    ] = None,
    tenant: _Tenant = _DEFAULT,
    home: Home = DEFAULT_HOME,
    as_json: AsJson = False,
) -> None:
    """Delete an item with all its versions, or everything in a scope."""
    with Output(as_json=as_json) as out:
        count = asyncio.run(_delete(home, tenant, scope, name))
        if as_json:
            out.data({"deleted": count})
        else:
            out.show(f"Deleted {count} version{'s' if count != 1 else ''}.")


async def _delete(home: Place, tenant: str, scope: str, name: str | None) -> int:
    async with looking(home, served=False) as engine:
        return await engine.context.delete(scope, name, tenant=tenant)
