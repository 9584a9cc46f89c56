"""Sound as numbers: what every part of the sound is made with.

Samples are float32 at 48 kHz, 1.0 is full scale. Mono has the shape `(n,)`, stereo `(2, n)`.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from av import AudioFrame
    from numpy.typing import NDArray

    from callsheet_studio.base.time import Rate

    Samples: TypeAlias = NDArray[Any]

SAMPLE_RATE = 48_000
HOP = 480
"""Samples between two values of an envelope: 10 ms."""
_QUIET = 1e-9
_STEREO = 2
_PART = 1 << 16
"""Samples that are worked on at once where there are many."""


def samples_in(frames: int, rate: Rate) -> int:
    """How many samples so many frames of a film are long: exact, halves upwards."""
    return int(Fraction(frames * SAMPLE_RATE) / rate.fps + Fraction(1, 2))


def decibels(level: float) -> float:
    """The level of an amplitude; that of nothing is -180."""
    return 20 * math.log10(max(level, _QUIET))


def amplitude(level: float) -> float:
    """The amplitude of a level in decibels."""
    return float(10 ** (level / 20))


def loudness_of(signal: Samples) -> float:
    """The root mean square."""
    import numpy as np

    if not signal.size:
        return 0.0
    power = power_of(signal, HOP)
    last = signal.shape[-1] - (len(power) - 1) * HOP
    whole = float(power[:-1].sum(dtype=np.float64)) * HOP + float(power[-1]) * last
    return math.sqrt(whole / signal.shape[-1])


def envelope(signal: Samples, hop: int = HOP) -> Samples:
    """The root mean square of each hop; of stereo that of both channels together."""
    import numpy as np

    return np.sqrt(power_of(signal, hop))


def power_of(signal: Samples, hop: int) -> Samples:
    """The mean square of each hop, without a copy of the signal: a long film is large."""
    import numpy as np

    sides = signal[None] if signal.ndim == 1 else signal
    length = sides.shape[-1]
    whole = length // hop
    out = np.zeros(-(-length // hop), np.float32)
    for side in sides:
        parts = side[: whole * hop].reshape(whole, hop)
        out[:whole] += np.einsum("ij,ij->i", parts, parts) / hop
        rest = side[whole * hop :]
        if rest.size:
            out[whole] += np.square(rest).mean()
    return out / np.float32(len(sides))


def level_of(values: Samples, share: float) -> float:
    """The value that so large a share of them is not above; NumPy's own loads much before."""
    import numpy as np

    place = share * (values.size - 1)
    below = int(place)
    ordered = np.sort(values)
    low, high = float(ordered[below]), float(ordered[min(below + 1, values.size - 1)])
    return low + (high - low) * (place - below)


def spread(values: Samples, count: int, hop: int = HOP) -> Samples:
    """Values of an envelope, one per hop, drawn out to every sample by straight lines."""
    import numpy as np

    ends = np.append(values[1:], values[-1:])
    out = np.multiply.outer(ends - values, np.arange(hop, dtype=np.float32) / hop)
    out += values[:, None]
    flat: Samples = out.reshape(-1)[:count]
    return flat


def scale(signal: Samples, values: Samples, hop: int = HOP) -> None:
    """Multiply by an envelope, one value per hop, in place: a long film is too large to copy."""
    step = _PART // hop
    for first in range(0, values.size, step):
        part = signal[..., first * hop : (first + step) * hop]
        # One value more: the last hop is on its way to it.
        part *= spread(values[first : first + step + 1], part.shape[-1], hop)


def held_down(gains: Samples, ahead: int) -> Samples:
    """Gains that go down before they must and up after, and are never above what was asked."""
    import numpy as np

    if not gains.size or ahead < 1:
        return gains
    width = 2 * ahead + 1
    # One more on either side: between two hops a gain is on its way from one to the other.
    edged = np.pad(gains, 2 * ahead + 1, mode="edge")
    lowest = _lowest(edged, width + 2)
    window = np.hanning(width + 2)[1:-1]
    return np.convolve(lowest, window / window.sum(), mode="valid").astype(np.float32)


def _lowest(values: Samples, width: int) -> Samples:
    """The lowest of each so many values in a row, found from those of half as many."""
    import numpy as np

    done = 1
    while done < width:
        step = min(done, width - done)
        values = np.minimum(values[:-step], values[step:])
        done += step
    return values


def faded(signal: Samples, before: float, after: float, rate: int = SAMPLE_RATE) -> Samples:
    """With a soft beginning and end of so many seconds."""
    out = signal.copy()
    fade(out, before, after, rate)
    return out


