"""The solver: gap against trying every plan, and the time to a proof for a long film."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from bench.table import Row

if TYPE_CHECKING:
    from bench.cases import Bench
    from callsheet_studio.model.plan import ProductionPlan
    from callsheet_studio.model.shots import ShotList

SHOTS = 60
SECONDS = 10.0
GAP = 0.01
CASES = 200


async def solver(bench: Bench) -> list[Row]:
    """Small films against every plan there is, a long one against the clock."""
    return [_small(bench), *(_long(bench, **asked) for asked in _WANTED)]


_WANTED: tuple[dict[str, Any], ...] = (
    {"quality": "balanced"},
    {"quality": "balanced", "deadline": 2600.0},
    {"quality": "high", "max_cost": 140.0},
    {"quality": "budget", "max_cost": 20.0},
)


def _small(bench: Bench) -> Row:
    films = min(CASES, 2 * bench.sizes.runs)
    missed = sum(not _matches(seed) for seed in range(films))
    return Row(
        case=f"solver: {films} small films, best of all plans",
        ours=f"{films - missed} of {films}",
        bar="all: gap 0",
        met=missed == 0,
    )


def _matches(seed: int) -> bool:
    """Cost, quality and time are those of the best plan that trying every one finds."""
    from tests.unit.solve.films import TODAY
    from tests.unit.solve.small import small

    from callsheet_studio.solve.case import Case
    from callsheet_studio.solve.terms import wish_of

    film = small(seed)
    case = Case.of(film.shots, film.stack, TODAY, film.terms)
    found = case.decide(wish_of(film.brief))
    if found is None or film.best is None:
        return found is None and film.best is None
    choice, best = found.choice, film.best
    mine = (choice.micros, choice.quality, choice.ms)
    return mine == (best.micros, best.quality, best.seconds * 1000)


def _long(bench: Bench, **asked: Any) -> Row:
    count = min(SHOTS, bench.sizes.runs)
    shots, begun = film_of(count), time.perf_counter()
    plan = _planned(shots, **asked)
    seconds, proof = time.perf_counter() - begun, plan.proof
    wanted = ", ".join(f"{key} {value}" for key, value in asked.items())
    bench.notes.append(f"solver, {wanted}: {plan.summary.text}")
    return Row(
        case=f"solver: {count} shots, all active offers, {wanted}",
        ours=f"{seconds:.1f} s, gap {proof.gap:g}, {proof.candidates} ways",
        bar=f"{SECONDS:g} s, gap {GAP:g}",
        met=seconds < SECONDS and proof.gap <= GAP,
    )


def film_of(count: int) -> ShotList:
    """Shots of many lengths; some show somebody again, some somebody who speaks."""
    from tests.unit.solve import films

    lengths = [36 + 37 * place % 204 for place in range(count)]
    film = films.film(lengths)
    shots = tuple(
        shot.model_copy(
            update={
                "figures": ("Mara",) if place % 3 == 0 else (),
                "lip_sync": place % 10 == 0,
                "complexity": shot.complexity.model_copy(update={"motion": 1 + 7 * place % 9}),
            }
        )
        for place, shot in enumerate(film.shots)
    )
    return film.model_copy(update={"shots": shots})


def _planned(shots: ShotList, **asked: Any) -> ProductionPlan:
    from tests.unit.solve import films

    from callsheet_studio.solve import solve
    from callsheet_studio.stack import starting_stack

    return solve(shots, films.brief(**asked), starting_stack(), films.TODAY)
