"""The phrases that are known here: our own (`phrases.toml`), and those that apps bring."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.metadata import entry_points
from importlib.resources import files

from callsheet.agents.offline.phrase import GROUP, Phrase
from callsheet.errors import ToolDefinitionError


def all_phrases() -> tuple[Phrase, ...]:
    """Those of apps first: they know better what is meant by their words.

    Raises:
        ToolDefinitionError: an app does not load, or brings something else.
    """
    found: list[Phrase] = []
    for point in sorted(entry_points(group=GROUP), key=lambda each: each.name):
        try:
            found += read(point.load())
        except Exception as exc:
            raise ToolDefinitionError(
                f"The phrases of the app {point.name!r} ({point.value}) cannot be read: {exc}"
            ) from exc
    return (*found, *own_phrases())


@cache
def own_phrases() -> tuple[Phrase, ...]:
    """About runs, files, waiting and the web."""
    return read(files("callsheet.agents.offline").joinpath("phrases.toml").read_text("utf-8"))


def read(text: str) -> tuple[Phrase, ...]:
    """Phrases as TOML: `[pieces]` that patterns name in braces, then a `[[phrase]]` each."""
    table = tomllib.loads(text)
    pieces: dict[str, str] = table.get("pieces", {})

    def whole(pattern: str) -> str:
        for name, piece in pieces.items():
            pattern = pattern.replace(f"{{{name}}}", piece)
        return pattern

    return tuple(
        Phrase(
            example=each["example"],
            pattern=whole(pattern),
            tool=each["tool"],
            args=each.get("args", {}),
        )
        for each in table["phrase"]
        for pattern in each["says"]
    )
