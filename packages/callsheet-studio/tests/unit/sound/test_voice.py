"""A voice says what is written, at its own measured pace, the same each time."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path

import msgspec
import numpy as np
import pytest
from tests.unit.sound.parts import spoken, tone

from callsheet.errors import InputError
from callsheet_studio.base.speech import NEAR, load, pace, sounds_in, speech_seconds
from callsheet_studio.base.voices import FASTEST, SLOWEST, Sounds, measured, voices
from callsheet_studio.brief import load as load_brief
from callsheet_studio.script import write_script
from callsheet_studio.sound.encode import packed, unpacked
from callsheet_studio.sound.lines import lines_of, place, voices_for
from callsheet_studio.sound.measuring import explained, package_of, readings
from callsheet_studio.sound.polish import polished
from callsheet_studio.sound.samples import SAMPLE_RATE, decibels, envelope, loudness_of
from callsheet_studio.sound.tempo import stretched
from callsheet_studio.sound.timing import Heard, pauses_in, phrases_of, words_of
from callsheet_studio.sound.tongues import tongues
from callsheet_studio.sound.voice import (
    Spoken,
    cast,
    hurried,
    loaded_voice,
    say,
)

EXAMPLES = Path(__file__).parents[5] / "examples" / "briefs"
TEXT = "Harbor keeps every berth in view, and it works offline. Try it today."
AGAIN = f"""
import hashlib
from callsheet_studio.sound.voice import say
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


def said_without(*packages: str, language: str) -> str:
    """What a fresh interpreter says of a line, in which these packages are not installed."""
    code = f"""
import sys
from callsheet.errors import InputError
from callsheet_studio.sound.voice import say
for package in {packages!r}:
    sys.modules[package] = None
try:
    said = say("Every morning the harbour wakes up slowly.", {language!r}, pace=150)
    print(said.engine, round(said.seconds, 2), float(abs(said.samples).max()) > 0.1)
except InputError as exc:
    print(exc)
"""
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return told.stdout.strip()


@pytest.mark.slow  # A fresh interpreter.
def test_a_missing_package_is_named_with_what_to_install() -> None:
    told = said_without("py_nanotts", language="de")
    assert told == "py-nanotts is not installed: pip install callsheet-studio."


@pytest.mark.slow  # A fresh interpreter.
@pytest.mark.requirement("S10")
def test_without_the_english_voice_the_other_one_speaks_english_in_the_planned_time() -> None:
    engine, seconds, is_heard = said_without("hibari", language="en").split()
    assert (engine, is_heard) == ("pico", "True")
    planned = speech_seconds("Every morning the harbour wakes up slowly.", 150, "en")
    assert planned / float(NEAR) - 0.02 <= float(seconds) <= planned * float(NEAR) + 0.02


@pytest.mark.slow  # The voice is loaded.
def test_threads_that_speak_at_once_share_one_voice_and_say_the_same() -> None:
    with ThreadPoolExecutor(4) as threads:
        voices = {id(voice) for voice in threads.map(lambda _: loaded_voice(), range(4))}
        said = set(threads.map(lambda _: say(TEXT, "en", pace=150).samples.tobytes(), range(4)))
    assert len(voices) == 1
    assert said == {say(TEXT, "en", pace=150).samples.tobytes()}


def test_a_voice_that_fails_says_what_it_could_not_say(monkeypatch: pytest.MonkeyPatch) -> None:
    spoiled = msgspec.structs.replace(tongues()["de"], voice="xx-XX")
    monkeypatch.setattr("callsheet_studio.sound.voice.tongues", lambda: {"de": spoiled})
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


