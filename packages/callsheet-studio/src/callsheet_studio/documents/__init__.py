"""Documents: script, shots, plan, captions and timelines as files, and timelines back."""

from callsheet_studio.documents.captions import Caption, caption_files, captions, check_captions
from callsheet_studio.documents.pieces import Cut, Piece
from callsheet_studio.documents.plans import plan_files
from callsheet_studio.documents.retime import Retimed, retime
from callsheet_studio.documents.rewording import is_ours, reworded
from callsheet_studio.documents.scripts import script_files
from callsheet_studio.documents.shots import shot_files
from callsheet_studio.documents.timelines import read_timeline, timeline_files

__all__ = [
    "Caption",
    "Cut",
    "Piece",
    "Retimed",
    "caption_files",
    "captions",
    "check_captions",
    "is_ours",
    "plan_files",
    "read_timeline",
    "retime",
    "reworded",
    "script_files",
    "shot_files",
    "timeline_files",
]
