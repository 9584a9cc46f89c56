"""One clock: time is whole frames at the project's rate. Seconds and timecodes are views of it.

Script, shots, plan, captions, render and export all count with what is here, so that nothing is
ever off by a frame because two places rounded differently.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from typing_extensions import override

from callsheet.errors import InputError

FORMS = "30, 30s, 1:30, 1m30s or 90 seconds"
LONGEST = 6 * 3600 - 1
"""Seconds; a longer film is a mistake."""

_KNOWN = {
    "23.976": Fraction(24000, 1001),
    "23.98": Fraction(24000, 1001),
    "24": Fraction(24),
    "25": Fraction(25),
    "29.97": Fraction(30000, 1001),
    "30": Fraction(30),
    "24000/1001": Fraction(24000, 1001),
    "30000/1001": Fraction(30000, 1001),
}
_NTSC = 1001
_UNITS = {
    **dict.fromkeys(("h", "hour", "hours", "stunde", "stunden"), 3600),
    **dict.fromkeys(("m", "min", "minute", "minutes", "minuten"), 60),
    **dict.fromkeys(("s", "sec", "second", "seconds", "sek", "sekunde", "sekunden"), 1),
}
_NUMBER = r"\d+(?:\.\d+)?"
_PLAIN = re.compile(rf"({_NUMBER})\Z")
_CLOCK = re.compile(r"(?:(\d+):)?(\d{1,3}):([0-5]\d(?:\.\d+)?)\Z")
_PART = re.compile(rf"({_NUMBER})\s*({'|'.join(sorted(_UNITS, key=len, reverse=True))})\s*")
_TIMECODE = re.compile(r"(\d{2,3}):([0-5]\d):([0-5]\d)([:;])(\d{2})\Z")


@dataclass(frozen=True, slots=False)
class Rate:
    """Frames per second, exactly."""

    fps: Fraction

    @classmethod
    def of(cls, text: str | float) -> Rate:
        """The rate that a number or a text stands for.

        Raises:
            InputError: it is none that films are made at.
        """
        known = _KNOWN.get(str(text).strip().removesuffix(".0"))
        if known is None:
            raise InputError(f"{text!r} is not a frame rate. Write 24, 25, 30, 23.976 or 29.97.")
        return cls(known)

    @cached_property
    def base(self) -> int:
        """The whole number that timecodes count with: 24 for 23.976, 30 for 29.97."""
        return round(self.fps)

    @property
    def drops(self) -> bool:
        """Whether its timecode leaves numbers out to keep up with the clock."""
        return self.fps == _KNOWN["29.97"]

    def frames(self, seconds: float | Fraction) -> int:
        """The nearest whole number of frames, halves upwards."""
        exact = Fraction(seconds).limit_denominator(1_000_000) * self.fps
        return int(exact + Fraction(1, 2))

    def seconds(self, frames: int) -> float:
        """How long so many frames take."""
        return float(frames / self.fps)

    def to_json(self) -> int | str:
        """As it stands in files: a number, or a fraction as text."""
        whole = self.fps.denominator == 1
        return int(self.fps) if whole else f"{self.fps.numerator}/{self.fps.denominator}"

    @override
    def __str__(self) -> str:
        return f"{float(self.fps):.3f}".rstrip("0").rstrip(".")

    # Timecode

    def timecode(self, frames: int, *, drop: bool | None = None) -> str:
        """`HH:MM:SS:FF`; at 29.97 with dropped numbers (`HH:MM:SS;FF`) unless told otherwise."""
        drop = self.drops if drop is None else drop
        number = _with_dropped(frames) if drop else frames
        seconds, frame = divmod(number, self.base)
        minutes, second = divmod(seconds, 60)
        hour, minute = divmod(minutes, 60)
        return f"{hour:02}:{minute:02}:{second:02}{';' if drop else ':'}{frame:02}"

    def from_timecode(self, text: str) -> int:
        """The frames that a timecode stands for.

        Raises:
            InputError: it is none, or one that does not occur at this rate.
        """
        found = _TIMECODE.match(text.strip())
        if found is None:
            raise InputError(f"{text!r} is not a timecode. Write HH:MM:SS:FF.")
        hour, minute, second, frame = (int(found[n]) for n in (1, 2, 3, 5))
        if frame >= self.base:
            raise InputError(f"{text!r}: at {self} fps a second has frames 00 to {self.base - 1}.")
        number = ((hour * 60 + minute) * 60 + second) * self.base + frame
        if found[4] == ":":
            return number
        if second == 0 and frame < _DROPPED and minute % 10:
            raise InputError(f"{text!r} does not occur: its number is dropped.")
        total = hour * 60 + minute
        return number - _DROPPED * (total - total // 10)


_DROPPED = 2
"""Numbers that are left out at the beginning of each minute but every tenth."""
_PER_TEN_MINUTES = 17982
_PER_MINUTE = 1798


def _with_dropped(frames: int) -> int:
    tens, rest = divmod(frames, _PER_TEN_MINUTES)
    minutes = max(rest - _DROPPED, 0) // _PER_MINUTE if rest > _PER_MINUTE + 1 else 0
    return frames + _DROPPED * (9 * tens + minutes)


def read_duration(found: object) -> float:
    """The seconds that somebody has written: a number, or text like `1m30s`.

    Raises:
        InputError: it is no single length of time; names the forms.
    """
    seconds = _seconds_in(found)
    if seconds is None or not 0 < seconds <= LONGEST:
        what = "is longer than any film here" if seconds else "is not a duration"
        raise InputError(f"{found!r} {what}. Write it as in {FORMS}.")
    return seconds


def _seconds_in(found: object) -> float | None:
    if isinstance(found, bool):
        return None
    if isinstance(found, (int, float)):
        return float(found)
    if not isinstance(found, str):
        return None
    text = found.strip().lower()
    if plain := _PLAIN.match(text):
        return float(plain[1])
    if clock := _CLOCK.match(text):
        return int(clock[1] or 0) * 3600 + int(clock[2]) * 60 + float(clock[3])
    return _added_up(text)


def _added_up(text: str) -> float | None:
    total, place, last = 0.0, 0, 3601
    while place < len(text):
        part = _PART.match(text, place)
        # Each unit once, the larger first: `30s 1m` is nonsense, and so is `1m-2m`.
        if part is None or _UNITS[part[2]] >= last:
            return None
        last = _UNITS[part[2]]
        total += float(part[1]) * last
        place = part.end()
    return total if text else None
