"""Mutants of how an engine closes, and of calls that outlive their loop."""

from __future__ import annotations

from typing import Any

from callsheet.core.run import entries as e
from callsheet.runtime import alive
from callsheet.runtime.attempt import Attempt
from callsheet.runtime.loop import RunLoop
from callsheet.testing.simulation.faults import Faults
from callsheet.testing.simulation.mutant import Mutant, instead


def _drop_while_draining(right: Any) -> Any:
    def call_ended(self: Any, end: Any) -> None:
        if self._draining:
            self._attempts.pop(end.step, None)
            self.nudge()
        else:
            right(self, end)

    return call_ended


def _cancel_when_closing(right: Any) -> Any:
    def stopped(self: Any, exc: Any) -> Any:
        if self._told == "close":
            return "cancelled", e.Failure(error_class="cancelled", message="The engine closes.")
        return right(self, exc)

    return stopped


MUTANTS_OF_CLOSING = (
    Mutant(
        "drops_outcomes_in_the_drain",
        "what ends while the engine closes is not written down",
        ((RunLoop, "call_ended", _drop_while_draining),),
    ),
    Mutant(
        "cancels_when_it_closes",
        "a call that is told because the engine closes is cancelled",
        ((Attempt, "_stopped", _cancel_when_closing),),
        Faults(crashes=0.0, closings=1.0, hangs=0.4, errors=0.0, cancels=0.0, outages=0.0),
    ),
    Mutant(
        "calls_beside_itself",
        "a step is called again while an earlier call of it goes on",
        ((alive, "is_alive", instead(lambda _name: False)),),
        Faults(crashes=0.0, closings=0.0, hangs=0.4, deaf=1.0, cancels=0.0, outages=0.0),
    ),
)
