"""Tables of things that are listed: runs, entries, tools, saved plans, context items."""

from __future__ import annotations

import json
from datetime import datetime
from typing import TYPE_CHECKING, Any

from rich.table import Table
from rich.text import Text

from callsheet import RunState
from callsheet.cli.show.table import clipped, look_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_PLAIN_FIELDS = frozenset({"seq", "kind", "at", "step", "attempt"})
_WEIGHTY = frozenset({"plan", "tools", "digest", "seed"})
_MOST = 300
_FLEXIBLE = frozenset({"what", "what it does", "arguments"})
"""Columns that give way when there is not enough room."""


def _table(*heads: str) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    for head in heads:
        table.add_column(no_wrap=head not in _FLEXIBLE, overflow="ellipsis")
    table.add_row(*(Text(head, "dim") for head in heads))
    return table


def when(at: datetime | str | None) -> str:
    """A time for people, in their own zone; plain data has it as text."""
    moment = datetime.fromisoformat(at) if isinstance(at, str) else at
    return moment.astimezone().strftime("%Y-%m-%d %H:%M:%S") if moment else ""


def runs_table(listed: Iterable[Mapping[str, Any]]) -> Table:
    """Runs, one per row."""
    table = _table("run", "plan", "state", "started", "ended", "key")
    for run in listed:
        sign, style = look_of(RunState(run["state"]))
        state = "interrupted" if run["interrupted"] and run["state"] == "running" else run["state"]
        state += ", paused" if run["paused"] else ""
        table.add_row(
            run["run"],
            Text(run["plan"], "bold"),
            Text(f"{sign} {state}", style),
            Text(when(run["started_at"]), "dim"),
            Text(when(run["ended_at"]), "dim"),
            Text(run["key"] or "", "dim"),
        )
    return table


def journal_table(entries: Iterable[Mapping[str, Any]]) -> Table:
    """Entries, one per row."""
    table = _table("seq", "at", "entry", "step", "what")
    for entry in entries:
        attempt = entry.get("attempt")
        step = str(entry.get("step") or "") + (f" #{attempt}" if attempt else "")
        rest = {k: v for k, v in entry.items() if k not in _PLAIN_FIELDS | _WEIGHTY}
        table.add_row(
            Text(str(entry["seq"]), "dim"),
            Text(str(entry["at"])[11:23], "dim"),
            Text(str(entry["kind"]), _style(entry)),
            Text(step),
            clipped(_short(rest), "dim"),
        )
    return table


def _style(entry: Mapping[str, Any]) -> str:
    if entry.get("outcome") in {"failed", "lost"}:
        return "red"
    return _KINDS.get(str(entry["kind"]), "")


_KINDS = {
    "AttemptStarted": "cyan",
    "AttemptEnded": "green",
    "RunEnded": "bold",
    "RunStarted": "bold",
    "QuestionAsked": "magenta",
    "AnswerRecorded": "magenta",
    "UndoStarted": "yellow",
    "UndoEnded": "yellow",
    "CancelRequested": "yellow",
    "StepRefused": "red",
}


def _short(rest: Mapping[str, Any]) -> str:
    parts = [
        f"{name}={value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)}"
        for name, value in rest.items()
    ]
    text = " ".join(" ".join(parts).split())
    return text if len(text) <= _MOST else f"{text[:_MOST]}…"


def tools_table(specs: Iterable[Mapping[str, Any]]) -> Table:
    """Tools, one per row."""
    table = _table("tool", "effect", "undo", "arguments", "what it does")
    for spec in specs:
        words = [word for word in ("idempotent", "destructive") if spec.get(word)]
        is_write = spec["effect"] == "write"
        effect = Text(", ".join([spec["effect"], *words]), "yellow" if is_write else "green")
        schema = spec.get("input_schema", {})
        required = schema.get("required", ())
        arguments = ", ".join(
            name if name in required else f"{name}?" for name in schema.get("properties", {})
        )
        table.add_row(
            Text(spec["name"], "bold"),
            effect,
            Text(spec.get("undo") or "", "dim"),
            clipped(arguments),
            clipped(spec.get("description", ""), "dim"),
        )
    return table


def plans_table(saved: Iterable[Mapping[str, Any]]) -> Table:
    """Saved plans, one per row."""
    table = _table("plan", "version", "steps", "saved", "what it does")
    for plan in saved:
        table.add_row(
            Text(plan["name"], "bold"),
            str(plan["version"]),
            str(plan["steps"]),
            Text(when(plan["saved_at"]), "dim"),
            clipped(plan["description"], "dim"),
        )
    return table


def context_table(items: Iterable[Mapping[str, Any]]) -> Table:
    """Context items, one per row."""
    table = _table("item", "version", "bytes", "saved", "expires")
    for item in items:
        table.add_row(
            Text(item["name"], "bold"),
            str(item["version"]),
            str(item["size"]),
            Text(when(item["saved_at"]), "dim"),
            Text(when(item["expires_at"]), "dim"),
        )
    return table
