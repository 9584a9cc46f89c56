"""A take is what the pictures of a shot depend on, and nothing else."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.every import every

from callsheet import Artifact
from callsheet_studio.brief import load
from callsheet_studio.film.check.expected import expected_of
from callsheet_studio.film.shoot import Shooting
from callsheet_studio.film.takes import film_size, takes
from callsheet_studio.model.captions import CaptionLine
from callsheet_studio.script import write_script
from callsheet_studio.shots import plan_shots

if TYPE_CHECKING:
    from callsheet_studio.model.brief import Brief
    from callsheet_studio.model.shots import ShotList

# A brief is made into shots first: about 0.5 s.
pytestmark = pytest.mark.slow

BRIEF = Path(__file__).parents[5] / "examples" / "briefs" / "harbor.yaml"


@cache
def planned() -> tuple[Brief, ShotList]:
    brief = load(BRIEF)
    return brief, plan_shots(write_script(brief), brief)


def later(shots: ShotList, frames: int) -> ShotList:
    """The same film, with a longer first shot."""
    first, *others = shots.shots
    moved = [
        each.model_copy(update={"start": each.start + frames, "end": each.end + frames})
        for each in others
    ]
    longer = first.model_copy(update={"end": first.end + frames})
    return shots.model_copy(update={"shots": (longer, *moved), "frames": shots.frames + frames})


def test_a_longer_first_shot_leaves_the_takes_of_all_others_alone() -> None:
    brief, shots = planned()
    before, after = takes(shots, brief, ()), takes(later(shots, 7), brief, ())
    changed = [one != other for one, other in zip(before, after, strict=True)]
    dissolves = shots.shots[1].transition == "dissolve"
    assert changed == [True, dissolves, *[False] * (len(changed) - 2)]


def test_a_shot_that_is_dissolved_from_is_drawn_as_it_was_in_its_own_place() -> None:
    brief, shots = planned()
    first, second, *rest = shots.shots
    soft = second.model_copy(update={"transition": "dissolve"})
    shots = shots.model_copy(update={"shots": (first, soft, *rest)})
    found = takes(shots, brief, ())
    for number, shot in enumerate(shots.shots):
        before = found[number].before
        if shot.transition == "dissolve":
            last = shots.shots[number - 1]
            assert before is not None
            assert (before.id, before.frames, before.subject) == (
                last.id,
                last.frames,
                last.subject,
            )
        else:
            assert before is None
    assert any(each.before for each in found)


def test_a_caption_over_a_cut_is_in_both_shots() -> None:
    brief, shots = planned()
    first, second = shots.shots[:2]
    line = CaptionLine(start=first.end - 10, end=first.end + 15, lines=("One berth.",))
    one, other, *rest = takes(shots, brief, (line,))
    assert [(each.start, each.end) for each in one.captions] == [(first.frames - 10, first.frames)]
    assert [(each.start, each.end) for each in other.captions] == [(0, 15)]
    assert second.frames > 15
    assert not any(each.captions for each in rest)


@every(resolution=["720x1280", "720x720"], sizes=[("ECU", "WS"), ("WS", "ECU"), ("WS", "WS")])
def test_a_caption_over_a_cut_stays_where_it_is(resolution: str, sizes: tuple[str, str]) -> None:
    brief, shots = planned()
    sized = brief.delivery.model_copy(update={"resolution": resolution})
    brief = brief.model_copy(update={"delivery": sized})
    near = {"angle": "eye", "kind": "standard", "on_screen_text": None, "figures": ("Felix",)}
    first, second = (
        shot.model_copy(update={**near, "size": size})
        for shot, size in zip(shots.shots, sizes, strict=False)
    )
    changed = shots.model_copy(update={"shots": (first, second, *shots.shots[2:])})
    line = CaptionLine(start=second.start - 9, end=second.start + 9, lines=("So many berths.",))
    found = [take for take in takes(changed, brief, [line]) if take.captions]
    (one,), (other,) = (Shooting(take).captions for take in found)
    assert one.foot == other.foot
    # Not over the eyes that fill the one: at the head of both.
    assert (one.foot is not None) == ("ECU" in sizes)


def test_what_is_said_and_done_in_the_next_shot_is_not_filmed_again_for_a_caption() -> None:
    brief, shots = planned()
    first, second, *others = shots.shots
    line = CaptionLine(start=second.start - 9, end=second.start + 9, lines=("So many berths.",))
    words = {"action": "Felix sleeps.", "dialogue": "FELIX: No.", "subject": "Felix"}
    told = second.model_copy(update=words)
    changed = shots.model_copy(update={"shots": (first, told, *others)})
    assert takes(changed, brief, [line])[0] == takes(shots, brief, [line])[0]


def test_what_is_expected_of_a_film_follows_from_its_shots() -> None:
    brief, shots = planned()
    line = CaptionLine(start=10, end=40, lines=("One berth.",))
    want = expected_of(shots, brief, (line,), loudness=-16.0)
    assert want.frames == shots.frames
    assert want.size == film_size(brief) == (1280, 720)
    assert want.shot_at(shots.shots[3].start) == shots.shots[3].id
    assert set(want.cuts) == {
        each.start for each in shots.shots[1:] if each.transition != "dissolve"
    }


def with_pictures(shots: ShotList, place: int, picture: Artifact) -> ShotList:
    """The same film, with an own picture for one of its shots."""
    changed = [
        each.model_copy(update={"picture": picture}) if number == place else each
        for number, each in enumerate(shots.shots)
    ]
    return shots.model_copy(update={"shots": tuple(changed)})


def test_an_own_picture_changes_its_take_and_what_dissolves_from_it() -> None:
    brief, shots = planned()
    plain = takes(shots, brief, ())
    for place in range(len(shots.shots)):
        one, two = (
            takes(with_pictures(shots, place, Artifact(digest=each * 64)), brief, ())
            for each in "ab"
        )
        follows = place + 1 < len(shots.shots) and one[place + 1].before is not None
        expected = {place, place + 1} if follows else {place}
        assert {n for n, take in enumerate(one) if take != plain[n]} == expected
        assert {n for n, take in enumerate(one) if take != two[n]} == expected
        assert [each.digest for each in one[place].pictures] == ["a" * 64]


def test_the_letters_of_the_poster_are_looked_at_with_the_first_shot_only() -> None:
    brief, shots = planned()
    assert not any(take.posted for take in takes(shots, brief, ()))
    message = brief.message.model_copy(update={"core": "Every bérth in view."})
    first, *others = takes(shots, brief.model_copy(update={"message": message}), ())
    assert first.posted == "Every bérth in view."
    assert not any(take.posted for take in others)


def test_a_logo_changes_the_takes_of_cards_only() -> None:
    brief, shots = planned()
    logo = Artifact(digest="c" * 64)
    message = brief.message.model_copy(update={"logo": logo})
    plain = takes(shots, brief, ())
    branded = takes(shots, brief.model_copy(update={"message": message}), ())
    changed = [take for take, other in zip(branded, plain, strict=True) if take != other]
    assert 0 < len(changed) < len(plain)
    assert changed[-1] == branded[-1], "the film ends on a card"
    assert all(take.logo == logo and logo in take.pictures for take in changed)
    own = with_pictures(shots, len(plain) - 1, Artifact(digest="a" * 64))
    last = takes(own, brief.model_copy(update={"message": message}), ())[-1]
    assert last.logo is None, "a picture instead of a card has no logo on it"


@pytest.mark.requirement("P16")
def test_words_that_stand_in_the_picture_are_not_captioned_in_it() -> None:
    brief, shots = planned()
    first, *others = shots.shots
    written = first.model_copy(update={"on_screen_text": "One live map\nfor all berths"})
    film = shots.model_copy(update={"shots": (written, *others)})
    same = CaptionLine(start=0, end=24, lines=("One live map", "for all berths."))
    other = CaptionLine(start=26, end=40, lines=("Payments before arrival.",))
    assert takes(film, brief, (same, other))[0].captions == (other,)


@pytest.mark.requirement("P16")
@pytest.mark.parametrize(
    ("lines", "left"),
    [
        (("Once more: one live map", "for all berths."), ("Once more:",)),
        (("One live map for all berths,", "and payments before."), ("and payments before.",)),
        (("One live map", "for some."), ("One live map", "for some.")),
    ],
)
def test_of_a_caption_only_what_is_not_in_the_picture_is_read(
    lines: tuple[str, ...], left: tuple[str, ...]
) -> None:
    brief, shots = planned()
    first, *others = shots.shots
    written = first.model_copy(update={"on_screen_text": "One live map\nfor all berths"})
    film = shots.model_copy(update={"shots": (written, *others)})
    (caption,) = takes(film, brief, (CaptionLine(start=0, end=24, lines=lines),))[0].captions
    assert caption.lines == left


@pytest.mark.requirement("P16")
def test_a_fact_on_a_card_is_not_captioned_on_it() -> None:
    brief, shots = planned()
    first, *others = shots.shots
    card = first.model_copy(update={"action": "A card: Payments before arrival.", "figures": ()})
    film = shots.model_copy(update={"shots": (card, *others)})
    line = CaptionLine(start=0, end=24, lines=("Payments before", "arrival."))
    assert takes(film, brief, (line,))[0].captions == ()
