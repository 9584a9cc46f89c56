"""Names and ids, completed while somebody types them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mcp_types import CompleteRequestParams, CompleteResult, Completion

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext

    from callsheet.serve.mcp.door import Door, Doors

_MOST = 100


class Completing:
    """Completes the names of plans and tools, and the ids of runs."""

    def __init__(self, doors: Doors) -> None:
        self._doors = doors

    async def __call__(
        self, ctx: ServerRequestContext[Any, Any], params: CompleteRequestParams
    ) -> CompleteResult:
        """The values that begin like this."""
        door = self._doors(ctx)
        named = params.argument.name
        about = getattr(params.ref, "uri", "") or getattr(params.ref, "name", "")
        found: list[str] = []
        if named == "run" and door.may("runs:read"):
            found = await _runs(door)
        elif named == "name" and str(about).startswith("plan://"):
            found = [each.name for each in await door.tenant.plans.list()]
        elif named == "name" and str(about).startswith("tool://"):
            found = list(door.tenant.tools.names())
        fits = [each for each in found if each.startswith(params.argument.value)]
        return CompleteResult(
            completion=Completion(values=fits[:_MOST], total=len(fits), has_more=len(fits) > _MOST)
        )


async def _runs(door: Door) -> list[str]:
    return [str(head.run) for head in await door.tenant.runs(top_level=True, limit=_MOST)]
