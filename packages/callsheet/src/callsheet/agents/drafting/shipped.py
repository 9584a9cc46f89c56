"""Plans that apps ship: they need not be saved to be chosen."""

from __future__ import annotations

from functools import cache
from importlib.metadata import entry_points
from typing import TYPE_CHECKING

from callsheet.core.plan.read import read_plan
from callsheet.errors import ToolDefinitionError

if TYPE_CHECKING:
    from callsheet.core.plan.plan import Plan

GROUP = "callsheet.plans"
"""An entry point of it is a function that gives plans, or mappings that are some."""


@cache
def shipped_plans() -> tuple[Plan, ...]:
    """The plans of all apps that bring some.

    Raises:
        ToolDefinitionError: an app does not load, or brings what is no plan; names it.
    """
    plans: list[Plan] = []
    for point in sorted(entry_points(group=GROUP), key=lambda each: each.name):
        try:
            plans += [read_plan(each) for each in point.load()()]
        except Exception as exc:
            raise ToolDefinitionError(
                f"The plans of the app {point.name!r} ({point.value}) cannot be read: {exc}"
            ) from exc
    return tuple(plans)
