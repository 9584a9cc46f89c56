"""How values are put into words in all documents: on one line, as money, as time."""

from __future__ import annotations

import json
import unicodedata
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from callsheet_studio.model.base import Data

_MINUTE = 60
_HOUR = 3600
_CENT = 0.01
_TIMES = {
    "dawn": "Morgendämmerung",
    "morning": "Morgen",
    "day": "Tag",
    "afternoon": "Nachmittag",
    "dusk": "Abenddämmerung",
    "evening": "Abend",
    "night": "Nacht",
}


def one_line(text: str | None) -> str:
    """The text with every line break, tab and control sign turned into a space."""
    told = text or ""
    # Most texts have none of them, and need not be looked at sign by sign.
    if not told.isprintable():
        told = "".join(" " if _is_no_sign(sign) else sign for sign in told)
    return " ".join(told.split())


def _is_no_sign(sign: str) -> bool:
    """Whether it is nothing to be read; XML cannot even hold most of these."""
    return unicodedata.category(sign) in {"Cc", "Cs", "Zl", "Zp"} or sign in "\ufffe\uffff"


def lines(text: str | None) -> list[str]:
    """Its lines that say something, each on one line."""
    return [line for line in map(one_line, (text or "").splitlines()) if line]


def in_words(name: str) -> str:
    """A name of the library for people: `product_table` is `product table`."""
    return one_line(name.replace("_", " "))


def named(name: str, language: str) -> str:
    """A place, a time of day or a prop of the library, in the language of the film."""
    told = in_words(name)
    return _german().get(told, told) if language[:2].lower() == "de" else told


@cache
def _german() -> Mapping[str, str]:
    from callsheet_studio.library import sets

    found = dict(_TIMES)
    for entry in sets().values():
        found |= {in_words(entry.id): entry.name_de}
        found |= dict(zip(entry.props, entry.props_de, strict=True))
    return MappingProxyType(found)


def money(usd: float) -> str:
    """In dollars, with as many digits as matter."""
    if 0 < usd < _CENT:
        return "< $0.01"
    return f"${usd:,.2f}"


def seconds(value: float) -> str:
    """A short length of time, as `4.5 s`."""
    return f"{value:.1f} s"


def span(value: float) -> str:
    """A length of time as people say it: `45 s`, `12 min`, `1 h 05 min`."""
    whole = int(value + 0.5)
    if whole < _MINUTE:
        return f"{whole} s"
    if whole < _HOUR:
        minutes, rest = divmod(whole, _MINUTE)
        return f"{minutes} min {rest:02} s" if rest else f"{minutes} min"
    hours, minutes = divmod((whole + _MINUTE // 2) // _MINUTE, _MINUTE)
    return f"{hours} h {minutes:02} min" if minutes else f"{hours} h"


def number(value: float) -> str:
    """Without zeros that say nothing."""
    return f"{value:.3f}".rstrip("0").rstrip(".")


def as_json(data: Data) -> bytes:
    """The object as a file: indented, in the order of its fields, words as they are."""
    text = json.dumps(data.model_dump(mode="json"), indent=2, ensure_ascii=False)
    return f"{text}\n".encode()
