"""The last words on a production: what was made, what it would cost, what to look at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from callsheet import StepState
from callsheet.cli.output import BAD_INPUT, FAILED, Output

if TYPE_CHECKING:
    from pathlib import Path

    from rich.text import Text

    from callsheet import Result
    from callsheet.cli.attend import Parting
    from callsheet.cli.home import Where


PRODUCTION = "production"
"""What the plans of `make` are called; said here too: the studio is slow to import."""


def is_production(result: Result) -> bool:
    """Whether a run is a production whose files are delivered."""
    return result.plan == PRODUCTION and "deliver" in result.steps


def part_with(out: Output, parting: Parting, where: Where, brief: Path | None = None) -> int:
    """Say what was made; returns the exit code. `brief`: its file, where that is known."""
    result = parting.result
    if parting.reason != "ended" or parting.code:
        from callsheet.cli.parting import part

        code = part(out, parting, where)
        return BAD_INPUT if code == FAILED and _is_wrong(result) else code
    if out.as_json:
        out.data(_told(result))
    else:
        out.show(*_closing(result, brief))
    return FAILED if _summary(result).get("film") == "failed" else 0


def _is_wrong(result: Result) -> bool:
    """Whether it failed because of what was asked for, not because of what happened."""
    classes = {step.error.error_class for step in result.steps.values() if step.error}
    return classes == {"invalid"}


def _told(result: Result) -> dict[str, Any]:
    delivered = cast("dict[str, Any]", result.steps["deliver"].output)
    return {
        "run": result.run,
        "state": str(result.state),
        "seconds": round(result.seconds, 3),
        "out": delivered["out"],
        "files": delivered["files"],
        "written": delivered["written"],
        "made": sorted(key for key in result.steps if _was_made(key, result)),
        "reused": sorted(key for key, step in result.steps.items() if step.source),
        "summary": result.output,
        "report": result.steps["report"].output,
    }


def _was_made(key: str, result: Result) -> bool:
    """Whether it is something that was done; a step for each of many is what those are."""
    step = result.steps[key]
    is_many = any(other.startswith(f"{key}[") for other in result.steps)
    return step.state is StepState.SUCCEEDED and not step.source and not is_many


def _closing(result: Result, brief: Path | None) -> list[Text]:
    """A few lines: what it is, what it would cost, what to look at."""
    from rich.text import Text

    from callsheet.cli.table import duration

    told = _told(result)
    summary = _summary(result)
    lines = [
        Text.assemble((str(summary["title"]), "bold"), f"  {_length(summary)}, {_parts(summary)}")
    ]
    if "usd" in summary:
        lines.append(Text(_money(summary)))
        if _is_bought(result):
            lines.append(Text(f"spent ${result.cost.usd:.2f} on what was ordered"))
        else:
            lines += [Text(each, "yellow") for each in _over(summary, _most(result))]
    if "film" in summary:
        took = f"{duration(result.seconds)}: {_steps(told)}"
        lines.append(Text(f"film.mp4 made in {took}, checks {summary['film']}"))
    if summary["violations"]:
        lines += _broken(summary["violations"], told["report"])
    if summary["inferred"]:
        values = _many(summary["inferred"], "value was", "values were")
        where = f": callsheet brief check {brief}" if brief else " report.json"
        lines.append(Text(f"{values} inferred; see{where}", "dim"))
    changed = len(told["written"])
    count = f"{len(told['files'])} files, {changed} of them new or changed"
    lines.append(Text.assemble((told["out"], "bold"), f"  {count}"))
    return lines


def _steps(told: dict[str, Any]) -> str:
    """How much had to be done; a step for each shot, and so on, not one for all of them."""
    made, reused = len(told["made"]), len(told["reused"])
    return f"{_many(made, 'step', 'steps')} made, {reused} as before" if reused else f"{made} steps"


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


def _is_bought(result: Result) -> bool:
    """Whether shots were ordered: the worst was set aside, whatever the plan expects."""
    return "hard_cuts" in result.steps


def _summary(result: Result) -> dict[str, Any]:
    return cast("dict[str, Any]", result.output)


def _length(summary: dict[str, Any]) -> str:
    return f"{round(summary['seconds'], 2):g} s ({summary['frames']} frames)"


def _parts(summary: dict[str, Any]) -> str:
    shots = f", {_many(summary['shots'], 'shot', 'shots')}" if "shots" in summary else ""
    return f"{_many(summary['beats'], 'beat', 'beats')}{shots}"


def _many(count: int, one: str, more: str) -> str:
    return f"{count} {one if count == 1 else more}"


def _money(summary: dict[str, Any]) -> str:
    from callsheet.cli.table import duration

    proof = "proved the best" if summary["proof"] == "optimal" else "not proved the best"
    time = duration(summary["makespan_seconds"])
    return f"expected ${summary['usd']:.2f}, at worst ${summary['worst_usd']:.2f}; {time}; {proof}"


def _most(result: Result) -> float | None:
    """What it may cost, as the brief or the command line says."""
    brief = cast("dict[str, Any]", result.steps["brief"].output)["whole"]
    return cast("float | None", brief["constraints"]["max_cost_usd"])


def _over(summary: dict[str, Any], most: float | None) -> list[str]:
    """That a maximum holds for what is expected, where the worst is above it."""
    from callsheet.studio.model.plan import sure_maximum

    sure = sure_maximum(summary["usd"], summary["worst_usd"], most)
    if most is None or sure is None:
        return []
    holds = f"The maximum of ${most:.2f} holds for what is expected; the worst is above it."
    allow = f"To be sure, allow ${summary['worst_usd']:.2f}"
    return [f"{holds} {allow}, or plan with --max-cost {sure:.2f}, perhaps at a lower --quality."]
