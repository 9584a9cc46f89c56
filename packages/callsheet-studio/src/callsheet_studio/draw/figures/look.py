"""What somebody looks like: as they are described; the rest follows from their name."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import msgspec
import rtoml

from callsheet_studio.library import form_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

SKINS = (
    "#f4cdb2", "#edbd9b", "#e2a982", "#d0936b", "#bd8058", "#9a6544", "#7a4c33", "#5b3827",
)  # fmt: skip
HAIRS = ("#17131a", "#241a1d", "#3a2622", "#5a3826", "#7a4a2c", "#a8743f", "#d2a45e", "#9d4726")
CLOTHS = (
    "#22355c", "#b4552f", "#d6a531", "#2f5d45", "#7d2a3a", "#c8a67c", "#2f7f86", "#3e444c",
    "#e6dfd2", "#4c6f94", "#6d4a80", "#9bb39a", "#c96f5a", "#8fb0cc",
)  # fmt: skip
UNDERS = ("#f2efe8", "#e6dfd2", "#9cc3e2", "#2c2f38", "#c8cdd2", "#b9d0c4")
LEGS = ("#2b3348", "#3a3d45", "#59616b", "#40506b", "#6b5a48", "#2b2a30", "#8a7d68")
SHOES = ("#2a2226", "#5a3b2a", "#e9e4da", "#3a3f4a", "#7b4f35")
_USUAL = {"lab_coat": "#f1f3f2", "hi_vis": "#f07f2a", "denim": "#5b7da3", "scrubs": "#5fa3a0"}
_FAIR, _DARK = 4, 3
"""So many skins go with any hair; so many hairs go with any skin."""
_LIKE_SKIN, _CLOSE = "#5a3826", 2
"""Brown hair, and how many of the skins are so near to it that a face would not be seen."""
_NOUNS = {"kind": ("", "child"), "junge": ("man", "child")}
"""Words that mean something else where they are not a name: a kind face, `junge Frau`."""
_HOW_LONG = frozenset({"long", "short", "cropped"})
"""May be said of a coat or a beard as well."""
_UNDER_CAPS = {"curly": "short", "side": "short", "bun": "ponytail"}
_FAIRLY = frozenset({"#d2a45e", "#9d4726", "#8a5a34"})
_GROWN_UP = frozenset({"suit", "lab_coat", "hi_vis", "apron", "scrubs"})
_SMALLER = {"jacket": "parka", "coat": "parka", "waistcoat": "jumper"}
"""What is cut otherwise for children."""
_FOR_CHILDREN = ("hoodie", "tshirt", "jumper", "parka")
_PATTERNED = frozenset({"jumper", "tshirt"})
_OLD = 60
_GROWN = 13
_YEARS = re.compile(r"(?<!\d)(\d{1,2})(?!\d)")
_DECADE = {"twenties": 25, "thirties": 35, "forties": 45, "fifties": 55, "sixties": 65}


class Look(msgspec.Struct, frozen=True):
    """Somebody, to be painted the same in every shot."""

    skin: str
    hair: str
    style: str
    """`bob`, `bun`, `short`, `long`, `curly`, `bald`…"""
    top: str
    """`jacket`, `shirt`, `dress`, `apron`, `hoodie`, `lab_coat`, `hi_vis`, `coat`…"""
    cloth: str
    """The colour of the top."""
    under: str
    """The colour of what is worn under it."""
    bottom: str
    """`trousers`, `skirt` or `shorts`."""
    legs: str
    """The colour of the bottom."""
    shoes: str
    extras: frozenset[str] = frozenset()
    trim: str = ""
    """The colour of cap or scarf, where it is said."""
    pattern: str = ""
    """`stripes`, `checks` or plain."""
    build: str = "medium"
    age: str = "adult"
    form: str = "woman"
    traits: tuple[float, ...] = (0.5,) * 8
    """Eight numbers from 0 to 1 that make a face somebody's own."""

    @property
    def covered(self) -> bool:
        """Whether hair or cloth covers the ears."""
        return self.style in {"bob", "shoulder", "long"} or self.has("headscarf")

    def has(self, *extras: str) -> bool:
        """Whether one of these is worn or grown."""
        return not self.extras.isdisjoint(extras)


_BENEATH = re.compile(
    r"(?:[\w-]+ )?(?:scrubs|shirt|t-shirt|sweater|jumper|dress|suit|uniform|blouse|vest|hoodie"
    r"|jersey|overalls|kasack|hemd|pullover|kleid|anzug|bluse|weste) "
    r"(?:under (?:an?|her|his|their)|unter (?:einem|einer|dem|der)) "
)
"""What somebody wears under something else is not seen."""


