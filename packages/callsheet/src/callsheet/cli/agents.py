"""The command `agents`: who there is, what they can do, and whether they can be used here."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, cast

from callsheet.cli.arguments import load_all
from callsheet.cli.home import Where, looking, preparing
from callsheet.cli.options import (
    AsJson,
)
from callsheet.cli.output import Output
from callsheet.cli.placed import placed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from callsheet.cli.place import Place


@placed
def agents(
    *,
    where: Where,
    as_json: AsJson = False,
) -> None:
    """List the agents that steps can call.

    Their roles, capabilities and models, and whether each model can be used here.
    """
    with Output(as_json=as_json) as out:
        found = _agents(where)
        if as_json:
            out.data(found)
            return
        if not found:
            out.remark("There are no agents. Declare them in callsheet.toml: [agents.NAME].")
            return
        from callsheet.cli.show.lists import agents_table

        out.show(agents_table(found))


def _agents(where: Where) -> Sequence[dict[str, Any]]:
    if where.home.is_service:
        return asyncio.run(_of_service(where.home))
    return [each.to_json() for each in preparing(where, load_all(where.tools)).agents.list()]


async def _of_service(home: Place) -> list[dict[str, Any]]:
    from callsheet.client import Client

    async with cast("Client", looking(home)) as service:
        return await service.agents.list()
