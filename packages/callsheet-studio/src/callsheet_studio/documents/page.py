"""`index.html`: everything that was made on one page, which plays the film and needs no server."""

from __future__ import annotations

import re
from base64 import b64encode
from collections import Counter
from html import escape
from itertools import groupby
from string import Template
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import msgspec

from callsheet_studio.base.fonts import BARLOW, font_files
from callsheet_studio.documents.labels import labels
from callsheet_studio.documents.shots import slug_line
from callsheet_studio.documents.typeset import TEMPLATES
from callsheet_studio.documents.words import lines, one_line, span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from callsheet_studio.base.time import Rate
    from callsheet_studio.documents.labels import Labels
    from callsheet_studio.model.base import Violation
    from callsheet_studio.model.brief import Brief
    from callsheet_studio.model.plan import ProductionPlan, Proof
    from callsheet_studio.model.script import Beat, Script
    from callsheet_studio.model.shots import Shot, ShotList

_FACE = "BarlowCondensed-SemiBold.ttf"
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}\Z")
_INK = "#1d1b26"
_CELLS = {"16:9": 300, "1:1": 220, "4:5": 200, "9:16": 172}
"""Pixels that a frame of the storyboard is wide at least."""
_PRINTED = '<img class="poster" src="poster.png" alt="[[The poster of the film]]">'
_LABEL = re.compile(r"\[\[([^\[\]]+)\]\]")
_KINDS = (
    ("Film", ("film.", "poster.", "teaser.")),
    ("Storyboard", ("storyboard",)),
    ("Script", ("script.",)),
    ("Shots", ("shots",)),
    ("Production plan", ("plan.", "callsheet.")),
    ("Captions", ("captions.",)),
    ("For editing programs", ("timeline.",)),
)


class Shown(msgspec.Struct, frozen=True):
    """What there is to show."""

    brief: Brief
    script: Script
    shots: ShotList
    plan: ProductionPlan | None = None


def index_page(
    shown: Shown,
    *,
    accent: str,
    files: Iterable[str],
    found: Sequence[Violation] | None = None,
    seen: Mapping[str, Any] | None = None,
) -> bytes:
    """The page; its pictures and its film lie beside it.

    Args:
        shown: the production.
        accent: a colour of the film, as `#rrggbb`.
        files: what else lies there.
        found: what the checks say; `None` if nothing was checked.
        seen: which shots show what is said, as in the report; `None` if nobody looked.
    """
    brief, script, shots, plan = shown.brief, shown.script, shown.shots, shown.plan
    say = labels(script.language)
    aspect = brief.delivery.aspect
    names = frozenset(files)
    page = _template("index.html", say).substitute(
        labels=say.language,
        language=escape(script.language),
        title=_text(shots.title),
        line=_text(brief.message.core),
        accent=accent if _COLOUR.match(accent) else _INK,
        shape="wide" if aspect == "16:9" else "tall",
        ratio=aspect.replace(":", " / "),
        cell=_CELLS[aspect],
        poster='poster="poster.png"' if "poster.png" in names else "",
        printed=_labelled(_PRINTED, say) if "poster.png" in names else "",
        facts="".join(_fact(name, value) for name, value in _facts(shots, plan, say)),
        checks=_checks(found, seen, say),
        board="".join(_scenes(shots, script.language)),
        script="".join(_beat(beat, script.rate) for beat in script.beats),
        plan=_plan(plan, say) if plan else "",
        decided=_decided(shown, say),
        files="".join(_files(names, say)),
        face=b64encode(_face()).decode(),
    )
    return page.encode()


def _face() -> bytes:
    return next(each for each in font_files(BARLOW) if each.name == _FACE).read_bytes()


def _template(name: str, say: Labels) -> Template:
    return Template(_labelled((TEMPLATES / name).read_text("utf-8"), say))


def _labelled(text: str, say: Labels) -> str:
    """With its `[[labels]]` in the language of the film."""
    return _LABEL.sub(lambda label: escape(say(label[1])), text)


def _text(text: str | None) -> str:
    return escape(one_line(text))


def _fact(name: str, value: str) -> str:
    return f"<div><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>"


def _facts(shots: ShotList, plan: ProductionPlan | None, say: Labels) -> list[tuple[str, str]]:
    facts = [
        (say("Length"), say.seconds(shots.rate.seconds(shots.frames))),
        (say("Shots"), str(len(shots.shots))),
    ]
    if plan is not None:
        best = plan.proof.status == "optimal"
        facts += [
            (say("To produce it"), say.money(plan.cost_breakdown.expected)),
            (say("Ready in"), span(plan.timeline.makespan)),
            (say("Plan"), say("proved optimal") if best else say("feasible")),
        ]
    return facts


