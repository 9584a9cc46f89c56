"""The tool that every draft is a call of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet.agents.drafting.terms import DRAFT, SCHEMA
from callsheet.tools.function.declare import schema_tool

if TYPE_CHECKING:
    from callsheet.agents.drafting.draft import Draftsman
    from callsheet.core.value import Json
    from callsheet.ports import Context
    from callsheet.tools.function.declare import AnyTool


def draft_tool(draftsman: Draftsman) -> AnyTool:
    """`model.draft`: has a model write a plan, and its steps run while it writes."""

    async def draft(args: dict[str, Json], ctx: Context) -> Json:
        """Have a model write a plan, as the step of a run."""
        return await draftsman.draft(args, ctx)

    # One model that fails must not keep others from being asked.
    terms = {"effect": "read", "breaker": False}
    return schema_tool(draft, DRAFT, terms, args=SCHEMA, returns=None)  # type: ignore[arg-type]
