"""What apps bring to agents: tools, resources and prompts, by entry points `callsheet.mcp`.

Each stands for a function that is called once, without arguments, and returns a `Brought`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

# Its name is looked up when a resource or a prompt is added.
from mcp.server.mcpserver import Context  # noqa: TC002 -- see above
from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError

from callsheet.engine.tenant.tenant import Tenant
from callsheet.errors import CallsheetError, InputError
from callsheet.serve.mcp.call import Row

if TYPE_CHECKING:
    from collections.abc import Iterable
    from importlib.metadata import EntryPoint

    from mcp.server import MCPServer

    from callsheet.serve.mcp.door import Door, Doors

GROUP = "callsheet.mcp"
Reads: TypeAlias = Callable[[Tenant, str], Awaitable[str]]
Writes: TypeAlias = Callable[[Tenant, str], Awaitable[str]]


class Resource(msgspec.Struct, frozen=True, kw_only=True):
    """Something that agents read, at an address with a name in it."""

    uri: str
    """As in `guests://{name}`: the one variable is called so."""
    about: str
    read: Reads
    """Is told whose it is to be, and the name. An `InputError` says that there is none."""
    media_type: str = "application/json"
    needs: str = "runs:read"


class Prompt(msgspec.Struct, frozen=True, kw_only=True):
    """Guidance for a model, about a goal."""

    name: str
    about: str
    write: Writes
    """Is told for whom, and the goal."""
    needs: str = "plans:read"


class Brought(msgspec.Struct, frozen=True, kw_only=True):
    """All that an app brings."""

    tools: tuple[Row, ...] = ()
    resources: tuple[Resource, ...] = ()
    prompts: tuple[Prompt, ...] = ()

    def add_to(self, server: MCPServer[Any], doors: Doors) -> None:
        """Offer what is read and what guides; the tools are offered with ours."""
        for resource in self.resources:
            _offer(server, resource, doors)
        for prompt in self.prompts:
            _guide(server, prompt, doors)


def brought_by_apps() -> tuple[Brought, ...]:
    """What every installed app brings, by the names of their entry points.

    Raises:
        InputError: one does not load, or brings something else; says whose it is, and why.
    """
    found = sorted(entry_points(group=GROUP), key=lambda point: point.name)
    return tuple(_loaded(point) for point in found)


def must_have_names_of_their_own(rows: Iterable[Row]) -> None:
    """See that no two tools have one name.

    Raises:
        InputError: two have.
    """
    seen: set[str] = set()
    for row in rows:
        if row.name in seen:
            raise InputError(
                f"Two tools for agents are called {row.name!r}. Remove one of the apps."
            )
        seen.add(row.name)


def _loaded(point: EntryPoint) -> Brought:
    app = point.dist.name if point.dist else point.value.partition(".")[0]
    try:
        brought = point.load()()
    except CallsheetError:
        raise
    except (Exception, SystemExit) as exc:
        raise InputError(
            f"What {app} brings to agents ({point.name!r}) does not load: {type(exc).__name__}: "
            f"{exc}. Install {app} again, or remove it."
        ) from exc
    if not isinstance(brought, Brought):
        raise InputError(
            f"What {app} brings to agents ({point.name!r}) is no `callsheet.apps.mcp.Brought`."
        )
    return brought


def _offer(server: MCPServer[Any], resource: Resource, doors: Doors) -> None:
    async def read(name: str, ctx: Context[Any, Any]) -> str:
        door = _allowed(doors(ctx.request_context), resource.needs)
        try:
            return await resource.read(door.tenant, name)
        except InputError as error:
            uri = resource.uri.replace("{name}", name)
            raise ResourceNotFoundError(f"There is no resource {uri}. {error.message}") from error

    title = resource.uri.partition(":")[0]
    server.resource(
        resource.uri, name=title, description=resource.about, mime_type=resource.media_type
    )(read)


def _guide(server: MCPServer[Any], prompt: Prompt, doors: Doors) -> None:
    async def write(goal: str, ctx: Context[Any, Any]) -> str:
        door = _allowed(doors(ctx.request_context), prompt.needs)
        try:
            return await prompt.write(door.tenant, goal)
        except InputError as error:
            raise ValueError(error.message) from error

    server.prompt(prompt.name, description=prompt.about)(write)


def _allowed(door: Door, scope: str) -> Door:
    if not door.may(scope):
        raise ResourceError(f"It needs the scope {scope}, which is not yours here.")
    return door
