"""What each shot is filmed from, and nothing else: a shot that has not changed is not made again.

Its place in the film is not in it: when an earlier shot gets longer, those after it stay.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from callsheet import Artifact
from callsheet_studio.draw.reading import fact_on, subject_of
from callsheet_studio.draw.style import FilmStyle, style_of
from callsheet_studio.model.base import Data
from callsheet_studio.model.captions import CaptionLine
from callsheet_studio.model.shots import Board, Figure, Shot

if TYPE_CHECKING:
    from collections.abc import Sequence

    from callsheet_studio.model.brief import Brief
    from callsheet_studio.model.shots import ShotList

_WORD = re.compile(r"\w+")
_FEWEST = 2
"""Words of a text that is read twice, if a caption has them: the brand's name alone is not."""
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
            lines=lines,
            over=tuple(framed(other) for other in shots if other != shot and _is_over(each, other)),
        )
        for each in captions
        if _is_over(each, shot) and (lines := _unwritten(each.lines, shot))
    )


def _unwritten(lines: tuple[str, ...], shot: Shot) -> tuple[str, ...]:
    """What of a caption does not stand in the picture already: nobody reads it twice at once."""
    for written in (shot.on_screen_text or "", fact_on(shot)):
        lines = _without(lines, _plain(written))
    return lines


def _without(lines: tuple[str, ...], written: list[str]) -> tuple[str, ...]:
    words = [(number, word) for number, line in enumerate(lines) for word in line.split()]
    # A word may be several, or only a dash: each knows which of the plain ones are its own.
    plain = [(at, part) for at, (_, word) in enumerate(words) for part in _plain(word)]
    said, count = [part for _, part in plain], len(written)
    if not said or f" {' '.join(said)} " in f" {' '.join(written)} ":
        return ()
    for first in range(len(said) - count + 1) if count >= _FEWEST else ():
        if said[first : first + count] == written:
            own = range(plain[first][0], plain[first + count - 1][0] + 1)
            left = [each for at, each in enumerate(words) if at not in own]
            kept = (" ".join(w for at, w in left if at == n) for n in range(len(lines)))
            return tuple(line for line in kept if line)
    return lines


def _plain(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


def _is_over(caption: CaptionLine, shot: Shot) -> bool:
    return caption.end > shot.start and caption.start < shot.end


def framed(shot: Shot) -> Shot:
    """Only where faces and words are in it: what else changes there is not filmed again here."""
    return _anywhere(shot).model_copy(update=_UNFRAMED | {"figures": ("",) * len(shot.figures)})
