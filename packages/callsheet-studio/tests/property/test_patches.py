"""Laws of patches: nothing that is on a layer is missed, and nothing is worked on twice."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from callsheet_studio.film.patches import patches_of

WIDE, HIGH, EDGE = 480, 400, 6

boxes = st.tuples(
    st.integers(EDGE, WIDE - EDGE - 1),
    st.integers(EDGE, HIGH - EDGE - 1),
    st.integers(1, WIDE),
    st.integers(1, HIGH),
    st.sampled_from((255, 255, 120, 1)),
)


def _cover(painted: list[tuple[int, int, int, int, int]]) -> Any:
    cover = np.zeros((HIGH, WIDE), np.uint8)
    for x, y, wide, high, alpha in painted:
        cover[y : min(y + high, HIGH - EDGE), x : min(x + wide, WIDE - EDGE)] = alpha
    return cover


@pytest.mark.requirement("P11")
@given(st.lists(boxes, max_size=6))
def test_all_that_is_there_is_in_exactly_one_patch(
    painted: list[tuple[int, int, int, int, int]],
) -> None:
    cover = _cover(painted)
    times = np.zeros_like(cover)
    for patch in patches_of(cover):
        x0, y0, x1, y1 = patch.box
        assert x0 < x1
        assert y0 < y1
        times[y0:y1, x0:x1] += 1
        if patch.hides:
            assert (cover[y0 - 1 : y1 + 1, x0 - 1 : x1 + 1] == 255).all()
    assert times.max(initial=0) <= 1
    assert (times[cover > 0] == 1).all()


@pytest.mark.requirement("P11")
def test_two_specks_far_apart_are_two_patches_and_a_floor_hides() -> None:
    far = _cover([(10, 10, 4, 4, 255), (150, 120, 4, 4, 120)])
    assert len(patches_of(far)) == 2
    assert not any(patch.hides for patch in patches_of(far))
    floor = _cover([(EDGE, EDGE, WIDE, HIGH, 255)])
    hiding = [patch.box for patch in patches_of(floor) if patch.hides]
    assert sum((x1 - x0) * (y1 - y0) for x0, y0, x1, y1 in hiding) > 0.8 * WIDE * HIGH
