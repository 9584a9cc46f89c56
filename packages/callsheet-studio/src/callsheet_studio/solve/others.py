"""Other whole plans that are better in something: cheaper, faster, better."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Literal

from msgspec.structs import replace

from callsheet_studio.model.plan import PlanAlternative
from callsheet_studio.solve.lanes import dealt
from callsheet_studio.solve.result import TOLD, quality_of
from callsheet_studio.solve.telling import average, lasting, money
from callsheet_studio.solve.terms import HUNDRED, seconds, usd

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from callsheet_studio.model.brief import Quality
    from callsheet_studio.solve.case import Case, Decision
    from callsheet_studio.solve.terms import Goal, Wish

Name = Literal["cheaper", "faster", "better"]
_LEVELS: tuple[Quality, ...] = ("high", "balanced", "budget")


def alternatives(case: Case, plan: Decision) -> tuple[PlanAlternative, ...]:
    """One of each kind if there is one; none is beaten in everything by the plan or another."""
    found: list[tuple[Name, Decision]] = []
    for name, ahead, ways in (
        ("cheaper", _cheaper, _to_cheaper),
        ("faster", _faster, _to_faster),
        ("better", _better, _to_better),
    ):
        other = _first(case, plan, ways(plan), ahead)
        if other is not None:
            found.append((name, other))  # type: ignore[arg-type]
    kept: list[tuple[Name, Decision]] = []
    for name, each in found:
        others = [plan, *(other for _, other in kept)]
        rest = [other for _, other in found if other is not each and not _same(other, each)]
        if not any(_beaten(each, other) for other in (*others, *rest)):
            kept.append((name, each))
    return _apart(
        told(case, "cheaper", plan, None), [told(case, name, each, plan) for name, each in kept]
    )


def _apart(plan: PlanAlternative, others: list[PlanAlternative]) -> tuple[PlanAlternative, ...]:
    """Those that are still better in something when numbers are rounded as they are told."""
    kept: list[PlanAlternative] = []
    for each in others:
        if not any(_worth(other, each) for other in (plan, *kept)):
            kept.append(each)
    return tuple(kept)


def _worth(other: PlanAlternative, each: PlanAlternative) -> bool:
    """Whether another one is as good in everything."""
    better = other.usd <= each.usd and other.seconds <= each.seconds
    return better and other.quality >= each.quality


def _first(
    case: Case,
    plan: Decision,
    ways: Iterator[tuple[Wish, Goal]],
    ahead: Callable[[Decision, Decision], bool],
) -> Decision | None:
    for wish, goal in ways:
        other = case.reach(wish, goal)
        if other is not None and ahead(other, plan) and _beaten(plan, other):
            # Some shot is below the floor, and others make up for it in every number. What gives
            # up a wish of the brief must show it: else the plan would look like a mistake.
            other = case.reach(wish, goal, max_quality=_lower(case, plan))
        if other is not None and ahead(other, plan):
            return other
    return None


def _lower(case: Case, plan: Decision) -> int:
    """The next quality that is told as a lower one."""
    return plan.choice.quality - case.shots.frames * HUNDRED // TOLD - 1


# What is given up for it, the least first.


def _to_cheaper(plan: Decision) -> Iterator[tuple[Wish, Goal]]:
    wish = plan.wish
    if plan.goal in {"best", "fastest"} and wish.level != "budget":
        yield wish, "frugal"
    for level in _LEVELS[_LEVELS.index(wish.level) + 1 :]:
        yield replace(wish, level=level), "frugal"
    yield replace(wish, level="budget"), "cheapest"


def _to_faster(plan: Decision) -> Iterator[tuple[Wish, Goal]]:
    wish = plan.wish
    if plan.goal != "fastest":
        yield wish, "fastest"
        if wish.max_micros is not None:
            yield replace(wish, max_micros=None), "fastest"
    if wish.level != "budget":
        yield replace(wish, level="budget"), "fastest"


def _to_better(plan: Decision) -> Iterator[tuple[Wish, Goal]]:
    wish = plan.wish
    yield wish, "best"
    if wish.max_micros is not None:
        yield replace(wish, max_micros=None), "best"
    if wish.deadline is not None:
        yield replace(wish, max_micros=None, deadline=None), "best"


def _cheaper(a: Decision, b: Decision) -> bool:
    return a.choice.micros < b.choice.micros


def _faster(a: Decision, b: Decision) -> bool:
    return a.choice.ms < b.choice.ms


def _better(a: Decision, b: Decision) -> bool:
    return a.choice.quality > b.choice.quality


def _same(a: Decision, b: Decision) -> bool:
    return _beaten(a, b) and _beaten(b, a)


def _beaten(loser: Decision, winner: Decision) -> bool:
    a, b = loser.choice, winner.choice
    return b.micros <= a.micros and b.ms <= a.ms and b.quality >= a.quality


def told(case: Case, name: Name, other: Decision, plan: Decision | None) -> PlanAlternative:
    """A decision in a few numbers and words."""
    choice = other.choice
    made = dealt(other)
    return PlanAlternative(
        name=name,
        usd=usd(choice.micros),
        seconds=seconds(choice.ms + case.post),
        quality=quality_of(case, other),
        offers={case.shots.shots[each.place].id: each.way.call.offer.id for each in made},
        what=_what(case, other, plan),
    )


def _what(case: Case, other: Decision, plan: Decision | None) -> str:
    choice = other.choice
    ready, quality = choice.ms + case.post, quality_of(case, other)
    if plan is None:
        return f"{money(choice.micros)}, ready in {lasting(ready)}, {average(quality)}."
    wish, beyond = plan.wish, []
    if other.wish.level != wish.level:
        beyond.append(f"quality {other.wish.level}")
    if wish.max_micros is not None and choice.micros > wish.max_micros:
        beyond.append(f"over {money(wish.max_micros)}")
    if wish.deadline is not None and ready > wish.deadline:
        beyond.append(f"after {lasting(wish.deadline)}")
    changes = _changes(other, plan)
    return f"{changes} ({', '.join(beyond)})." if beyond else f"{changes}."


def _changes(other: Decision, plan: Decision) -> str:
    """Which shots are made with something else, and with what most of them."""
    before = {each.place: each.way.call.offer.id for each in dealt(plan)}
    after = {each.place: each.way.call.offer.id for each in dealt(other)}
    changed = Counter(offer for place, offer in after.items() if before[place] != offer)
    if not changed:
        return "The same offers, with other pictures or in other lanes"
    many = sum(changed.values())
    offer = min(changed, key=lambda each: (-changed[each], each))
    what = "shot is" if many == 1 else "shots are"
    most = "" if len(changed) == 1 else f", {changed[offer]} of them"
    return f"{many} of {len(after)} {what} made otherwise{most} with {offer}"
