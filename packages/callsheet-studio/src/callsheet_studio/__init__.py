"""The studio: from a video brief to script, shot list and production plan.

An ordinary client of the engine: each stage is a tool, a production is a plan.

    made = await execute_full_pipeline({"message": {"core": "Harbor keeps every berth in view."}})
    print(made.plan.cost_breakdown.expected)

Names are looked up when they are first used: the solver and the documents are slow to import.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from callsheet_studio.model.brief import Brief
    from callsheet_studio.model.plan import ProductionPlan
    from callsheet_studio.model.script import Script
    from callsheet_studio.model.shots import ShotList
    from callsheet_studio.model.stack import Stack
    from callsheet_studio.pipeline import execute_full_pipeline
    from callsheet_studio.production.plan import production_plan
    from callsheet_studio.production.result import Production
    from callsheet_studio.production.tools import production_tools
    from callsheet_studio.studio import Studio

_WHERE = {
    "Brief": "callsheet_studio.model.brief",
    "Production": "callsheet_studio.production.result",
    "ProductionPlan": "callsheet_studio.model.plan",
    "Script": "callsheet_studio.model.script",
    "ShotList": "callsheet_studio.model.shots",
    "Stack": "callsheet_studio.model.stack",
    "Studio": "callsheet_studio.studio",
    "execute_full_pipeline": "callsheet_studio.pipeline",
    "production_tools": "callsheet_studio.production.tools",
    "production_plan": "callsheet_studio.production.plan",
}

__all__ = [
    "Brief",
    "Production",
    "ProductionPlan",
    "Script",
    "ShotList",
    "Stack",
    "Studio",
    "execute_full_pipeline",
    "production_plan",
    "production_tools",
]


def __getattr__(name: str) -> object:
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_WHERE[name]), name)
