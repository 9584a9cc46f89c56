"""Facts in a sentence that can be drawn as such: a number with what it counts, or a way of steps.

A number becomes a designed figure, a way (`from the roof through a filter into a tank`) a diagram.
What cannot be cut cleanly is not cut: then there is no figure.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Literal

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterator

Kind = Literal["number", "share", "ratio", "change", "price", "clock", "date"]

_WORDS = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "fifteen": 15, "twenty": 20, "thirty": 30,
    "thirteen": 13, "fourteen": 14, "sixteen": 16, "eighteen": 18, "twenty-four": 24, "forty": 40,
    "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90, "hundred": 100,
    "ein": 1, "eine": 1, "einem": 1, "einer": 1, "einen": 1, "zwei": 2, "drei": 3, "vier": 4,
    "fünf": 5, "sechs": 6,
    "sieben": 7, "acht": 8, "neun": 9, "zehn": 10, "elf": 11, "zwölf": 12, "fünfzehn": 15,
    "vierzehn": 14, "zwanzig": 20, "dreißig": 30, "vierzig": 40, "fünfzig": 50, "sechzig": 60,
    "siebzig": 70, "achtzig": 80, "neunzig": 90, "hundert": 100,
}  # fmt: skip
_ORDINALS = {
    "dritte": 3, "vierte": 4, "fünfte": 5, "sechste": 6, "siebte": 7, "achte": 8, "zehnte": 10,
}  # fmt: skip
_LARGE = {"hundred": 100, "thousand": 1000, "tausend": 1000, "hundert": 100}
_THOUSANDS = re.compile(
    rf"(?i)(?<![\w.,])({'|'.join(word for word in _WORDS if word not in _LARGE)}|\d{{1,3}})"
    r"[ -]?(hundred|thousand|tausend|hundert)(?!\w)"
)
_PARTS = {
    "third": ("\u2153", 33.3), "quarter": ("\u00bc", 25.0), "fifth": ("\u2155", 20.0),
    "drittel": ("\u2153", 33.3), "viertel": ("\u00bc", 25.0), "f\u00fcnftel": ("\u2155", 20.0),
}  # fmt: skip
_AT_A_GLANCE = 5
_BARE = r"\u2212?\d[\d.,]*(?<![.,])"
_DIGITS = rf"(?<![\w.,/-]){_BARE}"
_MONEY = r"euros?|pfund|pounds?|dollars?|cents?|francs?|pence|franken|€|\$|£"
_MEASURED = (
    r"seconds?|minutes?|hours?|days?|weeks?|months?|years?|miles?|metres?|meters?|kilomet\w+|"
    r"sekunden?|minuten?|stunden?|tagen?|tage|wochen?|monaten?|monate|jahren?|jahre|metern?|meter"
)
"""What a number in words is read with; `one map` is no figure."""
_MONTHS = (
    r"january|february|march|april|may|june|july|august|september|october|november|december|"
    r"januar|februar|märz|mai|juni|juli|oktober|dezember"
)
_PER = (
    r"(?:\s+(?:an?|per|each|every|pro|im|je|in der|am)\s+(?:year|month|week|day|hour|"
    r"boat|person|head|"
)
_PER += r"night|jahr|monat|woche|tag|stunde|kopf|nacht|person|boot))?"
_LITTLE = frozenset((
    "a", "an", "the", "of", "in", "on", "at", "to", "and", "or", "is", "are", "was", "by", "for",
    "from", "with", "than", "more", "less", "young", "old", "new", "other", "und", "oder",
    "der", "die", "das", "den", "dem", "im", "am", "an", "auf", "bis", "mit", "von", "für", "ist",
    "sind", "mehr", "weniger", "neue", "neuen", "alte", "alten", "ab", "straight", "come", "go",
))  # fmt: skip
_CASES = {"jahren": "Jahre", "tagen": "Tage", "monaten": "Monate", "metern": "Meter"}
_LONGEST_LABEL, _FEWEST = 3, 2
_MOST_STEPS = 5
SIDE_BY_SIDE = " | "
"""Between what a way leads to at once."""
_DAYS = r"\b(?:\w+day|morning|night|\w+tag|morgen|abend|montag|start|end|anfang|ende)\b"


_SHORT_UNITS = frozenset(("kg", "g", "km", "m", "cm", "mm", "l", "ml", "kwh", "qm", "mal", "ha"))
_MULTIPLIED = re.compile(r"(?i)\s+(?:as|more|the|so|mehr|weniger)\b")
"""`3 times as fast` counts nothing."""


_BELOW = re.compile(
    rf"(?i)(?<!\w)(?:minus\s+|(?<=\s)[-\u2212](?=\d))({'|'.join(_WORDS)}|\d[\d.,]*(?<![.,]))(?!\w)"
)
"""A number below zero, in words or with a sign."""


class Figure(msgspec.Struct, frozen=True):
    """A number that a sentence tells."""

    kind: Kind
    value: str
    """As it is shown: `45,000`, `1 in 5`, `9 → 2`."""
    unit: str = ""
    """What it counts: `litres a year`."""
    amount: float = 0.0
    of: float = 0.0
    """Of how many, or what it was before."""


@cache
def figure_in(text: str, language: str) -> Figure | None:
    """The most telling number of a sentence, or none."""
    german = language[:2].lower() == "de"
    text = _THOUSANDS.sub(lambda match: _in_digits(match, german=german), text)
    text = _BELOW.sub(lambda match: f"\u2212{_shown(match[1])}", text)
    if alone := re.fullmatch(rf"\s*({_BARE})[\s.!]*", text):
        return Figure("number", alone[1], "", _number(alone[1]))
    for read in (
        _ratio,
        _change,
        _share,
        _price,
        _ranged,
        _counted,
        _date,
        _clock,
        _measured,
        _many,
    ):
        found = next(read(text, german=german), None)
        if found is not None:
            return found
    return None


def _in_digits(match: re.Match[str], *, german: bool) -> str:
    """`two thousand` as `2,000`."""
    number = int(_number(match[1])) * _LARGE[match[2].lower()]
    shown = f"{number:,}"
    return shown.replace(",", ".") if german else shown


def _number(word: str) -> float:
    plain = word.lower()
    if plain in _WORDS:
        return float(_WORDS[plain])
    word = word.replace("\u2212", "-")
    # 45,000 and 1.340 are thousands, 4.5 and 4,5 are not.
    if re.fullmatch(r"\d{1,3}(?:[.,]\d{3})+", word):
        return float(re.sub(r"[.,]", "", word))
    return float(word.replace(",", "."))


def _shown(word: str) -> str:
    return str(_WORDS[word.lower()]) if word.lower() in _WORDS else word


def _ratio(text: str, *, german: bool) -> Iterator[Figure]:
    names = "|".join(_WORDS)
    of = "von" if german else "in|out of"
    form = rf"(?i)\b(one|eine?[mnrs]?|1)(?:\s+[^\W\d_]+)?\s+(?:{of})\s+({names}|\d+)\b"
    for match in re.finditer(rf"{form}(?!\s+(?:{_MEASURED})\b)", text):
        count = _number(match[2])
        if count > 1:
            value = f"1 {'von' if german else 'in'} {_shown(match[2])}"
            yield Figure("ratio", value, "", 1.0, count)
    many = rf"(?i)(?<![\w.,])({names}|\d{{1,3}})\s+(?:out of|von)\s+({names}|\d{{1,3}})\b"
    for match in re.finditer(many, text):
        part, count = _number(match[1]), _number(match[2])
        if 1 < part < count:
            sign = "von" if german else "in"
            yield Figure("ratio", f"{part:g} {sign} {count:g}", "", part, count)
    for match in re.finditer(rf"(?i)\bjede[rsn]? ({'|'.join(_ORDINALS)})[nrs]?\b", text):
        count = float(_ORDINALS[match[1].lower()])
        yield Figure("ratio", f"1 von {count:g}", "", 1.0, count)


def _change(text: str, *, german: bool) -> Iterator[Figure]:
    way = r"(?:von|from)\s+(\d[\d.,]*)(?:\s+[^\W\d_]+){0,3}?\s+(?:auf|to)\s+(\d[\d.,]*)(?<![.,])"
    for match in re.finditer(rf"(?i)\b{way}", text):
        before, after = match[1].rstrip(".,"), match[2]
        yield Figure("change", f"{before} \u2192 {after}", "", _number(after), _number(before))
    del german


def _share(text: str, *, german: bool) -> Iterator[Figure]:
    for match in re.finditer(
        rf"({_DIGITS})\s?(?:%|percent|per cent|prozent)(?!\w)", text, re.IGNORECASE
    ):
        yield Figure("share", f"{match[1]} %", "", _number(match[1]), 100.0)
    for _ in re.finditer(
        r"(?i)\b(half|(?:die )?hälfte)\b(?= (?:of|der|des|aller|your|the|ihre))", text
    ):
        yield Figure("share", "\u00bd", "", 50.0, 100.0)
    for match in re.finditer(
        rf"(?i)\b(?:an?|one|ein|einem)\s+({'|'.join(_PARTS)})\b(?! of an? )", text
    ):
        sign, share = _PARTS[match[1].lower()]
        yield Figure("share", sign, "", share, 100.0)
    del german


def _price(text: str, *, german: bool) -> Iterator[Figure]:
    for match in re.finditer(rf"([€$£])\s?({_BARE}){_PER}", text, re.IGNORECASE):
        yield Figure("price", f"{match[1]}{match[2]}", _tail(match[0], match[2]), _number(match[2]))
    for match in re.finditer(
        r"(?i)(?<![\w.,£$€])(\d+[.,]\d\d)\s((?:a|per|pro|im) [^\W\d_]+)", text
    ):
        yield Figure("price", match[1], match[2], _number(match[1]))
    for match in re.finditer(rf"({_DIGITS})\s?({_MONEY})(?!\w){_PER}", text, re.IGNORECASE):
        unit = match[0][len(match[1]) :].strip()
        yield Figure("price", match[1], unit, _number(match[1]))
    names = "|".join(word for word, number in _WORDS.items() if number > 1)
    for match in re.finditer(rf"(?i)\b({names})\s+(?:{_MONEY})(?!\w){_PER}", text):
        unit = match[0][len(match[1]) :].strip()
        yield Figure("price", _shown(match[1]), unit, _number(match[1]))
    del german


def _tail(whole: str, number: str) -> str:
    return whole.partition(number)[2].strip()


def _ranged(text: str, *, german: bool) -> Iterator[Figure]:
    """`3 to 4 hours`, `18 bis 24 Uhr`."""
    form = rf"({_DIGITS})\s?(?:bis|to|\u2013|-)\s?({_BARE})\s+([^\W\d_]+){_PER}"
    for match in re.finditer(form, text, re.IGNORECASE):
        if match[3].lower() in _LITTLE or re.fullmatch(_MONTHS, match[3].lower()):
            continue
        unit = match[0].partition(match[2])[2].strip()
        yield Figure("number", f"{match[1]}\u2013{match[2]}", _base(unit), _number(match[2]))
    del german


def _counted(text: str, *, german: bool) -> Iterator[Figure]:
    for match in re.finditer(
        rf"({_DIGITS})\s?(\u00b0 ?[CF]?(?!\w)|(?<=\s)[^\W\d_]+(?:-[^\W\d_]+)?){_PER}",
        text,
        re.IGNORECASE,
    ):
        noun = match[2].lower()
        if noun in ("times", "mal") and _MULTIPLIED.match(text, match.end()):
            continue
        degrees = noun.startswith("\u00b0")
        if german and match[2][0].islower() and not degrees and noun not in _SHORT_UNITS:
            continue  # a noun has a capital: `mit der Linie 4 h\u00e4lt man vor der T\u00fcr`
        if noun in _LITTLE or noun in ("uhr", "am", "pm") or re.fullmatch(_MONTHS, noun):
            continue
        if re.fullmatch(r"(?:19|20)\d\d", match[1]) or "http" in text[: match.start()][-8:]:
            continue
        unit = match[0][len(match[1]) :].strip()
        more = re.match(r"\s+([a-z]{3,}s)\b", text[match.end() :])
        if not german and more and " " not in unit and not unit.endswith("s"):
            unit = f"{unit} {more[1]}"
        if german and _DATIVE.search(text[: match.start()]):
            unit = _nominative(unit)
        yield Figure("number", match[1], _base(unit), _number(match[1]))


_DATIVE = re.compile(
    r"(?i)\b(?:mit|von|bei|nach|seit|aus|zu|in|auf|vor|unter|an|neben|zwischen|den|allen)\s+"
    r"(?:den |rund |etwa |\u00fcber |bis zu |nur )?\Z"
)
_SAME = (
    "stunden",
    "minuten",
    "sekunden",
    "wochen",
    "personen",
    "tonnen",
    "seiten",
    "tassen",
    "menschen",
    "frauen",
    "ungen",
    "innen",
    "heiten",
    "keiten",
    "schaften",
    "ionen",
    "t\u00e4ten",
    "eltern",
    "bauern",
    "etten",
    "ien",
)
"""How nouns end that are the same in the dative."""


def _nominative(unit: str) -> str:
    """A noun behind a preposition as it stands alone; none, where only a dictionary would know."""
    noun, _, rest = unit.partition(" ")
    plain = noun.lower()
    if (
        plain in _CASES
        or not noun[:1].isupper()
        or not plain.endswith("n")
        or plain.endswith(_SAME)
    ):
        return unit
    if plain.endswith("ern"):
        return f"{noun[:-1]} {rest}".strip()
    return rest


def _base(unit: str) -> str:
    if not unit:
        return ""
    first, *rest = unit.split()
    return " ".join((_CASES.get(first.lower(), first), *rest))


def _date(text: str, *, german: bool) -> Iterator[Figure]:
    months = rf"(\d{{1,2}})\.? ({_MONTHS})|({_MONTHS}) (\d{{1,2}})\b"
    for match in re.finditer(rf"(?i)\b(?:{months})", text):
        day = (
            f"{match[1]}. {match[2]}"
            if german
            else f"{match[1] or match[4]} {match[2] or match[3]}"
        )
        yield Figure("date", day.strip(), "", float(match[1] or match[4]))
    for match in re.finditer(
        r"\b(?:since|in|seit|from|of|von|ab|until|bis) ((?:19|20)\d\d)\b", text, re.IGNORECASE
    ):
        yield Figure("date", match[1], "", float(match[1]))


def _clock(text: str, *, german: bool) -> Iterator[Figure]:
    form = r"(?i)\b(\d{1,2})(?:[:.](\d\d))? ?(uhr|o'clock|a\.?m\.?|p\.?m\.?)(?!\w)"
    for match in re.finditer(form, text):
        after = re.match(r" (\d\d)(?!\w)", text[match.end() :]) if german else None
        hour = f"{int(match[1])}:{match[2] or (after[1] if after else '00')}"
        yield Figure("clock", hour if german else match[0], "", float(match[1]))


def _measured(text: str, *, german: bool) -> Iterator[Figure]:
    names = "|".join(word for word, number in _WORDS.items() if number > 1 or not german)
    for match in re.finditer(rf"(?i)\b({names})\s+((?:{_MEASURED})\b){_PER}", text):
        unit = match[0][len(match[1]) :].strip()
        yield Figure("number", _shown(match[1]), _base(unit), _number(match[1]))


def _many(text: str, *, german: bool) -> Iterator[Figure]:
    """`forty people`: a number in words that is more than one sees at a glance."""
    names = "|".join(word for word, number in _WORDS.items() if number >= _AT_A_GLANCE)
    noun = r"([A-Z\u00c4\u00d6\u00dc][\w-]+)" if german else r"([a-z-]+s|people|children|men|women)"
    for match in re.finditer(rf"\b((?i:{names}))\s+{noun}\b", text):
        if match[2].lower() not in _LITTLE and not re.match(rf"(?i)(?:{_MONEY})\Z", match[2]):
            yield Figure("number", _shown(match[1]), match[2], _number(match[1]))


# Lists

_NEGATED = re.compile(
    r"(?i)\A(?:and |und )?(?:no more|no|without|kein\w*|ohne|nie wieder)\s+(.+?)(?:\s+mehr)?\Z"
)
_YES = re.compile(r"(?i)\A(.+?):?\s+(?:yes|ja)\Z")
_NO = re.compile(r"(?i)\A(.+?):?\s+(?:no|nein)\Z")
_TELLING = re.compile(
    r"(?i)(?:i|you|we|they|he|she|it|there|this|that|ich|du|wir|sie|er|es|da|das|man|wenn|when|if|and|und)\b"
)
"""How a sentence begins that tells something, and is no list."""
_LONGEST_ITEM, _FEWEST_ITEMS, _MOST_ITEMS = 6, 3, 5


@cache
def listed_in(text: str) -> tuple[str, ...]:
    """The items of a sentence that only lists: `- smell` is not there, `+ coffee` is; or none."""
    bare = text.strip().rstrip(".!")
    if re.search(r"[.!?:;]\s", bare):
        return ()
    parts = [part.strip() for part in re.split(r",\s*(?:and |und )?|\s+(?:and|und)\s+", bare)]
    parts = [part for part in parts if part]
    short = all(len(part.split()) <= _LONGEST_ITEM for part in parts)
    if not short or len(parts) > _MOST_ITEMS:
        return ()
    without = [match[1] for part in parts if (match := _NEGATED.match(part))]
    if len(without) == len(parts) > 1:
        return tuple(f"- {each}" for each in without)
    marked = [
        f"{sign} {match[1]}"
        for part in parts
        for sign, form in (("+", _YES), ("-", _NO))
        if (match := form.match(part))
    ]
    if len(marked) == len(parts) > 1:
        return tuple(marked)
    told = _TELLING.match(bare)
    return tuple(parts) if len(parts) >= _FEWEST_ITEMS and not told else ()


# Ways


_AWAY = r"from|out of|von|vom|aus"
_THROUGH = r"through|via|over|durch|über"
_INTO = r"into|onto|to|in den|in die|in das|ins|zum|zur|zu den|nach|auf den|auf die|auf das|aufs"
_ARTICLES = (
    r"(?:(?:the|an?|its|your|our|their|der|die|das|dem|den|des|eine?[mnrs]?|ihr\w*|"
    r"sein\w*|dein\w*|unser\w*)\s+)"
)
_WORD = r"([^\W\d_][\w-]*)"
_STOP = (
    r"under|below|above|behind|beside|near|next|where|which|that|and|or|for|in|on|at|by|with|unter|über|"
    r"hinter|neben|bei|wo|und|oder|für|mit|an|auf|wird|werden|is|are|the next|afterwards|"
    r"again|wieder"
)
_NOUNS = rf"((?:(?!(?:{_STOP}|{_AWAY}|{_THROUGH}|{_INTO})\b)[^\W\d_][\w-]*\s?){{1,3}})"


@cache
def steps_in(text: str) -> tuple[str, ...]:
    """The steps of a way that a sentence describes, at least two; or none."""
    if "\u2192" in text or "->" in text:
        parts = [part.strip(" .") for part in re.split(r"\s*(?:\u2192|->)\s*", text)]
        return _fair(parts)
    return _counted_off(text) or _made_of(text) or _way(text) or _handed(text)


def _counted_off(text: str) -> tuple[str, ...]:
    """`well, filter, tank, tap: four stations`, `in three steps: cut, sew, wash`."""
    count = rf"(?:{'|'.join(_WORDS)}|\d)\s+(?:steps|stages|stations|schritte\w*|stationen|etappen)"
    found = re.search(rf"(?i)\A(.+?):\s+{count}\b", text.strip())
    found = found or re.search(rf"(?i)\b{count}\s*:\s+(.+?)[.!]?\Z", text.strip())
    if found is None:
        return ()
    return _fair(re.split(r"(?i),\s*(?:and\s+|und\s+)?|\s+(?:and|und)\s+", found[1]))


def _is_range(text: str, match: re.Match[str]) -> bool:
    """`from Abba to Bach`, `von Montag bis Freitag`: how much there is, and no way."""
    ends = [match[1].strip(), match[4].strip()]
    english = not re.search(r"[\u00e4\u00f6\u00fc\u00df]|\b(?:von|aus|zu[mr]?)\b", text)
    return english and not match[2] and all(end[:1].isupper() for end in ends)


def _way(text: str) -> tuple[str, ...]:
    """`rain runs from the roof through a filter into a tank`."""
    form = (
        rf"(?i)\b(?:{_AWAY})\s+{_ARTICLES}?{_NOUNS}"
        rf"((?:\s*(?:{_THROUGH})\s+{_ARTICLES}?{_NOUNS})*)"
        rf"\s*\b(?:{_INTO})\s+{_ARTICLES}?{_NOUNS}"
    )
    match = re.search(form, text)
    if match is None or _is_range(text, match):
        return ()
    between = [
        each.strip()
        for each in re.split(rf"(?i)\b(?:{_THROUGH})\s+(?:{_ARTICLES})?", match[2])
        if each.strip()
    ]
    ends = re.split(
        rf"(?i)\s*,\s*{_ARTICLES}?|\s+(?:and|und)\s+{_ARTICLES}?", text[match.start(4) :]
    )
    last = ends[0] if len(ends) == 1 else match[4]
    return _fair([match[1], *between, last if len(last.split()) <= _LONGEST_LABEL else match[4]])


def _handed(text: str) -> tuple[str, ...]:
    """`a small pump brings it to the toilet, the washing machine and the garden tap`."""
    verbs = (
        r"brings?|carries|carry|sends?|delivers?|pumps?|takes?|feeds?|bringt|schickt|"
        r"leitet|pumpt|liefert|führt"
    )
    form = (
        rf"(?i)\A{_ARTICLES}?((?:[^\W\d_][\w-]*\s){{1,3}}?)(?:{verbs})\s+(?:(?:it|them|"
        rf"es|sie|\w+)\s+)?(?:{_INTO})\s+(.+)\Z"
    )
    match = re.match(form, text.strip().rstrip("."))
    if match is None:
        return ()
    ends = re.split(r"(?i)\s*,\s*|\s+(?:and|und)\s+", match[2])
    ends = [re.sub(rf"(?i)\A{_ARTICLES}", "", each) for each in ends]
    ends = [re.split(rf"(?i)\s+(?:{_STOP}|every|each|the next)\b", each)[0] for each in ends]
    return _fair([match[1], SIDE_BY_SIDE.join(ends)])


def _made_of(text: str) -> tuple[str, ...]:
    """`der Wechselrichter macht aus Sonnenlicht Strom für die Steckdose`."""
    form = (
        rf"(?i)\A{_ARTICLES}?{_WORD}\s+macht\s+aus\s+{_ARTICLES}?{_WORD}\s+{_WORD}"
        rf"(?:\s+(?:für|in)\s+{_ARTICLES}?{_WORD})?"
    )
    match = re.match(form, text.strip())
    if match is None:
        turns = (
            rf"(?i)\A{_ARTICLES}?((?:[^\W\d_][\w-]*\s){{1,3}}?)turns?\s+"
            rf"{_ARTICLES}?{_WORD}\s+into\s+{_ARTICLES}?{_WORD}"
        )
        match = re.match(turns, text.strip())
        return _fair([match[2], match[1], match[3]]) if match else ()
    return _fair([each for each in (match[2], match[1], match[3], match[4]) if each])


def _fair(parts: list[str]) -> tuple[str, ...]:
    """Labels that are short and clean; else none of them."""
    found = [re.sub(rf"(?i)\A{_ARTICLES}", "", part.strip(" .,")).strip() for part in parts]
    found = [part for part in found if part]
    labels = [label for part in found for label in part.split(SIDE_BY_SIDE)]
    clean = all(
        len(label.split()) <= _LONGEST_LABEL and not re.search(rf"(?i)\d|{_DAYS}", label)
        for label in labels
    )
    return tuple(found[:_MOST_STEPS]) if clean and len(found) >= _FEWEST else ()
