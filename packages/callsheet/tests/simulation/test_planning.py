"""A tool that plans, and people who steer its steps, while processes die: simulated, and judged."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from callsheet.testing.simulation.mutants_of_planning import ENOUGH, MUTANTS_OF_PLANNING
from callsheet.testing.simulation.planning import KINDS, planning

if TYPE_CHECKING:
    from callsheet.testing.simulation.mutant import Mutant

pytestmark = pytest.mark.requirement("E24", "E27")

SEEDS = 40


@pytest.mark.slow  # dozens of whole stories
def test_whatever_dies_every_call_is_there_once_and_the_run_ends_by_itself() -> None:
    lives, kinds, asked = 0, set(), set()
    for seed in range(SEEDS):
        story = planning(seed)
        assert not story.broken, (seed, story.broken, story.told)
        lives += story.lives
        kinds |= {kind for calls in story.rounds for kind in calls}
        asked |= {name.partition("-")[0] for name in story.asked}
    # Stories in which nothing happens prove nothing.
    assert lives > SEEDS * 2
    assert kinds == set(KINDS)
    assert asked == {"answer", "stop", "retry"}


def test_the_same_seed_is_the_same_story() -> None:
    assert planning(3).told == planning(3).told


@pytest.mark.slow  # as many stories as it takes
@pytest.mark.parametrize("mutant", MUTANTS_OF_PLANNING, ids=lambda mutant: mutant.name)
def test_a_fault_of_planning_is_caught(mutant: Mutant) -> None:
    with mutant.active():
        told = (planning(seed) for seed in range(ENOUGH))
        caught = next((story for story in told if story.broken), None)
    assert caught is not None, mutant.fault
    assert not planning(caught.seed).broken
