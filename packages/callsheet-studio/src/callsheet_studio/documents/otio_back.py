"""OpenTimelineIO, as it comes back.

Read as the JSON that it is: the library ends the whole process on some damaged files, and of a
timeline we need no more than one track.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, TypeAlias

from msgspec.structs import replace

from callsheet.errors import InputError
from callsheet_studio.documents.pieces import MOST_EVENTS, OURS, Cut, Piece, shot_named

if TYPE_CHECKING:
    from callsheet_studio.base.time import Rate
    from callsheet_studio.documents.pieces import Transition

Item: TypeAlias = dict[str, object]

_NEAR = 0.005
_WHOLE = 0.01
_ENDLESS = 1e9
_SPEEDS = frozenset(("FreezeFrame", "LinearTimeWarp", "TimeEffect"))


def read_otio(text: str, rate: Rate) -> Cut:
    """The cut that a timeline stands for.

    Raises:
        InputError: with the place, if it is no timeline of our shots, one after the other.
    """
    track = _pictures(_timeline(text))
    pieces: list[Piece] = []
    fades, begins = False, 0
    items = _listed(track, "children")
    if len(items) > MOST_EVENTS:
        raise InputError(
            f"OTIO: there are {len(items):,} items, at most {MOST_EVENTS:,} are taken."
        )
    for place, child in enumerate(items, 1):
        where = f"OTIO: item {place} of track {_name(track)!r}"
        if _kind(child) == "Transition":
            _check_fade(child, where)
            fades = True
            continue
        frames = _frames(child, rate, where)
        if _kind(child) == "Gap" and frames == 0:
            continue
        _check_clip(child, frames, f"{where}, {rate.timecode(begins)}")
        fade: Transition = "dissolve" if pieces else "fade_in"
        pieces.append(Piece(_shot(child), frames, fade if fades else "cut"))
        fades, begins = False, begins + frames
    if not pieces:
        raise InputError("OTIO: there is no clip on the video track.")
    if fades:
        pieces[-1] = replace(pieces[-1], transition="fade_out")
    return Cut(rate, tuple(pieces))


# What is in it


def _kind(found: object) -> str:
    """The name of its schema, without the version."""
    schema = found.get("OTIO_SCHEMA") if isinstance(found, dict) else None
    return schema.partition(".")[0] if isinstance(schema, str) else ""


def _within(found: object, key: str) -> Item:
    inside = found.get(key) if isinstance(found, dict) else None
    return inside if isinstance(inside, dict) else {}


def _listed(found: Item, key: str) -> list[Item]:
    """What it contains. What is no object is shown as one, with no schema."""
    inside = found.get(key)
    if not isinstance(inside, list):
        return []
    return [each if isinstance(each, dict) else {"name": str(each)} for each in inside]


def _name(found: Item) -> str:
    name = found.get("name")
    return name if isinstance(name, str) else ""


def _timeline(text: str) -> Item:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as exc:
        raise InputError(f"It is not an OpenTimelineIO file: {str(exc)[:200]}") from exc
    if _kind(found) == "SerializableCollection" and len(_listed(found, "children")) == 1:
        found = _listed(found, "children")[0]
    if _kind(found) != "Timeline":
        what = _kind(found) or "something else"
        raise InputError(f"OTIO: a Timeline is wanted, and this is {what}.")
    timeline: Item = found
    return timeline


def _pictures(timeline: Item) -> Item:
    stack = _within(timeline, "tracks")
    tracks = [track for track in _listed(stack, "children") if track.get("kind") == "Video"]
    used = [each for each in tracks if each.get("enabled", True) and _listed(each, "children")]
    if len(used) != 1:
        raise InputError(
            f"OTIO: there are {len(used)} video tracks with clips. Bring the shots onto one."
        )
    if used[0].get("source_range") is not None or stack.get("source_range") is not None:
        raise InputError("OTIO: the video track itself is trimmed. Trim the clips instead.")
    return used[0]


def _shot(clip: Item) -> str:
    """Its name; what we have noted ourselves is for clips that an editor has renamed."""
    noted = _within(_within(clip, "metadata"), OURS).get("shot")
    return noted if isinstance(noted, str) else shot_named(_name(clip))


# How long it is


def _frames(item: Item, rate: Rate, where: str) -> int:
    if _kind(item) not in {"Clip", "Gap"}:
        raise InputError(f"{where}: {_name(item)!r} is a compound. Only shots can come back.")
    duration = _within(_shown(item), "duration")
    value, fps = _number(duration, "value"), _number(duration, "rate")
    if value is None or fps is None:
        raise InputError(f"{where}: {_name(item)!r} has no length.")
    if not abs(fps - float(rate.fps)) <= _NEAR:
        raise InputError(
            f"{where}: it has {fps:g} frames a second, the project has {rate}. "
            "Export the timeline at the rate of the project."
        )
    frames = round(value) if abs(value) < _ENDLESS else -1
    if frames < 0 or abs(value - frames) > _WHOLE:
        raise InputError(f"{where}: {value:g} is not a whole number of frames.")
    return frames


def _shown(item: Item) -> Item:
    """The part that is seen: what is trimmed to, or else all there is."""
    if item.get("source_range") is not None:
        return _within(item, "source_range")
    key = item.get("active_media_reference_key")
    references = _within(item, "media_references")
    medium = _within(references, key) if isinstance(key, str) else _within(item, "media_reference")
    return _within(medium, "available_range")


def _number(found: Item, key: str) -> float | None:
    value = found.get(key)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    # A whole number can be too large to be counted with.
    return float(value) if abs(value) < _ENDLESS or isinstance(value, float) else _ENDLESS


# What the project has not


def _check_fade(transition: Item, where: str) -> None:
    if transition.get("transition_type") != "SMPTE_Dissolve":
        raise InputError(
            f"{where}: {transition.get('transition_type')!r} is a transition that the project "
            "has not. Use cuts and dissolves."
        )


def _check_clip(child: Item, frames: int, where: str) -> None:
    if _kind(child) == "Gap" or not child.get("enabled", True):
        raise InputError(
            f"{where}: there is a gap. Let every shot begin where the one before it ends."
        )
    if frames == 0:
        raise InputError(f"{where}: {_name(child)!r} has no frames. Take it out, or lengthen it.")
    if any(_kind(effect) in _SPEEDS for effect in _listed(child, "effects")):
        raise InputError(
            f"{where}: {_name(child)!r} runs at another speed. Trim it instead; a shot of the "
            "project has no speed."
        )
