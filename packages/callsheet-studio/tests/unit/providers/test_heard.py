"""Speech as providers send it becomes samples of ours."""

from __future__ import annotations

import wave
from io import BytesIO

import numpy as np
import pytest
from tests.providers import media

from callsheet.errors import InputError
from callsheet_studio.base.time import Rate
from callsheet_studio.providers import heard
from callsheet_studio.providers.heard import line_of, samples_of
from callsheet_studio.providers.port import Order
from callsheet_studio.sound.encode import packed, unpacked
from callsheet_studio.sound.lines import Line, place
from callsheet_studio.sound.polish import LEVEL
from callsheet_studio.sound.samples import SAMPLE_RATE, loudness_of

pytestmark = pytest.mark.requirement("P11")

FILES = {
    "wav of an unknown length": media.streamed_wav(24_000),
    "mp3": media.spoken("mp3", "libmp3lame", 44_100, kilobits=128),
    "stereo mp3": media.spoken("mp3", "libmp3lame", 44_100, kilobits=128, sides=2),
    "flac": media.spoken("flac", "flac", 24_000),
    "opus": media.spoken("ogg", "libopus", 48_000, kilobits=64),
}

LOSSLESS = {"wav of an unknown length", "flac"}


def silent_wav() -> bytes:
    """A file that is whole, with not one sample in it."""
    out = BytesIO()
    with wave.open(out, "wb") as file:
        file.setparams((1, 2, 24_000, 0, "NONE", ""))
    return out.getvalue()


@pytest.mark.parametrize("kind", FILES)
def test_a_spoken_line_becomes_mono_samples_at_48_khz(kind: str) -> None:
    found = samples_of(FILES[kind])

    assert found.dtype == np.float32
    assert found.ndim == 1
    # A coder that loses something may add the rest of a frame.
    slack = 0 if kind in LOSSLESS else 0.06
    assert found.size / SAMPLE_RATE == pytest.approx(media.SECONDS, abs=slack)
    middle = found[SAMPLE_RATE // 4 : SAMPLE_RATE // 4 + SAMPLE_RATE]
    assert int(np.abs(np.fft.rfft(middle)).argmax()) == media.PITCH
    # The coder of MP3 takes off 0.4 dB.
    assert float(np.sqrt(np.square(middle).mean())) == pytest.approx(media.LOUD / 2**0.5, rel=0.06)


@pytest.mark.parametrize(
    "bad",
    [b"", b"no sound at all", media.picture(16, 16), FILES["flac"][:60], silent_wav()],
    ids=["nothing", "text", "picture", "broken off", "no samples"],
)
def test_what_is_no_sound_is_told_so(bad: bytes) -> None:
    with pytest.raises(InputError, match="sound"):
        samples_of(bad)


def test_a_line_that_never_ends_is_not_read_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heard, "LONGEST", 1)
    with pytest.raises(InputError, match="longer than 1 s"):
        samples_of(FILES["mp3"])


def test_an_ordered_line_takes_the_place_of_one_of_our_own() -> None:
    order = Order(
        kind="speech", model="m", text="Come aboard, for $9.99.", voice="v", language="en-GB"
    )
    spoken = unpacked(packed(line_of(order, FILES["mp3"], "ElevenLabs")))

    assert (spoken.engine, spoken.voice, spoken.words) == ("ElevenLabs", "v", 5)
    assert [phrase.text for phrase in spoken.phrases] == [order.text]
    assert spoken.phrases[0].end == pytest.approx(spoken.seconds)
    assert loudness_of(spoken.samples) == pytest.approx(LEVEL, rel=0.05)
    line = Line(beat="b1", speaker="", text=order.text, start=0, end=48)
    placed, wrong = place([(line, spoken)], Rate.of("24"))
    assert wrong == ()
    assert placed[0].end <= 2 * SAMPLE_RATE
