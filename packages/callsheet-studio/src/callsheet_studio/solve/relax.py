"""Why there is no plan: the smallest set of wishes to relax, and what is possible then."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Literal

from msgspec.structs import replace

from callsheet_studio.model.plan import Infeasibility, Relaxation
from callsheet_studio.solve import fitting
from callsheet_studio.solve.errors import InfeasibleError
from callsheet_studio.solve.others import told
from callsheet_studio.solve.telling import cents_up, minutes_up, money, span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from callsheet_studio.model.brief import Quality
    from callsheet_studio.solve.case import Case
    from callsheet_studio.solve.terms import Wish

Constraint = Literal["max_cost", "deadline", "quality", "region", "licences", "resolution"]
_LOWER: dict[Quality, tuple[Quality, ...]] = {
    "high": ("balanced", "budget"),
    "balanced": ("budget",),
    "budget": (),
}
_SHOWN = 3


def infeasible(case: Case, wish: Wish) -> InfeasibleError:
    """What to say when there is no plan for a wish."""
    names = next(_sets(case, wish), None)
    if names is None:
        return _blocked(case, wish)
    free = _without(wish, names)
    relaxed = _needed(case, wish, names)
    cheapest, fastest = case.reach(free, "cheapest"), case.reach(free, "fastest")
    found = Infeasibility(
        relax=relaxed,
        cheapest=None if cheapest is None else told(case, "cheaper", cheapest, None),
        fastest=None if fastest is None else told(case, "faster", fastest, None),
        blocked=_unmakeable(case, wish),
    )
    return InfeasibleError(_message(found), found)


def _sets(case: Case, wish: Wish) -> Iterator[tuple[Constraint, ...]]:
    """Sets of wishes without which there is a plan, the smallest first."""
    wished = _wished(wish)
    for size in range(1, len(wished) + 1):
        for names in combinations(wished, size):
            if case.possible(_without(wish, names)):
                yield names


def _wished(wish: Wish) -> list[Constraint]:
    given: dict[Constraint, bool] = {
        "max_cost": wish.max_micros is not None,
        "deadline": wish.deadline is not None,
        "quality": wish.level != "budget" and not wish.animatic,
        "resolution": wish.short_side > 0,
        "region": bool(wish.region),
        "licences": not wish.any_licence,
    }
    return [name for name, wished in given.items() if wished]


def _without(wish: Wish, names: tuple[Constraint, ...]) -> Wish:
    for name in names:
        wish = _free(wish, name)
    return wish


def _free(wish: Wish, name: Constraint) -> Wish:
    match name:
        case "max_cost":
            return replace(wish, max_micros=None)
        case "deadline":
            return replace(wish, deadline=None)
        case "quality":
            return replace(wish, level="budget")
        case "resolution":
            return replace(wish, short_side=0)
        case "region":
            return replace(wish, region="")
        case "licences":
            return replace(wish, licences="any")


# How far


def _needed(case: Case, wish: Wish, names: tuple[Constraint, ...]) -> tuple[Relaxation, ...]:
    """From what to what, so that all together are enough: what costs nothing is given up last."""
    settled = _without(wish, names)
    steps: dict[Constraint, Wish] = {}
    for name in ("quality", "resolution", "region", "licences", "max_cost", "deadline"):
        if name in names:
            settled = _tightened(case, settled, wish, name)
            steps[name] = settled
    return tuple(
        Relaxation(constraint=name, given=_value(wish, name), needed=_value(steps[name], name))
        for name in names
    )


def _tightened(case: Case, free: Wish, wish: Wish, name: Constraint) -> Wish:
    match name:
        case "quality":
            tries = [replace(free, level=level) for level in _LOWER[wish.level]]
            return next((each for each in tries if case.possible(each)), free)
        case "resolution":
            sides = sorted(_sides(case, wish.short_side), reverse=True)
            tries = [replace(free, short_side=side) for side in sides]
            return next((each for each in tries if case.possible(each)), free)
        case "max_cost":
            least = case.reach(free, "cheapest")
            return free if least is None else _with_cost(free, least.choice.micros)
        case "deadline":
            soonest = case.reach(free, "fastest")
            return free if soonest is None else _with_time(free, soonest.choice.ms + case.post)
        case "region" | "licences":
            return free


def _with_cost(wish: Wish, micros: int) -> Wish:
    return replace(wish, max_micros=cents_up(micros))


def _with_time(wish: Wish, ms: int) -> Wish:
    return replace(wish, deadline=minutes_up(ms))


def _sides(case: Case, below: int) -> set[int]:
    found = {
        fitting.resolution(tool, offer)
        for tool in case.stack.tools
        if tool.category == "video"
        for offer in tool.offers
    }
    return {side for side in found if side is not None and side < below}


def _value(wish: Wish, name: Constraint) -> str:
    match name:
        case "max_cost":
            return "none" if wish.max_micros is None else money(wish.max_micros)
        case "deadline":
            return "none" if wish.deadline is None else span(wish.deadline)
        case "quality":
            return wish.level
        case "resolution":
            return f"{wish.short_side}p"
        case "region":
            return wish.region or "any"
        case "licences":
            return wish.licences


# Words


def _blocked(case: Case, wish: Wish) -> InfeasibleError:
    """Nothing helps: some shots cannot be made at all."""
    free = _without(wish, tuple(_wished(wish)))
    found = Infeasibility(relax=(), cheapest=None, fastest=None, blocked=_unmakeable(case, free))
    return InfeasibleError(_message(found), found)


def _unmakeable(case: Case, wish: Wish) -> tuple[str, ...]:
    found = []
    for group in case.problem(wish).groups:
        if not group.ways:
            against = () if wish.animatic else group.against
            why = "; ".join(against[:_SHOWN]) or _nothing(wish)
            more = len(against) - _SHOWN
            rest = f"; and {more} more" if more > 0 else ""
            found += [f"{case.shots.shots[place].id}: {why}{rest}" for place in group.shots]
    return tuple(found)


def _nothing(wish: Wish) -> str:
    return f"the tool stack has no {'renderer' if wish.animatic else 'video offer'}"


def _message(found: Infeasibility) -> str:
    lines = ["No plan keeps to everything that the brief asks for."]
    if found.relax:
        parts = [f"{r.constraint} from {r.given} to {r.needed}" for r in found.relax]
        lines.append(f"Relax {' and '.join(parts)}.")
    else:
        lines.append("There is nothing to relax: some shots cannot be made with this tool stack.")
        lines.append("Import a tool stack that can make them, or change the shots.")
    lines += [f"Shot {each}" for each in found.blocked[:_SHOWN]]
    if found.cheapest is not None:
        lines.append(f"Cheapest feasible plan without that limit: {found.cheapest.what}")
    if found.fastest is not None:
        lines.append(f"Fastest feasible plan without that limit: {found.fastest.what}")
    return "\n".join(lines)
