"""A run as a table: one row per step, whatever the width of the terminal. Draws, and knows no time.

Steps with many items are one row (`rooms 3/5`). Where there are more rows than lines, those that
matter now are shown and the rest is counted.
"""

from __future__ import annotations

from collections import Counter
from math import ceil
from typing import TYPE_CHECKING

import msgspec
from msgspec import structs
from rich.console import Group
from rich.table import Table
from rich.text import Text

from callsheet import RunState, StepState

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

    from rich.console import RenderableType

    from callsheet import Cost, Result
    from callsheet.types import StepResult

_LOOK: Mapping[StepState, tuple[str, str]] = {
    StepState.PENDING: ("·", "dim"),
    StepState.READY: ("·", "dim"),
    StepState.RUNNING: ("●", "cyan"),
    StepState.RETRYING: ("↻", "yellow"),
    StepState.WAITING: ("?", "bold magenta"),
    StepState.SUCCEEDED: ("✓", "green"),
    StepState.FAILED: ("✗", "bold red"),
    StepState.SKIPPED: ("-", "dim"),
    StepState.CANCELLED: ("⊘", "dim yellow"),
    StepState.IN_DOUBT: ("?", "bold red"),
    StepState.UNDOING: ("↶", "yellow"),
    StepState.UNDONE: ("↶", "blue"),
    StepState.UNDO_FAILED: ("✗", "bold red"),
}
_RUN_LOOK: Mapping[RunState, tuple[str, str]] = {
    RunState.PENDING: ("·", "dim"),
    RunState.RUNNING: ("●", "cyan"),
    RunState.WAITING: ("?", "bold magenta"),
    RunState.UNDOING: ("↶", "yellow"),
    RunState.SUCCEEDED: ("✓", "green"),
    RunState.FAILED: ("✗", "bold red"),
    RunState.CANCELLED: ("⊘", "yellow"),
    RunState.UNDONE: ("↶", "blue"),
    RunState.STUCK: ("!", "bold red"),
}
_SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
_QUIET = frozenset({StepState.PENDING, StepState.READY, StepState.SUCCEEDED, StepState.SKIPPED})
_FINAL = frozenset({StepState.SUCCEEDED, StepState.SKIPPED})
_GOOD = frozenset({StepState.READY, StepState.RUNNING, StepState.SUCCEEDED})
_TAKEN_BACK = frozenset({StepState.UNDOING, StepState.UNDONE, StepState.UNDO_FAILED})
_MOVING = frozenset({StepState.RUNNING, StepState.UNDOING})
_NARROW, _MINUTE, _HOUR, _SHORT = 64, 60, 3600, 100
_CENT, _THOUSAND = 0.01, 1000
_WIDE_ONLY = frozenset({"attempts", "cost"})
_NUMBERS = frozenset({"attempts", "time", "cost"})


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """One step of the plan, all its items together."""

    step: str
    count: str
    """`3/5` for a step with items."""
    state: StepState
    attempts: int
    is_retried: bool
    """Some call needed more than one attempt."""
    seconds: float | None
    cost: str
    note: str
    child: str = ""
    """The run that it is; an id is shown whole, or not at all."""
    is_left: bool = False
    """It was going on when its run was interrupted."""

    @property
    def word(self) -> str:
        """Its state, for people."""
        return "interrupted" if self.is_left else str(self.state).replace("_", " ")

    @property
    def name(self) -> str:
        """The step and how many of its items are done."""
        return f"{self.step} {self.count}".rstrip()


def look_of(state: StepState | RunState) -> tuple[str, str]:
    """The sign and the style of a state."""
    return _LOOK[state] if isinstance(state, StepState) else _RUN_LOOK[state]


def rows_of(result: Result, progress: Mapping[str, str]) -> list[Row]:
    """The rows of a run. `progress` is what running steps last said of themselves."""
    items: dict[str, list[tuple[str, StepResult]]] = {}
    for key, step in result.steps.items():
        name, bracket, _ = key.partition("[")
        if bracket:
            items.setdefault(name, []).append((key, step))
    asked = {question.step: question.text for question in result.questions}
    return [
        _row(key, step, items.get(key, []), result, {**progress, **asked})
        for key, step in result.steps.items()
        if "[" not in key
    ]


