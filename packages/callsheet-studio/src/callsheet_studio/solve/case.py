"""A film to be planned, and the rule which plan is the best one for a brief."""

from __future__ import annotations

from dataclasses import replace as replace_dataclass
from typing import TYPE_CHECKING

import msgspec
from msgspec import field
from msgspec.structs import replace

from callsheet_studio.solve.choice import Bounds, Choice
from callsheet_studio.solve.market import Market, all_still_needs, stills_for
from callsheet_studio.solve.model import Problem
from callsheet_studio.solve.needs import Need, needs_of
from callsheet_studio.solve.terms import MS, Goal, Terms, Wish
from callsheet_studio.solve.ways import groups_of

if TYPE_CHECKING:
    from datetime import date

    from callsheet_studio.model.shots import ShotList
    from callsheet_studio.model.stack import Stack

_PART = 0.25
"""Of the effort, for a plan that is only shown beside the chosen one."""


class Decision(msgspec.Struct, frozen=True):
    """A choice, with what it was made from and for."""

    wish: Wish
    goal: Goal
    problem: Problem
    choice: Choice


class Case(msgspec.Struct, frozen=True):
    """Everything but the wish."""

    shots: ShotList
    stack: Stack
    today: date
    terms: Terms
    needs: tuple[Need, ...]
    _problems: dict[Wish, Problem] = field(default_factory=dict)

    @classmethod
    def of(cls, shots: ShotList, stack: Stack, today: date, terms: Terms) -> Case:
        """With what each shot needs."""
        return cls(shots, stack, today, terms, needs_of(shots))

    @property
    def post(self) -> int:
        """Milliseconds for putting it together: as long as the film, whole seconds upwards."""
        return -(-self.shots.frames // self.shots.rate.base) * MS

    def market(self, wish: Wish) -> Market:
        """What can be bought for it."""
        return Market(self.stack, self.today, wish, self.terms)

    def problem(self, wish: Wish) -> Problem:
        """What there is to choose from: money and time do not matter for it."""
        key = replace(wish, max_micros=None, deadline=None)
        if key not in self._problems:
            market = self.market(key)
            stills = {need: stills_for(need, market) for need in all_still_needs()}
            offered = {need: calls for need, calls in stills.items() if calls}
            groups = groups_of(self.needs, market)
            self._problems[key] = Problem(groups, offered, self.terms)
        return self._problems[key]

    def bounds(self, wish: Wish) -> Bounds | None:
        """What a choice must keep within; None if the time is not even enough for the end."""
        left = None if wish.deadline is None else wish.deadline - self.post
        if left is not None and left < 0:
            return None
        return Bounds(max_micros=wish.max_micros, max_ms=left)

    def decide(self, wish: Wish, goal: Goal | None = None) -> Decision | None:
        """The plan for a wish; None if there is none.

        - `balanced`, and `high` without a maximum cost: the cheapest of that quality.
        - `high` with a maximum cost: as good as it can be for the money.
        - `budget`: the cheapest with as little animatic as the deadline allows; if the money does
          not reach for that, as good as it can be for the money, with animatic for the rest.

        So more money never lowers quality, and a higher level never costs less.
        """
        if goal is not None:
            return self.reach(wish, goal, part=1)
        if wish.level == "budget":
            return self._frugal(wish)
        return self.reach(wish, goal_of(wish), part=1)

    def reach(
        self, wish: Wish, goal: Goal, *, part: float = _PART, max_quality: int | None = None
    ) -> Decision | None:
        """The best in one respect, within the wish."""
        bounds = self.bounds(wish)
        problem = self.problem(wish)
        if bounds is not None:
            bounds = replace(bounds, max_quality=max_quality)
        choice = None if bounds is None else problem.choose(goal, bounds, share=part)
        if choice is None and bounds is not None and problem.has_faces:
            # Two models for one face are better than no film.
            problem = replace_dataclass(problem, same_faces=False)
            choice = problem.choose(goal, bounds, share=part)
        return None if choice is None else Decision(wish, goal, problem, choice)

    def possible(self, wish: Wish) -> bool:
        """Whether there is any plan for a wish."""
        bounds = self.bounds(wish)
        if bounds is None:
            return False
        problem = self.problem(wish)
        loose = replace_dataclass(problem, same_faces=False)
        return problem.possible(bounds) or (problem.has_faces and loose.possible(bounds))

    def _frugal(self, wish: Wish) -> Decision | None:
        whole = self.reach(replace(wish, max_micros=None), "frugal", part=1)
        bounds = self.bounds(wish)
        if whole is None or bounds is None or wish.max_micros is None:
            return whole
        if whole.choice.micros <= wish.max_micros:
            return replace(whole, wish=wish)
        # Never better than what it would be with enough money: saving comes first at this level.
        within = replace(bounds, max_quality=whole.choice.quality)
        choice = whole.problem.choose("best", within)
        return None if choice is None else Decision(wish, "best", whole.problem, choice)


def goal_of(wish: Wish) -> Goal:
    """What comes first for a wish."""
    if wish.level == "budget":
        return "frugal"
    return "best" if wish.level == "high" and wish.max_micros is not None else "cheapest"
