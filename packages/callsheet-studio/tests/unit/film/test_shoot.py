"""A shot becomes exactly its frames, the same each time, and they look like its drawing."""

from __future__ import annotations

import hashlib
import io
import os
import subprocess
import sys
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import av
import cv2
import numpy as np
import pytest
from tests.unit.draw.shots import a_card, a_shot
from tests.unit.film.films import SIZE, a_take, decoded

from callsheet.errors import InputError
from callsheet_studio.film.encode import encode
from callsheet_studio.film.lettering import Box, safe_area
from callsheet_studio.film.shoot import DISSOLVE, Shooting
from callsheet_studio.film.takes import FADE
from callsheet_studio.model.captions import CaptionLine
from callsheet_studio.model.shots import Movement

STATIC = Movement(kind="static")
AGAIN = """
import hashlib
from tests.unit.draw.shots import a_shot
from tests.unit.film.films import a_take
from callsheet_studio.film.shoot import Shooting
from callsheet_studio.model.captions import CaptionLine
shot = a_shot(end=16, on_screen_text="Two boats", transition="dissolve")
said = (CaptionLine(start=2, end=14, lines=("One berth.",)),)
take = a_take(shot, before=a_shot(place="office", end=24), captions=said)
print(hashlib.sha256(Shooting(take).segment()).hexdigest())
"""


def frames_of(**changes: Any) -> list[Any]:
    """The brightness of each frame of a shot."""
    options = {name: changes.pop(name) for name in ("before", "captions") if name in changes}
    return [each[0] for each in Shooting(a_take(a_shot(**changes), **options)).pictures()]


