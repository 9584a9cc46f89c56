"""What a film should be, and what it was found to be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet_studio.base.time import Rate
from callsheet_studio.film.takes import FADE, film_size
from callsheet_studio.model.base import Data, Violation
from callsheet_studio.model.captions import CaptionLine, TextBox

if TYPE_CHECKING:
    from collections.abc import Sequence

    from callsheet_studio.model.brief import Brief
    from callsheet_studio.model.shots import ShotList


class ExpectedShot(Data):
    """A shot, as it should be found in the film. Times are frames."""

    id: str
    start: int
    end: int
    transition: str = "cut"


class Expected(Data):
    """What a film should be."""

    size: tuple[int, int]
    fps: str
    shots: tuple[ExpectedShot, ...]
    captions: tuple[CaptionLine, ...] = ()
    burned: bool = True
    """Whether captions are in the picture."""
    soft: bool = True
    """Whether players can show them."""
    texts: tuple[TextBox, ...] = ()
    """Where words are."""
    loudness: float | None = None
    """LUFS; None: a film without sound."""

    @property
    def rate(self) -> Rate:
        """Its clock."""
        return Rate.of(self.fps)

    @property
    def frames(self) -> int:
        """How long it is."""
        return self.shots[-1].end if self.shots else 0

    def shot_at(self, frame: int) -> str:
        """The shot that a frame belongs to."""
        return next((each.id for each in self.shots if each.start <= frame < each.end), "")

    @property
    def cuts(self) -> tuple[int, ...]:
        """Frames that begin a shot without a transition."""
        return tuple(each.start for each in self.shots[1:] if each.transition != "dissolve")

    def is_fading(self, frame: int) -> bool:
        """Whether a picture comes out of black or goes into it, so that it may be dark."""
        return any(
            (each.transition == "fade_in" and each.start <= frame < each.start + FADE)
            or (each.transition == "fade_out" and each.end - FADE <= frame < each.end)
            for each in self.shots
        )


class FilmReport(Data):
    """What was measured, and everything that is wrong."""

    frames: int
    size: tuple[int, int]
    cuts: tuple[int, ...]
    """Frames at which one picture is suddenly followed by another."""
    loudness: float | None
    true_peak: float | None
    violations: tuple[Violation, ...]

    @property
    def passed(self) -> bool:
        """Whether nothing is wrong."""
        return not self.violations


def expected_of(
    shots: ShotList, brief: Brief, captions: Sequence[CaptionLine], *, loudness: float | None
) -> Expected:
    """What the film of a shot list should be."""
    size = film_size(brief)
    return Expected(
        size=size,
        fps=brief.delivery.fps,
        shots=tuple(
            ExpectedShot(id=each.id, start=each.start, end=each.end, transition=each.transition)
            for each in shots.shots
        ),
        captions=tuple(captions),
        burned=brief.delivery.burns_captions,
        soft=brief.delivery.has_soft_captions,
        loudness=loudness,
    )
