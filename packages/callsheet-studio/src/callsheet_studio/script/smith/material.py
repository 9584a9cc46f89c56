"""The material of a film: everything that the brief gives to tell, and who tells it how."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from callsheet_studio.base import speech
from callsheet_studio.script import words
from callsheet_studio.script.smith.lines import CLOSES
from callsheet_studio.script.smith.phrases import Phrase, one_of, phrase
from callsheet_studio.script.smith.things import tokens
from callsheet_studio.script.wording import content_words, holds_form, stem

if TYPE_CHECKING:
    from collections.abc import Iterable

    from callsheet_studio.model.brief import Brief

_LONGEST_WHO = 9
_LONGEST_PAIN = 11
_LONGEST_SUBJECT = 5


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
    one: str
    """One of them, as `harbour master`; empty if it cannot be told."""
    brand: str
    product: str
    """The brand, or the film's title if there is none."""
    cta: str
    metaphor: str
    """An image that runs through the film; empty if the brief has none."""
    things: tuple[str, ...]
    """What can be seen of all this."""
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
    messages = tuple(phrase(text, language, names) for text in told.supporting if text.strip())
    if not _instructs(messages, brief):
        messages = tuple(_inviting(said) if language == "en" else said for said in messages)
    pains = tuple(phrase(text, language, names) for text in brief.audience.pain_points if text)
    who = _audience(brief.audience.who, language)
    who = "" if _avoided(who, brief) else who
    things = [thing for said in (*messages, core, *pains) for thing in said.things]
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
        one=one_of(who, language),
        brand=told.brand.strip(),
        product=told.brand.strip() or brief.project.title.strip(),
        cta=told.cta.strip(),
        metaphor=brief.direction.visual_metaphors.strip().rstrip("."),
        things=tuple(dict.fromkeys(thing for thing in things if not _avoided(thing, brief))),
        wpm=speech.pace(brief.style.tone, language),
        marks=_marks(brief, language),
        avoid=told.must_avoid,
        emphasis=emphasis(brief),
        emotion=_one_of(brief.direction.midpoint_emotion, EMOTIONS),
    )


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
    return tuple(sorted(messages, key=lambda said: not figure(said.text, said_in(brief))))


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


def figure(text: str, language: str) -> str:
    """The first number in it with what it counts: `15 minutes`, `ten evenings`.

    None after a word like `below`, without which it would say something else.
    """
    known = words.grammar(language)
    spoken = text.split()
    for place, (word, noun) in enumerate(pairwise(spoken)):
        bare = noun.strip(",.;:!?")
        counts = word[0].isdigit() or word.lower() in known.numbers
        limited = place > 0 and spoken[place - 1].lower() in known.limits
        bent = language == "de" and place > 0 and _bent(spoken[place - 1], bare, known)
        if bent:
            continue
        if counts and bare.isalpha() and bare.lower() not in known.small | known.numbers:
            return "" if limited else f"{word.lower()} {bare}"
    return ""


def priced(counted: str, language: str) -> bool:
    """Whether a figure is a price or an hour: alone it says nothing."""
    return counted.rsplit(maxsplit=1)[-1].lower() in words.grammar(language).money


def _bent(before: str, noun: str, known: words.Grammar) -> bool:
    """Whether a German noun after a preposition looks different from how it would alone."""
    same = noun.endswith(("inuten", "kunden", "tunden", "ochen")) or not noun.endswith("n")
    return before.lower() in known.half and not same


def halves(said: Phrase, language: str) -> tuple[str, str] | None:
    """Subject and predicate of a sentence, where they can be told apart."""
    known = words.grammar(language)
    found = said.text.split()
    if said.shape != "sentence" or language == "de" or found[0].lower() in known.pronouns:
        return None
    for place, word in enumerate(found[1 : _LONGEST_SUBJECT + 1], 1):
        lower, before = word.lower().strip(","), found[place - 1].lower()
        if lower in known.finite:
            return None
        verb = lower in known.third or lower in known.bare
        small = before in known.small and before not in known.pronouns
        if before in known.relative or small:
            continue
        if verb:
            subject = " ".join(found[:place])
            return subject, " ".join(found[place:])
    return None


def kin(said: Phrase, others: Iterable[Phrase], language: str) -> Phrase | None:
    """The first of some phrases that shares a word with it that carries meaning."""
    own = {stem(word, language) for word in content_words(said.text)}
    for other in others:
        if own & {stem(word, language) for word in content_words(other.text)}:
            return other
    return None


def rest_of(said: Phrase, language: str) -> str:
    """What a sentence says of its subject, if that stands alone: `every berth in view`."""
    parts = halves(said, language)
    if parts is None:
        return ""
    rest = parts[1].split()[1:]
    # What happens only when something else does is not to be told without its verb.
    bound = not words.grammar(language).relative.isdisjoint(rest) or "," in parts[1]
    stands = len(rest) > 1 and rest[0].lower() in _ARTICLES and not bound
    return " ".join(rest) if stands else ""


_ARTICLES = frozenset({"the", "a", "an", "every", "each", "all", "your", "our", "one", "no"})


def brand_slots(given: Material) -> dict[str, str]:
    """The brand as subject, and in German as dative; with its article if the core gives it one."""
    brand = given.brand
    if not brand:
        return {}
    if given.language == "de" and f" der {brand}" in f" {given.core.small}":
        return {"brand": f"die {brand}", "Brand": f"Die {brand}", "brand_d": f"der {brand}"}
    return {"brand": brand, "Brand": brand, "brand_d": brand}


def slots_of(said: Phrase, name: str, language: str) -> dict[str, str]:
    """A phrase as slots: `{msg}`, `{Msg}`, and with its shape `{msg_n}`.

    A verb without its subject has only that, for it needs a move of its own.
    """
    big = name[0].upper() + name[1:]
    kind = _KINDS[said.shape]
    slots: dict[str, str] = {}
    kinds = [kind] if kind != "_n" or (said.firm and said.whole) else []
    kinds += {"one": ["_1"], "many": ["_p"], "": []}[said.number] if said.whole else []
    for ending in kinds:
        slots |= {f"{name}{ending}": said.small, f"{big}{ending}": said.big}
    if said.shape != "verb":
        # In German a sentence has its capital after a colon, too.
        whole = language == "de" and said.shape in {"sentence", "order"}
        slots |= {name: said.big if whole else said.small, big: said.big}
    if language == "de" and said.shape in {"noun", "amount"}:
        slots |= {f"{name}_f": said.small, f"{big}_f": said.big}
        if ", die " in said.text:
            slots = {key: f"{text}{CLOSES}" for key, text in slots.items()}
    if language == "de" and said.shape == "sentence":
        slots |= {f"{name}_k": said.small}
    if language == "de" and said.shape == "doing":
        slots = {key.replace("_n", "_i"): text for key, text in slots.items()}
    return slots


_KINDS: dict[str, str] = {
    "noun": "_n",
    "doing": "_n",
    "sentence": "_s",
    "verb": "_v",
    "order": "_o",
    "state": "_a",
}
_KINDS |= {"invitation": "_y", "amount": "_q", "price": "_m"}
