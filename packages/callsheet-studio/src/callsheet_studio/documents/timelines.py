"""The planned cut for editors, and their cut back into the project."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, assert_never

from callsheet.errors import InputError
from callsheet_studio.documents.edl import edl, read_edl
from callsheet_studio.documents.markup import fcpxml, xmeml
from callsheet_studio.documents.otio import otio_text
from callsheet_studio.documents.otio_back import read_otio
from callsheet_studio.documents.pieces import LARGEST, planned

if TYPE_CHECKING:
    from collections.abc import Mapping

    from callsheet_studio.base.time import Rate
    from callsheet_studio.documents.pieces import Cut
    from callsheet_studio.model.brief import Brief
    from callsheet_studio.model.script import Script
    from callsheet_studio.model.shots import ShotList

Form = Literal["otio", "edl"]


def timeline_files(
    shots: ShotList,
    script: Script,
    brief: Brief,
    *,
    media: Mapping[str, str] | None = None,
    stems: Mapping[str, str] | None = None,
) -> dict[str, bytes]:
    """The planned cut in four forms.

    `media` says by shot, and `stems` by track of sound, where it is, relative to them.
    """
    edit = planned(shots, script, brief, media, stems)
    return {
        "timeline.otio": otio_text(edit).encode(),
        "timeline.edl": edl(edit).encode(),
        "timeline.xml": xmeml(edit).encode(),
        "timeline.fcpxml": fcpxml(edit).encode(),
    }


def read_timeline(text: str, form: Form, rate: Rate) -> Cut:
    """The cut that an editor has made of our timeline.

    Raises:
        InputError: it cannot be taken back; says where and why.
    """
    if len(text) > LARGEST:
        raise InputError(f"A timeline of {len(text):,} characters is not one of ours.")
    match form:
        case "otio":
            return read_otio(text, rate)
        case "edl":
            return read_edl(text, rate)
        case _:
            assert_never(form)
