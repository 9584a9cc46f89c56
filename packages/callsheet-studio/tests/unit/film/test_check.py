"""Each check is silent on a film of ours, and finds its fault in a film that has it."""

from __future__ import annotations

import io
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import av
import numpy as np
import pytest
from tests.unit.draw.shots import a_shot
from tests.unit.film.films import (
    RATE,
    SIZE,
    SPOKEN,
    a_film,
    a_take,
    expected,
    pictures,
    reel,
    segments,
    sound,
)

from callsheet.errors import InputError
from callsheet_studio.base.time import Rate
from callsheet_studio.film.assemble import Chapter, assemble
from callsheet_studio.film.check.expected import ExpectedShot, FilmReport
from callsheet_studio.film.check.finished import Piece, Recording, check_film
from callsheet_studio.film.check.looking import Look, Watch, is_filmed
from callsheet_studio.film.check.sound import Track, check_track
from callsheet_studio.film.encode import encode
from callsheet_studio.film.lettering import safe_area
from callsheet_studio.film.shoot import Shooting
from callsheet_studio.model.captions import CaptionLine, TextBox
from callsheet_studio.model.shots import Movement

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from callsheet_studio.film.planes import Picture

# Each makes a small film and looks at all of it: about 0.4 s.
pytestmark = pytest.mark.slow

