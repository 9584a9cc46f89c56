"""A camera moves smoothly, the way it is told, and never over the edge of what is drawn."""

from __future__ import annotations

from itertools import pairwise
from typing import get_args

import pytest
from tests.every import every

from callsheet_studio.draw.stage import BLEED
from callsheet_studio.film.move import DEPTHS, View, view_at
from callsheet_studio.film.shoot import DISSOLVE
from callsheet_studio.film.window import placed
from callsheet_studio.model.shots import Direction, Move, Movement

FRAMES = {"16:9": (1280, 720), "9:16": (720, 1280), "1:1": (720, 720), "4:5": (720, 900)}
MOVES = [
    Movement(kind=kind, direction=way) for kind in get_args(Move) for way in get_args(Direction)
]


def views(movement: Movement, frames: int, fps: float = 24.0) -> list[View]:
    """All of a shot, and of the dissolve that it may end in."""
    return [view_at(movement, frame, frames, fps) for frame in range(frames + DISSOLVE)]


@pytest.mark.parametrize("aspect", FRAMES)
def test_no_move_of_any_length_shows_the_edge_of_a_layer(aspect: str) -> None:
    frame = FRAMES[aspect]
    bleed = round(max(frame) * BLEED)
    whole = frame[0] + 2 * bleed, frame[1] + 2 * bleed
    for movement in MOVES:
        for seconds in (0.25, 1, 2, 4, 7, 10, 30):
            for view in views(movement, round(seconds * 24))[:: max(round(seconds * 2), 1)]:
                for layer in DEPTHS:
                    left, top, step = placed(whole, frame, view.of(layer))
                    assert 1 <= left <= whole[0] - frame[0] * step - 1, (movement, seconds, layer)
                    assert 1 <= top <= whole[1] - frame[1] * step - 1, (movement, seconds, layer)


@every(movement=MOVES)
def test_no_move_ever_jumps(movement: Movement) -> None:
    found = views(movement, 96)
    moved = [(b.x - a.x, b.y - a.y, b.scale - a.scale) for a, b in pairwise(found[::1])]
    quickest = 0.007 if movement.kind == "whip" else 0.003
    assert max(abs(part) for each in moved for part in each) < quickest
    turns = [max(abs(p - q) for p, q in zip(a, b, strict=True)) for a, b in pairwise(moved)]
    assert max(turns) < quickest / 3


@every(movement=MOVES)
def test_no_picture_ever_stands_still(movement: Movement) -> None:
    found = views(movement, 240)
    for one, other in pairwise(found[::24]):
        assert one != other


@pytest.mark.parametrize("kind", ["pan", "truck", "arc", "whip"])
def test_a_camera_that_goes_to_the_right_sees_the_picture_go_to_the_left(kind: Move) -> None:
    right = views(Movement(kind=kind, direction="right"), 96)
    left = views(Movement(kind=kind, direction="left"), 96)
    assert right[95].x < 0 < right[0].x
    assert left[95].x > 0 > left[0].x


@pytest.mark.parametrize("kind", ["tilt", "crane"])
def test_a_camera_that_looks_up_sees_the_picture_go_down(kind: Move) -> None:
    up = views(Movement(kind=kind, direction="up"), 96)
    assert up[95].y > up[0].y


@pytest.mark.parametrize("kind", ["push", "dolly", "zoom"])
def test_in_is_closer_and_out_is_wider(kind: Move) -> None:
    closer = views(Movement(kind=kind, direction="in"), 96)
    wider = views(Movement(kind=kind, direction="out"), 96)
    assert closer[95].scale > closer[0].scale + 0.03
    assert wider[95].scale < wider[0].scale - 0.03


def test_what_is_near_moves_more_than_what_is_far() -> None:
    view = View(0.05, 0.02, 1.1)
    far, subject, near = (view.of(layer) for layer in ("back", "middle", "front"))
    assert far.x < subject.x < near.x
    assert far.scale < subject.scale < near.scale


def test_a_longer_shot_moves_further_but_not_faster_than_its_bleed_allows() -> None:
    pan = Movement(kind="pan", direction="right")
    short, long = views(pan, 24)[0].x, views(pan, 240)[0].x
    assert short < long
    assert views(pan, 2400)[0].x == long
