"""What came of a production, as objects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from callsheet import RunState
from callsheet.errors import InputError
from callsheet_studio.model.base import Data
from callsheet_studio.model.brief import Brief
from callsheet_studio.model.plan import ProductionPlan
from callsheet_studio.model.script import Script
from callsheet_studio.model.shots import ShotList
from callsheet_studio.production.stage import STAGES

if TYPE_CHECKING:
    from callsheet import Result


class Production(Data):
    """What came out of it. What was not made, because it was to stop before, is None."""

    run: str
    brief: Brief
    script: Script
    shots: ShotList | None = None
    plan: ProductionPlan | None = None
    report: dict[str, Any]


def production_of(result: Result) -> Production:
    """What a run of `production_plan` has made.

    Raises:
        InputError: it has not succeeded; says why.
    """
    if result.state is not RunState.SUCCEEDED:
        said = result.cause.message if result.cause else f"The run {result.run} is {result.state}."
        raise InputError(said)
    outputs = {key: cast("Any", step.output) for key, step in result.steps.items()}
    made = {name: outputs[name] for name in (*STAGES, "report") if name in outputs}
    made["brief"] = outputs["brief"]["whole"]
    made |= outputs.get("recut") or {}
    made.pop("violations", None)
    return Production.model_validate({"run": result.run, **made})
