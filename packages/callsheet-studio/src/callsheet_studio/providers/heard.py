"""Speech as a provider sends it, made into samples and lines of ours."""

from __future__ import annotations

from io import BytesIO
from itertools import chain
from typing import TYPE_CHECKING, Final

from callsheet.errors import InputError
from callsheet_studio.sound.samples import SAMPLE_RATE

if TYPE_CHECKING:
    from callsheet_studio.providers.port import Order
    from callsheet_studio.sound.samples import Samples
    from callsheet_studio.sound.voice import Spoken

LONGEST: Final = 600
"""Seconds. No line of a film is longer, but few bytes can claim to be."""


def samples_of(speech: bytes) -> Samples:
    """The sound of a file that is in memory (MP3, WAV, FLAC, Opus, …): mono, at 48 kHz.

    Raises:
        InputError: it is no sound, there is none in it, or it is longer than any line.
    """
    import av
    import numpy as np

    parts: list[Samples] = []
    count = 0
    try:
        with av.open(BytesIO(speech), "r") as file:
            if not file.streams.audio:
                raise InputError("There is no sound in what was made.")
            # Sides are averaged below: if they are made one here, two that agree are too loud.
            change = av.AudioResampler(format="fltp", rate=SAMPLE_RATE)
            frames = chain(file.decode(audio=0), (None,))
            for part in (part for each in frames for part in change.resample(each)):
                parts.append(part.to_ndarray().mean(axis=0))
                count += part.samples
                if count > LONGEST * SAMPLE_RATE:
                    raise InputError(f"What was made is longer than {LONGEST} s.")
    except (av.error.FFmpegError, OSError) as exc:
        raise InputError(f"What was made cannot be read as sound: {exc.strerror}.") from exc
    if not count:
        raise InputError("There is no sound in what was made.")
    return np.concatenate(parts)


def line_of(order: Order, speech: bytes, service: str) -> Spoken:
    """What was ordered, as a line like those that our own voices speak: it can take their place.

    It is as loud as they are, and without silence at its ends. Its tempo is the provider's.

    Raises:
        InputError: it is no sound.
    """
    from callsheet_studio.base.speech import spoken_words
    from callsheet_studio.sound.polish import polished
    from callsheet_studio.sound.timing import phrases_of
    from callsheet_studio.sound.voice import Spoken

    samples = polished(samples_of(speech))
    return Spoken(
        text=order.text,
        samples=samples,
        words=spoken_words(order.text, order.language.partition("-")[0]),
        phrases=phrases_of(order.text, samples),
        engine=service,
        voice=order.voice,
    )
