"""What the scenarios of the suite call by name, added to our server object."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.conformance import asking, basics

if TYPE_CHECKING:
    from callsheet.serve.mcp.server import CallsheetServer


def add_all(server: CallsheetServer) -> None:
    """Everything but the tasks, which a server is built with."""
    for each in (*basics.TOOLS, *asking.TOOLS):
        server.add_tool(each, structured_output=False)
    asking.add_input_required(server)
    basics.add_resources(server)
    basics.add_prompts(server)
    basics.add_logging(server)
