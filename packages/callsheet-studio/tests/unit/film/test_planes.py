"""Layers are seen where they should be to a fraction of a pixel, in the colours they were drawn."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, get_args

import cv2
import numpy as np
import pytest
from tests.every import every

from callsheet_studio.film.move import DEPTHS, View, view_at
from callsheet_studio.film.planes import (
    BLACK,
    blended,
    dimmed,
    finish_of,
    lay,
    layer_of,
    sheet_of,
)
from callsheet_studio.film.shoot import DISSOLVE
from callsheet_studio.film.window import Window, placed, reach
from callsheet_studio.model.shots import Direction, Move, Movement

MOVES = [
    Movement(kind=kind, direction=way) for kind in get_args(Move) for way in get_args(Direction)
]
FRAME = (160, 90)
WHOLE = (192, 122)
STILL = View(0.0, 0.0, 1.0)


def waves(x: Any, y: Any) -> Any:
    """A picture that is known everywhere, not only at its pixels."""
    return 127 + 60 * np.sin(x / 9) + 50 * np.sin(y / 7)


def grey(values: Any, cover: Any = 255) -> bytes:
    pixels = np.zeros((*values.shape, 4), np.uint8)
    pixels[..., :3] = np.rint(values)[..., None]
    pixels[..., 3] = cover
    return pixels.tobytes()


def as_bright(values: Any) -> Any:
    return values * 219 / 255 + 16


def flat(size: tuple[int, int], value: int) -> Any:
    return np.full((size[1], size[0]), value, np.uint8)


@every(
    scale=[1.0, 1.004, 1.02, 1.05, 1.09, 1.144],
    aside=[0.0, 0.0013, -0.021, 0.0307],
    steady=[False, True],
)
def test_a_layer_is_seen_where_the_camera_looks_to_a_tenth_of_a_pixel(
    scale: float, aside: float, *, steady: bool
) -> None:
    y, x = np.mgrid[0 : WHOLE[1], 0 : WHOLE[0]]
    layer = layer_of(grey(waves(x, y)), *WHOLE, opaque=True)
    assert layer is not None
    view = View(aside, aside / 2, scale)
    left, top, step = placed(WHOLE, FRAME, view)
    y, x = np.mgrid[0 : FRAME[1], 0 : FRAME[0]]
    want = as_bright(waves(left + (x + 0.5) * step - 0.5, top + (y + 0.5) * step - 0.5))
    seen = Window(layer, FRAME, steady=steady).first(view)[0]
    # The waves change by up to six steps a pixel.
    assert np.abs(seen - want).mean() < 0.75
    assert np.abs(seen - want).max() < 4


def test_a_slow_camera_moves_a_little_in_every_frame() -> None:
    x = np.mgrid[0 : WHOLE[1], 0 : WHOLE[0]][1]
    layer = layer_of(grey(127 + 100 * np.sin(x / 4)), *WHOLE, opaque=True)
    assert layer is not None
    window = Window(layer, FRAME)
    rows = [window.first(View(frame * 0.0005, 0.0, 1.02))[0].mean(0) for frame in range(8)]
    moved = [float(np.abs(b - a).mean()) for a, b in pairwise(rows)]
    assert min(moved) > 0.5 * max(moved)


@pytest.mark.parametrize("aside", [0.0, 0.0213, -0.0307])
def test_a_camera_that_comes_no_closer_sees_the_same_picture_the_cheap_way(aside: float) -> None:
    """Shapes, edges and colours: what is made once for all frames is what each would be."""
    disc = layer_of(a_disc(120), *WHOLE)
    y, x = np.mgrid[0 : WHOLE[1], 0 : WHOLE[0]]
    back = layer_of(grey(waves(x, y)), *WHOLE, opaque=True)
    assert disc is not None
    assert back is not None
    found = []
    for steady in (False, True):
        behind, shape = (Window(each, FRAME, steady=steady) for each in (back, disc))
        pictures = []
        for before in (0.0, 0.005):
            # Whoever works on a picture does not work on the one that comes after it.
            picture = [plane.copy() for plane in behind.first(View(aside + before, 0.0, 1.02))]
            shape.put_over(picture, View(aside + before, 0.0, 1.02))
            pictures.append(picture)
        found.append(pictures[-1])
    for one, other in zip(*found, strict=True):
        apart = np.abs(one.astype(int) - other)
        assert apart.mean() < 0.5
        assert np.percentile(apart, 99) <= 8


@every(movement=MOVES)
def test_no_camera_sees_further_than_it_is_said_to(movement: Movement) -> None:
    for frame in ((1280, 720), (720, 1280)):
        seen = [view_at(movement, at, 60, 24.0) for at in range(60 + DISSOLVE)]
        x, y = reach(frame, seen)
        whole = frame[0] + 2 * x, frame[1] + 2 * y
        for view in seen:
            for layer in DEPTHS:
                left, top, step = placed(whole, frame, view.of(layer))
                assert 0 < left < whole[0] - frame[0] * step
                assert 0 < top < whole[1] - frame[1] * step


def test_colours_are_bt709_in_limited_range() -> None:
    pixels = np.zeros((WHOLE[1], WHOLE[0], 4), np.uint8)
    pixels[..., :] = (220, 40, 90, 255)
    layer = layer_of(pixels.tobytes(), *WHOLE, opaque=True)
    assert layer is not None
    y, u, v = (float(plane.mean()) for plane in Window(layer, FRAME).first(STILL))
    luma = 0.2126 * 220 + 0.7152 * 40 + 0.0722 * 90
    assert y == pytest.approx(16 + luma * 219 / 255, abs=0.6)
    assert u == pytest.approx(128 + (90 - luma) / 1.8556 * 224 / 255, abs=0.6)
    assert v == pytest.approx(128 + (220 - luma) / 1.5748 * 224 / 255, abs=0.6)


def test_nothing_is_no_layer() -> None:
    nothing = np.zeros((WHOLE[1], WHOLE[0], 4), np.uint8).tobytes()
    assert layer_of(nothing, *WHOLE) is None
    assert finish_of(nothing, *WHOLE) is None


def a_disc(value: int) -> bytes:
    pixels = np.zeros((WHOLE[1], WHOLE[0], 4), np.uint8)
    cover = cv2.circle(flat(WHOLE, 0), (96, 61), 25, 255, -1, cv2.LINE_AA)
    pixels[..., :3] = np.where(cover > 0, value, 0)[..., None]
    pixels[..., 3] = cover
    return pixels.tobytes()


@every(value=[0, 120, 255], steady=[False, True])
def test_a_shape_has_no_line_around_it(value: int, *, steady: bool) -> None:
    """Whatever is sharpened stays between the shape and what is behind it."""
    layer = layer_of(a_disc(value), *WHOLE)
    assert layer is not None
    picture = [flat(FRAME, 100), flat((80, 45), 128), flat((80, 45), 128)]
    Window(layer, FRAME, steady=steady).put_over(picture, View(0.003, 0.0, 1.03))
    shape = as_bright(np.float64(value))
    low, high = sorted((100.0, float(shape)))
    assert picture[0].min() >= low - 2
    assert picture[0].max() <= high + 2
    assert abs(float(picture[0][45, 80]) - shape) <= 1
    assert picture[0][2, 2] == 100
    assert abs(int(picture[1][22, 40]) - 128) <= 1


@pytest.mark.parametrize("steady", [False, True])
def test_a_shape_half_out_of_the_frame_is_cut_at_its_edge(*, steady: bool) -> None:
    pixels = np.zeros((WHOLE[1], WHOLE[0], 4), np.uint8)
    pixels[:40, :60] = 255
    layer = layer_of(pixels.tobytes(), *WHOLE)
    assert layer is not None
    picture = [flat(FRAME, 50), flat((80, 45), 128), flat((80, 45), 128)]
    Window(layer, FRAME, steady=steady).put_over(picture, STILL)
    assert (picture[0][:20, :40] > 230).all()
    assert (picture[0][30:, 50:] == 50).all()


def test_a_faint_gradient_has_no_bands() -> None:
    ramp = np.linspace(40, 44, WHOLE[0])[None].repeat(WHOLE[1], 0)
    layer = layer_of(grey(ramp), *WHOLE, opaque=True)
    assert layer is not None
    seen = Window(layer, FRAME).first(STILL)[0].astype(int)
    # In bands, a pixel has the same value as all above and below it.
    assert (seen != seen[:1]).mean() > 0.15
    steps = np.diff(seen.mean(0))
    assert np.abs(steps).max() < 0.6


def test_a_part_of_a_layer_is_seen_where_it_is_on_it() -> None:
    disc = a_disc(120)
    pixels = np.frombuffer(disc, np.uint8).reshape(WHOLE[1], WHOLE[0], 4)
    left, top, wide, high = cv2.boundingRect(np.ascontiguousarray(pixels[..., 3]))
    there = pixels[top : top + high, left : left + wide].tobytes()
    full = layer_of(disc, *WHOLE)
    part = layer_of(there, wide, high, whole=WHOLE, place=(left, top))
    assert full is not None
    assert part is not None
    assert (part.width, part.height, part.box) == (full.width, full.height, full.box)
    assert part.patches == full.patches
    assert all((a == b).all() for a, b in zip(part.planes, full.planes, strict=True))
    assert layer_of(b"", 0, 0, whole=WHOLE, place=(0, 0)) is None


def test_a_layer_that_was_painted_with_fewer_pixels_is_as_large_as_others() -> None:
    y, x = np.mgrid[0 : WHOLE[1] // 2, 0 : WHOLE[0] // 2] * 2 + 0.5
    small = layer_of(grey(waves(x, y)), WHOLE[0] // 2, WHOLE[1] // 2, opaque=True, whole=WHOLE)
    y, x = np.mgrid[0 : WHOLE[1], 0 : WHOLE[0]]
    fine = layer_of(grey(waves(x, y)), *WHOLE, opaque=True)
    assert small is not None
    assert fine is not None
    assert (small.width, small.height, small.box) == (fine.width, fine.height, fine.box)
    for one, other in zip(small.planes, fine.planes, strict=True):
        assert one.shape == other.shape
        assert np.abs(one.astype(int) - other)[4:-4, 4:-4].max() <= 6


def test_a_finish_fades_without_rings() -> None:
    y, x = np.mgrid[0:90, 0:160]
    away = np.hypot(x - 80, y - 45) / 92
    finish = finish_of(grey(np.zeros((90, 160)), np.rint(24 * away)), 160, 90)
    assert finish is not None
    picture = [flat(FRAME, 200), flat((80, 45), 128), flat((80, 45), 128)]
    lay(picture, finish)
    want = 200 * (1 - 24 * away / 255) + 16 * 24 * away / 255
    soft = cv2.blur(picture[0].astype(np.float32), (9, 9))
    assert np.abs(soft - want)[8:-8, 8:-8].max() < 0.8


def test_a_sheet_lies_where_it_was_put_and_comes_slowly() -> None:
    pixels = np.full((10, 20, 4), 255, np.uint8)
    sheet = sheet_of(pixels, 40, 30)
    whole = [flat(FRAME, 16), flat((80, 45), 128), flat((80, 45), 128)]
    half = [plane.copy() for plane in whole]
    lay(whole, sheet)
    lay(half, sheet, 0.5)
    assert (whole[0][30:40, 40:60] == 235).all()
    assert np.abs(half[0][30:40, 40:60].astype(int) - 126).max() <= 1
    assert whole[0][29, 40] == whole[0][40, 59] == whole[0][30, 60] == 16


def test_a_picture_goes_into_another_and_into_black() -> None:
    one = [flat(FRAME, 40), flat((80, 45), 90), flat((80, 45), 90)]
    other = [flat(FRAME, 200), flat((80, 45), 150), flat((80, 45), 150)]
    assert [plane[0, 0] for plane in blended(one, other, 0.25)] == [80, 105, 105]
    assert [plane[0, 0] for plane in dimmed(other, 0.0)] == list(BLACK)
    assert dimmed(other, 1.0)[0][0, 0] == 200
