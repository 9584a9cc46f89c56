"""The shapes of bodies and answers, as the OpenAPI document tells them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from callsheet.apps.routes import Body
from callsheet_studio.production.stage import Stage

Vrd = Annotated[
    dict[str, Any] | str,
    Field(
        description="The brief: an object, a text (YAML, JSON, Markdown or plain words), or the "
        "artifact of an upload."
    ),
]
Clarifications = Annotated[
    dict[str, str] | None, Field(description="Answers to `questions`, by their keys.")
]
Writer = Annotated[
    str,
    StringConstraints(min_length=1, max_length=200),
    Field(
        description="Who writes: `offline`, which costs nothing; a model that the tenant has; or "
        "`auto`, an agent that is able to."
    ),
]
Id = Annotated[str, StringConstraints(min_length=1, max_length=100)]


class Constraints(Body):
    """What a production may cost and take, and how good it must be."""

    max_cost_usd: float | None = Field(None, ge=0, lt=1e9)
    max_time_minutes: float | None = Field(None, gt=0, lt=1e6)
    quality_priority: Literal["high", "balanced", "budget"] | None = None


class _Asked(Body):
    constraints: Constraints | None = Field(
        None,
        description="`max_cost_usd`, `max_time_minutes`, and `quality_priority`: `high`, "
        "`balanced` or `budget`.",
    )

    @property
    def limits(self) -> dict[str, Any]:
        """The constraints, as data."""
        return self.constraints.model_dump() if self.constraints else {}


class ScriptBody(_Asked):
    """A brief to write a script of."""

    vrd: Vrd
    clarifications: Clarifications = None
    writer: Writer = "offline"


class ShotsBody(Body):
    """A script to break into shots."""

    script_id: Id = Field(description="As `POST /api/production/script` has told it.")
    beats: list[dict[str, Any]] | None = Field(None, description="Instead of those it has.")
    writer: Writer = "offline"


class PlanRequest(_Asked):
    """Shots to plan a production of."""

    shot_list_id: Id = Field(description="As `POST /api/production/shots` has told it.")
    shots: list[dict[str, Any]] | None = Field(None, description="Instead of those it has.")


class FilmBody(_Asked):
    """A brief to make a film of."""

    vrd: Vrd
    clarifications: Clarifications = None
    stop_after: Stage = Field("film", description="The last stage.")
    review: bool = Field(False, description="Ask the questions, and have each stage approved.")
    writer: Writer = "offline"


class _Told(BaseModel):
    model_config = ConfigDict(extra="allow")


class ScriptTold(_Told):
    """A script."""

    script_id: str
    beats: list[dict[str, Any]]
    metadata: dict[str, Any]
    questions: list[dict[str, Any]]


class ShotsTold(_Told):
    """A shot list."""

    shot_list_id: str
    shots: list[dict[str, Any]]
    asset_summary: dict[str, Any]


class PlanTold(_Told):
    """A production plan."""

    production_plan_id: str
    shot_plans: list[dict[str, Any]]
    cost_breakdown: dict[str, Any]
    timeline_estimate: dict[str, Any]


class MadeTold(_Told):
    """What a production has made."""

    run: str
    state: str
    summary: dict[str, Any] | None
    script: dict[str, Any] | None
    shots: dict[str, Any] | None
    plan: dict[str, Any] | None
    report: dict[str, Any] | None
    files: dict[str, dict[str, Any]]


class StackTold(_Told):
    """The tool stack."""

    as_of: str
    origin: Literal["imported", "starting"]
    tools: list[dict[str, Any]]
