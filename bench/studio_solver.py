"""The solver: gap against trying every plan, and the time to a proof for a long film."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from bench.table import Row

if TYPE_CHECKING:
    from bench.cases import Bench
    from callsheet.studio.model.plan import ProductionPlan
    from callsheet.studio.model.shots import ShotList

SHOTS = 60
SECONDS = 10.0
GAP = 0.01
CASES = 200


async def solver(bench: Bench) -> list[Row]:
    """Small films against every plan there is, a long one against the clock."""
    return [_small(), *(_long(bench, **asked) for asked in _WANTED)]


_WANTED = (
    {"quality": "balanced"},
    {"quality": "balanced", "deadline": 2600.0},
    {"quality": "high", "max_cost": 140.0},
    {"quality": "budget", "max_cost": 20.0},
)


def _small() -> Row:
    from tests.unit.studio.solve.test_exhaustive import gap_of

    worst = max(gap_of(seed) for seed in range(CASES))
    return Row(
        case=f"solver: largest gap to trying every plan, {CASES} films",
        ours=f"{worst:g}",
        bar="0",
        met=worst == 0,
    )


def _long(bench: Bench, **asked: object) -> Row:
    shots, begun = film_of(SHOTS), time.perf_counter()
    plan = _planned(shots, **asked)
    seconds, proof = time.perf_counter() - begun, plan.proof
    wanted = ", ".join(f"{key} {value:g}" if isinstance(value, float) else str(value)
                       for key, value in asked.items())
    bench.notes.append(f"solver, {wanted}: {plan.summary.text}")
    return Row(
        case=f"solver: {SHOTS} shots, all active offers, {wanted}",
        ours=f"{seconds:.1f} s, gap {proof.gap:g}, {proof.candidates} ways",
        bar=f"{SECONDS:g} s, gap {GAP:g}",
        met=seconds < SECONDS and proof.gap <= GAP,
    )


def film_of(count: int) -> ShotList:
    """Shots of many lengths; some show somebody again, some somebody who speaks."""
    from tests.unit.studio.solve import films

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


def _planned(shots: ShotList, **asked: object) -> ProductionPlan:
    from callsheet.studio.solve import solve
    from callsheet.studio.stack import starting_stack
    from tests.unit.studio.solve import films

    return solve(shots, films.brief(**asked), starting_stack(), films.TODAY)
