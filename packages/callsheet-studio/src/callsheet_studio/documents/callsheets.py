"""The render call sheet as CSV and PDF: every call of a stack tool, for who orders and approves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet_studio.documents.labels import labels
from callsheet_studio.documents.tables import as_csv
from callsheet_studio.documents.typeset import Document, typeset
from callsheet_studio.documents.words import in_words, number, one_line, span

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from callsheet_studio.documents.labels import Labels
    from callsheet_studio.model.brief import Brief
    from callsheet_studio.model.plan import Lane, ProductionPlan, ProductionStep, ShotPlan
    from callsheet_studio.model.shots import ShotList

COLUMNS = (
    "shot",
    "purpose",
    "tool",
    "provider",
    "model id",
    "mode",
    "clips",
    "screen seconds",
    "billed seconds",
    "attempts",
    "cost USD",
    "worst cost USD",
    "expected time",
    "inputs",
    "approval",
    "order",
    "prompt",
)
"""One row for each call of a stack tool. Times are seconds; costs include the attempts."""


def callsheet_csv(plan: ProductionPlan, shots: ShotList, marked: Sequence[str] = ()) -> bytes:
    """One row for each call, the same in every language; `marked` cannot be ordered here."""
    prompts = {shot.id: one_line(shot.storyboard.prompt) for shot in shots.shots}
    return as_csv(COLUMNS, _rows(plan, prompts, frozenset(marked)))


def _calls(plan: ProductionPlan) -> Iterator[tuple[ShotPlan, ProductionStep]]:
    for each in plan.shot_plans:
        for step in each.steps:
            yield each, step


def _rows(
    plan: ProductionPlan, prompts: Mapping[str, str], marked: frozenset[str]
) -> Iterator[tuple[str, ...]]:
    for made, step in _calls(plan):
        paid = approval(step) == "needed"
        yield (
            made.shot,
            in_words(step.purpose),
            step.tool,
            step.provider,
            _model(step),
            step.mode,
            " + ".join(number(clip) for clip in step.clips),
            number(step.screen_seconds),
            number(step.billed_seconds),
            f"{number(step.attempts)} of {step.max_attempts}",
            number(step.usd),
            number(step.worst_usd),
            number(step.seconds),
            "; ".join(step.inputs),
            approval(step),
            "elsewhere" if step.offer in marked else "by --produce" if paid else "made here",
            prompts.get(made.shot, "") if paid else "",
        )


def _model(step: ProductionStep) -> str:
    """An offer's id begins with that of its model."""
    return step.offer.partition("@")[0]


def approval(step: ProductionStep) -> str:
    """Whether somebody has to say yes before it is called: money is spent only with one."""
    return "needed" if step.worst_usd > 0 else "none"


# For print


def callsheet_pdf(plan: ProductionPlan, brief: Brief, shots: ShotList) -> bytes:
    """The call sheet: what it takes, when which lane works, every call, and on which prices."""
    say = labels(brief.content.language)
    content = {
        "title": one_line(plan.summary.title),
        "line": one_line(say.said(plan.summary.text)),
        "facts": _facts(plan, say),
        "kind": say("Render call sheet · {day}", day=say.day(plan.summary.today)),
        "bars": _bars(plan, brief, say),
        "proof": proof_of(plan, say),
        "lanes": _lanes(plan),
        "post": plan.timeline.post,
        "end": plan.timeline.makespan + plan.timeline.post,
        "ticks": _ticks(plan.timeline.makespan + plan.timeline.post),
        "calls": [_call(made, step, say) for made, step in _calls(plan)],
        "counted": _counted(plan, say),
        "providers": [
            (one_line(name), say.money(usd))
            for name, usd in plan.cost_breakdown.by_provider.items()
        ],
        "alternatives": list(others_of(plan, say)),
        "notes": _notes(plan, say),
        "assumptions": [one_line(say.said(each)) for each in plan.assumptions],
        "prompts": _prompts(plan, shots),
    }
    return typeset(Document("callsheet", content, say.language))


def _prompts(plan: ProductionPlan, shots: ShotList) -> list[tuple[str, str]]:
    """What a model is told, for each shot that is ordered."""
    paid = {made.shot for made, step in _calls(plan) if approval(step) == "needed"}
    return [
        (one_line(shot.id), one_line(shot.storyboard.prompt))
        for shot in shots.shots
        if shot.id in paid
    ]


def _counted(plan: ProductionPlan, say: Labels) -> str:
    many = sum(1 for _ in _calls(plan))
    usd = say.money(plan.cost_breakdown.expected)
    if many == 1:
        return say(
            "1 call, {usd} in all. Cost and time include the attempts that are expected.", usd=usd
        )
    return say(
        "{count} calls, {usd} in all. Cost and time include the attempts that are expected.",
        count=many,
        usd=usd,
    )


