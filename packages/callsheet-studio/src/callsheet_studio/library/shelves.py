"""The data files of the library, read once and frozen."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import msgspec
import rtoml

if TYPE_CHECKING:
    from collections.abc import Mapping


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """Something with a name, and what it is for."""

    id: str
    """As it stands in shots."""
    name: str = ""
    name_de: str = ""
    purpose: str
    purpose_de: str = ""


class SetEntry(Entry, frozen=True, kw_only=True):
    """A place that can be drawn."""

    interior: bool
    lights: tuple[str, ...]
    """The presets that suit it, the usual one first."""
    keywords: tuple[str, ...]
    keywords_de: tuple[str, ...]
    props: tuple[str, ...]
    props_de: tuple[str, ...]
    """The same, one for one."""
    dressing: str
    dressing_de: str
    ambience: str
    practicals: tuple[str, ...]
    times: tuple[str, ...]
    """Times of day it can be shown at; the first is taken when nobody says."""
    view: str
    """What its wide shot shows."""
    view_de: str
    details: tuple[str, ...]
    """What an insert of it shows."""
    details_de: tuple[str, ...]
    named: tuple[str, ...] = ()
    """Words for it as a place: what they name looks like its drawing."""
    named_de: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    """Places that have no drawing of their own, and come nearest to it."""
    places_de: tuple[str, ...] = ()


class PresetEntry(Entry, frozen=True, kw_only=True):
    """A way to light."""

    key: str
    ratio: str
    kelvin: int
    mood: str
    where: tuple[Literal["interior", "exterior"], ...]
    times: tuple[str, ...]
    moods: tuple[str, ...]


class SizeEntry(Entry, frozen=True, kw_only=True):
    """A size of shot."""

    step: int
    """From far (0) to near (7)."""
    seen: float
    """How much of a standing figure is in the picture."""
    fills: float
    """Height of the whole figure, in heights of the picture."""
    lens: tuple[int, ...]
    """Millimetres, first choice first."""
    depth_of_field: Literal["deep", "medium", "shallow"]
    headroom: str


class AngleEntry(Entry, frozen=True, kw_only=True):
    """How the camera looks at it."""

    degrees: int
    """Down if positive, up if negative."""
    roll: int


class MoveEntry(Entry, frozen=True, kw_only=True):
    """What a camera can do."""

    directions: tuple[str, ...]
    motion: int
    """How hard it is to make, 1 to 10."""


class LensEntry(Entry, frozen=True, kw_only=True):
    """A lens; its id is its focal length in millimetres."""

    @property
    def mm(self) -> int:
        """Its focal length."""
        return int(self.id)


class Place(Entry, frozen=True, kw_only=True):
    """A place in the picture."""

    x: float
    """Share of the width, from the left."""
    y: float
    """Share of the height, from the top."""


class People(msgspec.Struct, frozen=True):
    """Words for people in one language, and what somebody wears whom nobody has described."""

    one: frozenset[str]
    many: frozenset[str]
    pronouns: frozenset[str]
    she: frozenset[str]
    he: frozenset[str]
    """Words for a woman or girl, and for a man or boy."""
    titles: frozenset[str]
    surely: frozenset[str]
    """Verbs of people, whatever they are called."""
    does: frozenset[str]
    """Verbs of somebody with a name."""
    not_hers: tuple[str, ...]
    not_his: tuple[str, ...]
    """Words of outfits that do not suit a woman, or a man."""
    outfits: tuple[str, ...]
    workwear: Mapping[str, tuple[str, ...]]
    """What is worn at work, and by whom."""


def sets() -> Mapping[str, SetEntry]:
    """Every set by name."""
    return _shelf("sets", None, SetEntry)


def presets() -> Mapping[str, PresetEntry]:
    """Every lighting preset by name."""
    return _shelf("lighting", None, PresetEntry)


def sizes() -> Mapping[str, SizeEntry]:
    """Every size, from far to near."""
    return _shelf("camera", "sizes", SizeEntry)


def kinds() -> Mapping[str, Entry]:
    """What a shot can be besides its size."""
    return _shelf("camera", "kinds", Entry)


def angles() -> Mapping[str, AngleEntry]:
    """Every camera angle."""
    return _shelf("camera", "angles", AngleEntry)


def movements() -> Mapping[str, MoveEntry]:
    """Every camera movement."""
    return _shelf("camera", "movements", MoveEntry)


def lenses() -> Mapping[str, LensEntry]:
    """Every lens, by its focal length as text."""
    return _shelf("camera", "lenses", LensEntry)


def compositions() -> Mapping[str, Place]:
    """Every place in the picture that a subject can have."""
    return _shelf("camera", "compositions", Place)


@cache
def people(language: str) -> People:
    """The words for people in a language; English if it is not known."""
    rows = _file("people")
    row = rows.get(language[:2].lower(), rows["en"])
    return People(
        frozenset(row["one"]),
        frozenset(row["many"]),
        frozenset(row["pronouns"]),
        frozenset(row["she"]),
        frozenset(row["he"]),
        frozenset(row["titles"]),
        frozenset(row["surely"]),
        frozenset(row["does"]),
        tuple(row["not_hers"]),
        tuple(row["not_his"]),
        tuple(row["outfits"]),
        MappingProxyType({worn: tuple(trades) for worn, trades in row["workwear"].items()}),
    )


@cache
def given_names() -> Mapping[str, str]:
    """Given names in small letters, each with `woman` or `man`."""
    row = _file("people")["names"]
    return MappingProxyType({name: form for form in ("woman", "man") for name in row[form]})


@cache
def names_that_are_words() -> frozenset[str]:
    """Given names that mean something else as well: a rose."""
    return frozenset(_file("people")["names"]["words_too"])


@cache
def animals() -> frozenset[str]:
    """Words for animals, in English and German."""
    return frozenset(_file("people")["animals"]["known"])


_E = TypeVar("_E", bound=Entry)


@cache
def _file(name: str) -> dict[str, Any]:
    text = files("callsheet_studio.library").joinpath(f"{name}.toml").read_text("utf-8")
    return rtoml.loads(text)


@cache
def _shelf(file: str, table: str | None, kind: type[_E]) -> Mapping[str, _E]:
    found = _file(file) if table is None else _file(file)[table]
    return MappingProxyType({name: _entry(kind, name, row) for name, row in found.items()})


def _entry(kind: type[_E], name: str, row: dict[str, Any]) -> _E:
    known = set(kind.__struct_fields__)
    assert row.keys() <= known, f"{name}: {sorted(row.keys() - known)}"
    frozen: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in row.items()}
    return kind(id=name, **frozen)
