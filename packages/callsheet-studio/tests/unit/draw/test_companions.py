"""Nobody is always alone: dogs and cats, bicycles, and what two do with each other."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.unit.draw.shots import MARA, STYLE, TEO, a_shot

from callsheet_studio.draw.frame import draw_frame
from callsheet_studio.draw.reading import subject_of

pytestmark = pytest.mark.requirement("P6")

SIZE = (384, 216)


def middle(action: str, figures: tuple[str, ...] = ("Mara",), **told: Any) -> Any:
    told = {"place": "field", "size": "FS", "bearing": 30} | told
    shot = a_shot(action=action, figures=figures, subject=figures[0] if figures else "", **told)
    layer = draw_frame(shot, (MARA, TEO), STYLE, SIZE).layers()[1]
    flat = np.frombuffer(layer.pixels, np.uint8).reshape(layer.height, layer.width, 4)
    return flat.astype(int)


def differs(one: Any, other: Any) -> tuple[int, int, int, int]:
    """Left, top, right and bottom of where two pictures are not the same."""
    rows, columns = np.nonzero(np.abs(one - other).max(axis=-1) > 40)
    return columns.min(), rows.min(), columns.max(), rows.max()


def acted(action: str, figures: tuple[str, ...] = ("Mara",), **told: Any) -> tuple[str, str]:
    seen = subject_of(a_shot(action=action, figures=figures, **told), STYLE)
    return seen.pose, seen.held


# Animals


@pytest.mark.parametrize(
    ("action", "what"),
    [
        ("A dog runs over the grass.", "dog"),
        ("A cat sits on the wall.", "cat"),
        ("Ein Hund wartet.", "dog_sitting"),
        ("Eine Katze schaut herüber.", "cat"),
    ],
)
def test_dogs_and_cats_are_drawn(action: str, what: str) -> None:
    seen = subject_of(a_shot(subject=action.split()[1], figures=(), action=action), STYLE)
    assert (seen.kind, seen.props[0]) == ("thing", what)


@pytest.mark.parametrize("action", ["A dog sleeps.", "A cat climbs a tree.", "A horse waits."])
def test_what_an_animal_does_that_is_not_drawn_is_written(action: str) -> None:
    seen = subject_of(a_shot(subject=action.split()[1], figures=(), action=action), STYLE)
    assert seen.kind == "words"


@pytest.mark.parametrize(("way", "sign"), [("left_to_right", 1), ("right_to_left", -1)])
def test_a_dog_goes_before_who_walks_it_on_the_same_ground(way: str, sign: int) -> None:
    told: dict[str, Any] = {"way": way, "thirds": "centre"}
    left, top, right, bottom = differs(
        middle("Mara walks on.", **told), middle("Mara walks her dog.", **told)
    )
    edge = (middle("Mara walks on.", **told).shape[1] - SIZE[0]) / 2
    centre = edge + SIZE[0] / 2
    assert ((left + right) / 2 - centre) * sign > 0
    assert bottom - top < SIZE[1] * 0.55, "smaller than somebody"


def test_nobody_holds_an_animal_like_a_thing() -> None:
    assert acted("Mara holds the cat.")[1] == ""


# Bicycles


@pytest.mark.parametrize(
    ("action", "pose"),
    [
        ("Mara rides a bicycle.", "cycling"),
        ("Mara cycles along the river.", "cycling"),
        ("Mara radelt durch die Stadt.", "cycling"),
        ("Mara rides the cargo bike.", "cargo_cycling"),
        ("Mara kommt auf dem Lastenrad.", "cargo_cycling"),
    ],
)
def test_who_rides_sits_on_a_bicycle(action: str, pose: str) -> None:
    assert acted(action, place="street") == (pose, "")


def test_nobody_rides_through_a_room() -> None:
    assert acted("Mara rides a bicycle.", place="workshop")[0] not in {"cycling", "cargo_cycling"}


def test_a_bicycle_has_its_wheels_on_the_ground_under_who_rides_it() -> None:
    stands = middle("Mara waits.", place="road", thirds="centre")
    rides = middle("Mara rides a bicycle.", place="road", thirds="centre")
    left, _, right, bottom = differs(stands, rides)
    assert right - left > SIZE[1] * 0.7, "as long as a bicycle beside somebody"
    assert bottom > rides.shape[0] * 0.75


# Two


@pytest.mark.parametrize(
    ("action", "pose", "held"),
    [
        ("Teo hands her a book.", "handing", "book"),
        ("Teo übergibt das Paket.", "handing", "parcel"),
        ("Mara and Teo shake hands.", "shaking", ""),
        ("Teo shows Mara the phone.", "sharing", ""),
        ("Mara and Teo look at the laptop.", "sharing", ""),
    ],
)
def test_two_do_something_with_each_other(action: str, pose: str, held: str) -> None:
    assert acted(action, ("Teo", "Mara"), kind="TWO_SHOT") == (pose, held)


def test_who_is_alone_holds_out_what_they_hand_over_and_shakes_no_hand() -> None:
    assert acted("Teo hands over a book.", ("Teo",)) == ("handing", "book")
    assert acted("Teo hands over a thing.", ("Teo",)) == ("standing", "")
    assert acted("Teo shakes hands.", ("Teo",))[0] == "standing"


def test_hands_meet_between_two() -> None:
    """Somebody who reaches out does not reach into a face: there is room between two."""

    def gap(action: str) -> int:
        seen = middle(action, ("Mara", "Teo"), place="abstract", size="MS", kind="TWO_SHOT")
        shoulders = seen[int(seen.shape[0] * 0.4), :, 3] > 0
        filled = np.flatnonzero(shoulders)
        return int((~shoulders[filled.min() : filled.max()]).sum())

    assert gap("Mara opens the curtain.") >= gap("Mara waits.")
