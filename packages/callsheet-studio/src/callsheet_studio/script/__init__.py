"""Scripts: written from a brief or taken from its author, in beats, and checked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from callsheet_studio.script.own.reading import own_script
from callsheet_studio.script.own.shots import own_shots_script
from callsheet_studio.script.rules.checking import (
    RULES,
    ScriptMeasure,
    check_script,
    coverage,
    read_script,
)

if TYPE_CHECKING:
    from callsheet_studio.model.brief import Brief
    from callsheet_studio.model.script import Script

__all__ = [
    "RULES",
    "ScriptMeasure",
    "Writer",
    "check_script",
    "coverage",
    "own_script",
    "own_shots_script",
    "read_script",
    "write_script",
]


class Writer(Protocol):
    """Whoever writes scripts: our offline one, or a model."""

    def write(self, brief: Brief) -> Script:
        """A script for a brief that brings none of its own."""
        ...


def write_script(brief: Brief, writer: Writer | None = None) -> Script:
    """The script of a brief: its own, that of its own shots, or a new one.

    What breaks a rule in somebody's own script is theirs to decide: `check_script` lists it.

    Raises:
        InputError: the film is impossible, as when the words cannot be spoken in its time.
    """
    if brief.content.script and brief.content.script.strip():
        return own_script(brief)
    if brief.content.shots:
        return own_shots_script(brief)
    if writer is None:
        from callsheet_studio.script.smith.writing import OfflineWriter

        writer = OfflineWriter()
    return writer.write(brief)
