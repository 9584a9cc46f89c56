"""How a run is shown while it goes on: as a live table, or as plain lines.

And what is said of it at the end.
"""

from __future__ import annotations

import json
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, ClassVar

from rich.console import Group
from rich.text import Text

from callsheet import Progress, StepState
from callsheet.cli.show.table import Row, cost_text, drawn, duration, headline, look_of, rows_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager

    from rich.console import Console
    from rich.live import Live

    from callsheet import Result
    from callsheet.cli.home import Where
    from callsheet.cli.output import Output

_MOST_OUTPUT = 2000
_SAID = 60
"""Characters of a line that is still being said, in a table."""
_FRAME = 4
"""Lines around the rows: headline, heads, an empty one, and one for the cursor."""


def view_for(out: Output, *, skipped: bool = True) -> LiveView | LineView:
    """The view that fits what stdout is; `skipped`: whether steps are shown that are left out."""
    can_draw = out.console.is_terminal and not out.console.is_dumb_terminal
    kind = LiveView if can_draw else LineView
    return kind(out.console, skipped=skipped)


class _Hearing:
    """Keeps what steps last said of their progress."""

    every: ClassVar[float] = 0.1

    def __init__(self, console: Console, *, skipped: bool = True) -> None:
        self._console = console
        self._shows_skipped = skipped
        self.progress: dict[str, str] = {}
        self._unfinished: dict[str, str] = {}
        """The last line of what each step says, while it may go on."""

    def rows(self, result: Result, progress: dict[str, str]) -> list[Row]:
        """The rows of a run that are to be seen."""
        rows = rows_of(result, progress)
        hidden = () if self._shows_skipped else (StepState.SKIPPED,)
        return [row for row in rows if row.state not in hidden]

    def hear(self, told: object) -> None:
        """Keep it."""
        if isinstance(told, Progress):
            part = "" if told.fraction is None else f"{told.fraction:.0%}"
            self.progress[told.step] = f"{part} {told.message}".strip()

    def speak(self, step: str, text: str) -> None:
        """Print what a step says, line by line; the last one is shown as its progress so far."""
        *lines, rest = (self._unfinished.get(step, "") + text).split("\n")
        for line in lines:
            self._print(step, line)
        self._unfinished[step] = rest
        if rest:
            self.progress[step] = rest[-_SAID:]

    def finish(self, step: str | None = None) -> None:
        """Print the line that a step has not ended, and does not go on with; or all of them."""
        for name in [*self._unfinished] if step is None else [step]:
            if rest := self._unfinished.pop(name, ""):
                self._print(name, rest)

    def _print(self, step: str, line: str) -> None:
        self._console.print(Text.assemble((f"{step}│ ", "dim"), line), soft_wrap=True)


class LiveView(_Hearing):
    """A table that is drawn over itself."""

    def __init__(self, console: Console, *, skipped: bool = True) -> None:
        super().__init__(console, skipped=skipped)
        self._live: Live | None = None
        self._is_held = False
        self._tick = 0
        self._latest: Result | None = None

    def show(self, result: Result) -> None:
        """Draw it."""
        self._latest = result
        self._tick += 1
        if not self._is_held:
            self._open().update(self._drawing(result), refresh=True)

    def say(self, text: str) -> None:
        """Above the table, which goes on."""
        if self._is_held:
            self._console.print()  # the terminal stands in the middle of a line
        self._console.print(Text(text, "yellow"))

    @contextmanager
    def held(self) -> Iterator[None]:
        """The table stays as it is; when it goes on, it does so further down."""
        self.close()
        self._is_held = True
        try:
            yield
        finally:
            self._is_held = False

    def close(self) -> None:
        """Leave the last table standing."""
        if not self._is_held:
            self.finish()
        if self._live is not None:
            if self._latest is not None:
                self._live.update(self._drawing(self._latest, still=True), refresh=True)
            self._live.stop()
            self._live = None

    def _open(self) -> Live:
        if self._live is None:
            from rich.live import Live

            self._live = Live(console=self._console, auto_refresh=False, vertical_overflow="crop")
            self._live.start()
        return self._live

    def _drawing(self, result: Result, *, still: bool = False) -> Group:
        width, height = self._console.size
        table = drawn(
            self.rows(result, self.progress),
            width=width,
            lines=max(height - _FRAME, 3),
            tick=None if still else self._tick,
        )
        return Group(headline(result), table, Text(""))


