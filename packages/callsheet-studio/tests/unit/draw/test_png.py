"""A picture as PNG is the same picture, whoever reads it."""

from __future__ import annotations

import cv2
import numpy as np
from tests.every import every

from callsheet_studio.draw.png import as_png


@every(size=[(1, 1), (1, 7), (7, 1), (33, 65)], channels=[3, 4])
def test_every_pixel_comes_back(size: tuple[int, int], channels: int) -> None:
    pixels = np.random.default_rng(7).integers(0, 256, (*size, channels), np.uint8)
    found = cv2.imdecode(np.frombuffer(as_png(pixels), np.uint8), cv2.IMREAD_UNCHANGED)
    assert found is not None
    back = cv2.cvtColor(found, cv2.COLOR_BGRA2RGBA if channels == 4 else cv2.COLOR_BGR2RGB)
    assert np.array_equal(back, pixels)


def test_a_part_of_a_picture_is_written_as_well() -> None:
    whole = np.random.default_rng(7).integers(0, 256, (20, 30, 3), np.uint8)
    part = whole[3:11, 5:17]
    assert as_png(part) == as_png(np.ascontiguousarray(part))
    assert as_png(part) != as_png(whole[4:12, 5:17])


def test_large_areas_of_one_colour_take_no_room() -> None:
    assert len(as_png(np.full((1080, 1920, 3), 77, np.uint8))) < 40_000
