"""What is understood here: our own commands (`commands.toml`), and what apps bring."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.metadata import entry_points
from importlib.resources import files
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from callsheet.agents.language.command import Command
from callsheet.agents.language.lexicon import lexicon
from callsheet.agents.language.phrase import GROUP, Phrase
from callsheet.errors import ToolDefinitionError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from callsheet.agents.language.lexicon import Lexicon

Known: TypeAlias = Phrase | Command


def all_phrases() -> tuple[Known, ...]:
    """Those of apps first: they know better what is meant by their words.

    Raises:
        ToolDefinitionError: an app does not load, or brings something else.
    """
    found: list[Known] = []
    for point in sorted(entry_points(group=GROUP), key=lambda each: each.name):
        try:
            found += read(point.load())
        except Exception as exc:
            raise ToolDefinitionError(
                f"The phrases of the app {point.name!r} ({point.value}) cannot be read: {exc}"
            ) from exc
    return (*found, *own_phrases())


@cache
def own_phrases() -> tuple[Known, ...]:
    """About runs, files, waiting and the web."""
    return read(files("callsheet.agents.language").joinpath("commands.toml").read_text("utf-8"))


def read(text: str) -> tuple[Known, ...]:
    """Phrases and commands as TOML.

    `[[command]]` says which things a sentence names, `[words]` brings an app's own words for some;
    `[[phrase]]` is a pattern for a whole sentence, `[pieces]` are what patterns name in braces.
    """
    table = tomllib.loads(text)
    words: dict[str, str] = table.get("words", {})
    commands = [_command({**each, "words": words}) for each in table.get("command", ())]
    return (*commands, *_phrases(table))


def _command(table: dict[str, Any]) -> Command:
    return msgspec.convert(table, Command)


def _phrases(table: dict[str, Any]) -> list[Phrase]:
    pieces: dict[str, str] = table.get("pieces", {})

    def whole(pattern: str) -> str:
        for name, piece in pieces.items():
            pattern = pattern.replace(f"{{{name}}}", piece)
        return pattern

    return [
        Phrase(
            example=each["example"],
            pattern=whole(pattern),
            tool=each["tool"],
            args=each.get("args", {}),
        )
        for each in table.get("phrase", ())
        for pattern in each["says"]
    ]


def words_of(known: Iterable[Known]) -> Lexicon:
    """The words of these commands, and ours."""
    more = {
        (concept, expressions)
        for each in known
        if isinstance(each, Command)
        for concept, expressions in each.words.items()
    }
    return lexicon(tuple(sorted(more)))
