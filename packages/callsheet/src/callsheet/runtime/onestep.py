"""The handle of one step of a run: wait for it alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from callsheet.core.run.step import StepState
from callsheet.errors import EngineClosedError, RequestRefusedError
from callsheet.runtime.feed import Event

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from callsheet.core.ids import RunId
    from callsheet.core.past.result import Result, StepResult
    from callsheet.runtime.feed import Told

_OVER = frozenset(
    {
        StepState.SUCCEEDED,
        StepState.FAILED,
        StepState.SKIPPED,
        StepState.CANCELLED,
        StepState.UNDONE,
        StepState.UNDO_FAILED,
    }
)


class Watched(Protocol):
    """The handle of a run, as far as one of its steps needs it."""

    id: RunId

    async def status(self) -> Result:
        """The run as it stands."""
        ...

    def events(self, after: int = 0) -> AsyncIterator[Told]:
        """What happens, until the run ends."""
        ...


class StepHandle:
    """One step of a run, or one item of it. It owns nothing, like the run's handle."""

    def __init__(self, run: Watched, step: str) -> None:
        self.run = run
        self.id = step

    async def status(self) -> StepResult | None:
        """The step as it stands; None while the run has no such step."""
        return (await self.run.status()).steps.get(self.id)

    async def result(self) -> StepResult:
        """Return when the step is over, whatever became of it.

        Of an open run, also a step that is added later.

        Raises:
            RequestRefusedError: the run has ended without such a step.
            EngineClosedError: nobody drives the run.
        """
        status = await self.run.status()
        if status.interrupted:
            raise EngineClosedError(f"No process is driving run {self.run.id!r}; `resume` it.")
        if (found := self._over(status)) is not None:
            return found
        async for told in self.run.events():
            if isinstance(told, Event) and self._concerns(told):
                status = await self.run.status()
                if (found := self._over(status)) is not None:
                    return found
        raise RequestRefusedError(f"Run {self.run.id!r} has ended and has no step {self.id!r}.")

    def _concerns(self, event: Event) -> bool:
        named = getattr(event.entry, "step", None)
        own = named is not None and str(named).partition("[")[0] == self.id.partition("[")[0]
        return own or named is None

    def _over(self, status: Result) -> StepResult | None:
        step = status.steps.get(self.id)
        if step is not None and (step.state in _OVER or status.state.ended):
            return step
        return None
