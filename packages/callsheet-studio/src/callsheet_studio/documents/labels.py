"""The words of the documents themselves, and their numbers, in the language of the film.

English stands in the code. Another language is a file in `languages/`, which says each of these
texts anew; what has none is told in English. Somebody's own words are never touched.
"""

from __future__ import annotations

import re
from datetime import date
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import msgspec
import rtoml
from msgspec import field

from callsheet_studio.documents import words

if TYPE_CHECKING:
    from collections.abc import Mapping

LANGUAGES = Path(__file__).parent / "languages"

_SLOT = re.compile(r"\\\{(\w+):(\w+)\\\}")
_KINDS = {
    "money": r"\$\d[\d,.]*\d|\$\d",
    "number": r"\d+(?:\.\d+)?",
    "day": r"\d{4}-\d\d-\d\d",
    "span": r"\d[\dhmins ]*?",
    "lengths": r"\d[\ds.+ ]*?",
    "names": r"[\w, ]+?",
    "said": r".+?",
    "text": r".+?",
}
"""What a slot of a sentence can hold."""


class Labels(msgspec.Struct, frozen=True):
    """How a language says what documents say."""

    language: str
    """That of the labels: `en` where the film's is not known here."""
    texts: Mapping[str, str] = field(default_factory=dict)
    _names: Mapping[str, str] = field(default_factory=dict)
    _sentences: tuple[tuple[re.Pattern[str], Mapping[str, str], str], ...] = ()
    _numbers: Mapping[str, str] = field(default_factory=dict)

    def __call__(self, text: str, /, **parts: object) -> str:
        """A label, or a text of ours with its `{parts}` filled in."""
        return self.texts.get(text, text).format(**parts)

    def name(self, name: str) -> str:
        """A name of the library or of the plan, for people: `soft_day`, `image_to_video`."""
        told = words.in_words(name)
        return self._names.get(told, told)

    def said(self, sentence: str) -> str:
        """What the solver says, one sentence at a time; as it is where nobody has translated it."""
        return self._said(sentence) or sentence

    def _said(self, sentence: str) -> str | None:
        for pattern, kinds, other in self._sentences:
            if found := pattern.fullmatch(sentence):
                parts = {
                    name: self._part(kinds[name], each) for name, each in found.groupdict().items()
                }
                if None not in parts.values():
                    return other.format(**parts)
        return None

    def _part(self, kind: str, found: str) -> str | None:
        match kind:
            case "money":
                return self._money(found)
            case "number" | "lengths":
                return self._figure(found)
            case "day":
                return self.day(date.fromisoformat(found))
            case "names":
                return ", ".join(map(self.name, found.split(", ")))
            case "said":
                return self._said(found)
            case _:
                return found

    # Numbers

    def money(self, usd: float) -> str:
        """In dollars, with as many digits as matter."""
        return self._money(words.money(usd))

    def seconds(self, value: float) -> str:
        """A short length of time, as `4.5 s`."""
        return self._figure(words.seconds(value))

    def number(self, value: float) -> str:
        """Without zeros that say nothing."""
        return self._figure(words.number(value))

    def share(self, value: float) -> str:
        """A number from 0 to 1, as `0.62`."""
        return self._figure(f"{value:.2f}")

    def percent(self, value: float) -> str:
        """A share as `1.5%`."""
        return self._numbers.get("percent", "{}%").format(self._figure(f"{value * 100:.1f}"))

    def day(self, day: date) -> str:
        """A date."""
        return day.strftime(self._numbers["day"]) if self._numbers else day.isoformat()

    def _money(self, told: str) -> str:
        if not self._numbers:
            return told
        before, _, amount = told.partition("$")
        return before + self._numbers["money"].format(self._figure(amount))

    def _figure(self, told: str) -> str:
        if not self._numbers:
            return told
        signs = {".": self._numbers["decimal"], ",": self._numbers["thousands"]}
        return "".join(signs.get(sign, sign) for sign in told)


def labels(language: str) -> Labels:
    """The labels in a language, as `de` or `de-AT`; in English if there are none."""
    return _labels(language[:2].lower())


@cache
def _labels(language: str) -> Labels:
    file = LANGUAGES / f"{language}.toml"
    if not language.isalpha() or not file.is_file():
        return Labels("en")
    said: dict[str, Any] = rtoml.loads(file.read_text("utf-8"))
    return Labels(
        language,
        MappingProxyType(said["texts"]),
        MappingProxyType(said["names"]),
        tuple(_sentence(text, other) for text, other in said["sentences"].items()),
        MappingProxyType(said["numbers"]),
    )


def _sentence(text: str, other: str) -> tuple[re.Pattern[str], Mapping[str, str], str]:
    """A sentence with slots, as what finds it; those that are more exact stand first."""
    written = re.escape(text)
    kinds = dict(_SLOT.findall(written))
    pattern = _SLOT.sub(lambda slot: f"(?P<{slot[1]}>{_KINDS[slot[2]]})", written)
    return re.compile(pattern), MappingProxyType(kinds), other
