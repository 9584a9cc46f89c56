"""A voice says what is written, at its own measured pace, the same each time."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np
import pytest
from tests.unit.studio.sound.parts import spoken, tone

from callsheet import InputError
from callsheet.studio.sound.encode import packed, unpacked
from callsheet.studio.sound.samples import SAMPLE_RATE, decibels, envelope, loudness_of
from callsheet.studio.sound.tempo import stretched
from callsheet.studio.sound.timing import Heard, pauses_in, phrases_of, words_of
from callsheet.studio.sound.voice import (
    FASTEST,
    LANGUAGES,
    PICO,
    Spoken,
    Voice,
    cast,
    hurried,
    loaded_voice,
    measured_pace,
    say,
)

TEXT = "Harbor keeps every berth in view, and it works offline. Try it today."
AGAIN = f"""
import hashlib
from callsheet.studio.sound.voice import say
say("Etwas anderes.", "de")
seen = hashlib.sha256()
for text, language in (({TEXT!r}, "en"), ("Jedes Holz braucht seine Zeit. Auch dieses.", "de")):
    seen.update(say(text, language).samples.tobytes())
print(seen.hexdigest())
"""


def pitch_of(signal: np.ndarray) -> float:
    """The usual pitch, by autocorrelation."""
    found = []
    for start in range(0, signal.size - 4096, 2400):
        part = signal[start : start + 4096] * np.hanning(4096)
        if loudness_of(part) > 0.02:
            power = np.abs(np.fft.rfft(part, 16384)) ** 2
            alike = np.fft.irfft(power)[: SAMPLE_RATE // 60]
            best = 120 + int(np.argmax(alike[120:]))
            found += [SAMPLE_RATE / best] if alike[best] > alike[0] / 2 else []
    return float(np.median(found))


def test_a_language_without_a_voice_is_refused_with_those_that_have_one() -> None:
    with pytest.raises(InputError, match=r"No voice speaks 'ja'.*en, de, es, fr, it"):
        say("こんにちは", "ja")


@pytest.mark.slow  # A fresh interpreter.
@pytest.mark.parametrize(
    ("package", "named", "language"),
    [("hibari", "hibari-tts", "en"), ("py_nanotts", "py-nanotts", "de")],
)
def test_a_missing_package_is_named_with_what_to_install(
    package: str, named: str, language: str
) -> None:
    code = f"""
import sys
from callsheet import InputError
from callsheet.studio.sound.voice import say
sys.modules[{package!r}] = None
try:
    say("Hello.", {language!r})
except InputError as exc:
    print(exc)