def _checks(found: Sequence[Violation] | None, seen: Mapping[str, Any] | None, say: Labels) -> str:
    """What is wrong; that nothing is, only if it is so: every shot shows what is said."""
    if found is None:
        return ""
    others = [each for each in (seen or {}).get("shots", ()) if each["verdict"] != "shown"]
    share = _share(seen, say)
    if not found and not others:
        passed, nothing = say("The film passed every check."), say("Nothing to mend.")
        return f'<p class="checks good"><b>{passed}</b> {share} {nothing}</p>'
    if not found:
        passed = say("The film passed every technical check.")
        told = f"<h2>{share}</h2>{_unseen(others, say)}<p>{passed}</p>"
        return f'<section class="checks">{told}</section>'
    told = "".join(
        f"<li><b>{_text(v.where) or say('The film')}</b> {_text(v.message)} "
        f'<span class="fix">{_text(v.fix)}</span></li>'
        for v in found
    )
    many = len(found)
    title = (
        say("One thing to look at") if many == 1 else say("{count} things to look at", count=many)
    )
    rest = f"<h2>{share}</h2>{_unseen(others, say)}" if others else ""
    return f'<section class="checks"><h2>{title}</h2><ul>{told}</ul>{rest}</section>'


def _share(seen: Mapping[str, Any] | None, say: Labels) -> str:
    if not seen:
        return ""
    shown, of = seen["shares"]["shown"], seen["of"]
    return say("{shown} of {of} shots show what is said.", shown=shown, of=of)


_VERDICTS = {
    "contradicts": "shows something else than is said",
    "generic": "would fit any film",
    "not_drawable": "a card: what its action says has no drawing",
    "card": "a card: its words name nothing that has a drawing",
}


def _unseen(others: Sequence[Mapping[str, Any]], say: Labels) -> str:
    """The shots that do not show what is said, the worst first, each with what would mend it."""
    told = "".join(
        f"<li><b>{_text(each['shot'])}</b> {say(_VERDICTS[each['verdict']])}"
        f'{_wrong(each, say)} <span class="fix">{say(_MENDS[each["verdict"]])}</span></li>'
        for each in others
    )
    return f"<ul>{told}</ul>"


def _wrong(each: Mapping[str, Any], say: Labels) -> str:
    return (
        f" ({', '.join(say(_KINDS_OF[kind]) for kind in each['wrong'])})" if each["wrong"] else ""
    )


_KINDS_OF = {
    "place": "place",
    "thing": "thing",
    "person": "person",
    "state": "state",
    "light": "light",
}


_MENDS = {
    "contradicts": "Say it otherwise, or bring your own picture.",
    "generic": "Let the line name what is seen, or bring your own picture.",
    "not_drawable": "Bring your own picture, or name a thing of the catalogue.",
    "card": "Name a thing, a number or a place, or bring your own picture.",
}


# The storyboard


def _scenes(shots: ShotList, language: str) -> Iterator[str]:
    say = labels(language)
    for number, group in groupby(shots.shots, key=lambda shot: shot.scene):
        scene = list(group)
        slug = _text(slug_line(scene[0], language))
        yield (
            f'<h3><span class="number">{say("Scene {number}", number=number)}</span> {slug}</h3>'
            f'<div class="frames">{"".join(_frame(shot, shots.rate, say) for shot in scene)}</div>'
        )


def _frame(shot: Shot, rate: Rate, say: Labels) -> str:
    """A frame is a link to its time in the film, which also works where nothing can be run."""
    from callsheet_studio.library.slate import chips_of

    *told, _ = chips_of(shot, str(rate), say.language)
    length = say.seconds(rate.seconds(shot.frames))
    said = [one_line(shot.voiceover), *lines(shot.dialogue)]
    words = "".join(
        f'<p class="said" dir="auto">{say("“{words}”", words=escape(each))}</p>'
        for each in said
        if each
    )
    written = " / ".join(lines(shot.on_screen_text))
    text = f'<p class="written" dir="auto">{escape(written)}</p>' if written else ""
    chips = "".join(f'<span class="chip">{escape(each)}</span>' for each in told)
    at = float(rate.seconds(shot.start))
    seen = _text(shot.storyboard.description or shot.action)
    return (
        f'<figure id="shot-{_text(shot.id)}">'
        f'<a href="film.mp4#t={at:.3f}" data-at="{at:.3f}" '
        f'aria-label="{say("Play shot {shot}", shot=_text(shot.id))}">'
        f'<img src="storyboard/{escape(quote(shot.id))}.png" alt="{seen}"></a>'
        f'<figcaption><p class="told"><span class="slate">{_text(shot.id)}</span>{chips}'
        f'<span class="time">{rate.timecode(shot.start)[3:8]} · {escape(length)}</span></p>'
        f'<p dir="auto">{_text(shot.action)}</p>{words}{text}{_prompt(shot, say)}'
        "</figcaption></figure>"
    )


