"""Numbers for people: a preflight, and statistics of tools."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from callsheet.cli.show.table import clipped, cost_text, duration

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rich.console import RenderableType

    from callsheet.types import Preflight, ToolStatistics

_NOTHING = Text("?", "dim")
_LEFT = frozenset({"step", "tool", "errors"})
_VERDICTS = {"fits": "green", "should fit": "green", "may not fit": "yellow"}
_HIGH_CHANCE = 0.9
_ENOUGH = 10
"""Observations below which a chance says more about our ignorance than about the plan."""


def preflight_view(found: Preflight) -> Iterator[RenderableType]:
    """A preflight: the totals, the steps, what is not known, what could be better."""
    yield _headline(found)
    yield _totals(found)
    yield ""
    yield _steps(found)
    for title, lines in (
        ("unknown", _unknown(found)),
        ("suggestions", [str(each).replace("warning: ", "") for each in found.suggestions]),
    ):
        if lines:
            yield Text(f"\n{title}", "bold")
            for line in lines:
                yield Text(f"  {line}", "yellow")


def _headline(found: Preflight) -> Text:
    line = Text(found.plan, "bold")
    steps, waves = len(found.steps), len(found.waves)
    line.append(f"  {_many(steps, 'step')} in {_many(waves, 'wave')}, ", "dim")
    limit = f" of {found.width}" if found.width > found.at_once else ""
    line.append(f"{found.at_once}{limit} at once, from {_many(found.runs, 'earlier run')}", "dim")
    return line


def _many(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _totals(found: Preflight) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    known = found.seconds
    times = [seconds_text(each) for each in (known.low, known.expected, known.high)]
    costs = [cost_text([each]) for each in (found.cost.low, found.cost.expected, found.cost.high)]
    calls = [str(each.calls) for each in (found.cost.low, found.cost.expected, found.cost.high)]
    missing = {each.what for each in found.unknown}
    is_timed, is_paid = bool(known.expected), bool(costs[1])
    table.add_row("duration", _range(times, is_some=is_timed, is_all="seconds" not in missing))
    table.add_row("longest path", _path(found))
    costs = [each or "nothing" for each in costs]
    table.add_row("cost", _range(costs, is_some=is_paid, is_all="cost" not in missing))
    table.add_row("calls", _range(calls, is_some=True, is_all="calls" not in missing))
    table.add_row("chance", _chance(found.chance, found.observations))
    for line in found.budget:
        worst = f", at worst {line.worst:.3g}" if line.worst is not None else ""
        text = f"{line.expected:.3g} expected, {line.high:.3g} at the high end{worst}"
        verdict = Text(line.verdict, _VERDICTS.get(line.verdict, "bold red"))
        table.add_row(f"{line.cap:g} {line.currency}", verdict.append(f"  {text}", "dim"))
    if found.asks:
        table.add_row("waits for a person", Text(", ".join(found.asks)))
    return table


def _range(ends: list[str], *, is_some: bool, is_all: bool) -> Text:
    """From the low to the high end, as far as anything is known, and whether that is all."""
    low, expected, high = ends
    if not is_some and not is_all:
        return Text("unknown", "dim")
    text = Text(expected if is_all else f"at least {expected}")
    if low != expected or high != expected:
        text.append(f"  {low} to {high}", "dim")
    return text


def _path(found: Preflight) -> Text:
    text = Text(" → ".join(found.critical_path))
    if not found.critical_seconds:
        return text
    return text.append(f"  {seconds_text(found.critical_seconds)}", "dim")


def _chance(chance: float | None, observations: int) -> Text:
    if chance is None:
        return Text("unknown", "dim")
    if observations < _ENOUGH:
        seen = _many(observations, "observation")
        return Text("too early to say", "dim").append(f"  {seen}", "dim")
    text = Text(f"{chance:.0%}", "green" if chance >= _HIGH_CHANCE else "yellow")
    return text.append(f"  {_many(observations, 'observation')}", "dim")


def _steps(found: Preflight) -> Table:
    table = _table("step", "tool", "wave", "calls", "time", "cost", "chance")
    waves = {step: number for number, wave in enumerate(found.waves, 1) for step in wave}
    for step in found.steps:
        if step.presence == "never":
            continue
        table.add_row(
            Text(step.step if step.presence == "always" else f"{step.step}?"),
            clipped(step.tool or "", "dim"),
            str(waves[step.step]),
            "per item" if step.calls is None else str(step.calls),
            _NOTHING if step.seconds is None else seconds_text(step.seconds.expected),
            _NOTHING if step.cost is None else cost_text([step.cost.expected]),
            f"{step.chance:.0%}" if step.chance and step.observations >= _ENOUGH else _NOTHING,
        )
    return table


def _unknown(found: Preflight) -> list[str]:
    """What is not known, one line for each reason."""
    reasons: dict[str, tuple[dict[str, None], dict[str, None]]] = {}
    for each in found.unknown:
        whats, steps = reasons.setdefault(each.why, ({}, {}))
        whats[each.what] = steps[each.step] = None
    return [
        f"{' and '.join(whats)} of {', '.join(steps)}: {why}"
        for why, (whats, steps) in reasons.items()
    ]


def statistics_table(found: Iterable[ToolStatistics]) -> Table:
    """Tools, one per row."""
    heads = ("tool", "calls", "failed", "retries", "p50", "p90", "p99", "cost", "undone", "errors")
    table = _table(*heads)
    for each in found:
        latency = each.seconds
        times = (latency.p50, latency.p90, latency.p99) if latency else ()
        errors = ", ".join(f"{count} {name}" for name, count in each.errors.items())
        doubts = f", {each.in_doubt} in doubt" if each.in_doubt else ""
        table.add_row(
            Text(each.tool, "bold"),
            str(each.calls),
            Text(f"{each.error_rate:.0%}" if each.failed else "", "red"),
            str(each.retries or ""),
            *(map(seconds_text, times) if times else ("", "", "")),
            cost_text([each.cost]),
            str(each.undone or ""),
            clipped(errors + doubts, "dim"),
        )
    return table


def _table(*heads: str) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    for head in heads:
        table.add_column(
            justify="left" if head in _LEFT else "right",
            no_wrap=head not in {"tool", "errors"},
            overflow="ellipsis",
        )
    table.add_row(*(Text(head, "dim") for head in heads))
    return table


def seconds_text(seconds: float) -> str:
    """A time for people, in milliseconds where it is short."""
    return f"{seconds:.3f} s" if seconds < 1 else duration(seconds)
