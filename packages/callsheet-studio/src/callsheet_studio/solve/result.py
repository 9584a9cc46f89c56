"""A decision as a production plan: steps, costs that add up, schedule, proof, assumptions."""

from __future__ import annotations

from importlib.metadata import version
from typing import TYPE_CHECKING

from callsheet_studio.model.plan import (
    CostBreakdown,
    PlanAlternative,
    PlanSummary,
    ProductionPlan,
    ProductionStep,
    Proof,
    ShotPlan,
    Timeline,
)
from callsheet_studio.solve.assumptions import assumptions
from callsheet_studio.solve.lanes import Made, dealt, lanes_of
from callsheet_studio.solve.model import SOLVER
from callsheet_studio.solve.reasons import notes, reasons, rivals, shot_alternatives
from callsheet_studio.solve.telling import aim, average, lasting, money, objective
from callsheet_studio.solve.terms import HUNDRED, MICROS, seconds, usd

if TYPE_CHECKING:
    from collections.abc import Callable

    from callsheet_studio.model.shots import Shot
    from callsheet_studio.solve.case import Case, Decision
    from callsheet_studio.solve.market import Call

TOLD = 1_000_000
"""Quality is told in millionths of the whole."""


def production_plan(
    case: Case, decision: Decision, alternatives: tuple[PlanAlternative, ...]
) -> ProductionPlan:
    """The whole plan."""
    made = dealt(decision)
    return ProductionPlan(
        summary=_summary(case, decision, made),
        shot_plans=tuple(_shot_plan(case, decision, each) for each in made),
        cost_breakdown=_costs(case, made),
        timeline=_timeline(case, decision, made),
        proof=_proof(decision),
        alternatives=alternatives,
        assumptions=assumptions(case, decision, made, alternatives),
    )


def quality_of(case: Case, decision: Decision) -> float:
    """Mean over screen time of what is certain, 0 to 1."""
    return round(decision.choice.quality * TOLD / (case.shots.frames * HUNDRED)) / TOLD


def _summary(case: Case, decision: Decision, made: tuple[Made, ...]) -> PlanSummary:
    shots, choice = case.shots, decision.choice
    worst = sum(call.bill * call.most for each in made for call in _calls(each))
    quality, ready = quality_of(case, decision), choice.ms + case.post
    proved = "proved optimal" if _proof(decision).status == "optimal" else "not proved optimal"
    goal = aim(decision.goal, decision.wish.level)
    many = "1 shot" if len(shots.shots) == 1 else f"{len(shots.shots)} shots"
    return PlanSummary(
        title=shots.title,
        shots=len(shots.shots),
        frames=shots.frames,
        fps=shots.fps,
        today=case.today,
        quality_level=decision.wish.level,
        quality=quality,
        usd=usd(choice.micros),
        seconds=seconds(ready),
        text=(
            f"{many} for {money(choice.micros)} ({money(worst)} at worst), "
            f"ready in {lasting(ready)}, {average(quality)}: {goal}, {proved}."
        ),
    )


def _calls(made: Made) -> tuple[Call, ...]:
    return (made.way.call,) if made.still is None else (made.still, made.way.call)


# Shots


def _shot_plan(case: Case, decision: Decision, made: Made) -> ShotPlan:
    others = rivals(made, decision.problem)
    shot, interval = case.shots.shots[made.place], made.way.quality
    steps = [_clip(case, shot, made)]
    if made.still is not None:
        steps.insert(0, _picture(case, shot, made, made.still))
    return ShotPlan(
        shot=shot.id,
        recipe=made.way.recipe,
        steps=tuple(steps),
        quality=(interval.low / HUNDRED, interval.high / HUNDRED),
        reasons=reasons(made, decision, others),
        alternatives=shot_alternatives(made, others),
        notes=notes(made, decision),
    )


_KINDS = {
    "text_to_video": ("t2v", "clip"),
    "image_to_video": ("i2v", "clip from its first frame"),
    "still_and_move": ("animatic", "camera move over the still"),
    "footage": ("footage", "cut of own material"),
    "animatic": ("animatic", "animatic"),
}
"""Mode and purpose of the call that makes the clip."""


