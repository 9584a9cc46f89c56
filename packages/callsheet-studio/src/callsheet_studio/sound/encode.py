"""Sound as files: WAV, AAC, and back. A file has its final name only when it is whole."""

from __future__ import annotations

import json
import wave
from contextlib import contextmanager
from itertools import chain
from typing import TYPE_CHECKING

from msgspec.structs import asdict

from callsheet.errors import InputError
from callsheet_studio.sound.samples import SAMPLE_RATE, frames_of, sides_of
from callsheet_studio.sound.timing import Heard
from callsheet_studio.sound.voice import Spoken

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from callsheet_studio.sound.samples import Samples

_FULL = 32767
_PART = 1 << 14
"""Samples that are given to the coder at once: it cuts them up quicker than we do."""
_CODER = {
    "aac_coder": "fast",
    # As good as it is told, whatever that takes: about 180 kbit/s. To hit a rate, it codes some
    # frames several times.
    "flags": "+qscale",
    "b": "160000",
    "global_quality": "170",
    # Voices are in the middle and air is everywhere: both are best coded as middle and sides. What
    # it would find out for each band besides takes a quarter longer, and is less true to the mix.
    "aac_ms": "1",
    "aac_is": "0",
    "aac_pns": "0",
    "aac_tns": "0",
}
_EXACT = {
    "fflags": "+bitexact",
    "movflags": "+faststart",
    # Or the length is written in whole milliseconds.
    "movie_timescale": str(SAMPLE_RATE),
}


def write_wav(signal: Samples, path: Path) -> None:
    """Write mono or stereo as 16 bits."""
    sides = signal.reshape(1, -1) if signal.ndim == 1 else signal
    with _whole(path) as name, wave.open(str(name), "wb") as file:
        file.setnchannels(sides.shape[0])
        file.setsampwidth(2)
        file.setframerate(SAMPLE_RATE)
        file.writeframes(_in_16_bits(sides.T))


def encode_aac(signal: Samples, path: Path, *, highest: int = 17_000) -> None:
    """Write stereo as AAC in MP4: as many samples as were given, when it is played back.

    Args:
        signal: at 48 kHz.
        path: of the file.
        highest: Hertz above which nothing is heard.
    """
    import av

    with _whole(path) as name, av.open(str(name), "w", format="mp4", options=_EXACT) as file:
        options = {**_CODER, "cutoff": str(highest)}
        stream = file.add_stream("aac", rate=SAMPLE_RATE, options=options)
        stream.layout = "stereo"
        for frame in frames_of(signal, _PART):
            file.mux(stream.encode(frame))
        file.mux(stream.encode(None))


def read_sound(path: Path) -> Samples:
    """The sound of any file, as stereo at 48 kHz.

    Raises:
        InputError: it is no such file, or there is no sound in it.
    """
    import av

    try:
        with av.open(str(path)) as file:
            if not file.streams.audio:
                raise InputError(f"There is no sound in {path.name}.")
            stream = file.streams.audio[0]
            # A coder fills its last frame up with silence; the container knows where it ends.
            lasts = (stream.duration or 0) * (stream.time_base or 0) * SAMPLE_RATE
            change = av.AudioResampler(format="fltp", layout="stereo", rate=SAMPLE_RATE)
            frames = chain(file.decode(audio=0), (None,))
            parts = (sides_of(part) for each in frames for part in change.resample(each))
            return _joined(parts, round(lasts))
    except (av.error.FFmpegError, OSError) as exc:
        raise InputError(f"{path.name} cannot be read as sound: {exc.strerror}.") from exc


def _joined(parts: Iterator[list[Samples]], count: int) -> Samples:
    """Parts in a row, not more than so many samples; 0: all of them.

    Each goes to its place as it comes, or a long film would be in memory twice.
    """
    import numpy as np

    if not count:
        return np.concatenate([np.zeros((2, 0), np.float32), *parts], axis=1)
    out, done = np.empty((2, count), np.float32), 0
    for part in parts:
        some = min(part[0].size, count - done)
        for side, heard in zip(out, part, strict=True):
            side[done : done + some] = heard[:some]
        done += some
    return out[:, :done]


def packed(spoken: Spoken) -> bytes:
    """A spoken line as bytes: what is known of it, a line end, and 16-bit samples."""
    known = {
        "text": spoken.text,
        "words": spoken.words,
        "phrases": [asdict(phrase) for phrase in spoken.phrases],
        "engine": spoken.engine,
        "voice": spoken.voice,
        "tempo": spoken.tempo,
    }
    return json.dumps(known, sort_keys=True).encode() + b"\n" + _in_16_bits(spoken.samples)


def unpacked(stored: bytes) -> Spoken:
    """The line that `packed` has stored.

    Raises:
        InputError: it has not.
    """
    import numpy as np

    head, _, samples = stored.partition(b"\n")
    try:
        known = json.loads(head)
        phrases = tuple(Heard(**phrase) for phrase in known.pop("phrases"))
        spoken = np.frombuffer(samples, "<i2").astype(np.float32) / np.float32(_FULL)
        return Spoken(samples=spoken, phrases=phrases, **known)
    except (ValueError, KeyError, TypeError) as exc:
        raise InputError("This is no spoken line, or it is damaged. Speak it again.") from exc


def _in_16_bits(signal: Samples) -> bytes:
    import numpy as np

    whole: Samples = np.rint(np.clip(signal, -1, 1) * _FULL)
    return whole.astype("<i2").tobytes()


@contextmanager
def _whole(path: Path) -> Iterator[Path]:
    """A name to write to, that becomes the file when it is done, and nothing when it is not."""
    part = path.with_name(f".{path.name}.part")
    try:
        yield part
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
