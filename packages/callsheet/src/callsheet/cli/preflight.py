"""The commands that say what to expect: `preflight` before a run, `stats` over all of them."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Annotated

import typer

import callsheet
from callsheet.cli.arguments import Order, gather, with_its_tools
from callsheet.cli.home import Where, looking, preparing
from callsheet.cli.options import (
    DEFAULT_HOME,
    AsJson,
    Home,
    Inputs,
    InputsFile,
    PlanName,
    age_of,
)
from callsheet.cli.output import Output
from callsheet.cli.place import Place
from callsheet.cli.placed import placed
from callsheet.errors import StoreError

if TYPE_CHECKING:
    from datetime import timedelta

    from callsheet.types import Preflight, ToolStatistics


@placed
def preflight(
    plan: PlanName,
    *,
    inputs: Inputs = None,
    inputs_file: InputsFile = None,
    where: Where,
    as_json: AsJson = False,
) -> None:
    """Estimate what a run will take, before it starts.

    Order, duration, cost, chance of success, whether it fits its budget, and what would make the
    plan better: from what is declared, and from earlier runs of this home. Writes nothing.
    """
    where = with_its_tools(where, plan)
    order = Order(plan=plan, where=where, inputs=inputs or (), inputs_file=inputs_file)
    with Output(as_json=as_json) as out:
        found = asyncio.run(_preflight(order))
        if as_json:
            out.data(found.to_json())
            return
        from callsheet.cli.show.figures import preflight_view

        out.show(*preflight_view(found))


async def _preflight(order: Order) -> Preflight:
    has_inputs = bool(order.inputs or order.inputs_file)
    given = await gather(order, with_inputs=has_inputs)
    inputs = given.inputs if has_inputs else None
    try:
        async with callsheet.Engine.open(
            order.where.home.opened, given.room, drive=False
        ) as engine:
            return await engine.preflight(given.checked, inputs)
    except StoreError as error:
        if error.code != "store":
            raise
        # Nothing is kept there yet: then there is no history either.
        room = preparing(order.where, given.tools, in_memory=True)
        async with callsheet.Engine.in_memory(room) as engine:
            return await engine.preflight(given.checked, inputs)


def stats(
    tool: Annotated[
        str | None, typer.Argument(metavar="[TOOL]", help="One tool; by default all.")
    ] = None,
    since: Annotated[
        str | None, typer.Option(metavar="AGE", help="Only runs newer than this: 7d, 12h.")
    ] = None,
    limit: Annotated[int, typer.Option(min=1, help="How many of the newest runs.")] = 1000,
    home: Home = DEFAULT_HOME,
    as_json: AsJson = False,
) -> None:
    """Show calls, errors, times and costs of each tool."""
    with Output(as_json=as_json) as out:
        age = age_of("--since", since) if since is not None else None
        found = asyncio.run(_stats(home, age, tool, limit))
        if as_json:
            out.data([each.to_json() for each in found])
        elif not found:
            what = f"No call of {tool!r}" if tool else "No call"
            out.remark(f"{what} has ended in {str(home)!r} yet.")
        else:
            from callsheet.cli.show.figures import statistics_table

            out.show(statistics_table(found))


async def _stats(
    home: Place, since: timedelta | None, tool: str | None, limit: int
) -> list[ToolStatistics]:
    async with looking(home, served=False) as engine:
        return await engine.statistics(since, tool, limit=limit)
