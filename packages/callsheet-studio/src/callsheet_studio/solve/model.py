"""The choice over all shots at once, as a model of whole numbers, solved to a proof by CP-SAT.

How many shots of a group are made in which way, with which pictures, and how many calls of which
length go through which lane of a provider: first all pictures, which somebody looks at, then all
clips. Goals are met one after the other, each without giving up anything of those before it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

import msgspec

from callsheet.errors import InputError
from callsheet_studio.solve.choice import (
    Bounds,
    Choice,
    Counts,
    Phase,
    Units,
    leading,
)
from callsheet_studio.solve.packing import packed
from callsheet_studio.solve.terms import local

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ortools.sat.python import cp_model

    from callsheet_studio.solve.market import Call, StillNeed
    from callsheet_studio.solve.terms import Goal, Terms
    from callsheet_studio.solve.ways import Group

SOLVER = "OR-Tools CP-SAT"
_SEED = 1
_LATER = 0.4
"""Of the effort, for each goal after the first: they only choose between equally good plans."""
_HARDER = (4, 16)
_ORDER: dict[Goal, tuple[str, ...]] = {
    "best": ("quality", "cost", "time", "name"),
    "cheapest": ("cost", "quality", "time", "name"),
    "fastest": ("time", "cost", "quality", "name"),
    "frugal": ("animatic", "cost", "quality", "time", "name"),
}


@dataclass(frozen=True)
class Problem:
    """What there is to choose from."""

    groups: tuple[Group, ...]
    stills: Mapping[StillNeed, tuple[Call, ...]]
    terms: Terms
    same_faces: bool = True
    """Whether one model makes all shots of a face in a scene."""

    @cached_property
    def units(self) -> Units:
        """What the model counts in."""
        calls = [way.call for group in self.groups for way in group.ways]
        calls += [call for each in self.stills.values() for call in each]
        return Units.of(calls)

    @cached_property
    def makeable(self) -> bool:
        """Whether there is a way for each shot."""
        return all(group.ways for group in self.groups)

    @cached_property
    def has_faces(self) -> bool:
        """Whether some of its shots are to be made by one model."""
        return self.same_faces and any(group.need.face for group in self.groups)

    def possible(self, bounds: Bounds) -> bool:
        """Whether there is any choice within the bounds."""
        if not self.makeable:
            return False
        return _Model(self, bounds, stubborn=True).possible(self.terms.effort)

    def choose(self, goal: Goal, bounds: Bounds, *, share: float = 1) -> Choice | None:
        """The one best choice; None if none keeps within the bounds.

        `share` is how much of the effort may be spent on it.

        Raises:
            InputError: all the effort was not enough to find one, or to know that there is none.
        """
        if not self.makeable:
            return None
        # With less than all effort it is a plan beside another: names need not be proved.
        goals = _ORDER[goal] if share == 1 else _ORDER[goal][:-1]
        model = _Model(self, bounds, stubborn=share == 1)
        choice = model.solved(goals, self.terms.effort * share)
        if choice is None and share == 1 and not model.settled:
            raise InputError(
                "Whether there is a plan could not be found out. Relax max_cost or deadline a "
                "little, or give Terms more effort."
            )
        return choice

    @property
    def weighed(self) -> int:
        """Ways over all shots."""
        return sum(group.weighed * len(group.shots) for group in self.groups)


class _Model:
    """The problem in the solver's words."""

    def __init__(self, problem: Problem, bounds: Bounds, *, stubborn: bool) -> None:
        # Here: it takes a while to import, and most of what a film is made of needs no solver.
        from callsheet_studio.solve.cpsat import cp_model

        self.settled = True
        """Whether the effort was enough to know if there is anything."""
        self._harder = _HARDER if stubborn else ()
        self._cp = cp_model()
        self._model = self._cp.CpModel()
        self._problem = problem
        self._units = problem.units
        self._ways = [self._counts(len(g.shots), len(g.ways)) for g in problem.groups]
        self._one_model_a_face()
        self._stills = self._still_counts()
        self._stages = (self._stage(self._picture_calls()), self._stage(self._clip_calls()))
        self._totals = self._added_up()
        self._keep(bounds)

    # Variables

    def _counts(self, together: int, kinds: int) -> list[cp_model.IntVar]:
        found = [self._model.new_int_var(0, together, "") for _ in range(kinds)]
        self._model.add(sum(found) == together)
        return found

    def _one_model_a_face(self) -> None:
        """All shots of a face in a scene by one model, where one can make them all."""
        groups: dict[str, list[int]] = {}
        for number, group in enumerate(self._problem.groups if self._problem.same_faces else ()):
            if group.need.face:
                groups.setdefault(group.need.face, []).append(number)
        for numbers in groups.values():
            models = [_models(self._problem.groups[number]) for number in numbers]
            if not (shared := sorted(set.intersection(*models))):
                continue
            chosen = {name: self._model.new_bool_var("") for name in shared}
            self._model.add_exactly_one(chosen.values())
            for number in numbers:
                self._only(number, chosen)

    def _only(self, number: int, chosen: Mapping[str, cp_model.IntVar]) -> None:
        """A group is made by a model only if that is the chosen one; drawn here, in any case."""
        group = self._problem.groups[number]
        for way, count in zip(group.ways, self._ways[number], strict=True):
            if not local(way.call.offer.provider):
                bound = len(group.shots) * chosen[way.tool] if way.tool in chosen else 0
                self._model.add(count <= bound)

    def _still_counts(self) -> dict[StillNeed, list[cp_model.IntVar]]:
        wanted: dict[StillNeed, list[cp_model.IntVar]] = {}
        for group, counts in zip(self._problem.groups, self._ways, strict=True):
            for way, count in zip(group.ways, counts, strict=True):
                if way.still is not None:
                    wanted.setdefault(way.still, []).append(count)
        most = sum(len(group.shots) for group in self._problem.groups)
        found: dict[StillNeed, list[cp_model.IntVar]] = {}
        for need, users in wanted.items():
            calls = self._problem.stills[need]
            found[need] = [self._model.new_int_var(0, most, "") for _ in calls]
            self._model.add(sum(found[need]) == sum(users))
        return found

    def _clip_calls(self) -> list[tuple[Call, cp_model.IntVar]]:
        return [
            (way.call, count)
            for group, counts in zip(self._problem.groups, self._ways, strict=True)
            for way, count in zip(group.ways, counts, strict=True)
        ]

    def _picture_calls(self) -> list[tuple[Call, cp_model.IntVar]]:
        return [
            (call, count)
            for need, counts in self._stills.items()
            for call, count in zip(self._problem.stills[need], counts, strict=True)
        ]

    # Lanes: which call goes where does not matter, only how many of which length do.

    def _stage(self, calls: Sequence[tuple[Call, cp_model.IntVar]]) -> _Stage:
        by_length: dict[tuple[str, int], list[cp_model.IntVar]] = {}
        for call, count in calls:
            if call.ms:
                by_length.setdefault((call.offer.provider, call.ms), []).append(count)
        most = sum(len(group.shots) for group in self._problem.groups)
        longest = max((length // self._units.ms for _, length in by_length), default=0) * most
        end = self._model.new_int_var(0, longest, "")
        through = {key: self._split(sum(counts), most, key[0]) for key, counts in by_length.items()}
        for provider in dict.fromkeys(provider for provider, _ in through):
            self._fill(provider, through, end)
        return _Stage(end, through)

    def _split(
        self, together: cp_model.LinearExprT, most: int, provider: str
    ) -> list[cp_model.IntVar]:
        lanes = self._problem.terms.lanes_of(provider)
        found = [self._model.new_int_var(0, most, "") for _ in range(lanes)]
        self._model.add(sum(found) == together)
        return found

    def _fill(
        self,
        provider: str,
        through: dict[tuple[str, int], list[cp_model.IntVar]],
        end: cp_model.IntVar,
    ) -> None:
        own = {length: lanes for (name, length), lanes in through.items() if name == provider}
        count = len(next(iter(own.values())))
        loads = [
            sum(lanes[number] * (length // self._units.ms) for length, lanes in own.items())
            for number in range(count)
        ]
        for load in loads:
            self._model.add(load <= end)
        # Lanes are alike: the fuller first.
        for fuller, emptier in pairwise(loads):
            self._model.add(fuller >= emptier)

    # Goals

    def _added_up(self) -> dict[str, cp_model.LinearExprT]:
        units, groups = self._units, self._problem.groups
        calls = self._clip_calls() + self._picture_calls()
        each = [
            (way, count, group.need.frames)
            for group, counts in zip(groups, self._ways, strict=True)
            for way, count in zip(group.ways, counts, strict=True)
        ]
        return {
            "cost": sum(call.expected // units.micros * count for call, count in calls),
            "quality": -sum(way.quality.low * frames * count for way, count, frames in each),
            "animatic": sum(
                frames * count for way, count, frames in each if way.recipe == "animatic"
            ),
            "time": self._stages[0].end + self._stages[1].end,
            "name": self._by_name(),
        }

    def _by_name(self) -> cp_model.LinearExprT:
        places = [enumerate(counts) for counts in (*self._ways, *self._stills.values())]
        return sum(place * count for group in places for place, count in group)

    def _keep(self, bounds: Bounds) -> None:
        if bounds.max_micros is not None:
            self._model.add(self._totals["cost"] <= bounds.max_micros // self._units.micros)
        if bounds.max_ms is not None:
            self._model.add(self._totals["time"] <= bounds.max_ms // self._units.ms)
        if bounds.max_quality is not None:
            self._model.add(-self._totals["quality"] <= bounds.max_quality)

    def possible(self, effort: float) -> bool:
        """Whether anything at all keeps within the bounds."""
        return self._found(effort)[1] in {self._cp.OPTIMAL, self._cp.FEASIBLE}

    def solved(self, goals: tuple[str, ...], effort: float) -> Choice | None:
        """Goal after goal; each keeps what those before it have reached."""
        phases: list[Phase] = []
        solver: cp_model.CpSolver | None = None
        for goal in goals:
            total = self._totals[goal]
            self._model.minimize(total)
            counts = goal in goals[: leading(goals)]
            found, status = self._found(effort if counts else effort * _LATER)
            if status not in {self._cp.OPTIMAL, self._cp.FEASIBLE}:
                break
            solver = found
            value, proved = found.value(total), status == self._cp.OPTIMAL
            bound = value if proved else round(found.best_objective_bound)
            phases.append(Phase(goal, value, bound, proved))
            self._model.add(total <= value)
            self._hint(found)
        return None if solver is None else self._chosen(solver, phases)

    def _found(self, effort: float) -> tuple[cp_model.CpSolver, cp_model.CpSolverStatus]:
        """Tries harder if the effort was not enough to say whether there is anything."""
        solver = self._solver(effort)
        status = solver.solve(self._model)
        for times in self._harder:
            if status != self._cp.UNKNOWN:
                break
            solver = self._solver(effort * times)
            status = solver.solve(self._model)
        self.settled = status != self._cp.UNKNOWN
        return solver, status

    def _solver(self, effort: float) -> cp_model.CpSolver:
        solver: cp_model.CpSolver = self._cp.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.random_seed = _SEED
        solver.parameters.linearization_level = 2
        solver.parameters.max_deterministic_time = effort
        # Ctrl-C belongs to whoever has started this process; caught there, it would abort it.
        solver.parameters.catch_sigint_signal = False
        return solver

    def _hint(self, solver: cp_model.CpSolver) -> None:
        self._model.clear_hints()
        for index in range(len(self._model.proto.variables)):
            variable = self._model.get_int_var_from_proto_index(index)
            self._model.add_hint(variable, solver.value(variable))

    def _chosen(self, solver: cp_model.CpSolver, phases: list[Phase]) -> Choice:
        pictures, clips = (self._packed(stage, solver) for stage in self._stages)
        return Choice(
            ways=tuple(tuple(solver.value(each) for each in counts) for counts in self._ways),
            stills={
                need: tuple(solver.value(each) for each in counts)
                for need, counts in self._stills.items()
            },
            micros=solver.value(self._totals["cost"]) * self._units.micros,
            quality=-solver.value(self._totals["quality"]),
            animatic=solver.value(self._totals["animatic"]),
            pictures_ms=pictures[0],
            clips_ms=clips[0],
            lanes=(pictures[1], clips[1]),
            phases=tuple(phases),
        )

    def _packed(self, stage: _Stage, solver: cp_model.CpSolver) -> tuple[int, Counts]:
        """The end of a stage and its lanes: the longest first, or as solved if that is sooner."""
        solved, simple = stage.counts(solver), self._longest_first(stage.counts(solver))
        return min((_end(simple), 0, simple), (_end(solved), 1, solved), key=lambda each: each[:2])[
            ::2
        ]

    def _longest_first(self, solved: Counts) -> Counts:
        found: Counts = {}
        for provider in dict.fromkeys(name for name, _ in solved):
            own = {
                length: sum(lanes) for (name, length), lanes in solved.items() if name == provider
            }
            calls = [length for length, count in own.items() for _ in range(count)]
            lanes = packed(calls, self._problem.terms.lanes_of(provider), int)
            for length in own:
                found[provider, length] = tuple(lane.count(length) for lane in lanes)
        return found


def _models(group: Group) -> set[str]:
    return {way.tool for way in group.ways if not local(way.call.offer.provider)}


def _end(lanes: Counts) -> int:
    loads: dict[tuple[str, int], int] = {}
    for (provider, length), counts in lanes.items():
        for number, count in enumerate(counts):
            loads[provider, number] = loads.get((provider, number), 0) + length * count
    return max(loads.values(), default=0)


class _Stage(msgspec.Struct, frozen=True):
    end: cp_model.IntVar
    through: dict[tuple[str, int], list[cp_model.IntVar]]

    def counts(self, solver: cp_model.CpSolver) -> Counts:
        return {
            key: tuple(solver.value(lane) for lane in lanes) for key, lanes in self.through.items()
        }