def _prompt(shot: Shot, say: Labels) -> str:
    """What a model is told; who looks at the board need not read it."""
    told = _text(shot.storyboard.prompt)
    if not told or shot.picture:
        return ""
    return f'<details class="prompt"><summary>{say("Prompt")}</summary><p>{told}</p></details>'


# Script and plan


def _beat(beat: Beat, rate: Rate) -> str:
    heard = [one_line(beat.script.voiceover), *lines(beat.script.dialogue)]
    words = "".join(f"<p>{escape(each)}</p>" for each in heard if each)
    written = " / ".join(lines(beat.script.on_screen_text))
    text = f'<p class="written">{escape(written)}</p>' if written else ""
    return (
        f'<tr><th scope="row">{_text(beat.id)}<small>{rate.timecode(beat.start)[3:8]}</small></th>'
        f'<td dir="auto">{_text(beat.script.action)}</td><td dir="auto">{words}{text}</td></tr>'
    )


def _plan(plan: ProductionPlan, say: Labels) -> str:
    costs, proof = plan.cost_breakdown, plan.proof
    facts = (
        (say("Expected"), say.money(costs.expected)),
        (say("At worst"), say.money(costs.worst)),
        (say("Ready in"), span(plan.timeline.makespan)),
        (say("One after the other"), span(plan.timeline.sequential)),
        (say("Quality"), say.share(plan.summary.quality)),
        (say("Proof"), _status(proof, say)),
    )
    rows = "".join(
        f'<tr><th scope="row">{_text(each.shot)}</th><td>{_text(say.name(each.recipe))}</td>'
        f"<td>{_text(', '.join(dict.fromkeys(step.tool for step in each.steps)))}</td>"
        f'<td class="amount">{escape(say.money(sum(step.usd for step in each.steps)))}</td></tr>'
        for each in plan.shot_plans
    )
    others = "".join(
        f"<li><b>{_text(say.name(each.name))}</b> {escape(say.money(each.usd))}, "
        f"{escape(span(each.seconds))}. {_text(say.said(each.what))}</li>"
        for each in plan.alternatives
    )
    title = say("Other plans")
    return _template("index-plan.html", say).substitute(
        text=_text(say.said(plan.summary.text)),
        facts="".join(_fact(name, value) for name, value in facts),
        rows=rows,
        others=f'<h3>{title}</h3><ul class="others">{others}</ul>' if others else "",
    )


def _status(proof: Proof, say: Labels) -> str:
    status = say(proof.status)
    gap = say.percent(proof.gap)
    return status if proof.gap <= 0 else say("{status}, gap {gap}", status=status, gap=gap)


def _decided(shown: Shown, say: Labels) -> str:
    """What nobody has said, and was decided here."""
    found = (*shown.brief.inferred, *shown.script.inferred, *shown.shots.inferred)
    if not found:
        return ""
    rows = "".join(
        f'<tr><th scope="row">{_text(each.key)}</th><td>{_text(str(each.value))}</td>'
        f"<td>{_text(say.said(each.why))}</td></tr>"
        for each in found
    )
    count = (
        say("One thing that the brief leaves open")
        if len(found) == 1
        else say("{count} things that the brief leaves open", count=len(found))
    )
    return f"<details><summary>{count}</summary><table><tbody>{rows}</tbody></table></details>"


# Files


def _files(names: Iterable[str], say: Labels) -> Iterator[str]:
    kinds = {name: _kind(name) for name in sorted(names)}
    counts = Counter(kinds.values())
    for kind in (*(kind for kind, _ in _KINDS), "Others"):
        if not counts[kind]:
            continue
        links = " ".join(
            f'<li><a href="{escape(quote(name))}">{escape(name)}</a></li>'
            for name, its in kinds.items()
            if its == kind
        )
        yield f"<div><h3>{escape(say(kind))}</h3><ul>{links}</ul></div>"


def _kind(name: str) -> str:
    return next((kind for kind, begins in _KINDS if name.startswith(begins)), "Others")
