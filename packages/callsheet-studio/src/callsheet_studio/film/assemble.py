"""Segments, sound and captions into one film: nothing is encoded again."""

from __future__ import annotations

import struct
from contextlib import ExitStack
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir
from typing import TYPE_CHECKING, Any

import msgspec

from callsheet.errors import FatalError, InputError
from callsheet_studio.film.packets import opened
from callsheet_studio.sound.tongues import tongues

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from callsheet_studio.model.captions import CaptionLine


_ASS = """[Script Info]
ScriptType: v4.00+

[V4+ Styles]
Format: Name, Fontname, Fontsize
Style: Default,Arial,20

[Events]
Format: Start, End, Style, Text
"""
"""What the encoder of soft captions wants to see first."""
_MS = Fraction(1, 1000)
_NO_LANGUAGE = "und"
_ENABLED = 1


def _track(language: str) -> str:
    """A language as tracks name it."""
    known = tongues().get(language[:2])
    return known.name if known else _NO_LANGUAGE


class Chapter(msgspec.Struct, frozen=True):
    """A place to jump to: a shot, in frames."""

    title: str
    start: int
    end: int


class Reel(msgspec.Struct, frozen=True):
    """What a film is put together from."""

    segments: Sequence[bytes]
    sound: bytes | None
    """An AAC track in an MP4."""
    rate: Fraction
    frames: int
    captions: Sequence[CaptionLine] = ()
    chapters: Sequence[Chapter] = ()
    title: str = ""
    language: str = "en"
    shows_captions: bool = False
    """Whether players show them without being asked."""


def assemble(reel: Reel) -> bytes:
    """The film as MP4, ready to be streamed.

    Raises:
        InputError: a segment or the sound is damaged, segments do not belong together, or they do
            not have the frames that they should have.
        FatalError: there is no room for the film.
    """
    try:
        with TemporaryDirectory(prefix="callsheet-film-") as scratch:
            # A real file: what a player needs first is written last, then moved to the front.
            target = Path(scratch) / "film.mp4"
            _write(reel, target)
            made = target.read_bytes()
            return made if reel.shows_captions else _switched_off(made)
    except OSError as exc:
        said = f"The film cannot be written to {gettempdir()}: {exc.strerror}."
        raise FatalError(f"{said} Make room there, or set TMPDIR to a larger place.") from exc


def _write(reel: Reel, target: Path) -> None:
    import av

    with ExitStack() as entered:
        sources = [_opened(entered, each, name) for name, each in _named(reel)]
        _agree(sources)
        sound = _opened(entered, reel.sound, "The sound") if reel.sound else None
        options = {"movflags": "+faststart", "fflags": "+bitexact", "movie_timescale": "48000"}
        out = entered.enter_context(av.open(target, "w", format="mp4", options=options))
        if reel.title:
            out.metadata["title"] = reel.title
        picture = out.add_stream_from_template(sources[0].streams.video[0])
        voice = out.add_stream_from_template(sound.streams.audio[0]) if sound else None
        if voice is not None:
            voice.metadata["language"] = _track(reel.language)
        texts = _text_stream(out, reel) if reel.captions else None
        if reel.chapters:
            out.set_chapters(_chapters(reel))
        _interleave(out, reel, (picture, sources), (voice, sound), texts)


def _named(reel: Reel) -> Iterator[tuple[str, bytes]]:
    if not reel.segments:
        raise InputError("There are no segments to make a film of. Film its shots first.")
    for number, segment in enumerate(reel.segments):
        shot = reel.chapters[number].title if number < len(reel.chapters) else number + 1
        yield f"The segment of shot {shot}", segment


def _opened(entered: ExitStack, data: bytes, name: str) -> Any:
    import av

    try:
        source = entered.enter_context(opened(data))
    except av.error.FFmpegError as exc:
        raise InputError(f"{name} is damaged: {exc.strerror}. Make it again.") from exc
    if not (source.streams.video or source.streams.audio):
        raise InputError(f"{name} is empty. Make it again.")
    return source


