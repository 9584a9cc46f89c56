"""One face is made by one model within a scene, unless then there is no plan at all."""

from __future__ import annotations

import pytest
from tests.unit.solve import films

from callsheet_studio.solve import solve
from callsheet_studio.solve.needs import needs_of

pytestmark = pytest.mark.requirement("P16")

MARA = ("Mara",)


def test_shots_of_a_scene_that_show_the_same_people_belong_together() -> None:
    shots = films.film([120, 96, 48, 120], figures=MARA).shots
    alone = shots[2].model_copy(update={"figures": ()})
    film = films.film([120, 96, 48, 120]).model_copy(
        update={"shots": (shots[0], shots[1], alone, shots[3])}
    )
    faces = [need.face for need in needs_of(film)]
    assert faces[0] == faces[1] != ""
    assert faces[2] == faces[3] == "", "once in a scene, anybody may make it"


def test_one_model_makes_all_shots_of_a_face_in_a_scene() -> None:
    # Each model is cheap for one of the two lengths only.
    short, long = (
        films.tool(name, films.offer(f"{name}@north", usd), lengths=(seconds,), reference_images=3)
        for name, usd, seconds in (("short", 0.1, 4), ("long", 0.07, 10))
    )
    stack = films.stack(short, long)
    free = solve(films.film([96, 240]), films.brief(), stack, films.TODAY)
    same = solve(films.film([96, 240], figures=MARA), films.brief(), stack, films.TODAY)
    offers = [{each.steps[-1].offer for each in plan.shot_plans} for plan in (free, same)]
    assert offers == [{"short@north", "long@north"}, {"long@north"}]
    assert same.cost_breakdown.expected > free.cost_breakdown.expected
