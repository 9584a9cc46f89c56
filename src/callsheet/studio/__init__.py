"""The studio: from a video brief to script, shot list and production plan.

An ordinary client of the engine: each stage is a tool, a production is a plan.

    made = await execute_full_pipeline({"message": {"core": "Harbor keeps every berth in view."}})
    print(made.plan.cost_breakdown.expected)

Names are looked up when they are first used: the solver and the documents are slow to import.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

from callsheet import InputError

if TYPE_CHECKING:
    from callsheet.studio.model.brief import Brief
    from callsheet.studio.model.plan import ProductionPlan
    from callsheet.studio.model.script import Script
    from callsheet.studio.model.shots import ShotList
    from callsheet.studio.model.stack import Stack
    from callsheet.studio.pipeline import Production, execute_full_pipeline
    from callsheet.studio.production import production_plan

_WHERE = {
    "Brief": "callsheet.studio.model.brief",
    "Production": "callsheet.studio.pipeline",
    "ProductionPlan": "callsheet.studio.model.plan",
    "Script": "callsheet.studio.model.script",
    "ShotList": "callsheet.studio.model.shots",
    "Stack": "callsheet.studio.model.stack",
    "execute_full_pipeline": "callsheet.studio.pipeline",
    "production_plan": "callsheet.studio.production",
}

__all__ = [
    "Brief",
    "Production",
    "ProductionPlan",
    "Script",
    "ShotList",
    "Stack",
    "execute_full_pipeline",
    "production_plan",
]

if find_spec("rtoml") is None:
    # One that all of it needs stands for the others: said now, and not in the middle of a film.
    raise InputError("The studio is not installed. Say: pip install 'callsheet[studio]'")


def __getattr__(name: str) -> object:
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_WHERE[name]), name)