@lru_cache(maxsize=256)
def look_of(name: str, words: str = "") -> Look:
    """The look of somebody: `Mara`, `navy jacket, grey beard, in her fifties`.

    What the words do not say is drawn from the name: the same name looks the same in every film.
    """
    told = _Told(_BENEATH.sub("", f"{name}, {words}".lower()))
    draw = _Draw(name.casefold())
    noun = _NOUNS.get(name.casefold(), ("", ""))
    form = noun[0] or told.first("forms") or _form(name, draw)
    age = noun[1] or _age(words.lower()) or told.first("ages") or "adult"
    skin = draw.of("skin", SKINS[:_FAIR] if told.hair() in _FAIRLY else SKINS)
    if told.hair() == _LIKE_SKIN and skin in SKINS[-_CLOSE:]:
        skin = SKINS[-_CLOSE - 1]
    style, hair = _hair(told, draw, form, age)
    if not told.hair() and age != "old" and not told.greys and skin in SKINS[_FAIR:]:
        hair = draw.of("hair", HAIRS[:_DARK])
    top = told.first("tops") or told.first("roles") or draw.of("top", _usual_tops(form, age))
    cloth = told.colour("tops") or told.loose() or _USUAL.get(top) or draw.of("cloth", CLOTHS)
    extras = _extras(told, draw, form, age)
    if age == "child":
        top = draw.of("top", _FOR_CHILDREN) if top in _GROWN_UP else _SMALLER.get(top, top)
    if extras & {"cap", "helmet"}:
        style = _UNDER_CAPS.get(style, style)
    return Look(
        skin=skin,
        hair=hair,
        style=style,
        top=top,
        cloth=cloth,
        under=draw.of("under", [each for each in UNDERS if each != cloth]),
        bottom=told.first("bottoms") or _bottom(draw, form),
        legs=told.colour("bottoms") or draw.of("legs", [each for each in LEGS if each != cloth]),
        shoes=draw.of("shoes", SHOES),
        extras=extras,
        trim=told.colour("extras"),
        pattern=told.first("patterns") or _pattern_of(top, draw),
        build=told.first("builds") or draw.of("build", ("slim", "medium", "medium", "broad")),
        age=age,
        form=form,
        traits=tuple(draw.part(f"trait{number}") for number in range(8)),
    )


def _usual_tops(form: str, age: str) -> tuple[str, ...]:
    if age == "child":
        return _FOR_CHILDREN
    common = ("jacket", "shirt", "jumper", "cardigan", "hoodie", "tshirt", "coat", "rollneck")
    return (*common, "dress", "shirt") if form == "woman" else (*common, "shirt", "suit")


def _pattern_of(top: str, draw: _Draw) -> str:
    """Some jumpers that nothing is said about are striped."""
    return draw.of("pattern", ("", "", "", "stripes")) if top in _PATTERNED else ""


def _bottom(draw: _Draw, form: str) -> str:
    skirts = ("skirt",) if form == "woman" else ("trousers",)
    return draw.of("bottom", ("trousers",) * 4 + skirts)


def _form(name: str, draw: _Draw) -> str:
    first = (re.findall(r"\w+", name.lower()) or [""])[0]
    told = form_of(name)
    if told:
        return told
    if name[:1].isupper() and first.endswith(("a", "ia", "ine", "in")):
        return "woman"
    return draw.of("form", ("woman", "man"))


def _age(words: str) -> str:
    for word, years in _DECADE.items():
        if word in words and years >= _OLD:
            return "old"
    told = [int(each) for each in _YEARS.findall(words)]
    if not told:
        return ""
    return "child" if told[0] < _GROWN else "old" if told[0] >= _OLD else "adult"


def _hair(told: _Told, draw: _Draw, form: str, age: str) -> tuple[str, str]:
    styles: tuple[str, ...] = ("bob", "bun", "long", "curly", "shoulder", "ponytail", "short")
    if age == "child":
        styles = ("pigtails", "ponytail", "bob", "curly", "pigtails", "long")
    if form == "man" and age == "child":
        styles = ("short", "short", "curly")
    elif form == "man":
        styles = ("short", "short", "cropped", "curly", "side", "bald" if age == "old" else "side")
    style = told.style() or draw.of("style", styles)
    if style in {"short", "cropped"} and form == "woman" and age == "child":
        style = "bob"
    usual = ("#c3c4c8", "#ece8e2", "#8d8f94") if age == "old" or told.greys else HAIRS
    return style, told.hair() or draw.of("hair", usual)


def _extras(told: _Told, draw: _Draw, form: str, age: str) -> frozenset[str]:
    found = set(told.all("extras"))
    if "dark" in found:
        found.add("glasses")
    if form == "man" and age != "child" and not found & {"beard", "stubble", "moustache"}:
        grown = draw.of("beard", ("", "", "", "", "", "stubble", "beard"))
        found |= {grown} - {""}
    if "stubble" in found:
        found.discard("beard")
    if age == "child":
        found -= {"beard", "stubble", "moustache"}
    often = {"old": 2, "child": 12}.get(age, 7)
    seeing = ("",) * (often - 1) + ("glasses",)
    found |= {draw.of("glasses", seeing)} - {""}
    return frozenset(found)