def _clip(case: Case, shot: Shot, made: Made) -> ProductionStep:
    inputs = (f"still:{shot.id}",) if made.still is not None else _inputs(shot, made)
    kind = _KINDS[made.way.recipe]
    return _step(case, made, made.way.call, kind, inputs, made.way.clips)


def _picture(case: Case, shot: Shot, made: Made, call: Call) -> ProductionStep:
    purpose = "first frame" if made.way.recipe == "image_to_video" else "still"
    return _step(case, made, call, ("t2i", purpose), _inputs(shot, made), ())


def _inputs(shot: Shot, made: Made) -> tuple[str, ...]:
    if made.way.recipe == "footage":
        picture = (f"picture:{shot.picture.name or shot.picture.digest}",) if shot.picture else ()
        return (*shot.references, *picture)
    figures = shot.figures if made.group.need.references else ()
    return (f"storyboard:{shot.id}", *(f"figure:{name}" for name in figures))


def _step(
    case: Case,
    made: Made,
    call: Call,
    kind: tuple[str, str],
    inputs: tuple[str, ...],
    clips: tuple[int, ...],
) -> ProductionStep:
    mode, purpose = kind
    return ProductionStep(
        tool=call.tool.id,
        offer=call.offer.id,
        provider=call.offer.provider,
        purpose=purpose,
        mode=mode,
        screen_seconds=round(case.shots.rate.seconds(made.group.need.frames), 3),
        billed_seconds=seconds(sum(clips)),
        clips=tuple(seconds(clip) for clip in clips),
        attempts=call.attempts,
        max_attempts=call.most,
        usd=usd(call.expected),
        worst_usd=usd(call.bill * call.most),
        seconds=seconds(call.ms),
        inputs=inputs,
    )


# Sums


def _costs(case: Case, made: tuple[Made, ...]) -> CostBreakdown:
    calls = [(each, call) for each in made for call in _calls(each)]

    def by(name: Callable[[Made, Call], str]) -> dict[str, float]:
        found: dict[str, int] = {}
        for each, call in calls:
            found[name(each, call)] = found.get(name(each, call), 0) + call.expected
        return {key: usd(found[key]) for key in sorted(found, key=_natural)}

    return CostBreakdown(
        expected=usd(sum(call.expected for _, call in calls)),
        worst=usd(sum(call.bill * call.most for _, call in calls)),
        by_tool=by(lambda _, call: call.tool.id),
        by_provider=by(lambda _, call: call.offer.provider),
        by_scene=by(lambda each, _: str(case.shots.shots[each.place].scene)),
    )


def _natural(name: str) -> tuple[int, str]:
    return (int(name), "") if name.isdecimal() else (0, name)


def _timeline(case: Case, decision: Decision, made: tuple[Made, ...]) -> Timeline:
    return Timeline(
        sequential=seconds(sum(each.ms for each in made) + case.post),
        makespan=seconds(decision.choice.ms + case.post),
        lanes=lanes_of(decision, made, case.shots),
        post=seconds(case.post),
    )


def _proof(decision: Decision) -> Proof:
    lead = decision.choice.lead
    gap = abs(lead.value - lead.bound) / max(abs(lead.value), 1)
    return Proof(
        status="optimal" if lead.proved else "feasible",
        objective=objective(decision),
        bound=_bound(decision),
        gap=round(gap, 6),
        solver=f"{SOLVER} {version('ortools')}",
        candidates=decision.problem.weighed,
    )


def _bound(decision: Decision) -> float:
    """Of what it is judged by, in its own unit: dollars, seconds or quality."""
    first = decision.choice.lead
    units = decision.problem.units
    frames = sum(group.need.frames * len(group.shots) for group in decision.problem.groups)
    match first.goal:
        case "cost":
            return first.bound * units.micros / MICROS
        case "time":
            return seconds(first.bound * units.ms)
        case "quality":
            return round(-first.bound / (frames * HUNDRED), 6)
        case _:
            return float(first.bound)
