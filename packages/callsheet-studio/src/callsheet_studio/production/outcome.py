"""What a run of a production has come to, as data: for whoever tells of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import msgspec

from callsheet import StepState
from callsheet_studio.production.stage import PRODUCTION

if TYPE_CHECKING:
    from callsheet import Result


def is_production(result: Result) -> bool:
    """Whether a run is a production whose files are delivered."""
    return result.plan == PRODUCTION and "deliver" in result.steps


def is_wrong(result: Result) -> bool:
    """Whether it failed because of what was asked for, not because of what happened."""
    classes = {step.error.error_class for step in result.steps.values() if step.error}
    return classes == {"invalid"}


class Outcome(msgspec.Struct, frozen=True):
    """What was made, of a production that has succeeded."""

    result: Result

    @property
    def summary(self) -> dict[str, Any]:
        """What is said first."""
        return cast("dict[str, Any]", self.result.output)

    @property
    def report(self) -> dict[str, Any]:
        """Every check and number."""
        return cast("dict[str, Any]", self.result.steps["report"].output)

    @property
    def delivered(self) -> dict[str, Any]:
        """Where files were put, which, and which of them are new."""
        return cast("dict[str, Any]", self.result.steps["deliver"].output)

    @property
    def made(self) -> list[str]:
        """The steps that were done; a step for each of many is what those are."""
        return sorted(key for key in self.result.steps if self._was_made(key))

    @property
    def reused(self) -> list[str]:
        """The steps whose result was there."""
        return sorted(key for key, step in self.result.steps.items() if step.source)

    @property
    def is_bought(self) -> bool:
        """Whether shots were ordered: the worst was set aside, whatever the plan expects."""
        return "hard_cuts" in self.result.steps

    @property
    def is_faulty(self) -> bool:
        """Whether what was measured on the film breaks a rule."""
        return bool(self.summary.get("film") == "failed")

    @property
    def max_cost(self) -> float | None:
        """USD that it may cost, as the brief or whoever started it says."""
        brief = cast("dict[str, Any]", self.result.steps["brief"].output)["whole"]
        return cast("float | None", brief["constraints"]["max_cost_usd"])

    def to_json(self) -> dict[str, Any]:
        """It as data: what `callsheet make --json` prints."""
        return {
            "run": self.result.run,
            "state": str(self.result.state),
            "seconds": round(self.result.seconds, 3),
            "out": self.delivered["out"],
            "files": self.delivered["files"],
            "written": self.delivered["written"],
            "made": self.made,
            "reused": self.reused,
            "summary": self.summary,
            "report": self.report,
        }

    def _was_made(self, key: str) -> bool:
        step = self.result.steps[key]
        is_many = any(other.startswith(f"{key}[") for other in self.result.steps)
        return step.state is StepState.SUCCEEDED and not step.source and not is_many
