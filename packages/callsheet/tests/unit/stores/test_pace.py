"""Where commits happen: on the loop while they are quick."""

from __future__ import annotations

from callsheet.stores.sql.writer import Pace

QUICK, SLOW = 0.0005, 0.020


def a_pace(*commits: float, now: float = 0.0) -> Pace:
    pace = Pace()
    for seconds in commits:
        pace.note(seconds, now)
    return pace


def test_it_begins_on_the_loop() -> None:
    assert Pace().on_loop(0.0)


def test_quick_commits_stay_on_the_loop() -> None:
    assert a_pace(*[QUICK] * 1000).on_loop(0.0)


def test_one_slow_commit_among_quick_ones_is_no_slow_disk() -> None:
    assert a_pace(*[QUICK] * 10, 5.0, *[QUICK] * 10).on_loop(0.0)


def test_a_few_slow_commits_are_a_slow_disk() -> None:
    assert not a_pace(*[SLOW] * 3).on_loop(0.0)


def test_a_slow_disk_is_tried_on_the_loop_now_and_then() -> None:
    pace = a_pace(*[SLOW] * 3)
    assert pace.on_loop(Pace.AGAIN)
    pace.note(SLOW, Pace.AGAIN)
    assert not pace.on_loop(Pace.AGAIN)
    assert pace.on_loop(2 * Pace.AGAIN)


def test_a_trial_that_is_quick_brings_commits_back_to_the_loop() -> None:
    pace = a_pace(*[SLOW] * 30)
    pace.note(QUICK, Pace.AGAIN)
    assert pace.on_loop(Pace.AGAIN)
