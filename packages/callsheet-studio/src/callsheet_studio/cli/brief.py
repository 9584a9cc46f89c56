"""The commands about briefs: `brief check|questions|schema`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from callsheet.apps.command import BAD_INPUT, AsJson, Output
from callsheet.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import RenderableType

    from callsheet_studio.model.brief import Brief, BriefQuestion

_File: TypeAlias = Annotated[
    Path, typer.Argument(metavar="FILE", help="A brief in YAML, JSON or Markdown.")
]


def shelf() -> typer.Typer:
    """The commands of `callsheet brief`."""
    app = typer.Typer(no_args_is_help=True, help="Look at a brief before a film is made of it.")
    for command in (check, questions, schema):
        app.command()(command)
    return app


def check(file: _File, *, as_json: AsJson = False) -> None:
    """Check a brief: what was understood, what is inferred, or every problem at once.

    Writes nothing.
    """
    with Output(as_json=as_json) as out:
        from callsheet_studio.studio import Studio

        try:
            found = Studio.check(file)
        except InputError as error:
            if not as_json:
                raise
            problems = getattr(error, "problems", ())
            said = {"code": error.code, "message": error.message, "problems": problems}
            out.data({"ok": False, "problems": problems, "error": said})
            raise typer.Exit(BAD_INPUT) from error
        if as_json:
            out.data(found.to_json())
            return
        out.show(*_view(found.brief))
        for hint in found.hints:
            out.remark(hint, "yellow")
        if asked := found.questions:
            count = "1 question" if len(asked) == 1 else f"{len(asked)} questions"
            out.remark(f"{count} could make it better: callsheet brief questions {file}", "dim")


def questions(file: _File, *, as_json: AsJson = False) -> None:
    """List what is worth asking before the film is made: at most five questions.

    Never about what the brief says. Each has a default, so none must be answered.
    """
    with Output(as_json=as_json) as out:
        from callsheet_studio.studio import Studio

        asked = Studio.questions(file)
        if as_json:
            out.data([each.model_dump(mode="json") for each in asked])
        elif not asked:
            out.remark("Nothing is left to ask: the brief says it all.")
        else:
            out.show(*_asked(asked))


def schema() -> None:
    """Print the JSON Schema of a brief, for editors and forms."""
    with Output(as_json=True) as out:
        from callsheet_studio.brief.schema import input_schema

        out.data(input_schema())


def _view(brief: Brief) -> Iterator[RenderableType]:
    from rich.table import Table
    from rich.text import Text

    content, rate = brief.content, brief.rate
    line = Text("✓ ", "green").append(brief.project.title, "bold")
    facts = f"{content.type}, {content.duration:g} s, {brief.frames:,} frames at {rate} fps"
    line.append(f"  {facts}, {brief.delivery.aspect}, {content.language}", "dim")
    yield line
    inferred = {each.key for each in brief.inferred}
    said = Table.grid(padding=(0, 2, 0, 0))
    said.add_column(no_wrap=True)
    said.add_column()
    for key, value in _said(brief):
        if key not in inferred:
            said.add_row(Text(key, "dim"), Text(value))
    yield said
    if brief.inferred:
        yield Text("\ninferred", "bold")
        table = Table.grid(padding=(0, 2, 0, 0))
        table.add_column(no_wrap=True)
        table.add_column()
        table.add_column()
        for each in brief.inferred:
            value = _shown(each.value, each.key.rpartition(".")[2])
            table.add_row(Text(each.key, "dim"), Text(value), Text(each.why, "dim"))
        yield table


_LONGEST = 3
"""Lines of a long text that are shown."""
_IN_A_ROW = frozenset({"platforms", "palette", "must_include", "must_avoid"})
_HOUR, _MINUTE = 3600, 60


def _said(brief: Brief) -> Iterator[tuple[str, str]]:
    """What the brief says, by key, in the order of its sections, but for what is taken anyway."""
    dumped = brief.model_dump(mode="json", exclude={"inferred"}, exclude_defaults=True)
    for section, values in dumped.items():
        for name, value in values.items():
            if value not in (None, "", [], {}):
                yield f"{section}.{name}", _shown(value, name)


def _shown(value: object, name: str) -> str:
    if isinstance(value, (list, tuple)):
        items = [str(each["action"] if isinstance(each, dict) else each) for each in value]
        return (", " if name in _IN_A_ROW else "\n").join(items)
    if isinstance(value, dict):
        is_file = "$artifact" in value
        return value["name"] if is_file else ", ".join(f"{k}: {v}" for k, v in value.items())
    if isinstance(value, float):
        return _time(value) if name in {"duration", "deadline"} else f"{value:g}"
    lines = str(value).splitlines()
    rest = len(lines) - _LONGEST
    return "\n".join([*lines[:_LONGEST], f"… {rest} more lines"]) if rest > 1 else str(value)


def _time(seconds: float) -> str:
    if seconds >= _HOUR:
        return f"{seconds / _HOUR:g} h"
    is_minutes = seconds >= 2 * _MINUTE and seconds % _MINUTE == 0
    return f"{seconds / _MINUTE:g} min" if is_minutes else f"{seconds:g} s"


def _asked(asked: tuple[BriefQuestion, ...]) -> Iterator[RenderableType]:
    from rich.table import Table
    from rich.text import Text

    for number, each in enumerate(asked):
        line = Text("\n" if number else "").append(each.key, "bold")
        yield line.append(f"  {each.text}").append(f"  {each.priority}", "dim")
        table = Table.grid(padding=(0, 2, 0, 0))
        table.add_column(no_wrap=True)
        table.add_column()
        if each.options:
            table.add_row(Text("  options", "dim"), Text(", ".join(each.options)))
        if each.default:
            table.add_row(Text("  default", "dim"), Text(each.default))
        table.add_row(Text("  hint", "dim"), Text(each.hint, "dim"))
        yield table


app = shelf()
"""What the entry point names."""
