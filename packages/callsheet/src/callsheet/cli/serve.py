"""The command `serve`: the service, on a home or a database."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer
from msgspec import structs

import callsheet
from callsheet.chat import steering_tools
from callsheet.cli.arguments import load_all
from callsheet.cli.home import Where, artifacts_of, preparing
from callsheet.cli.options import (
    DEFAULT_HOME,
    AsJson,
)
from callsheet.cli.output import Output
from callsheet.cli.place import Place
from callsheet.cli.placed import placed
from callsheet.errors import InputError

if TYPE_CHECKING:
    import socket

    from callsheet import Engine
    from callsheet.serve.door import Extras, Settings

_MISSING = "The service needs FastAPI, httptools and uvicorn: pip install 'callsheet[serve]'"
_NEEDED = ("fastapi", "httptools", "uvicorn")
_HIGHEST = 65_535


class _Terms(msgspec.Struct, frozen=True, kw_only=True):
    """How it is served."""

    where: Where
    artifacts: str | None
    no_key: bool
    host: str
    port: int


@placed
def serve(
    *,
    host: Annotated[str, typer.Option(help="Where to listen; elsewhere keys are needed.")] = (
        "127.0.0.1"
    ),
    port: Annotated[
        int, typer.Option(min=0, max=_HIGHEST, help="0: any; the one it got is printed.")
    ] = 8400,
    database: Annotated[
        str | None, typer.Option(metavar="URL", help="As --home, for a database.")
    ] = None,
    artifacts: Annotated[
        str | None,
        typer.Option(metavar="DIR|URL", help="Where artifacts are kept; by default in the home."),
    ] = None,
    no_key: Annotated[
        bool, typer.Option("--no-key", help="Let requests without a key do everything.")
    ] = False,
    where: Where,
    as_json: AsJson = False,
) -> None:
    """Serve runs over HTTP: REST and event streams, for many tenants.

    Resumes what was interrupted. Ctrl-C or SIGTERM end it cleanly.
    """
    with Output(as_json=as_json) as out:
        if database is not None:
            if where.home != DEFAULT_HOME:
                raise InputError("Use either --home or --database, not both.")
            where = structs.replace(where, home=Place.of(database))
        if where.home.is_service:
            raise InputError(f"{where.home} is a service. Name the home to serve with --home.")
        terms = _Terms(where=where, artifacts=artifacts, no_key=no_key, host=host, port=port)
        out.run(_serve(out, terms))


async def _serve(out: Output, terms: _Terms) -> None:
    try:
        from callsheet.serve import door
    except ModuleNotFoundError as exc:
        if exc.name is None or exc.name.partition(".")[0] not in _NEEDED:
            raise
        raise InputError(_MISSING) from exc
    is_local = door.is_local(terms.host)
    if terms.no_key and not is_local:
        raise InputError(f"--no-key is for loopback alone, and {terms.host} is not. Leave it out.")
    from callsheet.serve.mcp.mounted import mounted

    listener, address = door.listening(terms.host, terms.port)
    with closing(listener):
        serving: list[Engine] = []
        tools = [*load_all(terms.where.tools), *steering_tools(lambda: serving[0])]
        reach = door.Network(everything=terms.where.allow_private, own_port=address.port)
        room = preparing(terms.where, tools, reach=reach)
        opened = callsheet.Engine.open(
            terms.where.home.opened,
            room,
            recover=False,
            artifacts=terms.artifacts or artifacts_of(),
        )
        async with opened as engine:
            serving.append(engine)
            if not is_local:
                await _must_have_key(engine, terms)
            async with mounted(room.mcp_secrets, apps=terms.where.plugins is not False) as extras:
                settings = door.Settings(
                    keyless=is_local and (terms.no_key or room.said.keyless),
                    no_key=terms.no_key,
                    local_key=door.local_key(terms.where.home.directory),
                    origins=frozenset(room.said.origins),
                    address=address.url,
                )
                await _until_the_end(out, terms, engine, listener, settings, extras)


async def _until_the_end(
    out: Output,
    terms: _Terms,
    engine: Engine,
    listener: socket.socket,
    settings: Settings,
    extras: Extras,
) -> None:
    from callsheet.serve import door

    def ready() -> None:
        version, url = callsheet.__version__, settings.address
        if out.as_json:
            out.data({"url": url, "version": version, "home": str(terms.where.home)})
            return
        out.show(f"Callsheet {version} serves {terms.where.home} at {url}")
        out.show(f"{url}/#key={settings.local_key}")
        if terms.no_key:
            out.remark("Anyone who can reach this port may do everything (--no-key).", "yellow")

    routes = door.routes_of_apps() if terms.where.plugins is not False else ()
    extras = structs.replace(extras, routes=routes)
    await door.serve(engine, settings, listener, extras=extras, ready=ready)


async def _must_have_key(engine: Engine, terms: _Terms) -> None:
    from callsheet.serve.access.keys import Keys

    if not any(key.revoked_at is None for key in await Keys(engine).list()):
        line = terms.where.command("key", "new", "--tenant", "default", "--name", "first")
        raise InputError(
            f"{terms.host} can be reached by others, and there is no key yet. Create one first: "
            f"{line} --scopes runs:write"
        )
