"""The server: one object for stdio and HTTP, and for both eras of the protocol."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mcp.server import MCPServer

from callsheet import __version__
from callsheet.serve.mcp.call import Row, offered
from callsheet.serve.mcp.tasks import Tasks
from callsheet.serve.mcp.tools import catalog, control, plans, questions, runs

if TYPE_CHECKING:
    from collections.abc import Iterable

    from callsheet.serve.mcp.door import Doors

ROWS: tuple[Row, ...] = (
    *plans.ROWS,
    *runs.ROWS,
    *control.ROWS,
    *questions.ROWS,
    *catalog.ROWS,
)
_INSTRUCTIONS = (
    "Callsheet runs tool calls as plans: in parallel, durably, inside a budget, and it can take "
    "them back. Write a plan (schema://plan, tool_list), plan_check it, mend what it says, then "
    "run_start it with a key of yours, and run_wait. A run goes on when you leave; only run_cancel "
    "cancels. What waits for a person (questions) is answered by that person, not by you. When "
    "something failed: run_status, then run_fork with other arguments, or run_undo."
)


def build(doors: Doors, *, read_only: bool = False, more: Iterable[Row] = ()) -> MCPServer[Any]:
    """The server whose clients come in by these doors."""
    rows = [row for row in (*ROWS, *more) if row.reads or not read_only]
    return MCPServer(
        "callsheet",
        title="Callsheet",
        version=__version__,
        instructions=_INSTRUCTIONS,
        website_url=None,
        log_level="WARNING",
        tools=[offered(row, doors) for row in rows],
        extensions=[Tasks(rows, doors)],
    )
