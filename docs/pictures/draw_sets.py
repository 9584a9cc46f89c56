"""Draws the illustrator's pictures: its sets, its lights, its sizes of shot, and a frame.

`sets.jpg` has every set once, `sets.webp` every set in every light that suits it, `sizes.webp`
every size of shot, `sides.jpg` some places from their sides, and `frame.jpg` is a frame with slate
and movement.

.venv/bin/python docs/pictures/draw_sets.py [DIRECTORY]
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from callsheet_studio.draw.brush import Brush
from callsheet_studio.draw.frame import FilmStyle, draw_frame
from callsheet_studio.draw.raster import encoded, opaque, raster
from callsheet_studio.draw.sets import painting
from callsheet_studio.draw.sides import side_of
from callsheet_studio.draw.text import Block, line, write
from callsheet_studio.library import sets, sizes
from callsheet_studio.model.shots import (
    Board,
    Complexity,
    Composition,
    Figure,
    Lighting,
    Movement,
    Setting,
    Shot,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

HERE = Path(__file__).parent
STYLE = FilmStyle(("#1f4e5f", "#f2a65a"), "#f2a65a", title="The Lamp", brand="Merrow", seed="docs")
MARA = Figure(name="Mara", look="harbour master, 41, navy jacket, dark bob")
TEO = Figure(name="Teo", look="olive parka, short dark hair, beard")
JUNO = Figure(name="Juno", look="girl, 8, yellow parka, pigtails")
HENRY = Figure(name="Henry", look="grandfather, 74, rust-coloured cardigan")
PEOPLE = (MARA, TEO, JUNO, HENRY)
SCENES = (
    (("Mara",), "Mara walks on."),
    (("Teo",), "Teo reads a book."),
    (("Mara",), "Mara waits."),
    (("Teo", "Juno"), "Teo points ahead."),
    (("Henry",), "Henry stands and looks ahead."),
    (("Mara",), "Mara lifts a cup."),
    (("Juno",), "Juno waves."),
    (("Mara", "Teo"), "Mara says something."),
    (("Teo",), "Teo looks at the phone."),
)
"""Who does what; each set has the next."""
ALONE = frozenset(("product_table", "phone_screen", "laptop_screen", "abstract"))
SMALL = 320
GAP, NAME, SIDE = 12, 18, 136
PAPER, INK, GREY = "#fbfaf6", "#1b1f27", "#6d7078"

BEST = {
    "street": "neon_night",
    "home": "warm_lamps",
    "cafe": "low_key",
    "coast": "dawn",
    "harbour": "golden_hour",
    "forest": "golden_hour",
    "field": "hard_sun",
    "mountain": "dawn",
    "road": "blue_hour",
    "skyline": "blue_hour",
    "phone_screen": "screen_glow",
    "abstract": "low_key",
}
"""Lights that suit a place and are not its usual one, so that its picture is not like the next."""
SIDES = ("main view", "second side", "third side")
ACROSS = 4
FORMS = {".jpg": "jpeg", ".webp": "webp"}

BASE = Shot(
    id="1A",
    scene=1,
    beat="1.1",
    order=1,
    start=0,
    end=96,
    size="WS",
    subject="Mara",
    figures=("Mara",),
    action="Mara stands and looks ahead.",
    angle="eye",
    bearing=35,
    movement=Movement(kind="static"),
    lens_mm=28,
    composition=Composition(
        thirds="left",
        focal_point="Mara",
        depth_of_field="deep",
        headroom="normal",
        lead_room="two thirds to the right",
        screen_direction="left_to_right",
    ),
    lighting=Lighting(preset="soft_day", time_of_day="day", mood="", key="", practicals=()),
    set=Setting(place="coast", interior=False, props=(), dressing=""),
    complexity=Complexity(score=1, motion=1, vfx=0, compositing=0),
    sound="",
    transition="cut",
    setup="1",
    storyboard=Board(description="", prompt=""),
)


def shot(**changes: Any) -> Shot:
    """The usual shot, with changes; a place and a light by their names."""
    place, preset = changes.pop("place", "coast"), changes.pop("preset", "soft_day")
    interior = sets()[place].interior
    changes["set"] = BASE.set.model_copy(update={"place": place, "interior": interior})
    changes["lighting"] = BASE.lighting.model_copy(update={"preset": preset})
    return BASE.model_copy(update=changes)


def sheet(
    rows: Sequence[tuple[str, Sequence[tuple[str, Shot]]]], target: Path, side: int = SIDE
) -> None:
    """Frames in rows with a name, each frame with its own."""
    high = SMALL * 9 // 16
    wide = side + max(len(shots) for _, shots in rows) * (SMALL + GAP) + GAP
    tall = GAP + len(rows) * (high + GAP + NAME)
    page = Brush(wide, tall)
    page.rect(0, 0, wide, tall, PAPER)
    tiles: list[tuple[int, int, Any]] = []
    for row, (name, shots) in enumerate(rows):
        y = GAP + row * (high + GAP + NAME)
        write(page, _name(name, 20, 700), x=GAP * 2, y=y + high / 2 - 7, colour=INK)
        for column, (label, each) in enumerate(shots):
            x = side + column * (SMALL + GAP)
            write(page, _name(label, 14, 500), x=x, y=y + high + 5, colour=GREY)
            tiles.append((x, y, pixels(draw_frame(each, PEOPLE, STYLE).thumbnail(SMALL, "png"))))
    picture = opaque(raster(page)).copy()
    for x, y, tile in tiles:
        picture[y : y + high, x : x + SMALL] = tile
    target.write_bytes(encoded(picture, FORMS[target.suffix]))


def _name(text: str, size: float, weight: int) -> Block:
    return line(text.replace("_", " "), size, weight=weight)


def pixels(png: bytes) -> Any:
    """Of a picture, as RGB."""
    import cv2
    import numpy as np

    return np.array(cv2.imdecode(np.frombuffer(png, np.uint8), 1))[..., ::-1]


def lights(target: Path) -> None:
    """Every set in every light that suits it."""
    rows = [
        (place, [(preset, _set(place, preset, number)) for preset in entry.lights])
        for number, (place, entry) in enumerate(sets().items())
    ]
    sheet(rows, target)


def _set(place: str, preset: str, number: int) -> Shot:
    """Somebody in a place; a screen, a plinth and a form stand for themselves."""
    if place in ALONE:
        return shot(place=place, preset=preset, figures=(), subject=place)
    figures, action = SCENES[number % len(SCENES)]
    return shot(
        place=place, preset=preset, figures=figures, subject=" & ".join(figures), action=action
    )


def once(target: Path) -> None:
    """Every set, in rows."""
    shots = [
        (f"{place} · {preset}", _set(place, preset, number))
        for number, (place, entry) in enumerate(sets().items())
        for preset in (BEST.get(place, entry.lights[0]),)
    ]
    rows = [("", shots[at : at + ACROSS]) for at in range(0, len(shots), ACROSS)]
    sheet(rows, target, side=GAP)


def annotated(target: Path) -> None:
    """A frame as it is on the board."""
    walks = shot(
        place="coast",
        preset="dawn",
        id="3B",
        action="Mara walks along the pier while the sun comes up.",
        movement=Movement(kind="push", direction="in"),
    )
    frame = draw_frame(walks, PEOPLE, STYLE)
    target.write_bytes(frame.thumbnail(1120, "jpeg", annotated=True))


def close(target: Path) -> None:
    """Every size of shot, in four places."""
    where = (
        ("coast", "dawn"),
        ("home", "window"),
        ("street", "neon_night"),
        ("office", "cool_office"),
    )
    rows = [
        (place, [(size, _sized(size, place, preset)) for size in sizes()])
        for place, preset in where
    ]
    sheet(rows, target)


def _sized(size: str, place: str, preset: str) -> Shot:
    composed = BASE.composition.model_copy(update={"depth_of_field": sizes()[size].depth_of_field})
    return shot(place=place, preset=preset, size=size, composition=composed)


def sides(target: Path) -> None:
    """Places that films stay in, as a camera sees them that turns."""
    rows = []
    for place, preset in (
        ("harbour", "golden_hour"),
        ("office", "window"),
        ("lab", "cool_office"),
        ("workshop", "window"),
        ("home", "warm_lamps"),
        ("kitchen", "window"),
    ):
        drawn = painting(place)
        seen = {
            side_of(each, drawn): each
            for each in (
                shot(place=place, preset=preset, size="FS", bearing=bearing)
                for bearing in (-135, -75, -45, -37, -30, -25, -10, 10, 25, 30, 37, 45, 75)
            )
        }
        plain = {side.number: each for side, each in seen.items() if not side.mirrored}
        rows.append((place, [(SIDES[number], plain[number]) for number in sorted(plain)]))
    sheet(rows, target)


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE
    once(folder / "sets.jpg")
    annotated(folder / "frame.jpg")
    lights(folder / "sets.webp")
    close(folder / "sizes.webp")
    sides(folder / "sides.jpg")
