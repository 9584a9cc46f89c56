"""Rules of completeness: what a crew needs to know about a beat stands in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet_studio.model.base import Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from callsheet_studio.model.script import Beat, Script

MAY_BE_EMPTY = frozenset(
    {
        "function.parts",
        "visual.pictures",
        "audio.effects",
        "production.vfx",
        "production.custom_assets",
        "production.references",
        "alternatives",
    }
)
"""Lists of what a beat may do without. Every other list and text has something in it."""
_GROUPS = ("script", "visual", "audio", "emotion", "function", "production")


def check_fields(script: Script) -> Iterator[Violation]:
    """Every field that is empty though somebody needs it."""
    for name in ("title", "language"):
        if not getattr(script, name).strip():
            yield _empty("", name)
    for beat in script.beats:
        for name, filled in fields_of(beat):
            if not filled:
                yield _empty(beat.id, name)
        speaks = beat.script.dialogue is not None
        if beat.audio.dialogue_present != speaks:
            yield Violation(
                rule="dialogue-marked",
                where=beat.id,
                message=f"audio.dialogue_present is {beat.audio.dialogue_present}, "
                f"but there is {'a' if speaks else 'no'} dialogue.",
                fix=f"Set it to {speaks}.",
            )


def fields_of(beat: Beat) -> Iterator[tuple[str, bool]]:
    """Every field that must be filled, and whether it is.

    What a beat may do without counts only if it is there: `voiceover: ""` is nothing.
    """
    yield from (("question", bool(beat.question.strip())), ("answer", bool(beat.answer.strip())))
    for group in _GROUPS:
        part = getattr(beat, group)
        for name in type(part).model_fields:
            place, value = f"{group}.{name}", getattr(part, name)
            if place not in MAY_BE_EMPTY and value is not None:
                yield place, _filled(value)
    for alternative in beat.alternatives:
        yield f"alternatives.{alternative.id}", _filled(alternative.condition)


def _filled(value: object) -> bool:
    if isinstance(value, str):
        return bool(value.strip())
    if isinstance(value, tuple):
        return bool(value) and all(map(_filled, value))
    return True


def _empty(where: str, name: str) -> Violation:
    return Violation(
        rule="field-empty",
        where=where,
        message=f"{name} is empty.",
        fix="Fill it in, or leave it out if the beat has none.",
    )
