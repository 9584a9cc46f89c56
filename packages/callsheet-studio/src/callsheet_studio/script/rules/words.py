"""Rules of content: the messages are told, the call to action stands at the end, word for word."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet_studio.model.base import Violation
from callsheet_studio.script.people import introduction
from callsheet_studio.script.rules.time import speech_overrun
from callsheet_studio.script.wording import (
    exact_words,
    holds_form,
    holds_phrase,
    holds_verbatim,
    joined,
    recall,
    says,
    told,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from callsheet_studio.model.brief import Brief
    from callsheet_studio.model.script import Beat, Script, Words

LAST_PERCENT = 15
"""Of the film: where the call to action belongs."""
_EARLY = 3
"""Seconds within which an ad says whom it is from."""
_MOST_LINES, _MOST_WORDS = 2, 9
_PARTS = {
    "three_part": ("hook", "solution", "call_to_action"),
    "three_act": ("setup", "confrontation", "resolution"),
    "eight_part": (
        "hook",
        "inciting_event",
        "first_plot_point",
        "first_pinch_point",
        "midpoint",
        "second_pinch_point",
        "third_plot_point",
        "climax",
    ),
    "ad": (
        "hook",
        "pain_point",
        "product_reveal",
        "selling_point",
        "demo",
        "offer",
        "call_to_action",
    ),
    "own": (),
}
"""What a structure needs. The ad's `trust` is missing from the shortest."""


def check_words(script: Script, brief: Brief) -> Iterator[Violation]:
    """Every violation of content."""
    if not script.beats:
        return
    yield from _structure(script, brief)
    yield from _messages(script, brief)
    yield from _call_to_action(script, brief)
    yield from _must(script, brief)
    yield from _early(script, brief)
    for beat in script.beats:
        yield from _text_size(beat.id, beat.script)
    yield from _twins(script)
    yield from _alternatives(script, brief)


def untold(script: Script, brief: Brief) -> tuple[str, ...]:
    """The supporting messages that no beat, and no two beats in a row, tell."""
    texts = [told(beat.script) for beat in script.beats]
    windows = [joined(texts[place : place + 2]) for place in range(len(texts))]
    name = brief.message.brand
    return tuple(
        message
        for message in brief.message.supporting
        if not any(says(window, message, name, script.language) for window in windows)
    )


def _structure(script: Script, brief: Brief) -> Iterator[Violation]:
    if script.structure not in {"own", brief.content.structure}:
        yield Violation(
            rule="structure",
            where="",
            message=f"The script has the structure {script.structure}, "
            f"the brief says {brief.content.structure}.",
            fix=f"Write it as {brief.content.structure}.",
        )
    served = {part for beat in script.beats for part in (beat.function.part, *beat.function.parts)}
    for part in _PARTS[script.structure]:
        if part not in served:
            yield Violation(
                rule="part-missing",
                where="",
                message=f"No beat serves {part}.",
                fix=f"Name {part} in function.part, or in function.parts of a merged beat.",
            )


def _messages(script: Script, brief: Brief) -> Iterator[Violation]:
    texts = [told(beat.script) for beat in script.beats]
    for message in untold(script, brief):
        alone = [recall(message, text, script.language) for text in texts]
        nearest = max(range(len(alone)), key=lambda n: alone[n])
        share = max(
            recall(message, joined(texts[n : n + 2]), script.language) for n in range(len(texts))
        )
        exact = ", ".join(exact_words(message, brief.message.brand, script.language))
        yield Violation(
            rule="message",
            where=script.beats[nearest].id if share else "",
            message=f"The message {message!r} is not told: "
            f"at best {share:.0%} of its words, 60% are needed"
            + (f", and exactly: {exact}." if exact else "."),
            fix="Say or show it in one beat, or in two that follow each other.",
        )


def ends_on_call(script: Script, brief: Brief) -> bool:
    """Whether the call to action stands at the end, or there is none."""
    begins = script.frames * (100 - LAST_PERCENT)
    late = [beat for beat in script.beats if beat.end * 100 > begins]
    return not brief.message.cta.strip() or _said_in(late, brief.message.cta)


def _call_to_action(script: Script, brief: Brief) -> Iterator[Violation]:
    if ends_on_call(script, brief):
        return
    cta = brief.message.cta
    earlier = next((beat for beat in script.beats if _said_in([beat], cta)), None)
    if earlier is not None:
        yield Violation(
            rule="cta-place",
            where=earlier.id,
            message=f"{cta!r} is said here, and not in the last {LAST_PERCENT}% of the film.",
            fix="Say or show it again in the last beat.",
        )
    else:
        yield Violation(
            rule="cta",
            where=script.beats[-1].id,
            message=f"The call to action {cta!r} is not there word for word.",
            fix="Say or show it in the last beat, exactly as the brief has it.",
        )


