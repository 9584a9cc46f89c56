"""What a sentence says of a call's arguments: which run, since when, which file, which text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import msgspec

from callsheet.agents.language.amount import plain
from callsheet.agents.language.lexicon import FILLER, GUARD
from callsheet.agents.language.sentence import NTH
from callsheet.core.value import Json

if TYPE_CHECKING:
    from collections.abc import Callable

    from callsheet.agents.language.sentence import Sentence

LAST: Final = "last"
FAILED: Final = "failed"
REFERRING: Final = ("IT", "RUN", "LAST", "ID", *(f"NTH_{n}" for n in range(1, NTH + 1)))
_NO_STEP: Final = (FILLER, GUARD, "RETRY", "FAIL", "FAILED", *REFERRING)
_SINCE: Final = {"TODAY": "today", "YESTERDAY": "yesterday", "WEEK": "week", "MONTH": "month"}
_MOST_WORDS: Final = 12
"""Of a text without quotes."""
_A_FILE: Final = re.compile(r"[^\n]*(?:/|\.[A-Za-z][A-Za-z0-9]{0,7})[^\n]*")


class Slot(msgspec.Struct, frozen=True):
    """A value, and which words it explains."""

    value: Json
    where: frozenset[int] = frozenset()


def run(sentence: Sentence) -> Slot | None:
    """The run that is spoken of; without any word for one, the last. None: more than one."""
    return that_run(sentence) or (
        Slot(LAST, _referring(sentence)) if _at_most_one(sentence) else None
    )


def failed_run(sentence: Sentence) -> Slot | None:
    """The same, where only a failed one can be meant: `the failed one` is the last of them."""
    found = run(sentence)
    return msgspec.structs.replace(found, value=LAST) if found and found.value == FAILED else found


def that_run(sentence: Sentence) -> Slot | None:
    """A run that is named: by its id, its place in the list, its state or its plan."""
    if not _at_most_one(sentence):
        return None
    where = _referring(sentence)
    for place in sentence.at("ID"):
        return Slot(sentence.tokens[place].text, where)
    for count in _counted(sentence):
        return Slot(str(count), where)
    named = _by_name(sentence, "RUN")
    if named is not None:
        return Slot(named.value, where | named.where)
    if sentence.at("RUN") and len(sentence.states) == 1 and _beside(sentence, "STATE", "RUN"):
        return Slot(sentence.states[0], where | sentence.at("STATE"))
    return Slot(LAST, where) if sentence.at("LAST") else None


def _referring(sentence: Sentence) -> frozenset[int]:
    return frozenset().union(*(sentence.at(each) for each in REFERRING))


def _at_most_one(sentence: Sentence) -> bool:
    ids = {sentence.tokens[place].text for place in sentence.at("ID")}
    return len(ids) + len(_counted(sentence)) <= 1


def _counted(sentence: Sentence) -> list[int]:
    """`the second one`, `number two`, `den zweiten`: which of the list."""
    said = sorted(sentence.told)

    def counts(place: int) -> bool:
        alone = (
            place == said[-1]
            and place
            and sentence.tokens[place - 1].text in sentence.words_for("articles")
        )
        return place not in sentence.fillers and bool(alone or place + 1 in sentence.at("RUN"))

    return [
        each
        for each in range(1, NTH + 1)
        if any(counts(place) for place in sentence.at(f"NTH_{each}"))
    ]


def _beside(sentence: Sentence, one: str, other: str) -> bool:
    """Whether one stands right before the other."""
    return any(place + 1 in sentence.at(other) for place in sentence.at(one))


def _by_name(sentence: Sentence, noun: str) -> Slot | None:
    """`the run trip`, `the trip run`, `run "trip"`: a name beside what it names."""
    for place in sorted(sentence.at(noun)):
        if sentence.tokens[place].text == "one":
            continue
        for beside in (place + 1, place - 1):
            if beside not in sentence.told:
                continue
            token = sentence.tokens[beside]
            is_name = token.kind == "word" and not _is_known(sentence, noun, beside)
            if token.kind == "quoted" or is_name:
                return Slot(token.text, frozenset({place, beside}))
    return None


def _is_known(sentence: Sentence, noun: str, place: int) -> bool:
    """Whether a word is one of ours, and no name; steps are called anything (`pay`, `write`)."""
    known = _NO_STEP if noun == "STEP" else sentence.concepts.keys()
    return any(place in sentence.at(each) for each in known)


def state(sentence: Sentence) -> Slot | None:
    """The one state that is named."""
    named = sentence.states
    if len(named) > 1 and "running" in named:
        # `still running` may stand beside another word for it, `going` for `gone wrong`.
        named = [each for each in named if each != "running"]
    return Slot(named[0], sentence.at("STATE")) if len(named) == 1 else None


def since(sentence: Sentence) -> Slot | None:
    """From when on."""
    said = [(each, sentence.at(each)) for each in _SINCE if sentence.at(each)]
    return Slot(_SINCE[said[0][0]], said[0][1]) if len(said) == 1 else None


def step(sentence: Sentence) -> Slot | None:
    """`step book`, `the book step`."""
    return _by_name(sentence, "STEP")


def seconds(sentence: Sentence) -> Slot | None:
    """How long."""
    return Slot(plain(sentence.time[0]), sentence.time[1]) if sentence.time else None


def url(sentence: Sentence) -> Slot | None:
    """The one address."""
    return _only(sentence, sentence.at("URL"))


def path(sentence: Sentence) -> Slot | None:
    """The one file: as it is written, or in quotes."""
    written = sentence.at("PATH")
    if written:
        return _only(sentence, written)
    quoted = sentence.at("QUOTED")
    return _only(
        sentence,
        frozenset(each for each in quoted if _A_FILE.fullmatch(sentence.tokens[each].text)),
    )


def _only(sentence: Sentence, where: frozenset[int]) -> Slot | None:
    if len(where) != 1:
        return None
    (place,) = where
    return Slot(sentence.tokens[place].text, where)


def text(sentence: Sentence) -> Slot | None:
    """What is to be written: in quotes, after `that says`, or between `write` and `to`."""
    file = path(sentence)
    if file is None:
        return None
    quoted = sentence.at("QUOTED") - file.where
    if quoted:
        return _only(sentence, quoted)
    return _after_saying(sentence, file) or _before_the_file(sentence, file)


def _after_saying(sentence: Sentence, file: Slot) -> Slot | None:
    """`… that says Call the plumber on Friday`, or after a colon: to the end."""
    (at,) = file.where
    after = [
        place
        for place in range(at + 1, len(sentence.tokens))
        if place in sentence.at("SAYING") or sentence.tokens[place].text == ":"
    ]
    if not after:
        return None
    begin = after[0]
    while begin in sentence.at("SAYING") or begin in after:
        begin += 1
    end = len(sentence.tokens) - 1
    if begin > end:
        return None
    said = frozenset(range(after[0], end + 1))
    return Slot(sentence.raw(begin, end).rstrip(".") or None, said)


def _before_the_file(sentence: Sentence, file: Slot) -> Slot | None:
    """`write done to log.txt`."""
    (at,) = file.where
    to = at - 1
    while to in sentence.at("FILE") or (to in sentence.fillers and to not in sentence.at("TO")):
        to -= 1
    verbs = [place for place in sentence.at("WRITE") if place < to]
    if to not in sentence.at("TO") or not verbs:
        return None
    begin = min(verbs) + 1
    if not 0 < to - begin <= _MOST_WORDS or sentence.tokens[begin].text in (
        sentence.words_for("no_dictation")
    ):
        return None
    return Slot(sentence.raw(begin, to - 1), frozenset(range(begin, to)))


SLOTS: Final[dict[str, Callable[[Sentence], Slot | None]]] = {
    "{run}": run,
    "{failed run}": failed_run,
    "{that run}": that_run,
    "{state}": state,
    "{since}": since,
    "{step}": step,
    "{seconds}": seconds,
    "{url}": url,
    "{path}": path,
    "{text}": text,
}
OPTIONAL: Final = frozenset({"{that run}", "{since}", "{step}"})
"""Left out where nothing is said of them."""