"""
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == f"{named} is not installed: pip install 'callsheet[studio]'."


@pytest.mark.slow  # The voice is loaded.
def test_threads_that_speak_at_once_share_one_voice_and_say_the_same() -> None:
    with ThreadPoolExecutor(4) as threads:
        voices = {id(voice) for voice in threads.map(lambda _: loaded_voice(), range(4))}
        said = set(threads.map(lambda _: say(TEXT, "en", pace=150).samples.tobytes(), range(4)))
    assert len(voices) == 1
    assert said == {say(TEXT, "en", pace=150).samples.tobytes()}


def test_a_voice_that_fails_says_what_it_could_not_say(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PICO, "de", "xx-XX")
    with pytest.raises(InputError, match="could not say 'Guten Tag'"):
        say("Guten Tag", "de")


# The voice is loaded, which takes a second.
@pytest.mark.slow
def test_a_line_is_as_loud_as_any_other_and_has_no_silence_around_it() -> None:
    for text, language in ((TEXT, "en"), ("Jedes Holz braucht seine Zeit.", "de")):
        said = say(text, language)
        levels = envelope(said.samples)
        active = levels[levels > levels.max() * 0.08]
        assert abs(decibels(loudness_of(active)) + 20) < 1
        assert levels[:12].max() > levels.max() * 0.02
        assert levels[-12:].max() > levels.max() * 0.01
        assert np.abs(said.samples).max() < 1
        assert np.abs(said.samples[[0, -1]]).max() < 0.001


@pytest.mark.slow  # Two processes load the voice.
@pytest.mark.requirement("P11")
def test_the_same_line_gives_the_same_bytes_in_every_process() -> None:
    seen = hashlib.sha256()
    for text, language in ((TEXT, "en"), ("Jedes Holz braucht seine Zeit. Auch dieses.", "de")):
        seen.update(say(text, language).samples.tobytes())
    other = subprocess.run(
        [sys.executable, "-c", AGAIN], capture_output=True, text=True, check=True
    )
    assert other.stdout.strip() == seen.hexdigest()


@pytest.mark.slow  # Five languages are spoken.
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_is_spoken_at_a_measured_pace(language: str) -> None:
    assert 120 <= measured_pace(language) <= 190


@pytest.mark.slow
def test_a_wanted_pace_is_come_near_to_within_what_sounds_natural() -> None:
    own = measured_pace("en")
    slow, fast = measured_pace("en", Voice(), 100), measured_pace("en", Voice(), 300)
    assert own * 0.75 < slow < own < fast < own * 1.2


@pytest.mark.slow
def test_characters_have_different_pitches_and_about_the_same_pace() -> None:
    voices = cast(["ADA", "BO", "ADA"], {"BO": "an old man, grey beard"})
    assert set(voices) == {"", "ADA", "BO"}
    heard = {name: say(TEXT, "en", voice) for name, voice in voices.items()}
    pitches = {name: pitch_of(line.samples) for name, line in heard.items()}
    assert pitches["BO"] < pitches["ADA"] * 0.97 < pitches[""]
    lengths = [line.seconds for line in heard.values()]
    assert max(lengths) / min(lengths) < 1.15


@pytest.mark.slow
def test_a_hint_changes_how_a_name_is_said() -> None:
    plain = say("Lotsa helps.", "en")
    hinted = say("Lotsa helps.", "en", hints={"lotsa": "Loht-sah"})
    assert plain.text == hinted.text == "Lotsa helps."
    assert plain.samples.tobytes() != hinted.samples.tobytes()


@pytest.mark.parametrize("text", ["", "…", "🎉 🎉", "— —"])
def test_what_has_no_words_has_no_sound(text: str) -> None:
    said = say(text, "de")
    assert (said.seconds, said.words_per_minute, said.phrases) == (0.0, 0, ())


@pytest.mark.slow
def test_a_word_without_an_end_is_said_all_the_same() -> None:
    assert say("ab" * 300 + " <speed level='500'>", "de").seconds > 1


@pytest.mark.slow
def test_phrases_follow_the_pauses_of_the_voice() -> None:
    said = say("Boats come and go all day long. Somebody writes it all down, every time.", "en")
    assert " ".join(phrase.text for phrase in said.phrases) == said.text
    assert said.phrases[0].start == 0
    assert said.phrases[-1].end == pytest.approx(said.seconds)
    full_stop = said.phrases[0].end
    assert any(abs(start - full_stop) < 0.02 for start, _ in pauses_in(said.samples))
    for before, after in pairwise(said.phrases):
        assert before.start < before.end <= after.start


def test_a_pause_is_found_where_it_is() -> None:
    quiet = np.zeros(SAMPLE_RATE // 2, np.float32)
    signal = np.concatenate([tone(1.0), quiet, tone(2.0)])
    assert pauses_in(signal) == ((1.0, 1.5),)
    first, second = phrases_of("One two three four, five six seven eight nine ten.", signal)
    assert (first.end, second.start) == (1.0, 1.5)


def test_the_words_of_a_phrase_fill_it() -> None:
    words = words_of(Heard("a longer word", 2.0, 3.0))
    assert [word.text for word in words] == ["a", "longer", "word"]
    assert words[0].start == 2.0
    assert words[-1].end == pytest.approx(3.0)
    assert words[1].end - words[1].start > words[0].end - words[0].start


def test_faster_speech_has_the_same_pitch_and_exactly_the_length() -> None:
    signal = tone(2.0, 200)
    quick = stretched(signal, 1.1)
    assert quick.size == round(signal.size / 1.1)
    assert pitch_of(quick) == pytest.approx(200, rel=0.02)
    assert np.abs(np.diff(quick)).max() < np.abs(np.diff(signal)).max() * 1.6
    assert loudness_of(quick[2400:-2400]) == pytest.approx(loudness_of(signal), rel=0.1)


def test_a_line_is_hurried_to_its_limit_and_never_cut() -> None:
    long = spoken(4.0)
    assert hurried(long, 5.0) is long
    assert hurried(long, 3.8).seconds == pytest.approx(3.8, abs=0.001)
    most = hurried(long, 2.0)
    assert most.seconds == pytest.approx(4.0 / FASTEST, abs=0.001)
    assert most.phrases[-1].end == pytest.approx(most.seconds, abs=0.001)


def test_a_spoken_line_comes_back_from_its_bytes() -> None:
    said = spoken(1.0, "Grüße, Ada!")
    again = unpacked(packed(said))
    assert isinstance(again, Spoken)
    assert (again.text, again.phrases, again.words) == (said.text, said.phrases, said.words)
    assert np.abs(again.samples - np.clip(said.samples, -1, 1)).max() < 1e-4
    assert packed(again) == packed(said)


@pytest.mark.parametrize("damaged", [b"", b"{}\n", b"not json\n\x00\x00", b'{"text": "a"}\n\x00'])
def test_a_damaged_line_is_refused(damaged: bytes) -> None:
    with pytest.raises(InputError, match="no spoken line"):
        unpacked(damaged)