def _said_in(beats: Sequence[Beat], cta: str) -> bool:
    """In one line of sound or text; a voice may go on over a cut."""
    voices = " ".join(beat.script.voiceover for beat in beats if beat.script.voiceover)
    return holds_verbatim(voices, cta) or any(_holds_cta(beat.script, cta) for beat in beats)


def _holds_cta(words: Words, cta: str) -> bool:
    texts = (words.voiceover, words.dialogue, words.on_screen_text)
    return any(holds_verbatim(text, cta) for text in texts if text)


def _must(script: Script, brief: Brief) -> Iterator[Violation]:
    whole = joined(joined((beat.script.action, told(beat.script))) for beat in script.beats)
    for phrase in brief.message.must_include:
        if not holds_phrase(whole, _wanted(phrase)):
            yield Violation(
                rule="must-include",
                where="",
                message=f"{phrase!r} is nowhere, but must be.",
                fix="Say, show or write it in one beat.",
            )
    for beat in script.beats:
        yield from _avoided(beat.id, told(beat.script), script, brief)


def _wanted(phrase: str) -> str:
    """What has to be there: of somebody who is introduced, the name."""
    found = introduction(phrase)
    return f"{found['first']}{found['last']}" if found else phrase


def _avoided(where: str, text: str, script: Script, brief: Brief) -> Iterator[Violation]:
    for phrase in brief.message.must_avoid:
        if holds_form(text, phrase, script.language):
            yield Violation(
                rule="must-avoid",
                where=where,
                message=f"{phrase!r} is said or shown here, and must not be.",
                fix="Say it in other words.",
            )


def _early(script: Script, brief: Brief) -> Iterator[Violation]:
    if script.structure == "own" or "ad" not in {script.structure, brief.content.structure}:
        return
    name = brief.message.brand or brief.project.title
    limit = script.rate.frames(_EARLY)
    first = [beat for beat in script.beats if beat.start <= limit]
    texts = [joined((beat.script.action, told(beat.script))) for beat in first]
    if name.strip() and not any(holds_phrase(text, name) for text in texts):
        yield Violation(
            rule="brand-early",
            where=script.beats[0].id,
            message=f"{name!r} is neither seen nor heard by second {_EARLY}.",
            fix="Name it or show it in the first beat.",
        )


def _text_size(where: str, words: Words) -> Iterator[Violation]:
    lines = (words.on_screen_text or "").splitlines()
    longest = max((len(line.split()) for line in lines), default=0)
    if len(lines) > _MOST_LINES or longest > _MOST_WORDS:
        yield Violation(
            rule="text-size",
            where=where,
            message=f"Its text on screen has {len(lines)} lines of up to {longest} words.",
            fix=f"Use at most {_MOST_LINES} lines of {_MOST_WORDS} words, or another beat.",
        )


def _twins(script: Script) -> Iterator[Violation]:
    first: dict[str, str] = {}
    for beat in script.beats:
        words = _even(beat.script)
        if words in first:
            yield Violation(
                rule="twin",
                where=beat.id,
                message=f"It is the same as beat {first[words]}.",
                fix="Let it show or say something else, or leave it out.",
            )
        first.setdefault(words, beat.id)


def _even(words: Words) -> str:
    return " ".join(words.model_dump_json().casefold().split())


def _alternatives(script: Script, brief: Brief) -> Iterator[Violation]:
    """The first and the last beat have another version each, which could be taken as it is."""
    first, last = script.beats[0], script.beats[-1]
    for beat in script.beats:
        if beat in (first, last) and not beat.alternatives and script.structure != "own":
            what = "hook" if beat is first else "call to action"
            yield Violation(
                rule="alternative-missing",
                where=beat.id,
                message=f"There is no alternative to the {what}.",
                fix="Write one, with the condition under which to take it.",
            )
        for alternative in beat.alternatives:
            yield from _alternative(alternative.id, alternative.script, beat, (script, brief))


def _alternative(
    name: str, words: Words, beat: Beat, of: tuple[Script, Brief]
) -> Iterator[Violation]:
    script, brief = of
    fix = f"Mend alternative {name}, or leave it out."
    broken = [
        *speech_overrun(words, beat, script),
        *_avoided(beat.id, told(words), script, brief),
        *_text_size(beat.id, words),
    ]
    cta = brief.message.cta
    if _said_in([beat], cta) and not _holds_cta(words, cta):
        message = f"Alternative {name} has no call to action."
        yield Violation(rule="alternative-fits", where=beat.id, message=message, fix=fix)
    if _even(words) == _even(beat.script):
        message = f"Alternative {name} is the same as its beat."
        yield Violation(rule="alternative-same", where=beat.id, message=message, fix=fix)
    for violation in broken:
        message = f"Alternative {name}: {violation.message}"
        yield Violation(rule="alternative-fits", where=beat.id, message=message, fix=fix)
