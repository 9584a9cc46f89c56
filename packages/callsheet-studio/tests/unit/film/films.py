"""A small film of four shots, and ways to damage it."""

from __future__ import annotations

import io
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any

import av
import numpy as np
from tests.unit.draw.shots import MARA, STYLE, TEO, a_shot

from callsheet_studio.film.assemble import Chapter, Reel, assemble
from callsheet_studio.film.check.expected import Expected, ExpectedShot
from callsheet_studio.film.encode import encode
from callsheet_studio.film.shoot import Shooting
from callsheet_studio.film.takes import TakeData
from callsheet_studio.model.captions import CaptionLine
from callsheet_studio.model.shots import Movement, Shot
from callsheet_studio.sound.encode import encode_aac
from callsheet_studio.sound.samples import SAMPLE_RATE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from callsheet_studio.film.planes import Picture

SIZE = (192, 108)
RATE = Fraction(24)
SPOKEN = CaptionLine(start=8, end=40, lines=("Two boats,", "one berth."))
LOUDNESS = -16.0

_SHOTS = (
    ("1A", "harbour", "WS", "static", "fade_in", 48),
    ("1B", "office", "MS", "push", "cut", 24),
    ("2A", "forest", "WS", "truck", "dissolve", 36),
    ("3A", "kitchen", "MCU", "static", "fade_out", 36),
)


def a_take(shot: Shot, size: tuple[int, int] = SIZE, **changes: Any) -> TakeData:
    """A shot, ready to be filmed."""
    plain = TakeData(
        shot=shot, before=None, figures=(MARA, TEO), style=STYLE, size=size, captions=()
    )
    return plain.model_copy(update=changes)


def shots() -> tuple[Shot, ...]:
    """The four shots, one after the other."""
    found, start = [], 0
    for name, place, size, move, transition, frames in _SHOTS:
        found.append(
            a_shot(
                id=name,
                place=place,
                size=size,
                movement=Movement.model_validate({"kind": move}),
                transition=transition,
                start=start,
                end=start + frames,
            )
        )
        start += frames
    return tuple(found)


@cache
def pictures() -> tuple[tuple[Picture, ...], ...]:
    """The frames of each shot."""
    found: list[tuple[Picture, ...]] = []
    before = None
    for shot in shots():
        take = a_take(
            shot.model_copy(update={"start": 0, "end": shot.frames}),
            before=before if shot.transition == "dissolve" else None,
            captions=(SPOKEN,) if shot.id == "1A" else (),
        )
        found.append(tuple(Shooting(take).pictures()))
        before = take.shot
    return tuple(found)


def expected(**changes: Any) -> Expected:
    """What the small film should be."""
    plain = Expected(
        size=SIZE,
        fps="24",
        shots=tuple(
            ExpectedShot(id=each.id, start=each.start, end=each.end, transition=each.transition)
            for each in shots()
        ),
        captions=(SPOKEN,),
        loudness=LOUDNESS,
    )
    return plain.model_copy(update=changes)


def segments(
    change: Callable[[list[Picture]], Sequence[Picture]] | None = None, rate: Fraction = RATE
) -> list[bytes]:
    """The small film shot by shot, after a change to all its frames."""
    if change is None and rate == RATE:
        return list(_segments())
    plain = [picture for each in pictures() for picture in each]
    changed = list(change(plain)) if change else plain
    return [
        encode(changed[shot.start : None if shot.id == "3A" else shot.end], SIZE, rate)
        for shot in shots()
    ]


@cache
def _segments() -> tuple[bytes, ...]:
    return tuple(encode(each, SIZE, RATE) for each in pictures())


def sound(scratch: Path, change: Callable[[Any], Any] = lambda signal: signal) -> bytes:
    """A soft chord as loud as it should be, after a change to its samples."""
    seconds = np.arange(round(144 / 24 * SAMPLE_RATE)) / SAMPLE_RATE
    chord = sum(np.sin(seconds * pitch * np.pi * 2) for pitch in (220, 277, 330))
    signal = np.array([chord, chord], np.float32) * 0.1006
    target = scratch / "sound.m4a"
    encode_aac(change(signal), target)
    return target.read_bytes()


def reel(scratch: Path, **changes: Any) -> Reel:
    """What the small film is put together from."""
    told: dict[str, Any] = {
        "segments": None,
        "sound": None,
        "rate": RATE,
        "frames": 144,
        "captions": (SPOKEN,),
        "chapters": [Chapter(each.id, each.start, each.end) for each in shots()],
        "title": "Two Boats",
    } | changes
    told["segments"] = told["segments"] or segments()
    told["sound"] = told["sound"] or sound(scratch)
    return Reel(**told)


def a_film(scratch: Path, **changes: Any) -> Path:
    """The small film as a file."""
    target = scratch / "film.mp4"
    target.write_bytes(assemble(reel(scratch, **changes)))
    return target


def decoded(film: bytes) -> list[Any]:
    """The brightness of all frames of a film."""
    with av.open(io.BytesIO(film), "r") as container:
        return [
            each.to_ndarray()[: each.height, : each.width] for each in container.decode(video=0)
        ]
