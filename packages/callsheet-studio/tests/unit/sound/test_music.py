"""Music has a mood, an exact length, an ending, and grows with the film."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from callsheet.errors import InputError
from callsheet_studio.sound.music import LAYERS, bed, find_mood, moods
from callsheet_studio.sound.samples import SAMPLE_RATE, decibels, envelope, loudness_of

SECOND = SAMPLE_RATE


def share(signal: Any, low: float, high: float) -> float:
    """How much of the power lies between two frequencies."""
    power = np.abs(np.fft.rfft(signal[0])) ** 2
    pitches = np.fft.rfftfreq(signal.shape[-1], 1 / SAMPLE_RATE)
    return float(power[(pitches >= low) & (pitches < high)].sum() / power.sum())


@pytest.mark.parametrize("mood", moods())
def test_every_mood_sounds_from_low_to_high_and_wide(mood: str) -> None:
    music = bed(mood, 12 * SECOND, arc=((0, 8.0),))
    assert music.shape == (2, 12 * SECOND)
    assert music.dtype == np.float32
    assert np.isfinite(music).all()
    assert 0.05 < np.abs(music).max() < 1
    assert share(music, 20, 200) > 0.02
    assert share(music, 500, 4000) > 0.02
    assert share(music, 0, 20) < 0.01
    assert 0.1 < np.corrcoef(music[0], music[1])[0, 1] < 0.95


@pytest.mark.parametrize(("mood", "tonic", "third"), [("calm", 62, 4), ("melancholic", 57, 3)])
def test_it_is_in_tune_and_in_its_key(mood: str, tonic: int, third: int) -> None:
    music = bed(mood, 24 * SECOND)
    power = np.abs(np.fft.rfft(music.sum(axis=0)))
    pitches = np.fft.rfftfreq(music.shape[-1], 1 / SAMPLE_RATE)
    low = (pitches > 180) & (pitches < 400)
    notes = 69 + 12 * np.log2(pitches[low] / 440) - tonic
    strongest = notes[np.argsort(power[low])[-40:]]
    assert np.abs(strongest - np.rint(strongest)).max() < 0.2
    heard = set(np.rint(strongest).astype(int) % 12)
    assert {0, third, 7} <= heard
    assert heard <= ({0, 2, 4, 5, 7, 9, 11} if third == 4 else {0, 2, 3, 5, 7, 8, 10})


@pytest.mark.slow  # Half a minute of music, or several pieces.
def test_no_two_moods_are_the_same_music() -> None:
    assert len({bed(mood, SECOND, arc=((0, 9.0),)).tobytes() for mood in moods()}) == len(moods())


@pytest.mark.parametrize("count", [0, 1, 777, SECOND // 3, 5 * SECOND + 1])
def test_it_is_exactly_as_long_as_asked(count: int) -> None:
    assert bed("warm", count).shape == (2, count)


def test_it_begins_and_ends_in_silence_and_rings_out() -> None:
    music = bed("confident", 20 * SECOND, arc=((0, 8.0),))
    assert np.abs(music[:, [0, -1]]).max() < 1e-4
    levels = envelope(music, SECOND)
    assert decibels(levels[-1]) < decibels(levels[10:16].max()) - 6
    assert levels[-2] > levels[-1]


@pytest.mark.slow  # Half a minute of music, or several pieces.
def test_nothing_in_it_clicks() -> None:
    for mood in ("calm", "energetic"):
        music = bed(mood, 30 * SECOND, arc=((0, 2.0), (10 * SECOND, 9.0)))
        assert np.abs(np.diff(music, axis=-1)).max() < 0.15


@pytest.mark.slow  # Half a minute of music, or several pieces.
def test_it_is_thin_where_the_film_is_quiet_and_full_where_it_is_intense() -> None:
    arc = ((0, 2.0), (15 * SECOND, 9.0))
    music = bed("hopeful", 40 * SECOND, arc=arc)
    thin, full = music[:, 6 * SECOND : 13 * SECOND], music[:, 20 * SECOND : 35 * SECOND]
    assert loudness_of(full) > loudness_of(thin) * 1.5
    assert share(full, 1000, 8000) > share(thin, 1000, 8000) * 2


@pytest.mark.slow  # Half a minute of music, or several pieces.
def test_the_same_seed_gives_the_same_bytes_and_another_other_figures() -> None:
    one, same, other = (bed("playful", 8 * SECOND, seed=seed) for seed in (1, 1, 2))
    assert one.tobytes() == same.tobytes()
    assert one.tobytes() != other.tobytes()


@pytest.mark.slow  # Half a minute of music, or several pieces.
def test_a_tempo_is_followed() -> None:
    slow, quick = (bed("epic", 24 * SECOND, tempo=tempo, arc=((0, 9.0),)) for tempo in (60, 120))

    def beats(signal: Any) -> float:
        """How often the level changes, on average."""
        levels = envelope(signal, SAMPLE_RATE // 50)[100:-100]
        spectrum = np.abs(np.fft.rfft(levels - levels.mean()))
        pace = np.fft.rfftfreq(levels.size, 1 / 50)
        return float((spectrum * pace).sum() / spectrum.sum())

    assert beats(quick) > beats(slow)


@pytest.mark.parametrize(
    ("words", "mood"),
    [
        (("calm",), "calm"),
        (("", "confident and modern"), "confident"),
        (("storm at dusk",), "tense"),
        (("poetisch und ruhig",), "calm"),
        (("wehmütig",), "melancholic"),
        (("treibendes Schlagzeug, öffnet sich",), "energetic"),
        (("ukulele, clicks, opens up",), "playful"),
        (("nothing that is known",), "calm"),
    ],
)
def test_a_mood_is_found_from_the_words_of_briefs(words: tuple[str, ...], mood: str) -> None:
    assert find_mood(*words) == mood


@pytest.mark.parametrize("told", moods().values(), ids=list(moods()))
def test_every_mood_is_complete(told: Any) -> None:
    assert set(told.levels) == set(LAYERS)
    assert len(told.chords) == 8
    # It can be repeated: the last chord leads back to the first.
    assert told.chords[-1][0] != told.chords[0][0]


def test_a_mood_that_is_not_there_is_refused_with_those_that_are() -> None:
    with pytest.raises(InputError, match=r"'jazz' is no mood.*calm, confident"):
        bed("jazz", SECOND)
    with pytest.raises(InputError, match="500"):
        bed("calm", SECOND, tempo=500)
