"""Voices: text in, speech out, the same bytes for the same text.

English is spoken by hibari, a small neural voice; German, Spanish, French and Italian by SVOX
Pico. Both bring their voices along: nothing is fetched. Other characters than the narrator are the
same speaker with a throat a little longer or shorter: spoken faster and played slower, or the other
way round, so that pitch and formants move together and the tempo stays.
"""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any, Final

from callsheet import InputError
from callsheet.studio.sound.samples import (
    HOP,
    SAMPLE_RATE,
    envelope,
    faded,
    filtered,
    in_band,
    loudness_of,
    resampled,
    spread,
)
from callsheet.studio.sound.saying import sayable
from callsheet.studio.sound.tempo import stretched
from callsheet.studio.sound.timing import Heard, phrases_of
from callsheet.studio.speech import spoken_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from callsheet.studio.sound.samples import Samples

PICO: Final = {"de": "de-DE", "es": "es-ES", "fr": "fr-FR", "it": "it-IT"}
LANGUAGES: Final = ("en", *PICO)
LEVEL: Final = 0.1
"""The level of speech while it is heard: -20 dB."""
FASTEST: Final = 1.15
"""Times the ordinary tempo. Beyond it words run into each other."""
SLOWEST: Final = 0.8

_PARTS = 40
_PITCHES = (37, 42, 35, 41, 38, 43, 36)
"""In fortieths: what nobody hears as the same person, and nobody as a trick."""
_DEEP = 34
_PICO_SECONDS = 60
_PICO_RATE, _HIBARI_RATE = 16_000, 24_000
_SPEAK = """
import sys
sys.path.insert(0, sys.argv[1])
from py_nanotts import NanoTTS
speech = NanoTTS().speak(sys.stdin.read(), voice=sys.argv[2], speed=float(sys.argv[3]), volume=0.5)
sys.stdout.buffer.write(speech)
"""
_SAMPLE = {
    "en": "Every morning the harbour wakes up slowly. Boats come and go, people wave, and somebody "
    "writes it all down. It could be simpler, and today it is.",
    "de": "Jeden Morgen erwacht der Hafen langsam. Boote kommen und gehen, Menschen winken, und "
    "jemand schreibt alles auf. Es könnte einfacher sein, und heute ist es das.",
    "es": "Cada mañana el puerto despierta despacio. Los barcos van y vienen, la gente saluda, y "
    "alguien lo apunta todo. Podría ser más fácil, y hoy lo es.",
    "fr": "Chaque matin le port se réveille lentement. Les bateaux vont et viennent, les gens "
    "saluent, et quelqu'un note tout. Cela pourrait être plus simple, et aujourd'hui ça l'est.",
    "it": "Ogni mattina il porto si sveglia piano. Le barche vanno e vengono, la gente saluta, e "
    "qualcuno scrive tutto. Potrebbe essere più semplice, e oggi lo è.",
}
_LOADING = RLock()
"""Lines are spoken in several threads; what all of them need is made by the first."""
_GATE = 0.08
_TRIM = 0.012
_EVEN = 0.3


@dataclass(frozen=True, slots=True)
class Voice:
    """Who speaks. The narrator is the voice as it comes."""

    name: str = "narrator"
    pitch: int = _PARTS
    """In fortieths of the narrator's: 38 is a little deeper."""


NARRATOR: Final = Voice()


@dataclass(frozen=True, slots=True, eq=False)
class Spoken:
    """A line, spoken: mono at 48 kHz, without silence at its ends."""

    text: str
    samples: Samples
    words: int
    """As they are counted everywhere: a price is two."""
    phrases: tuple[Heard, ...]
    """As captions cut the text, and when each is heard."""
    engine: str
    voice: str
    tempo: float = 1.0
    """How much it was hurried after it was spoken."""

    @property
    def seconds(self) -> float:
        """How long it is."""
        return float(self.samples.size) / SAMPLE_RATE

    @property
    def words_per_minute(self) -> int:
        """As measured; 0 for a line without sound."""
        return round(self.words * 60 / self.seconds) if self.seconds else 0


def cast(names: Iterable[str], described: Mapping[str, str] | None = None) -> dict[str, Voice]:
    """A voice for each character, in the order they appear; the empty name is the narrator.

    Who is described as a man speaks deeper. The same names get the same voices.
    """
    voices = {"": NARRATOR}
    free = list(_PITCHES)
    for name in dict.fromkeys(name for name in names if name):
        if _is_man((described or {}).get(name, "")):
            voices[name] = Voice(name, _DEEP)
        else:
            pitch = free.pop(0) if free else _PITCHES[len(voices) % len(_PITCHES)]
            voices[name] = Voice(name, pitch)
    return voices


def _is_man(words: str) -> bool:
    men = {"man", "he", "his", "father", "grandfather", "beard", "bearded", "boy", "mr"}
    men |= {"mann", "er", "vater", "großvater", "opa", "bart", "herr", "älterer", "alter"}
    return bool(men & set(words.lower().replace(",", " ").split()))


def say(
    text: str,
    language: str,
    voice: Voice = NARRATOR,
    *,
    pace: int | None = None,
    hints: Mapping[str, str] | None = None,
) -> Spoken:
    """Speak a line.

    Args:
        text: what is said; without the name of who says it.
        language: one of `LANGUAGES`, also as `en-GB` or `de-AT`.
        voice: who says it.
        pace: words per minute to come near to, within what still sounds natural; None: the
            voice's own.
        hints: how names are pronounced, as `{"Lotsa": "Loht-sah"}`.

    Raises:
        InputError: no voice speaks the language, or the package that does is missing.
    """
    tongue = tongue_of(language)
    speed = 1.0 if pace is None else _speed(pace, tongue, voice)
    said = sayable(text, tongue, hints)
    samples = _clean(_spoken(said, tongue, speed, voice.pitch))
    return Spoken(
        text=text,
        samples=samples,
        words=spoken_words(text, tongue),
        phrases=phrases_of(text, samples),
        engine="hibari" if tongue == "en" else "pico",
        voice=voice.name,
    )


