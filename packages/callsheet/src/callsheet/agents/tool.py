"""The tool that every answer is a call of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet.agents.models import ANSWER
from callsheet.agents.order import SCHEMA
from callsheet.tools.function.declare import schema_tool

if TYPE_CHECKING:
    from callsheet.agents.answer import Desk
    from callsheet.core.value import Json
    from callsheet.ports import Context
    from callsheet.tools.function.declare import AnyTool


def answer_tool(desk: Desk) -> AnyTool:
    """`model.answer`: asks a model, and has the calls of its answer made."""

    async def answer(args: dict[str, Json], ctx: Context) -> Json:
        """Ask a model, as the step of a turn."""
        return await desk.answer(args, ctx)

    # One model that fails must not keep others from being asked.
    terms = {"effect": "read", "breaker": False}
    return schema_tool(answer, ANSWER, terms, args=SCHEMA, returns=None)  # type: ignore[arg-type]
