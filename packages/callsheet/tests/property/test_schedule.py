"""Laws of the schedule that a forecast plays through: bounds that hold for every plan."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callsheet.insight.schedule import Work, longest_path, play, waves

# Each is tried on a hundred schedules.
pytestmark = [pytest.mark.slow, pytest.mark.requirement("E21")]

SECONDS = st.integers(min_value=0, max_value=50)
"""Seconds are drawn as whole numbers: sums are exact, so the laws can be exact too."""


@st.composite
def works(draw: st.DrawFn, *, held: bool = False) -> list[Work]:
    count = draw(st.integers(min_value=1, max_value=10))
    made = []
    for index in range(count):
        needs = draw(st.sets(st.integers(0, index - 1), max_size=3)) if index else set()
        made.append(
            Work(
                needs=tuple(sorted(needs)),
                calls=draw(st.integers(min_value=0, max_value=4)),
                seconds=draw(SECONDS),
                priority=draw(st.integers(-1, 1)),
                holds=tuple(sorted(draw(st.sets(st.sampled_from("xyz"), max_size=2))))
                if held
                else (),
            )
        )
    return made


def total(made: list[Work]) -> float:
    return sum(work.calls * work.seconds for work in made)


@given(works(), st.integers(min_value=1, max_value=6))
def test_a_schedule_lies_between_the_longest_path_and_graham_s_bound(
    made: list[Work], places: int
) -> None:
    path, _ = longest_path(made)
    found = play(made, places).seconds
    assert path <= found
    assert found * places <= total(made) + (places - 1) * path


@given(works())
def test_with_places_for_everybody_only_the_longest_path_counts(made: list[Work]) -> None:
    everybody = sum(work.calls for work in made) + 1
    assert play(made, everybody).seconds == longest_path(made)[0]


@given(works())
def test_with_one_place_everything_is_added_up(made: list[Work]) -> None:
    found = play(made, 1)
    assert found.seconds == total(made)
    assert found.most_at_once == (1 if any(work.calls for work in made) else 0)


@given(works(), st.integers(min_value=1, max_value=6))
def test_never_more_go_on_at_once_than_there_are_places(made: list[Work], places: int) -> None:
    assert play(made, places).most_at_once <= places


@given(works(held=True), st.integers(min_value=1, max_value=6))
def test_what_is_held_only_delays_and_everything_ends(made: list[Work], places: int) -> None:
    free = [Work(needs=w.needs, calls=w.calls, seconds=w.seconds) for w in made]
    found = play(made, places).seconds
    assert longest_path(free)[0] <= found <= total(made)
    for key in "xyz":
        assert found >= total([work for work in made if key in work.holds])


@given(works(held=True), st.integers(min_value=1, max_value=6))
def test_a_limit_nobody_reaches_changes_nothing(made: list[Work], places: int) -> None:
    free = [
        Work(needs=w.needs, calls=w.calls, seconds=w.seconds, priority=w.priority) for w in made
    ]
    assert play(made, places, dict.fromkeys("xyz", places)) == play(free, places)


@given(works())
def test_waves_hold_everybody_once_and_after_what_they_need(made: list[Work]) -> None:
    found = waves(made)
    place = {index: number for number, wave in enumerate(found) for index in wave}
    assert sorted(index for wave in found for index in wave) == list(range(len(made)))
    for index, work in enumerate(made):
        assert place[index] == max((place[need] + 1 for need in work.needs), default=0)


@given(works())
def test_the_longest_path_is_a_path_and_as_long_as_it_says(made: list[Work]) -> None:
    seconds, chain = longest_path(made)
    for before, after in pairwise(chain):
        assert before in made[after].needs
    assert seconds == sum(made[index].seconds for index in chain if made[index].calls)
    assert not made[chain[0]].needs
    depths = [number for number, wave in enumerate(waves(made), 1) for _ in wave]
    if not any(work.seconds for work in made):
        assert len(chain) == max(depths)