def _row(
    key: str,
    step: StepResult,
    items: list[tuple[str, StepResult]],
    result: Result,
    said: Mapping[str, str],
) -> Row:
    parts = items or [(key, step)]
    is_undo = any(item.state in _TAKEN_BACK for _, item in items)
    over = {StepState.UNDONE} if is_undo else _FINAL
    done = sum(item.state in over for _, item in items)
    # Of many sub-plans, no single one is named.
    notes = (
        note for name, part in parts if (note := _note(name, part, said)) != part.child or not items
    )
    state = _state(step, items)
    return Row(
        step=key,
        count=f"{done}/{len(items)}" if items else "",
        state=state,
        is_left=result.interrupted and state in _MOVING,
        attempts=sum(part.attempts for _, part in parts),
        is_retried=any(part.attempts > 1 for _, part in parts),
        seconds=_seconds([part for _, part in parts], result.at),
        cost=cost_text(part.cost for _, part in parts),
        note=_left([item for _, item in items], result.at)
        or next((note for note in notes if note), _note(key, step, said) if items else ""),
        child="" if items else step.child,
    )


def _left(items: list[StepResult], now: datetime) -> str:
    """How long the rest of many items will take, if it goes on as it went."""
    if any(item.state in _TAKEN_BACK for item in items):
        return ""  # how long an undo takes is not seen from how long the calls took
    made = [item for item in items if item.state in _FINAL and item.started_at and not item.source]
    rest = sum(item.state not in _FINAL for item in items)
    if not made or not rest:
        return ""
    begun = [item.started_at for item in items if item.started_at and not item.source]
    so_far = (now - min(begun)).total_seconds()
    left = so_far / len(made) * rest
    return f"about {duration(left) if left >= _MINUTE else f'{ceil(left)} s'} left"


def _state(step: StepResult, items: list[tuple[str, StepResult]]) -> StepState:
    """A list's own state, unless its items say more: that they wait, or were taken back."""
    loud = [item.state for _, item in items if item.state not in _QUIET]
    if step.state is StepState.RUNNING and loud and StepState.RUNNING not in loud:
        return loud[0]
    if step.state is StepState.SUCCEEDED and loud:
        return loud[0]
    return step.state


def _note(key: str, step: StepResult, said: Mapping[str, str]) -> str:
    if step.state in {StepState.RUNNING, StepState.WAITING, StepState.IN_DOUBT} and said.get(key):
        return said[key]
    if step.error is not None and step.state not in _GOOD:
        return f"{step.error.error_class}: {step.error.message}"
    if step.state is StepState.PENDING:
        return step.label
    return step.reason or _elsewhere(step) or step.label


def _elsewhere(step: StepResult) -> str:
    """Where it was done, if not in this run."""
    if step.child:
        return step.child
    if step.source:
        return f"as in run {step.source}"
    return "taken over" if step.copied else ""


def _seconds(parts: list[StepResult], now: datetime) -> float | None:
    started = [part.started_at for part in parts if part.started_at]
    if not started:
        return None
    ended = [part.ended_at for part in parts if part.started_at]
    until = max((at for at in ended if at), default=now) if all(ended) else now
    return max((until - min(started)).total_seconds(), 0.0)


