"""Every set has its own sound, and every effect sounds; what has none is named."""

from __future__ import annotations

import numpy as np
import pytest

from callsheet.errors import InputError
from callsheet_studio.library import sets
from callsheet_studio.sound.ambience import BRIEF, LOOP, ambience, places
from callsheet_studio.sound.effects import effect, find_effects, makers
from callsheet_studio.sound.samples import decibels, envelope, filtered, in_band, loudness_of


def test_every_set_of_the_library_has_a_sound() -> None:
    assert set(places()) == set(sets())


@pytest.mark.slow  # All sets, a tenth of a second each.
def test_places_are_under_speech_seamless_and_all_different() -> None:
    seen = set()
    for place in places():
        loop = ambience(place)
        assert loop.shape == (2, LOOP)
        assert -70 < decibels(loudness_of(loop)) < -38
        step = np.abs(np.diff(loop, axis=-1)).max()
        assert np.abs(loop[:, 0] - loop[:, -1]).max() <= step
        seen.add(loop.tobytes())
    assert len(seen) == len(places())


@pytest.mark.parametrize("place", ["classroom", "factory", "workshop"])
def test_a_brief_loop_is_half_as_long_and_sounds_the_same(place: str) -> None:
    brief, loop = ambience(place, BRIEF), ambience(place)
    assert brief.shape == (2, LOOP // 2)
    assert np.abs(brief[:, 0] - brief[:, -1]).max() <= np.abs(np.diff(brief, axis=-1)).max()
    for low, high in ((40, 300), (300, 1500), (1500, 6000)):
        parts = [
            decibels(loudness_of(filtered(each, in_band(low, high)))) for each in (brief, loop)
        ]
        assert abs(parts[0] - parts[1]) < 1.5


def test_in_half_a_loop_half_as_much_happens() -> None:
    # A clock ticks eleven times in a loop, evenly: from the first moment on, so six in the half.
    for length, ticks in ((LOOP, 11), (BRIEF, 6)):
        levels = envelope(filtered(ambience("home", length), in_band(3000, 6000)), 480)
        high = levels > levels.max() * 0.3
        assert np.count_nonzero(high[1:] & ~high[:-1]) + high[0] == ticks


def test_a_loop_cannot_be_changed_by_who_uses_it() -> None:
    with pytest.raises(ValueError, match="read-only"):
        ambience("home")[0, 0] = 1


def test_a_place_comes_and_goes_as_often_as_it_is_told() -> None:
    _, high = places()["workshop"].noise
    loop = filtered(ambience("workshop"), in_band(1800, 4000))
    levels = envelope(loop, LOOP // 128) ** 2
    waves = np.abs(np.fft.rfft(levels - levels.mean()))
    assert waves.argmax() == high[3]
    assert levels.min() < levels.max() / 20


@pytest.mark.parametrize("place", ["kitchen", "classroom", "field"])
def test_the_parts_of_a_place_are_as_loud_as_it_is_told(place: str) -> None:
    told = places()[place]
    levels = [band[2] for band in told.noise]
    levels += [told.hum[1]] if told.hum else []
    levels += [told.voices] if told.voices is not None else []
    power = sum(10 ** (level / 10) for level in levels)
    # Its events are short, and add a little.
    assert 0 <= decibels(loudness_of(ambience(place))) - 10 * np.log10(power) + 0.1 < 1.5


def test_an_unknown_place_is_nearly_silent() -> None:
    assert decibels(loudness_of(ambience("the moon"))) < -60


@pytest.mark.parametrize("name", makers())
def test_every_effect_is_heard_and_ends(name: str) -> None:
    sound = effect(name, 3)
    assert -30 < decibels(float(np.abs(sound).max())) < -14
    assert 0.01 < sound.size / 48_000 < 6
    assert abs(sound[0]) < 0.002
    assert abs(sound[-1]) < 0.002
    assert effect(name, 3).tobytes() == sound.tobytes()


def test_effects_are_found_in_both_languages_and_the_others_are_named() -> None:
    english = ["soft tap", "interface tone", "wind gust", "footsteps", "cloth", "a chair"]
    assert find_effects(english) == (("tap", "chime", "gust", "steps"), ("cloth", "a chair"))
    german = ["leises Tippen", "Signalton", "Windstoß", "Schritte", "Stoff", "weiches Anschwellen"]
    assert find_effects(german) == (("tap", "chime", "gust", "steps", "swell"), ("Stoff",))


def test_the_longer_word_decides() -> None:
    assert find_effects(["a door bell"]) == (("bell",), ())
    assert find_effects(["a door"]) == (("door",), ())


def test_an_effect_that_is_not_there_is_refused() -> None:
    with pytest.raises(InputError, match="'gull' is no effect"):
        effect("gull")
