"""Words for people: what is one, whether it is a woman or a man, and what they wear."""

from __future__ import annotations

import re
from functools import cache

from callsheet_studio.library.shelves import given_names, people

_HER_TRADE = re.compile(r"(?:er|ist|ekt|ent|ant|log|eur|or)in(?:nen)?\Z")
"""How German words end for what a woman is."""
_MANLY, _NOT_MEN = ("woman", "women", "man", "men"), ("human", "german", "roman", "talisman")
_TAIL, _REST = 4, 3
"""Letters of a German word for people, and of what stands before it in a compound."""


def is_person(word: str, language: str) -> bool:
    """Whether a word is one for people: `baker`, `Hafenmeister`, `fishermen`."""
    words, plain = people(language), word.lower()
    if plain in words.one | words.many:
        return True
    if language[:2].lower() == "de":
        return word[:1].isupper() and bool(_tail(plain) or _HER_TRADE.search(plain))
    return plain.endswith(_MANLY) and not plain.endswith(_NOT_MEN) and "-" not in plain


@cache
def _tail(plain: str) -> str:
    """The word for people that a German compound ends with, the longest; or nothing."""
    words = people("de")
    fitting = (
        each
        for each in words.one | words.many
        if len(each) >= _TAIL and plain.endswith(each) and len(plain) - len(each) >= _REST
    )
    return max(fitting, key=lambda each: (len(each), each), default="")


@cache
def form_of(name: str) -> str:
    """`woman` or `man`, where a name or a word for somebody says it; else nothing."""
    words = re.findall(r"[^\W\d_]+", name) or [""]
    first, last = words[0].lower(), words[-1].lower()
    for word in (first, last, _tail(last)):
        said = [form for form, called in _called_so() if word in called]
        if said:
            return said[0]
    named = [given_names()[word.lower()] for word in words if word.lower() in given_names()]
    if named:
        return named[0]
    return _ending(last, german=words[-1][:1].isupper())


@cache
def _called_so() -> tuple[tuple[str, frozenset[str]], ...]:
    told = [people(language) for language in ("en", "de")]
    return tuple(
        (form, each) for one in told for form, each in (("woman", one.she), ("man", one.he))
    )


def _ending(last: str, *, german: bool) -> str:
    """As a word for somebody ends: `Lehrerin`, `Lehrer`, `craftswoman`, `postman`."""
    trade = last if last in people("de").one else _tail(last)
    if (german and trade.endswith("in")) or last.endswith(("woman", "women")):
        return "woman"
    is_his = last.endswith(("man", "men")) or (trade and f"{trade}in" in people("de").one)
    return "man" if is_his else ""


def outfit(name: str, language: str, number: int) -> str:
    """What somebody wears whom nobody has described: for their work, or the one with a number.

    Or the next after it that suits them.
    """
    words = people(language)
    for worn, trades in words.workwear.items():
        if any(name.lower().endswith(trade) for trade in trades):
            return worn
    unfit = {"woman": words.not_hers, "man": words.not_his}.get(form_of(name), ())
    turned = [words.outfits[(number + n) % len(words.outfits)] for n in range(len(words.outfits))]
    return next(each for each in turned if not any(word in each for word in unfit))


def in_group(name: str, words: str, number: int) -> str:
    """What one of several wears: as they were described, or everybody an outfit of their own."""
    for language in ("en", "de"):
        worn = people(language).outfits
        if words in worn:
            return outfit(name, language, worn.index(words) + number)
    return words
