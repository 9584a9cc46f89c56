"""Twenty agents at once, with crashes: whatever happens, they never pass the cap together."""

from __future__ import annotations

import asyncio
import random
from typing import TYPE_CHECKING

import pytest
from tests.acceptance.agents.troupe import CAPABILITY, result, writer

from callsheet import Engine
from callsheet.core.run.fold import apply
from callsheet.core.run.snapshot import Snapshot
from callsheet.runtime.clock import SystemClock
from callsheet.testing.models import End, Pause, Say, ScriptedModel

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from callsheet.agents.model import Request
    from callsheet.core.run.entries import AnyEntry
    from callsheet.core.value import Json
    from callsheet.testing.models import Line

AGENTS = 20
CAP = 120_000
EACH = 30_000
PATIENCE = 120


class Chance:
    """A model that answers late, badly, or dearly, as a seed says."""

    def __init__(self, dice: random.Random) -> None:
        self._dice = dice

    def answer(self, _request: Request) -> Iterable[Line]:
        """The next answer."""
        dice = self._dice
        wrong = dice.random() < 0.3
        said = Say("no") if wrong else result({"title": "x"})
        return [Pause(dice.random() / 100), said, End(input=dice.randint(1, 3000), output=900)]


def most_at_any_time(entries: Sequence[AnyEntry]) -> int:
    """Tokens that were spent or set aside, at the worst moment."""
    snapshot, most = Snapshot(), 0
    for entry in entries:
        apply(snapshot, entry)
        most = max(most, snapshot.pot.spent.tokens + snapshot.pot.reserved.tokens)
    return most


@pytest.mark.slow  # real stores, closed like a crash and opened again
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.requirement("M3")
async def test_twenty_agents_never_pass_the_cap_whatever_crashes(seed: int, tmp_path: Path) -> None:
    dice = random.Random(seed)
    model = ScriptedModel()
    model.otherwise(Chance(dice).answer)
    agents = [
        writer(f"agent{number}", budget={"tokens": EACH}, capabilities=[f"do.n{number}"])
        for number in range(AGENTS)
    ]
    steps: list[Json] = [
        {"id": f"s{number}", "agent": f"do.n{number}", "args": {"task": CAPABILITY}}
        for number in range(AGENTS)
    ]
    plan: dict[str, Json] = {
        "steps": steps,
        "budget": {"tokens": CAP},
        "on_failure": "continue",
        "concurrency": AGENTS,
    }
    home, run, clock = tmp_path / "home", "", SystemClock()
    for life in range(6):
        options = {"models": {"scripted": model}, "agents": agents, "sync": "normal"}
        async with Engine.open(home, drain=0, **options) as engine:  # type: ignore[arg-type]
            started = await (engine.get(run) if run else engine.start(plan))
            run = started.id
            if life < 5:
                # Killed in the middle, as far as the journal can tell.
                await clock.sleep(dice.random() / 5)
                continue
            async with asyncio.timeout(PATIENCE):
                ended = await started.wait()
            entries = await started.journal()
            assert ended.state.ended
            assert most_at_any_time(entries) <= CAP
            assert ended.cost.tokens <= CAP
            assert (await engine.replay(run)).same
            for head in await engine.runs(limit=1000):
                child = await (await engine.get(head.run)).journal()
                assert most_at_any_time(child) <= (CAP if head.run == run else EACH)
