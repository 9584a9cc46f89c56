"""Documents: script, shots, plan, captions and timelines as files, and timelines back."""

from callsheet.studio.documents.captions import (
    Caption,
    caption_files,
    captions,
    check_captions,
)
from callsheet.studio.documents.pieces import Cut, Piece
from callsheet.studio.documents.plans import plan_files
from callsheet.studio.documents.retime import Retimed, retime
from callsheet.studio.documents.scripts import script_files
from callsheet.studio.documents.shots import shot_files
from callsheet.studio.documents.timelines import read_timeline, timeline_files

__all__ = [
    "Caption",
    "Cut",
    "Piece",
    "Retimed",
    "caption_files",
    "captions",
    "check_captions",
    "plan_files",
    "read_timeline",
    "retime",
    "script_files",
    "shot_files",
    "timeline_files",
]
