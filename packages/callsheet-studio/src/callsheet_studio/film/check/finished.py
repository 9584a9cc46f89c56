"""Checks of a finished film: each finds its fault in the file itself, and says which shot it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from callsheet.errors import InputError
from callsheet_studio.film.check.expected import Expected, FilmReport
from callsheet_studio.film.check.file import check_file
from callsheet_studio.film.check.looking import (
    Look,
    joined,
    look_at,
)
from callsheet_studio.film.check.pictures import judge, sudden_in
from callsheet_studio.film.check.sound import Track, check_track
from callsheet_studio.film.lettering import Box, safe_area
from callsheet_studio.model.base import Violation

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


class Piece(msgspec.Struct, frozen=True):
    """A shot as it was filmed, and what was seen in it then."""

    segment: bytes
    look: Look


class Recording(msgspec.Struct, frozen=True):
    """The sound as it was mixed, and what was heard in it then."""

    sound: bytes
    track: Track


def check_film(
    path: Path,
    expected: Expected,
    pieces: Sequence[Piece] | None = None,
    recording: Recording | None = None,
) -> FilmReport:
    """Look at a film as whoever gets it would, and measure it.

    Args:
        path: the film.
        expected: what it should be.
        pieces: what it was put together from. Then it is compared with them, and their pictures,
            which were looked at when they were made, are not looked at again.
        recording: its sound. Then it is compared with it, and not listened to again.

    Raises:
        InputError: it is no film, or cannot be read to its end.
    """
    import av

    from callsheet_studio.documents import Caption, check_captions

    try:
        segments = [each.segment for each in pieces] if pieces is not None else None
        of_file = check_file(path, expected, segments, recording.sound if recording else None)
        if pieces is None:
            looks = look_at(path, expected.captions if expected.burned else ()).looks
        else:
            looks = joined([each.look for each in pieces])
        heard = _listened(path, expected) if recording is None else recording.track
    except (av.error.FFmpegError, OSError) as exc:
        said = f"{path.name} cannot be read as a film: {exc.strerror}. Make it again."
        raise InputError(said) from exc
    captions = [Caption(each.start, each.end, each.lines) for each in expected.captions]
    return FilmReport(
        frames=looks.frames,
        size=looks.size,
        cuts=sudden_in(looks),
        loudness=heard.loudness,
        true_peak=heard.true_peak,
        violations=(
            *of_file,
            *judge(looks, expected),
            *heard.violations,
            *check_captions(captions, expected.rate),
            *_outside(expected),
        ),
    )


def _listened(path: Path, expected: Expected) -> Track:
    if expected.loudness is None:
        return Track(loudness=None, true_peak=None, violations=())
    return check_track(path, expected.frames, expected.rate, expected.loudness)


def _outside(expected: Expected) -> list[Violation]:
    """Words where a screen or an app may hide them."""
    area = safe_area(expected.size)
    return [
        Violation(
            rule="text-safe",
            where=each.where,
            message=f"{each.text!r} is not wholly inside the safe area.",
            fix="Say it in fewer words, or set it smaller.",
        )
        for each in expected.texts
        if not area.holds(Box(each.left, each.top, each.right, each.bottom))
    ]
