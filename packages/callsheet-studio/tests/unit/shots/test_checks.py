"""A good list that is damaged in one way breaks exactly that rule, at that shot."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.unit.shots.scripts import B, brief, harbour_script, script

from callsheet_studio.shots import (
    check_continuity,
    check_shots,
    plan_shots,
    violations_per_100_cuts,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from callsheet_studio.model.shots import Shot, ShotList

pytestmark = pytest.mark.requirement("P5")

SCRIPT = harbour_script()
GOOD = plan_shots(SCRIPT, brief())


def number(shot: str) -> int:
    return next(place for place, found in enumerate(GOOD.shots) if found.id == shot)


def changed(place: int, **fields: Any) -> ShotList:
    shots = list(GOOD.shots)
    shots[place] = shots[place].model_copy(update=fields)
    return GOOD.model_copy(update={"shots": tuple(shots)})


def within(shot: Shot, part: str, **fields: Any) -> dict[str, Any]:
    return {part: getattr(shot, part).model_copy(update=fields)}


def rules(shots: ShotList) -> list[tuple[str, str]]:
    found = check_continuity(shots)
    assert all(violation.fix and violation.where in violation.message for violation in found)
    return [(violation.rule, violation.where) for violation in found]


def test_the_good_list_is_good() -> None:
    assert rules(GOOD) == []
    assert check_shots(GOOD, SCRIPT) == ()
    assert violations_per_100_cuts(GOOD) == 0


def test_two_like_shots_of_one_subject_jump() -> None:
    place = number("2B")
    before = GOOD.shots[place - 1]
    names = ("subject", "figures", "size", "references")
    same = {name: getattr(before, name) for name in names} | {"kind": "standard"}
    assert rules(changed(place, **same, bearing=before.bearing + 20)) == [("jump-cut", "2B")]
    assert rules(changed(place, **same, bearing=before.bearing + 30)) == []


def test_two_steps_of_size_are_no_jump_and_one_is() -> None:
    told = script(B(5, part="solution"), B(5, part="solution", action="Mara stops."))
    shots = plan_shots(told, brief())
    first, second = (
        shot.model_copy(update={"size": size, "bearing": 30, "subject": "Mara"})
        for shot, size in zip(shots.shots, ("WS", "FS"), strict=True)
    )
    near = second.model_copy(update={"size": "MWS"})
    assert rules(shots.model_copy(update={"shots": (first, second)})) == [("jump-cut", second.id)]
    assert rules(shots.model_copy(update={"shots": (first, near)})) == []


def test_a_camera_that_crosses_the_line_is_found() -> None:
    place = number("1C")
    damaged = changed(place, bearing=-GOOD.shots[place].bearing)
    assert ("180-line", "1C") in rules(damaged)
    assert {rule for rule, _ in rules(damaged)} == {"180-line"}


def test_a_shot_from_the_line_lets_the_camera_cross() -> None:
    shots = list(GOOD.shots)
    at = number("1B")
    shots[at] = shots[at].model_copy(update={"bearing": 0, "size": "ECU", "subject": "the rope"})
    for place, shot in enumerate(shots[at + 1 :], start=at + 1):
        if shot.scene == 1:
            shots[place] = shot.model_copy(update={"bearing": -shot.bearing})
    crossed = GOOD.model_copy(update={"shots": tuple(shots)})
    assert not [rule for rule, _ in rules(crossed) if rule == "180-line"]


def test_somebody_who_turns_around_is_found() -> None:
    moving = [s for s in GOOD.shots if s.composition.screen_direction == "right_to_left"]
    place = number(moving[0].id)
    shot = GOOD.shots[place + 1]
    damaged = changed(place + 1, **within(shot, "composition", screen_direction="left_to_right"))
    assert rules(damaged)[0] == ("screen-direction", shot.id)
    assert {rule for rule, _ in rules(damaged)} == {"screen-direction"}


@pytest.mark.parametrize(
    ("rule", "part", "fields"),
    [
        ("time-of-day", "lighting", {"time_of_day": "night"}),
        ("light", "lighting", {"preset": "low_key"}),
        ("props", "set", {"props": ("a piano",)}),
    ],
)
def test_what_is_constant_in_a_scene_must_be(
    rule: str, part: str, fields: dict[str, object]
) -> None:
    last = [shot for shot in GOOD.shots if shot.scene == 1][-1]
    damaged = changed(number(last.id), **within(last, part, **fields))
    detail = {("establishing", last.id)} if last.kind == "INSERT" or last.size == "CU" else set()
    assert set(rules(damaged)) - detail == {(rule, last.id)}


def test_another_place_in_a_scene_is_found() -> None:
    last = [shot for shot in GOOD.shots if shot.scene == 1][-1]
    wide = {"size": "WS", "kind": "standard", "bearing": -135}
    damaged = changed(number(last.id), **within(last, "set", place="forest"), **wide)
    assert rules(damaged) == [("place", last.id)]


def test_a_detail_before_its_place_is_found() -> None:
    first = GOOD.shots[0]
    damaged = changed(0, size="ECU", bearing=first.bearing)
    assert rules(damaged)[0] == ("establishing", "1A")
    assert {rule for rule, _ in rules(damaged)} == {"establishing"}


def shot_of(name: str, place: int) -> Shot:
    return [shot for shot in GOOD.shots if name in shot.figures][place]


def test_another_coat_in_the_same_scene_is_found() -> None:
    shot = shot_of("Mara", 1)
    assert shot.scene == shot_of("Mara", 0).scene
    other = tuple(r.replace("yellow oilskin", "red coat") for r in shot.references)
    found = rules(changed(number(shot.id), references=other))
    assert found[0] == ("wardrobe", shot.id)
    assert {rule for rule, _ in found} == {"wardrobe"}


def test_another_reference_in_another_scene_is_found() -> None:
    shot = next(s for s in GOOD.shots if s.scene == 2 and "Mara" in s.figures)
    other = tuple(r.replace("yellow oilskin", "red coat") for r in shot.references)
    assert rules(changed(number(shot.id), references=other)) == [("character", shot.id)]


def test_a_figure_without_its_reference_is_found() -> None:
    shot = shot_of("Mara", 0)
    assert rules(changed(number(shot.id), references=())) == [("character", shot.id)]


def test_violations_are_counted_by_cuts() -> None:
    shot = shot_of("Mara", 0)
    damaged = changed(number(shot.id), references=())
    assert violations_per_100_cuts(damaged) == 100 / (len(GOOD.shots) - 1)


# What a list lacks as such


def found(damaged: ShotList) -> list[tuple[str, str]]:
    violations = check_shots(damaged, SCRIPT)
    assert all(violation.fix for violation in violations)
    return [(violation.rule, violation.where) for violation in violations]


@pytest.mark.parametrize(
    ("rule", "damage"),
    [
        ("tiling", lambda shot: {"end": shot.end - 1}),
        ("numbering", lambda shot: {"id": "99A"}),
        ("numbering", lambda shot: {"id": "1a"}),
        ("numbering", lambda shot: {"id": GOOD.shots[0].id}),
        ("numbering", lambda shot: {"order": 99}),
        ("metadata", lambda shot: {"action": " "}),
        ("metadata", lambda shot: within(shot, "storyboard", prompt="")),
        ("library", lambda shot: {"lens_mm": 37}),
        ("library", lambda shot: within(shot, "lighting", preset="disco")),
        ("library", lambda shot: within(shot, "movement", kind="tilt", direction="left")),
        ("library", lambda shot: within(shot, "composition", thirds="somewhere")),
        ("lip-sync", lambda shot: {"lip_sync": True, "dialogue": None}),
    ],
)
def test_a_damaged_shot_is_found(rule: str, damage: Callable[[Shot], dict[str, Any]]) -> None:
    last = [shot for shot in GOOD.shots if shot.beat == "1.1"][-1]
    fields = damage(last)
    where = fields.get("id", last.id)
    assert found(changed(number(last.id), **fields)) == [(rule, where)]


def test_a_lost_and_a_doubled_word_are_found() -> None:
    place = next(p for p, shot in enumerate(GOOD.shots) if shot.voiceover)
    shot = GOOD.shots[place]
    assert shot.voiceover
    for wrong in (shot.voiceover.rsplit(" ", 1)[0], f"{shot.voiceover} again"):
        assert found(changed(place, voiceover=wrong)) == [("words", shot.beat)]


def test_words_in_another_mouth_are_found() -> None:
    place = next(
        p for p, shot in enumerate(GOOD.shots) if shot.dialogue and "MARA" in shot.dialogue
    )
    shot = GOOD.shots[place]
    assert shot.dialogue
    wrong = shot.dialogue.replace("MARA", "TOMAS")
    assert found(changed(place, dialogue=wrong)) == [("words", shot.beat)]


def test_a_text_that_is_gone_is_found() -> None:
    place = next(p for p, shot in enumerate(GOOD.shots) if shot.on_screen_text)
    damaged = changed(place, on_screen_text=None)
    assert found(damaged) == [("on-screen-text", GOOD.shots[place].beat)]


def test_a_text_too_short_to_read_is_found() -> None:
    place = next(p for p, shot in enumerate(GOOD.shots) if shot.on_screen_text == "One live map")
    shot = GOOD.shots[place]
    other = next(s for s in GOOD.shots if s.beat == shot.beat and s.id != shot.id)
    here, there = sorted((shot, other), key=lambda s: s.start)
    cut = here.start + 60
    shots = list(GOOD.shots)
    shots[number(here.id)] = here.model_copy(update={"end": cut, "on_screen_text": "One live map"})
    shots[number(there.id)] = there.model_copy(update={"start": cut, "on_screen_text": None})
    assert found(GOOD.model_copy(update={"shots": tuple(shots)})) == [("reading-time", here.id)]


def test_shots_that_are_too_long_or_too_short_are_found() -> None:
    first, second = GOOD.shots[0], GOOD.shots[1]
    for cut, where in ((first.start + 20, first.id), (second.end - 20, second.id)):
        shots = list(GOOD.shots)
        shots[0] = first.model_copy(update={"end": cut})
        shots[1] = second.model_copy(update={"start": cut})
        assert ("shot-length", where) in found(GOOD.model_copy(update={"shots": tuple(shots)}))
    long = script(B(11))
    whole = plan_shots(long, brief())
    one = whole.shots[0].model_copy(
        update={"end": 264, "voiceover": long.beats[0].script.voiceover}
    )
    damaged = whole.model_copy(update={"shots": (one,)})
    assert [v.rule for v in check_shots(damaged, long)] == ["shot-length"]


def test_a_beat_without_a_shot_and_a_shot_without_a_beat_are_found() -> None:
    rest = tuple(shot for shot in GOOD.shots if shot.beat != "3.1")
    gone = GOOD.model_copy(update={"shots": rest})
    assert ("tiling", "3.1") in found(gone)
    last = GOOD.shots[-1]
    lost = found(changed(number(last.id), beat="9.9"))
    assert ("tiling", last.id) in lost


def test_a_list_for_another_length_is_found() -> None:
    assert ("length", "") in found(GOOD.model_copy(update={"frames": 1}))
