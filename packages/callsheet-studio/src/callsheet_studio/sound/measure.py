"""Loudness as broadcasters measure it (EBU R 128), by the filters of FFmpeg."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import msgspec

from callsheet_studio.sound.peaks import true_peak
from callsheet_studio.sound.samples import SAMPLE_RATE, decibels, envelope, frames_of

if TYPE_CHECKING:
    from callsheet_studio.sound.samples import Samples

SILENCE = -60.0
"""Decibels: what is below is not heard in a room."""
_TENTH = SAMPLE_RATE // 10
_UNHEARD = -70.0
_GATE = 0.1
"""Of the mean power: what is 10 LU below does not count."""


class Loudness(msgspec.Struct, frozen=True):
    """How loud a sound is as a whole."""

    integrated: float
    """LUFS; -70 is silence."""
    true_peak: float
    """dBTP: the highest point between the samples, too."""
    range: float
    """LU between its quiet and its loud parts."""


class Course(msgspec.Struct, frozen=True, eq=False):
    """How loud a sound is, and how it gets there."""

    integrated: float
    """LUFS; -70 is silence."""
    range: float
    """LU."""
    moments: Samples
    """LUFS of the last 0.4 s, ten times in a second."""


def measure(signal: Samples) -> Loudness:
    """The loudness of a stereo sound."""
    course = follow(signal)
    return Loudness(
        integrated=course.integrated,
        true_peak=round(decibels(true_peak(signal)), 2),
        range=course.range,
    )


def follow(signal: Samples) -> Course:
    """The loudness of a stereo sound, and of each moment in it."""
    import av
    import numpy as np

    graph = av.filter.Graph()
    source, sink = _meter(graph)
    said: dict[str, str] = {}
    moments: list[float] = []
    for frame in frames_of(signal, SAMPLE_RATE):
        source.push(frame)
        said = _pulled(sink, moments) or said
    source.push(None)
    said = _pulled(sink, moments) or said
    return Course(
        integrated=max(float(said.get("lavfi.r128.I", _UNHEARD)), _UNHEARD),
        range=float(said.get("lavfi.r128.LRA", 0.0)),
        moments=np.array(moments, np.float32),
    )


def integrated_of(moments: Samples) -> float:
    """The loudness of a sound with such moments: those that are much quieter do not count."""
    import numpy as np

    power = np.power(10, moments[moments > _UNHEARD].astype(np.float64) / 10)
    loud = power[power > power.mean() * _GATE] if power.size else power
    return 10 * math.log10(float(loud.mean())) if loud.size else _UNHEARD


def _meter(graph: Any) -> tuple[Any, Any]:
    """Where sound goes in, and where it comes out with what was measured."""
    source = graph.add_abuffer(
        format="fltp", sample_rate=SAMPLE_RATE, layout="stereo", time_base=Fraction(1, SAMPLE_RATE)
    )
    meter = graph.add("ebur128", "metadata=1:framelog=quiet")
    sink = graph.add("abuffersink")
    source.link_to(meter)
    meter.link_to(sink)
    graph.configure()
    return source, sink


def _pulled(sink: Any, moments: list[float]) -> dict[str, str]:
    """What the last frame that is ready says; the moments of all are added."""
    import av

    last: dict[str, str] = {}
    while True:
        try:
            last = sink.pull().metadata or last
        except (av.error.BlockingIOError, av.error.EOFError):
            return last
        if "lavfi.r128.M" in last:
            moments.append(float(last["lavfi.r128.M"]))


def silences(signal: Samples, shortest: float = 0.5) -> tuple[tuple[float, float], ...]:
    """Where nothing is heard, in seconds: start and end of each silence."""
    import numpy as np

    if not signal.shape[-1]:
        return ()
    quiet = envelope(signal, _TENTH) < 10 ** (SILENCE / 20)
    edges = np.flatnonzero(np.diff(np.concatenate([[False], quiet, [False]]).astype(np.int8)))
    whole = signal.shape[-1] / SAMPLE_RATE
    spans = ((float(a) / 10, min(float(b) / 10, whole)) for a, b in edges.reshape(-1, 2))
    return tuple(span for span in spans if span[1] - span[0] >= shortest)
