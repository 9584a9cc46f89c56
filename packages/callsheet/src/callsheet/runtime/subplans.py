"""The saved plans that a plan names, gathered before it is checked, as they are at this moment."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet.core.plan.agent import agent_plan, is_saved_name
from callsheet.core.plan.subplan import name_and_version, saved_names

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from callsheet.core.plan.plan import Plan
    from callsheet.core.plan.toolspec import Tools
    from callsheet.ports import PlanShelf

MOST = 1_000
"""Saved plans that one plan may need, one within the other."""


async def gather_children(
    names: Iterable[str],
    shelf: PlanShelf,
    tools: Tools,
    settled: Mapping[str, Plan] | None = None,
    *,
    tenant: str | None = None,
) -> dict[str, Plan]:
    """The saved plans of these names, and those that they name in turn, each as it is written.

    They are a `tenant`'s, or those of whoever the shelf belongs to. The plan of an agent is made
    of what `tools` say of it.

    What a run has `settled` stays as it was then, whatever has become of it since. What is not
    there is left out: the checker says where it was named.
    """
    found: dict[str, Plan] = {}
    todo = list(names)
    while todo and len(found) < MOST:
        name = todo.pop()
        if name in found:
            continue
        plan = (settled or {}).get(name)
        if plan is None:
            plan = agent_plan(name, tools)
        if plan is None and is_saved_name(name):
            wanted = name_and_version(name)
            asked = shelf.get(*wanted) if tenant is None else shelf.get(*wanted, tenant=tenant)
            saved = await asked
            plan = saved.plan if saved is not None else None
        if plan is not None:
            found[name] = plan
            todo += saved_names(plan)
    return found
