"""Entries, plans and requests to try a store with; every detail has a default."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from msgspec import Raw

from callsheet.core import ids, value
from callsheet.core.plan.plan import FORMAT, NOTHING, Cost, Plan, Step
from callsheet.core.run.entries import (
    CORE_VERSION,
    AttemptEnded,
    EndState,
    ProblemNoted,
    RunEnded,
    RunStarted,
    UndoRequested,
)
from callsheet.core.run.request import LeftStart, Request
from callsheet.core.run.verbs import RunReopened

if TYPE_CHECKING:
    from callsheet.core.ids import RunId
    from callsheet.core.plan.artifact import Artifact
    from callsheet.core.run.request import RequestKind
    from callsheet.core.value import Json

NOON = datetime(2026, 1, 2, 12, 0, tzinfo=UTC)


def at(seconds: float) -> datetime:
    """So many seconds after noon."""
    return NOON + timedelta(seconds=seconds)


def run_id(number: int) -> RunId:
    """The id of the run started at second `number`: later ones sort behind earlier ones."""
    return ids.mint_run(1_700_000_000_000 + number * 1000, number)


def a_plan(name: str = "trip", *, tool: str = "flights.book") -> Plan:
    """A plan of one step."""
    return Plan(name=name, steps=(Step(id="flight", tool=tool, args={"to": "Oslo"}),))


# Every one is optional, and says which detail the test is about.
def started(  # noqa: PLR0913
    run: RunId,
    *,
    plan: Plan | None = None,
    inputs: Json = None,
    key: str | None = None,
    tenant: str = "default",
    reserves: Cost = NOTHING,
    consumed: tuple[str, ...] = (),
    seconds: float = 0,
) -> RunStarted:
    """The beginning of a run."""
    return RunStarted(
        at=at(seconds),
        run=run,
        plan=plan or a_plan(),
        inputs=Raw(value.encode({} if inputs is None else inputs)),
        tools={},
        seed="seed",
        format=FORMAT,
        core=CORE_VERSION,
        flags=(),
        key=key,
        tenant=tenant,
        reserves=reserves,
        consumed=consumed,
    )


def noted(message: str = "something happened") -> ProblemNoted:
    """An entry that changes nothing."""
    return ProblemNoted(at=at(1), message=message)


def succeeded(
    output: Json,
    *,
    attempt: int = 1,
    artifacts: tuple[Artifact, ...] = (),
    cache_key: str = "",
    seconds: float = 2,
) -> AttemptEnded:
    """An attempt that ended well."""
    return AttemptEnded(
        at=at(seconds),
        step="flight",
        attempt=attempt,
        outcome="succeeded",
        output=Raw(value.encode(output)),
        artifacts=artifacts,
        cache_key=cache_key,
    )


def ended(state: EndState = "succeeded", *, seconds: float = 3, spent: Cost = NOTHING) -> RunEnded:
    """The end of a run."""
    return RunEnded(at=at(seconds), state=state, spent=spent)


def undo_requested() -> UndoRequested:
    """What opens an ended run again."""
    return UndoRequested(at=at(4))


def reopened(tenant: str, reserves: Cost) -> RunReopened:
    """What has an ended run go on, and set something aside again."""
    return RunReopened(at=at(4), step="flight", tenant=tenant, reserves=reserves)


def a_request(number: int, *, run: RunId | None = None, kind: RequestKind = "pause") -> Request:
    """Something asked of a run."""
    return Request(id=f"q{number}", run=run or run_id(1), kind=kind, by="ada")


def a_start(number: int) -> Request:
    """A run that somebody has left to be started."""
    plan = a_plan()
    left = LeftStart(at=NOON, plan=plan, content=value.digest([plan.digest, {}]))
    return Request(id=f"start-{number}", run=run_id(number), kind="start", start=left)
