"""`make`: from a brief to a directory full of what a production needs."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, cast

import typer

from callsheet import InputError, StepState
from callsheet.cli.home import Where, driving
from callsheet.cli.options import DEFAULT_HOME, AsJson, Home
from callsheet.cli.output import BAD_INPUT, FAILED, Output
from callsheet.cli.table import duration

if TYPE_CHECKING:
    from pydantic import BaseModel
    from rich.text import Text

    from callsheet import Engine, Result, StepResult
    from callsheet.cli.attend import Parting
    from callsheet.studio.model.brief import Brief
    from callsheet.studio.model.stack import Stack

Stage = Literal["script", "shots", "plan", "film"]
Quality = Literal["high", "balanced", "budget"]


def make(
    brief: Annotated[
        Path, typer.Argument(metavar="BRIEF", help="A brief in YAML, JSON or Markdown.")
    ],
    *,
    out: Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="Where the files go.")],
    stop_after: Annotated[Stage, typer.Option(help="The last stage.")] = "film",
    review: Annotated[
        bool, typer.Option("--review", help="Ask the questions, and approve each stage.")
    ] = False,
    answers: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Answers to the questions, as YAML or JSON."),
    ] = None,
    cut: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Our timeline as an editor has cut it: OTIO or EDL."),
    ] = None,
    max_cost: Annotated[
        float | None, typer.Option(metavar="USD", help="What the production may cost.")
    ] = None,
    deadline: Annotated[
        str | None, typer.Option(metavar="TIME", help="How long it may take: 45m, 2h, 1d.")
    ] = None,
    quality: Annotated[
        Quality | None, typer.Option(help="The least that every shot must reach.")
    ] = None,
    today: Annotated[
        str | None,
        typer.Option(metavar="DATE", help="The day whose prices and tools count: 2026-11-15."),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Replace files that are not ours, too.")
    ] = False,
    home: Home = DEFAULT_HOME,
    as_json: AsJson = False,
) -> None:
    """Make script, shot list, production plan, storyboard and film of a brief.

    Ctrl-C takes back what was written. What has been made before is not made again.
    """
    with Output(as_json=as_json) as said:
        from callsheet.studio.production import TOOLS

        wishes = _Wishes(
            brief=brief,
            out=out,
            stop_after=stop_after,
            review=review,
            answers=answers,
            cut=cut,
            overrides={"max_cost_usd": max_cost, "deadline": deadline, "quality": quality},
            today=_day(today),
            force=force,
        )
        where = Where(home=home, tools=(TOOLS,), plugins=False)
        parting = said.run(_make(said, wishes, where))
        raise typer.Exit(_part(said, parting, where))


def schema(
    name: Annotated[
        Literal["brief", "script", "shots", "plan", "stack", "production"],
        typer.Argument(metavar="NAME", help="brief, script, shots, plan, stack or production."),
    ],
) -> None:
    """Print the JSON Schema of one of the studio's objects, as they stand in files.

    A brief is meant that is complete; `brief schema` has the form people write.
    """
    with Output(as_json=True) as said:
        from callsheet import studio

        objects: dict[str, type[BaseModel]] = {
            "brief": studio.Brief,
            "script": studio.Script,
            "shots": studio.ShotList,
            "plan": studio.ProductionPlan,
            "stack": studio.Stack,
            "production": studio.Production,
        }
        said.data(objects[name].model_json_schema())


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wishes:
    """What was asked for."""

    brief: Path
    out: Path
    stop_after: Stage
    review: bool
    answers: Path | None
    cut: Path | None
    overrides: dict[str, object]
    today: date
    force: bool


def _day(text: str | None) -> date:
    if text is None:
        from callsheet.studio.pipeline import this_day

        return this_day()
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise InputError(f"--today {text!r} is not a day. Write it as in 2026-11-15.") from None


async def _make(out: Output, wishes: _Wishes, where: Where) -> Parting:
    from callsheet.cli.attend import Interrupts, stay
    from callsheet.cli.given import load_all
    from callsheet.studio import delivery, production
    from callsheet.studio.pipeline import inputs_for

    # All that can be wrong is found before anything is opened, made or written.
    brief = _brief(wishes)
    target = wishes.out.absolute()
    names = production.file_names(wishes.stop_after)
    delivery.check_place(target, names, force=wishes.force)
    cut = _cut(wishes)
    plan = production.production_plan(brief, stop_after=wishes.stop_after, recut=bool(cut))
    with Interrupts() as interrupts:
        async with driving(
            where, load_all([production.tools_for(wishes.stop_after)]), create=True
        ) as engine:
            inputs = inputs_for(brief, wishes.today, await _stack(engine))
            inputs |= {"review": wishes.review, "out": str(target), "force": wishes.force} | cut
            run = await engine.start(plan, inputs)
            return await stay(out, engine, run, interrupts, where, skipped=False)


def _brief(wishes: _Wishes) -> Brief:
    from callsheet.studio.brief import answered, load, load_answers, revised

    brief = load(wishes.brief)
    changes = {f"constraints.{k}": v for k, v in wishes.overrides.items() if v is not None}
    if changes:
        brief = revised(brief, changes, "the command line")
    if wishes.answers is not None:
        brief = answered(brief, load_answers(wishes.answers))
    return brief


def _cut(wishes: _Wishes) -> dict[str, Any]:
    """The timeline that came back, as an input of the run."""
    if wishes.cut is None:
        return {}
    form = wishes.cut.suffix.lower().removeprefix(".")
    if form not in {"otio", "edl"}:
        raise InputError(f"--cut {wishes.cut}: a cut comes back as .otio or .edl.")
    if wishes.stop_after == "script":
        raise InputError("--cut is about shots. Leave out --stop-after script.")
    try:
        text = wishes.cut.read_text("utf-8")
    except OSError as error:
        raise InputError(f"--cut {wishes.cut} cannot be read: {error.strerror}.") from error
    except ValueError as error:
        raise InputError(f"--cut {wishes.cut} is not UTF-8. Export it again as text.") from error
    return {"cut": {"form": form, "text": text}}


async def _stack(engine: Engine) -> Stack:
    from callsheet.studio.schema import BRANCH
    from callsheet.studio.stack import current_stack

    return await current_stack(engine.database(BRANCH))


# The last words


def _part(out: Output, parting: Parting, where: Where) -> int:
    """Say what was made; returns the exit code."""
    from callsheet.cli.parting import part

    result = parting.result
    if parting.reason != "ended" or parting.code:
        code = part(out, parting, where)
        return BAD_INPUT if code == FAILED and _is_wrong(result) else code
    if out.as_json:
        out.data(_told(result))
    else:
        out.show(*_closing(result))
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
        "made": sorted(key for key, step in result.steps.items() if _was_made(step)),
        "reused": sorted(key for key, step in result.steps.items() if step.source),
        "summary": result.output,
        "report": result.steps["report"].output,
    }


def _was_made(step: StepResult) -> bool:
    return step.state is StepState.SUCCEEDED and not step.source


def _closing(result: Result) -> list[Text]:
    """A few lines: what it is, what it would cost, what to look at."""
    from rich.text import Text

    told = _told(result)
    summary = _summary(result)
    lines = [
        Text.assemble((str(summary["title"]), "bold"), f"  {_length(summary)}, {_parts(summary)}")
    ]
    if "usd" in summary:
        lines.append(Text(_money(summary)))
    if "film" in summary:
        lines.append(Text(f"film.mp4 made in {duration(result.seconds)}, checks {summary['film']}"))
    if summary["violations"]:
        lines += _broken(summary["violations"], told["report"])
    if summary["inferred"]:
        values = _many(summary["inferred"], "value was", "values were")
        lines.append(Text(f"{values} inferred; see `callsheet brief check`", "dim"))
    changed = len(told["written"])
    count = f"{len(told['files'])} files, {changed} of them new or changed"
    lines.append(Text.assemble((told["out"], "bold"), f"  {count}"))
    return lines


_MOST_BROKEN = 3


def _broken(many: int, report: dict[str, Any]) -> list[Text]:
    """The first rules that are broken, and where the others stand."""
    from rich.text import Text

    found = [
        each
        for stage in report["checks"].values()
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
    proof = "proved the best" if summary["proof"] == "optimal" else "not proved the best"
    time = duration(summary["makespan_seconds"])
    return f"${summary['usd']:.2f} expected (${summary['worst_usd']:.2f} at worst), {time}, {proof}"
