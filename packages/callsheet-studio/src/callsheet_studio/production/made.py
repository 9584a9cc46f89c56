"""What has been made of a production so far, by the id of its run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import msgspec

from callsheet import RunState, StepState
from callsheet.errors import InputError
from callsheet_studio.production.files import files_in
from callsheet_studio.production.result import production_of
from callsheet_studio.production.stage import PRODUCTION

if TYPE_CHECKING:
    from callsheet import Result
    from callsheet_studio.production.result import Production


class Made(msgspec.Struct, frozen=True):
    """The run of a production, as it stands."""

    result: Result

    @property
    def files(self) -> dict[str, dict[str, Any]]:
        """The files that are there, by name: artifacts, as data."""
        return dict(sorted(files_in(self._outputs()).items()))

    @property
    def summary(self) -> dict[str, Any] | None:
        """What is said first of one that has succeeded."""
        return cast("dict[str, Any] | None", self.result.output)

    def whole(self) -> Production:
        """All of it, as objects.

        Raises:
            InputError: it has not succeeded; says why.
        """
        if self.result.state is not RunState.SUCCEEDED and not self.result.state.ended:
            raise InputError(
                f"The production {self.result.run!r} is {self.result.shown_state}. Wait for it."
            )
        return production_of(self.result)

    def to_json(self) -> dict[str, Any]:
        """It as data; what has not been made is null."""
        outputs = self._outputs()
        outputs |= outputs.get("recut") or {}
        return {
            "run": self.result.run,
            "state": str(self.result.state),
            "summary": self.summary,
            **{name: outputs.get(name) for name in ("script", "shots", "plan", "report")},
            "files": self.files,
        }

    def _outputs(self) -> dict[str, Any]:
        return {
            key: step.output
            for key, step in self.result.steps.items()
            if step.state is StepState.SUCCEEDED
        }


def made_of(result: Result) -> Made:
    """What a run has made.

    Raises:
        InputError: it is no production.
    """
    if result.plan != PRODUCTION:
        raise InputError(f"Run {result.run!r} is of the plan {result.plan!r}, and no production.")
    return Made(result)
