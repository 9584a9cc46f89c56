"""Text as somebody says it: addresses, prices and numbers in words, hints for names.

What a voice reads well by itself stays as it is. The rules for what is an address or a price are
those that lengths are counted with (`studio.speech`).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from callsheet_studio.base.speech import LINK, MAIL, PHONE, PRICE, phone_digits
from callsheet_studio.sound.tongues import tongue_or_english

if TYPE_CHECKING:
    from collections.abc import Mapping

LONGEST_WORD = 40
"""Letters. A voice chokes on what has no end; nobody can follow it either."""

_SAME = {"USD": "$", "US$": "$", "CAD": "$", "AUD": "$", "EUR": "€", "GBP": "£", "JPY": "¥"}
_GROUPED = {"en": re.compile(r"(?<=\d),(?=\d{3}\b)")}
_GROUPED_ELSEWHERE = re.compile(r"(?<=\d)[.\u2019'](?=\d{3}\b)")
_NUMBER = re.compile(r"\d[\d.,'\u2019]*")
_UNSAID = re.compile(r"[<>\\|*_~^`\[\]{}\"\u201c\u201d\u201e\u00ab\u00bb]")
_LONG = re.compile(rf"[^\W\d_]{{{LONGEST_WORD}}}(?=[^\W\d_])")
_LONG_NUMBER = re.compile(r"\d{12}(?=\d)")
_CENTS = 2


def sayable(text: str, language: str, hints: Mapping[str, str] | None = None) -> str:
    """The text that is given to the voice.

    Args:
        text: what is to be said, without the name of who says it.
        language: as `en` or `de-AT`.
        hints: how names are pronounced, as `{"Lotsa": "Loht-sah"}`; whole words, in any case.
    """
    tongue = language[:2].lower()
    text = _hinted(text, hints or {})
    text = MAIL.sub(lambda found: _address(found[0], tongue), text)
    text = LINK.sub(lambda found: _address(found[0], tongue), text)
    text = PRICE.sub(lambda found: _price(found[0], tongue), text)
    text = PHONE.sub(lambda found: _phone(found[0]), text)
    text = _GROUPED.get(tongue, _GROUPED_ELSEWHERE).sub("", text)
    for sign, word in tongue_or_english(tongue).words.items():
        text = text.replace(sign, f" {word} ")
    text = _UNSAID.sub(" ", text)
    text = _LONG_NUMBER.sub(r"\g<0> ", _LONG.sub(r"\g<0> ", text))
    return re.sub(r"\s+([,.;:!?])", r"\1", " ".join(text.split()))


def hints_in(text: str, hints: Mapping[str, str]) -> dict[str, str]:
    """Those of the hints that a text needs."""
    return {name: said for name, said in hints.items() if _hinted(text, {name: said}) != text}


def _hinted(text: str, hints: Mapping[str, str]) -> str:
    if not hints:
        return text
    said = {name.lower(): hint for name, hint in hints.items()}
    longest_first = sorted(said, key=lambda name: (-len(name), name))
    names = "|".join(map(re.escape, longest_first))
    found = re.compile(rf"(?<!\w)(?:{names})(?!\w)", re.IGNORECASE)
    return found.sub(lambda name: said[name[0].lower()], text)


def _address(found: str, tongue: str) -> str:
    signs = tongue_or_english(tongue).signs
    bare = re.sub(r"\Ahttps?://", "", found).rstrip("./")
    bare = re.sub(r"\Awww\.", "w w w.", bare)
    return re.sub(r"[^\w\s]|_", lambda sign: f" {signs.get(sign[0], '')} ", bare)


def _price(found: str, tongue: str) -> str:
    """`$9.99` as `9 dollars 99`: so it is said in every language here."""
    number = _NUMBER.search(found)
    assert number is not None, "a price has a number"
    figure = number[0].rstrip(".,'\u2019")
    sign = found.replace(figure, "").strip(" .,'\u2019\u00a0\u202f")
    word = tongue_or_english(tongue).money.get(_SAME.get(sign, sign), sign)
    whole, comma, cents = figure, "", ""
    if len(figure) > _CENTS + 1 and figure[-_CENTS - 1] in ".,":
        whole, comma, cents = figure[: -_CENTS - 1], figure[-_CENTS - 1], figure[-_CENTS:]
    whole = re.sub(r"\D", "", whole) if comma or re.search(r"[.,'\u2019]\d{3}\b", whole) else whole
    after = found[number.start() + len(figure) : number.end()]
    said = f"{whole} {word}" if cents in {"", "00"} else f"{whole} {word} {int(cents)}"
    return said + after


def _phone(found: str) -> str:
    """Digit by digit, with a breath between the groups."""
    if not phone_digits(found):
        return found
    plus = "plus " if found.startswith("+") else ""
    return plus + ", ".join(" ".join(group) for group in re.findall(r"\d+", found))
