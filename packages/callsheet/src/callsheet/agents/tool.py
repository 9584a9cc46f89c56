"""The tools that every answer, and every choice of who answers, is a call of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet.agents.answer import Answer
from callsheet.agents.choosing import SCHEMA as CHOICE
from callsheet.agents.choosing import context_of
from callsheet.agents.models import ANSWER
from callsheet.agents.order import SCHEMA, order_of
from callsheet.agents.work import AgentAnswer
from callsheet.core.plan.agent import CHOOSE
from callsheet.tools.function.declare import schema_tool

if TYPE_CHECKING:
    from callsheet.agents.answer import Desk
    from callsheet.agents.choosing import Chooser
    from callsheet.core.value import Json
    from callsheet.ports import Context
    from callsheet.tools.function.declare import AnyTool, Terms


def answer_tool(desk: Desk, name: str = ANSWER, at_once: int | None = None) -> AnyTool:
    """`model.answer`: asks a model, and has the calls of its answer made.

    That of an agent has a name of its own, and its own limit.
    """

    async def answer(args: dict[str, Json], ctx: Context) -> Json:
        """Ask a model, as the step of a turn."""
        order = order_of(args)
        made = Answer if order.terms.agent is None else AgentAnswer
        return await made(desk, order, ctx).given()

    # One model that fails must not keep others from being asked.
    terms: Terms = {"effect": "read", "breaker": False}
    if at_once is not None:
        terms["limit"] = at_once
    return schema_tool(answer, name, terms, args=SCHEMA, returns=None)


def choose_tool(chooser: Chooser) -> AnyTool:
    """`model.choose`: chooses who does something, and has them asked."""

    async def choose(args: dict[str, Json], ctx: Context) -> Json:
        """Choose an agent, as the first step of its run."""
        return await chooser.choose(args, context_of(ctx))

    # What it says is final: those that have failed have been tried often enough.
    terms: Terms = {"effect": "read", "breaker": False, "retry": 1}
    return schema_tool(choose, CHOOSE, terms, args=CHOICE, returns=None)
