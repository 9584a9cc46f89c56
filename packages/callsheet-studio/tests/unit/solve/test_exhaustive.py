"""The solver's plan is the best of all plans: gap 0 against trying every one."""

from __future__ import annotations

import pytest
from tests.unit.solve import films
from tests.unit.solve.small import small

from callsheet_studio.solve import InfeasibleError, solve
from callsheet_studio.solve.case import Case
from callsheet_studio.solve.terms import wish_of

CASES = 200
BATCH = 20


@pytest.mark.requirement("P7")
@pytest.mark.slow  # tries every plan of every case
@pytest.mark.parametrize("batch", range(CASES // BATCH))
def test_no_plan_is_better_than_the_chosen_one(batch: int) -> None:
    feasible = 0
    for seed in range(batch * BATCH, (batch + 1) * BATCH):
        film = small(seed)
        case = Case.of(film.shots, film.stack, films.TODAY, film.terms)
        found = case.decide(wish_of(film.brief))
        assert (found is None) == (film.best is None), seed
        if found is None or film.best is None:
            continue
        feasible += 1
        choice, best = found.choice, film.best
        assert all(phase.proved for phase in choice.phases), seed
        assert choice.micros == best.micros, seed
        assert (choice.quality, choice.ms) == (best.quality, best.seconds * 1000), seed
    assert feasible >= BATCH // 4


@pytest.mark.requirement("P7")
@pytest.mark.slow  # tries every plan of every case
def test_the_whole_plan_says_what_trying_every_one_says() -> None:
    for seed in range(0, CASES, 11):
        film = small(seed)
        given = (film.shots, film.brief, film.stack, films.TODAY)
        if film.best is None:
            with pytest.raises(InfeasibleError, match=r"[Rr]elax"):
                solve(*given, terms=film.terms)
            continue
        plan = solve(*given, terms=film.terms)
        assert plan.cost_breakdown.expected == film.best.micros / 1e6
        assert plan.timeline.makespan == film.best.seconds + -(-film.shots.frames // 24)
        assert plan.proof.status == "optimal"
        assert plan.proof.gap == 0
