"""A teaser shows a few moments of a film, which its shots give while they are filmed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import pytest
from tests.unit.film.films import pictures

from callsheet.errors import InputError
from callsheet_studio.film.teaser import Moments, make_teaser

if TYPE_CHECKING:
    from collections.abc import Sequence

    from callsheet_studio.film.planes import Picture


def clip_of(shot: Sequence[Picture]) -> bytes:
    moments = Moments(len(shot))
    assert all(out is given for out, given in zip(moments.seen(shot), shot, strict=True))
    return moments.clip()


def grey(value: int, size: tuple[int, int] = (192, 108)) -> Picture:
    wide, high = size
    halves = [np.full((high // 2, wide // 2), 128, np.uint8) for _ in range(2)]
    return [np.full((high, wide), value, np.uint8), *halves]


def played(webp: bytes) -> Any:
    return cv2.imdecodeanimation(np.frombuffer(webp, np.uint8))[1]


def shown(webp: bytes) -> list[int]:
    """How bright each picture is."""
    return [round(float(frame[..., :3].mean())) for frame in played(webp).frames]


@pytest.mark.slow  # a small film is drawn first: about 1 s
def test_a_teaser_moves_through_the_film_and_is_small() -> None:
    made = make_teaser([clip_of(each) for each in pictures()])
    assert made[:4] == b"RIFF"
    assert made[8:12] == b"WEBP"
    found = played(made)
    # Two pictures that look the same are kept as one.
    assert 32 <= len(found.frames) <= 36
    assert len({frame.tobytes() for frame in found.frames}) == len(found.frames)
    assert found.frames[0].shape[1] == 480
    assert sum(found.durations) == 4 * 750
    assert len(made) < 1_000_000
    assert made == make_teaser([clip_of(each) for each in pictures()])


def test_a_clip_is_every_other_picture_from_where_words_are_there() -> None:
    brightness = shown(clip_of([grey(20 + 2 * number) for number in range(90)]))
    full = [round((luma - 16) * 255 / 219) for luma in range(44, 79, 4)]
    assert brightness == pytest.approx(full, abs=2)


@pytest.mark.parametrize("size", [(1920, 1080), (1280, 720), (108, 192), (64, 64)])
def test_a_clip_has_the_shape_of_its_film(size: tuple[int, int]) -> None:
    found = played(clip_of([grey(60, size), grey(60, size), grey(90, size)]))
    high, wide = found.frames[0].shape[:2]
    assert wide == 480
    assert high == pytest.approx(480 * size[1] / size[0], abs=1)
    assert len(found.frames) == 2


def test_what_stands_still_is_one_picture_that_lasts() -> None:
    found = played(clip_of([grey(60)] * 40 + [grey(90)] * 40))
    assert (len(found.frames), sum(found.durations)) == (1, 750)


def test_a_teaser_shows_five_shots_from_all_over_the_film() -> None:
    clips = [clip_of([grey(20 + 20 * number)]) for number in range(10)]
    full = [round((luma - 16) * 255 / 219) for luma in (20, 60, 100, 140, 180)]
    assert shown(make_teaser(clips)) == pytest.approx(full, abs=2)
    assert len(shown(make_teaser(clips[:2]))) == 2


def test_a_teaser_of_nothing_or_of_damage_is_refused() -> None:
    with pytest.raises(InputError, match="no shots"):
        make_teaser([])
    whole = clip_of([grey(60)])
    for broken in (b"nothing", b"", whole[:15], b"RIFF" + bytes(200)):
        with pytest.raises(InputError, match="damaged"):
            make_teaser([whole, broken])
