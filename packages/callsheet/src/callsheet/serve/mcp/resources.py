"""What can be read: plans, runs, what happened in them, artifacts, tools, schemas."""

from __future__ import annotations

import json
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from mcp.server.lowlevel.helper_types import ReadResourceContents

# Its name is looked up when a resource is added.
from mcp.server.mcpserver import Context  # noqa: TC002 -- see above
from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError

from callsheet.core.plan.json_schema import json_schema_of
from callsheet.errors import InputError
from callsheet.runtime.feed import Event
from callsheet.serve.mcp.schemas import WHOLE_RUN_VIEW
from callsheet.serve.mcp.tools.catalog import SIGNS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcp.server import MCPServer

    from callsheet.engine.tenant.tenant import Tenant
    from callsheet.serve.mcp.door import Doors

_JSON = "application/json"
_PAGE = 200
ARTIFACT = "artifact://{digest}"
RUN = "run://{run}"
EVENTS = "run://{run}/events{?after}"
STEP = "run://{run}/steps/{+step}"
PLAN = "plan://{name}"
TOOL = "tool://{name}"


class Reading:
    """Reads for clients what their door shows them."""

    def __init__(self, doors: Doors) -> None:
        self._doors = doors

    def add_to(self, server: MCPServer[Any]) -> None:
        """Offer all of it."""
        schema = "application/schema+json"
        server.resource("schema://plan", mime_type=schema)(self.plan_schema)
        server.resource("schema://run", mime_type=schema)(self.run_schema)
        server.resource(PLAN, mime_type="application/yaml")(self.plan)
        for uri, read in (
            (RUN, self.run),
            (EVENTS, self.events),
            (STEP, self.step),
            (TOOL, self.tool),
        ):
            server.resource(uri, mime_type=_JSON)(read)
        server.resource(ARTIFACT, mime_type="application/octet-stream")(self.artifact)

    async def plan_schema(self) -> str:
        """The JSON Schema of plans."""
        return _text(json_schema_of(None, strict=False))

    async def run_schema(self) -> str:
        """The JSON Schema of what the tools tell of a run."""
        return _text(WHOLE_RUN_VIEW)

    async def plan(self, name: str, ctx: Context[Any, Any]) -> str:
        """A saved plan, as YAML: its name, or name@version."""
        known, _, version = name.partition("@")
        with _there(f"plan://{name}"):
            plans = self._tenant(ctx, "plans:read").plans
            saved = await plans.get(known, int(version) if version.isdecimal() else None)
        return saved.plan.to_yaml()

    async def run(self, run: str, ctx: Context[Any, Any]) -> str:
        """A run as it stands, whole."""
        with _there(f"run://{run}"):
            return _text((await (await self._tenant(ctx).get(run)).status()).to_json())

    async def events(self, run: str, ctx: Context[Any, Any], after: int = 0) -> str:
        """What happened in a run after that entry: items, and where the next page begins."""
        with _there(f"run://{run}/events"):
            handle = await self._tenant(ctx).get(run)
            entries = (await handle.journal(after))[:_PAGE]
        items = [
            Event(run=handle.id, seq=seq, entry=entry).to_json()
            for seq, entry in enumerate(entries, after + 1)
        ]
        return _text({"items": items, "next": after + len(items)})

    async def step(self, run: str, step: str, ctx: Context[Any, Any]) -> str:
        """One step of a run, whole."""
        with _there(f"run://{run}/steps/{step}"):
            found = (await (await self._tenant(ctx).get(run)).status()).steps.get(step)
            if found is None:
                raise InputError(f"Run {run!r} has no step {step!r}.")
        return _text(found.to_json())

    async def artifact(self, digest: str, ctx: Context[Any, Any]) -> bytes:
        """What a step has made."""
        artifacts = self._tenant(ctx, "artifacts:read").artifacts
        with _there(f"artifact://{digest}"):
            return await artifacts.get(await artifacts.find(digest))

    async def tool(self, name: str, ctx: Context[Any, Any]) -> str:
        """A tool that plans may call."""
        with _there(f"tool://{name}"):
            spec = self._tenant(ctx, "plans:read").tools.spec(name)
            if spec is None:
                raise InputError(f"There is no tool {name!r}.")
        return _text(spec.to_json())

    def _tenant(self, ctx: Context[Any, Any], scope: str = "runs:read") -> Tenant:
        door = self._doors(ctx.request_context)
        if not door.may(scope):
            raise ResourceError(f"It needs the scope {scope}, which is not yours here.")
        return door.tenant


def told_as_it_is(found: ReadResourceContents) -> ReadResourceContents:
    """The bytes of an artifact with their media type; what is text is told as text."""
    data = found.content
    if not isinstance(data, bytes):
        return found
    for sign, kind in SIGNS.items():
        if data.startswith(sign):
            return ReadResourceContents(content=data, mime_type=kind, meta=found.meta)
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return found
    kind = _JSON if text[:1] in ("{", "[", '"') else "text/plain"
    return ReadResourceContents(content=text, mime_type=kind, meta=found.meta)


@contextmanager
def _there(uri: str) -> Iterator[None]:
    """What is not there, or is another tenant's, is not there."""
    try:
        yield
    except InputError as error:
        raise ResourceNotFoundError(f"There is no resource {uri}. {error.message}") from error


def _text(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False)
