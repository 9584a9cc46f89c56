"""Runs with children, killed after any entry of any of them: all end as if nobody had been."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest
from tests.replay.generate import summary_of

from callsheet import Engine
from callsheet.core.ids import RunId, StepKey, child_run, idempotency_key
from callsheet.core.past.replay import replay
from callsheet.core.plan.subplan import SUB_PLAN
from callsheet.core.run import entries as e
from callsheet.errors import FatalError
from callsheet.runtime.feed import Event
from callsheet.stores.memory.store import MemoryStore
from callsheet.testing import SimulatedClock, World, raises, run_simulated, waits
from callsheet.tools.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from callsheet.runtime.feed import Told

pytestmark = [
    pytest.mark.slow,  # carries a family out after each of its entries
    pytest.mark.requirement(
        "E11", "durability:killed-anywhere-ends-the-same", "children:one-run-per-step"
    ),
]

GRANDCHILD = {
    "callsheet": 1,
    "steps": [{"id": "g1", "tool": "pin"}, {"id": "g2", "tool": "pin", "needs": ["g1"]}],
    "output": "${steps.g2.id}",
}
CHILD = {
    "callsheet": 1,
    "inputs": {"n": {"type": "integer"}},
    "budget": {"usd": 3},
    "steps": [
        {"id": "c1", "tool": "rent", "args": {"n": "${inputs.n}"}},
        {"id": "deep", "plan": GRANDCHILD, "needs": ["c1"], "ceiling": {"usd": 1}},
    ],
    "output": "${steps.c1.id}",
}
STEPS: list[dict[str, Any]] = [
    {"id": "first", "tool": "pin"},
    {"id": "one", "plan": CHILD, "args": {"n": 1}, "needs": ["first"]},
    {"id": "each", "plan": CHILD, "for_each": [2, 3], "args": {"n": "${item}"}},
    {"id": "last", "tool": "pin", "args": {"at": "${steps.one}"}},
]
PLANS: dict[str, list[dict[str, Any]]] = {
    "succeeds": STEPS,
    "fails": [*STEPS, {"id": "boom", "tool": "boom", "needs": ["last", "each"]}],
    "fails early": [*STEPS, {"id": "boom", "tool": "boom", "needs": ["first"]}],
}

Journals = dict[str, list[e.AnyEntry]]


def a_world() -> World:
    world = World()
    world.pair("pin", "unpin", waits(1, world.stands), idempotent=True)
    world.pair("rent", "unrent", waits(2, world.stands), idempotent=True, ceiling=0.5)
    world.tool("boom", waits(1.5, raises(FatalError("It broke."))))
    return world


async def carry_out(
    steps: list[dict[str, Any]] | None, world: World, before: Mapping[str, Sequence[e.AnyEntry]]
) -> tuple[list[tuple[str, e.AnyEntry]], Journals]:
    """Go on where these journals end, until all runs have; what was heard, and all journals."""
    store = MemoryStore()
    clock = SimulatedClock()
    for run, entries in before.items():
        await store.journal.append(RunId(run), entries, after=0)
        await clock.sleep(max((entries[-1].at - clock.now()).total_seconds(), 0))
    heard: list[tuple[str, e.AnyEntry]] = []

    def hear(told: Told) -> None:
        if isinstance(told, Event):
            heard.append((told.run, told.entry))

    registry = Registry(world.tools)
    engine = Engine(store, registry, clock)
    engine.listen(hear)
    async with engine.runtime:
        if steps is not None:
            budget = {"usd": 20}
            await engine.start({"callsheet": 1, "name": "family", "budget": budget, "steps": steps})
        else:
            await engine.recover()
        while any(head.ended is None for head in await engine.runs()):
            await asyncio.wait_for((await engine.get((await _open(engine))[0])).wait(), 600)
    await registry.close()
    heads = await store.journal.heads()
    return heard, {head.run: list(await store.journal.read(head.run)) for head in heads}


async def _open(engine: Engine) -> list[str]:
    return [head.run for head in await engine.runs(open_only=True)]


def told(journals: Journals) -> dict[str, dict[str, object]]:
    """How each run ended."""
    summaries = {run: summary_of(entries) for run, entries in journals.items()}
    return {
        run: {name: summary[name] for name in ("state", "output", "steps")}
        for run, summary in summaries.items()
    }


@pytest.mark.parametrize("name", ["succeeds", "fails"])
def test_a_family_killed_after_any_entry_ends_as_if_it_had_not_been(name: str) -> None:
    world = a_world()
    heard, whole = run_simulated(carry_out(PLANS[name], world, {}))
    assert len(whole) == 7, "a parent, three children, three of theirs"
    expected = told(whole)
    for cut in range(1, len(heard)):
        before: Journals = {}
        for run, entry in heard[:cut]:
            before.setdefault(run, []).append(entry)
        again = a_world()
        _, journals = run_simulated(carry_out(None, again, before))
        assert told(journals) == expected, f"killed after entry {cut}: {heard[cut - 1]}"
        check(journals, before, again)


def check(journals: Journals, before: Journals, world: World) -> None:
    """Nothing is begun twice, nothing that had succeeded is called again, all replay."""
    over = {
        (run, entry.step)
        for run, entries in before.items()
        for entry in entries
        if isinstance(entry, e.AttemptEnded) and entry.outcome == "succeeded"
    }
    for call in world.calls:
        assert call.key.endswith(":undo") or (call.run, call.step) not in over
    for run, entries in journals.items():
        kinds = Counter(type(entry).__name__ for entry in entries)
        assert kinds["RunStarted"] == 1
        report = replay(entries)
        assert report.same, (run, report.difference)
        for entry in entries:
            if isinstance(entry, e.AttemptStarted) and entry.step in ("one", "deep"):
                assert entry.attempt == 1, "a sub-plan is never lost"
                assert child_run(RunId(run), StepKey(entry.step)) in journals


def test_a_family_whose_parent_stops_early_leaves_nothing_standing_wherever_it_is_killed() -> None:
    world = a_world()
    heard, whole = run_simulated(carry_out(PLANS["fails early"], world, {}))
    assert not world.standing
    states = {run: str(summary["state"]) for run, summary in told(whole).items()}
    assert set(states.values()) <= {"undone", "failed", "cancelled"}
    for cut in range(1, len(heard)):
        before: Journals = {}
        for run, entry in heard[:cut]:
            before.setdefault(run, []).append(entry)
        again = a_world()
        again.standing.update(world_after(before))
        _, journals = run_simulated(carry_out(None, again, before))
        assert not again.standing, f"killed after entry {cut}: {heard[cut - 1]}"
        check(journals, before, again)


def world_after(before: Journals) -> dict[str, Any]:
    """What stands outside when these journals end: all that may have been done."""
    found: dict[str, Any] = {}
    for run, entries in before.items():
        for entry in entries:
            key = idempotency_key(RunId(run), StepKey(getattr(entry, "step", None) or ""))
            if isinstance(entry, e.AttemptStarted):
                if entry.undo is not None and entry.undo.tool != SUB_PLAN:
                    found[key] = None
            elif isinstance(entry, e.UndoEnded):
                found.pop(key, None)
    return found
