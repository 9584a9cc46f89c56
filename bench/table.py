"""The table of ratios: one row per measurement, with its bar and whether it is met."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bench.sampling import Series, number, spread

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

NOTHING = "-"
HEADINGS = (
    "case",
    "ours",
    "limit: writer thread",
    "limit: loop turn",
    "of thread",
    "of turn",
    "bar",
    "verdict",
    "CPU ms/step, ours : thread",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One measurement."""

    case: str
    ours: str
    limits: tuple[str, str] = (NOTHING, NOTHING)
    """Of the program with the writer thread, and of the one that commits on the loop."""
    ratios: tuple[str, str] = (NOTHING, NOTHING)
    bar: str = NOTHING
    met: bool | None = None
    """None: there is no bar."""
    cpu: str = NOTHING

    @property
    def verdict(self) -> str:
        return NOTHING if self.met is None else "met" if self.met else "MISSED"

    @property
    def cells(self) -> tuple[str, ...]:
        return (
            self.case,
            self.ours,
            *self.limits,
            *self.ratios,
            self.bar,
            self.verdict,
            self.cpu,
        )


@dataclass(slots=True)
class Report:
    """Everything that was measured, and under which circumstances."""

    machine: Mapping[str, str]
    rows: list[Row] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    loads: dict[str, float] = field(default_factory=dict)
    """Per case, the share of the machine that other processes took."""
    seconds: float = 0.0

    @property
    def busiest(self) -> float:
        return max(self.loads.values(), default=0.0)


def rate_row(
    case: str, steps: int, series: Mapping[str, Series], *, at_least: float | None = None
) -> Row:
    """A throughput: steps a second, and the share of the limit that it is."""
    ours, thread, turn = series["ours"], series["thread"], series["turn"]
    shares = [thread.times(ours), turn.times(ours)]
    cpus = [side.median_cpu for side in (ours, thread)]
    return Row(
        case=case,
        ours=_rate(steps, ours),
        limits=(_rate(steps, thread), _rate(steps, turn)),
        ratios=(_share(shares[0]), _share(shares[1])),
        bar=NOTHING if at_least is None else f"≥ {at_least:.2f} of thread",
        met=None if at_least is None else shares[0].median >= at_least,
        cpu=" : ".join(number(cpu * 1e3 / steps) for cpu in cpus if cpu is not None),
    )


def time_row(
    case: str,
    series: Mapping[str, Series],
    *,
    unit: str = "ms",
    at_most: float | None = None,
) -> Row:
    """A latency: its median, beside that of the limit where there is one."""
    ours = series["ours"]
    sides = [series.get("thread"), series.get("turn")]
    shown = [_time(side, unit) if side else NOTHING for side in sides]
    ratios = [f"{number(ours.times(side).median)} x" if side else NOTHING for side in sides]
    return Row(
        case=case,
        ours=_time(ours, unit),
        limits=(shown[0], shown[1]),
        ratios=(ratios[0], ratios[1]),
        bar=NOTHING if at_most is None else f"≤ {number(at_most * SCALE[unit])} {unit}",
        met=None if at_most is None else ours.median <= at_most,
    )


SCALE = {"s": 1.0, "ms": 1e3, "µs": 1e6}


def _rate(steps: int, series: Series) -> str:
    rates = [steps / seconds for seconds in series.seconds]
    return f"{number(steps / series.median)}/s ({spread(rates)})"


def _share(series: Series) -> str:
    return f"{number(series.median)} ({spread(series.seconds)})"


def _time(series: Series, unit: str) -> str:
    times = [seconds * SCALE[unit] for seconds in series.seconds]
    return f"{number(series.median * SCALE[unit])} {unit} ({spread(times)})"


def render(rows: Sequence[Row]) -> str:
    """The rows as a Markdown table."""
    return aligned([HEADINGS, *(row.cells for row in rows)])


def aligned(lines: Sequence[Sequence[str]]) -> str:
    """A Markdown table whose columns are aligned for a terminal, too; the headings come first."""
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    rule = "|".join("-" * (width + 2) for width in widths)
    first, *others = (
        " | ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        for line in lines
    )
    return "\n".join([f"| {first} |", f"|{rule}|", *(f"| {line} |" for line in others)])


def document(report: Report) -> str:
    """`RESULTS.md`."""
    missed = [row.case for row in report.rows if row.met is False]
    barred = sum(row.met is not None for row in report.rows)
    facts = [f"- {name}: {said}" for name, said in report.machine.items()]
    load = ", ".join(f"{case} {share:.0%}" for case, share in report.loads.items())
    return "\n".join(
        [
            "# What the engine costs",
            "",
            "Written by `make bench`; nothing here is edited by hand.",
            "",
            *facts,
            f"- took {report.seconds:.0f} s; share of the machine that others took: {load}",
            "",
            f"**{barred - len(missed)} of {barred} bars met.** "
            + (f"Missed: {'; '.join(missed)}." if missed else "None is missed."),
            "",
            render(report.rows),
            "",
            _LEGEND,
            *(f"- {note}" for note in report.notes),
            "",
        ]
    )


_LEGEND = """\
Medians, with the range in brackets; ours and the limits were sampled in turns, in one process.
Tools are async, do nothing and return 200 bytes; ours is `Engine.open(home, sync="full")`,
`engine.start(plan)`, `run.wait()`. The limit is a bare asyncio program that makes each result
durable by group commit into SQLite (WAL, synchronous=FULL) and does nothing else: with a writer
thread, which the bars are about, and with one commit per turn of the loop, on the loop. A share is
the median over pairs of neighbouring samples; `x` says how many times as long as the limit.
"""
