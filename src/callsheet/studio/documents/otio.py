"""OpenTimelineIO, out and back."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from callsheet import InputError
from callsheet.studio.documents.pieces import Cut, Piece, shot_named

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import opentimelineio as otio

    from callsheet.studio.documents.pieces import Clip, Edit, Note, Transition
    from callsheet.studio.time import Rate

OURS = "callsheet"
"""The name under which our metadata stand."""
_NEAR = 0.005
_WHOLE = 0.01
_ENDLESS = 1e9

# Out


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
    timeline.tracks.extend([pictures, voices])
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


def _voices(edit: Edit) -> Iterator[otio.core.Composable]:
    import opentimelineio as otio

    place = 0
    for voice in edit.voices:
        if voice.start > place:
            yield otio.schema.Gap(source_range=_range(0, voice.start - place, edit.rate))
        missing = otio.schema.MissingReference(name=voice.name)
        spoken = otio.schema.Clip(voice.name, missing, _range(0, voice.frames, edit.rate))
        spoken.metadata[OURS] = {"words": voice.text}
        yield spoken
        place = voice.start + voice.frames


# Back


def read_otio(text: str, rate: Rate) -> Cut:
    """The cut that a timeline stands for.

    Raises:
        InputError: with the place, if it is no timeline of our shots, one after the other.
    """
    import opentimelineio as otio

    track = _pictures(_timeline(text))
    pieces: list[Piece] = []
    fades = False
    for place, child in enumerate(track, 1):
        where = f"OTIO: item {place} of track {track.name!r}"
        if isinstance(child, otio.schema.Transition):
            _check_fade(child, where)
            fades = True
            continue
        frames = _frames(child, rate, where)
        if isinstance(child, otio.schema.Gap) and frames == 0:
            continue
        _check_clip(child, frames, f"{where}, {rate.timecode(sum(p.frames for p in pieces))}")
        fade: Transition = "dissolve" if pieces else "fade_in"
        pieces.append(Piece(_shot(child), frames, fade if fades else "cut"))
        fades = False
    if not pieces:
        raise InputError("OTIO: there is no clip on the video track.")
    if fades:
        pieces[-1] = replace(pieces[-1], transition="fade_out")
    return Cut(rate, tuple(pieces))


def _timeline(text: str) -> otio.schema.Timeline:
    import opentimelineio as otio

    try:
        # Nonsense is found here: the library ends the process when lists nest too deeply.
        json.loads(text)
        found = otio.adapters.read_from_string(text, "otio_json")
    except (ValueError, RecursionError, otio.exceptions.OTIOError) as exc:
        raise InputError(f"It is not an OpenTimelineIO file: {str(exc)[:200]}") from exc
    if isinstance(found, otio.schema.SerializableCollection) and len(found) == 1:
        found = found[0]
    if not isinstance(found, otio.schema.Timeline):
        what = getattr(found, "schema_name", lambda: type(found).__name__)()
        raise InputError(f"OTIO: a Timeline is wanted, and this is a {what}.")
    return found


def _pictures(timeline: otio.schema.Timeline) -> otio.schema.Track:
    tracks: Iterable[Any] = timeline.video_tracks()
    used = [track for track in tracks if track.enabled and len(track)]
    if len(used) != 1:
        raise InputError(
            f"OTIO: there are {len(used)} video tracks with clips. Bring the shots onto one."
        )
    if used[0].source_range is not None:
        raise InputError("OTIO: the video track itself is trimmed. Trim the clips instead.")
    found: otio.schema.Track = used[0]
    return found


def _check_fade(transition: otio.schema.Transition, where: str) -> None:
    if transition.transition_type != "SMPTE_Dissolve":
        raise InputError(
            f"{where}: {transition.transition_type!r} is a transition that the project has not. "
            "Use cuts and dissolves."
        )


def _frames(child: Any, rate: Rate, where: str) -> int:
    import opentimelineio as otio

    if not isinstance(child, (otio.schema.Clip, otio.schema.Gap)):
        raise InputError(f"{where}: {child.name!r} is a compound. Only shots can come back.")
    try:
        duration = child.trimmed_range().duration
    except (otio.exceptions.OTIOError, NotImplementedError, AttributeError) as exc:
        raise InputError(f"{where}: it has no length.") from exc
    if abs(duration.rate - float(rate.fps)) > _NEAR:
        raise InputError(
            f"{where}: it has {duration.rate:g} frames a second, the project has {rate}. "
            "Export the timeline at the rate of the project."
        )
    frames = round(duration.value) if abs(duration.value) < _ENDLESS else -1
    if frames < 0 or abs(duration.value - frames) > _WHOLE:
        raise InputError(f"{where}: {duration.value:g} is not a whole number of frames.")
    return frames


def _check_clip(child: Any, frames: int, where: str) -> None:
    import opentimelineio as otio

    if isinstance(child, otio.schema.Gap) or not child.enabled:
        raise InputError(
            f"{where}: there is a gap. Let every shot begin where the one before it ends."
        )
    if frames == 0:
        raise InputError(f"{where}: {child.name!r} has no frames. Take it out, or lengthen it.")
    if any(isinstance(effect, otio.schema.TimeEffect) for effect in child.effects):
        raise InputError(
            f"{where}: {child.name!r} runs at another speed. Trim it instead; a shot of the "
            "project has no speed."
        )


def _shot(clip: otio.schema.Clip) -> str:
    """Its name; what we have noted ourselves is for clips that an editor has renamed."""
    noted = clip.metadata.get(OURS)
    told = noted.get("shot") if hasattr(noted, "get") else None
    return told if isinstance(told, str) else shot_named(clip.name)
