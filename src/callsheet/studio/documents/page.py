"""`index.html`: everything that was made on one page, which plays the film and needs no server."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from string import Template
from typing import TYPE_CHECKING

from callsheet.studio.documents.typeset import TEMPLATES
from callsheet.studio.documents.words import in_words, lines, money, one_line, seconds, span

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from callsheet.studio.model.base import Violation
    from callsheet.studio.model.brief import Brief
    from callsheet.studio.model.plan import ProductionPlan
    from callsheet.studio.model.script import Beat, Script
    from callsheet.studio.model.shots import Shot, ShotList
    from callsheet.studio.time import Rate


@dataclass(frozen=True, slots=True)
class Shown:
    """What there is to show."""

    brief: Brief
    script: Script
    shots: ShotList
    plan: ProductionPlan | None = None


def index_page(
    shown: Shown, *, accent: str, files: Iterable[str], found: Sequence[Violation] = ()
) -> bytes:
    """The page; its pictures and its film lie beside it."""
    brief, script, shots, plan = shown.brief, shown.script, shown.shots, shown.plan
    tall = brief.delivery.aspect == "9:16"
    facts = (f"<li><span>{escape(a)}</span><b>{escape(b)}</b></li>" for a, b in _facts(shots, plan))
    page = Template((TEMPLATES / "index.html").read_text("utf-8")).substitute(
        language=escape(script.language),
        title=escape(one_line(shots.title)),
        line=escape(one_line(brief.message.core)),
        accent=escape(accent),
        shape="tall" if tall else "wide",
        cell="180px" if tall else "340px",
        film='<video src="film.mp4" poster="poster.png" controls preload="metadata"></video>',
        facts="".join(facts),
        warnings=_warnings(found),
        board="".join(_frame(shot, shots.rate) for shot in shots.shots),
        script="".join(_beat(beat, script.rate) for beat in script.beats),
        plan=_plan(plan) if plan else "",
        files="".join(f'<li><a href="{escape(f)}">{escape(f)}</a></li>' for f in sorted(files)),
    )
    return page.encode()


def _facts(shots: ShotList, plan: ProductionPlan | None) -> list[tuple[str, str]]:
    facts = [
        ("Length", seconds(shots.rate.seconds(shots.frames))),
        ("Shots", str(len(shots.shots))),
    ]
    if plan is not None:
        facts += [
            ("Production", money(plan.cost_breakdown.expected)),
            ("Ready in", span(plan.timeline.makespan)),
            ("Proof", plan.proof.status),
        ]
    return facts


def _warnings(found: Sequence[Violation]) -> str:
    if not found:
        return ""
    told = "".join(f"<li>{escape(f'{v.where} {v.message} {v.fix}'.strip())}</li>" for v in found)
    return f'<div class="warn"><b>To look at</b><ul>{told}</ul></div>'


def _frame(shot: Shot, rate: Rate) -> str:
    move = in_words(f"{shot.movement.kind} {shot.movement.direction}".strip())
    said = [one_line(shot.voiceover), *lines(shot.dialogue)]
    words = "".join(f'<span class="said">“{escape(each)}”</span>' for each in said if each)
    at = rate.seconds(shot.start)
    told = (shot.size, f"{shot.lens_mm} mm", move)
    chips = " ".join(f'<span class="chip">{escape(each)}</span>' for each in told)
    return (
        f'<figure><img src="storyboard/{escape(shot.id)}.png" data-at="{at:.3f}" loading="lazy" '
        f'alt="{escape(one_line(shot.storyboard.description))}">'
        f'<figcaption><span class="slate">{escape(shot.id)}</span> '
        f"{chips}"
        f'<span class="time">{escape(seconds(rate.seconds(shot.frames)))}</span><br>'
        f"{escape(one_line(shot.action))}{words}</figcaption></figure>"
    )


def _beat(beat: Beat, rate: Rate) -> str:
    heard = [one_line(beat.script.voiceover), *lines(beat.script.dialogue)]
    words = "<br>".join(escape(each) for each in heard if each)
    time = rate.timecode(beat.start)[3:8]
    return (
        f"<tr><td><b>{escape(beat.id)}</b> {time}</td>"
        f"<td>{escape(one_line(beat.script.action))}</td><td>{words}</td></tr>"
    )


def _plan(plan: ProductionPlan) -> str:
    rows = "".join(
        f"<tr><td><b>{escape(each.shot)}</b></td><td>{escape(in_words(each.recipe))}</td>"
        f"<td>{escape(', '.join(dict.fromkeys(step.tool for step in each.steps)))}</td>"
        f"<td>{escape(money(sum(step.usd for step in each.steps)))}</td></tr>"
        for each in plan.shot_plans
    )
    return (
        f"<h2>Production plan</h2><p>{escape(plan.summary.text)}</p>"
        "<table><thead><tr><th>Shot</th><th>Recipe</th><th>With</th><th>Cost</th></tr></thead>"
        f"<tbody>{rows}</tbody></table>"
    )
