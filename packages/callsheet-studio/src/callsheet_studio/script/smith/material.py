"""The material of a film: everything that the brief gives to tell, and who tells it how."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from callsheet_studio.base import speech
from callsheet_studio.library.facts import figure_in
from callsheet_studio.script import words
from callsheet_studio.script.people import instructs
from callsheet_studio.script.smith.phrases import Phrase, phrase
from callsheet_studio.script.wording import holds_form
from callsheet_studio.script.words import tokens

if TYPE_CHECKING:
    from callsheet_studio.model.brief import Brief

_CLAUSE = re.compile(r"(?:which|who|that|whose|die|der|das|deren|dessen|weil|dass)\b.*[a-zäöüß]+$")
"""What is no pain of its own, but the end of the one before it."""
_LONGEST_WHO = 9
_LONGEST_PAIN = 11


EMPHASES = ("solution", "problem", "proof", "people")
"""What the middle of a film can dwell on."""
EMOTIONS = ("relief", "pride", "confidence", "joy", "wonder", "belonging")
"""What can be felt at its turn."""


class Material(msgspec.Struct, frozen=True):
    """What there is to tell."""

    language: str
    core: Phrase
    messages: tuple[Phrase, ...]
    pains: tuple[Phrase, ...]
    who: Phrase | None
    brand: str
    product: str
    """The brand, or the film's title if there is none."""
    cta: str
    metaphor: str
    """An image that runs through the film; empty if the brief has none."""
    wpm: int
    marks: frozenset[str]
    avoid: tuple[str, ...]
    emphasis: str
    emotion: str


def material(brief: Brief) -> Material:
    """Everything that the brief gives to tell."""
    language = said_in(brief)
    told = brief.message
    names = [name for name in (told.brand, *told.must_include) if name]
    core = phrase(told.core, language, names)
    messages = tuple(
        phrase(text, language, names)
        for text in told.supporting
        if text.strip() and not instructs(text)
    )
    if not _instructs(messages, brief):
        messages = tuple(_inviting(said) if language == "en" else said for said in messages)
    pains = tuple(phrase(text, language, names) for text in _whole(brief.audience.pain_points))
    who = _audience(brief.audience.who, language)
    who = "" if _avoided(who, brief) else who
    return Material(
        language=language,
        core=core,
        messages=_emphasised(messages, brief),
        pains=tuple(
            pain
            for pain in pains
            if len(pain.text.split()) <= _LONGEST_PAIN and not _avoided(pain.text, brief)
        ),
        who=phrase(who, language, names) if 0 < len(who.split()) <= _LONGEST_WHO else None,
        brand=told.brand.strip(),
        product=told.brand.strip() or brief.project.title.strip(),
        cta=told.cta.strip(),
        metaphor=brief.direction.visual_metaphors.strip().rstrip("."),
        wpm=_pace(brief, language),
        marks=_marks(brief, language),
        avoid=told.must_avoid,
        emphasis=emphasis(brief),
        emotion=_one_of(brief.direction.midpoint_emotion, EMOTIONS),
    )


_SPEECH = 0.92
"""The share of a film that its words may take when there are many of them."""


def _pace(brief: Brief, language: str) -> int:
    """As its tone asks for; faster where the messages would not be said otherwise."""
    told = brief.message
    words = speech.spoken_words(" ".join((told.core, *told.supporting, told.cta)), language)
    needed = words * 60 * float(speech.SLACK) / (brief.content.duration * _SPEECH)
    usual = speech.pace(brief.style.tone, language)
    return max(usual, min(int(needed), speech.LIMIT - 4))


def _whole(pains: tuple[str, ...]) -> list[str]:
    """Pains as they were meant: a comma in one has not made two of it."""
    found: list[str] = []
    for pain in filter(None, pains):
        if found and _CLAUSE.match(pain):
            found[-1] = f"{found[-1]}, {pain}"
        else:
            found.append(pain)
    return found


def _instructs(messages: tuple[Phrase, ...], brief: Brief) -> bool:
    """Whether a film says what to do, step by step."""
    orders = sum(said.shape == "order" for said in messages)
    return brief.content.type == "explainer" and 2 * orders > len(messages)


def _inviting(said: Phrase) -> Phrase:
    return replace(said, shape="invitation") if said.shape == "order" else said


def _avoided(text: str, brief: Brief) -> bool:
    language = said_in(brief)
    return any(holds_form(text, part, language) for part in brief.message.must_avoid)


def _audience(who: str, language: str) -> str:
    """Without what comes after a comma or describes them further: `people who live by the sea`."""
    found = re.split(r"[,;(.]", who.strip())[0].split()
    known = words.grammar(language)
    for place, word in enumerate(found):
        if place and word in known.describes and found[place - 1].lower() not in known.half:
            found = found[:place]
            break
    return "" if len(found) == 1 and found[0].lower() in known.vague else " ".join(found)


def said_in(brief: Brief) -> str:
    """The language that it is written in: German, or else English."""
    return "de" if brief.content.language.lower().startswith("de") else "en"


def _emphasised(messages: tuple[Phrase, ...], brief: Brief) -> tuple[Phrase, ...]:
    """What the second act dwells on comes first: proof leads with the numbers."""
    if emphasis(brief) != "proof":
        return messages
    return tuple(sorted(messages, key=lambda said: figure_in(said.text, said_in(brief)) is None))


def emphasis(brief: Brief) -> str:
    """What the middle of the film dwells on: problem, solution, proof or people."""
    return _one_of(brief.direction.act2_emphasis, EMPHASES)


def _one_of(found: str, known: tuple[str, ...]) -> str:
    return found if found in known else known[0]


def table_key(name: str, text: str) -> str:
    """The key of a table of words whose words a text has, or nothing."""
    spoken = {token.lower() for token in tokens(text)}
    known: dict[str, str] = words.table("tones")[name]
    return next((key for key, listed in known.items() if spoken & set(listed.split())), "")


def _marks(brief: Brief, language: str) -> frozenset[str]:
    """The tone, and in German the form of address."""
    tone = table_key("tones", brief.style.tone)
    marks = {tone} if tone else set()
    if language == "de":
        said = " ".join((brief.message.cta, brief.message.core, *brief.message.supporting))
        polite = re.search(r"\b(?:Sie|Ihnen|Ihr|Ihre[nmrs]?)\b", said)
        near = re.search(
            r"\b(?:du|dir|dich|dein\w*|bewirb|bestell|hol|komm)\b", said, re.IGNORECASE
        )
        young = tone == "p" or table_key("young", f"{brief.audience.who} {brief.delivery.platform}")
        marks.add("du" if near or (young and not polite) else "Sie")
    return frozenset(marks)
