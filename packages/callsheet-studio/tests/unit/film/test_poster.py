"""A poster shows people in their place with the title beside them."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import pytest
from tests.unit.draw.shots import MARA, STYLE, TEO, a_card, a_shot

from callsheet_studio.draw.frame import draw_frame
from callsheet_studio.film.poster import PosterData, make_poster, poster_of
from callsheet_studio.model.shots import ShotList


def a_list(*shots: Any) -> ShotList:
    return ShotList(title="Two Boats", fps=24, frames=96, figures=(MARA, TEO), shots=shots)


def read(png: bytes) -> Any:
    return np.array(cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR), int)


def test_people_in_their_place_are_on_the_poster_not_a_card_or_a_screen() -> None:
    best = a_shot(id="2B", order=3, size="MWS")
    others = (
        a_card(id="1A", order=1),
        a_shot(id="2A", order=2, size="ECU"),
        a_shot(id="3A", order=4, place="phone_screen", figures=()),
        a_shot(id="4A", order=5, size="EWS", figures=()),
    )
    found = poster_of(a_list(*others[:2], best, *others[2:]), "Try it")
    assert found.shot.id == "2B"
    assert found.figures == (MARA,)
    assert found.title == "Two Boats"


@pytest.mark.slow  # a poster is drawn in 1080 lines: about 0.4 s each
@pytest.mark.parametrize("size", [(320, 180), (180, 320)])
def test_the_title_is_on_the_free_side_and_the_shape_is_that_of_the_film(
    size: tuple[int, int],
) -> None:
    shot = a_shot(size="MS", thirds="right")
    data = PosterData(shot=shot, figures=(MARA,), title="Two Boats", line="One berth")
    made = read(make_poster(data, STYLE, size))
    assert min(made.shape[:2]) == 1080
    assert made.shape[1] / made.shape[0] == pytest.approx(size[0] / size[1], rel=0.01)
    plain = read(draw_frame(shot, (MARA,), STYLE, (made.shape[1], made.shape[0])).clean())
    white = (made > 240).all(2) & ~(plain > 240).all(2)
    y, x = np.nonzero(white)
    assert white.mean() > 0.005
    assert y.mean() > made.shape[0] / 2
    if size[0] > size[1]:
        assert x.mean() < made.shape[1] / 2
    assert min(x.min(), made.shape[1] - x.max(), made.shape[0] - y.max()) > 0.04 * 1080


@pytest.mark.slow  # a poster is drawn in 1080 lines: about 0.4 s
def test_any_title_makes_a_poster_the_same_each_time() -> None:
    title = "Donaudampfschifffahrt" * 14 + " 🚢 مرحبا"
    data = PosterData(shot=a_shot(), figures=(), title=title, line="")
    assert make_poster(data, STYLE, (320, 180)) == make_poster(data, STYLE, (320, 180))
