"""A brief that was checked: what was understood, and what could make it better."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from callsheet_studio.brief.ask import questions
from callsheet_studio.brief.tones import hints

if TYPE_CHECKING:
    from callsheet_studio.model.brief import Brief, BriefQuestion


class Checked(msgspec.Struct, frozen=True):
    """What is known of a brief that is right."""

    brief: Brief

    @property
    def hints(self) -> tuple[str, ...]:
        """What to look at again."""
        return hints(self.brief)

    @property
    def questions(self) -> tuple[BriefQuestion, ...]:
        """What is worth asking."""
        return questions(self.brief)

    def to_json(self) -> dict[str, Any]:
        """It as data: what `callsheet brief check --json` prints."""
        whole = self.brief.model_dump(mode="json")
        inferred = whole.pop("inferred")
        return {
            "ok": True,
            "frames": self.brief.frames,
            "digest": self.brief.digest,
            "brief": whole,
            "inferred": inferred,
            "hints": self.hints,
        }
