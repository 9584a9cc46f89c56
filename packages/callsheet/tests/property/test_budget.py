"""Laws of the budget: what is set aside, what is spent, and that both add up."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from tests.property.strategies import histories
from tests.property.world import History, node_of, walk

from callsheet.core.plan.plan import NOTHING, Budget, Cost
from callsheet.core.run import entries as e

if TYPE_CHECKING:
    from collections.abc import Iterable

    from callsheet.core.run.snapshot import Snapshot

# A hundred histories for each law.
pytestmark = pytest.mark.slow

CURRENCIES = ("usd", "credits", "tokens")
DUST = 1e-6
CHARGES = (e.AttemptEnded, e.UndoEnded, e.AnswerRecorded)
"""What says that something was spent."""


def sum_of(amounts: Iterable[Cost]) -> Cost:
    return reduce(Cost.plus, amounts, NOTHING)


def close(one: Cost, other: Cost) -> bool:
    return all(abs(getattr(one, name) - getattr(other, name)) < DUST for name in CURRENCIES)


def over(before: Snapshot, amount: Cost) -> list[str]:
    caps = before.graph.plan.budget or Budget()
    found = []
    for name in CURRENCIES:
        cap = getattr(caps, name)
        if cap is not None and getattr(amount, name) > cap + DUST:
            found.append(name)
    return found


@pytest.mark.requirement("budget:cap-never-exceeded", "budget:reserved-with-the-start")
@given(histories(capped=True))
def test_no_start_reserves_more_than_is_left_under_the_caps(history: History) -> None:
    spent, reserved = NOTHING, dict[str, Cost]()
    calls = 0
    for _, before, entry in walk(history):
        if isinstance(entry, CHARGES):
            spent = spent.plus(entry.cost)
        if isinstance(entry, e.AttemptStarted):
            calls += not node_of(before, entry.step).is_child
            assert entry.reserved == node_of(before, entry.step).reserve
            reserved[entry.step] = entry.reserved
            open_ = [
                reserved[key] for key, step in before.steps.items() if step.reserved != NOTHING
            ]
            for name in over(before, sum_of([spent, *open_, entry.reserved])):
                assert not getattr(entry.reserved, name), f"{entry.step} reserved too much {name}"
            caps = before.graph.plan.budget
            assert caps is None or caps.calls is None or calls <= caps.calls


@pytest.mark.requirement("budget:cap-never-exceeded")
@given(histories(capped=True))
def test_a_cap_is_passed_only_by_a_call_dearer_than_its_ceiling_and_then_nothing_starts(
    history: History,
) -> None:
    spent = NOTHING
    dear = False
    for _, before, entry in walk(history):
        if isinstance(entry, CHARGES):
            spent = spent.plus(entry.cost)
            step = node_of(before, entry.step)
            ceiling = step.undo_reserve
            if not isinstance(entry, e.UndoEnded):
                ceiling = step.reserve.minus(step.undo_reserve)
            dear = dear or any(getattr(entry.cost, n) > getattr(ceiling, n) for n in CURRENCIES)
            # An undo that is tried again costs again, and is not held up by money.
            dear = dear or (isinstance(entry, e.UndoEnded) and entry.outcome != "succeeded")
            if over(before, spent):
                assert dear
        if isinstance(entry, e.AttemptStarted):
            assert not over(before, spent)


@pytest.mark.requirement("budget:cap-never-exceeded")
@given(histories(capped=True))
def test_the_pot_adds_up(history: History) -> None:
    spent = NOTHING
    calls = 0
    for _, before, entry in walk(history):
        pot = before.pot
        assert close(pot.spent, spent)
        assert pot.calls == calls
        assert close(pot.reserved, sum_of(step.reserved for step in before.steps.values()))
        assert close(pot.kept, sum_of(step.undo_reserved for step in before.steps.values()))
        if isinstance(entry, CHARGES):
            spent = spent.plus(entry.cost)
            calls += entry.cost.calls
        if isinstance(entry, e.AttemptStarted):
            calls += not node_of(before, entry.step).is_child


@given(histories(capped=True))
def test_what_is_reserved_belongs_to_a_call_that_goes_on_or_is_in_doubt(history: History) -> None:
    for _, before, _entry in walk(history):
        holders = [step for step in before.steps.values() if step.reserved != NOTHING]
        assert all(step.key in before.active or step.maybe for step in holders)
        if not holders:
            assert before.pot.reserved == NOTHING
        if not any(step.undo_reserved != NOTHING for step in before.steps.values()):
            assert before.pot.kept == NOTHING


@settings(max_examples=50)
@given(histories(capped=True))
def test_a_step_is_refused_for_money_only_when_no_open_call_could_release_enough(
    history: History,
) -> None:
    for _, before, entry in walk(history):
        if isinstance(entry, e.StepRefused) and entry.error.error_class == "denied":
            wanted = node_of(before, entry.step).reserve
            caps = before.graph.plan.budget
            assert caps is not None
            more = max(wanted.calls, 1)
            used_up = caps.calls is not None and before.pot.calls + more > caps.calls
            certain = sum_of([before.pot.spent, before.pot.kept, wanted])
            assert used_up or over(before, certain)


@pytest.mark.requirement("budget:seconds-count-running")
@given(histories())
def test_seconds_count_running_and_neither_pauses_waiting_nor_down_time(history: History) -> None:
    ran = 0.0
    last = history.entries[0].at
    for _, before, entry in walk(history):
        assert before.seconds(last) == pytest.approx(ran, abs=1e-6)
        running = not (before.paused or before.ended or before.state == "waiting")
        if running and not isinstance(entry, e.RunRecovered):
            ran += (entry.at - last).total_seconds()
        last = entry.at
