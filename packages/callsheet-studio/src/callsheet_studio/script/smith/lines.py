"""What is said, line by line, before anybody asks when: an idea, a turn, a proof, what to do.

Everything that is said is the brief's: its sentences are quoted whole, its fragments stand as
fragments. Of ours are only a question mark, a name, and a question that a message answers.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from callsheet_studio.base.clauses import aloud, sentences
from callsheet_studio.library.facts import figure_in, steps_in
from callsheet_studio.script.line import Line

if TYPE_CHECKING:
    from callsheet_studio.model.brief import Brief
    from callsheet_studio.script.smith.material import Material
    from callsheet_studio.script.smith.phrases import Phrase


_ASKS = {
    "en": {
        "how": "How does that work?",
        "cost": "And what does it cost?",
        "gain": "What do you get out of it?",
        "for": "This is for {who}.",
        "this": "This is {brand}.",
        "turn": "There is another way.",
        "enough": "Enough of that.",
        "why": "Why?",
    },
    "de": {
        "how": "Wie geht das?",
        "cost": "Und was kostet das?",
        "gain": "Was bringt das?",
        "for": "Für {who}.",
        "this": "Das ist {brand}.",
        "turn": "Es geht auch anders.",
        "enough": "Schluss damit.",
        "why": "Warum?",
    },
}
_SAVES = re.compile(r"(?i)\b(?:sav(?:e|es|ing)|spar(?:en|st|t)|earn\w*|verdien\w*)\b")
_COSTS = re.compile(r"(?i)\b(?:costs?|kostet|für nur|only)\b")
_NAME = 2
"""Words of a brand that is a name, and needs no article."""
_LONGEST = 18
"""Words that are said in one beat."""
_ENDS = ".!?\u2026"


def sentence(said: Phrase | str, given: Material | None = None) -> str:
    """As somebody says it: with a capital and a stop; a verb without a subject gets the product."""
    text = said if isinstance(said, str) else said.text
    text = " ".join(text.split())
    if not isinstance(said, str) and said.shape == "verb" and given is not None and given.brand:
        text = f"{given.brand} {said.small}"
    text = text[:1].upper() + text[1:]
    return text if text[-1:] in _ENDS else f"{text}."


def question(pain: Phrase) -> str:
    """A pain as the question that a film begins with; a sentence stays one."""
    text = pain.big.rstrip(_ENDS)
    return f"{text}." if pain.shape == "sentence" else f"{text}?"


def lines_of(brief: Brief, given: Material) -> list[Line]:
    """Everything that has to be said, in its order."""
    opening, rest = _opening(brief, given)
    told = [line for said in rest for line in _told(said, given)]
    core = Line("reveal", sentence(given.core, given), given.core.text)
    asks = _ASKS[given.language]
    if not any(line.task == "reveal" for line in opening):
        if given.emphasis == "people" and given.who:
            said = asks["for"].format(who=given.who.small)
            opening.append(Line("people", said, given.who.text))
        if given.pains and (given.emphasis == "problem" or "b" in given.marks):
            turn = asks["enough" if "b" in given.marks else "turn"]
            core = replace(core, said=f"{turn} {core.said}", lead=turn)
        opening.append(core)
    call = Line("cta", sentence(aloud(given.cta)), given.cta)
    return [*opening, *told, call]


def _told(said: Phrase, given: Material) -> list[Line]:
    """A message as it is said; one that is too long for a beat in two."""
    whole = sentence(said, given)
    parts = sentences(whole)
    if len(whole.split()) <= _LONGEST or len(parts) == 1:
        return [Line("message", whole, said.text, said.text)]
    cut = min(range(1, len(parts)), key=lambda n: abs(len(" ".join(parts[:n])) * 2 - len(whole)))
    return [
        Line("message", part, part, said.text)
        for part in (" ".join(parts[:cut]), " ".join(parts[cut:]))
    ]


def _opening(brief: Brief, given: Material) -> tuple[list[Line], tuple[Phrase, ...]]:
    """The hook: questions that the audience has, a number, or the core itself; and what is left."""
    del brief
    if given.pains:
        first, *others = given.pains
        found = [Line("hook", question(first), first.text)]
        found += [Line("problem", question(pain), pain.text) for pain in others]
        return found, given.messages
    counted = [said for said in given.messages if figure_in(said.text, given.language)]
    # What is too long for a beat opens no film: it is said in two, later.
    short = [s for s in counted if len(s.text.split()) <= _LONGEST]
    strong = next((s for s in short if s.shape == "sentence" and _bare(s.text)), None)
    if strong is not None and not figure_in(given.core.text, given.language):
        line = Line("hook", sentence(strong, given), strong.text, strong.text)
        return [line], tuple(s for s in given.messages if s is not strong)
    core = Line("reveal", sentence(given.core, given), given.core.text)
    return [core], given.messages


def _bare(text: str) -> bool:
    """Whether a sentence can be the first: it says what it is about."""
    return not re.match(
        r"(?i)(?:it|its|they|this|that|he|she|er|sie|es|das|dies\w*|wenn|when)\b", text
    )


class Filler(msgspec.Struct, frozen=True):
    """What may be said besides, where there is time."""

    said: str
    before: int
    """The line that it leads to."""
    alone: Line | None = None
    """As a line of its own; else it is said in one breath with the line that it leads to."""
    twice: bool = False
    """Whether it says a message again: only ads do."""


def fillers(given: Material, lines: list[Line]) -> list[Filler]:
    """What may be said besides where there is time, the best first."""
    asks, last = _ASKS[given.language], len(lines) - 1
    found: list[Filler] = []
    reveal = next(n for n, line in enumerate(lines) if line.task == "reveal")
    taken: set[int] = set()
    short = len(given.brand.split()) <= _NAME and not lines[reveal].lead
    if given.brand and short and given.brand.lower() not in lines[reveal].said.lower():
        found.append(Filler(asks["this"].format(brand=given.brand), reveal))
        taken.add(reveal)
    for kind, fits in (("how", _is_way), ("cost", _is_priced), ("gain", _is_gain)):
        at = next((n for n, ln in enumerate(lines) if n and ln.message and fits(ln, given)), None)
        if at is not None and at not in taken:
            found.append(Filler(asks[kind], at))
            taken.add(at)
    if given.who and given.who.shape == "noun" and given.emphasis == "solution":
        said = asks["for"].format(who=given.who.small)
        first = next((n for n, line in enumerate(lines) if line.task == "message"), last)
        found.append(Filler(said, first, Line("people", said, given.who.text, ours=True)))
    again = sentence(given.core, given)
    found.append(Filler(again, last, Line("recall", again, given.core.text)))
    # An ad says twice what it has to say, before it says nothing.
    for message in given.messages:
        once_more = sentence(message, given)
        line = Line("recall", once_more, message.text)
        found.append(Filler(once_more, last, line, twice=True))
    return found


def _is_way(line: Line, given: Material) -> bool:
    del given
    return bool(steps_in(line.message))


def _is_gain(line: Line, given: Material) -> bool:
    del given
    return bool(_SAVES.search(line.message))


def _is_priced(line: Line, given: Material) -> bool:
    found = figure_in(line.message, given.language)
    return found is not None and found.kind == "price" and bool(_COSTS.search(line.message))
