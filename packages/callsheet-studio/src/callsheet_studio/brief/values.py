"""Single values of a brief, read: what somebody has written to what the model holds."""

from __future__ import annotations

import math
import re
from datetime import date
from typing import TYPE_CHECKING

from callsheet.errors import InputError
from callsheet_studio.base.time import Rate, read_duration
from callsheet_studio.brief.choices import choose
from callsheet_studio.brief.problems import show
from callsheet_studio.brief.regions import region_of
from callsheet_studio.brief.tongue import NAMES

if TYPE_CHECKING:
    from collections.abc import Callable

    from callsheet_studio.brief.fields import Field
    from callsheet_studio.brief.problems import Problems

LONGEST_LINE = 300
LONGEST_TEXT = 4_000
LONGEST_SCRIPT = 60_000
"""Signs; ten minutes of speech are about 12,000."""
MOST_ITEMS = 20
MOST_MESSAGES = 12
_FEW = {"message.supporting": "; a viewer remembers three to five"}
_LARGEST_NUMBER = 1e15
_MOST_USD = 1_000_000
_LONGEST_DEADLINE = 365 * 86400
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_MONEY = re.compile(r"(?:usd|us\$|\$)?\s*(-?\d+(?:\.\d+)?)\s*(?:usd|us\$|\$|dollars?)?\Z")
_ITEM = re.compile(r"\s*(?:[-*\u2022]|\d{1,2}[.)])\s+(.*)")
_THOUSANDS = re.compile(r",(?=\d{3}(?!\d))")
_SPAN_UNITS = {"s": 1, "m": 60, "min": 60, "h": 3600, "d": 86400}
_SPAN_UNITS |= {"minute": 60, "hour": 3600, "day": 86400}
_SPAN = re.compile(r"(\d+(?:\.\d+)?)\s*(minute|hour|day|min|s|m|h|d)s?(?![a-z])\s*")
_COLOUR = re.compile(r"#?(?:([0-9a-f]{6})|([0-9a-f]{3}))\Z")
_PIXELS = re.compile(r"(\d{2,5})\s*[x\u00d7*]\s*(\d{2,5})\Z")
_SHORT_SIDE = re.compile(r"(\d{3,4})p\Z")
_SIDES = {"2k": 1440, "4k": 2160, "uhd": 2160, "full_hd": 1080, "fullhd": 1080, "hd": 720}
_RATIO = re.compile(r"fps\Z")
_CODE = re.compile(r"([a-z]{2,3})(?:[-_][a-z0-9]{2,8})*\Z")
_NAMES = """
black 000000 white ffffff grey 808080 gray 808080 red ff0000 green 008000 blue 0000ff yellow ffff00
orange ffa500 purple 800080 pink ffc0cb brown a52a2a navy 000080 teal 008080 gold ffd700
beige f5f5dc
"""
_NAMED = dict(zip(_NAMES.split()[::2], _NAMES.split()[1::2], strict=True))


