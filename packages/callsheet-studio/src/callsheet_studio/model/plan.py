"""The production plan: with what each shot is made, for how much, and how long it takes."""

from __future__ import annotations

import math
from datetime import date
from typing import Literal

from callsheet_studio.model.base import Data
from callsheet_studio.model.brief import Quality

Recipe = Literal["text_to_video", "image_to_video", "still_and_move", "footage", "animatic"]


class ProductionStep(Data):
    """One call of a stack tool. Costs and times include the attempts that are expected."""

    tool: str
    offer: str
    provider: str
    purpose: str
    mode: str
    screen_seconds: float
    billed_seconds: float
    """Of one attempt, over all clips."""
    clips: tuple[float, ...] = ()
    """The lengths that are ordered; more than one if the shot is split."""
    attempts: float
    max_attempts: int
    usd: float
    worst_usd: float
    seconds: float
    """Expected, all attempts, as it runs in its lane."""
    inputs: tuple[str, ...] = ()


class ShotAlternative(Data):
    """Another way to make one shot."""

    offer: str
    recipe: Recipe
    usd: float
    seconds: float
    quality: tuple[float, float]


class ShotPlan(Data):
    """How one shot is made."""

    shot: str
    recipe: Recipe
    steps: tuple[ProductionStep, ...]
    quality: tuple[float, float]
    reasons: tuple[str, ...]
    alternatives: tuple[ShotAlternative, ...]
    notes: tuple[str, ...] = ()


class CostBreakdown(Data):
    """What it costs, in USD."""

    expected: float
    worst: float
    by_tool: dict[str, float]
    by_provider: dict[str, float]
    by_scene: dict[str, float]


def sure_maximum(expected: float, worst: float, most: float | None) -> float | None:
    """The maximum to plan with, so that even the worst stays below `most`; None if it does.

    A maximum caps what is expected. Attempts make it more, and in every paid call by the same
    share: an expected cost that is less by that share is enough.
    """
    if most is None or worst <= most:
        return None
    return math.floor(most * expected / worst * 100) / 100


class LaneSlot(Data):
    """A shot's place in a lane, in seconds from the start."""

    shot: str
    offer: str
    start: float
    end: float


class Lane(Data):
    """What one place at a provider does, one after the other."""

    provider: str
    number: int
    slots: tuple[LaneSlot, ...]


class Timeline(Data):
    """How long it takes, in seconds."""

    sequential: float
    makespan: float
    lanes: tuple[Lane, ...]
    post: float


class Proof(Data):
    """How good the plan is known to be."""

    status: Literal["optimal", "feasible"]
    objective: str
    bound: float
    gap: float
    """Relative; 0 when it is optimal."""
    solver: str
    candidates: int
    """Ways to make a shot that were weighed, over all shots."""


class PlanAlternative(Data):
    """Another whole plan that is better in something."""

    name: Literal["cheaper", "faster", "better"]
    usd: float
    seconds: float
    quality: float
    offers: dict[str, str]
    """The offer of each shot."""
    what: str


class PlanSummary(Data):
    """The plan in a few numbers."""

    title: str
    shots: int
    frames: int
    fps: int | str
    today: date
    quality_level: Quality
    quality: float
    """Mean over screen time of what each shot is known to reach at least, 0 to 1."""
    usd: float
    seconds: float
    text: str


class ProductionPlan(Data):
    """A plan for all shots at once."""

    summary: PlanSummary
    shot_plans: tuple[ShotPlan, ...]
    cost_breakdown: CostBreakdown
    timeline: Timeline
    proof: Proof
    alternatives: tuple[PlanAlternative, ...]
    assumptions: tuple[str, ...]


class Relaxation(Data):
    """One thing that would make it possible, and from what to what."""

    constraint: Literal["max_cost", "deadline", "quality", "region", "licences", "resolution"]
    given: str
    needed: str


class Infeasibility(Data):
    """Why there is no plan: the smallest set to relax, and what is possible."""

    relax: tuple[Relaxation, ...]
    cheapest: PlanAlternative | None
    fastest: PlanAlternative | None
    blocked: tuple[str, ...] = ()
    """Shots that no offer can make at all, with the reason."""
