"""An editor's cut back into the project: what changed changes, and nothing else."""

from __future__ import annotations

import pytest
from tests.unit.documents.films import film

from callsheet.errors import InputError
from callsheet_studio.base.time import Rate
from callsheet_studio.documents import Cut, Piece, Retimed, retime
from callsheet_studio.solve.needs import is_card

pytestmark = pytest.mark.requirement("P12")

MADE = film(4, 2)


def cut_of(*pieces: tuple[str, int]) -> Cut:
    return Cut(Rate.of(24), tuple(Piece(shot, frames) for shot, frames in pieces))


def whole(**changed: int) -> list[tuple[str, int]]:
    return [(shot.id, changed.get(shot.id, shot.frames)) for shot in MADE.shots.shots]


def broken(found: Retimed) -> list[tuple[str, str]]:
    return [(each.rule, each.where) for each in found.violations]


def test_a_beat_is_as_long_as_its_shots() -> None:
    found = retime(MADE.script, MADE.shots, cut_of(*whole(**{"1B": 48, "2A": 120})))
    assert [(beat.start, beat.end) for beat in found.script.beats] == [
        (0, 144),
        (144, 336),
        (336, 552),
        (552, 744),
    ]
    assert found.script.frames == found.shots.frames == 744
    assert [shot.start for shot in found.shots.shots[:4]] == [0, 96, 144, 240]


def test_a_beat_moves_with_its_shots_and_keeps_its_id() -> None:
    pieces = whole()
    found = retime(MADE.script, MADE.shots, cut_of(*pieces[2:4], *pieces[:2], *pieces[4:]))
    assert [beat.id for beat in found.script.beats] == ["1.2", "1.1", "2.1", "2.2"]
    assert [beat.order for beat in found.script.beats] == [1, 2, 3, 4]
    assert [shot.id for shot in found.shots.shots[:4]] == ["1C", "1D", "1A", "1B"]
    assert [shot.order for shot in found.shots.shots] == list(range(1, 9))


def test_a_beat_without_shots_is_gone() -> None:
    found = retime(MADE.script, MADE.shots, cut_of(*whole()[2:]))
    assert [beat.id for beat in found.script.beats] == ["1.2", "2.1", "2.2"]
    assert found.script.beats[0].start == 0


def test_what_is_said_goes_on_over_the_shots_that_are_left() -> None:
    said = MADE.shots.shots[0].voiceover
    found = retime(MADE.script, MADE.shots, cut_of(*whole()[1:]))
    assert found.shots.shots[0].id == "1B"
    assert found.shots.shots[0].voiceover == said


def test_what_is_said_keeps_its_order_when_shots_of_a_beat_change_places() -> None:
    pieces = whole()
    found = retime(MADE.script, MADE.shots, cut_of(pieces[1], pieces[0], *pieces[2:]))
    assert [shot.voiceover for shot in found.shots.shots[:2]] == [
        MADE.shots.shots[0].voiceover,
        None,
    ]


def test_a_shot_that_was_cut_in_two_is_one_again() -> None:
    found = retime(MADE.script, MADE.shots, cut_of(("1A", 40), ("1A", 56), *whole()[1:]))
    assert found.shots.shots[0].frames == 96
    assert len(found.shots.shots) == 8


def test_words_that_do_not_fit_any_more_are_told_with_their_beat() -> None:
    found = retime(MADE.script, MADE.shots, cut_of(*whole(**{"1A": 24, "1B": 24})))
    assert broken(found) == [("speech-fits", "1.1")]
    assert found.script.beats[0].script == MADE.script.beats[0].script


def test_shots_that_are_too_short_or_too_long_are_told() -> None:
    found = retime(MADE.script, MADE.shots, cut_of(*whole(**{"2A": 23, "2B": 241})))
    assert broken(found) == [("shot-length", "2A"), ("shot-length", "2B")]
    fine = retime(MADE.script, MADE.shots, cut_of(*whole(**{"2A": 24, "2B": 240})))
    assert fine.violations == ()


def test_every_shot_that_is_there_twice_is_named_at_once() -> None:
    pieces = [*whole(), ("1A", 10), ("1B", 5)]
    with pytest.raises(InputError) as caught:
        retime(MADE.script, MADE.shots, cut_of(*pieces))
    text = str(caught.value)
    assert "shot 1A is there twice" in text
    assert "shot 1B is there twice" in text


@pytest.mark.requirement("P12", "P16")
def test_a_foreign_clip_is_taken_as_such() -> None:
    first, *others = whole()
    made = retime(MADE.script, MADE.shots, cut_of(first, ("drone_04", 30), *others))
    shots = made.shots.shots
    assert [shot.id for shot in shots[:3]] == [first[0], "X2", others[0][0]]
    foreign = shots[1]
    assert (foreign.frames, foreign.on_screen_text) == (30, "drone_04")
    assert foreign.action == foreign.notes == "foreign clip: drone_04"
    assert (foreign.figures, foreign.dialogue, foreign.picture) == ((), None, None)
    assert made.shots.frames == made.script.frames == MADE.shots.frames + 30
    # A card holds its place, so the film is as long as the cut, and it costs nothing to make.
    assert is_card(foreign)


def test_a_cut_without_any_shot_of_ours_is_refused() -> None:
    with pytest.raises(InputError, match="no shot of this project"):
        retime(MADE.script, MADE.shots, cut_of(("drone_04", 30)))


def test_a_beat_is_not_torn_apart() -> None:
    pieces = whole()
    with pytest.raises(InputError, match=r"beat 1\.1 are not together"):
        retime(MADE.script, MADE.shots, cut_of(pieces[0], *pieces[2:], pieces[1]))


def test_a_cut_at_another_rate_is_refused() -> None:
    other = Cut(Rate.of(25), (Piece("1A", 50),))
    with pytest.raises(InputError, match="25 frames a second, the project 24"):
        retime(MADE.script, MADE.shots, other)


def test_an_empty_cut_is_no_film() -> None:
    with pytest.raises(InputError, match="no shot"):
        retime(MADE.script, MADE.shots, cut_of())


def test_what_was_wrong_before_is_not_the_editors_fault() -> None:
    shots = MADE.shots.model_copy(
        update={
            "shots": (
                MADE.shots.shots[0].model_copy(update={"subject": ""}),
                *MADE.shots.shots[1:],
            )
        }
    )
    found = retime(MADE.script, shots, cut_of(*whole(**{"2D": 90})))
    assert found.violations == ()


def test_pictures_that_do_not_cut_together_any_more_are_told() -> None:
    shots = list(MADE.shots.shots)
    like_it = {"size": shots[0].size, "angle": shots[0].angle, "bearing": shots[0].bearing}
    shots[2] = shots[2].model_copy(update={**like_it, "subject": shots[0].subject})
    listed = MADE.shots.model_copy(update={"shots": tuple(shots)})
    pieces = whole()
    found = retime(MADE.script, listed, cut_of(pieces[0], *pieces[2:]))
    assert "1C" in [where for _, where in broken(found)]
