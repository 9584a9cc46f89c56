"""The reference page of the library, from its data: `python -m tests.unit.shots.page`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from callsheet_studio import library

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

PAGE = Path(__file__).parents[5] / "docs" / "reference" / "shot-library.md"

INTRO = """\
# The shot library

The building blocks of a shot. The names in the first columns are used in scripts, shot lists and
drawings. The data are the TOML files of `callsheet_studio.library`; a test compares this page with
them. [Continuity](../explanation/continuity.md) explains how shots are chosen from the library.
"""

SIZES = """\
From far to near. *Seen* is how much of a standing figure is in the picture; *fills* is the height
of the whole figure, relative to the height of the picture."""

WORDS = """\
A place in a brief or a script may be described in any words. The set that matches most of them is
used, or `abstract` if none matches. In a name of two or three words the last one counts most: a
harbour office is an office. German words also match inside compounds."""

PLACES = """\
A place named in your own shot or in a scene heading may have no drawing of its own. The closest
set is then drawn; `callsheet brief check` says which. A place without a similar set, such as a
bathroom or an airport, becomes a card with its words; `callsheet brief check` says that too."""


def table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(str(cell) for cell in row)} |" for row in lines)


def listed(names: Iterable[str]) -> str:
    return ", ".join(names)


def code(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names if name) or "\u2013"


def page() -> str:
    """All of it."""
    return "\n\n".join((INTRO.rstrip(), *_camera(), *_light(), *_sets())) + "\n"


def _camera() -> list[str]:
    sizes = [
        (f"`{e.id}`", e.name, e.step, f"{e.seen:.0%}", f"{e.fills:g}", f"{e.lens[0]} mm", e.purpose)
        for e in library.sizes().values()
    ]
    angles = [
        (f"`{e.id}`", f"{e.degrees}\u00b0", f"{e.roll}\u00b0", e.purpose)
        for e in library.angles().values()
    ]
    moves = [
        (f"`{e.id}`", e.name, code(e.directions), e.motion, e.purpose)
        for e in library.movements().values()
    ]
    places = [
        (f"`{e.id}`", e.name, f"{e.x:g}, {e.y:g}", e.purpose)
        for e in library.compositions().values()
    ]
    kinds = [(f"`{e.id}`", e.name, e.purpose) for e in library.kinds().values()]
    lenses = [(f"`{e.id}`", e.name, e.purpose) for e in library.lenses().values()]
    return [
        "## Sizes",
        SIZES,
        table(("size", "name", "step", "seen", "fills", "lens", "for"), sizes),
        "## Kinds",
        table(("kind", "name", "for"), kinds),
        "## Angles",
        "Positive degrees look down, negative ones up.",
        table(("angle", "degrees", "roll", "for"), angles),
        "## Movements",
        "*Motion* is how hard the movement is to make, from 1 to 10.",
        table(("movement", "name", "directions", "motion", "says"), moves),
        "## Lenses",
        table(("mm", "name", "for"), lenses),
        "## Compositions",
        "The position of the subject; *x, y* are fractions of width and height from the top left.",
        table(("thirds", "name", "x, y", "for"), places),
    ]


def _light() -> list[str]:
    rows = [
        (
            f"`{e.id}`",
            e.mood,
            e.key,
            e.ratio,
            f"{e.kelvin} K",
            listed(e.where),
            listed(e.times),
            e.purpose,
        )
        for e in library.presets().values()
    ]
    heads = ("preset", "mood", "key", "ratio", "colour", "where", "times of day", "for")
    return ["## Lighting presets", table(heads, rows)]


def _sets() -> list[str]:
    rows = [
        (
            f"`{e.id}`",
            "interior" if e.interior else "exterior",
            e.purpose,
            listed(e.props),
            listed(e.practicals) or "\u2013",
            e.ambience,
            code(e.lights),
            listed(e.times),
        )
        for e in library.sets().values()
    ]
    words = [
        (f"`{e.id}`", listed(e.keywords), listed(e.keywords_de)) for e in library.sets().values()
    ]
    places = [
        (f"`{e.id}`", listed(e.places), listed(e.places_de))
        for e in library.sets().values()
        if e.places
    ]
    heads = ("set", "", "for", "props", "practicals", "ambience", "presets", "times of day")
    return [
        "## Sets",
        "The first preset and the first time of day are the defaults.",
        table(heads, rows),
        "## Words that find a set",
        WORDS,
        table(("set", "English", "German"), words),
        "## Places that a set stands for",
        PLACES,
        table(("set", "English", "German"), places),
    ]


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
