"""What a shot needs from whoever makes it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import msgspec

from callsheet_studio.solve.grid import screen_time

if TYPE_CHECKING:
    from callsheet_studio.base.time import Rate
    from callsheet_studio.model.shots import Shot, ShotList

CALM = 3
"""Motion up to which a still that the camera moves over shows the same."""
CARD = "card:"
"""How a reference says that a shot is a card: words on a ground, which are set here."""
FOOTAGE = "footage:"
"""How a reference to existing footage begins."""


class Need(msgspec.Struct, frozen=True):
    """Shots with the same one can be made in the same ways, at the same price."""

    frames: int
    time: int
    """Milliseconds that must be ordered."""
    lip_sync: bool
    references: int
    """Figures that other shots show too: they must look the same."""
    calm: bool
    footage: bool
    """Whether the user has brought what is seen: footage, or a picture."""
    card: bool = False
    """Whether it is words on a ground: nobody is asked for those."""
    face: str = ""
    """Whose shots of a scene one model makes, so that they look the same; nothing: anybody's."""


def is_card(shot: Shot) -> bool:
    """Whether it is words on a ground, or says so."""
    told = bool(shot.on_screen_text) and shot.set.place == "abstract"
    return CARD in shot.references or (told and not shot.figures and shot.picture is None)


def needs_of(shots: ShotList) -> tuple[Need, ...]:
    """What each shot needs, in order."""
    seen = Counter(name for shot in shots.shots for name in set(shot.figures))
    faces = _faces(shots)
    return tuple(
        msgspec.structs.replace(_need(shot, seen, shots.rate), face=faces.get(shot.id, ""))
        for shot in shots.shots
    )


def _faces(shots: ShotList) -> dict[str, str]:
    """The shots of a scene that show the same people, and those whom they are seen with."""
    found: dict[str, str] = {}
    for scene in dict.fromkeys(shot.scene for shot in shots.shots):
        groups: list[tuple[set[str], list[str]]] = []
        for shot in shots.shots:
            if shot.scene != scene or not shot.figures or shot.picture is not None:
                continue
            joined = [each for each in groups if each[0] & set(shot.figures)]
            groups = [each for each in groups if each not in joined]
            names = set(shot.figures).union(*(each[0] for each in joined))
            places = [place for each in joined for place in each[1]]
            groups.append((names, [*places, shot.id]))
        for names, places in groups:
            if len(places) > 1:
                found |= dict.fromkeys(places, f"{scene}/{min(names)}")
    return found


def _need(shot: Shot, seen: Counter[str], rate: Rate) -> Need:
    # A picture of the user's own is what is seen: it is only moved over, here.
    footage = shot.picture is not None or any(
        each.casefold().startswith(FOOTAGE) for each in shot.references
    )
    again = [name for name in shot.figures if seen[name] > 1]
    return Need(
        frames=shot.frames,
        time=screen_time(shot.frames, rate),
        lip_sync=shot.lip_sync,
        references=len(again),
        calm=not shot.lip_sync and max(shot.complexity.motion, shot.complexity.vfx) <= CALM,
        footage=footage,
        card=is_card(shot),
    )
