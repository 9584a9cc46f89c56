"""Saved plans: kept by name, in versions."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

import msgspec

from callsheet.core.plan.plan import Plan

if TYPE_CHECKING:
    from callsheet.core.value import Json


class SavedPlan(msgspec.Struct, frozen=True, kw_only=True):
    """One version of a saved plan."""

    name: str
    version: int
    plan: Plan
    saved_at: datetime
    tenant: str = "default"
    """Whose it is."""

    def to_json(self) -> dict[str, Json]:
        """What is known of it, as plain data; the plan itself is `plan.to_json()`."""
        return {
            "name": self.name,
            "version": self.version,
            "digest": self.plan.digest,
            "steps": len(self.plan.steps),
            "description": self.plan.description,
            "saved_at": msgspec.to_builtins(self.saved_at),
        }