class LineView(_Hearing):
    """A line whenever a step has moved, for logs and pipes."""

    def __init__(self, console: Console, *, skipped: bool = True) -> None:
        super().__init__(console, skipped=skipped)
        self._seen: dict[str, Row] = {}
        self._is_named = False

    def show(self, result: Result) -> None:
        """Print what has changed since the last time."""
        if not self._is_named:
            self._is_named = True
            self._console.print(Text(f"run {result.run} of {result.plan}"))
        for row in self.rows(result, {}):
            before = self._seen.get(row.step)
            self._seen[row.step] = row
            if before is None and str(row.state) in {"pending", "ready"}:
                continue
            if before is None or _moved(before, row):
                self._console.print(_line(result, row), soft_wrap=True)

    def say(self, text: str) -> None:
        """As a line."""
        self._console.print(Text(text), soft_wrap=True)

    def held(self) -> AbstractContextManager[None]:
        """Lines do not get in the way."""
        return nullcontext()

    def close(self) -> None:
        """What was said is there."""
        self.finish()


def _moved(before: Row, row: Row) -> bool:
    return (before.state, before.count) != (row.state, row.count) or (
        row.attempts > max(before.attempts, 1) and not row.count
    )


def _line(result: Result, row: Row) -> Text:
    sign, style = look_of(row.state)
    parts = [f"{duration(result.seconds):>8}  ", f"{sign} ", f"{row.name}  ", f"{row.state}"]
    more = [f"attempt {row.attempts}"] if row.attempts > 1 and not row.count else []
    more += [note for note in (row.cost, " ".join(row.note.split())) if note]
    line = Text.assemble(parts[0], (parts[1], style), parts[2], (parts[3], style))
    return line.append("".join(f"  {each}" for each in more))


def table_of(result: Result, console: Console) -> Group:
    """The whole run, for somebody who looks once."""
    table = drawn(rows_of(result, {}), width=console.width)
    return Group(headline(result), table)


def closing(result: Result, *, after_table: bool = False) -> list[Text]:
    """What there is to say when a run has ended, or is left; less of it below a table."""
    sign, style = look_of(result.state)
    line = Text(f"{sign} {result.shown_state}", style)
    if result.cause is not None:
        line.append(f": {_cause(result)}", "")
    cost = cost_text([result.cost])
    calls = f"{result.cost.calls} call{'s' if result.cost.calls != 1 else ''}"
    facts = [f"{duration(result.seconds)}", calls, *([cost] if cost else [])]
    if not after_table:
        line.append(f"  ({', '.join(facts)})", "dim")
    lines = [line] if result.cause is not None or not after_table else []
    lines += [
        Text(f"  {problem.step or 'run'}: {problem.message}", "yellow")
        for problem in result.problems
    ]
    if result.output is not None:
        lines.append(Text.assemble(("output  ", "dim"), _clipped(result.output)))
    return lines


def _cause(result: Result) -> str:
    cause = result.cause
    assert cause is not None
    if cause.kind == "cancel":
        said = "cancelled" + (f" by {cause.by}" if cause.by else "")
        return f"{said} ({cause.message})" if cause.message else said
    if cause.kind == "request":
        return "as requested" + (f" by {cause.by}" if cause.by else "")
    return f"{cause.step}: {cause.message}" if cause.step else cause.message


def _clipped(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _MOST_OUTPUT else f"{text[:_MOST_OUTPUT]} … (`show --json` has all)"


def questions_of(result: Result, where: Where) -> list[str]:
    """What is open, and the commands that answer it."""
    lines = []
    for question in result.questions:
        values = "|".join(question.choices) or "TEXT"
        command = where.command("answer", result.run, question.step, "VALUE")
        lines.append(f"  {question.step}: {question.text}")
        lines.append(f"    {command.replace('VALUE', values, 1)}")
    return lines