NOTHING = [
    np.full((SIZE[1] // half, SIZE[0] // half), value, np.uint8)
    for half, value in ((1, 16), (2, 128), (2, 128))
]


def wrong(report: FilmReport) -> set[tuple[str, str]]:
    return {(each.rule, each.where) for each in report.violations}


def rules(report: FilmReport) -> set[str]:
    return {each.rule for each in report.violations}


def checked(scratch: Path, **changes: Any) -> FilmReport:
    """The report on the small film, damaged."""
    return check_film(a_film(scratch, **changes), expected())


def watched(segment: bytes, captions: tuple[CaptionLine, ...] = ()) -> Look:
    """What is seen in a shot when it is filmed as it is in a segment."""
    with av.open(io.BytesIO(segment), "r") as source:
        shown = [frame.to_ndarray() for frame in source.decode(video=0)]
    watch = Watch(len(shown), captions)
    high = SIZE[1]
    seen = list(watch.seen([each[:high], each[high:], each[high:]] for each in shown))
    assert len(seen) == len(shown)
    return watch.look()


def in_pieces(scratch: Path, made: list[bytes], **changes: Any) -> FilmReport:
    """The report on the small film, whose shots and sound were checked when they were made."""
    spoken = [(SPOKEN,), (), (), ()]
    pieces = [
        Piece(each, watched(each, captions)) for each, captions in zip(made, spoken, strict=True)
    ]
    track = sound(scratch)
    recording = Recording(track, check_track(scratch / "sound.m4a", 144, Rate.of("24"), -16.0))
    film = a_film(scratch, segments=made, sound=track, **changes)
    return check_film(film, expected(), pieces, recording)


def replaced(start: int, end: int, by: Callable[[list[Picture], int], Picture]) -> Any:
    """A change to some frames."""
    return lambda all_: [by(all_, n) if start <= n < end else each for n, each in enumerate(all_)]


# Ours


def test_a_film_of_ours_has_no_fault(tmp_path: Path) -> None:
    report = check_film(a_film(tmp_path), expected())
    assert report.violations == ()
    assert report.passed
    assert report.frames == 144
    assert report.size == SIZE
    assert {48, 108} <= set(report.cuts)
    assert report.loudness == pytest.approx(-16, abs=1)
    assert report.true_peak is not None
    assert report.true_peak <= -1


def test_a_film_is_known_by_its_pieces_as_well_as_by_looking_at_it(tmp_path: Path) -> None:
    whole = check_film(a_film(tmp_path), expected())
    report = in_pieces(tmp_path, segments())
    assert report.violations == ()
    assert (report.frames, report.size) == (whole.frames, whole.size)
    assert (report.loudness, report.true_peak) == (whole.loudness, whole.true_peak)
    assert {48, 108} <= set(report.cuts)
    assert 72 not in report.cuts


@pytest.mark.parametrize(("kind", "seconds"), [("static", 10), ("rack", 10), ("handheld", 4)])
def test_a_long_quiet_shot_is_not_called_frozen(kind: Any, seconds: int, tmp_path: Path) -> None:
    shot = a_shot(end=24 * seconds, movement=Movement(kind=kind), place="abstract", figures=())
    film = Shooting(a_take(shot)).segment()
    told = {"segments": [film], "frames": 24 * seconds, "captions": ()}
    told["chapters"] = [Chapter("1A", 0, 24 * seconds)]
    target = tmp_path / "film.mp4"
    target.write_bytes(assemble(reel(tmp_path, **told)))
    want = expected(
        shots=(ExpectedShot(id="1A", start=0, end=24 * seconds),), captions=(), loudness=None
    )
    assert "film-frozen" not in rules(check_film(target, want))


# Pictures


def test_black_frames_are_found_in_their_shot(tmp_path: Path) -> None:
    dark = segments(replaced(54, 62, lambda _, n: NOTHING))
    assert ("film-black", "1B") in wrong(checked(tmp_path, segments=dark))
    assert ("film-black", "1B") in wrong(in_pieces(tmp_path, dark))


def test_a_flash_of_black_that_nobody_notices_is_no_fault(tmp_path: Path) -> None:
    dark = segments(replaced(54, 57, lambda _, n: NOTHING))
    assert "film-black" not in rules(checked(tmp_path, segments=dark))


def test_a_frozen_shot_is_found(tmp_path: Path) -> None:
    stopped = segments(replaced(9, 48, lambda all_, _: all_[8]))
    assert ("film-frozen", "1A") in wrong(checked(tmp_path, segments=stopped))
    assert ("film-frozen", "1A") in wrong(in_pieces(tmp_path, stopped))


def test_a_cut_at_the_wrong_frame_is_found_where_it_is_and_where_it_is_not(
    tmp_path: Path,
) -> None:
    late = segments(replaced(48, 53, lambda all_, n: all_[n - 6]))
    found = [
        each for each in checked(tmp_path, segments=late).violations if each.rule == "film-cut"
    ]
    assert [each.message for each in found] == [
        "There is no cut at frame 48.",
        "There is a cut at frame 53 that was not planned.",
    ]
    assert "There is no cut at frame 48." in [
        each.message for each in in_pieces(tmp_path, late).violations
    ]


def test_a_dissolve_that_became_a_cut_is_found(tmp_path: Path) -> None:
    shot = a_shot(place="forest", movement=Movement(kind="truck"), end=36, id="2A")
    plain = list(Shooting(a_take(shot)).pictures())
    hard = segments(replaced(72, 108, lambda _, n: plain[n - 72]))
    report = check_film(a_film(tmp_path, segments=hard), expected())
    assert 72 in report.cuts
    soft = check_film(a_film(tmp_path), expected())
    assert 72 not in soft.cuts
    assert ("film-cut", "2A") in wrong(report)
    assert ("film-cut", "2A") in wrong(in_pieces(tmp_path, hard))


def test_a_caption_that_is_not_in_the_picture_is_found(tmp_path: Path) -> None:
    plain = list(Shooting(a_take(a_shot(place="harbour", id="1A", end=48))).pictures())
    silent = segments(replaced(0, 48, lambda _, n: plain[n]))
    assert ("caption-unseen", "1A") in wrong(checked(tmp_path, segments=silent))
    assert ("caption-unseen", "1A") in wrong(in_pieces(tmp_path, silent))


def test_a_film_that_is_not_made_of_its_pieces_is_found_where_it_is_not(tmp_path: Path) -> None:
    filmed = segments()
    other = segments(replaced(50, 51, lambda _, n: NOTHING))
    pieces = [Piece(each, watched(each)) for each in filmed]
    report = check_film(a_film(tmp_path, segments=other), expected(), pieces)
    assert ("film-pictures", "1B") in wrong(report)


def test_an_encoder_that_makes_something_else_of_pictures_is_found_out() -> None:
    office = pictures()[1]
    kept, seen = encode(office, SIZE, RATE), watched(segments()[1])
    assert is_filmed(kept, seen)
    assert not is_filmed(encode([NOTHING, *office[1:]], SIZE, RATE), seen)
    assert not is_filmed(encode(office[:-1], SIZE, RATE), seen)
    shifted = [[np.roll(plane, 40, axis=1) for plane in each] for each in office]
    assert not is_filmed(encode(shifted, SIZE, RATE), seen)


# The file


def test_a_missing_frame_is_found(tmp_path: Path) -> None:
    short = checked(tmp_path, segments=segments(lambda all_: all_[:-2]), frames=142)
    assert "film-frames" in rules(short)


def test_a_film_of_another_size_is_found(tmp_path: Path) -> None:
    report = check_film(a_film(tmp_path), expected(size=(1280, 720)))
    assert "film-resolution" in rules(report)
    assert "1280x720" in report.violations[0].message


def test_a_film_at_another_rate_is_found(tmp_path: Path) -> None:
    quick = Fraction(25)
    found = rules(checked(tmp_path, segments=segments(rate=quick), rate=quick))
    assert {"film-rate", "film-duration"} & found >= {"film-rate"}


def test_colours_that_are_not_marked_are_found(tmp_path: Path) -> None:
    target = tmp_path / "unmarked.mp4"
    with av.open(target, "w") as out:
        stream = out.add_stream("libx264", rate=24)
        stream.width, stream.height, stream.pix_fmt = *SIZE, "yuv420p"
        for picture in pictures()[0]:
            flat = np.vstack([plane.reshape(-1, SIZE[0]) for plane in picture])
            out.mux(stream.encode(av.VideoFrame.from_ndarray(flat, "yuv420p")))
        out.mux(stream.encode())
    found = rules(check_film(target, expected()))
    assert {"film-colour", "film-faststart", "film-captions", "film-chapters"} <= found
    assert "film-duration" in found


def test_a_missing_and_a_wrong_chapter_are_found(tmp_path: Path) -> None:
    told = [Chapter("1A", 0, 48), Chapter("1B", 50, 72), Chapter("2A", 72, 108)]
    found = wrong(checked(tmp_path, chapters=told))
    assert {("film-chapters", "1B"), ("film-chapters", "3A")} == found


@pytest.mark.parametrize("data", [b"", b"not a film", b"\x00\x00\x00\x18ftypmp42"])
def test_what_is_no_film_is_refused(tmp_path: Path, data: bytes) -> None:
    target = tmp_path / "film.mp4"
    target.write_bytes(data)
    with pytest.raises(InputError, match=r"film\.mp4 cannot be read as a film"):
        check_film(target, expected())


def test_a_film_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        check_film(tmp_path / "no.mp4", expected())


# Sound


SOUNDS: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "a hole": ("sound-silent", lambda s: s * (np.arange(s.shape[1]) // 48000 % 4 < 2)),
    "too loud": ("sound-loudness", lambda s: s * 1.6),
    "too quiet": ("sound-loudness", lambda s: s * 0.6),
    "cut waves": ("sound-clipped", lambda s: np.clip(s * 12, -1, 1)),
    "peaks": ("sound-peak", lambda s: np.clip(s * 12, -1, 1)),
    "too short": ("sound-length", lambda s: s[:, : s.shape[1] // 2]),
}


@pytest.mark.parametrize(("rule", "change"), SOUNDS.values(), ids=SOUNDS)
def test_damaged_sound_is_found(tmp_path: Path, rule: str, change: Callable[[Any], Any]) -> None:
    track = sound(tmp_path, lambda s: np.ascontiguousarray(change(s), np.float32))
    assert rule in rules(checked(tmp_path, sound=track))


def test_faults_of_the_sound_are_told_as_they_were_heard_when_it_was_mixed(tmp_path: Path) -> None:
    loud = sound(tmp_path, lambda s: np.ascontiguousarray(s * 1.6, np.float32))
    track = check_track(tmp_path / "sound.m4a", 144, Rate.of("24"), -16.0)
    film = a_film(tmp_path, sound=loud)
    report = check_film(film, expected(), recording=Recording(loud, track))
    assert report == check_film(film, expected())
    assert rules(report) == {"sound-loudness"}


@pytest.mark.parametrize("change", [lambda s: s * 0.999, lambda s: s[:, :-1024]])
def test_a_film_with_another_sound_than_was_mixed_is_found(
    tmp_path: Path, change: Callable[[Any], Any]
) -> None:
    track = check_track(a_film(tmp_path), 144, Rate.of("24"), -16.0)
    other = sound(tmp_path, lambda s: np.ascontiguousarray(change(s), np.float32))
    film = a_film(tmp_path, sound=other)
    mixed = Recording(sound(tmp_path), track)
    assert rules(check_film(film, expected(), recording=mixed)) == {"film-sound"}


def test_a_film_without_sound_is_found_only_where_it_should_have_some(tmp_path: Path) -> None:
    told = reel(tmp_path)
    mute = type(told)(
        told.segments, None, told.rate, told.frames, told.captions, told.chapters, told.title
    )
    target = tmp_path / "film.mp4"
    target.write_bytes(assemble(mute))
    assert rules(check_film(target, expected())) == {"sound-silent"}
    mixed = Recording(sound(tmp_path), Track(loudness=-16, true_peak=-2, violations=()))
    assert rules(check_film(target, expected(), recording=mixed)) == {"film-sound"}
    assert check_film(target, expected(loudness=None)).passed


# Words


def test_captions_that_break_the_rules_are_found(tmp_path: Path) -> None:
    line = CaptionLine(
        start=8, end=14, lines=("A line that is much too long to be read so quickly.",)
    )
    found = rules(check_film(a_film(tmp_path), expected(captions=(line,))))
    assert {"caption-short", "caption-speed", "caption-width"} <= found


def test_words_outside_the_safe_area_are_found(tmp_path: Path) -> None:
    area = safe_area(SIZE)
    inside = {"top": area.top, "right": area.right, "bottom": area.bottom}
    texts = (
        TextBox(where="1A", text="inside", left=area.left, **inside),
        TextBox(where="1B", text="outside", left=area.left - 1, **inside),
    )
    found = check_film(a_film(tmp_path), expected(texts=texts)).violations
    assert [(each.rule, each.where) for each in found] == [("text-safe", "1B")]
    assert SPOKEN.lines[0]
