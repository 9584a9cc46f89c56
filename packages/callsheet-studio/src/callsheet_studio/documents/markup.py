"""Timelines in XML: of Final Cut Pro 7 (read by Premiere and Resolve), and of Final Cut Pro."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote
from xml.etree import ElementTree as ET

from callsheet_studio.documents.words import one_line

if TYPE_CHECKING:
    from callsheet_studio.base.time import Rate
    from callsheet_studio.documents.pieces import Clip, Edit, Note

_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE {kind}>\n'


def _text(root: ET.Element) -> str:
    ET.indent(root)
    return _HEAD.format(kind=root.tag) + ET.tostring(root, encoding="unicode") + "\n"


def _add(parent: ET.Element, tag: str, text: object = None, **attributes: str) -> ET.Element:
    child = ET.SubElement(parent, tag, attributes)
    if text is not None:
        child.text = one_line(str(text))
    return child


# Final Cut Pro 7


def xmeml(edit: Edit) -> str:
    """The edit as a sequence of Final Cut Pro 7."""
    root = ET.Element("xmeml", version="5")
    sequence = _add(root, "sequence", id="sequence-1")
    _add(sequence, "name", edit.title)
    _add(sequence, "duration", edit.frames)
    _rate(sequence, edit.rate)
    _timecode(sequence, edit.rate)
    media = _add(sequence, "media")
    _pictures(_add(media, "video"), edit)
    audio = _add(media, "audio")
    _voices(audio, edit)
    _beds(audio, edit)
    for beat in edit.beats:
        marker = _add(sequence, "marker")
        _add(marker, "name", beat.name)
        _add(marker, "comment", beat.text)
        _add(marker, "in", beat.start)
        _add(marker, "out", beat.start + beat.frames)
    return _text(root)


def _rate(parent: ET.Element, rate: Rate) -> None:
    found = _add(parent, "rate")
    _add(found, "timebase", rate.base)
    _add(found, "ntsc", "FALSE" if rate.fps.denominator == 1 else "TRUE")


def _timecode(parent: ET.Element, rate: Rate) -> None:
    timecode = _add(parent, "timecode")
    _rate(timecode, rate)
    _add(timecode, "string", rate.timecode(0))
    _add(timecode, "frame", 0)
    _add(timecode, "displayformat", "DF" if rate.drops else "NDF")


def _picture_format(parent: ET.Element, edit: Edit) -> None:
    found = _add(parent, "samplecharacteristics")
    _rate(found, edit.rate)
    _add(found, "width", edit.size[0])
    _add(found, "height", edit.size[1])
    _add(found, "pixelaspectratio", "square")


def _pictures(video: ET.Element, edit: Edit) -> None:
    _picture_format(_add(video, "format"), edit)
    track = _add(video, "track")
    for number, clip in enumerate(edit.clips, 1):
        later = edit.clips[number] if number < len(edit.clips) else None
        if clip.transition in {"dissolve", "fade_in"}:
            _fade(track, clip, edit.rate)
        _picture(track, (number, clip), later, edit)
        if clip.transition == "fade_out":
            _fade(track, clip, edit.rate)


_ALIGNED = {"dissolve": "start", "fade_in": "start-black", "fade_out": "end-black"}


def _fade(track: ET.Element, clip: Clip, rate: Rate) -> None:
    start = clip.end - clip.over if clip.transition == "fade_out" else clip.start
    item = _add(track, "transitionitem")
    _rate(item, rate)
    _add(item, "start", start)
    _add(item, "end", start + clip.over)
    _add(item, "alignment", _ALIGNED[clip.transition])
    effect = _add(item, "effect")
    for name in ("name", "effectid"):
        _add(effect, name, "Cross Dissolve")
    _add(effect, "effectcategory", "Dissolve")
    _add(effect, "effecttype", "transition")
    _add(effect, "mediatype", "video")


def _picture(track: ET.Element, numbered: tuple[int, Clip], later: Clip | None, edit: Edit) -> None:
    number, clip = numbered
    # Where a transition is, it says the place of the edge, and the clip says -1.
    dissolves = later is not None and later.transition == "dissolve"
    start = -1 if clip.transition in {"dissolve", "fade_in"} else clip.start
    end = -1 if dissolves or clip.transition == "fade_out" else clip.end
    out = clip.frames + (later.over if later is not None and dissolves else 0)
    item = _item(track, clip.shot, (start, end, 0, out), number, edit.rate)
    file = _add(item, "file", id=f"file-{number}")
    _add(file, "name", clip.shot)
    if clip.media:
        _add(file, "pathurl", clip.media)
    _rate(file, edit.rate)
    _add(file, "duration", out)
    _picture_format(_add(_add(file, "media"), "video"), edit)
    comments = _add(item, "comments")
    for line, (name, value) in enumerate(clip.notes.items(), 1):
        _add(comments, f"mastercomment{line}", f"{name}: {value}")


def _item(
    track: ET.Element, name: str, edges: tuple[int, int, int, int], number: int, rate: Rate
) -> ET.Element:
    item = _add(track, "clipitem", id=f"clipitem-{number}")
    start, end, first, out = edges
    _add(item, "name", name)
    _add(item, "enabled", "TRUE")
    _add(item, "duration", out)
    _rate(item, rate)
    _add(item, "start", start)
    _add(item, "end", end)
    _add(item, "in", first)
    _add(item, "out", out)
    return item


def _voices(audio: ET.Element, edit: Edit) -> None:
    track = _add(audio, "track")
    place = edit.stems.get("Voice")
    for number, voice in enumerate(edit.voices, len(edit.clips) + 1):
        first = voice.start if place else 0
        edges = (voice.start, voice.start + voice.frames, first, first + voice.frames)
        item = _item(track, voice.name, edges, number, edit.rate)
        file = _add(item, "file", id=f"file-{number}")
        _add(file, "name", voice.name)
        if place:
            _add(file, "pathurl", place)
        _rate(file, edit.rate)
        _add(file, "duration", edit.frames if place else voice.frames)
        _add(_add(file, "media"), "audio")
        source = _add(item, "sourcetrack")
        _add(source, "mediatype", "audio")
        _add(source, "trackindex", 1)
        _add(_add(item, "comments"), "mastercomment1", voice.text)


def _beds(audio: ET.Element, edit: Edit) -> None:
    """Music and atmosphere, each on a track of its own, from beginning to end."""
    begins = len(edit.clips) + len(edit.voices) + 1
    beds = [each for each in edit.stems.items() if each[0] != "Voice"]
    for number, (name, place) in enumerate(beds, begins):
        edges = (0, edit.frames, 0, edit.frames)
        item = _item(_add(audio, "track"), name, edges, number, edit.rate)
        file = _add(item, "file", id=f"file-{number}")
        _add(file, "name", name)
        _add(file, "pathurl", place)
        _rate(file, edit.rate)
        _add(file, "duration", edit.frames)
        _add(_add(file, "media"), "audio")
        source = _add(item, "sourcetrack")
        _add(source, "mediatype", "audio")
        _add(source, "trackindex", 1)


# Final Cut Pro

_SHOT = "com.apple.proapps.studio.shot"


def fcpxml(edit: Edit) -> str:
    """The edit as a project of Final Cut Pro. All times are whole frames, as fractions."""
    root = ET.Element("fcpxml", version="1.8")
    resources = _add(root, "resources")
    frame = _time(1, edit.rate)
    width, height = map(str, edit.size)
    _add(resources, "format", id="r1", frameDuration=frame, width=width, height=height)
    sequence = _add(
        _add(root, "project", name=edit.title),
        "sequence",
        format="r1",
        duration=_time(edit.frames, edit.rate),
        tcStart="0s",
        tcFormat="DF" if edit.rate.drops else "NDF",
    )
    spine = _add(sequence, "spine")
    for clip in edit.clips:
        _shown(spine, resources, clip, edit)
    return _text(root)


def _time(frames: int, rate: Rate) -> str:
    return f"{frames * rate.fps.denominator}/{rate.fps.numerator}s" if frames else "0s"


def _shown(spine: ET.Element, resources: ET.Element, clip: Clip, edit: Edit) -> None:
    if clip.transition in {"dissolve", "fade_in"}:
        _crossed(spine, clip.start, clip.over, edit.rate)
    # A project has to say where its media will be. Until they are there, the shots are offline.
    reference = _asset(
        resources,
        (clip.shot, clip.frames, clip.media or quote(f"shots/{one_line(clip.shot)}.mp4")),
        edit.rate,
        hasVideo="1",
        format="r1",
    )
    item = _add(
        spine,
        "asset-clip",
        ref=reference,
        name=one_line(clip.shot),
        offset=_time(clip.start, edit.rate),
        start="0s",
        duration=_time(clip.frames, edit.rate),
        format="r1",
    )
    _add(item, "note", " · ".join(f"{name}: {value}" for name, value in clip.notes.items()))
    for voice in _starting(edit.voices, clip):
        _spoken(item, resources, voice, voice.start - clip.start, edit.rate)
    for beat in _starting(edit.beats, clip):
        start = _time(beat.start - clip.start, edit.rate)
        value = f"{beat.name} {beat.text}".strip()
        _add(item, "marker", start=start, duration=_time(1, edit.rate), value=value)
    if clip.transition == "fade_out":
        _crossed(spine, clip.end - clip.over, clip.over, edit.rate)


def _starting(notes: tuple[Note, ...], clip: Clip) -> list[Note]:
    return [note for note in notes if clip.start <= note.start < clip.end]


def _crossed(spine: ET.Element, start: int, frames: int, rate: Rate) -> None:
    place = {"offset": _time(start, rate), "duration": _time(frames, rate)}
    _add(spine, "transition", name="Cross Dissolve", **place)


def _asset(
    resources: ET.Element, media: tuple[str, int, str], rate: Rate, **attributes: str
) -> str:
    name, frames, source = media
    reference = f"r{len(resources) + 1}"
    asset = _add(
        resources,
        "asset",
        id=reference,
        name=one_line(name),
        start="0s",
        duration=_time(frames, rate),
        src=source,
        **attributes,
    )
    _add(_add(asset, "metadata"), "md", key=_SHOT, value=one_line(name))
    return reference


def _spoken(item: ET.Element, resources: ET.Element, voice: Note, offset: int, rate: Rate) -> None:
    source = quote(f"voice/{voice.name.removeprefix('VO ')}.wav")
    reference = _asset(resources, (voice.name, voice.frames, source), rate, hasAudio="1")
    clip = _add(
        item,
        "asset-clip",
        ref=reference,
        lane="-1",
        name=voice.name,
        offset=_time(offset, rate),
        start="0s",
        duration=_time(voice.frames, rate),
        audioRole="dialogue",
    )
    _add(clip, "note", voice.text)