class Reader:
    """Reads values, each by the kind of its field; what is wrong is a problem, and None."""

    def __init__(self, problems: Problems) -> None:
        self._problems = problems

    def read(self, field: Field, found: object) -> object | None:
        """The value of a field; None if nothing is there or it is wrong."""
        key = field.key
        match field.kind:
            case "line" | "text":
                return self._text(found, field)
            case "sentences":
                return self.texts(found, key)
            case "words":
                return self.texts(found, key, split=True)
            case "colours":
                return self._colours(found, key)
            case "sayings":
                return self._sayings(found, key)
            case _:
                return self._single(field, found)

    def _single(self, field: Field, found: object) -> object | None:
        text = self.line(found, field.key)
        if text is None:
            return None
        if field.kind == "choice":
            is_auto = field.name == "structure" and text.lower() == "auto"
            return None if is_auto else choose(text, field.key, self._problems)
        read: dict[str, Callable[[str, str], object | None]] = {
            "duration": self.duration,
            "span": self._span,
            "money": self._money,
            "date": self._date,
            "language": self._language,
            "region": lambda found, key: region_of(found, key, self._problems),
            "fps": self._fps,
            "resolution": self._resolution,
        }
        return read[field.kind](text, field.key)

    # Text

    def _text(self, found: object, field: Field) -> str | None:
        if field.kind == "line":
            return self.line(found, field.key)
        most = LONGEST_SCRIPT if field.name == "script" else LONGEST_TEXT
        return self.text(found, field.key, most)

    def line(self, found: object, key: str) -> str | None:
        """Text on one line, its spaces single."""
        text = self.text(found, key, LONGEST_LINE)
        return " ".join(text.split()) if text else None

    def text(self, found: object, key: str, most: int) -> str | None:
        """Text as it is written. A number is text too."""
        if found is None:
            return None
        if isinstance(found, (int, float)) and not isinstance(found, bool):
            if not abs(found) < _LARGEST_NUMBER:  # not even NaN is
                what = f"{show(found)} is not a number that means something here"
                self._problems.add(key, what, "Write it in digits, or leave it out.")
                return None
            found = _written(found)
        if not isinstance(found, str):
            fix = "Write the words themselves, or their file: script_file: NAME."
            fix = fix if key == "content.script" else "Write a text."
            self._problems.add(key, f"{show(found)} is not text", fix)
            return None
        if bad := _FORBIDDEN.search(found):
            what = f"it holds a sign that is no text, U+{ord(bad[0]):04X}"
            self._problems.add(key, what, "Remove it.")
            return None
        text = found.replace("\r\n", "\n").replace("\r", "\n").strip()
        if len(text) > most:
            what = f"it has {len(text):,} signs, and at most {most:,} are possible"
            self._problems.add(key, what, "Say it in fewer words.")
            return None
        return text or None

    def texts(self, found: object, key: str, *, split: bool = False) -> list[str] | None:
        """A list of texts. A single text is a list of one, or of what its commas separate."""
        items = found if isinstance(found, list) else [found]
        if isinstance(found, str):
            items = _listed(found) or (_separated(found) if split else [found])
        most = MOST_MESSAGES if key == "message.supporting" else MOST_ITEMS
        if len(items) > most:
            what = f"{len(items):,} are too many: at most {most} are possible"
            self._problems.add(key, what, f"Keep those that matter most{_FEW.get(key, '')}.")
            return None
        read: list[str] = []
        for number, item in enumerate(items):
            if item is None and isinstance(found, list):
                self._problems.add(f"{key}[{number}]", "it is empty", _empty(key))
            text = self.line(item, f"{key}[{number}]" if isinstance(found, list) else key)
            if text and text.casefold() not in map(str.casefold, read):
                read.append(text)
        return read or None

    # Numbers

    def duration(self, text: str, key: str) -> float | None:
        """Seconds of screen time."""
        try:
            return read_duration(text)
        except InputError as error:
            what, _, fix = error.message.partition(". ")
            self._problems.add(key, what, fix)
            return None

    def _span(self, text: str, key: str) -> float | None:
        total, place = 0.0, 0
        while found := _SPAN.match(text.lower(), place):
            total += float(found[1]) * _SPAN_UNITS[found[2]]
            place = found.end()
        if place < len(text) or not 0 < total <= _LONGEST_DEADLINE:
            what = f"{show(text)} is not a time in which a film can be made"
            self._problems.add(key, what, "Write 45m, 2h or 1d, up to 365d.")
            return None
        return total

    def _money(self, text: str, key: str) -> float | None:
        found = _MONEY.match(_THOUSANDS.sub("", text.lower()))
        usd = float(found[1]) if found else math.nan
        if not 0 <= usd <= _MOST_USD:
            what = f"{show(text)} is not an amount of US dollars"
            fix = f"Write a number from 0 to {_MOST_USD:,}, as in 60, without other currencies."
            self._problems.add(key, what, fix)
            return None
        return usd

    def _date(self, text: str, key: str) -> date | None:
        try:
            return date.fromisoformat(text)
        except ValueError:
            self._problems.add(key, f"{show(text)} is not a day", "Write it as in 2026-12-01.")
            return None

    # The film

    def _language(self, text: str, key: str) -> str | None:
        lower = text.lower()
        for code, names in NAMES.items():
            if lower in names:
                return code
        if found := _CODE.match(lower):
            return found[1]
        what = f"{show(text)} is not a language"
        self._problems.add(key, what, "Write its code: en, de, fr, …")
        return None

    def _fps(self, text: str, key: str) -> str | None:
        rate = _RATIO.sub("", text.lower()).strip()
        try:
            Rate.of(rate)
        except InputError as error:
            what, _, fix = error.message.partition(". ")
            self._problems.add(key, what, fix)
            return None
        return rate.removesuffix(".0")

    def _resolution(self, text: str, key: str) -> str | None:
        lower = text.lower()
        if found := _PIXELS.match(lower):
            return f"{int(found[1])}x{int(found[2])}"
        if found := _SHORT_SIDE.match(lower):
            return f"{int(found[1])}p"
        if side := _SIDES.get(lower.replace(" ", "_")):
            return f"{side}p"
        what = f"{show(text)} is not a resolution"
        self._problems.add(key, what, "Write width x height, as in 1280x720, or 720p or 1080p.")
        return None

    def _colours(self, found: object, key: str) -> list[str] | None:
        read = []
        written = found if isinstance(found, list) else []
        for item in self.texts(found, key, split=True) or ():
            digits = _NAMED.get(item.lower())
            if found_digits := _COLOUR.match(item.lower()):
                digits = found_digits[1] or "".join(2 * digit for digit in found_digits[2])
            if digits is None:
                fix = 'Write it as in "#0b3c5d", in quotes, or as black, navy, gold, …'
                place = f"{key}[{written.index(item)}]" if item in written else key
                self._problems.add(place, f"{show(item)} is not a colour", fix)
            else:
                read.append(f"#{digits}")
        return read or None

    def _sayings(self, found: object, key: str) -> dict[str, str] | None:
        """`{Lotsa: LOHT-sah}`, or a list of such, or of texts such as `Lotsa = LOHT-sah`."""
        texts: list[object] = []
        for item in found if isinstance(found, list) else [found]:
            if isinstance(item, dict):
                texts += [f"{name} = {'' if said is None else said}" for name, said in item.items()]
            else:
                texts += _separated(item) if isinstance(item, str) else [item]
        read: dict[str, str] = {}
        for text in self.texts(texts, key) or ():
            name, _, said = (part.strip() for part in text.partition("=" if "=" in text else ":"))
            if name and any(map(str.isalnum, said)):
                read[name] = said
            else:
                what = f"{show(text)} does not tell how a name is said"
                self._problems.add(key, what, "Write it as in {Lotsa: LOHT-sah}.")
        return read or None


def _listed(text: str) -> list[str]:
    """The items of a list that is written as text, a bullet in each line; else none."""
    lines = [_ITEM.match(line) for line in text.strip().splitlines()]
    return [line[1] for line in lines if line] if all(lines) else []


def _separated(text: str) -> list[str]:
    return [item for item in re.split(r"\s*[,;]\s*", text) if item]


def _written(number: float) -> str:
    return str(int(number)) if float(number).is_integer() else str(number)


def _empty(key: str) -> str:
    if key == "style.palette":
        return 'In YAML a # begins a comment: write "#0b3c5d" in quotes.'
    return "Write it, or remove the line."
