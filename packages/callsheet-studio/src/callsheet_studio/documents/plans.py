"""The production plan as JSON, as Markdown for readers, and as a render call sheet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet_studio.documents.callsheets import callsheet_csv, callsheet_pdf, others_of, proof_of
from callsheet_studio.documents.labels import labels
from callsheet_studio.documents.scripts import plain
from callsheet_studio.documents.words import as_json, span
from callsheet_studio.model.plan import sure_maximum

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from callsheet_studio.documents.labels import Labels
    from callsheet_studio.model.brief import Brief
    from callsheet_studio.model.plan import ProductionPlan, ShotPlan
    from callsheet_studio.model.shots import ShotList

_OTHERS = ("", "cost", "time", "quality", "what changes")


def plan_files(
    plan: ProductionPlan, shots: ShotList, brief: Brief, marked: Sequence[str] = ()
) -> dict[str, bytes]:
    """The plan for programs and readers, and the call sheet for who orders and approves.

    Offers that are `marked` are in it although nobody here can order them; it says so.
    """
    return {
        "plan.json": as_json(plan),
        "plan.md": plan_text(plan, shots, brief, marked).encode(),
        "callsheet.csv": callsheet_csv(plan, shots, marked),
        "callsheet.pdf": callsheet_pdf(plan, brief, shots),
    }


def plan_text(
    plan: ProductionPlan, shots: ShotList, brief: Brief, marked: Sequence[str] = ()
) -> str:
    """The plan as Markdown: what a client reads first, how it was worked out in an annex."""
    say = labels(brief.content.language)
    lengths = {shot.id: say.seconds(shots.rate.seconds(shot.frames)) for shot in shots.shots}
    sections = (
        _summary(plan, brief, say),
        _made(plan, lengths, say),
        _unordered(plan, marked, say),
        _costs(plan, say),
        ("", f"## {say('Alternatives')}", ""),
        _table(_OTHERS, others_of(plan, say), say),
        ("", f"## {say('Annex: how the plan was worked out')}", ""),
        (say("Proof: {proof}", proof=plain(proof_of(plan, say))), ""),
        _reasons(plan, say),
        ("", f"### {say('Assumptions')}", ""),
        (f"- {plain(say.said(each))}" for each in plan.assumptions),
    )
    return "\n".join(line for each in sections for line in each) + "\n"


def _unordered(plan: ProductionPlan, marked: Sequence[str], say: Labels) -> Iterator[str]:
    """Those offers of the plan that somebody else has to order."""
    used = {step.offer for each in plan.shot_plans for step in each.steps}
    if found := sorted(used & set(marked)):
        said = say("These cannot be ordered with --produce: {offers}.", offers=", ".join(found))
        yield from ("", plain(said))


def _summary(plan: ProductionPlan, brief: Brief, say: Labels) -> Iterator[str]:
    yield f"# {say('{title}: production plan', title=plain(plan.summary.title))}"
    yield ""
    yield plain(say.said(plan.summary.text))
    yield ""
    yield from _table(("", "planned", "limit"), _limits(plan, brief, say), say)
    yield ""
    if note := _over(plan, brief, say):
        yield plain(note)


def _limits(plan: ProductionPlan, brief: Brief, say: Labels) -> Iterator[tuple[str, str, str]]:
    limits, costs = brief.constraints, plan.cost_breakdown
    most = say("none") if limits.max_cost_usd is None else say.money(limits.max_cost_usd)
    until = say("none") if limits.deadline is None else span(limits.deadline)
    yield (say("cost, expected"), say.money(costs.expected), most)
    yield (say("cost, at worst"), say.money(costs.worst), "")
    yield (say("time"), span(plan.summary.seconds), until)
    quality = say.share(plan.summary.quality)
    yield (say("average quality, 0 to 1"), quality, say(limits.quality))


def _over(plan: ProductionPlan, brief: Brief, say: Labels) -> str:
    """That a maximum holds for what is expected, where the worst is above it."""
    costs, most = plan.cost_breakdown, brief.constraints.max_cost_usd
    sure = sure_maximum(costs.expected, costs.worst, most)
    if most is None or sure is None:
        return ""
    return say(
        "The limit of {most} holds for what is expected, {expected}. At worst it costs {worst}, "
        "which is above it. To be sure, allow {worst}, or plan with a maximum of {sure}, perhaps "
        "at a lower quality.",
        most=say.money(most),
        expected=say.money(costs.expected),
        worst=say.money(costs.worst),
        sure=say.money(sure),
    )


def _made(plan: ProductionPlan, lengths: Mapping[str, str], say: Labels) -> Iterator[str]:
    yield from ("", f"## {say('Shots')}", "")
    head = ("shot", "length", "recipe", "tool", "billed", "cost", "time")
    rows = (
        (each.shot, lengths.get(each.shot, ""), *_made_row(each, say)) for each in plan.shot_plans
    )
    yield from _table(head, rows, say)


def _reasons(plan: ProductionPlan, say: Labels) -> Iterator[str]:
    """Which offer, and why, shot by shot: for who checks the plan."""
    rows = (
        (
            each.shot,
            ", ".join(step.offer for step in each.steps),
            " ".join(map(say.said, (*each.reasons, *each.notes))),
        )
        for each in plan.shot_plans
    )
    yield from _table(("shot", "offer", "why"), rows, say)


def _made_row(made: ShotPlan, say: Labels) -> tuple[str, ...]:
    return (
        say.name(made.recipe),
        ", ".join(dict.fromkeys(step.tool for step in made.steps)),
        " + ".join(
            f"{say.number(step.billed_seconds)} s" for step in made.steps if step.billed_seconds
        ),
        say.money(sum(step.usd for step in made.steps)),
        span(sum(step.seconds for step in made.steps)),
    )


def _costs(plan: ProductionPlan, say: Labels) -> Iterator[str]:
    costs = plan.cost_breakdown
    for title, name, found in (
        (say("Cost by tool"), "tool", costs.by_tool),
        (say("Cost by provider"), "provider", costs.by_provider),
    ):
        yield from ("", f"## {title}", "")
        rows = ((key, say.money(usd)) for key, usd in found.items())
        yield from _table((name, "USD"), rows, say)


def _table(head: Sequence[str], rows: Iterator[tuple[str, ...]], say: Labels) -> Iterator[str]:
    yield f"| {' | '.join(map(say, head))} |"
    yield f"|{' --- |' * len(head)}"
    for row in rows:
        yield f"| {' | '.join(plain(cell) for cell in row)} |"
