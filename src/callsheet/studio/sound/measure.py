"""Loudness as broadcasters measure it (EBU R 128), by the filters of FFmpeg."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from callsheet.studio.sound.samples import SAMPLE_RATE, decibels, envelope

if TYPE_CHECKING:
    from callsheet.studio.sound.samples import Samples

SILENCE = -60.0
"""Decibels: what is below is not heard in a room."""
_SECOND = SAMPLE_RATE
_TENTH = SAMPLE_RATE // 10
_UNHEARD = -70.0


@dataclass(frozen=True, slots=True)
class Loudness:
    """How loud a sound is as a whole."""

    integrated: float
    """LUFS; -70 is silence."""
    true_peak: float
    """dBTP: the highest point between the samples, too."""
    range: float
    """LU between its quiet and its loud parts."""


def measure(signal: Samples, *, peak: bool = True) -> Loudness:
    """The loudness of a stereo sound. Without the peak it is quicker, and the peak is 0."""
    found = _r128(signal, "peak=true:" if peak else "")
    highest = float(found.get("lavfi.r128.true_peak", 1.0)) if found else 0.0
    return Loudness(
        integrated=max(float(found.get("lavfi.r128.I", _UNHEARD)), _UNHEARD),
        true_peak=round(decibels(highest), 2),
        range=float(found.get("lavfi.r128.LRA", 0.0)),
    )


def _r128(signal: Samples, options: str) -> dict[str, str]:
    import av
    import numpy as np

    graph = av.filter.Graph()
    source = graph.add_abuffer(
        format="fltp", sample_rate=SAMPLE_RATE, layout="stereo", time_base=Fraction(1, SAMPLE_RATE)
    )
    meter = graph.add("ebur128", f"{options}metadata=1:framelog=quiet")
    sink = graph.add("abuffersink")
    source.link_to(meter)
    meter.link_to(sink)
    graph.configure()
    last: dict[str, str] = {}
    for start in range(0, signal.shape[-1], _SECOND):
        part = np.ascontiguousarray(signal[:, start : start + _SECOND], np.float32)
        frame = av.AudioFrame.from_ndarray(part, format="fltp", layout="stereo")
        frame.sample_rate, frame.pts, frame.time_base = SAMPLE_RATE, start, Fraction(1, SAMPLE_RATE)
        source.push(frame)
        last = _pulled(sink) or last
    source.push(None)
    return _pulled(sink) or last


def _pulled(sink: Any) -> dict[str, str]:
    """What the last frame that is ready says."""
    import av

    last: dict[str, str] = {}
    while True:
        try:
            last = dict(sink.pull().metadata) or last
        except (av.error.BlockingIOError, av.error.EOFError):
            return last


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
