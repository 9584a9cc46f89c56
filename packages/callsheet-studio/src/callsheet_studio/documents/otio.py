"""OpenTimelineIO, as it goes out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet_studio.documents.pieces import OURS

if TYPE_CHECKING:
    from collections.abc import Iterator

    import opentimelineio as otio

    from callsheet_studio.base.time import Rate
    from callsheet_studio.documents.pieces import Clip, Edit, Note


def otio_text(edit: Edit) -> str:
    """The edit as a timeline: a track of shots, one of the voices, and the beats as markers."""
    import opentimelineio as otio

    timeline = otio.schema.Timeline(edit.title)
    timeline.metadata[OURS] = {"frames": edit.frames, "fps": edit.rate.to_json()}
    pictures = otio.schema.Track("Shots", kind=otio.schema.TrackKind.Video)
    for clip in edit.clips:
        pictures.extend(_with_transition(clip, edit.rate))
    pictures.markers.extend([_marker(beat, edit.rate) for beat in edit.beats])
    voices = otio.schema.Track("Voice", kind=otio.schema.TrackKind.Audio)
    voices.extend(_voices(edit))
    timeline.tracks.extend([pictures, voices, *_beds(edit)])
    return str(timeline.to_json_string(indent=2)) + "\n"


def _range(start: int, frames: int, rate: Rate) -> otio.opentime.TimeRange:
    from opentimelineio.opentime import RationalTime, TimeRange

    fps = float(rate.fps)
    return TimeRange(RationalTime(start, fps), RationalTime(frames, fps))


def _with_transition(clip: Clip, rate: Rate) -> Iterator[otio.core.Composable]:
    import opentimelineio as otio

    over = _range(0, clip.over, rate)
    fade = otio.schema.Transition(
        name=clip.transition, transition_type=otio.schema.TransitionTypes.SMPTE_Dissolve
    )
    if clip.transition == "fade_out":
        fade.in_offset, fade.out_offset = over.duration, over.start_time
    else:
        fade.in_offset, fade.out_offset = over.start_time, over.duration
    reference: otio.core.MediaReference = otio.schema.MissingReference(name=clip.shot)
    if clip.media:
        available = _range(0, clip.frames, rate)
        reference = otio.schema.ExternalReference(clip.media, available)
    shown = otio.schema.Clip(clip.shot, reference, _range(0, clip.frames, rate))
    shown.metadata[OURS] = {"shot": clip.shot, **clip.notes}
    if clip.transition in {"dissolve", "fade_in"}:
        yield fade
    yield shown
    if clip.transition == "fade_out":
        yield fade


def _marker(beat: Note, rate: Rate) -> otio.schema.Marker:
    import opentimelineio as otio

    marked = _range(beat.start, beat.frames, rate)
    marker = otio.schema.Marker(beat.name, marked, otio.schema.MarkerColor.YELLOW)
    marker.metadata[OURS] = {"question": beat.text}
    return marker


def _beds(edit: Edit) -> Iterator[otio.schema.Track]:
    """Music and atmosphere, from beginning to end."""
    import opentimelineio as otio

    for name, place in edit.stems.items():
        if name != "Voice":
            whole = _range(0, edit.frames, edit.rate)
            medium = otio.schema.ExternalReference(place, whole)
            track = otio.schema.Track(name, kind=otio.schema.TrackKind.Audio)
            track.append(otio.schema.Clip(name, medium, whole))
            yield track


def _voices(edit: Edit) -> Iterator[otio.core.Composable]:
    import opentimelineio as otio

    place = 0
    for voice in edit.voices:
        if voice.start > place:
            yield otio.schema.Gap(source_range=_range(0, voice.start - place, edit.rate))
        medium: otio.core.MediaReference = otio.schema.MissingReference(name=voice.name)
        first = 0
        if "Voice" in edit.stems:
            # One file for all of them: each begins in it where it does in the film.
            whole = _range(0, edit.frames, edit.rate)
            medium = otio.schema.ExternalReference(edit.stems["Voice"], whole)
            first = voice.start
        spoken = otio.schema.Clip(voice.name, medium, _range(first, voice.frames, edit.rate))
        spoken.metadata[OURS] = {"words": voice.text}
        yield spoken
        place = voice.start + voice.frames
