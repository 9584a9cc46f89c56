"""Measures how long the voices take: `python -m callsheet_studio.sound.measuring 2026-11-16 [en]`.

Each voice reads the lines of its language at its own tempo, and a third of them at others. What
a syllable, a letter, a comma takes is what explains these times best. The result is
`base/voices.toml`, which scripts are timed with: run it when a voice or its package changes.
"""

from __future__ import annotations

import sys
from datetime import date
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from callsheet_studio.base.speech import sounds_in, spoken_words
from callsheet_studio.base.voices import Sounds, voices
from callsheet_studio.sound.tongues import tongues
from callsheet_studio.sound.voice import as_it_comes, running

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

PACKAGES = {"en": "hibari-tts"}
"""Which package speaks; py-nanotts speaks all others."""
_HEAD = """\
# How long the voices take. Written by `python -m callsheet_studio.sound.measuring`: do not edit.
# A line takes the sum of its sounds; `error` is how far off that is on the lines it was
# measured with. `tempos`: what the voice was told, what was heard.
"""
_TOLD = (0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 1.0, 1.05, 1.1, 1.2, 1.3, 1.4, 1.5)
_SOME = 3
_HELD = 0.02
"""How much is held against large numbers: a few lines must not explain a comma by a miracle."""


def measure_voice(language: str, today: date) -> dict[str, Any]:
    """All that is kept of a voice."""
    lines = readings(language)
    own = {line: as_it_comes(line, language, 1.0) for line in lines}
    some = lines[::_SOME]
    tempos: list[tuple[float, float]] = []
    for told in _TOLD:
        heard = sum(own[line] for line in some)
        heard /= sum(as_it_comes(line, language, told) for line in some)
        tempos.append((told, round(max(heard, tempos[-1][1] + 0.001 if tempos else 0.0), 3)))
    sample = running(language)
    text = as_it_comes(sample, language, 1.0)
    seconds, error = explained({line: sounds_in(line, language) for line in lines}, own)
    return {
        "package": package_of(language),
        "measured": today,
        "lines": len(lines),
        "error": error,
        "words_per_minute": round(spoken_words(sample, language) * 60 / text),
        "milliseconds": seconds._asdict(),
        "tempos": tempos,
    }


def package_of(language: str) -> str:
    """The package that speaks a language, and its version."""
    name = PACKAGES.get(language, "py-nanotts")
    return f"{name} {version(name)}"


def readings(language: str) -> list[str]:
    """The lines that are read."""
    return tongues()[language].readings["lines"].strip().splitlines()


def explained(
    sounds: Mapping[str, Sounds], seconds: Mapping[str, float]
) -> tuple[Sounds, dict[str, float]]:
    """What each sound takes, never less than nothing, and how far off that is: relative errors."""
    import numpy as np

    counts = np.array([sounds[line] for line in seconds], float)
    taken = np.array(list(seconds.values()))
    scale = counts.mean(axis=0) + 1e-9
    rows = np.vstack([counts / scale / taken[:, None], _HELD * np.eye(scale.size)])
    wanted = np.concatenate([np.ones(taken.size), np.zeros(scale.size)])
    used = list(range(scale.size))
    while True:
        found = np.linalg.lstsq(rows[:, used], wanted, rcond=None)[0]
        if (found >= 0).all():
            break
        used.pop(int(np.argmin(found)))
    each = np.zeros(scale.size)
    each[used] = found / scale[used]
    rounded = Sounds(*(round(float(one) * 1000) for one in each))
    off = np.abs(counts @ np.array(rounded) / 1000 / taken - 1)
    return rounded, {
        "mean": round(float(off.mean()), 3),
        "p95": round(float(np.percentile(off, 95)), 3),
    }


def written(found: Mapping[str, Mapping[str, Any]]) -> str:
    """As the file has it."""
    parts = [_HEAD]
    for language, voice in found.items():
        rows = [f"{key} = {_value(voice[key])}" for key in voice]
        parts.append(f"[{language}]\n" + "\n".join(rows) + "\n")
    return "\n".join(parts)


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {each}" for key, each in value.items()) + "}"
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(_value, value))}]"
    return str(value)


def main(today: str, *languages: str) -> None:
    """Measure these languages, or all, and write the file."""
    chosen: Iterable[str] = languages or tongues()
    found = dict(voices())
    for language in chosen:
        found[language] = measure_voice(language, date.fromisoformat(today))
        sys.stdout.write(f"{language}: {found[language]['words_per_minute']} words a minute\n")
    target = Path(str(files("callsheet_studio.base").joinpath("voices.toml")))
    target.write_text(written(found), "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
