"""Real media for servers to answer with: pictures of a size, and a tone as speech."""

from __future__ import annotations

import functools
from fractions import Fraction
from io import BytesIO
from typing import Any

import av
import cv2
import numpy as np

SECONDS = 1.5
PITCH = 440
"""Of the tone: what is heard has to be it."""
LOUD = 0.5


@functools.cache
def picture(width: int, height: int) -> bytes:
    """A PNG: a slope from left to right."""
    slope = np.tile(np.linspace(0, 255, width, dtype=np.uint8), (height, 1))
    done, coded = cv2.imencode(".png", cv2.merge([slope, slope[:, ::-1], slope]))
    assert done
    return coded.tobytes()


def size_of(coded: bytes) -> tuple[int, int]:
    """Width and height of a picture."""
    found = cv2.imdecode(np.frombuffer(coded, np.uint8), cv2.IMREAD_COLOR)
    assert found is not None
    height, width = found.shape[:2]
    return width, height


def tone(rate: int, seconds: float = SECONDS) -> np.ndarray[Any, np.dtype[np.float32]]:
    at = np.arange(round(rate * seconds)) / rate
    return (LOUD * np.sin(2 * np.pi * PITCH * at)).astype(np.float32)


@functools.cache
def spoken(kind: str, codec: str, rate: int, *, kilobits: int = 0, sides: int = 1) -> bytes:
    """The tone as a file of a kind: `spoken("mp3", "libmp3lame", 44100, kilobits=128)`."""
    out = BytesIO()
    with av.open(out, "w", format=kind) as file:
        stream = file.add_stream(codec, rate=rate)
        assert isinstance(stream, av.AudioStream)
        stream.layout = "mono" if sides == 1 else "stereo"
        if kilobits:
            stream.bit_rate = kilobits * 1000
        samples = np.tile(tone(rate), (sides, 1))
        frame = av.AudioFrame.from_ndarray(samples, format="fltp", layout=stream.layout.name)
        frame.sample_rate, frame.time_base = rate, Fraction(1, rate)
        file.mux(stream.encode(frame))
        file.mux(stream.encode(None))
    return out.getvalue()


def streamed_wav(rate: int) -> bytes:
    """WAV as it is sent by who does not know yet how long it will be: lengths are all ones."""
    whole = spoken("wav", "pcm_s16le", rate)
    at = whole.index(b"data") + 4
    unknown = b"\xff\xff\xff\xff"
    return whole[:4] + unknown + whole[8:at] + unknown + whole[at + 4 :]
