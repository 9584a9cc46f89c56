"""Each check finds its fault in a sound that was damaged, and nothing in a good one."""

from __future__ import annotations

import contextlib
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import av
import numpy as np
import pytest
from tests.unit.sound.parts import both, placed, score, tone

from callsheet.errors import InputError
from callsheet_studio.sound.check import RULES, check_sound, find_masking
from callsheet_studio.sound.encode import encode_aac, read_sound, write_wav
from callsheet_studio.sound.measure import Loudness, measure, silences
from callsheet_studio.sound.mix import mix, speech_over
from callsheet_studio.sound.samples import (
    SAMPLE_RATE,
    amplitude,
    decibels,
    faded,
    level_of,
    loudness_of,
)

if TYPE_CHECKING:
    from pathlib import Path

SECOND = SAMPLE_RATE
TARGET = -16.0


@pytest.fixture(scope="module")
def good() -> Any:
    made = mix(score(cues=((100, "chime"),)), [placed(1.0, 3.0), placed(6.0, 2.0)])
    made.samples.flags.writeable = False
    return made.samples


def rules(signal: Any, count: int | None = None) -> set[str]:
    return {found.rule for found in check_sound(signal, target=TARGET, count=count)}


def test_a_good_mix_has_no_fault(good: Any) -> None:
    assert check_sound(good, target=TARGET, count=10 * SECOND) == ()


def test_a_silent_part_is_found_at_its_time(good: Any) -> None:
    damaged = good.copy()
    damaged[:, 4 * SECOND : 6 * SECOND] = 0
    (found,) = (each for each in check_sound(damaged, target=TARGET) if each.rule == "sound-silent")
    assert "from 4.0 to 6.0 s" in found.message


def test_a_short_pause_and_a_fade_at_the_end_are_no_faults(good: Any) -> None:
    damaged = good.copy()
    damaged[:, 4 * SECOND : 5 * SECOND] = 0
    damaged[:, -SECOND:] = 0
    assert "sound-silent" not in rules(damaged)


def test_a_film_without_any_sound_is_found() -> None:
    assert "sound-silent" in rules(np.zeros((2, 5 * SECOND), np.float32))
    assert "sound-silent" in rules(np.zeros((2, 0), np.float32))


def test_cut_waves_are_found_also_when_they_were_turned_down(good: Any) -> None:
    cut = np.clip(good * 4, -1, 1).astype(np.float32)
    assert "sound-clipped" in rules(cut)
    assert "sound-clipped" in rules(cut * np.float32(0.8))


def test_too_loud_and_too_quiet_are_found(good: Any) -> None:
    for change, word in ((3.0, "loud"), (-3.0, "quiet")):
        changed = good * np.float32(amplitude(change))
        (found,) = (
            each for each in check_sound(changed, target=TARGET) if each.rule == "sound-loudness"
        )
        assert f"3.0 LU too {word}" in found.message


def test_a_peak_that_players_distort_is_found(good: Any) -> None:
    damaged = good.copy()
    damaged[:, SECOND] = 0.97
    assert rules(damaged) == {"sound-peak"}


def test_a_wrong_length_is_found(good: Any) -> None:
    assert rules(good, 10 * SECOND + 1) == {"sound-length"}


def test_music_over_speech_is_found() -> None:
    voices = [placed(0.0, 2.0), placed(3.0, 2.0)]
    music = both(tone(6.0, level=0.005))
    assert find_masking(speech_over(music, voices)) == []
    assert find_masking(speech_over(music, [])) == []
    music[:, 3 * SECOND :] *= 6
    (found,) = find_masking(speech_over(music, voices))
    assert found.rule == "speech-masked"
    assert "10.5 dB" in found.message


def test_every_rule_is_named() -> None:
    assert len(RULES) == 6


def test_loudness_is_measured_as_broadcasters_do() -> None:
    # A wave of 997 Hz at -23 dB peak on both sides is -23 LUFS by definition.
    found = measure(both(tone(5.0, 997, amplitude(-23) / np.sqrt(2))))
    assert found.integrated == pytest.approx(-23.0, abs=0.1)
    assert found.true_peak == pytest.approx(-23.0, abs=0.1)
    assert measure(np.zeros((2, SECOND), np.float32)).integrated == -70


def test_what_was_measured_before_is_not_measured_again(good: Any) -> None:
    told = Loudness(integrated=-10.0, true_peak=-3.0, range=4.0)
    (found,) = check_sound(good, target=TARGET, measured=told)
    assert "6.0 LU too loud: -10.0" in found.message


def by_ffmpeg(signal: Any) -> float:
    """The true peak as the meter of FFmpeg has it, in decibels."""
    graph = av.filter.Graph()
    source = graph.add_abuffer(
        format="fltp", sample_rate=SECOND, layout="stereo", time_base=Fraction(1, SECOND)
    )
    meter = graph.add("ebur128", "peak=true:metadata=1:framelog=quiet")
    sink = graph.add("abuffersink")
    source.link_to(meter)
    meter.link_to(sink)
    graph.configure()
    frame = av.AudioFrame.from_ndarray(signal, format="fltp", layout="stereo")
    frame.sample_rate = SECOND
    source.push(frame)
    source.push(None)
    said = {}
    with contextlib.suppress(av.error.EOFError):
        while True:
            said = sink.pull().metadata
    return decibels(float(said["lavfi.r128.true_peak"]))


