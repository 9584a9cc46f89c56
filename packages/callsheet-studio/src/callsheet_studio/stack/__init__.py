"""The tool stack: what films can be made with, kept with sources and dates."""

from typing import TYPE_CHECKING

from callsheet_studio.stack.changes import Change, Changes, changes_between
from callsheet_studio.stack.queries import (
    CAPABILITIES,
    by_capability,
    by_complexity,
    by_shot_type,
    details,
    is_offered,
    is_usable,
    known_on,
    quality,
)
from callsheet_studio.stack.read import load_stack, read_stack, starting_stack
from callsheet_studio.stack.record import StackError

if TYPE_CHECKING:
    from callsheet_studio.stack.keep import StackTables, current_stack

__all__ = [
    "CAPABILITIES",
    "Change",
    "Changes",
    "StackError",
    "StackTables",
    "by_capability",
    "by_complexity",
    "by_shot_type",
    "changes_between",
    "current_stack",
    "details",
    "is_offered",
    "is_usable",
    "known_on",
    "load_stack",
    "quality",
    "read_stack",
    "starting_stack",
]


def __getattr__(name: str) -> object:
    # Whoever only reads a file needs no database.
    if name not in {"StackTables", "current_stack"}:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from callsheet_studio.stack import keep

    return getattr(keep, name)