def fade(signal: Samples, before: float, after: float, rate: int = SAMPLE_RATE) -> None:
    """The same in place, for what is too large to copy."""
    import numpy as np

    for seconds, part in ((before, slice(None)), (after, slice(None, None, -1))):
        count = min(int(seconds * rate), signal.shape[-1])
        if count:
            turn = np.arange(count, dtype=np.float32) * np.float32(math.pi / 2 / count)
            signal[..., part][..., :count] *= np.square(np.sin(turn))


def frames_of(signal: Samples, size: int, rate: int = SAMPLE_RATE) -> Iterator[AudioFrame]:
    """Stereo as FFmpeg takes it, so many samples in each frame."""
    from av import AudioFrame
    from numpy import float32, frombuffer

    if len(signal) != _STEREO:
        raise ValueError(f"Stereo has the shape (2, n), not {signal.shape}.")
    for start in range(0, signal.shape[-1], size):
        part = signal[:, start : start + size]
        frame = AudioFrame(format="fltp", layout="stereo", samples=part.shape[-1])
        planes: tuple[Any, ...] = frame.planes
        for plane, side in zip(planes, part, strict=True):
            frombuffer(plane, float32)[:] = side
        frame.sample_rate, frame.pts = rate, start
        frame.time_base = Fraction(1, rate)
        yield frame


def sides_of(frame: AudioFrame) -> list[Samples]:
    """Left and right of a frame, where it has them."""
    from numpy import float32, frombuffer

    planes: tuple[Any, ...] = frame.planes
    return [frombuffer(plane, float32, frame.samples) for plane in planes]


def tones_of(signal: Samples, length: int) -> Samples:
    """The spectrum of a sound: its power is that of the sound."""
    import numpy as np

    # Without a norm, NumPy computes a spectrum of single precision in double: three times as slow.
    return np.fft.rfft(signal, length, axis=-1, norm="ortho")


def sound_of(tones: Samples, length: int) -> Samples:
    """The sound of a spectrum, in a new array."""
    import numpy as np

    return np.fft.irfft(tones, length, axis=-1, norm="ortho")


def resampled(signal: Samples, up: int, down: int) -> Samples:
    """With `up` samples for every `down`: band-limited, so that nothing is mirrored."""
    import numpy as np

    divisor = math.gcd(up, down)
    up, down = up // divisor, down // divisor
    if up == down or not signal.size:
        return signal
    length = -(-(signal.size + 256) // down)
    length = quick_length(length) * down
    wanted = length // down * up
    spectrum = tones_of(signal, length)[: wanted // 2 + 1]
    out = sound_of(spectrum, wanted)[: signal.size * up // down] * math.sqrt(up / down)
    return np.ascontiguousarray(out, np.float32)


def filtered(signal: Samples, curve: Callable[[Samples], Samples]) -> Samples:
    """With each frequency made as strong as the curve says, which is asked in Hertz."""
    import numpy as np

    count = signal.shape[-1]
    length = quick_length(count + SAMPLE_RATE // 20)
    spectrum = tones_of(signal, length)
    spectrum *= curve(np.fft.rfftfreq(length, 1 / SAMPLE_RATE).astype(np.float32))
    return sound_of(spectrum, length)[..., :count].astype(np.float32)


def in_band(low: float, high: float) -> Callable[[Samples], Samples]:
    """A curve that lets one band through; 12 dB per octave on either side."""

    def curve(hertz: Samples) -> Samples:
        below = (hertz / low) ** 2 if low else hertz * 0 + 1e6
        above = (hertz / high) ** 2
        passed: Samples = below / (1 + below) / (1 + above)
        return passed

    return curve


def add(onto: Samples, signal: Samples, at: int, gain: float = 1.0) -> None:
    """Add a sound at a place. What reaches beyond the ends is left out; mono goes to both sides."""
    start, end = max(at, 0), min(at + signal.shape[-1], onto.shape[-1])
    if start < end:
        part = signal[..., start - at : end - at]
        onto[..., start:end] += part if gain == 1 else part * gain


def add_around(loop: Samples, signal: Samples, at: int, gain: float = 1.0) -> None:
    """Add a sound to a loop: what reaches beyond its end goes on at its beginning."""
    length = loop.shape[-1]
    place, done = at % length, 0
    while done < signal.shape[-1]:
        count = min(length - place, signal.shape[-1] - done)
        part = signal[..., done : done + count]
        loop[..., place : place + count] += part if gain == 1 else part * gain
        place, done = 0, done + count


def quick_length(length: int) -> int:
    """The next length whose transform is quick: only twos, threes and fives in it."""
    best = 1 << (length - 1).bit_length() if length > 1 else 1
    for factor in (3, 5, 9, 15, 25, 27, 45):
        power = max(-(-length // factor) - 1, 0).bit_length()
        best = min(best, factor << power)
    return best