@pytest.mark.parametrize("kind", ["mix", "between", "noise", "one side"])
def test_the_true_peak_is_that_of_another_meter(good: Any, kind: str) -> None:
    turn = np.arange(SECOND) * (np.pi / 2) + np.pi / 4
    noise = np.random.default_rng(5).standard_normal((2, SECOND)) * 0.1
    signal = {
        "mix": good,
        "between": both((np.sin(turn) * 0.9).astype(np.float32)),
        "noise": noise.astype(np.float32),
        "one side": np.stack([tone(1.0, 5000.0), tone(1.0, 11_000.0, 0.3)]),
    }[kind]
    # How a sound that begins with a bang rings before it began, each meter sees differently.
    signal = faded(signal, 0.1, 0.1)
    assert measure(signal).true_peak == pytest.approx(by_ffmpeg(signal), abs=0.05)


def test_a_share_of_levels_is_below_one() -> None:
    values = np.random.default_rng(2).standard_normal(101).astype(np.float32)
    for share in (0.0, 0.1, 0.333, 0.95, 1.0):
        assert level_of(values, share) == pytest.approx(
            np.percentile(values, share * 100), abs=1e-6
        )
    assert level_of(values[:1], 0.9) == values[0]


def test_silences_have_a_beginning_and_an_end() -> None:
    signal = both(tone(3.0))
    signal[:, SECOND : 2 * SECOND] = 0
    assert silences(signal) == ((1.0, 2.0),)
    assert silences(signal, 1.5) == ()


# Files


def test_a_wave_file_is_read_back_as_it_was(good: Any, tmp_path: Path) -> None:
    write_wav(good, tmp_path / "film.wav")
    again = read_sound(tmp_path / "film.wav")
    assert again.shape == good.shape
    assert np.abs(again - good).max() < 1e-4


@pytest.mark.parametrize("count", [48_000, 48_001, 50_123])
def test_coded_sound_is_exactly_as_long_as_it_was(good: Any, tmp_path: Path, count: int) -> None:
    encode_aac(good[:, :count], tmp_path / "film.m4a")
    assert read_sound(tmp_path / "film.m4a").shape == (2, count)


def test_coded_sound_is_as_loud_and_the_same_bytes_each_time(good: Any, tmp_path: Path) -> None:
    for name in ("one.m4a", "other.m4a"):
        encode_aac(good, tmp_path / name)
    assert (tmp_path / "one.m4a").read_bytes() == (tmp_path / "other.m4a").read_bytes()
    again = read_sound(tmp_path / "one.m4a")
    assert check_sound(again, target=TARGET, count=good.shape[-1]) == ()
    assert np.corrcoef(again[0], good[0])[0, 1] > 0.98


def test_coded_sound_is_what_it_was_but_for_what_nobody_hears(tmp_path: Path) -> None:
    music = mix(score(), []).samples
    encode_aac(music, tmp_path / "film.m4a")
    lost = read_sound(tmp_path / "film.m4a") - music
    assert decibels(loudness_of(lost)) < decibels(loudness_of(music)) - 30
    encode_aac(music, tmp_path / "dull.m4a", highest=4000)
    tones = [np.abs(np.fft.rfft(read_sound(tmp_path / name))) for name in ("film.m4a", "dull.m4a")]
    high = int(6000 * music.shape[-1] / SAMPLE_RATE)
    assert tones[1][:, high:].sum() < tones[0][:, high:].sum() / 10


def test_no_sound_takes_more_than_a_frame_may_have(tmp_path: Path) -> None:
    noise = np.random.default_rng(1).uniform(-1, 1, (2, 2 * SECOND)).astype(np.float32)
    noise[:, ::4800] = 1
    encode_aac(noise, tmp_path / "noise.m4a")
    with av.open(str(tmp_path / "noise.m4a")) as file:
        # 6144 bits for each channel.
        assert max(packet.size for packet in file.demux(audio=0)) <= 2 * 6144 // 8


def test_nothing_half_written_is_left_behind(good: Any, tmp_path: Path) -> None:
    path = tmp_path / "film.m4a"
    path.write_bytes(b"before")
    with pytest.raises(ValueError, match="shape"):
        encode_aac(good[:1], path)
    assert path.read_bytes() == b"before"
    assert list(tmp_path.iterdir()) == [path]


def test_what_is_no_sound_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "note.txt"
    path.write_text("no sound")
    with pytest.raises(InputError, match="cannot be read as sound"):
        read_sound(path)
    with pytest.raises(InputError, match="cannot be read"):
        read_sound(tmp_path / "not-there.wav")
