"""The commands about keys of the service: `key new|list|revoke`."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Annotated

import typer

from callsheet.cli.home import Where, driving, looking
from callsheet.cli.options import DEFAULT_HOME, AsJson, Home, age_of
from callsheet.cli.output import Output
from callsheet.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import timedelta

    from callsheet.cli.place import Place
    from callsheet.serve.access.caller import Limits
    from callsheet.serve.access.keys import Key


def keys() -> typer.Typer:
    """The commands of `callsheet key`."""
    app = typer.Typer(no_args_is_help=True, help="Create, list and revoke keys of the service.")
    for command in (new, list_keys, revoke):
        app.command(command.__name__.removesuffix("_keys"))(command)
    return app


def new(
    *,
    tenant: Annotated[str, typer.Option(help="Whose runs it opens.")],
    name: Annotated[str, typer.Option(help="Who has it; recorded with what they do.")],
    scopes: Annotated[
        str, typer.Option(metavar="SCOPE,…", help="What it opens, as in runs:write,plans:read.")
    ],
    expires: Annotated[
        str | None,
        typer.Option(metavar="AGE", help="How long it is valid, such as 90d; by default forever."),
    ] = None,
    requests: Annotated[
        float, typer.Option(min=0.01, help="Requests per second, at most.")
    ] = 100.0,
    runs: Annotated[int, typer.Option(min=1, help="Runs at the same time, at most.")] = 100,
    streams: Annotated[int, typer.Option(min=1, help="Open streams, at most.")] = 100,
    home: Home = DEFAULT_HOME,
    as_json: AsJson = False,
) -> None:
    """Create a key, and print it: it is shown only once."""
    with Output(as_json=as_json) as out:
        from callsheet.serve.access.caller import Limits

        age = None if expires is None else age_of("--expires", expires)
        limits = Limits(requests=requests, runs=runs, streams=streams)
        key, secret = asyncio.run(_new(home, tenant, name, scopes, age, limits))
        if as_json:
            out.data({**key.to_json(), "key": secret})
        else:
            out.show(secret)
            out.remark(f"{key.id}: it is shown only this once.")


async def _new(  # what was said
    home: Place, tenant: str, name: str, scopes: str, expires: timedelta | None, limits: Limits
) -> tuple[Key, str]:
    from callsheet.serve.access.keys import Keys

    opened = (
        looking(home, served=False) if home.may_exist() else driving(Where(home=home), create=True)
    )
    async with opened as engine:
        return await Keys(engine).new(
            tenant, name, scopes.split(","), expires=expires, limits=limits
        )


def list_keys(
    tenant: Annotated[str | None, typer.Option(help="Only those of this tenant.")] = None,
    home: Home = DEFAULT_HOME,
    as_json: AsJson = False,
) -> None:
    """List keys, oldest first; never the keys themselves."""
    with Output(as_json=as_json) as out:
        found = asyncio.run(_list(home, tenant))
        if as_json:
            out.data([key.to_json() for key in found])
        elif not found:
            out.remark("There are no keys yet. `callsheet key new` creates one.")
        else:
            from callsheet.cli.show.lists import keys_table

            out.show(keys_table(found))


async def _list(home: Place, tenant: str | None) -> Sequence[Key]:
    from callsheet.serve.access.keys import Keys

    async with looking(home, served=False) as engine:
        return await Keys(engine).list(tenant)


def revoke(
    key: Annotated[str, typer.Argument(metavar="KEY", help="Its id, as `key list` shows it.")],
    home: Home = DEFAULT_HOME,
    as_json: AsJson = False,
) -> None:
    """Revoke a key; running services learn of it within a second."""
    with Output(as_json=as_json) as out:
        if not asyncio.run(_revoke(home, key)):
            raise InputError(f"There is no key {key!r}. `callsheet key list` lists them.")
        if as_json:
            out.data({"id": key, "revoked": True})
        else:
            out.show(f"{key}: revoked.")


async def _revoke(home: Place, key: str) -> bool:
    from callsheet.serve.access.keys import Keys

    async with looking(home, served=False) as engine:
        return await Keys(engine).revoke(key)
