"""A turn as it is shown: text as it comes, a card for calls that go on, a line when they end."""

from __future__ import annotations

import json
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import RenderableType
    from rich.live import Live

    from callsheet.cli.output import Output

_MARKS = {
    "pending": "·",
    "queued": "·",
    "waiting": "?",
    "running": "●",
    "complete": "✓",
    "error": "✗",
    "timeout": "✗",
    "cancelled": "✗",
}
_STYLES = {"complete": "green", "error": "red", "timeout": "red", "waiting": "magenta"}
_FINAL = frozenset({"complete", "error", "timeout", "cancelled"})
_MOST = 60
"""Columns of arguments that a card shows; many characters take two."""


class FlowView(Protocol):
    """Somebody who is shown what happens in a turn."""

    def tell(self, update: dict[str, Any]) -> None:
        """One event of its flow."""
        ...

    def close(self) -> None:
        """The turn is over, or is left."""
        ...


class JsonFlow:
    """A line of JSON for each event."""

    def __init__(self, out: Output) -> None:
        self._out = out

    def tell(self, update: dict[str, Any]) -> None:
        """Print it."""
        self._out.data(update)

    def close(self) -> None:
        """Nothing."""


class TextFlow:
    """For people: on a terminal with cards that are drawn while calls go on, else in lines."""

    def __init__(self, out: Output) -> None:
        self._out = out
        self._console = out.console
        self._printed: dict[int, int] = {}
        """Characters of each text section that stand there."""
        self._calls: dict[tuple[int, str], dict[str, Any]] = {}
        self._live: Live | None = None
        self._is_held = False
        self._at_start = True
        """Whether the cursor stands at the start of a line."""

    def tell(self, update: dict[str, Any]) -> None:
        """Show it."""
        match update["kind"]:
            case "text":
                self._text(update)
            case "tools":
                for call in update.get("calls", ()):
                    self._call(update["index"], call)
            case "call":
                self._call(update["index"], update)
            case "note":
                self._line(f"  ! {update['text']}", "yellow")
            case "end":
                self._end(update)
            case _:
                pass

    @contextmanager
    def held(self) -> Iterator[None]:
        """Draw nothing meanwhile: somebody is asked."""
        self._stop()
        self._is_held = True
        try:
            yield
        finally:
            self._is_held = False

    def close(self) -> None:
        """Leave the terminal as it was."""
        self._stop()
        self._new_line()

    # Text

    def _text(self, update: dict[str, Any]) -> None:
        index = update["index"]
        if "content" in update:
            if self._printed.get(index):
                self._line("  (it begins again)", "dim")
            self._printed[index] = 0
            return
        there = self._printed.get(index, 0)
        new = update["append"][max(0, there - update["offset"]) :]
        if new:
            self._stop()
            self._printed[index] = there + len(new)
            self._write(new)

    def _write(self, text: str, style: str = "") -> None:
        from rich.text import Text

        self._console.print(Text(text, style), end="", soft_wrap=True)
        self._at_start = text.endswith("\n")

    def _line(self, text: str, style: str = "") -> None:
        self._stop()
        self._new_line()
        self._write(f"{text}\n", style)

    def _new_line(self) -> None:
        if not self._at_start:
            self._write("\n")

    # Calls

    def _call(self, index: int, told: dict[str, Any]) -> None:
        key = (index, told["id"])
        call = self._calls.setdefault(key, {"status": "pending", "name": told.get("name", "")})
        was = call["status"]
        call |= {name: value for name, value in told.items() if value is not None}
        if call["status"] in _FINAL and was not in _FINAL:
            self._line(*_card(call))
        self._draw()

    def _draw(self) -> None:
        """The card of what goes on; where nothing can be drawn over, nothing."""
        going = [call for call in self._calls.values() if call["status"] not in _FINAL]
        if not going or self._is_held or not self._console.is_terminal:
            self._stop()
            return
        from rich.console import Group
        from rich.live import Live
        from rich.text import Text

        # A line each, whatever stands in it: what wraps could not be drawn over.
        lines = [Text(*_card(call), no_wrap=True, overflow="ellipsis") for call in going]
        shown: RenderableType = Group(*lines)
        if self._live is None:
            self._new_line()
            self._live = Live(shown, console=self._console, transient=True, auto_refresh=False)
            self._live.start()
        self._live.update(shown, refresh=True)

    def _stop(self) -> None:
        if self._live is not None:
            self._live.stop()
            self._live = None

    def _end(self, update: dict[str, Any]) -> None:
        self._stop()
        self._new_line()
        if update["state"] != "answered":
            why = update.get("reason") or (update.get("error") or {}).get("message") or ""
            self._line(f"  {update['state']}{': ' if why else ''}{why}", "yellow")


def _card(call: dict[str, Any]) -> tuple[str, str]:
    """One line about a call, and its style."""
    status = call["status"]
    args = call.get("args")
    shown = (
        " ".join(f"{name}={_short(value)}" for name, value in args.items())
        if isinstance(args, dict)
        else ""
    )
    shown = _cut(" ".join(shown.split()))
    after = ""
    if status in _FINAL and status != "complete":
        after = f"  {(call.get('error') or {}).get('message', status)}"
    elif status == "complete":
        after = ""  # how far it was is over
    elif isinstance(progress := call.get("progress"), dict) and progress.get("message"):
        after = f"  {progress['message']}"
    return f"  {_MARKS[status]} {call['name']}  {shown}{after}".rstrip(), _STYLES.get(status, "")


def _cut(text: str) -> str:
    """As much of a text as a card has room for."""
    if len(text) * 2 <= _MOST:
        return text
    from rich.cells import cell_len, set_cell_size

    return text if cell_len(text) <= _MOST else f"{set_cell_size(text, _MOST - 1).rstrip()}…"


def _short(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
