"""A step that is a run: whatever goes wrong with it, its parent hears of an end."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from msgspec import Raw

from callsheet.core.ids import RunId, StepKey
from callsheet.core.plan.plan import NOTHING, Plan
from callsheet.core.plan.subplan import SUB_PLAN
from callsheet.core.run.start import Start
from callsheet.runtime.child import ChildAttempt
from callsheet.runtime.children import Children
from callsheet.testing import SimulatedClock, simulated
from callsheet.tools.registry import Registry

if TYPE_CHECKING:
    from callsheet.core.past.result import Result
    from callsheet.core.run.outcome import End
    from callsheet.core.run.request import Request
    from callsheet.errors import CallsheetError


class Broken:
    """Other runs, of which nothing is known but that something is wrong with them."""

    async def begin(self, start: Start) -> None:
        raise RuntimeError("a mistake of somebody's")

    async def exists(self, run: RunId) -> bool:
        return True

    async def request(self, request: Request) -> None:
        raise RuntimeError("a mistake of somebody's")

    async def paused_by(self, run: RunId) -> str | None:
        return None

    async def ended(self, run: RunId) -> Result:
        raise AssertionError("it never began")


@pytest.mark.requirement("E11")
@pytest.mark.parametrize("undo", [False, True])
@simulated
async def test_a_mistake_in_a_child_fails_its_step(undo: bool) -> None:
    ends: list[End] = []
    errors: list[CallsheetError] = []
    child = ChildAttempt(
        Start(run=RunId("r-a"), plan=Plan(steps=()), inputs=Raw(b"{}"), tools={}),
        Broken(),
        step=StepKey("a"),
        attempt=1,
        tool=SUB_PLAN,
        undo=undo,
        timeout=None,
        charged=NOTHING,
        clock=SimulatedClock(),
        report=ends.append,
        broken=errors.append,
    )
    child.begin(Children(), Registry())
    await SimulatedClock().sleep(1)
    (end,) = ends
    assert (end.outcome, errors) == ("failed", [])
    assert end.error is not None
    assert (end.error.error_class, end.error.type) == ("fatal", "RuntimeError")
    assert "a mistake of somebody's" in end.error.message
