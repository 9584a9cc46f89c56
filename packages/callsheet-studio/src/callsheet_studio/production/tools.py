"""The tools that a production calls, to open an engine with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet import load_tools

if TYPE_CHECKING:
    from callsheet import Tool
    from callsheet_studio.production.stage import Stage

ALL = "callsheet_studio.stages"
"""Where the tools of all stages are; also a plug-in of `callsheet.tools`."""
_PLANNING = "callsheet_studio.production.planning"
"""The same without the film: they are quicker to import."""
_ORDERING = "callsheet_studio.providers.tools"
"""Those that order and receive; also a plug-in."""


def production_tools(
    stop_after: Stage = "film", *, orders: bool = False
) -> list[Tool[..., object]]:
    """The tools of a production up to a stage; `orders`: with those that buy from providers."""
    tools = load_tools(ALL if stop_after == "film" else _PLANNING)
    return [*tools, *load_tools(_ORDERING)] if orders else tools