def _facts(plan: ProductionPlan, say: Labels) -> tuple[tuple[str, str], ...]:
    return (
        (say("Cost"), say.money(plan.cost_breakdown.expected)),
        (say("Time"), span(plan.summary.seconds)),
        (say("Quality"), say.share(plan.summary.quality)),
        (say("Shots"), str(plan.summary.shots)),
    )


def _notes(plan: ProductionPlan, say: Labels) -> list[tuple[str, str]]:
    """What is to be minded, each once, with the shots it is about."""
    found: dict[str, list[str]] = {}
    for made in plan.shot_plans:
        for note in made.notes:
            found.setdefault(one_line(say.said(note)), []).append(one_line(made.shot))
    return [(note, ", ".join(shots)) for note, shots in found.items()]


def _bars(plan: ProductionPlan, brief: Brief, say: Labels) -> list[dict[str, object]]:
    limits, costs = brief.constraints, plan.cost_breakdown
    time, sequential = plan.summary.seconds, span(plan.timeline.sequential)
    sums = {"expected": say.money(costs.expected), "worst": say.money(costs.worst)}
    is_over = limits.max_cost_usd is not None and costs.worst > limits.max_cost_usd
    return [
        {
            "name": say("Budget"),
            "value": costs.expected,
            "worst": costs.worst,
            "limit": limits.max_cost_usd,
            "said": say("{expected} expected · {worst} at worst, above the limit", **sums)
            if is_over
            else say("{expected} expected · {worst} at worst", **sums),
            "most": say("no limit")
            if limits.max_cost_usd is None
            else say.money(limits.max_cost_usd),
        },
        {
            "name": say("Deadline"),
            "value": time,
            "worst": time,
            "limit": limits.deadline,
            "said": say(
                "{time} · {sequential} one after the other",
                time=span(time),
                sequential=sequential,
            ),
            "most": say("no limit") if limits.deadline is None else span(limits.deadline),
        },
    ]


def _lanes(plan: ProductionPlan) -> list[dict[str, object]]:
    return [_lane(lane) for lane in plan.timeline.lanes if lane.slots]


def _lane(lane: Lane) -> dict[str, object]:
    return {
        "name": f"{one_line(lane.provider)} {lane.number}",
        "slots": [
            {"shot": one_line(slot.shot), "start": slot.start, "end": slot.end}
            for slot in lane.slots
        ],
    }


_STEPS = (5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 28800, 43200, 86400)
_MOST_TICKS = 10


def _ticks(end: float) -> list[tuple[float, str]]:
    """Where a scale of so many seconds has its marks."""
    step = next((each for each in _STEPS if end / each <= _MOST_TICKS), end / _MOST_TICKS)
    room = end * 0.95
    return [(n * step, span(n * step)) for n in range(int(room // step) + 1)] if end > 0 else []


def _call(made: ShotPlan, step: ProductionStep, say: Labels) -> dict[str, object]:
    return {
        "shot": one_line(made.shot),
        "purpose": say.name(step.purpose),
        "mode": step.mode,
        "model": one_line(_model(step)),
        "offer": one_line(step.offer),
        "provider": one_line(step.provider),
        "billed": say.seconds(step.billed_seconds) if step.billed_seconds else "\u2013",
        "clips": " + ".join(say.number(clip) for clip in step.clips) if len(step.clips) > 1 else "",
        "attempts": say.number(step.attempts),
        "usd": say.money(step.usd),
        "worst": say.money(step.worst_usd),
        "time": span(step.seconds),
        "inputs": ", ".join(map(one_line, step.inputs)),
        "again": made.steps[0] is not step,
        "approval": approval(step) == "needed",
    }


# Said of the plan, here and in `plan.md`


def proof_of(plan: ProductionPlan, say: Labels) -> str:
    """How good the plan is known to be."""
    proof = plan.proof
    best = proof.status == "optimal"
    gap = say.percent(proof.gap)
    return say(
        "{found}: {objective}. {count} ways weighed by {solver}.",
        found=say("Proved to be the best") if best else say("At most {gap} from the best", gap=gap),
        objective=say.said(one_line(proof.objective).rstrip(".")),
        count=proof.candidates,
        solver=proof.solver,
    )


def others_of(plan: ProductionPlan, say: Labels) -> Iterator[tuple[str, ...]]:
    """The alternatives: name, cost, time, quality, and what changes."""
    for each in plan.alternatives:
        cost, quality = say.money(each.usd), say.share(each.quality)
        yield (say.name(each.name), cost, span(each.seconds), quality, say.said(each.what))
