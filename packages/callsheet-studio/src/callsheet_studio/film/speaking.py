"""The stages that speak, as tools.

One of them runs in a worker process, which imports this and nothing of what the other stages of
sound are made from.
"""

from __future__ import annotations

import os

from callsheet import Artifact, SyncContext, tool
from callsheet_studio.base.carrying import or_invalid
from callsheet_studio.base.edition import edition
from callsheet_studio.model.base import Data

_VERSION = edition("voice")
_CORES = os.cpu_count() or 1


class LineData(Data):
    """All that the sound of a line depends on."""

    text: str
    speaker: str
    language: str
    pitch: int
    pace: int
    hints: dict[str, str]
    """How names in it are said."""


@tool("studio.voice", version=_VERSION, isolated=True, limit=1, timeout="10m", effect="read")
def voice(line: LineData, ctx: SyncContext) -> Artifact:
    """Speak a line with a voice that has to be loaded: one process does, and speaks all lines."""
    return _spoken(line, ctx)


@tool("studio.pico", version=_VERSION, limit=_CORES, timeout="10m", effect="read")
def pico(line: LineData, ctx: SyncContext) -> Artifact:
    """Speak a line with a voice that is a program, started for each line."""
    return _spoken(line, ctx)


def _spoken(line: LineData, ctx: SyncContext) -> Artifact:
    from callsheet_studio.sound.encode import packed
    from callsheet_studio.sound.voice import Voice, say

    who = Voice(line.speaker or "narrator", line.pitch)
    spoken = or_invalid(say, line.text, line.language, who, pace=line.pace, hints=line.hints)
    return ctx.store(packed(spoken), name="line.voice")
