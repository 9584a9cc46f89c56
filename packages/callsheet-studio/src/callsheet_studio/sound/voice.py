"""Voices: text in, speech out, the same bytes for the same text.

English is spoken by hibari, a small neural voice, or by SVOX Pico where hibari is not installed;
German, Spanish, French and Italian by Pico. Both bring their voices along: nothing is fetched.
Other characters than the narrator are the same speaker with a throat a little longer or shorter:
spoken faster and played slower, or the other way round, so that pitch and formants move together
and the tempo stays.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any, Final

import msgspec
from msgspec.structs import replace

from callsheet.errors import InputError
from callsheet_studio.base.memory import for_now
from callsheet_studio.base.speech import NEAR, speech_seconds, spoken_words
from callsheet_studio.base.voices import FASTEST, is_loaded, measured
from callsheet_studio.sound.polish import polished
from callsheet_studio.sound.samples import SAMPLE_RATE, resampled
from callsheet_studio.sound.saying import sayable
from callsheet_studio.sound.tempo import stretched
from callsheet_studio.sound.timing import Heard, phrases_of
from callsheet_studio.sound.tongues import tongues
from callsheet_studio.sound.wordbook import reader

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from callsheet_studio.base.voices import Measured
    from callsheet_studio.sound.samples import Samples

_PARTS = 40
_PITCHES = {
    "man": (30, 27, 36, 33, 25),
    "woman": (43, 33, 48, 36, 52),
    "child": (52, 57, 48, 45, 61),
}
"""In fortieths, the most fitting first."""
_APART = 2 ** (3 / 12)
"""Three semitones: nobody is taken for another."""
_PICO_SECONDS = 60
_PICO_RATE, _HIBARI_RATE = 16_000, 24_000
_SPEAK = """
import sys
sys.path.insert(0, sys.argv[1])
from py_nanotts import NanoTTS
speech = NanoTTS().speak(sys.stdin.read(), voice=sys.argv[2], speed=float(sys.argv[3]), volume=0.5)
sys.stdout.buffer.write(speech)
"""
_LOADING = RLock()
"""Lines are spoken in several threads; what all of them need is made by the first."""


class Voice(msgspec.Struct, frozen=True):
    """Who speaks. The narrator is the voice as it comes."""

    name: str = "narrator"
    pitch: int = _PARTS
    """In fortieths of the narrator's: 38 is a little deeper."""


NARRATOR: Final = Voice()


class Spoken(msgspec.Struct, frozen=True, eq=False):
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

    Men speak deeper and children higher, as they are drawn; whoever speaks beside others is well
    apart from them, as long as there are pitches left. The same names get the same voices.

    Args:
        names: who speaks, the narrator too.
        described: how they look, as far as it is told.
    """
    speaking = list(dict.fromkeys(names))
    taken = [NARRATOR.pitch] if "" in speaking else []
    voices = {"": NARRATOR}
    for number, name in enumerate(filter(None, speaking)):
        wanted = _PITCHES[_throat(name, (described or {}).get(name, ""))]
        free = [pitch for pitch in wanted if all(_differ(pitch, other) for other in taken)]
        voices[name] = Voice(name, free[0] if free else wanted[number % len(wanted)])
        taken.append(voices[name].pitch)
    return voices


def _differ(pitch: int, other: int) -> bool:
    return max(pitch, other) >= min(pitch, other) * _APART


def _throat(name: str, words: str) -> str:
    # Only who has characters loads what they look like.
    from callsheet_studio.draw.figures.look import look_of

    look = look_of(name.title(), words)
    return "child" if look.age == "child" else "man" if look.form == "man" else "woman"


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
        language: one of `tongues`, also as `en-GB` or `de-AT`.
        voice: who says it.
        pace: words per minute to come near to, within what still sounds natural; None: the
            voice's own.
        hints: how names are pronounced, as `{"Lotsa": "Loht-sah"}`.

    Raises:
        InputError: no voice speaks the language, or the package that does is missing.
    """
    tongue = tongue_of(language)
    own = _voice(tongue)
    told = 1.0 if pace is None else own.tempo(pace)
    said = sayable(text, tongue, hints)
    samples = polished(_spoken(said, tongue, told, voice.pitch))
    planned = None if pace is None else speech_seconds(text, pace, tongue)
    samples = samples if planned is None else _held(samples, planned)
    return Spoken(
        text=text,
        samples=samples,
        words=spoken_words(text, tongue),
        phrases=phrases_of(text, samples),
        engine="hibari" if is_loaded(tongue) else "pico",
        voice=voice.name,
    )


def _held(samples: Samples, planned: float) -> Samples:
    """A line that is far from the time it was planned with is brought near to it."""
    seconds = samples.size / SAMPLE_RATE
    nearest = min(max(seconds, planned / float(NEAR)), planned * float(NEAR))
    tempo = min(max(seconds / nearest, 1 / FASTEST), FASTEST) if nearest else 1.0
    return stretched(samples, tempo)


def tongue_of(language: str) -> str:
    """The language that a voice speaks, of a language code.

    Raises:
        InputError: none does.
    """
    tongue = language.strip()[:2].lower()
    if tongue not in tongues():
        known = ", ".join(tongues())
        raise InputError(
            f"No voice speaks {language!r}. There are voices for {known}: write the script in one "
            "of them, or make the film without a voice."
        )
    return tongue


def as_it_comes(text: str, language: str, told: float) -> float:
    """The seconds that the narrator takes when the voice is told a tempo: what is measured."""
    said = _raw(sayable(text, language), language, told)
    return float(polished(said).size) / SAMPLE_RATE


def running(language: str) -> str:
    """A text of some sentences, on which the pace of a voice is measured."""
    return tongues()[tongue_of(language)].sample


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


def _voice(tongue: str) -> Measured:
    found = measured(tongue)
    assert found is not None, "every voice is measured"
    return found


def _spoken(said: str, tongue: str, tempo: float, pitch: int) -> Samples:
    """The voice at 48 kHz, at the tempo and the pitch that are wanted."""
    # Played slower it is deeper, so it is spoken faster before.
    told = _voice(tongue).told(tempo * _PARTS / pitch)
    return _raw(said, tongue, told, pitch)


def _raw(said: str, tongue: str, told: float, pitch: int = _PARTS) -> Samples:
    """The voice as the engine gives it, at 48 kHz."""
    import numpy as np

    if not any(character.isalnum() for character in said):
        return np.zeros(0, np.float32)
    if is_loaded(tongue):
        raw, rate = loaded_voice()(said, speed=told, seed=0), _HIBARI_RATE
    else:
        raw, rate = _pico(said, tongues()[tongue].voice, told), _PICO_RATE
    return resampled(raw.astype(np.float32), SAMPLE_RATE // rate * _PARTS, pitch)


def loaded_voice() -> Any:
    """The English voice. Loaded once, until `let_go`: it takes as long as half a minute of speech.

    Raises:
        InputError: its package is missing.
    """
    with _LOADING:
        return _hibari()


@for_now
def _hibari() -> Any:
    try:
        # What the voice runs on would tell its makers of it: we have promised to tell nobody.
        os.environ["ORT_DISABLE_TELEMETRY"] = "1"
        import onnxruntime
        from hibari import Hibari
    except ImportError as exc:
        raise _missing("hibari-tts") from exc
    onnxruntime.disable_telemetry_events()
    voice = Hibari(threads=1, g2p=reader())
    # Its lexicon, which is read with the first word; two threads would read it twice. After the
    # net, which takes a tenth longer where something was unpacked before.
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
    return InputError(f"{package} is not installed: pip install callsheet-studio.")