def as_rgb(frame: Any) -> Any:
    """Exactly, where the quick conversion of players cuts halves off."""
    y, u, v = (
        np.frombuffer(memoryview(plane), np.uint8).reshape(-1, plane.line_size)
        for plane in frame.planes
    )
    wide, high = frame.width, frame.height
    bright = (y[:high, :wide].astype(float) - 16) * 255 / 219
    size = (wide, high)
    blue, red = (
        (cv2.resize(each[: high // 2, : wide // 2], size).astype(float) - 128) * 255 / 224
        for each in (u, v)
    )
    rgb = (bright + 1.5748 * red, bright - 0.1873 * blue - 0.4681 * red, bright + 1.8556 * blue)
    return np.dstack(rgb).clip(0, 255)


def test_a_camera_that_hardly_moves_shows_a_picture_again_until_somebody_could_see_it() -> None:
    seen = frames_of(movement=STATIC, end=96)
    changes = [float(np.abs(b.astype(int) - a).mean()) for a, b in pairwise(seen)]
    again = [change == 0 for change in changes]
    assert 0.3 < sum(again) / len(again) < 0.9
    # It never stands: not even for a sixth of a second.
    assert "1111" not in "".join(map(str, map(int, again)))
    moving = frames_of(movement=Movement(kind="truck", direction="left"), end=48)
    assert all((b != a).any() for a, b in pairwise(moving))


@pytest.mark.slow  # two processes, each with its own imports: about 2 s
def test_a_shot_is_the_same_bytes_in_every_process() -> None:
    seen = {
        subprocess.run(
            [sys.executable, "-c", AGAIN],
            check=True,
            capture_output=True,
            text=True,
            cwd=Path(__file__).parents[5],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": os.environ["PYTHONPATH"]},
        ).stdout
        for seed in ("1", "2")
    }
    assert len(seen) == 1
    assert len(seen.pop().strip()) == len(hashlib.sha256().hexdigest())


@pytest.mark.parametrize("frames", [1, 2, 5, 25])
def test_a_shot_has_exactly_its_frames(frames: int) -> None:
    film = Shooting(a_take(a_shot(end=frames))).segment()
    assert len(decoded(film)) == frames


@pytest.mark.parametrize(("place", "preset"), [("coast", "golden_hour"), ("office", "soft_day")])
def test_the_first_frame_of_the_film_is_the_drawing(place: str, preset: str) -> None:
    size = (384, 216)
    shooting = Shooting(a_take(a_shot(place=place, preset=preset, movement=STATIC, end=8), size))
    with av.open(io.BytesIO(shooting.segment()), "r") as film:
        seen = as_rgb(next(film.decode(video=0)))
    png = np.frombuffer(shooting.drawing.clean(), np.uint8)
    drawn = np.array(cv2.imdecode(png, cv2.IMREAD_COLOR_RGB), float)
    assert np.abs(seen - drawn).mean() < 3
    assert np.abs((seen - drawn).mean((0, 1))).max() < 0.6


def test_a_segment_says_how_its_colours_are_meant() -> None:
    with av.open(io.BytesIO(Shooting(a_take(a_shot(end=2))).segment()), "r") as film:
        context = film.streams.video[0].codec_context
        assert context.pix_fmt == "yuv420p"
        assert {context.colorspace, context.color_primaries, context.color_trc} == {1}
        assert context.color_range == 1


def test_a_film_comes_out_of_black_and_goes_into_it() -> None:
    came = [float(each.mean()) for each in frames_of(transition="fade_in", end=30)]
    gone = [float(each.mean()) for each in frames_of(transition="fade_out", end=30)]
    assert came[0] < 35 < came[FADE] - 40
    assert came[:FADE] == sorted(came[:FADE])
    assert gone[-FADE:] == sorted(gone[-FADE:], reverse=True)
    assert gone[-1] < 35


def test_a_dissolve_begins_with_the_shot_before_and_ends_with_its_own() -> None:
    before = a_shot(place="office", preset="night", end=24, movement=STATIC)
    plain = frames_of(end=20)
    mixed = frames_of(end=20, transition="dissolve", before=before)
    old = frames_of(place="office", preset="night", end=24, movement=STATIC)[-1]
    shares = [float(np.abs(mixed[n].astype(int) - plain[n]).mean()) for n in range(DISSOLVE + 2)]
    assert (
        np.abs(mixed[0].astype(int) - old).mean() < 0.25 * np.abs(plain[0].astype(int) - old).mean()
    )
    assert shares[:DISSOLVE] == sorted(shares[:DISSOLVE], reverse=True)
    assert shares[DISSOLVE] == shares[DISSOLVE + 1] == 0


def test_a_text_comes_softly_stays_and_goes_before_a_long_shot_ends() -> None:
    plain = frames_of(end=96)
    written = frames_of(end=96, on_screen_text="Two boats")
    share = [float(np.abs(a.astype(int) - b).mean()) for a, b in zip(written, plain, strict=True)]
    assert share[0] == share[3] == 0
    assert 0 < share[4] < share[7] < share[12]
    assert min(share[12:85]) > 0.8 * max(share), "it is there for at least three seconds"
    assert share[95] < 0.2 * max(share)


def test_what_is_written_in_the_picture_is_not_written_over_it() -> None:
    text = "Try Harbor free\nfor 30 days"
    card = Shooting(a_take(a_card(end=20)))
    assert any("Try Harbor free" in each for each in card.drawing.written)
    with_text = [each[0] for each in card.pictures()]
    other = a_card(end=20, on_screen_text=text)
    assert np.array_equal(with_text[15], [e[0] for e in Shooting(a_take(other)).pictures()][15])


def test_a_caption_is_there_from_its_first_to_its_last_frame_even_in_the_dark() -> None:
    said = (CaptionLine(start=3, end=9, lines=("One berth.",)),)
    plain = frames_of(end=12, transition="fade_in")
    spoken = frames_of(end=12, transition="fade_in", captions=said)
    seen = [not np.array_equal(a, b) for a, b in zip(plain, spoken, strict=True)]
    assert seen == [3 <= frame < 9 for frame in range(12)]
    assert spoken[3].max() >= 190 > plain[3].max() + 80


def test_words_come_and_go_over_a_picture_that_is_shown_again_and_leave_nothing_on_it() -> None:
    said = tuple(
        CaptionLine(start=start, end=start + 2, lines=("One berth.",)) for start in range(4, 40, 5)
    )
    plain = frames_of(end=48, movement=STATIC)
    spoken = frames_of(end=48, movement=STATIC, captions=said)
    seen = [not np.array_equal(a, b) for a, b in zip(plain, spoken, strict=True)]
    assert seen == [any(each.start <= frame < each.end for each in said) for frame in range(48)]
    shown_again = [frame for frame in range(1, 48) if plain[frame] is plain[frame - 1]]
    assert any(seen[frame] != seen[frame - 1] for frame in shown_again)


@pytest.mark.parametrize("kind", ["static", "rack", "handheld"])
def test_even_a_camera_on_a_tripod_breathes(kind: Any) -> None:
    seen = frames_of(end=48, movement=Movement(kind=kind))
    assert (np.abs(seen[0].astype(int) - seen[24]) > 6).mean() > 1e-3


@pytest.mark.parametrize("size", [(1, 1), (193, 108), (192, 107), (20000, 100), (0, 0), (-2, 4)])
def test_a_size_that_cannot_be_filmed_is_refused_with_what_can(size: tuple[int, int]) -> None:
    with pytest.raises(InputError, match="each side must be"):
        encode([], size, Fraction(24))
    if min(size) < 64 or max(size) > 8192:
        with pytest.raises(InputError, match="each side must be"):
            Shooting(a_take(a_shot(end=2), size)).segment()


@pytest.mark.parametrize("size", [(64, 64), (108, 192), (96, 120), (120, 120)])
def test_every_shape_of_film_can_be_made(size: tuple[int, int]) -> None:
    film = decoded(Shooting(a_take(a_shot(end=3, size="MS"), size)).segment())
    assert [each.shape[1] for each in film] == [size[0]] * 3
    assert SIZE[0] == 192


@pytest.mark.requirement("P11")
@pytest.mark.parametrize("size", [(480, 270), (270, 480)])
def test_a_shot_says_where_its_words_are_and_they_are_safe(size: tuple[int, int]) -> None:
    line = CaptionLine(start=10, end=40, lines=("One berth.",))
    shot = a_shot(size="CU", on_screen_text="Harbor is near")
    texts = Shooting(a_take(shot, size, captions=(line,))).texts
    assert [each.text for each in texts] == ["One berth.", "Harbor is near"]
    assert {each.where for each in texts} == {shot.id}
    area = safe_area(size)
    assert all(area.holds(Box(e.left, e.top, e.right, e.bottom)) for e in texts)


def test_words_that_are_in_the_picture_are_not_written_over_it() -> None:
    card = a_card(on_screen_text="Two Boats")
    assert Shooting(a_take(card)).texts == ()