def drawn(
    rows: list[Row], *, width: int, lines: int | None = None, tick: int | None = None
) -> RenderableType:
    """The table. `lines`: how many rows there is room for; `tick` turns the spinners."""
    shown, hidden = _chosen(rows, lines)
    is_narrow = width < _NARROW
    table = Table.grid(padding=(0, 2, 0, 0))
    heads = ["", "step", "state", "attempts", "time", "cost", ""]
    # Wide enough for what may come: columns that move are hard to read.
    step = min(max([12, *(len(row.name) for row in rows)]), max(width // 3, 12))
    for head, least in zip(heads, (1, step, 9, 8, 6, 6, 0), strict=True):
        if not (is_narrow and head in _WIDE_ONLY):
            table.add_column(
                justify="right" if head in _NUMBERS else "left",
                no_wrap=bool(least),  # the last column gives way when there is no room
                overflow="ellipsis",
                min_width=least,
                max_width=step if head == "step" else None,
            )
    table.add_row(*(Text(head, "dim") for head in heads if not (is_narrow and head in _WIDE_ONLY)))
    taken = 3 + step + 2 + max([9, *(len(row.word) for row in rows)]) + 2 + 8
    taken += 0 if is_narrow else 10 + max([6, *(len(row.cost) for row in rows)]) + 2
    for row in shown:
        is_cut = row.child and row.note == row.child and taken + len(row.child) > width
        fitting = structs.replace(row, note="") if is_cut else row
        table.add_row(*_cells(fitting, tick, is_narrow=is_narrow))
    if not hidden:
        return table
    counts = Counter(row.word for row in hidden)
    rest = ", ".join(f"{count} {state}" for state, count in counts.items())
    return Group(table, Text(f"   and {len(hidden)} more: {rest}", "dim"))


def _cells(row: Row, tick: int | None, *, is_narrow: bool) -> list[Text]:
    sign, style = look_of(row.state)
    if row.state is StepState.RUNNING and tick is not None:
        sign = _SPINNER[tick % len(_SPINNER)]
    quiet = "dim" if row.state in {StepState.PENDING, StepState.READY, StepState.SKIPPED} else ""
    name = Text(row.step, quiet)
    if row.count:
        name.append(f" {row.count}", "dim")
    is_bad = row.state in {StepState.FAILED, StepState.UNDO_FAILED, StepState.IN_DOUBT}
    cells = [Text(sign, style), name, Text(row.word, style)]
    if not is_narrow:
        cells.append(Text(str(row.attempts or ""), "yellow" if row.is_retried else "dim"))
    cells.append(Text(duration(row.seconds) if row.seconds is not None else "", "dim"))
    if not is_narrow:
        cells.append(Text(row.cost, "dim"))
    cells.append(clipped(" ".join(row.note.split()), "red" if is_bad else "dim"))
    return cells


def clipped(text: str, style: str = "") -> Text:
    """Text on one line, cut where there is no room."""
    return Text(text, style, no_wrap=True, overflow="ellipsis")


def _chosen(rows: list[Row], lines: int | None) -> tuple[list[Row], list[Row]]:
    """The rows there is room for (what goes on, what went wrong, what is near) and the others."""
    if lines is None or len(rows) <= lines:
        return rows, []
    room = max(lines - 1, 1)
    loud = [index for index, row in enumerate(rows) if row.state not in _QUIET]
    quiet = [index for index, row in enumerate(rows) if row.state in _QUIET]
    # Of what is quiet, the last that are done and the first that are not: where the run is.
    here = next((i for i in quiet if rows[i].state not in _FINAL), len(rows))
    quiet.sort(key=lambda index: abs(index - here))
    chosen = set((loud + quiet)[:room])
    shown = [row for index, row in enumerate(rows) if index in chosen]
    return shown, [row for index, row in enumerate(rows) if index not in chosen]


def headline(result: Result, *, sign: bool = True) -> Text:
    """The run in one line: plan, id, state, time, cost."""
    mark, style = look_of(result.state)
    line = Text(f"{mark} " if sign else "", style)
    line.append(result.plan, "bold")
    line.append(f"  {result.run}  ", "dim")
    line.append(result.shown_state, style)
    if result.paused:
        line.append(", paused", "magenta")
    line.append(f"  {duration(result.seconds)}", "dim")
    if cost := cost_text([result.cost]):
        line.append(f"  {cost}", "dim")
    return line


def duration(seconds: float) -> str:
    """A time for people: `0.4 s`, `2m 05s`, `1h 02m`."""
    if seconds < _SHORT:
        return f"{seconds:.1f} s"
    whole = int(seconds)
    if whole < _HOUR:
        return f"{whole // _MINUTE}m {whole % _MINUTE:02}s"
    return f"{whole // _HOUR}h {whole % _HOUR // _MINUTE:02}m"


def cost_text(costs: Iterable[Cost]) -> str:
    """An amount for people; empty when nothing was spent. Calls are counted as attempts."""
    usd = spent_credits = tokens = 0.0
    for cost in costs:
        usd += cost.usd
        spent_credits += cost.credits
        tokens += cost.tokens
    parts = []
    if usd:
        parts.append(f"${usd:.2f}" if usd >= _CENT else f"${usd:.4f}")
    if spent_credits:
        parts.append(f"{spent_credits:g} credits")
    if tokens:
        many = f"{tokens / _THOUSAND:.1f}k" if tokens >= _THOUSAND else f"{tokens:g}"
        parts.append(f"{many} tokens")
    return " ".join(parts)
