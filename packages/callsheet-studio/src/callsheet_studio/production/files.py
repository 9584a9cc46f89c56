"""The files of a production: which steps make them, and what they are called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from callsheet_studio.documents.pieces import STEMS
from callsheet_studio.production import delivery
from callsheet_studio.production.stage import STAGES, Stage

if TYPE_CHECKING:
    from collections.abc import Mapping

FILES: dict[Stage, dict[str, tuple[str, ...]]] = {
    "script": {"script_files": ("script", "brief")},
    "shots": {
        "shot_files": ("shots", "script", "brief"),
        "timeline_files": ("shots", "script", "brief"),
    },
    "plan": {"plan_files": ("plan", "shots", "brief")},
    "film": {
        "board_files": ("filmed", "shots", "script", "brief"),
        "sheet_files": ("filmed", "sheet"),
        "poster_files": ("posted",),
        "teaser_files": ("filmed",),
        "take_files": ("filmed",),
        "stem_files": ("score", "voices", "mix"),
    },
}
"""For each stage the steps that make its documents, and what they are made from."""

MORE = ("film", "captions.files", "page")
"""What else the film delivers."""

_NAMES: dict[Stage, tuple[str, ...]] = {
    "script": ("script.json", "script.md", "script.fountain", "captions.srt", "captions.vtt"),
    "shots": (
        "shots.json",
        "shots.csv",
        "shots-by-setup.csv",
        "shots.pdf",
        "timeline.otio",
        "timeline.edl",
        "timeline.xml",
        "timeline.fcpxml",
    ),
    "plan": ("plan.json", "plan.md", "callsheet.csv", "callsheet.pdf"),
    "film": (
        "film.mp4",
        "storyboard.pdf",
        "storyboard.png",
        "shots-with-frames.pdf",
        *STEMS.values(),
        "index.html",
    ),
}
"""What each stage writes; the frames of the storyboard, and frames and clips, come on top."""


def until(stage: Stage) -> tuple[Stage, ...]:
    """The stages up to one of them."""
    return STAGES[: STAGES.index(stage) + 1]


def file_names(stop_after: Stage = "film") -> tuple[str, ...]:
    """What is written when it stops after a stage."""
    return (*(name for stage in until(stop_after) for name in _NAMES[stage]), delivery.REPORT)


def files_in(outputs: Mapping[str, Any]) -> dict[str, Any]:
    """The files that steps of a production have made so far, by name: artifacts, as data.

    Where two have one of the same name, the later one counts, as in a delivery.
    """
    found: dict[str, Any] = {}
    for step in (*(name for stage in STAGES for name in FILES[stage]), *MORE):
        name, _, part = step.partition(".")
        output = outputs.get(name) or {}
        found |= (output.get(part) or {}) if part else output
    return found
