"""Models to test with: a server that speaks as providers do, and a model that follows a script."""

from __future__ import annotations

from callsheet.testing.models.lines import (
    Drop,
    End,
    Fail,
    Gate,
    Line,
    Pause,
    Piece,
    Raw,
    Say,
    Think,
    calls,
)
from callsheet.testing.models.scripted import ScriptedModel
from callsheet.testing.models.server import Asked, ModelServer

__all__ = [
    "Asked",
    "Drop",
    "End",
    "Fail",
    "Gate",
    "Line",
    "ModelServer",
    "Pause",
    "Piece",
    "Raw",
    "Say",
    "ScriptedModel",
    "Think",
    "calls",
]
