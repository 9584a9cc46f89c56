"""The production plan as JSON and Markdown, and the render call sheet as CSV and PDF."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet.studio.documents.scripts import plain
from callsheet.studio.documents.tables import as_csv
from callsheet.studio.documents.typeset import Document, typeset
from callsheet.studio.documents.words import (
    as_json,
    in_words,
    money,
    number,
    one_line,
    seconds,
    span,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from callsheet.studio.model.brief import Brief
    from callsheet.studio.model.plan import Lane, ProductionPlan, ProductionStep, ShotPlan
    from callsheet.studio.model.shots import Shot, ShotList

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
)
"""One row for each call of a stack tool. Times are seconds; costs include the attempts."""


def plan_files(plan: ProductionPlan, shots: ShotList, brief: Brief) -> dict[str, bytes]:
    """The plan for programs and readers, and the call sheet for who orders and approves."""
    return {
        "plan.json": as_json(plan),
        "plan.md": plan_text(plan, shots, brief).encode(),
        "callsheet.csv": as_csv(COLUMNS, _rows(plan)),
        "callsheet.pdf": callsheet_pdf(plan, brief),
    }


def _calls(plan: ProductionPlan) -> Iterator[tuple[ShotPlan, ProductionStep]]:
    for each in plan.shot_plans:
        for step in each.steps:
            yield each, step


def _rows(plan: ProductionPlan) -> Iterator[tuple[str, ...]]:
    for made, step in _calls(plan):
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
        )


def _model(step: ProductionStep) -> str:
    """An offer's id begins with that of its model."""
    return step.offer.partition("@")[0]


def approval(step: ProductionStep) -> str:
    """Whether somebody has to say yes before it is called: money is spent only with one."""
    return "needed" if step.worst_usd > 0 else "none"


# For readers


def plan_text(plan: ProductionPlan, shots: ShotList, brief: Brief) -> str:
    """The plan as Markdown."""
    sections = (_summary(plan, brief), _made(plan, shots), _costs(plan), _others(plan))
    notes = ("", "## Assumptions", "", *(f"- {plain(each)}" for each in plan.assumptions))
    return "\n".join([*(line for each in sections for line in each), *notes]) + "\n"


def _summary(plan: ProductionPlan, brief: Brief) -> Iterator[str]:
    yield f"# {plain(plan.summary.title)}: production plan"
    yield ""
    yield plain(plan.summary.text)
    yield ""
    yield from _table(("", "planned", "limit"), _limits(plan, brief))
    yield ""
    yield f"Proof: {plain(_proof(plan))}"


def _limits(plan: ProductionPlan, brief: Brief) -> Iterator[tuple[str, str, str]]:
    limits = brief.constraints
    most = "none" if limits.max_cost_usd is None else money(limits.max_cost_usd)
    until = "none" if limits.deadline is None else span(limits.deadline)
    costs = plan.cost_breakdown
    yield ("cost, expected", money(costs.expected), most)
    yield ("cost, at worst", money(costs.worst), "")
    yield ("time", span(plan.summary.seconds), until)
    yield ("average quality, 0 to 1", f"{plan.summary.quality:.2f}", in_words(limits.quality))


def _proof(plan: ProductionPlan) -> str:
    proof = plan.proof
    best = proof.status == "optimal"
    found = "Proved to be the best" if best else f"At most {proof.gap:.1%} from the best"
    objective = one_line(proof.objective).rstrip(".")
    return f"{found}: {objective}. {proof.candidates} ways weighed by {proof.solver}."


def _made(plan: ProductionPlan, shots: ShotList) -> Iterator[str]:
    known = {shot.id: shot for shot in shots.shots}
    yield from ("", "## Shots", "")
    head = ("shot", "length", "recipe", "offer", "billed", "cost", "time", "why")
    yield from _table(head, (_made_row(each, known, shots) for each in plan.shot_plans))


def _made_row(made: ShotPlan, known: Mapping[str, Shot], shots: ShotList) -> tuple[str, ...]:
    return (
        made.shot,
        seconds(shots.rate.seconds(known[made.shot].frames)) if made.shot in known else "",
        in_words(made.recipe),
        ", ".join(step.offer for step in made.steps),
        " + ".join(
            f"{number(step.billed_seconds)} s" for step in made.steps if step.billed_seconds
        ),
        money(sum(step.usd for step in made.steps)),
        span(sum(step.seconds for step in made.steps)),
        " ".join((*made.reasons, *made.notes)),
    )


