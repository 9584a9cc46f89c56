"""The storyboard: the frames on paper, and what stands beside them where they are all at once."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from callsheet_studio.documents.labels import labels
from callsheet_studio.documents.shots import counted, picture_file, slug_line
from callsheet_studio.documents.typeset import Document, typeset
from callsheet_studio.documents.words import lines, one_line
from callsheet_studio.draw.sheet import SheetData, SheetShot

if TYPE_CHECKING:
    from collections.abc import Mapping

    from callsheet_studio.base.time import Rate
    from callsheet_studio.documents.labels import Labels
    from callsheet_studio.model.brief import Brief
    from callsheet_studio.model.shots import Shot, ShotList


def board_pdf(shots: ShotList, brief: Brief, pictures: Mapping[str, bytes]) -> bytes:
    """The storyboard for print; `pictures` are JPEGs by the ids of the shots."""
    language = brief.content.language
    say = labels(language)
    content = {
        "title": one_line(shots.title),
        "line": one_line(brief.message.core),
        "facts": (
            (say("Length"), say.seconds(shots.rate.seconds(shots.frames))),
            (say("Shots"), str(len(shots.shots))),
            (say("Picture"), f"{brief.delivery.aspect} · {shots.rate} fps"),
        ),
        "aspect": brief.delivery.aspect,
        "shots": [
            _frame(shot, shots.rate, language)
            | {"begins": before is None or before.scene != shot.scene}
            for before, shot in pairwise((None, *shots.shots))
            if shot is not None
        ],
    }
    files = {picture_file(shot): pictures[shot.id] for shot in shots.shots}
    return typeset(Document("board", content, language, files))


def _frame(shot: Shot, rate: Rate, language: str) -> dict[str, object]:
    say = labels(language)
    *chips, length = _chips(shot, rate, say)
    said = [one_line(shot.voiceover), *lines(shot.dialogue)]
    return {
        "picture": picture_file(shot),
        "id": one_line(shot.id),
        "scene": say("Scene {number}", number=shot.scene),
        "slug": slug_line(shot, language),
        "chips": chips,
        "time": f"{length} · {rate.timecode(shot.start)[3:8]}",
        "action": one_line(shot.action),
        "said": " ".join(say("“{words}”", words=each) for each in said if each),
        "written": " / ".join(lines(shot.on_screen_text)),
        "sound": one_line(shot.sound),
    }


def _chips(shot: Shot, rate: Rate, say: Labels) -> tuple[str, ...]:
    """As they stand on the frame, but for how the length is written."""
    from callsheet_studio.library.slate import chips_of

    *chips, _ = chips_of(shot, str(rate), say.language)
    return (*chips, say.seconds(rate.seconds(shot.frames)))


def sheet_of(shots: ShotList, language: str = "en") -> SheetData:
    """What stands on a sheet with all frames of a film."""
    say = labels(language)
    length = say.seconds(shots.rate.seconds(shots.frames))
    return SheetData(
        title=one_line(shots.title).upper(),
        facts=f"{counted(len(shots.shots), say)} · {length}",
        shots=tuple(
            SheetShot(id=shot.id, name=one_line(shot.id), chips=_chips(shot, shots.rate, say))
            for shot in shots.shots
        ),
    )
