"""Own shots without a script: one beat for each, as long as the shot says."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.script.samples import CTA, make_brief

from callsheet.errors import InputError
from callsheet_studio.model.brief import OwnShot
from callsheet_studio.script import check_script, write_script

if TYPE_CHECKING:
    from callsheet_studio.model.brief import Brief
    from callsheet_studio.model.script import Script


def lengths(script: Script) -> list[int]:
    return [beat.frames for beat in script.beats]


def changed(script: Script) -> dict[str, object]:
    return {entry.key: entry.value for entry in script.inferred if "shots" in entry.key}


@pytest.mark.requirement("P1", "P3")
def test_shots_that_add_up_keep_their_lengths_exactly() -> None:
    shots = (
        OwnShot(action="A marina at dawn.", seconds=4.5),
        OwnShot(action="Mara looks up.", seconds=3, dialogue="Mara: Not again."),
        OwnShot(action="The map.", seconds=7.5, voiceover="One live map.", on_screen_text=CTA),
    )
    brief = make_brief(shots=shots, seconds=15)
    script = write_script(brief)
    assert lengths(script) == [108, 72, 180]
    assert changed(script) == {}
    assert [beat.script.action for beat in script.beats] == [shot.action for shot in shots]
    assert script.beats[1].script.dialogue == "MARA: Not again."
    assert script.beats[2].script.voiceover == "One live map."
    assert check_script(script, brief) == ()


def test_shots_that_do_not_add_up_are_scaled_and_it_says_so() -> None:
    shots = (OwnShot(action="A marina.", seconds=2), OwnShot(action="A map.", seconds=4))
    script = write_script(make_brief(shots=shots, seconds=12))
    assert lengths(script) == [96, 192]
    assert changed(script) == {"content.shots[0].seconds": 4.0, "content.shots[1].seconds": 8.0}


def test_what_is_left_goes_to_shots_without_a_length() -> None:
    shots = (
        OwnShot(action="A marina.", seconds=4),
        OwnShot(action="A map.", voiceover=f"One live map. {CTA}."),
        OwnShot(action="A boat."),
    )
    script = write_script(make_brief(shots=shots, seconds=14))
    assert lengths(script)[0] == 96
    assert sum(lengths(script)) == 14 * 24
    assert "content.shots[1].seconds" in changed(script)


def test_a_call_to_action_gets_an_end_card_if_there_is_room() -> None:
    shots = (OwnShot(action="A marina.", seconds=4), OwnShot(action="A map."))
    script = write_script(make_brief(shots=shots, seconds=20))
    assert script.beats[-1].script.on_screen_text == CTA
    assert len(script.beats) == 3
    assert f"beats.{script.beats[-1].id}" in {entry.key for entry in script.inferred}


def test_without_room_the_call_to_action_is_on_the_last_shot() -> None:
    shots = (OwnShot(action="A marina.", seconds=4), OwnShot(action="A map.", seconds=6))
    script = write_script(make_brief(shots=shots, seconds=10))
    assert lengths(script) == [96, 144]
    assert script.beats[-1].script.on_screen_text == CTA


def test_dialogue_without_a_name_is_said_by_the_subject() -> None:
    shots = (OwnShot(action="Tom turns.", subject="Tom", dialogue="Ready?\nMara (off): Yes."),)
    script = write_script(make_brief(shots=shots, seconds=6, cta=""))
    assert script.beats[0].script.dialogue == "TOM: Ready?\nMARA (V.O.): Yes."


def test_shots_in_one_place_are_one_scene() -> None:
    shots = (
        OwnShot(action="A phone rings.", place="office", time_of_day="night"),
        OwnShot(action="Nobody answers."),
        OwnShot(action="A boat leaves.", place="harbour"),
    )
    script = write_script(make_brief(shots=shots, seconds=15, cta=""))
    assert [beat.id for beat in script.beats] == ["1.1", "1.2", "2.1"]
    assert [beat.visual.location for beat in script.beats] == ["office", "office", "harbour"]
    assert script.beats[1].visual.time_of_day == "night"


def test_words_that_do_not_fit_their_shot_are_refused_by_its_place() -> None:
    shots = (
        OwnShot(action="A marina.", seconds=10),
        OwnShot(action="A map.", seconds=2, voiceover="Every berth is on one live map for all."),
    )
    with pytest.raises(InputError) as refused:
        write_script(make_brief(shots=shots, seconds=12))
    assert "content.shots[1]: 9 spoken words need 3.3 s, it has 2.0 s" in refused.value.message
    assert "Take out 4 words" in refused.value.message


def test_a_voice_that_needs_it_goes_on_over_the_cut() -> None:
    shots = (
        OwnShot(
            action="Beans fall", seconds=3, voiceover="Three minutes, that is all we ask of you."
        ),
        OwnShot(action="A hand turns", seconds=4, voiceover="Stay cool."),
        OwnShot(action="Steam", seconds=6, on_screen_text=CTA),
    )
    brief = make_brief(shots=shots, seconds=13)
    script = write_script(brief)
    assert lengths(script) == [168, 144]
    first = script.beats[0].script
    assert first.action == "Beans fall. A hand turns."
    assert first.voiceover == "Three minutes, that is all we ask of you. Stay cool."
    assert changed(script) == {"content.shots[0:2]": "1.1"}
    assert check_script(script, brief) == ()


def test_somebody_who_is_seen_speaking_does_not_go_on_over_the_cut() -> None:
    shots = (
        OwnShot(
            action="Mara", seconds=2, dialogue="MARA: Three minutes, that is all we ask of you."
        ),
        OwnShot(action="A hand", seconds=4),
    )
    with pytest.raises(InputError, match=r"content\.shots\[0\]: 9 spoken words need 3\.3 s"):
        write_script(make_brief(shots=shots, seconds=6))
    turned = (shots[1].model_copy(update={"voiceover": "Boats " * 12}), shots[0])
    with pytest.raises(InputError, match=r"content\.shots\[1\]: 9 spoken words"):
        write_script(make_brief(shots=turned, seconds=6))


own_shots = st.lists(
    st.builds(
        OwnShot,
        action=st.sampled_from(["A boat.", "Mara smiles.", "The map."]),
        seconds=st.none() | st.floats(1, 10).map(lambda value: round(value, 2)),
        voiceover=st.none() | st.sampled_from(["One live map.", "Two boats want one berth."]),
        place=st.none() | st.sampled_from(["office", "harbour at night"]),
    ),
    min_size=1,
    max_size=12,
)


def made(brief: Brief) -> Script | str:
    """The script, or why there is none."""
    try:
        return write_script(brief)
    except InputError as refused:
        return refused.message


# It takes longer because whole scripts are made, a hundred of them.
@pytest.mark.slow
@settings(deadline=None)
@given(own_shots, st.integers(5, 120), st.sampled_from(["24", "29.97", "23.976"]))
def test_shots_keep_their_order_and_words_and_fill_the_film(
    shots: list[OwnShot], seconds: int, fps: str
) -> None:
    brief = make_brief(shots=tuple(shots), seconds=seconds, fps=fps)
    script = made(brief)
    if isinstance(script, str):
        assert "does not fit its shots" in script
        return
    actions = " ".join(beat.script.action for beat in script.beats)
    assert actions.startswith(" ".join(shot.action for shot in shots))
    said = " ".join(beat.script.voiceover for beat in script.beats if beat.script.voiceover)
    assert said == " ".join(shot.voiceover for shot in shots if shot.voiceover)
    assert sum(lengths(script)) == brief.frames
    assert "speech-fits" not in {violation.rule for violation in check_script(script, brief)}