def _agree(sources: Sequence[Any]) -> None:
    """Nothing is encoded again, so all segments must have the form of the first."""
    forms = [
        (video.width, video.height, video.average_rate)
        for source in sources
        for video in source.streams.video[:1]
    ]
    if len(forms) < len(sources) or len(set(forms)) > 1:
        told = ", ".join(sorted({f"{wide}x{high} at {rate}" for wide, high, rate in forms}))
        raise InputError(f"The segments do not belong together: {told}. Film all shots again.")


def _interleave(
    out: Any, reel: Reel, pictures: tuple[Any, Any], sounds: tuple[Any, Any], texts: Any
) -> None:
    """All packets in the order of time, so that a player finds them together."""
    stream, sources = pictures
    packets: list[tuple[float, int, Any]] = []
    frames = 0
    for source in sources:
        frames += _shifted(source, stream, frames, reel.rate, packets)
    if frames != reel.frames:
        said = f"The segments have {frames} frames, the film has {reel.frames}."
        raise InputError(f"{said} Film the shot whose length has changed.")
    voice, sound = sounds
    if sound is not None:
        own = sound.streams.audio[0]
        tick = float(own.time_base)
        for packet in sound.demux(own):
            if packet.dts is not None:
                packet.stream = voice
                packets.append((packet.dts * tick, 1, packet))
    if texts is not None:
        packets += [(float(p.pts * _MS), 2, p) for p in _text_packets(reel, texts)]
    for _, _, packet in sorted(packets, key=lambda each: each[:2]):
        out.mux(packet)


def _shifted(
    source: Any, stream: Any, start: int, rate: Fraction, packets: list[tuple[float, int, Any]]
) -> int:
    """The packets of a segment, moved to their place; returns how many frames it has."""
    own = source.streams.video[0]
    # There are thousands of packets, and a fraction for each would take its time.
    tick = float(own.time_base)
    offset = round(Fraction(start) / rate / own.time_base)
    count = 0
    for packet in source.demux(own):
        if packet.dts is None:
            continue
        packet.pts += offset
        packet.dts += offset
        packet.stream = stream
        packets.append((packet.dts * tick, 0, packet))
        count += 1
    return count


# Soft captions


def _text_stream(out: Any, reel: Reel) -> Any:
    stream = out.add_stream("mov_text")
    stream.codec_context.subtitle_header = _ASS.encode()
    stream.time_base = _MS
    stream.metadata["language"] = _track(reel.language)
    return stream


def _text_packets(reel: Reel, stream: Any) -> list[Any]:
    """A packet for each caption, and an empty one for each gap."""
    spans: list[tuple[int, int, str]] = []
    place = 0
    for line in reel.captions:
        start, end = (round(Fraction(f) / reel.rate / _MS) for f in (line.start, line.end))
        spans += [(place, start, "")] if start > place else []
        spans.append((start, end, "\n".join(line.lines)))
        place = end
    return [_text_packet(stream, *span) for span in spans]


def _text_packet(stream: Any, start: int, end: int, text: str) -> Any:
    import av

    told = text.encode()
    packet = av.Packet(struct.pack(">H", len(told)) + told)
    packet.stream = stream
    packet.time_base = _MS
    packet.pts = packet.dts = start
    packet.duration = end - start
    return packet


def _switched_off(film: bytes) -> bytes:
    """With captions that are there and not shown: what writes a film enables the first track."""
    made = bytearray(film)
    for start, end in _boxes(film, b"trak", *next(_boxes(film, b"moov", 0, len(film)))):
        media = next(_boxes(film, b"mdia", start, end))
        handler = next(_boxes(film, b"hdlr", *media))[0]
        if film[handler + 8 : handler + 12] == b"sbtl":
            made[next(_boxes(film, b"tkhd", start, end))[0] + 3] &= ~_ENABLED
    return bytes(made)


def _boxes(film: bytes, name: bytes, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Where the boxes of a name are among those from `start` to `end`: what is inside of them."""
    while start < end:
        length, kind = struct.unpack_from(">I4s", film, start)
        head = 8
        if length == 1:
            length, head = struct.unpack_from(">Q", film, start + 8)[0], 16
        if kind == name:
            yield start + head, start + length
        start += length or end


def _chapters(reel: Reel) -> Any:
    base = 1 / reel.rate
    return [
        {
            "id": number,
            "start": each.start,
            "end": each.end,
            "time_base": base,
            "metadata": {"title": each.title},
        }
        for number, each in enumerate(reel.chapters)
    ]
