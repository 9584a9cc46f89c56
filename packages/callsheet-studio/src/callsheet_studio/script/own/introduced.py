"""Who is in a screenplay, and what it says of how they look.

`LENA (35, short dark hair, green parka)`, `LENA, 35, short dark hair, drives`, `HANNES: seventeen,
lanky`: people are introduced in capitals, in the action or above their first line. Who speaks is
somebody, too. A name in full and the one above the lines are one person.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import takewhile
from typing import TYPE_CHECKING

import msgspec

from callsheet_studio.library.persons import form_of
from callsheet_studio.script.own.vocabulary import page_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_AGE_WITHIN = re.compile(r"\bin (?:her|his|their) (?:early |mid-?|late )?\w+(?:ties|teens)\b")
_WORD = re.compile(r"#?\w[\w.'\u2019#-]*")
_PLAIN = re.compile(r"\A(?:A|AN|THE|HER|HIS|OUR|THIS|IS|AND|EIN|EINE|DER|DIE|DAS) ")
_SMALL = re.compile(r"(?:Mc|Mac|O['\u2019]|De|Van|Von)(?=[A-Z])")
_STOP = re.compile(r"[.!?](?:\s|\Z)")
_DRESSED = re.compile(
    r"\b(?P<name>[A-Z\u00c4\u00d6\u00dc]{3,}(?: [A-Z\u00c4\u00d6\u00dc]{3,})?) "
    r"(?:in|mit|with|im|wearing) (?P<look>(?:an? |einem? |einer )?[\w-]+(?: [\w-]+)?)"
)
"""`A VOLUNTEER in a green jumper`."""
_LONGEST_NAME, _MOST_PARTS, _LONGEST_LOOK = 4, 6, 160
_PRONOUNS = {
    **dict.fromkeys(("he", "his", "him"), "man"),
    **dict.fromkeys(("er", "ihm", "ihn", "sein", "seine", "seinen", "seinem", "seiner"), "man"),
    **dict.fromkeys(("she", "her", "hers"), "woman"),
}
"""Whom a pronoun means; `sie` and `ihr` may be many."""
_SHORTEST_VERB = 4
"""Letters of a German one."""


class Person(msgspec.Struct, frozen=True):
    """Somebody in a screenplay."""

    name: str
    """As it stands above their lines; of who says nothing, in full."""
    look: str = ""
    """What is said of them, in its author's words."""


def people_in(actions: Sequence[str], cues: Sequence[Person], language: str) -> tuple[Person, ...]:
    """Everybody: those who speak, in their order, then those who are only introduced.

    Args:
        actions: what is seen, paragraph by paragraph.
        cues: who speaks, with what stood in brackets there.
        language: of the script.
    """
    looks: dict[str, str] = {}
    for cue in cues:
        looks[cue.name] = looks.get(cue.name) or cue.look
    spoken = {name: set(_words(name)) for name in looks}
    for action in actions:
        for full, look, is_sure in _introductions(action, language):
            name = _meant(full, spoken)
            if name or is_sure:
                known = name or full
                looks[known] = looks.get(known) or look
    plain = [action.lower() for action in actions]
    return tuple(
        Person(name, _with_form(name, look, actions, plain)) for name, look in looks.items()
    )


def _with_form(name: str, look: str, actions: Sequence[str], plain: Sequence[str]) -> str:
    """How somebody looks, with what a pronoun says where their name says nothing."""
    form = "" if form_of(name.title()) else _by_pronoun(name, actions, plain)
    return ", ".join(filter(None, (look, form)))


def _by_pronoun(name: str, actions: Sequence[str], plain: Sequence[str]) -> str:
    """`man` or `woman`, where only the words around say so: `DESH blows on his fingers`.

    Where somebody is introduced: later, `his` is as often another's.
    """
    sought = name.lower()
    for action, said in zip(actions, plain, strict=True):
        begins = said.find(sought)
        if begins < 0:
            continue
        before = _WORD.findall(action[:begins])
        if before and (form := form_of(before[-1])):
            return form  # `seine Enkelin JONNA`
        for found in _WORD.finditer(action[begins + len(name) :]):
            word = found[0]
            if _is_capital(word) and len(word) >= _SHORTEST_VERB:
                break  # somebody else
            if form := _PRONOUNS.get(word.casefold(), ""):
                return form
        return ""
    return ""


