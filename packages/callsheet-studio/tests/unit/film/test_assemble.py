"""Segments become one film: nothing is encoded again, nothing is lost, nothing half is left."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import av
import pytest
from tests.unit.film.films import SPOKEN, a_film, pictures, reel, segments

from callsheet.errors import InputError
from callsheet_studio.film.assemble import assemble
from callsheet_studio.film.encode import encode

if TYPE_CHECKING:
    from collections.abc import Iterator

# A small film is drawn first: about 1 s.
pytestmark = pytest.mark.slow

NO_ROOM = """
import resource, sys, tempfile
from fractions import Fraction
import numpy as np
from callsheet.errors import FatalError
from callsheet_studio.film.assemble import Reel, assemble
from callsheet_studio.film.encode import encode
noise = np.random.default_rng(1).integers(0, 255, (24, 96, 64), np.uint8)
picture = [[each[:64], each[64:80, :32], each[80:, :32]] for each in noise]
picture = [[y, np.tile(u, (2, 1)), np.tile(v, (2, 1))] for y, u, v in picture]
film = Reel([encode(picture, (64, 64), Fraction(24))], None, Fraction(24), 24)
tempfile.tempdir = sys.argv[1]
resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
try:
    assemble(film)
except FatalError as exc:
    print(exc)
"""


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    path = a_film(tmp_path_factory.mktemp("film"))
    with av.open(path, "r") as opened:
        yield opened


def test_every_frame_is_there_once_and_at_its_time(film: Any) -> None:
    film.seek(0)
    times = [frame.pts * frame.time_base for frame in film.decode(video=0)]
    assert times == [Fraction(n, 24) for n in range(144)]
    assert film.streams.video[0].average_rate == 24
    assert Fraction(film.duration, 1_000_000) == pytest.approx(Fraction(6), abs=0.03)


def test_pictures_are_copied_not_encoded_again(film: Any) -> None:
    film.seek(0)
    kept = b"".join(bytes(packet) for packet in film.demux(video=0))
    for segment in segments():
        with av.open(io.BytesIO(segment), "r") as own:
            assert b"".join(bytes(packet) for packet in own.demux(video=0)) in kept


def test_each_shot_is_a_chapter(film: Any) -> None:
    found = [
        (each["metadata"]["title"], each["start"] * each["time_base"] * 24)
        for each in film.chapters()
    ]
    assert found == [("1A", 0), ("1B", 48), ("2A", 72), ("3A", 108)]


def test_captions_can_be_switched_on(film: Any) -> None:
    stream = film.streams.subtitles[0]
    film.seek(0)
    texts = [
        (packet.pts * packet.time_base, bytes(packet)[2:].decode())
        for packet in film.demux(stream)
        if packet.size > 2
    ]
    start = Fraction(round(Fraction(SPOKEN.start, 24) * 1000), 1000)
    assert texts[0] == (start, "Two boats,\none berth.")


def test_a_film_has_its_name_and_no_date(film: Any) -> None:
    assert film.metadata["title"] == "Two Boats"
    assert "creation_time" not in film.metadata


def test_the_same_segments_give_the_same_bytes(tmp_path: Path) -> None:
    assert assemble(reel(tmp_path)) == assemble(reel(tmp_path))


@pytest.mark.parametrize(
    "damage", [lambda whole: b"", lambda whole: whole[:200], lambda whole: b"\x00" * len(whole)]
)
def test_a_damaged_segment_is_named(tmp_path: Path, damage: Any) -> None:
    found = segments()
    found[2] = damage(found[2])
    with pytest.raises(InputError, match=r"segment of shot 2A is (damaged|empty).* again"):
        assemble(reel(tmp_path, segments=found))


def test_a_shot_of_the_wrong_length_is_not_hidden(tmp_path: Path) -> None:
    found = segments(lambda frames: frames[:-3])
    with pytest.raises(InputError, match="141 frames, the film has 144"):
        assemble(reel(tmp_path, segments=found))


def test_segments_of_two_sizes_are_refused(tmp_path: Path) -> None:
    small = [[plane[:32, :64] for plane in picture] for picture in pictures()[3]]
    small = [[y, u[:16, :32], v[:16, :32]] for y, u, v in small]
    found = [*segments()[:3], encode(small, (64, 32), Fraction(24))]
    with pytest.raises(InputError, match=r"do not belong together: 192x108 at 24, 64x32 at 24"):
        assemble(reel(tmp_path, segments=found))


def test_a_film_of_nothing_is_refused(tmp_path: Path) -> None:
    film = reel(tmp_path)
    with pytest.raises(InputError, match="no segments"):
        assemble(type(film)([], None, film.rate, 0))


def test_a_full_disk_is_told_and_nothing_is_left_on_it(tmp_path: Path) -> None:
    said = subprocess.run(
        [sys.executable, "-c", NO_ROOM, str(tmp_path)],
        check=True,
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[5],
        env={"PYTHONPATH": os.environ["PYTHONPATH"]},
    ).stdout
    assert "Make room there" in said
    assert str(tmp_path) in said
    assert list(tmp_path.iterdir()) == []


@pytest.mark.requirement("P12")
def test_captions_that_are_in_the_picture_too_are_not_shown_twice(film: Any) -> None:
    assert not film.streams.subtitles[0].disposition
    assert film.streams.video[0].disposition
    assert film.streams.audio[0].disposition


def test_captions_that_are_nowhere_else_are_shown(tmp_path: Path) -> None:
    with av.open(a_film(tmp_path, shows_captions=True), "r") as opened:
        assert opened.streams.subtitles[0].disposition


def test_a_film_without_soft_captions_has_none(tmp_path: Path) -> None:
    with av.open(a_film(tmp_path, captions=()), "r") as opened:
        assert not opened.streams.subtitles
