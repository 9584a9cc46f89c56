"""Who is on the phone has it at the ear; who hands something over holds it out to the other."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import pytest
from tests.every import every
from tests.unit.draw.shots import MARA, STYLE, TEO, a_shot

from callsheet_studio.draw.brush import Brush
from callsheet_studio.draw.cast import cast_of
from callsheet_studio.draw.colour import mix
from callsheet_studio.draw.figures import head_in_body, look_of, paint_body
from callsheet_studio.draw.frame import draw_frame, staged
from callsheet_studio.draw.light import light_of
from callsheet_studio.draw.reading import subject_of
from callsheet_studio.model.shots import Figure

if TYPE_CHECKING:
    from callsheet_studio.draw.cast import Player

pytestmark = pytest.mark.requirement("P6")

WIDE, PHONE = (640, 360), (360, 640)
PAIR = {"figures": ("Mara", "Teo"), "kind": "TWO_SHOT"}
KID = Figure(name="Kid", look="girl, 7, yellow parka")


def read(action: str, *names: str) -> tuple[str, str]:
    told = subject_of(a_shot(action=action, figures=names or ("Mara",)), STYLE)
    return told.pose, told.held


def played(frame: tuple[int, int] = WIDE, /, **told: object) -> tuple[Player, ...]:
    """Those of a shot; the first of them first."""
    scene, subject = staged(a_shot(**({"place": "home"} | told)), (MARA, TEO, KID), STYLE, frame)
    return cast_of(scene, subject)[::-1]


# On the phone


@pytest.mark.parametrize(
    "action",
    [
        "Mara calls a friend on the phone.",
        "Mara calls her mother.",
        "Mara talks on the phone.",
        "Mara talks to a supplier on her phone.",
        "Mara answers the phone.",
        "Mara is on the phone.",
        "Mara takes a call.",
        "Mara leans on the rail, phone at her ear.",
        "Mara hangs up.",
        "Mara telefoniert.",
        "Mara ruft ihre Mutter an.",
        "Mara geht ans Telefon.",
        "Mara spricht mit Teo am Telefon.",
        "Mara nimmt den Anruf an.",
        "Mara hält das Handy ans Ohr.",
        "Mara legt auf.",
    ],
)
def test_who_is_on_the_phone_has_it_at_the_ear(action: str) -> None:
    assert read(action)[0] == "calling"


@pytest.mark.parametrize(
    ("action", "pose"),
    [
        ("Mara looks at her phone.", "holding_phone"),
        ("Mara taps the phone screen.", "holding_phone"),
        ("Mara picks up her phone and scrolls.", "holding_phone"),
        ("Mara answers a message on the phone.", "holding_phone"),
        ("Mara listens to music on her phone.", "holding_phone"),
        ("Mara spielt am Handy.", "holding_phone"),
        ("Mara answers the desk phone.", "holding_phone"),
        ("Mara answers a video call on the laptop.", "at_laptop"),
        ("Mara calls a taxi.", "waving"),
        ("Mara calls the dog.", "standing"),
        ("Mara reads a call sheet.", "standing"),
        ("Mara hangs up her coat.", "reaching"),
        ("Mara points at the boat, still on the phone.", "pointing"),
        ("Mara stares at a boat. Mara hangs up the phone.", "looking"),
    ],
)
def test_not_everybody_with_a_phone_or_a_call_has_one_at_the_ear(action: str, pose: str) -> None:
    assert read(action)[0] == pose


@pytest.mark.parametrize(
    ("action", "pose"),
    [
        ("Mara sits on the sofa and talks on the phone.", "sitting_calling"),
        ("Mara sitzt am Tisch und telefoniert.", "sitting_calling"),
        ("Mara sitzt am Telefon.", "sitting_calling"),
        ("Mara walks along the pier, phone at her ear.", "walking_calling"),
        ("Mara paces and talks on the phone.", "walking_calling"),
    ],
)
def test_who_sits_or_walks_does_so_on_the_phone_too(action: str, pose: str) -> None:
    assert read(action)[0] == pose


def test_who_has_no_seat_in_the_picture_stands_and_is_still_on_the_phone() -> None:
    told = {"place": "office", "size": "MWS", "action": "Mara sits and answers the phone."}
    assert played(WIDE, **told)[0].pose == "sitting_calling"
    assert played(PHONE, **told)[0].pose == "calling"


def test_one_is_on_the_phone_and_the_other_goes_along() -> None:
    first, other = played(action="Mara walks and talks on the phone.", size="FS", **PAIR)
    assert (first.pose, other.pose) == ("walking_calling", "walking")
    first, other = played(action="Mara sits and talks on the phone.", size="FS", **PAIR)
    assert (first.pose, other.pose) == ("sitting_calling", "sitting")
    assert abs(first.place.x - other.place.x) > 2.5 * first.place.head


@every(
    action=["Mara talks on the phone.", "Mara sits and talks on the phone."],
    near=["FS", "MS", "MCU", "CU"],
    size=[WIDE, PHONE],
)
def test_the_phone_is_seen_however_near_the_camera_is(
    action: str, near: str, size: tuple[int, int]
) -> None:
    (who,) = played(size, action=action, size=near, bearing=-35, way="right_to_left")
    assert not who.is_bust
    assert who.pose == ("sitting_calling" if "sits" in action and near in "FSMS" else "calling")


LOOKS = {
    "woman": "navy jacket, dark bob, 41",
    "man": "olive parka, bald man, 40",
    "child": "girl, 7, yellow parka",
    "old": "old man, grey hair, waistcoat",
}


def phone_of(told: str, pose: str, facing: int) -> tuple[tuple[float, float], float]:
    """The middle of a phone, from the crown of who holds it, in heads; and how much is seen."""
    look = look_of("Kim", told + ", white hair, white trousers")
    brush, height = Brush(600, 900), 800.0
    brush.rect(0, 0, 600, 900, "#ffffff")
    light = light_of("high_key")
    told_pose = {"pose": pose, "x": 300.0, "foot": 860.0, "height": height, "facing": facing}
    paint_body(brush, look, light, **told_pose)  # type: ignore[arg-type]
    drawn = np.frombuffer(brush.pixels(), np.uint8).reshape(900, 600, 4)[..., :3].astype(int)
    head = head_in_body(look, **told_pose)  # type: ignore[arg-type]
    (x, y), (_, chin) = head(0.0, 0.0), head(0.0, 1.0)
    size = chin - y
    body = mix(light.ink, "#10131a", 0.4)
    colour = [int(body[at : at + 2], 16) for at in (1, 3, 5)]
    # Hair and clothes are pale: what has this colour is a phone.
    rows, columns = np.nonzero(np.abs(drawn - colour).max(axis=2) < 6)
    assert len(rows) > 40, "a phone is seen"
    middle = float((columns.mean() - x) * -facing / size), float((rows.mean() - y) / size)
    return middle, math.hypot(np.ptp(rows), np.ptp(columns)) / size


@pytest.mark.parametrize("pose", ["calling", "sitting_calling"])
@every(told=LOOKS.values(), facing=[1, -1])
def test_a_phone_is_beside_the_cheek_and_as_long_as_phones_are(
    pose: str, told: str, facing: int
) -> None:
    (back, down), long = phone_of(told, pose, facing)
    assert 0.34 < back < 0.5, "at the ear, and not before the eyes"
    assert 0.35 < down < 0.8, "from the ear to the mouth"
    assert 0.3 < long < 0.75, "the hand hides a part of it"


# Handing over


@pytest.mark.parametrize(
    ("action", "held"),
    [
        ("Mara hands Teo a cup.", "cup"),
        ("Mara gives him the keys.", "key"),
        ("Mara gives Teo the keys.", "key"),
        ("Mara hands Teo her phone.", "phone"),
        ("Mara offers Teo a cup.", "cup"),
        ("Mara reicht ihm den Schlüssel.", "key"),
        ("Mara reicht Teo die Tasse.", "cup"),
        ("Mara gibt Teo das Buch.", "book"),
        ("Mara drückt Teo die Schlüssel in die Hand.", "key"),
    ],
)
def test_what_somebody_hands_over_is_in_their_hand(action: str, held: str) -> None:
    assert read(action, "Mara", "Teo") == ("handing", held)
    assert read(action) == ("handing", held)


@pytest.mark.parametrize(
    ("action", "pose"),
    [
        ("Mara gives a talk.", "standing"),
        ("Mara gives Teo a hug.", "standing"),
        ("Mara gives up.", "standing"),
        ("Mara and Teo pass the lighthouse.", "standing"),
        ("Mara gives the plant water and walks on.", "walking"),
        ("Mara gibt ihm die Hand.", "shaking"),
    ],
)
def test_what_is_given_without_hands_is_not_handed_over(action: str, pose: str) -> None:
    assert read(action, "Mara", "Teo")[0] == pose


@every(
    action=["Mara hands Teo a cup.", "Teo hands Mara a cup."],
    near=["FS", "MS", "MCU"],
    size=[WIDE, PHONE],
    bearing=[0, 35, -80],
)
def test_hands_meet_at_what_one_gives_the_other(
    action: str, near: str, size: tuple[int, int], bearing: int
) -> None:
    mara, teo = played(size, action=action, size=near, bearing=bearing, **PAIR)
    gives, takes = (mara, teo) if action.startswith("Mara") else (teo, mara)
    assert (gives.pose, gives.held) == ("handing", "cup")
    assert (takes.pose, takes.held) == ("taking", "")
    assert (mara.facing, teo.facing) == (1, -1), "they look at each other"
    assert gives.reach is not None
    assert takes.reach is not None
    between = abs(gives.reach[0] - takes.reach[0]) / gives.place.head
    assert 0.6 < between < 1.2, "there is room for the thing, and no more"
    assert gives.reach[1] == takes.reach[1]
    assert mara.place.x < min(gives.reach[0], takes.reach[0])
    assert max(gives.reach[0], takes.reach[0]) < teo.place.x
    assert gives.reach[1] < size[1] * 0.97, "hands are in the frame"


def test_the_hand_of_a_child_is_met_lower() -> None:
    grown = played(action="Mara hands Teo a cup.", size="FS", **PAIR)
    small = played(
        action="Mara hands Kid a cup.", size="FS", figures=("Mara", "Kid"), kind="TWO_SHOT"
    )
    one, other = (each[0].reach for each in (grown, small))
    assert one is not None
    assert other is not None
    assert other[1] > one[1] + 0.3 * grown[0].place.head


def test_of_three_it_is_the_one_who_is_named_that_takes_it() -> None:
    told = {"figures": ("Mara", "Teo", "Kid"), "kind": "TWO_SHOT", "size": "FS"}
    mara, teo, kid = played(action="Mara hands Teo a cup.", **told)
    assert (mara.pose, teo.pose) == ("handing", "taking")
    assert kid.pose != "taking"
    assert (teo.place.x - mara.place.x) * mara.facing > 0
    assert mara.facing == -teo.facing


@every(near=["FS", "MWS", "MS"], size=[WIDE, PHONE], way=["left_to_right", "right_to_left"])
def test_who_is_alone_holds_it_out_within_the_frame(
    near: str, size: tuple[int, int], way: str
) -> None:
    third = "left" if way == "left_to_right" else "right"
    (who,) = played(size, action="Mara hands over a cup.", size=near, way=way, thirds=third)
    assert (who.pose, who.held) == ("handing", "cup")
    assert who.reach is not None
    out = (who.reach[0] - who.place.x) * who.facing
    assert out > 0.5 * who.place.head
    assert 0.5 * who.place.head < who.reach[0] < size[0] - 0.5 * who.place.head


def test_what_is_handed_over_is_between_them() -> None:
    told = {"size": "MS", "place": "home", "bearing": 20, **PAIR}
    cup, key = (
        draw_frame(a_shot(action=f"Mara hands Teo a {each}.", **told), (MARA, TEO), STYLE, WIDE)
        for each in ("cup", "key")
    )
    _, columns = np.nonzero(np.abs(cup.picture.astype(int) - key.picture).max(axis=2) > 40)
    mara, teo = played(action="Mara hands Teo a cup.", size="MS", bearing=20, **PAIR)
    third = (teo.place.x - mara.place.x) / 3
    assert mara.place.x + third < columns.mean() < teo.place.x - third
