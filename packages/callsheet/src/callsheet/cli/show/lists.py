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

    from callsheet.serve.access.keys import Key

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


_GAP = 2
_LEAST = 8
"""Columns that a plan's name and a key keep at least."""
_CAN_GIVE_WAY = frozenset({"plan", "key"})


def runs_table(listed: Iterable[Mapping[str, Any]], width: int) -> Table:
    """Runs, one per row. An id is never cut: where there is no room, columns are left out."""
    rows = [_run_cells(run) for run in listed]
    heads = ["run", "plan", "state", "started", "ended", "parent", "key"]
    if not any(row["parent"] for row in rows):
        heads.remove("parent")
    widths = {head: max(len(head), *(len(row[head]) for row in rows)) for head in heads}
    # What can be seen elsewhere goes first.
    for spare in ("ended", "key", "parent"):
        if spare in heads and width < _needed(heads, widths):
            heads.remove(spare)
    table = Table.grid(padding=(0, _GAP, 0, 0))
    for head in heads:
        least = None if head in _CAN_GIVE_WAY else widths[head]
        table.add_column(no_wrap=True, overflow="ellipsis", min_width=least)
    table.add_row(*(Text(head, "dim") for head in heads))
    for row in rows:
        table.add_row(*(row[head] for head in heads))
    return table


def _needed(heads: Iterable[str], widths: Mapping[str, int]) -> int:
    return sum(
        (min(widths[head], _LEAST) if head in _CAN_GIVE_WAY else widths[head]) + _GAP
        for head in heads
    )


def _run_cells(run: Mapping[str, Any]) -> dict[str, Text]:
    sign, style = look_of(RunState(run["state"]))
    is_left = run["interrupted"] and run["state"] in ("pending", "running", "undoing")
    state = "interrupted" if is_left else run["state"]
    state += ", paused" if run["paused"] else ""
    return {
        "run": Text(run["run"]),
        "state": Text(f"{sign} {state}", style),
        "plan": Text(run["plan"], "bold"),
        "started": Text(when(run["started_at"]), "dim"),
        "ended": Text(when(run["ended_at"]), "dim"),
        "parent": Text(run.get("parent") or "", "dim"),
        # A turn's key is its place in a conversation: nobody has chosen it.
        "key": Text("" if run["plan"] == "turn" else run["key"] or "", "dim"),
    }


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
        words += ["not said"] if spec.get("unsaid") else []
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


def agents_table(agents: Iterable[Mapping[str, Any]]) -> Table:
    """Agents, one per row; of a model that cannot be asked it is said why."""
    table = _table("agent", "role", "capabilities", "models", "budget")
    for agent in agents:
        models = Text()
        for index, model in enumerate(agent["models"]):
            models.append("\n" if index else "")
            models.append(model["name"], "green" if model["usable"] else "dim")
            if model["problem"]:
                models.append(f": {model['problem']}", "dim")
        caps = agent["budget"] or {}
        table.add_row(
            Text(agent["name"], "bold"),
            agent["role"],
            Text("\n".join(agent["capabilities"])),
            models,
            ", ".join(f"{amount:g} {name}" for name, amount in caps.items()),
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


def keys_table(keys: Iterable[Key]) -> Table:
    """Keys of the service, one per row."""
    table = _table("key", "tenant", "name", "scopes", "made", "expires", "revoked")
    for key in keys:
        moments = (when(each) for each in (key.made_at, key.expires_at, key.revoked_at))
        table.add_row(key.id, key.tenant, key.name, ", ".join(key.scopes), *moments)
    return table
