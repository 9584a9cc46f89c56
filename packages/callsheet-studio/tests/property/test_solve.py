"""Laws of the solver: what more money, more time and a higher level may do to a plan."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Literal

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.unit.solve import films

from callsheet_studio.model.stack import Grid
from callsheet_studio.solve import InfeasibleError, Terms, solve
from callsheet_studio.solve.case import Case
from callsheet_studio.solve.terms import wish_of

if TYPE_CHECKING:
    from callsheet_studio.model.brief import Brief
    from callsheet_studio.model.plan import PlanAlternative, ProductionPlan
    from callsheet_studio.model.shots import ShotList
    from callsheet_studio.model.stack import Stack, StackTool
    from callsheet_studio.solve.case import Decision

Level = Literal["high", "balanced", "budget"]

LEVELS: tuple[Level, ...] = ("budget", "balanced", "high")
PRICES = st.sampled_from((0.0, 0.04, 0.05, 0.1, 0.14, 0.3))
LENGTHS: tuple[tuple[int, ...], ...] = ((4, 6, 8), (5, 10), (5,), (3, 4, 5, 6, 7, 8), ())
GRIDS = st.sampled_from(LENGTHS)
MONEY = st.sampled_from((None, 0.0, 0.5, 2.0, 5.0, 12.0, 40.0))
TIMES = st.sampled_from((None, 60.0, 300.0, 700.0, 1500.0, 4000.0))


@st.composite
def video_tools(draw: st.DrawFn, number: int) -> StackTool:
    name = f"t{number}"
    provider, lengths = draw(st.sampled_from(("north", "south"))), draw(GRIDS)
    usd, least = draw(PRICES), draw(st.sampled_from((0, 0, 0.3)))
    offers = [films.offer(f"{name}@{provider}", usd, minimum_usd=least)]
    if draw(st.booleans()) and lengths:
        clip = films.offer(
            f"{name}@{provider}:clip", usd * 4, unit="clip", unit_seconds=lengths[-1]
        )
        offers.append(clip)
    return films.tool(
        name,
        *offers,
        share=draw(st.sampled_from((None, 0.3, 0.45, 0.6, 0.75))),
        seconds=draw(st.sampled_from((None, 20, 60, 100))),
        grid=Grid(lengths=lengths, least=3, most=max(lengths, default=10)),
        modes=draw(st.sampled_from((("t2v",), ("t2v", "i2v"), ("i2v",)))),
        status=draw(st.sampled_from(("active",) * 6 + ("legacy", "retired"))),
    )


@st.composite
def stacks(draw: st.DrawFn) -> Stack:
    tools = [draw(video_tools(number)) for number in range(draw(st.integers(2, 4)))]
    picture = films.offer("p@west", draw(PRICES), unit="image")
    painter = films.tool("p", picture, category="image", modes=("t2i", "edit"), lengths=())
    return films.stack(*tools, painter, films.renderer())


films_of = st.lists(st.sampled_from((22, 60, 96, 120, 150, 240)), min_size=1, max_size=5)


def _decided(shots: ShotList, wanted: Brief, stack: Stack) -> Decision | None:
    return Case.of(shots, stack, films.TODAY, Terms(lanes=2)).decide(wish_of(wanted))


@pytest.mark.requirement("P7")
@pytest.mark.slow  # solves two plans for each example
@given(films_of, stacks(), st.sampled_from(LEVELS), MONEY, MONEY, TIMES)
def test_more_money_never_lowers_quality(
    lengths: list[int],
    stack: Stack,
    level: Level,
    one: float | None,
    other: float | None,
    deadline: float | None,
) -> None:
    assume(one is not None and other is not None)
    assert one is not None
    assert other is not None
    shots = films.film(lengths)
    less, more = sorted((one, other))
    poor = _decided(shots, films.brief(quality=level, max_cost=less, deadline=deadline), stack)
    rich = _decided(shots, films.brief(quality=level, max_cost=more, deadline=deadline), stack)
    if poor is not None:
        assert rich is not None
        assert rich.choice.quality >= poor.choice.quality
        assert rich.choice.micros <= more * 1_000_000


@pytest.mark.requirement("P7")
@pytest.mark.slow  # solves two plans for each example
@given(films_of, stacks(), st.sampled_from(LEVELS), TIMES, TIMES)
def test_more_time_never_raises_cost(
    lengths: list[int], stack: Stack, level: Level, one: float | None, other: float | None
) -> None:
    shots = films.film(lengths)
    less, more = sorted((one, other), key=lambda each: each or 1e9)
    hurried = _decided(shots, films.brief(quality=level, deadline=less), stack)
    calm = _decided(shots, films.brief(quality=level, deadline=more), stack)
    if hurried is not None:
        assert calm is not None
        # Time may buy real pictures for an animatic: that is what it is for, at this level.
        if hurried.choice.animatic == calm.choice.animatic:
            assert calm.choice.micros <= hurried.choice.micros
        else:
            assert calm.choice.animatic < hurried.choice.animatic


@pytest.mark.requirement("P7")
@pytest.mark.slow  # solves three plans for each example
@given(films_of, stacks(), MONEY, TIMES)
def test_a_higher_level_never_costs_less(
    lengths: list[int], stack: Stack, max_cost: float | None, deadline: float | None
) -> None:
    shots = films.film(lengths)
    costs = []
    for level in LEVELS:
        wanted = films.brief(quality=level, max_cost=max_cost, deadline=deadline)
        found = _decided(shots, wanted, stack)
        if found is not None:
            costs.append(found.choice.micros)
    assert costs == sorted(costs)


@pytest.mark.requirement("P7")
@pytest.mark.slow  # solves whole plans
@settings(max_examples=30)
@given(films_of, stacks(), st.sampled_from(LEVELS), MONEY, TIMES)
def test_a_plan_holds_together(
    lengths: list[int],
    stack: Stack,
    level: Level,
    max_cost: float | None,
    deadline: float | None,
) -> None:
    shots = films.film(lengths)
    wanted = films.brief(quality=level, max_cost=max_cost, deadline=deadline)
    try:
        plan = solve(shots, wanted, stack, films.TODAY, terms=Terms(lanes=2))
    except InfeasibleError as error:
        _relaxed_it_is_possible(error, shots, wanted, stack)
        return
    _adds_up(plan)
    _keeps_its_lanes(plan, shots)
    _nothing_beats_it(plan)
    for each in plan.shot_plans:
        for step in each.steps:
            used = next(tool for tool in stack.tools if tool.id == step.tool)
            assert used.status == "active"
            assert sum(step.clips) >= step.screen_seconds - 0.001 or step.mode == "t2i"
    if max_cost is not None:
        assert plan.cost_breakdown.expected <= max_cost
    if deadline is not None:
        assert plan.timeline.makespan <= deadline


def _adds_up(plan: ProductionPlan) -> None:
    def exact(*numbers: float) -> Decimal:
        return sum((Decimal(str(number)) for number in numbers), Decimal(0))

    costs = plan.cost_breakdown
    steps = [step for each in plan.shot_plans for step in each.steps]
    assert exact(*(step.usd for step in steps)) == exact(costs.expected)
    assert exact(*(step.worst_usd for step in steps)) == exact(costs.worst)
    for parts in (costs.by_tool, costs.by_provider, costs.by_scene):
        assert exact(*parts.values()) == exact(costs.expected)
    assert plan.summary.usd == costs.expected
    total = exact(*(step.seconds for step in steps), plan.timeline.post)
    assert total == exact(plan.timeline.sequential)


def _keeps_its_lanes(plan: ProductionPlan, shots: ShotList) -> None:
    ready: dict[tuple[str, str], tuple[float, float]] = {}
    for lane in plan.timeline.lanes:
        assert lane.number <= (1 if lane.provider == "local CPU" else 2)
        now = 0.0
        for slot in lane.slots:
            assert slot.start >= now
            now = slot.end
            ready[slot.shot, slot.offer] = (slot.start, slot.end)
    pictures = clips = 0.0
    first = float("inf")
    for each in plan.shot_plans:
        for step in each.steps:
            start, end = ready.pop((each.shot, step.offer))
            assert end - start == step.seconds
            if step.mode == "t2i":
                pictures = max(pictures, end)
            else:
                first, clips = min(first, start), max(clips, end)
    assert not ready
    assert first >= pictures
    assert plan.timeline.makespan == clips + plan.timeline.post


def _nothing_beats_it(plan: ProductionPlan) -> None:
    def worth(each: PlanAlternative) -> tuple[float, float, float]:
        return each.usd, each.seconds, -each.quality

    summary = plan.summary
    all_of_them = [
        (summary.usd, summary.seconds, -summary.quality),
        *(worth(each) for each in plan.alternatives),
    ]
    for place, one in enumerate(all_of_them):
        for other in all_of_them[:place] + all_of_them[place + 1 :]:
            assert not all(a <= b for a, b in zip(other, one, strict=True))
    better_in = {"cheaper": 0, "faster": 1, "better": 2}
    for each in plan.alternatives:
        at = better_in[each.name]
        assert worth(each)[at] < all_of_them[0][at]


def _relaxed_it_is_possible(
    error: InfeasibleError, shots: ShotList, wanted: Brief, stack: Stack
) -> None:
    assert "relax" in str(error).casefold()
    told, wish = error.infeasibility, wish_of(wanted)
    if not told.relax:
        assert told.blocked
        return
    for each in told.relax:
        if each.constraint == "max_cost":
            micros = int(Decimal(each.needed.removeprefix("$")) * 1_000_000)
            wish = replace(wish, max_micros=micros)
        elif each.constraint == "deadline":
            wish = replace(wish, deadline=int(each.needed.removesuffix("m")) * 60_000)
        else:
            assert each.constraint == "quality"
            assert each.needed in {"balanced", "budget"}
            wish = replace(wish, level=each.needed)
    case = Case.of(shots, stack, films.TODAY, Terms(lanes=2))
    assert case.decide(wish) is not None
    assert told.cheapest is not None
    assert told.fastest is not None
    assert told.cheapest.usd <= told.fastest.usd
    assert told.fastest.seconds <= told.cheapest.seconds


@pytest.mark.requirement("P7")
@settings(max_examples=40)
@given(films_of, stacks(), st.integers(0, 3), st.sampled_from(LEVELS))
def test_a_tool_is_never_chosen_once_it_is_retired(
    lengths: list[int], stack: Stack, which: int, level: Level
) -> None:
    gone = stack.tools[which % (len(stack.tools) - 2)].model_copy(
        update={"retires": films.TODAY, "status": "active"}
    )
    tools = tuple(gone if tool.id == gone.id else tool for tool in stack.tools)
    now = stack.model_copy(update={"tools": tools})
    case = Case.of(films.film(lengths), now, films.TODAY, Terms())
    problem = case.problem(wish_of(films.brief(quality=level)))
    assert all(way.call.tool.id != gone.id for group in problem.groups for way in group.ways)
    before = Case.of(films.film(lengths), now, films.TODAY - timedelta(days=1), Terms())
    earlier = before.problem(wish_of(films.brief(quality="budget")))
    shown = {way.call.tool.id for group in earlier.groups for way in group.ways}
    # The day before it was still there; dropped only if another way was never worse.
    assert shown


@pytest.mark.requirement("P7")
@pytest.mark.slow  # solves three plans for each example
@settings(max_examples=40)
@given(films_of, stacks(), st.sampled_from((0.5, 0.99)))
def test_of_two_offers_alike_the_cheaper_is_chosen(
    lengths: list[int], stack: Stack, part: float
) -> None:
    tool = films.tool("a", films.offer("a@north", 0.2), share=0.9)
    twin = films.tool("b", films.offer("b@north", 0.2 * part), share=0.9)
    both = stack.model_copy(update={"tools": (tool, twin, *stack.tools)})
    for level in LEVELS:
        found = _decided(films.film(lengths), films.brief(quality=level), both)
        assert found is not None
        chosen = {
            way.call.tool.id
            for group, counts in zip(found.problem.groups, found.choice.ways, strict=True)
            for way, count in zip(group.ways, counts, strict=True)
            if count
        }
        assert "a" not in chosen
