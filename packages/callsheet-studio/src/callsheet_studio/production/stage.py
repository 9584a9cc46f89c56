"""The stages of a production by name: what the command line, the plan and the tools agree on."""

from __future__ import annotations

from typing import Literal

Stage = Literal["script", "shots", "plan", "film"]
STAGES: tuple[Stage, ...] = ("script", "shots", "plan", "film")
PRODUCTION = "production"
"""What the plan of a production is called."""
