"""A few lines of plan cannot become a million runs."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from callsheet import Engine, Plan, Step, tool
from callsheet.core.ids import RunId
from callsheet.core.plan.subplan import MAX_NESTED
from callsheet.errors import DeniedError
from callsheet.runtime import families
from callsheet.runtime.families import AT_ONCE, IN_ALL, LIVE, OF_TENANT, Families, Member
from callsheet.testing import SimulatedClock, simulated

if TYPE_CHECKING:
    from callsheet.runtime.families import ChildPlace

pytestmark = pytest.mark.requirement("S10")

PLAN = Plan(steps=())


class Household:
    """Runs that make children for as long as they may, and are done when all of theirs are."""

    def __init__(self, *, width: int, depth: int) -> None:
        self.clock = SimulatedClock()
        self.families = Families(self.clock)
        self.width, self.depth = width, depth
        self.most = self.made = 0
        self.nudged: asyncio.Queue[RunId] = asyncio.Queue()
        self.left: dict[RunId, int] = {}
        self.going: dict[RunId, int] = {}
        self.members: dict[RunId, Member] = {}
        self.places: dict[RunId, ChildPlace] = {}
        self.parents: dict[RunId, RunId | None] = {}

    def begin(self, run: str, parent: RunId | None, tenant: str = "t") -> None:
        name = RunId(run)
        self.parents[name] = parent

        def nudge() -> None:
            self.nudged.put_nowait(name)

        self.members[name] = self.families.join(name, parent, PLAN, tenant, nudge)
        self.left[name] = self.width if self.members[name].depth < self.depth else 0
        self.going[name] = 0
        nudge()

    async def live(self) -> None:
        """Until every run has ended."""
        while self.members:
            self.turn(await self.nudged.get())

    def turn(self, name: RunId) -> None:
        if name not in self.members:
            return
        while self.left[name]:
            place = self.families.admit_child(self.members[name])
            if place is None:
                return
            self.left[name] -= 1
            self.going[name] += 1
            self.made += 1
            child = RunId(f"{name}.{self.left[name]}")
            self.places[child] = place
            self.begin(child, name)
            self.most = max(self.most, len(self.places))
        if not self.going[name]:
            # Once all that can be made is: what has no children takes its time.
            is_leaf = self.members[name].depth == self.depth
            self.clock.call_later(is_leaf, lambda: self.end(name))

    def end(self, name: RunId) -> None:
        if name not in self.members:
            return
        self.families.leave(self.members.pop(name))
        parent = self.parents[name]
        self.nudged.put_nowait(name)
        if parent is not None:
            self.places.pop(name).drop()
            self.going[parent] -= 1
            self.nudged.put_nowait(parent)


@pytest.mark.slow  # thousands of runs in name
@pytest.mark.parametrize(
    ("width", "depth"), [(3_000, 1), (60, 2), (16, 3), (4, 6), (3, MAX_NESTED)]
)
@simulated
async def test_no_more_live_at_once_than_may_and_all_of_them_end(width: int, depth: int) -> None:
    household = Household(width=width, depth=depth)
    household.begin("root", None)
    await household.live()
    assert household.made == sum(width**level for level in range(1, depth + 1))
    assert household.most <= LIVE
    if household.made > LIVE:
        assert household.most > LIVE - families.KEPT * MAX_NESTED - 1
    assert not household.places


@pytest.mark.slow  # the same
@simulated
async def test_a_tenant_s_families_share_its_places_and_all_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(families, "OF_TENANT", 300)
    household = Household(width=6, depth=4)
    for number in range(8):
        household.begin(f"root{number}", None)
    await household.live()
    assert household.made == 8 * sum(6**level for level in range(1, 5))
    assert household.most <= 300
    assert OF_TENANT == 10_000


@simulated
async def test_the_loop_turns_after_a_few_have_been_made() -> None:
    household = Household(width=AT_ONCE * 3, depth=1)
    household.begin("root", None)
    household.turn(await household.nudged.get())
    assert household.made == AT_ONCE


@simulated
async def test_more_than_may_be_in_all_are_denied() -> None:
    household = Families(SimulatedClock())
    member = household.join(RunId("r"), None, PLAN, "t", lambda: None)
    for _ in range(IN_ALL):
        household.take_child(member).drop()
    with pytest.raises(DeniedError, match="100,000 sub-plans in all"):
        household.admit_child(member)
    other = household.join(RunId("s"), None, PLAN, "t", lambda: None)
    assert household.admit_child(other) is not None


def levels(count: int, width: int, leaf: Step) -> Plan:
    plan = Plan(steps=(leaf,))
    for _ in range(count):
        plan = Plan(steps=(Step(id="s", plan=plan, for_each=list(range(width))),))
    return plan


@pytest.mark.slow  # four hundred runs
@simulated
async def test_the_calls_of_all_descendants_are_bounded_by_what_the_root_says() -> None:
    going = most = 0

    @tool
    async def work(ctx: Any) -> None:
        nonlocal going, most
        going += 1
        most = max(most, going)
        await ctx.sleep(1)
        going -= 1

    inner = levels(1, 10, Step(id="a", tool="work"))
    plan = Plan(
        steps=(
            Step(id="s", plan=inner, for_each=list(range(4))),
            Step(id="own", tool="work", for_each=list(range(10))),
        ),
        concurrency=4,
    )
    async with Engine.in_memory(tools=[work], clock=SimulatedClock()) as engine:
        run = await engine.start(plan)
        result = await run.wait()
        assert result.state == "succeeded"
        assert most == 4
        assert (await engine.replay(run.id)).same


@pytest.mark.slow  # two hundred runs
@simulated
async def test_a_million_children_are_denied_and_the_run_can_be_stopped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(families, "IN_ALL", 200)
    plan = levels(6, 10, Step(id="a", tool="value", args={"value": 1}))
    async with Engine.in_memory(clock=SimulatedClock()) as engine:
        run = await engine.start(plan)
        result = await run.wait()
        assert result.state in ("failed", "undone")
        found = [head async for head in _errors(engine)]
        assert any("sub-plans in all" in each for each in found)


async def _errors(engine: Engine) -> Any:
    for head in await engine.runs(limit=1_000):
        result = await (await engine.get(head.run)).status()
        for step in result.steps.values():
            if step.error is not None:
                yield step.error.message


@pytest.mark.slow  # a few hundred runs
async def test_the_engine_closes_soon_while_they_go_on() -> None:
    plan = levels(6, 10, Step(id="a", tool="wait", args={"seconds": 3600}))
    async with asyncio.timeout(120):
        async with Engine.in_memory(drain=0) as engine:
            await engine.start(plan)
            begun = asyncio.Event()
            stop = engine.listen(lambda told: begun.set() if is_wide(engine) else None)
            await begun.wait()
            stop()


def is_wide(engine: Engine) -> bool:
    """Whether some hundreds are going on."""
    return len(engine.runtime._loops) > 300  # noqa: SLF001 -- nobody else need know
