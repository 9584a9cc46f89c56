"""An own picture is what is seen: it fills the frame, in its own colours; a logo is on cards."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import pytest
from tests.unit.draw.shots import SMALL, STYLE, a_shot
from tests.unit.own_pictures import (
    BLUE,
    GREEN,
    RED,
    halves,
    packed,
    plain,
)

from callsheet.errors import InputError
from callsheet_studio.draw.frame import draw_frame
from callsheet_studio.draw.own import Own
from callsheet_studio.model.shots import Movement, Shot

pytestmark = pytest.mark.requirement("P6", "P11")

STATIC = Movement(kind="static")


def seen(shot: Shot, own: Own, size: tuple[int, int] = SMALL) -> Any:
    """The picture of a shot as it stands in the frame."""
    png = np.frombuffer(draw_frame(shot, (), STYLE, size, own).clean(), np.uint8)
    return cv2.imdecode(png, cv2.IMREAD_COLOR_RGB)


def a_photo(**changes: Any) -> Shot:
    return a_shot(movement=STATIC, figures=(), subject="boat", **changes)


def a_card(**changes: Any) -> Shot:
    return a_shot(place="abstract", figures=(), subject="end card", action="end card", **changes)


def test_a_picture_fills_the_frame_in_its_own_colours() -> None:
    found = seen(a_photo(preset="night"), Own(packed(halves(320, 180))))
    assert np.array_equal(found, halves(320, 180))


def test_a_tall_picture_is_cut_by_thirds_and_keeps_its_sides() -> None:
    tall = plain(320, 480)
    tall[:100], tall[280:] = BLUE, GREEN
    found = seen(a_photo(), Own(packed(tall)))
    # 300 rows are too many: 100 go above, 200 below.
    assert np.array_equal(found, plain(320, 180, RED))


def test_a_wide_picture_is_cut_on_both_sides() -> None:
    wide = plain(520, 180)
    wide[:, :100], wide[:, 420:] = BLUE, GREEN
    assert np.array_equal(seen(a_photo(), Own(packed(wide))), plain(320, 180, RED))


@pytest.mark.parametrize("size", [(64, 64), (2000, 500)])
def test_a_picture_of_any_size_leaves_no_edge_empty(size: tuple[int, int]) -> None:
    found = seen(a_photo(), Own(packed(plain(*size, GREEN))))
    assert np.allclose(found, GREEN, atol=1)


def test_a_moving_camera_has_picture_beyond_the_frame() -> None:
    striped = np.tile(np.arange(320, dtype=np.uint8)[None, :, None] // 2, (180, 1, 3))
    pans = a_photo().model_copy(update={"movement": Movement(kind="pan", direction="left")})
    own = Own(packed(striped))
    stands, moves = seen(a_photo(), own), seen(pans, own)
    assert stands[90, 0, 0] == 0
    assert 3 <= moves[90, 0, 0] <= 6, "some of the picture waits beyond the edge"


def test_the_layers_are_those_of_a_drawing() -> None:
    drawn = draw_frame(a_photo(), (), STYLE, SMALL)
    shown = draw_frame(a_photo(), (), STYLE, SMALL, Own(packed(halves())))
    assert [each.name for each in drawn.layers()] == [each.name for each in shown.layers()]
    assert [(each.width, each.height) for each in drawn.layers()[:3]] == [
        (each.width, each.height) for each in shown.layers()[:3]
    ]
    back, *others = shown.layers()
    assert set(back.pixels[3::4]) == {255}
    assert all(not any(each.pixels) for each in others), "no light of the film falls on it"
    assert shown.written == ()


def test_what_is_cut_out_stands_whole_on_the_ground_of_the_film() -> None:
    cut_out = plain(400, 100, (*RED, 255))
    cut_out[:, :10, 3] = 0
    found = seen(a_photo(), Own(packed(cut_out)))
    reds = np.flatnonzero((abs(found[90].astype(int) - RED) < 4).all(axis=1))
    assert 0.7 * 320 < len(reds) < 0.8 * 320
    assert np.ptp(found[5], axis=0).max() == 0, "above it is only ground"


def test_a_picture_that_is_opaque_all_over_is_no_cut_out() -> None:
    assert np.array_equal(seen(a_photo(), Own(packed(plain(320, 180, (*RED, 255)))))[0, 0], RED)


def test_a_damaged_picture_is_refused() -> None:
    with pytest.raises(InputError, match="no picture"):
        draw_frame(a_photo(), (), STYLE, SMALL, Own(b"nothing"))


@pytest.mark.parametrize("size", [SMALL, (180, 320), (240, 240)])
def test_a_logo_is_on_the_card_inside_the_frame(size: tuple[int, int]) -> None:
    logo = plain(300, 200, (*GREEN, 255))
    logo[:20, :20, 3] = 0
    found = seen(a_card(), Own(logo=packed(logo)), size)
    rows, columns = np.nonzero((abs(found.astype(int) - GREEN) < 40).all(axis=2))
    assert len(rows) > 0.03 * size[0] * size[1]
    assert columns.max() < 0.95 * size[0]
    assert rows.min() > 0.04 * size[1]
    assert not np.array_equal(found, seen(a_card(), Own(), size))


def test_a_logo_is_on_cards_only() -> None:
    logo = Own(logo=packed(plain(300, 200, GREEN)))
    scene = a_shot(place="coast")
    assert np.array_equal(seen(scene, logo), seen(scene, Own()))


def test_a_logo_that_would_not_be_seen_gets_a_plate() -> None:
    ground = seen(a_card(), Own())[4, 4]
    pale = plain(200, 200, (*map(int, ground), 255))
    pale[80:120, :, 3] = 0
    with_plate = seen(a_card(), Own(logo=packed(pale)))
    dark = plain(200, 200, (10, 10, 30, 255))
    dark[80:120, :, 3] = 0
    without = seen(a_card(), Own(logo=packed(dark)))
    middle = (90, round(320 * 0.765))
    assert np.abs(without[middle].astype(int) - ground).max() < 40, "the ground shines through"
    assert np.abs(with_plate[middle].astype(int) - ground).max() > 60, "the plate does"


def test_the_same_picture_is_the_same_frame() -> None:
    own = Own(packed(halves(333, 222), "jpeg"), packed(plain(300, 200, (*GREEN, 200))))
    for shot in (a_photo(), a_card()):
        first, second = (draw_frame(shot, (), STYLE, SMALL, own).layers() for _ in range(2))
        assert first == second
