"""Shots that the brief prescribes."""

from __future__ import annotations

import pytest
from tests.unit.shots.scripts import Asked, B, brief, script

from callsheet import Artifact
from callsheet_studio.brief import from_data
from callsheet_studio.model.brief import OwnShot
from callsheet_studio.model.shots import Movement
from callsheet_studio.script import write_script
from callsheet_studio.shots import check_continuity, check_shots, plan_shots

pytestmark = pytest.mark.requirement("P5")

BEANS = OwnShot(
    action="Beans fall into the grinder",
    seconds=3,
    size="ECU",
    angle="overhead",
    movement="push in",
    subject="beans",
    place="kitchen",
    time_of_day="morning",
    voiceover="Three minutes.",
)
HAND = OwnShot(action="A hand turns the crank", seconds=5, voiceover="That is all it asks.")
KITCHEN = B(
    8,
    action="Beans fall into the grinder. A hand turns the crank.",
    voiceover="Three minutes. That is all it asks.",
    place="kitchen",
    references=(),
)


def test_they_are_kept_as_they_are() -> None:
    first, second = plan_shots(script(KITCHEN), brief(Asked(shots=(BEANS, HAND)))).shots
    assert (first.action, first.size, first.angle) == (BEANS.action, "ECU", "overhead")
    assert first.movement == Movement(kind="push", direction="in")
    assert (first.set.place, first.lighting.time_of_day) == ("kitchen", "morning")
    assert (first.subject, first.voiceover) == ("beans", "Three minutes.")
    assert (first.frames, second.frames) == (72, 120)
    assert (second.action, second.voiceover) == (HAND.action, HAND.voiceover)


def test_what_they_leave_open_is_listed_as_inferred() -> None:
    shots = plan_shots(script(KITCHEN), brief(Asked(shots=(BEANS, HAND))))
    keys = [entry.key for entry in shots.inferred]
    assert keys == [
        f"shots.1B.{name}"
        for name in ("size", "angle", "movement", "subject", "place", "time_of_day")
    ]
    assert shots.inferred[0].value == shots.shots[1].size


def test_a_film_without_own_shots_infers_none() -> None:
    assert plan_shots(script(KITCHEN), brief()).inferred == ()


def test_their_breaks_of_continuity_are_reported_and_not_mended() -> None:
    shots = plan_shots(script(KITCHEN), brief(Asked(shots=(BEANS, HAND))))
    found = check_continuity(shots)
    assert [(v.rule, v.where) for v in found] == [("establishing", "1A")]
    assert shots.shots[0].size == "ECU"
    assert "wide" in found[0].fix
    assert check_shots(shots, script(KITCHEN)) == ()


def test_a_kind_is_kept_and_its_size_chosen() -> None:
    insert = HAND.model_copy(update={"size": "INSERT"})
    shot = plan_shots(script(KITCHEN), brief(Asked(shots=(BEANS, insert)))).shots[1]
    assert (shot.kind, shot.size) == ("INSERT", "CU")


def test_a_subject_that_is_somebody_is_seen_with_their_look() -> None:
    own = (OwnShot(action="At the end of the pier", subject="Mara"),)
    (shot,) = plan_shots(script(B(5)), brief(Asked(shots=own))).shots
    assert (shot.subject, shot.figures) == ("Mara", ("Mara",))
    assert shot.references == ("figure:Mara — yellow oilskin, grey plait",)


def test_a_change_of_place_begins_a_scene() -> None:
    table = HAND.model_copy(update={"place": "the old mill"})
    shots = plan_shots(script(KITCHEN), brief(Asked(shots=(BEANS, table)))).shots
    assert [(shot.id, shot.set.place) for shot in shots] == [
        ("1A", "kitchen"),
        ("2A", "the old mill"),
    ]


def test_beats_without_a_shot_of_their_own_get_one_that_is_inferred() -> None:
    told = script(KITCHEN, B(5, scene=2, place="abstract", action="The end card.", references=()))
    shots = plan_shots(told, brief(Asked(shots=(BEANS, HAND))))
    assert shots.shots[-1].beat == "2.1"
    assert shots.inferred[-1].key == f"shots.{shots.shots[-1].id}"
    assert check_shots(shots, told) == ()


def test_shots_whose_words_the_script_does_not_have_are_laid_by_their_time() -> None:
    other = (
        OwnShot(action="Something else", seconds=2),
        OwnShot(action="And another", seconds=2),
        OwnShot(action="And the last", seconds=6),
    )
    told = script(B(5), B(5))
    shots = plan_shots(told, brief(Asked(shots=other))).shots
    assert [(shot.action, shot.beat) for shot in shots] == [
        ("Something else", "1.1"),
        ("And another", "1.1"),
        ("And the last", "1.2"),
    ]
    assert check_shots(plan_shots(told, brief(Asked(shots=other))), told) == ()


def test_more_shots_than_a_beat_has_time_for_are_reported_and_still_tile_it() -> None:
    many = tuple(OwnShot(action=f"Picture {n}") for n in range(9))
    told = script(B(4))
    shots = plan_shots(told, brief(Asked(shots=many)))
    assert [shot.action for shot in shots.shots] == [shot.action for shot in many]
    assert {violation.rule for violation in check_shots(shots, told)} == {"shot-length"}


def test_an_own_picture_goes_with_its_shot_and_is_named_in_the_notes() -> None:
    boat = Artifact(digest="a" * 64, media_type="image/png", size=9, name="boat.png")
    shots = [
        {"action": "Mara walks along the quay", "duration": "8s"},
        {"action": "The boat at its berth", "duration": "7s", "picture": boat.to_json()},
    ]
    data = {"message": "Harbor is near.", "content": {"duration": "15s", "shots": shots}}
    told = from_data(data, "it")
    found = plan_shots(write_script(told), told).shots
    assert [shot.picture for shot in found] == [None, boat]
    assert "own picture: boat.png" in found[1].notes
    assert "picture" not in found[0].notes
