"""The last words on a production: what was made, what it would cost, what to look at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from callsheet.apps.command import BAD_INPUT, FAILED, Output
from callsheet_studio.production.outcome import Outcome, is_production, is_wrong

if TYPE_CHECKING:
    from pathlib import Path

    from rich.text import Text

    from callsheet.apps.command import Parting, Where


def part_with(out: Output, parting: Parting, where: Where, brief: Path | None = None) -> int:
    """Say what was made; returns the exit code. `brief`: its file, where that is known."""
    result = parting.result
    if not is_production(result) or parting.reason != "ended" or parting.code:
        from callsheet.apps.command import part

        code = part(out, parting, where)
        return BAD_INPUT if code == FAILED and is_wrong(result) else code
    outcome = Outcome(result)
    if out.as_json:
        out.data(outcome.to_json())
    else:
        out.show(*_closing(outcome, brief))
    return FAILED if outcome.is_faulty else 0


def _closing(outcome: Outcome, brief: Path | None) -> list[Text]:
    """A few lines: what it is, what it would cost, what to look at."""
    from rich.text import Text

    from callsheet.apps.command import duration

    result, summary, delivered = outcome.result, outcome.summary, outcome.delivered
    lines = [
        Text.assemble((str(summary["title"]), "bold"), f"  {_length(summary)}, {_parts(summary)}")
    ]
    if (told := _written(summary.get("writer") or {}, result.cost.usd)) is not None:
        lines.append(Text(told))
    if "usd" in summary:
        lines.append(Text(_money(summary)))
        if outcome.is_bought:
            lines.append(Text(f"spent ${result.cost.usd:.2f} on what was ordered"))
        else:
            lines += [Text(each, "yellow") for each in _over(summary, outcome.max_cost)]
    if "film" in summary:
        took = f"{duration(result.seconds)}: {_steps(outcome)}"
        lines.append(Text(f"film.mp4 made in {took}, checks {summary['film']}"))
    if "shown" in summary:
        lines += _seen(summary, outcome.report["checks"]["pictures"])
    if summary["violations"]:
        lines += _broken(summary["violations"], outcome.report)
    lines += [Text(each, "yellow") for each in _left_out(summary)]
    if summary["inferred"]:
        values = _many(summary["inferred"], "value was", "values were")
        where = f": callsheet brief check {brief}" if brief else " report.json"
        lines.append(Text(f"{values} inferred; see{where}", "dim"))
    count = f"{len(delivered['files'])} files, {len(delivered['written'])} of them new or changed"
    lines.append(Text.assemble((delivered["out"], "bold"), f"  {count}"))
    return lines


def _left_out(summary: dict[str, Any]) -> list[str]:
    """What the letter says and the film has no time for."""
    if not (left := summary.get("left_out")):
        return []
    sentences = _many(len(left), "sentence is", "sentences are")
    time = f"there is no time for more in {summary['seconds']:g} s"
    return [
        f"{sentences} left out: {time}. Ask for a longer film, or write a brief.",
        *(f"  “{each}”" for each in left),
    ]


def _written(writer: dict[str, Any], usd: float) -> str | None:
    """Who has written it, and how much of that stands; nothing where no model was asked."""
    who = writer.get("model") or ", ".join(writer.get("agents", ()))
    if not who:
        return None
    told = []
    for one, more in (("beat", "beats"), ("shot", "shots")):
        found = writer.get(more, {})
        total = sum(found.values())
        if total:
            mended = found.get("repaired", 0)
            kept = f"{found.get('model', 0)} of {_many(total, one, more)}"
            told.append(f"{kept}, {mended} repaired" if mended else kept)
    cost = f"; ${usd:.4f}" if usd else ""
    return f"written by {who}: {'; '.join(told)}{cost}"


def _steps(outcome: Outcome) -> str:
    """How much had to be done; a step for each shot, and so on, not one for all of them."""
    made, reused = len(outcome.made), len(outcome.reused)
    return f"{_many(made, 'step', 'steps')} made, {reused} as before" if reused else f"{made} steps"


def _seen(summary: dict[str, Any], pictures: dict[str, Any]) -> list[Text]:
    """How many shots show what is said, and the first of the others with what would mend them."""
    from rich.text import Text

    shown, of = summary["shown"], pictures["of"]
    told = f"{shown} of {_many(of, 'shot shows', 'shots show')} what is said"
    others = [each for each in pictures["shots"] if each["verdict"] != "shown"]
    if not others:
        return [Text(told)]
    rest = len(others) - _MOST_BROKEN
    more = f"; the first {_MOST_BROKEN} others, all are in report.json" if rest > 0 else ""
    return [
        Text(f"{told}{more}:"),
        *(Text(f"  {each['message']} {each['fix']}", "dim") for each in others[:_MOST_BROKEN]),
    ]


_MOST_BROKEN = 3


def _broken(many: int, report: dict[str, Any]) -> list[Text]:
    """The first rules that are broken, and where the others stand."""
    from rich.text import Text

    checks = report["checks"]
    # What is wrong with the film comes first: it is why the command fails.
    stages = sorted(checks, key=lambda each: each != "film")
    found = [
        each
        for stage in (checks[name] for name in stages)
        for kind in ("violations", "continuity")
        for each in stage.get(kind, ())
    ]
    rest = "" if many <= _MOST_BROKEN else f"; the first {_MOST_BROKEN}, all are in report.json"
    return [
        Text(f"{_many(many, 'rule is broken', 'rules are broken')}{rest}:", "yellow"),
        *(
            Text(f"  {each['where']}  {each['message']} {each['fix']}")
            for each in found[:_MOST_BROKEN]
        ),
    ]


def _length(summary: dict[str, Any]) -> str:
    return f"{round(summary['seconds'], 2):g} s ({summary['frames']} frames)"


def _parts(summary: dict[str, Any]) -> str:
    shots = f", {_many(summary['shots'], 'shot', 'shots')}" if "shots" in summary else ""
    return f"{_many(summary['beats'], 'beat', 'beats')}{shots}"


def _many(count: int, one: str, more: str) -> str:
    return f"{count} {one if count == 1 else more}"


def _money(summary: dict[str, Any]) -> str:
    from callsheet.apps.command import duration

    proof = "proved the best" if summary["proof"] == "optimal" else "not proved the best"
    time = duration(summary["makespan_seconds"])
    return f"expected ${summary['usd']:.2f}, at worst ${summary['worst_usd']:.2f}; {time}; {proof}"


def _over(summary: dict[str, Any], most: float | None) -> list[str]:
    """That a maximum holds for what is expected, where the worst is above it."""
    from callsheet_studio.model.plan import sure_maximum

    sure = sure_maximum(summary["usd"], summary["worst_usd"], most)
    if most is None or sure is None:
        return []
    holds = f"The maximum of ${most:.2f} holds for what is expected; the worst is above it."
    allow = f"To be sure, allow ${summary['worst_usd']:.2f}"
    return [f"{holds} {allow}, or plan with --max-cost {sure:.2f}, perhaps at a lower --quality."]