NEW = {
    "en": (
        "Nobody counts the boxes twice.",
        "The bakery on the corner opens at six, and the first bread is gone by seven.",
    ),
    "de": (
        "Niemand zählt die Kisten zweimal.",
        "Die Bäckerei an der Ecke öffnet um sechs, und das erste Brot ist um sieben weg.",
    ),
    "es": (
        "Nadie cuenta las cajas dos veces.",
        "La panadería de la esquina abre a las seis, y a las siete ya no queda pan.",
    ),
    "fr": (
        "Personne ne compte les caisses deux fois.",
        "La boulangerie du coin ouvre à six heures, et à sept heures il n'y a plus de pain.",
    ),
    "it": (
        "Nessuno conta le casse due volte.",
        "Il forno all'angolo apre alle sei, e alle sette il pane è già finito.",
    ),
}
"""Lines that no voice was measured with."""


@pytest.mark.slow  # Five languages are spoken.
@pytest.mark.requirement("P4")
@pytest.mark.parametrize("language", tongues())
def test_a_line_takes_as_long_as_its_script_was_timed_with(language: str) -> None:
    asked = pace("", language)
    own = [say(line, language).seconds for line in NEW[language]]
    assert sum(own) == pytest.approx(
        sum(speech_seconds(line, _own(language), language) for line in NEW[language]), rel=0.15
    )
    for line in NEW[language]:
        planned = speech_seconds(line, asked, language)
        found = say(line, language, pace=asked).seconds
        assert planned / float(NEAR) - 0.01 < found < planned * float(NEAR) + 0.01


@pytest.mark.long  # Two hundred lines are spoken.
@pytest.mark.requirement("P4")
def test_every_line_of_the_examples_is_spoken_in_its_time_and_fits_its_beat() -> None:
    off = []
    for path in sorted(EXAMPLES.iterdir()):
        if path.suffix not in {".yaml", ".json", ".md"}:
            continue
        script = write_script(load_brief(path))
        told, who = lines_of(script), voices_for(script)
        wpm, language = script.words_per_minute, script.language
        said = [(line, say(line.text, language, who[line.speaker], pace=wpm)) for line in told]
        off += [
            abs(speech_seconds(line.text, wpm, language) / spoken.seconds - 1)
            for line, spoken in said
        ]
        placed, wrong = place(said, script.rate)
        assert wrong == ()
        assert max(each.spoken.tempo for each in placed) < 1.1
    assert len(off) > 150
    assert float(np.percentile(off, 95)) < 0.08
    assert float(np.mean(off)) < 0.05


def _own(language: str) -> int:
    voice = measured(language)
    assert voice is not None
    return voice.words_per_minute


@pytest.mark.parametrize("language", tongues())
def test_every_voice_was_measured_with_the_package_that_speaks_now(language: str) -> None:
    # If this fails, measure again: python -m callsheet_studio.sound.measuring DATE
    kept = voices()[language]
    assert kept["package"] == package_of(language)
    assert kept["lines"] == len(readings(language)) >= 30
    assert kept["error"]["mean"] < 0.08
    assert 120 <= kept["words_per_minute"] <= 190


def test_what_a_sound_takes_is_what_explains_the_times_of_all_lines() -> None:
    each = Sounds(syllables=60, letters=25, words=40, others=400, pauses=300, stops=800, lines=200)
    lines = {line: sounds_in(line, "en") for line in readings("en")}
    seconds = {
        line: sum(a * b for a, b in zip(sounds, each, strict=True)) / 1000
        for line, sounds in lines.items()
    }
    found, error = explained(lines, seconds)
    assert error["p95"] < 0.05
    assert found.stops == pytest.approx(each.stops, rel=0.15)
    assert min(found) >= 0


def test_a_voice_is_told_what_makes_a_tempo_heard() -> None:
    for language in tongues():
        voice = measured(language)
        assert voice is not None
        told = [voice.told(tempo / 100) for tempo in range(50, 200)]
        assert told == sorted(told)
        for setting, heard in voice.tempos:
            assert voice.told(heard) == pytest.approx(setting, abs=0.002)


@pytest.mark.requirement("P4")
def test_a_pace_is_what_the_voice_can_really_speak() -> None:
    assert pace("calm", "xx") == 120
    english = measured("en")
    assert english is not None
    assert pace("calm", "en") == round(english.words_per_minute * SLOWEST) > 120
    assert pace("urgent", "de") == round(_own("de") * FASTEST) < 170
    assert pace("", "en") == 150


