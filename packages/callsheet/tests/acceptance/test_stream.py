"""Everything that happens in a home as one stream, and runs found by what they are about."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from callsheet import Engine, Event, Plan, Step, tool
from callsheet.errors import EngineClosedError, InputError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

pytestmark = pytest.mark.requirement("E15")

PATIENCE = 60.0


@tool("say", effect="read")
async def say(word: str) -> str:
    """Say a word."""
    return word


def plan(word: str = "yes", *, name: str = "plain") -> Plan:
    return Plan(name=name, steps=(Step(id="a", tool="say", args={"word": word}),))


ASKING = Plan(name="asking", steps=(Step(id="ok", ask="Go on?", choices=("yes", "no")),))
FAMILY = Plan(
    name="family",
    steps=(Step(id="inner", plan=Plan(name="inner", steps=ASKING.steps)),),
)


async def take(feed: AsyncIterator[Event], count: int) -> list[Event]:
    """The next events, so many."""
    found: list[Event] = []
    async with asyncio.timeout(PATIENCE):
        async for event in feed:
            found.append(event)
            if len(found) == count:
                break
    return found


async def test_a_feed_tells_of_all_runs_in_one_order_and_goes_on_after_a_restart(
    tmp_path: Path,
) -> None:
    async with Engine.open(tmp_path / "home", [say]) as engine:
        runs = [await engine.start(plan()) for _ in range(3)]
        results = [await run.wait() for run in runs]
        assert all(result.state == "succeeded" for result in results)
        lengths = {run.id: len(await run.journal()) for run in runs}
        seen = await take(engine.feed(), sum(lengths.values()) - 2)
    async with Engine.open(tmp_path / "home", [say]) as engine:
        seen += await take(engine.feed(seen[-1].position or 0), 2)
    positions = [event.position or 0 for event in seen]
    assert positions == sorted(set(positions))
    for run in runs:
        own = [event.seq for event in seen if event.run == run.id]
        assert own == list(range(1, lengths[run.id] + 1))


async def test_a_feed_that_waits_is_told_at_once_of_what_happens_then(tmp_path: Path) -> None:
    async with Engine.open(tmp_path / "home", [say]) as engine, asyncio.TaskGroup() as group:
        waiting = group.create_task(take(engine.feed(), 1))
        run = await engine.start(plan())
        (first,) = await waiting
        assert (first.run, first.seq, first.kind) == (run.id, 1, "RunStarted")
        told = first.to_json()
        assert (told["run"], told["seq"], told["position"]) == (run.id, 1, first.position)


async def test_subscribers_who_join_and_lag_miss_nothing(tmp_path: Path) -> None:
    async with (
        Engine.open(tmp_path / "home", [say], sync="normal") as engine,
        asyncio.TaskGroup() as group,
    ):
        early = group.create_task(take(engine.feed(), 400))
        runs = [await engine.start(plan()) for _ in range(100)]
        late = group.create_task(take(engine.feed(), 400))
        for run in runs:
            await run.wait()
        expected = {(run.id, seq) for run in runs for seq in range(1, 5)}
        for events in (await early, await late):
            assert [event.position for event in events] == sorted({e.position or 0 for e in events})
            assert {(event.run, event.seq) for event in events} == expected


async def test_a_feed_may_be_about_one_subject_tenant_or_plan(tmp_path: Path) -> None:
    async with Engine.open(tmp_path / "home", [say]) as engine:
        of_film = await engine.start(plan(name="film"), subject="project:1", tenant="t")
        other = await engine.start(plan())
        await of_film.wait()
        await other.wait()
        for feed in (
            engine.feed(subject="project:1"),
            engine.feed(tenant="t"),
            engine.feed(plan="film"),
        ):
            assert {event.run for event in await take(feed, 4)} == {of_film.id}


async def test_a_feed_ends_with_its_engine_and_says_where(tmp_path: Path) -> None:
    async def follow() -> None:
        with pytest.raises(EngineClosedError, match="position 4"):
            await take(engine.feed(), 1000)

    async with asyncio.TaskGroup() as group, Engine.open(tmp_path / "home", [say]) as engine:
        run = await engine.start(plan())
        await run.wait()
        group.create_task(follow())


async def test_runs_are_found_by_what_they_are_about_and_by_what_they_do() -> None:
    async with Engine.open(None, [say]) as engine:
        done = await engine.start(plan(), subject="project:1", key="k")
        await done.wait()
        asked = await engine.start(FAMILY, subject="project:1", tenant="t")
        async for status in asked.watch():
            if status.questions:
                break
        (child,) = [head for head in await engine.runs(tenant="t") if head.parent]
        assert (child.subject, child.root, child.parent) == ("project:1", asked.id, asked.id)
        found_later = child.started_at + timedelta(hours=1)
        for expected, found in (
            ([asked.id, done.id], await engine.runs(subject="project:1", top_level=True)),
            ([done.id], await engine.runs(state="succeeded")),
            ([done.id], await engine.runs(key="k")),
            ([asked.id], await engine.runs(plan="family")),
            ([asked.id], await engine.runs(state="waiting", top_level=True)),
            ([], await engine.runs(state="undoing")),
            ([], await engine.runs(since=found_later)),
        ):
            assert [head.run for head in found] == expected
        with pytest.raises(InputError, match="never 'asleep'"):
            await engine.runs(state="asleep")


async def test_everything_that_waits_for_a_person_is_one_list() -> None:
    async with Engine.open(None, [say]) as engine:
        asked = await engine.start(FAMILY, tenant="t")
        async for status in asked.watch():
            if status.questions:
                break
        (open_question,) = await engine.questions()
        assert open_question.run == asked.id
        assert open_question.question.step == "inner/ok"
        assert open_question.command == f"callsheet answer {asked.id} inner/ok VALUE"
        assert open_question.to_json()["text"] == "Go on?"
        assert await engine.questions(tenant="other") == []
        await asked.answer(open_question.question.step, "yes")
        await asked.wait()
        assert await engine.questions() == []


@pytest.mark.parametrize("subject", ["", " ", "a\nb", "x" * 201])
async def test_a_subject_is_one_line(subject: str) -> None:
    async with Engine.open(None, [say]) as engine:
        with pytest.raises(InputError, match="what a run is about"):
            await engine.start(plan(), subject=subject)
