"""Tones of a brief that no word list has: they are welcome, and what is made of them is said."""

from __future__ import annotations

import re
from importlib.resources import files
from typing import TYPE_CHECKING

import rtoml

from callsheet_studio.base.speech import has_pace

if TYPE_CHECKING:
    from callsheet_studio.model.brief import Brief

_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_LONGEST = 40
"""Letters of a tone that are shown."""


def hints(brief: Brief) -> tuple[str, ...]:
    """What a brief says that is taken otherwise than it may be meant."""
    tone = brief.style.tone
    if not tone or _is_known(tone):
        return ()
    hint = (
        f"style.tone: no word of {tone[:_LONGEST]!r} is known. It is taken as neutral: plain words "
        "at a medium pace, and music by the mood. Known are confident, energetic, calm, warm, "
        "serious, playful and many more."
    )
    return (hint,)


def _is_known(tone: str) -> bool:
    if has_pace(tone):
        return True
    # Read by whoever writes the script; most briefs name no tone, or one that has a pace.
    from callsheet_studio.script.words import table

    spoken = {word.lower() for word in _WORD.findall(tone)}
    listed = " ".join(table("tones")["tones"].values()).split()
    if not spoken.isdisjoint(listed):
        return True
    # Not from the music itself: it brings all that is needed to play it.
    moods = files("callsheet_studio.sound").joinpath("moods.toml").read_text("utf-8")
    words = {word for mood in rtoml.loads(moods).values() for word in mood["words"]}
    return not spoken.isdisjoint(words) or any(" " in word and word in tone for word in words)
