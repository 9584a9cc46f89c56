"""What a shot list of ours is like."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.unit.shots.scripts import Asked, B, brief, harbour_script, script

from callsheet_studio.library import sets, sizes
from callsheet_studio.shots import check_continuity, check_shots, plan_shots

if TYPE_CHECKING:
    from callsheet_studio.model.shots import ShotList

pytestmark = pytest.mark.requirement("P5")


def harbour() -> ShotList:
    return plan_shots(harbour_script(), brief())


def test_shots_tile_their_beats_to_the_frame() -> None:
    told = harbour_script(fps="23.976")
    shots = plan_shots(told, brief()).shots
    for beat in told.beats:
        own = [shot for shot in shots if shot.beat == beat.id]
        assert own[0].start == beat.start
        assert own[-1].end == beat.end
        assert [shot.end for shot in own[:-1]] == [shot.start for shot in own[1:]]


def test_our_own_list_breaks_no_rule() -> None:
    told = harbour_script()
    shots = plan_shots(told, brief())
    assert check_shots(shots, told) == ()
    assert check_continuity(shots) == ()


def test_the_same_brief_and_script_give_the_same_shots() -> None:
    assert harbour().model_dump_json() == harbour().model_dump_json()


@pytest.mark.parametrize(
    ("seconds", "least", "most"), [(15, 5, 6), (30, 8, 10), (60, 13, 16), (90, 18, 22)]
)
def test_an_ad_is_cut_as_fast_as_ads_are(seconds: int, least: int, most: int) -> None:
    beats = [B(3, part="hook"), *(B(4, part="demo") for _ in range((seconds - 3) // 4))]
    told = script(*beats, kind="social_ad", structure="ad")
    assert least <= len(plan_shots(told, brief()).shots) <= most


@pytest.mark.parametrize(
    ("kind", "least", "most"),
    [("explainer", 9, 11), ("general", 10, 15), ("testimonial", 10, 15), ("brand_story", 10, 15)],
)
def test_a_minute_of_another_film_has_a_shot_every_four_to_six_seconds(
    kind: str, least: int, most: int
) -> None:
    told = script(*(B(7.5) for _ in range(8))).model_copy(update={"type": kind})
    assert least <= len(plan_shots(told, brief()).shots) <= most


def test_no_shot_is_longer_than_ten_seconds_or_shorter_than_one() -> None:
    told = script(B(40), B(1), B(10.5), fps="29.97")
    shots = plan_shots(told, brief())
    seconds = [shots.rate.seconds(shot.frames) for shot in shots.shots]
    assert all(1 <= length <= 10 for length in seconds), seconds


def test_shots_are_called_by_scene_and_letter() -> None:
    shots = harbour().shots
    assert [shot.id for shot in shots[:3]] == ["1A", "1B", "1C"]
    assert next(shot.id for shot in shots if shot.scene == 2) == "2A"
    assert [shot.order for shot in shots] == [*range(1, len(shots) + 1)]


def test_after_z_comes_aa() -> None:
    told = script(*(B(10) for _ in range(30)), kind="social_ad", structure="ad")
    names = [shot.id for shot in plan_shots(told, brief()).shots]
    assert names[25:28] == ["1Z", "1AA", "1AB"]


def test_a_scene_in_a_new_place_opens_wide() -> None:
    for shots in (harbour(), plan_shots(script(B(2, size="ECU"), B(5)), brief())):
        first = {shot.scene: shot for shot in reversed(shots.shots)}
        assert all(sizes()[shot.size].step <= 3 for shot in first.values())
        assert all(shot.kind != "INSERT" for shot in first.values())


def test_the_camera_comes_closer_as_a_beat_grows_more_intense() -> None:
    rope = "Mara carries a rope."
    calm, tense = (
        plan_shots(script(B(6), B(6, rope, intensity=n, part="solution", size="")), brief())
        for n in (2, 10)
    )
    assert sizes()[calm.shots[-1].size].step < sizes()[tense.shots[-1].size].step


def test_light_props_and_the_side_of_the_line_stay_in_a_scene() -> None:
    first = [shot for shot in harbour().shots if shot.scene == 1]
    assert len(first) > 3
    assert len({shot.lighting for shot in first}) == 1
    assert len({shot.set for shot in first}) == 1
    assert len({shot.bearing > 0 for shot in first if shot.bearing}) == 1


def test_a_script_that_moves_within_a_scene_begins_another_scene_of_shots() -> None:
    shots = plan_shots(script(B(6), B(6, place="office"), B(6, scene=2, place="home")), brief())
    assert [shot.set.place for shot in shots.shots if shot.id.endswith("A")] == [
        "harbour",
        "office",
        "home",
    ]
    assert check_continuity(shots) == ()


def test_figures_keep_one_look_and_their_shots_carry_it() -> None:
    shots = harbour()
    looks = {figure.name: figure.look for figure in shots.figures}
    assert looks == {"Mara": "yellow oilskin, grey plait", "Tomas": "blue jumper, short beard"}
    for shot in shots.shots:
        for name in shot.figures:
            assert f"figure:{name} — {looks[name]}" in shot.references


def test_somebody_whom_nobody_describes_gets_a_look_of_their_own() -> None:
    told = script(B(8, dialogue="ADA: Look.\nBEN: I see.", voiceover=None, references=()))
    looks = [figure.look for figure in plan_shots(told, brief()).figures]
    assert len(looks) == len(set(looks)) == 2


def test_a_crew_description_is_a_figure_too() -> None:
    look = "Ines Okafor, harbour master, 41, navy jacket"
    told = script(B(6, action="Ines unlocks the hut.", references=(look, "#0b3c5d")))
    shots = plan_shots(told, brief())
    assert [(f.name, f.look) for f in shots.figures] == [("Ines", look)]
    assert "#0b3c5d" in shots.shots[0].references


def test_a_heading_says_whether_a_place_is_inside() -> None:
    for heading, inside in (("INT. BOAT - NIGHT", True), ("EXT. PIER - DAY", False), ("", False)):
        told = script(B(5, references=(heading,)))
        assert {shot.set.interior for shot in plan_shots(told, brief()).shots} == {inside}


@pytest.mark.parametrize(
    ("action", "kind", "nearest"),
    [
        ("Mara smiles.", "standard", "CU"),
        ("Mara fills the grinder with brown beans.", "standard", "MCU"),
        ("Mara reads the list.", "OTS", "MCU"),
        ("Mara and Tomas shake hands.", "TWO_SHOT", "MS"),
        ("Her hands tie a knot.", "INSERT", "ECU"),
        ("On the screen a berth turns green.", "INSERT", "ECU"),
    ],
)
def test_an_action_says_how_it_wants_to_be_seen(action: str, kind: str, nearest: str) -> None:
    tomas = ("figure:Mara — yellow oilskin", "figure:Tomas — blue jumper")
    told = script(B(5), B(5, action, part="solution", size="", references=tomas))
    shot = plan_shots(told, brief()).shots[-1]
    assert shot.kind == kind
    assert sizes()[shot.size].step <= sizes()[nearest].step


def test_what_was_seen_before_makes_room_for_a_detail() -> None:
    again = B(10, action="Mara ties a knot. Mara walks along the pier.", part="solution")
    told = script(B(10, part="solution"), again, kind="brand_story")
    last = plan_shots(told, brief()).shots[-1]
    assert last.kind == "INSERT"
    assert last.action.rstrip(".").lower() in sets()["harbour"].details


def test_a_remark_to_the_crew_is_no_shot_of_its_own() -> None:
    told = script(B(10, action="Camera holds. Mara ties a knot. No cut.", part="solution"))
    actions = [shot.action for shot in plan_shots(told, brief()).shots]
    assert "Camera holds. Mara ties a knot. No cut." in actions


def test_each_shot_shows_its_own_part_of_the_action() -> None:
    actions = [shot.action for shot in harbour().shots]
    assert len(actions) == len(set(actions))
    assert "Mara opens the laptop." in actions
    assert "On the screen every berth has its colour." in actions


def test_who_is_seen_speaking_has_lips_to_sync() -> None:
    shots = [shot for shot in harbour().shots if shot.lip_sync]
    assert shots
    for shot in shots:
        assert shot.dialogue is not None
        assert any(f"{name.upper()}:" in shot.dialogue for name in shot.figures)
        assert sizes()[shot.size].step >= 3


def test_a_voice_that_is_not_in_the_picture_needs_no_lips() -> None:
    told = script(B(6, dialogue="MARA (V.O.): I never slept.", voiceover=None))
    assert not any(shot.lip_sync for shot in plan_shots(told, brief()).shots)


def test_two_who_talk_look_at_each_other() -> None:
    one, other = (shot for shot in harbour().shots if shot.lip_sync)
    assert one.composition.thirds == "right"
    # She shows him the list: both are in the picture.
    assert (other.kind, other.figures) == ("TWO_SHOT", ("Mara", "Tomas"))
    assert one.composition.lead_room != other.composition.lead_room


def test_a_film_fades_in_cuts_and_fades_out() -> None:
    shots = harbour().shots
    assert shots[0].transition == "fade_in"
    assert shots[-1].transition == "fade_out"
    assert {shot.transition for shot in shots[1:-1]} <= {"cut", "dissolve"}
    within = [shot for shot in shots[1:-1] if not shot.id.endswith("A")]
    assert {shot.transition for shot in within} == {"cut"}


def test_shots_of_one_setup_share_place_light_and_side() -> None:
    found: dict[str, set[object]] = {}
    for shot in harbour().shots:
        side = (shot.bearing > 0) - (shot.bearing < 0)
        found.setdefault(shot.setup, set()).add((shot.set.place, shot.lighting.preset, side))
    assert all(len(keys) == 1 for keys in found.values())
    assert len(found) > 2


def test_words_that_a_brief_avoids_are_not_in_what_we_add() -> None:
    avoid = ("mooring lines", "planks", "water", "monitor", "clean")
    shots = plan_shots(harbour_script(), brief(Asked(avoid=avoid)))
    for shot in shots.shots:
        added = " ".join((shot.storyboard.prompt, *shot.set.props)).lower()
        assert not any(word in added.split() or word in shot.set.props for word in avoid)


def test_a_prompt_says_who_where_light_lens_camera_and_style() -> None:
    shot = next(shot for shot in harbour().shots if "Mara" in shot.figures)
    prompt = shot.storyboard.prompt
    for part in (
        shot.action,
        "yellow oilskin, grey plait",
        "harbour",
        shot.lighting.key,
        f"{shot.lens_mm} mm",
        "clean Nordic",
        "deep blue #0b3c5d",
        "No text",
    ):
        assert part in prompt


def test_a_harder_camera_makes_a_shot_more_complex() -> None:
    still = plan_shots(script(B(5), B(5, movement="static")), brief()).shots[-1]
    arc = plan_shots(script(B(5), B(5, movement="arc")), brief()).shots[-1]
    assert arc.movement.kind == "arc"
    assert arc.complexity.motion > still.complexity.motion
    assert arc.complexity.score > still.complexity.score


def test_a_german_film_is_described_in_german() -> None:
    told = script(B(12, action="Mara geht über den Steg."), language="de")
    shots = plan_shots(told, brief(Asked(language="de")))
    assert any("Der Hafen mit Masten und Steg" in shot.action for shot in shots.shots)
    assert any(shot.storyboard.description.startswith("Totale") for shot in shots.shots)
