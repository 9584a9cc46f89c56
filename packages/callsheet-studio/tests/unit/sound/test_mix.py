"""The mix has the film's length and loudness, and speech is always in front."""

from __future__ import annotations

import subprocess
import sys
import tracemalloc
from itertools import pairwise
from zlib import crc32

import numpy as np
import pytest
from tests.unit.sound.parts import (
    RATE,
    beat,
    both,
    line,
    placed,
    score,
    script,
    spoken,
    tone,
)

from callsheet.errors import InputError
from callsheet_studio.base.time import Rate
from callsheet_studio.sound.level import TARGETS, level, limit, target_of
from callsheet_studio.sound.lines import check_voice, heard_lines, lines_of, place, voices_for
from callsheet_studio.sound.measure import measure
from callsheet_studio.sound.mix import UNDER, ducking, mix, speech_over
from callsheet_studio.sound.samples import (
    HOP,
    SAMPLE_RATE,
    amplitude,
    decibels,
    envelope,
    faded,
    held_down,
    samples_in,
    scale,
    spread,
)
from callsheet_studio.sound.score import score_of


@pytest.mark.slow  # Five whole mixes.
@pytest.mark.requirement("P11")
@pytest.mark.parametrize("target", TARGETS)
def test_a_mix_reaches_its_loudness_and_stays_below_the_peak(target: str) -> None:
    made = mix(score(), [placed(1.0, 3.0), placed(6.0, 2.0)], target=target)
    assert made.report.integrated == pytest.approx(TARGETS[target], abs=0.2)
    assert made.report.true_peak <= -1.0
    assert measure(made.samples).integrated == pytest.approx(made.report.integrated, abs=0.01)


