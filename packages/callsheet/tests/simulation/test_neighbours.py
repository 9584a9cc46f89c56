"""Several processes on one disk, stopped, woken, replaced and dead: simulated, and judged."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from callsheet.testing.simulation.mutants_of_neighbours import ENOUGH, MUTANTS_OF_NEIGHBOURS
from callsheet.testing.simulation.neighbours import neighbours

if TYPE_CHECKING:
    from callsheet.testing.simulation.mutant import Mutant

pytestmark = pytest.mark.requirement("E24", "E26")

SEEDS = 60


@pytest.mark.slow  # dozens of whole stories
def test_no_process_disturbs_another_and_every_run_ends() -> None:
    said: list[str] = []
    for seed in range(SEEDS):
        story = neighbours(seed)
        assert not story.broken, (seed, story.broken, story.told)
        said += story.told
    # Stories in which nothing happens prove nothing.
    for word in ("is stopped", "has lost its lock", "wakes", "is dead", "driver.replaced"):
        assert sum(word in line for line in said) > SEEDS / 10, word


def test_the_same_seed_is_the_same_story() -> None:
    one, other = neighbours(7), neighbours(7)
    assert one.told == other.told
    assert one.heard == other.heard
    assert one.told != neighbours(8).told


@pytest.mark.slow  # as many stories as it takes
@pytest.mark.parametrize("mutant", MUTANTS_OF_NEIGHBOURS, ids=lambda mutant: mutant.name)
def test_a_fault_between_processes_is_caught(mutant: Mutant) -> None:
    with mutant.active():
        told = (neighbours(seed) for seed in range(ENOUGH))
        caught = next((story for story in told if story.broken), None)
    assert caught is not None, mutant.fault
    assert not neighbours(caught.seed).broken