def test_long_words_weigh_more_than_their_number() -> None:
    assert load("We go on to it now.", "en") == 6
    assert load("Incomprehensible characteristics notwithstanding.", "en") > 4
    assert load("We go.", "en", goes_on=True) > load("We go.", "en")
    assert load("Incomprehensible characteristics.", "xx") == 2


@pytest.mark.slow
@pytest.mark.requirement("P11")
def test_characters_are_three_semitones_apart_and_take_as_long() -> None:
    looks = {"BO": "58, grey beard", "MIA": "a girl, 8"}
    voices_of = cast(["", "ADA", "BO", "MIA", "ADA"], looks)
    assert set(voices_of) == {"", "ADA", "BO", "MIA"}
    heard = {name: say(TEXT, "en", who, pace=150) for name, who in voices_of.items()}
    pitches = sorted(pitch_of(line.samples) for line in heard.values())
    assert all(12 * np.log2(high / low) >= 2.9 for low, high in pairwise(pitches))
    assert pitch_of(heard["BO"].samples) < pitch_of(heard["ADA"].samples)
    assert pitch_of(heard["MIA"].samples) == pitches[-1]
    lengths = [line.seconds for line in heard.values()]
    assert max(lengths) / min(lengths) < 1.11
    assert all(np.abs(line.samples).max() < 1 for line in heard.values())


def test_without_a_narrator_a_woman_speaks_with_her_own_voice() -> None:
    looks = {"ADA": "a woman, 40", "BO": "a man, 40"}
    assert cast(["ADA", "BO"], looks)["ADA"].pitch > 40
    assert cast(["BO", "ADA"], looks)["BO"].pitch < 34
    two = cast(["BO", "TEO"], {"BO": "a man, 40", "TEO": "a man, 58"})
    assert two["TEO"].pitch >= two["BO"].pitch * 2 ** (3 / 12)
    many = cast([f"N{n}" for n in range(30)])
    assert len(many) == 31


@pytest.mark.slow
def test_a_hint_changes_how_a_name_is_said() -> None:
    plain = say("Lotsa helps.", "en")
    hinted = say("Lotsa helps.", "en", hints={"lotsa": "Loht-sah"})
    assert plain.text == hinted.text == "Lotsa helps."
    assert plain.samples.tobytes() != hinted.samples.tobytes()


def test_an_s_is_not_louder_than_it_should_be_and_the_rest_stays() -> None:
    seconds = np.arange(SAMPLE_RATE) / SAMPLE_RATE
    vowel = np.sin(2 * np.pi * 220 * seconds).astype(np.float32) * np.float32(0.1)
    hiss = np.sin(2 * np.pi * 10_000 * seconds).astype(np.float32) * np.float32(0.4)
    hiss[: SAMPLE_RATE // 2] = 0
    made = polished(vowel + hiss)
    bands = np.abs(np.fft.rfft(made[SAMPLE_RATE // 2 + 4800 :][:19200]))
    loud, sharp = bands[round(220 * 19200 / SAMPLE_RATE)], bands[10_000 * 19200 // SAMPLE_RATE]
    assert sharp < 0.7 * loud
    assert np.abs(made).max() < 1


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


_QUIET = """
import os, sys, tempfile
from pathlib import Path
home = Path(tempfile.gettempdir())
from callsheet_studio.sound.voice import Voice, say
say("One berth.", "en", Voice("narrator"))
assert "onnxruntime" in sys.modules
print(sorted(each.name for each in home.rglob("*")))
"""


@pytest.mark.slow  # a process that loads the voice
def test_speaking_tells_nobody_and_leaves_nothing_behind(tmp_path: Path) -> None:
    """The library that the voice runs on would note its sessions, for its makers."""
    told = {"TMPDIR": str(tmp_path), "HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", _QUIET],
        env={**os.environ, **told},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "[]"
