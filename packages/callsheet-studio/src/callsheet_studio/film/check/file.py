"""The file: its streams, their form and length, chapters, and what a player needs first."""

from __future__ import annotations

import struct
from fractions import Fraction
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from callsheet_studio.film.packets import opened, packets_of
from callsheet_studio.model.base import Violation

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from callsheet_studio.film.check.expected import Expected

_BT709 = 1
_LIMITED = 1
_AGAIN = "Assemble the film again."


def check_file(
    path: Path,
    expected: Expected,
    segments: Sequence[bytes] | None = None,
    sound: bytes | None = None,
) -> list[Violation]:
    """What can be known of a film without looking at its pictures. It is read once.

    Args:
        path: the film.
        expected: what it should be.
        segments: what its pictures were put together from.
        sound: what its sound was.
    """
    import av

    with av.open(path) as film:
        if not film.streams.video:
            return [_wrong("film-form", "There are no pictures in it.", _AGAIN)]
        pictures, heard = _packets(film)
        found = [*_form(film, expected), *_length(film, pictures, expected)]
        found += _chapters(film, expected)
        if segments is not None:
            found += _pictures(pictures, segments, expected)
        if sound is not None:
            found += _sound(film, heard, sound)
    if not _begins_with_index(path):
        said = "What a player needs first is at the end of the file: it cannot be streamed."
        found.append(_wrong("film-faststart", said, _AGAIN))
    return found


def _packets(film: Any) -> tuple[list[Any], list[Any]]:
    """What a film holds of its pictures and of its sound, in the order in which it is decoded."""
    found: tuple[list[Any], list[Any]] = [], []
    streams = [*film.streams.video[:1], *film.streams.audio[:1]]
    for packet in film.demux(streams):
        if packet.size:
            found[packet.stream.type == "audio"].append(packet)
    return found


def _pictures(
    packets: Sequence[Any], segments: Sequence[bytes], expected: Expected
) -> Iterator[Violation]:
    """Whether its pictures are those of its segments, byte for byte, one after the other."""
    start = 0
    for shot, segment in zip(expected.shots, segments, strict=True):
        with opened(segment) as source:
            filmed = packets_of(source.streams.video[0])
        if list(map(bytes, packets[start : start + len(filmed)])) != filmed:
            said = "Its pictures are not those that were filmed."
            yield _wrong("film-pictures", said, _AGAIN, shot.id)
            return
        start += len(filmed)


def _sound(film: Any, packets: Sequence[Any], sound: bytes) -> Iterator[Violation]:
    """Whether its sound is the one that was mixed, byte for byte, and begins and ends with it."""
    with opened(sound) as source:
        ours, theirs = film.streams.audio[:1], source.streams.audio[:1]
        if [_span(each) for each in ours] == [_span(each) for each in theirs] and (
            [list(map(bytes, packets))] * len(ours) == [packets_of(each) for each in theirs]
        ):
            return
    yield _wrong("film-sound", "Its sound is not the one that was mixed.", _AGAIN)


def _span(stream: Any) -> tuple[int, int, Fraction]:
    return stream.start_time, stream.duration, stream.time_base


def _form(film: Any, expected: Expected) -> Iterator[Violation]:
    video = film.streams.video[0]
    have, want = (video.width, video.height), expected.size
    if have != want:
        said = f"It is {have[0]}x{have[1]}, not {want[0]}x{want[1]}."
        yield _wrong("film-resolution", said, "Film its shots again in this size.")
    if video.average_rate != expected.rate.fps:
        said = f"It has {video.average_rate} frames per second, not {expected.rate.fps}."
        yield _wrong("film-rate", said, "Film its shots again at this rate.")
    context = video.codec_context
    tags = context.colorspace, context.color_primaries, context.color_trc, context.color_range
    if tags != (_BT709, _BT709, _BT709, _LIMITED) or context.pix_fmt != "yuv420p":
        said = "Its colours are not marked as BT.709, so that players guess them."
        yield _wrong("film-colour", said, "Film its shots again.")
    if expected.captions and expected.soft and not film.streams.subtitles:
        yield _wrong("film-captions", "It has no captions to switch on.", _AGAIN)


def _length(film: Any, packets: Sequence[Any], expected: Expected) -> Iterator[Violation]:
    video = film.streams.video[0]
    seen = sorted(packet.pts for packet in packets if packet.pts is not None)
    if len(seen) != expected.frames:
        said = f"It has {len(seen)} frames, not {expected.frames}."
        yield _wrong("film-frames", said, "Look for the shot with the wrong length.")
    if not seen:
        return
    rate = expected.rate.fps
    # In whole numbers: there are thousands, and a fraction for each would take its time.
    ticks, each = (video.time_base * rate).as_integer_ratio()
    late = [n for n, pts in enumerate(seen) if abs(pts * ticks - n * each) * 4 > each]
    if late:
        said = f"Frame {late[0]} is not shown at its time."
        yield _wrong("film-frames", said, _AGAIN, expected.shot_at(late[0]))
    lasts = Fraction(film.duration or 0, 1_000_000)
    if abs(lasts - expected.frames / rate) >= 1 / rate:
        said = f"It lasts {float(lasts):.3f} s, not {float(expected.frames / rate):.3f} s."
        yield _wrong("film-duration", said, "Make sound and pictures equally long.")


def _chapters(film: Any, expected: Expected) -> Iterator[Violation]:
    rate = expected.rate.fps
    for have, want in zip_longest(film.chapters(), expected.shots):
        if have is None:
            yield _wrong("film-chapters", "It has no chapter.", _AGAIN, want.id)
        elif want is None:
            yield _wrong("film-chapters", "It has more chapters than shots.", _AGAIN)
        else:
            starts = round(have["start"] * have["time_base"] * rate)
            if (have["metadata"].get("title"), starts) != (want.id, want.start):
                said = f"Its chapter begins at frame {starts}, not {want.start}."
                yield _wrong("film-chapters", said, _AGAIN, want.id)


def _begins_with_index(path: Path) -> bool:
    """Whether the index of an MP4 comes before its data."""
    with path.open("rb") as file:
        while len(head := file.read(8)) == 8:  # noqa: PLR2004 -- length and name
            size, name = struct.unpack(">I4s", head)
            if name in {b"moov", b"mdat"}:
                return bool(name == b"moov")
            skip = struct.unpack(">Q", file.read(8))[0] - 16 if size == 1 else size - 8
            file.seek(max(skip, 0), 1)
    return False


def _wrong(rule: str, message: str, fix: str, where: str = "") -> Violation:
    return Violation(rule=rule, where=where, message=message, fix=fix)