class _Draw:
    """What is left to chance, drawn from a name."""

    def __init__(self, name: str) -> None:
        self._name = name

    def part(self, about: str) -> float:
        digest = sha256(f"{self._name}/{about}".encode()).digest()
        return int.from_bytes(digest[:4], "big") / 2**32

    def of(self, about: str, choice: Sequence[str]) -> str:
        return choice[int(self.part(about) * len(choice))]


class _Told:
    """What a description says."""

    def __init__(self, text: str) -> None:
        self._text = text
        nouns = [*self._found("tops"), *self._found("bottoms"), *self._found("extras")]
        nouns += [
            *self._found("hair"),
            *((at, end, "hair") for at, end in self._spans("hair|haar")),
        ]
        self._ends = sorted({at for at, _, _ in nouns})

    @property
    def greys(self) -> bool:
        """Whether somebody is as old as hair turns grey."""
        return bool(re.search(r"(?<!\d)5\d(?!\d)", self._text))

    def first(self, table: str) -> str:
        """The first thing of a table that is named, or nothing."""
        return next((name for _, _, name in self._found(table)), "")

    def all(self, table: str) -> list[str]:
        return [name for _, _, name in self._found(table)]

    def colour(self, table: str) -> str:
        """The colour said right before a thing of a table."""
        return next((self._before(at, end, "colours") for at, end, _ in self._found(table)), "")

    def loose(self) -> str:
        """A colour that belongs to nothing: `in orange`."""
        match = re.search(r"\bin (?:a |an )?([\w-]+)\s*(?:,|\Z)", self._text)
        if match:
            for _, _, colour in self._found("colours", match[1]):
                return colour
        return ""

    def style(self) -> str:
        """How hair is worn."""
        for at, end, name in self._found("hair"):
            start, stop = self._text.rfind(",", 0, at) + 1, self._text.find(",", end)
            clause = self._text[start : stop if stop >= 0 else None]
            if name not in _HOW_LONG or re.search(r"hair|haar|head|kopf", clause):
                return name
        return ""

    def hair(self) -> str:
        """The colour of hair or beard."""
        nouns = [(at, end) for at, end, _ in self._found("hair")]
        nouns += self._spans("hair|haar|beard|bart|stubble")
        told = (self._before(at, end, "hair_colours") for at, end in sorted(nouns, reverse=True))
        return next((each for each in told if each), "")

    def _before(self, at: int, end: int, table: str) -> str:
        """The first colour between the thing before and the end of this one."""
        start = self._text.rfind(",", 0, at) + 1
        others = [other for other in self._ends if start <= other < at]
        if table == "colours" and others:
            start = others[-1]
        found = self._found(table, self._text[start:end])
        return found[0][2] if found else ""

    def _spans(self, words: str) -> list[tuple[int, int]]:
        pattern = rf"\b(?:{words})\b"
        return [match.span() for match in re.finditer(pattern, self._text)]

    def _found(self, table: str, text: str | None = None) -> list[tuple[int, int, str]]:
        """Everything of a table in a text, in its order; of two at one place, the longer."""
        text = self._text if text is None else text
        found: list[tuple[int, int, str]] = []
        # There are hundreds of words, and a pattern for each would take its time.
        for word, name in (each for each in _words(table) if each[0] in text):
            for match in re.finditer(_pattern(word, opens=table.endswith("colours")), text):
                at, end = match.span()
                if not any(at < until and end > since for since, until, _ in found):
                    found.append((at, end, name))
        return sorted(found)


@lru_cache(maxsize=1024)
def _pattern(word: str, *, opens: bool) -> re.Pattern[str]:
    """The word itself, with the endings of German, or where a compound ends or opens with it."""
    plain = re.escape(word)
    if opens and len(word) > 3:  # noqa: PLR2004 -- `rot` is in `rotund`
        return re.compile(rf"\b{plain}\w*")
    if len(word) < 5:  # noqa: PLR2004 -- `her` is in `leather`, `tan` in `tank`
        return re.compile(rf"\b{plain}(?:e[nmrs]?|s)?\b")
    return re.compile(rf"\b\w*{plain}(?:e[nmrs]?|s|n|in)?\b")


@cache
def _words(table: str) -> tuple[tuple[str, str], ...]:
    """The words of a table with what they mean, longest first."""
    pairs = [(word, name) for name, words in _table()[table].items() for word in words]
    return tuple(sorted(pairs, key=lambda pair: (-len(pair[0]), pair[0])))


@cache
def _table() -> Mapping[str, Any]:
    path = files("callsheet_studio.draw.figures").joinpath("words.toml")
    return rtoml.loads(path.read_text("utf-8"))