def _costs(plan: ProductionPlan) -> Iterator[str]:
    costs = plan.cost_breakdown
    for name, found in (("tool", costs.by_tool), ("provider", costs.by_provider)):
        yield from ("", f"## Cost by {name}", "")
        yield from _table((name, "USD"), ((key, money(usd)) for key, usd in found.items()))


def _others(plan: ProductionPlan) -> Iterator[str]:
    yield from ("", "## Alternatives", "")
    head = ("", "cost", "time", "quality", "what changes")
    rows = (
        (each.name, money(each.usd), span(each.seconds), f"{each.quality:.2f}", each.what)
        for each in plan.alternatives
    )
    yield from _table(head, rows)


def _table(head: Sequence[str], rows: Iterator[tuple[str, ...]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"|{' --- |' * len(head)}"
    for row in rows:
        yield f"| {' | '.join(plain(cell) for cell in row)} |"


# For print


def callsheet_pdf(plan: ProductionPlan, brief: Brief) -> bytes:
    """The call sheet: what it takes, when which lane works, every call, and on which prices."""
    content = {
        "title": one_line(plan.summary.title),
        "line": one_line(plan.summary.text),
        "facts": _facts(plan),
        "day": plan.summary.today.isoformat(),
        "bars": _bars(plan, brief),
        "proof": _proof(plan),
        "lanes": _lanes(plan),
        "post": plan.timeline.post,
        "end": plan.timeline.makespan + plan.timeline.post,
        "ticks": _ticks(plan.timeline.makespan + plan.timeline.post),
        "calls": [_call(made, step) for made, step in _calls(plan)],
        "counted": _counted(plan),
        "providers": [
            (one_line(name), money(usd)) for name, usd in plan.cost_breakdown.by_provider.items()
        ],
        "alternatives": [
            (each.name, money(each.usd), span(each.seconds), f"{each.quality:.2f}", each.what)
            for each in plan.alternatives
        ],
        "notes": _notes(plan),
        "assumptions": [one_line(each) for each in plan.assumptions],
    }
    return typeset(Document("callsheet", content, language="en"))


def _counted(plan: ProductionPlan) -> str:
    many = sum(1 for _ in _calls(plan))
    calls = "1 call" if many == 1 else f"{many} calls"
    return (
        f"{calls}, {money(plan.cost_breakdown.expected)} in all. "
        "Cost and time include the attempts that are expected."
    )


def _facts(plan: ProductionPlan) -> tuple[tuple[str, str], ...]:
    return (
        ("Cost", money(plan.cost_breakdown.expected)),
        ("Time", span(plan.summary.seconds)),
        ("Quality", f"{plan.summary.quality:.2f}"),
        ("Shots", str(plan.summary.shots)),
    )


def _notes(plan: ProductionPlan) -> list[tuple[str, str]]:
    """What is to be minded, each once, with the shots it is about."""
    found: dict[str, list[str]] = {}
    for made in plan.shot_plans:
        for note in made.notes:
            found.setdefault(one_line(note), []).append(one_line(made.shot))
    return [(note, ", ".join(shots)) for note, shots in found.items()]


def _bars(plan: ProductionPlan, brief: Brief) -> list[dict[str, object]]:
    limits, costs = brief.constraints, plan.cost_breakdown
    time = plan.summary.seconds
    return [
        {
            "name": "Budget",
            "value": costs.expected,
            "worst": costs.worst,
            "limit": limits.max_cost_usd,
            "said": f"{money(costs.expected)} expected · {money(costs.worst)} at worst",
            "most": "no limit" if limits.max_cost_usd is None else money(limits.max_cost_usd),
        },
        {
            "name": "Deadline",
            "value": time,
            "worst": time,
            "limit": limits.deadline,
            "said": f"{span(time)} · {span(plan.timeline.sequential)} one after the other",
            "most": "no limit" if limits.deadline is None else span(limits.deadline),
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


def _call(made: ShotPlan, step: ProductionStep) -> dict[str, object]:
    return {
        "shot": one_line(made.shot),
        "purpose": in_words(step.purpose),
        "mode": step.mode,
        "model": one_line(_model(step)),
        "offer": one_line(step.offer),
        "provider": one_line(step.provider),
        "billed": seconds(step.billed_seconds) if step.billed_seconds else "\u2013",
        "clips": " + ".join(number(clip) for clip in step.clips) if len(step.clips) > 1 else "",
        "attempts": number(step.attempts),
        "usd": money(step.usd),
        "worst": money(step.worst_usd),
        "time": span(step.seconds),
        "inputs": ", ".join(map(one_line, step.inputs)),
        "again": made.steps[0] is not step,
        "approval": approval(step) == "needed",
    }
