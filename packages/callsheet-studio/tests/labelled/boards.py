"""Boards to label from: every shot of a brief as a picture, and below it what is said and written.

python boards.py OUT BRIEF…  writes OUT/<brief>-<page>.png and prints the words of each shot.
"""

# ruff: noqa: T201
from __future__ import annotations

import sys
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from callsheet.errors import InputError
from callsheet_studio.brief import load
from callsheet_studio.draw.frame import draw_frame, style_of
from callsheet_studio.script import write_script
from callsheet_studio.shots import plan_shots

if TYPE_CHECKING:
    from callsheet_studio.model.shots import Shot

WIDE, ACROSS, DOWN, BELOW = 400, 4, 4, 84
SIZES = {"16:9": (640, 360), "9:16": (360, 640), "1:1": (480, 480), "4:5": (400, 500)}


def heard(shot: Shot) -> str:
    """What is said and written in a shot."""
    said = [shot.voiceover or "", shot.dialogue or ""]
    written = f" [{' / '.join(shot.on_screen_text.splitlines())}]" if shot.on_screen_text else ""
    return " ".join(filter(None, said)).replace("\n", " ") + written


def cell(picture: Any, shot: Shot) -> Any:
    high, wide = picture.shape[:2]
    tall = round(WIDE * 9 / 16)
    scale = min(WIDE / wide, tall / high)
    small = cv2.resize(
        picture, (int(wide * scale), int(high * scale)), interpolation=cv2.INTER_AREA
    )
    page = np.full((tall + BELOW, WIDE, 3), 255, np.uint8)
    left = (WIDE - small.shape[1]) // 2
    page[: small.shape[0], left : left + small.shape[1]] = small
    told = f"{shot.id}: {heard(shot)}".encode("ascii", "replace").decode()
    for row, line in enumerate(textwrap.wrap(told, 62)[:5]):
        spot = (4, tall + 15 + row * 16)
        cv2.putText(page, line, spot, cv2.FONT_HERSHEY_SIMPLEX, 0.37, (0, 0, 0), 1, cv2.LINE_AA)
    return page


def board(path: Path, out: Path) -> None:
    """The board of one brief."""
    try:
        brief = load(path)
        shots = plan_shots(write_script(brief), brief)
    except InputError as error:
        print(f"== {path.stem}: refused: {error}")
        return
    style = style_of(brief)
    cells = []
    print(f"== {path.stem}: {len(shots.shots)} shots")
    for shot in shots.shots:
        drawn = draw_frame(shot, shots.figures, style, SIZES[brief.delivery.aspect])
        cells.append(cell(drawn.picture[:, :, ::-1], shot))
        print(
            f"{shot.id}  {shot.set.place}/{shot.lighting.preset} {shot.size} {shot.kind} "
            f"«{shot.action}» | {heard(shot)}"
        )
    per = ACROSS * DOWN
    for page in range(0, len(cells), per):
        some = cells[page : page + per]
        some += [np.full_like(cells[0], 255)] * (-len(some) % ACROSS)
        rows = [np.hstack(some[at : at + ACROSS]) for at in range(0, len(some), ACROSS)]
        cv2.imwrite(str(out / f"{path.stem}-{page // per + 1}.png"), np.vstack(rows))


if __name__ == "__main__":
    target = Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    for name in sys.argv[2:]:
        board(Path(name), target)