def is_age(text: str) -> bool:
    """Whether it begins with how old somebody is."""
    return _age().match(text.strip()) is not None


@cache
def _age() -> re.Pattern[str]:
    return re.compile(
        r"(?:(?:ages?|aged|alter|about|around|almost|nearly|now|early|mid|late"
        r"|in (?:her|his|their)|anfang|mitte|ende|etwa|ca\.?|jetzt|gut|knapp)[ -]{1,2}){0,3}"
        rf"(?:\d{{1,2}}(?:['\u2019]?s|er)?|{'|'.join(sorted(page_words()['ages']))})(?![\w:%])",
        re.IGNORECASE,
    )


def _meant(full: str, spoken: dict[str, set[str]]) -> str:
    """The one who speaks under a name that is a part of this one."""
    words = set(_words(full))
    fits = [name for name, parts in spoken.items() if parts and parts <= words]
    exact = [name for name in fits if spoken[name] == words]
    return (exact or fits)[0] if exact or len(fits) == 1 else ""


def _words(name: str) -> list[str]:
    return [word.strip(".").casefold() for word in _WORD.findall(name)]


def _introductions(action: str, language: str) -> Iterator[tuple[str, str, bool]]:
    """Names in capitals that something is said of; and whether they are sure to be somebody."""
    for name, rest in _capitals(action):
        look, is_sure = _described(rest, language)
        if look or is_sure:
            yield name, look, is_sure
    for found in _DRESSED.finditer(action):
        yield found["name"], found["look"], False


def _capitals(action: str) -> Iterator[tuple[str, str]]:
    """Names in capitals that end in `,`, `(` or `:`, and what comes after them."""
    run: list[str] = []
    ends = 0
    for found in _WORD.finditer(action):
        word = found[0]
        if run and action[ends : found.start()] != " ":
            run = []
        run = [*run, word] if _is_capital(word) or (run and word[0] in "#0123456789") else []
        ends = found.end()
        after = action[ends : ends + 2]
        if run and (after[:1] in {",", ":"} or after == " ("):
            name = " ".join(run[-_LONGEST_NAME:])
            while _PLAIN.match(name):
                name = _PLAIN.sub("", name)
            if len(name) > 1:
                yield name, action[ends : ends + 2 * _LONGEST_LOOK]
            run = []
        if word.endswith((".", "!", "?")) and len(word) > _LONGEST_NAME:
            run = []


def _is_capital(word: str) -> bool:
    bare = _SMALL.sub("", word)
    return any(sign.isalpha() for sign in bare) and bare.upper() == bare and not word[0].isdigit()


def _described(rest: str, language: str) -> tuple[str, bool]:
    """What is said of somebody, and whether it is how old they are."""
    if rest.startswith(" ("):
        inside, closed, behind = rest[2:].partition(")")
        told = inside.strip() if closed and is_age(inside) else ""
        if told and behind.startswith(","):
            stop = _STOP.search(behind)
            more = behind[1 : stop.start()] if stop else behind[1:]
            worn = takewhile(
                lambda part: part and not _acts(part, language), map(str.strip, more.split(","))
            )
            told = ", ".join((told, *worn))
        return told[:_LONGEST_LOOK], bool(told)
    stop = _STOP.search(rest)
    sentence = rest[1 : stop.start()] if stop else rest[1:]
    parts = [part.strip() for part in sentence.split(",")][:_MOST_PARTS]
    kept = list(takewhile(lambda part: part and not _acts(part, language), parts))
    told = ", ".join(kept)
    is_sure = is_age(told) or bool(kept and _AGE_WITHIN.search(kept[0]))
    ended = len(kept) == len(parts)
    # Without an age, it is a description only if somebody then does something.
    return (told[:_LONGEST_LOOK], is_sure) if is_sure or not ended else ("", False)


def _acts(part: str, language: str) -> bool:
    """Whether it begins with what somebody does: `counts unopened letters`."""
    first = part.split(maxsplit=1)[0].strip("\u201c\"'")
    plain = first.casefold()
    if is_age(part) or plain in page_words()["worn"]:
        return False
    if language[:2].lower() == "de":
        return first[:1].islower() and plain.endswith("t") and len(plain) >= _SHORTEST_VERB
    ends = plain.endswith("s") and not plain.endswith(("ss", "'s", "\u2019s", "s'", "us"))
    return ends and " " in part
