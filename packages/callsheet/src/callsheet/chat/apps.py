"""Tools that apps bring to conversations: they are given the engine that it is held with."""

from __future__ import annotations

from importlib.metadata import entry_points
from typing import TYPE_CHECKING

from callsheet.errors import ToolDefinitionError

if TYPE_CHECKING:
    from collections.abc import Callable

    from callsheet.engine.engine import Engine
    from callsheet.tools.registry import AnyTool

GROUP = "callsheet.chat"
"""An entry point of it is a function that takes what gives the engine, and gives tools."""


def app_tools(engine: Callable[[], Engine]) -> list[AnyTool]:
    """The tools of all apps that bring some.

    Raises:
        ToolDefinitionError: an app does not load; names it.
    """
    tools: list[AnyTool] = []
    for point in sorted(entry_points(group=GROUP), key=lambda each: each.name):
        try:
            tools += point.load()(engine)
        except Exception as exc:
            raise ToolDefinitionError(
                f"The app {point.name!r} ({point.value}) cannot be talked to: {exc}. Go on without "
                "apps: --no-plugins."
            ) from exc
    return tools