def tongue_of(language: str) -> str:
    """The language that a voice speaks, of a language code.

    Raises:
        InputError: none does.
    """
    tongue = language.strip()[:2].lower()
    if tongue not in LANGUAGES:
        known = ", ".join(LANGUAGES)
        raise InputError(
            f"No voice speaks {language!r}. There are voices for {known}: write the script in one "
            "of them, or make the film without a voice."
        )
    return tongue


def measured_pace(language: str, voice: Voice = NARRATOR, wanted: int | None = None) -> int:
    """The words per minute that a voice really speaks, measured on a fixed text.

    Args:
        language: as in `say`.
        voice: who speaks.
        wanted: the pace it is asked for; None: the voice's own.
    """
    with _LOADING:
        return _measured(tongue_of(language), voice, wanted)


@cache
def _measured(tongue: str, voice: Voice, wanted: int | None) -> int:
    return say(_SAMPLE[tongue], tongue, voice, pace=wanted).words_per_minute


def hurried(spoken: Spoken, seconds: float) -> Spoken:
    """The line so much faster that it takes so long: as far as `FASTEST`, and no word is cut.

    It may still be too long; compare `seconds`.
    """
    if spoken.seconds <= seconds:
        return spoken
    tempo = min(spoken.seconds / max(seconds, 0.01), FASTEST)
    return replace(
        spoken,
        samples=stretched(spoken.samples, tempo),
        phrases=tuple(phrase.at_tempo(tempo) for phrase in spoken.phrases),
        tempo=spoken.tempo * tempo,
    )


def _speed(pace: int, tongue: str, voice: Voice) -> float:
    own = measured_pace(tongue, voice)
    # In steps, so that two wishes that sound the same are the same.
    return min(max(round(pace / own, 2), SLOWEST), FASTEST)


def _spoken(said: str, tongue: str, speed: float, pitch: int) -> Samples:
    """The voice as the engine gives it, at 48 kHz and the wanted pitch."""
    import numpy as np

    if not any(character.isalnum() for character in said):
        return np.zeros(0, np.float32)
    before = round(speed * _PARTS / pitch, 4)
    if tongue == "en":
        raw, rate = loaded_voice()(said, speed=before, seed=0), _HIBARI_RATE
    else:
        raw, rate = _pico(said, PICO[tongue], before), _PICO_RATE
    return resampled(raw.astype(np.float32), SAMPLE_RATE // rate * _PARTS, pitch)


def loaded_voice() -> Any:
    """The English voice. Loaded once per process: it takes as long as half a minute of speech.

    Raises:
        InputError: its package is missing.
    """
    with _LOADING:
        return _hibari()


@cache
def _hibari() -> Any:
    try:
        from hibari import Hibari
    except ImportError as exc:
        raise _missing("hibari-tts") from exc
    voice = Hibari(threads=1)
    # Its lexicon, which it would load with the first word, in each thread that has one.
    voice.phonemize("a")
    return voice


def _pico(said: str, voice: str, speed: float) -> Samples:
    """In a fresh process: what it reads from memory that others used changes what it says."""
    import numpy as np

    try:
        import py_nanotts
    except ImportError as exc:
        raise _missing("py-nanotts") from exc
    home = str(Path(py_nanotts.__file__).parent.parent)
    call = [sys.executable, "-I", "-S", "-c", _SPEAK, home, voice, str(speed)]
    try:
        # The program is our own, and so is each argument; the text goes in by its standard input.
        done = subprocess.run(  # noqa: S603
            call, input=said.encode(), capture_output=True, timeout=_PICO_SECONDS, check=False
        )
    except subprocess.TimeoutExpired as exc:
        raise InputError(f"The voice does not come to an end with {said[:60]!r}.") from exc
    if done.returncode:
        told = done.stderr.decode(errors="replace").strip().splitlines()[-1:] or ["no reason"]
        raise InputError(f"The voice could not say {said[:60]!r}: {told[0]}. Write it otherwise.")
    return np.frombuffer(done.stdout, "<i2").astype(np.float32) / 32768


def _missing(package: str) -> InputError:
    return InputError(f"{package} is not installed: pip install 'callsheet[studio]'.")


def _clean(signal: Samples) -> Samples:
    """Without silence at the ends and rumble below, evenly loud, and always at the same level."""
    import numpy as np

    levels = envelope(signal)
    if not levels.size or not levels.max() > _TRIM / 10:
        return np.zeros(0, np.float32)
    heard = np.flatnonzero(levels > levels.max() * _TRIM)
    start, end = max(int(heard[0]) - 2, 0) * HOP, (int(heard[-1]) + 4) * HOP
    signal = filtered(signal[start:end], in_band(60, 24_000))
    levels = envelope(signal)
    active = levels[levels > levels.max() * _GATE]
    usual = float(np.sqrt(np.mean(np.square(active))))
    window = np.hanning(13)[1:-1].astype(np.float32)
    slow = np.convolve(np.maximum(levels, usual * 0.35), window / window.sum(), mode="same")
    slow = np.maximum(slow, usual * 0.35)
    signal = signal * spread((slow / usual) ** np.float32(-_EVEN), signal.size)
    levels = envelope(signal)
    loud = loudness_of(levels[levels > levels.max() * _GATE])
    return faded(signal * np.float32(LEVEL / loud), 0.008, 0.02)
