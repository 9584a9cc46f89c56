"""Runs that grow, take over and are answered for: how their entries change a snapshot."""

from __future__ import annotations

import pytest
from tests.unit.core.story import Story, a_plan

from callsheet.core.plan.plan import Budget, Cost, Step
from callsheet.core.run import fold
from callsheet.core.run.commands import EndRun, SkipStep

PART = a_plan(Step(id="x", tool="look"), budget=Budget(usd=1.0, calls=2))


def look(name: str, *needs: str, touches: tuple[str, ...] = ()) -> Step:
    return Step(id=name, tool="look", needs=needs, touches=touches)


@pytest.mark.requirement("E19")
def test_an_open_run_without_steps_waits_and_ends_when_it_is_sealed() -> None:
    story = Story(grows=True)
    assert (story.s.state, story.offered()) == ("waiting", [])
    story.later(100).seal()
    assert story.s.seconds(story.now) == 0
    assert story.ending() == EndRun(state="succeeded", cause=None)


@pytest.mark.requirement("E19")
def test_a_step_added_after_a_failure_above_it_is_skipped_with_the_reason() -> None:
    story = Story(look("a"), on_failure="continue", grows=True).fails("a").more(look("b", "a"))
    assert story.offered() == [SkipStep(step=story.step("b").key, reason="needs 'a', which failed")]


@pytest.mark.requirement("E19", "order:touches-never-overlap")
def test_an_added_step_queues_behind_whoever_touches_the_same() -> None:
    story = Story(look("a", touches=("x",)), grows=True).start("a")
    story.more(look("b", touches=("x",)), look("c"))
    assert story.starts() == ["c"]
    assert story.end("a").starts() == ["b", "c"]


@pytest.mark.requirement("E19")
def test_the_graph_of_an_open_run_is_its_own() -> None:
    one, other = (Story(look("a"), grows=True) for _ in range(2))
    one.more(look("b"))
    assert set(one.s.graph.steps) == {"a", "b"}
    assert set(other.s.graph.steps) == {"a"}
    closed = Story(look("a"))
    assert set(closed.s.graph.steps) == {"a"}


@pytest.mark.requirement("E19", "undo:reverse-order")
def test_what_was_added_is_undone_before_what_it_was_built_on() -> None:
    story = Story(Step(id="a", tool="make"), grows=True).does("a")
    story.more(Step(id="b", tool="make", needs=("a",))).does("b").undo()
    assert story.undos() == ["b"]
    assert story.undoes("b").undos() == ["a"]


@pytest.mark.requirement("E4", "E16")
def test_sub_plans_take_no_slot_and_their_calls_are_counted_when_they_have_ended() -> None:
    parts = [Step(id=f"p{n}", plan=PART) for n in range(3)]
    story = Story(*parts, look("a"), look("b"), concurrency=1, budget=Budget(usd=9, calls=8))
    assert story.starts() == ["p0", "p1", "p2", "a"]
    story.start("p0", "p1", "p2")
    assert (story.s.free, story.s.pot.calls, story.s.pot.reserved.calls) == (1, 0, 6)
    story.start("a")
    assert story.starts() == []
    story.end("p0", cost=Cost(usd=0.5, calls=1))
    assert (story.s.pot.calls, story.s.pot.reserved.calls) == (2, 4)
    assert story.end("a").starts() == ["b"]


@pytest.mark.requirement("replay:fork")
def test_what_was_copied_is_final_owes_nothing_and_keeps_its_reason() -> None:
    story = Story(
        Step(id="a", tool="make"),
        Step(id="b", tool="look", on_failure="ignore"),
        look("c", "a", "b"),
    )
    story.copied("a").copied("b", "failed")
    assert story.starts() == ["c"]
    assert story.problems() == ["b"]
    assert story.does("c").ends().s.state == "succeeded"
    assert story.undo().ending().state == "undone"
    assert not story.step("a").owes
    assert story.s.pot.calls == 1


@pytest.mark.requirement("cache:names-its-source")
def test_what_the_cache_answers_is_no_attempt_and_makes_its_dependents_ready() -> None:
    story = Story(Step(id="a", tool="pay", cache=True), look("b", "a"), budget=Budget(usd=1.0))
    story.cached("a")
    assert (story.step("a").attempts, story.s.pot.spent, story.s.pot.calls) == (0, Cost(), 0)
    assert story.step("a").cached == "r0"
    assert story.starts() == ["b"]


@pytest.mark.requirement("E12", "replay:byte-identical")
def test_the_new_kinds_of_entry_are_seen_in_what_snapshots_are_compared_by() -> None:
    plain = Story(look("a"), look("b"))
    copied, cached = Story(look("a"), look("b")), Story(look("a"), look("b"))
    digests = {plain.does("a").s.digest(), copied.copied("a").s.digest()}
    digests.add(cached.cached("a").s.digest())
    assert len(digests) == 3
    assert fold.fold(copied.entries).digest() == copied.s.digest()
