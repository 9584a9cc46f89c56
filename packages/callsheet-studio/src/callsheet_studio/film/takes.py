"""What each shot is filmed from, and nothing else: a shot that has not changed is not made again.

Its place in the film is not in it: when an earlier shot gets longer, those after it stay.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from callsheet import Artifact
from callsheet_studio.draw.reading import subject_of
from callsheet_studio.draw.style import FilmStyle, style_of
from callsheet_studio.model.base import Data
from callsheet_studio.model.captions import CaptionLine
from callsheet_studio.model.shots import Board, Figure, Shot

if TYPE_CHECKING:
    from collections.abc import Sequence

    from callsheet_studio.model.brief import Brief
    from callsheet_studio.model.shots import ShotList

_WORD = re.compile(r"\w+")
FADE = 12
"""Frames in which a shot comes out of the dark, or goes into it."""

_ANYWHERE = {
    "id": "",
    "order": 1,
    "beat": "",
    "scene": 1,
    "setup": "",
    "notes": "",
    "references": (),
}


_UNFRAMED: dict[str, Any] = {
    **dict.fromkeys(("subject", "action", "sound", "transition"), ""),
    **dict.fromkeys(("dialogue", "voiceover", "picture")),
    "storyboard": Board(description="", prompt=""),
}


class TakeData(Data):
    """All that the pictures of a shot depend on."""

    shot: Shot
    before: Shot | None
    """The shot that it dissolves from."""
    figures: tuple[Figure, ...]
    style: FilmStyle
    size: tuple[int, int]
    captions: tuple[CaptionLine, ...]
    logo: Artifact | None = None
    """Of the user's, if there is a card to put it on."""
    posted: str = ""
    """What the poster says, with the first shot, where not every font may have its letters."""

    @property
    def pictures(self) -> tuple[Artifact, ...]:
        """What the user has brought for it."""
        found = (self.shot.picture, self.before.picture if self.before else None, self.logo)
        return tuple(each for each in found if each)


def takes(shots: ShotList, brief: Brief, captions: Sequence[CaptionLine]) -> tuple[TakeData, ...]:
    """The takes of a film, in its order."""
    style = style_of(brief)
    size, line, logo = film_size(brief), brief.message.core, brief.message.logo
    found = []
    for index, shot in enumerate(shots.shots):
        before = shots.shots[index - 1] if index and shot.transition == "dissolve" else None
        names = {*shot.figures, *(before.figures if before else ())}
        # Only a card has a logo, and to find out takes words that nobody else here needs.
        has_logo = logo and any(each and _is_card(each, style) for each in (shot, before))
        found.append(
            TakeData(
                shot=_anywhere(shot),
                before=_anywhere(before, name=before.id) if before else None,
                figures=tuple(each for each in shots.figures if each.name in names),
                style=style,
                size=size,
                captions=_within(captions, shot, shots.shots),
                logo=logo if has_logo else None,
                posted="" if index or line.isascii() else line,
            )
        )
    return tuple(found)


def _is_card(shot: Shot, style: FilmStyle) -> bool:
    return shot.picture is None and subject_of(shot, style).kind == "card"


def film_size(brief: Brief) -> tuple[int, int]:
    """Width and height of a film in pixels."""
    wide, _, high = brief.delivery.resolution.partition("x")
    return int(wide), int(high)


def _anywhere(shot: Shot, *, name: str = "") -> Shot:
    """Without its place in the film; what is drawn by chance follows from the name."""
    return shot.model_copy(update={**_ANYWHERE, "id": name, "start": 0, "end": shot.frames})


def _within(
    captions: Sequence[CaptionLine], shot: Shot, shots: Sequence[Shot]
) -> tuple[CaptionLine, ...]:
    return tuple(
        CaptionLine(
            start=max(each.start - shot.start, 0),
            end=min(each.end - shot.start, shot.frames),
            lines=each.lines,
            over=tuple(framed(other) for other in shots if other != shot and _is_over(each, other)),
        )
        for each in captions
        if _is_over(each, shot) and not _is_written(each, shot)
    )


def _is_written(caption: CaptionLine, shot: Shot) -> bool:
    """Whether its words stand in the picture already: nobody reads them twice at once."""
    said, written = _plain(" ".join(caption.lines)), _plain(shot.on_screen_text or "")
    return bool(said) and f" {said} " in f" {written} "


def _plain(text: str) -> str:
    return " ".join(_WORD.findall(text.casefold()))


def _is_over(caption: CaptionLine, shot: Shot) -> bool:
    return caption.end > shot.start and caption.start < shot.end


def framed(shot: Shot) -> Shot:
    """Only where faces and words are in it: what else changes there is not filmed again here."""
    return _anywhere(shot).model_copy(update=_UNFRAMED | {"figures": ("",) * len(shot.figures)})
