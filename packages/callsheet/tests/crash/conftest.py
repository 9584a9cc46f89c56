"""The undisturbed runs that all others are compared with, once per test process."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeAlias

import pytest
from tests.crash.program import Scenario
from tests.crash.victim import Case, Outcome, check_journal, outcome_of

from callsheet.core.run import entries as e


@dataclass(frozen=True, slots=True)
class Undisturbed:
    """A life that nobody disturbed."""

    outcome: Outcome
    counts: dict[str, int]
    """How often it came to each crash point."""
    seconds: float
    """From the start of the run to its end."""


Undisturbeds: TypeAlias = Callable[[Scenario], Awaitable[Undisturbed]]


@pytest.fixture(scope="session")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Undisturbeds:
    """How a scenario ends when nobody is killed."""
    known: dict[Scenario, Undisturbed] = {}

    async def get(scenario: Scenario) -> Undisturbed:
        if scenario not in known:
            known[scenario] = await _live(Case(tmp_path_factory.mktemp(scenario), scenario))
        return known[scenario]

    return get


async def _live(case: Case) -> Undisturbed:
    assert await case.live(count=True) == 0, case.complaints()
    await check_journal(case)
    entries = await case.journal()
    assert isinstance(entries[-1], e.RunEnded)
    return Undisturbed(
        outcome_of(case, case.run),
        case.said("counts")[-1].data,
        (entries[-1].at - entries[0].at).total_seconds(),
    )