@pytest.mark.slow  # Whole mixes.
@pytest.mark.parametrize("height", [1.0, 2.5, 20.0])
def test_what_is_said_of_a_mix_is_what_a_meter_says(height: float) -> None:
    """Also where the limiter has much to do."""
    signal = both(tone(6.0, level=0.03)) * np.float32(1)
    for at in range(0, signal.shape[-1] - 480, SAMPLE_RATE // 3):
        signal[:, at : at + 480] += both(faded(tone(0.01, 900, 0.03 * height), 0.002, 0.002))
    said = level(signal, -16.0)
    heard = measure(signal)
    assert said.integrated == pytest.approx(heard.integrated, abs=0.01)
    assert said.true_peak == heard.true_peak <= -1.5
    assert said.range == pytest.approx(heard.range, abs=0.02)
    assert heard.integrated == pytest.approx(-16.0, abs=0.06)


def test_music_is_under_speech_and_comes_back_between() -> None:
    voices = [placed(2.0, 3.0), placed(8.0, 3.0)]
    made = mix(score(frames=480), voices)
    assert made.report.speech_over_music is not None
    assert UNDER <= made.report.speech_over_music < UNDER + 6
    levels = np.full(1500, amplitude(-29), np.float32)
    gains = ducking(levels, voices)
    assert gains[200:500].max() < 0.3
    assert gains[150] > gains[200]
    assert gains[640:700].max() > 0.9
    assert gains[-1] == pytest.approx(1)
    assert np.abs(np.diff(gains)).max() < 0.06


def test_loud_music_is_pushed_down_further_and_quiet_music_is_left() -> None:
    voice = [placed(1.0, 3.0)]
    loud, quiet = (ducking(np.full(500, level, np.float32), voice) for level in (0.5, 0.001))
    assert loud[200] < 0.02
    assert quiet.min() == 1


@pytest.mark.parametrize(
    ("fps", "frames"), [("24", 241), ("29.97", 301), ("25", 1), ("23.976", 97)]
)
def test_a_mix_is_as_long_as_its_frames(fps: str, frames: int) -> None:
    rate = Rate.of(fps)
    made = mix(score(frames=frames, rate=rate), [])
    assert made.samples.shape == (2, samples_in(frames, rate))
    assert abs(made.samples.shape[-1] / SAMPLE_RATE - rate.seconds(frames)) < 1 / SAMPLE_RATE


@pytest.mark.slow  # Whole mixes.
def test_the_same_film_gives_the_same_bytes() -> None:
    told = score(cues=((24, "whoosh"),), places=((0, "street"), (100, "home")))
    one, other = (mix(told, [placed(1.0, 3.0)]) for _ in range(2))
    assert one.samples.tobytes() == other.samples.tobytes()
    assert one.report == other.report


@pytest.mark.slow  # A fresh interpreter.
def test_the_same_film_gives_the_same_bytes_in_every_process() -> None:
    code = (
        "from tests.unit.sound.parts import placed, score; import zlib;"
        "from callsheet_studio.sound.mix import mix;"
        "made = mix(score(cues=((24, 'steps'),)), [placed(1.0, 3.0)]);"
        "print(zlib.crc32(made.samples.tobytes()))"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    made = mix(score(cues=((24, "steps"),)), [placed(1.0, 3.0)])
    assert int(told.stdout) == crc32(made.samples.tobytes())


@pytest.mark.slow  # Two minutes of sound.
def test_a_long_mix_takes_little_more_memory_than_its_own_samples() -> None:
    told = score(frames=120 * 24)
    tracemalloc.start()
    try:
        made = mix(told, [placed(1.0, 3.0)])
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < made.samples.nbytes * 2


def test_an_envelope_is_laid_on_without_a_seam() -> None:
    gains = np.random.default_rng(1).uniform(0, 1, 400).astype(np.float32)
    signal = both(np.ones(399 * HOP + 7, np.float32))
    scale(signal, gains)
    assert np.array_equal(signal, both(spread(gains, signal.shape[-1])))


def test_gains_are_down_before_they_must_be_and_never_above() -> None:
    asked = np.ones(200, np.float32)
    asked[100] = 0.25
    gains = held_down(asked, 4)
    assert gains[99:102].max() == pytest.approx(0.25)
    assert gains[[90, 110]].min() == pytest.approx(1)
    assert np.abs(np.diff(gains)).max() < 0.3


def test_a_film_without_voice_or_music_has_the_sound_of_its_places() -> None:
    made = mix(score(places=((0, "forest"), (120, "coast"))), [], music=False)
    assert made.report.speech_over_music is None
    assert made.report.silences == ()
    assert made.report.integrated == pytest.approx(-16, abs=0.3)


def test_a_place_goes_on_where_its_loop_ends_and_crosses_into_the_next() -> None:
    there, gone = (
        mix(score(frames=600, places=each), [], music=False).samples
        for each in (((0, "forest"),), ((0, "forest"), (300, "abstract")))
    )
    levels = envelope(there, SAMPLE_RATE // 10)
    # A loop is eleven seconds long: nothing happens at its end, in the twelfth.
    assert levels[105:115].min() > np.median(levels) / 3
    after = envelope(gone, SAMPLE_RATE // 10)
    assert after[110:120].mean() > 3 * after[130:140].mean()
    assert after[130:140].mean() < levels[130:140].mean() / 3


def test_only_effects_are_as_high_as_people_hear() -> None:
    assert score().highest < score(cues=((10, "rain"),)).highest
    made = mix(score(), []).samples
    tones = np.square(np.abs(np.fft.rfft(made)))
    above = int(score().highest * made.shape[-1] / SAMPLE_RATE)
    assert tones[:, above:].sum() < tones.sum() * 10**-5.5


def test_an_effect_is_heard_where_it_is_asked_for() -> None:
    quiet = score(places=((0, "abstract"),))
    with_bell = score(places=((0, "abstract"),), cues=((120, "bell"),))
    voice = [placed(0.2, 2.0)]
    before, after = (mix(told, voice, music=False).samples for told in (quiet, with_bell))
    at = samples_in(120, RATE)
    rings = slice(at, at + SAMPLE_RATE)
    assert np.abs(after[:, rings]).max() > 10 * np.abs(before[:, rings]).max()


def test_silence_stays_silence() -> None:
    nothing = np.zeros((2, SAMPLE_RATE), np.float32)
    assert level(nothing, -16.0).integrated == -70
    assert not nothing.any()


def test_a_limiter_finds_the_peak_between_two_samples() -> None:
    # A quarter of the sample rate, sampled beside its peaks: 3 dB higher than any sample.
    turn = np.arange(SAMPLE_RATE) * (np.pi / 2) + np.pi / 4
    signal = both(faded((np.sin(turn) * 0.99).astype(np.float32), 0.1, 0.1))
    assert measure(signal).true_peak > -0.3
    assert decibels(float(np.abs(signal).max())) < -3
    limit(signal, -1.6)
    assert measure(signal).true_peak <= -1.5


def test_a_limiter_leaves_alone_what_is_low_enough() -> None:
    signal = both(tone(0.5))
    before = signal.tobytes()
    limit(signal, -1.6)
    assert signal.tobytes() == before


@pytest.mark.parametrize("wanted", ["radio", 3.0, -60.0])
def test_a_loudness_that_nobody_uses_is_refused(wanted: str | float) -> None:
    with pytest.raises(InputError):
        target_of(wanted)


def test_how_far_speech_is_over_music_is_measured_at_the_worst_line() -> None:
    voices = [placed(0.0, 1.0), placed(2.0, 1.0)]
    music = both(tone(4.0, level=0.001))
    music[:, 2 * SAMPLE_RATE :] *= 10
    assert speech_over(music, voices) == pytest.approx(20.0, abs=0.3)
    assert speech_over(music, []) is None


# When each line is spoken


def test_a_line_that_fits_is_spoken_as_it_is_after_the_cut() -> None:
    (found,), wrong = place([(line(24, 144), spoken(3.0))], RATE)
    assert wrong == ()
    assert found.spoken.tempo == 1
    assert 1.0 < found.at / SAMPLE_RATE <= 1.3
    assert found.phrases[0].start == pytest.approx(found.at / SAMPLE_RATE)


def test_a_line_that_is_a_little_too_long_is_hurried() -> None:
    (found,), wrong = place([(line(0, 72), spoken(3.1))], RATE)
    assert wrong == ()
    assert 1 < found.spoken.tempo <= 1.15
    assert found.end <= 3 * SAMPLE_RATE


@pytest.mark.requirement("P4")
def test_a_line_that_is_much_too_long_is_whole_and_reported() -> None:
    (found,), (wrong,) = place([(line(0, 48, "2.3"), spoken(4.0))], RATE)
    assert found.spoken.seconds == pytest.approx(4.0 / 1.15, abs=0.01)
    assert (wrong.rule, wrong.where) == ("voice-fits", "2.3")
    assert "1.6 s too long" in wrong.message
    assert "38 frames more" in wrong.fix


def test_lines_never_speak_at_the_same_time() -> None:
    said = [
        (line(0, 48, "1.1"), spoken(4.0)),
        (line(48, 240, "1.2", "ADA"), spoken(3.0)),
        (line(48, 240, "1.2", "BO"), spoken(3.0)),
    ]
    found, _ = place(said, RATE)
    assert all(one.end <= other.at for one, other in pairwise(found))
    assert [each.line.speaker for each in found] == ["", "ADA", "BO"]


def test_a_line_that_the_voice_cannot_say_is_reported() -> None:
    _, (wrong,) = place([(line(0, 48, "1.4"), spoken(0.0))], RATE)
    assert (wrong.rule, wrong.where) == ("voice-heard", "1.4")


def test_what_no_voice_speaks_is_read_and_that_is_reported() -> None:
    told = script(beat(1, 0, 48, voiceover="Once upon a time."))
    assert heard_lines(told) == lines_of(told)
    assert check_voice(told) == ()
    foreign = told.model_copy(update={"language": "ja"})
    assert heard_lines(foreign) == ()
    (wrong,) = check_voice(foreign)
    assert wrong.rule == "voice-exists"
    assert "No voice speaks 'ja'" in wrong.message
    assert check_voice(script(beat(1, 0, 48)).model_copy(update={"language": "ja"})) == ()


def test_the_lines_of_a_script_have_their_speakers_and_beats() -> None:
    told = script(
        beat(1, 0, 48, voiceover="Once upon a time."),
        beat(2, 48, 96, dialogue="ADA: Hello.\nBO (V.O.): Good day."),
        beat(3, 96, 144),
    )
    found = [(each.beat, each.speaker, each.text, each.start) for each in lines_of(told)]
    assert found == [
        ("1.1", "", "Once upon a time.", 0),
        ("1.2", "ADA", "Hello.", 48),
        ("1.2", "BO", "Good day.", 48),
    ]
    voices = voices_for(told)
    assert len({voice.pitch for voice in voices.values()}) == 3


def test_a_score_follows_the_script() -> None:
    told = script(
        beat(1, 0, 48, effects=("wind gust", "cloth"), intensity=3),
        beat(2, 48, 96, effects=("wind gust", "footsteps"), intensity=6),
        beat(3, 96, 144, location="the moon", scene=2, effects=("wind gust",), intensity=9),
    )
    found = score_of(told, "warm and cosy", seed=4)
    assert (found.mood, found.seed, found.frames) == ("warm", 4, 144)
    assert found.arc == ((0, 3.0), (48, 6.0), (96, 9.0))
    assert found.places == ((0, "harbour"), (96, "abstract"))
    assert found.cues == ((0, "gust"), (48, "steps"), (96, "gust"))
    assert found.left_out == ("cloth",)


@pytest.mark.slow  # A fresh interpreter.
def test_nothing_heavy_is_imported_before_there_is_something_to_hear() -> None:
    names = ("check", "encode", "lines", "mix", "score")
    modules = ", ".join(f"callsheet_studio.sound.{name}" for name in names)
    heavy = {"numpy", "av", "hibari", "onnxruntime"}
    code = f"import sys, {modules}; print({heavy} & set(sys.modules))"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "set()"
