"""The script as JSON, as a narrative in two columns, and as a screenplay."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from callsheet.studio.documents.fountain import fountain
from callsheet.studio.documents.words import as_json, in_words, lines, named, one_line, seconds
from callsheet.studio.shots import spoken

if TYPE_CHECKING:
    from collections.abc import Iterator

    from callsheet.studio.model.brief import Brief
    from callsheet.studio.model.script import Alternative, Beat, Script, Words

_MARKS = re.compile(r"([\\`*_\[\]|~])")
_LEADING = re.compile(r"^(#|>|[-+](?=\s)|\d+(?=[.)]\s))")


def script_files(script: Script, brief: Brief) -> dict[str, bytes]:
    """The script for programs (`script.json`), for readers (`script.md`) and for writers' tools."""
    return {
        "script.json": as_json(script),
        "script.md": narrative(script, brief).encode(),
        "script.fountain": fountain(script).encode(),
    }


def narrative(script: Script, brief: Brief) -> str:
    """The film in two columns, what is seen and what is heard, scene by scene."""
    return "\n".join([*_head(script, brief), *_scenes(script), *_alternatives(script)]) + "\n"


def _head(script: Script, brief: Brief) -> Iterator[str]:
    rate = script.rate
    facts = {
        "Length": f"{seconds(rate.seconds(script.frames))} ({script.frames} frames at {rate} fps)",
        "Type": in_words(script.type),
        "Structure": in_words(script.structure),
        "Language": script.language,
        "Picture": f"{brief.delivery.aspect}, {brief.delivery.resolution}",
        "Pace": f"{script.words_per_minute} words a minute",
        "Core message": brief.message.core,
        "Call to action": brief.message.cta,
    }
    yield f"# {plain(script.title)}"
    yield ""
    for name, value in facts.items():
        if value:
            yield f"- **{name}:** {plain(value)}"
    if script.inferred:
        yield f"- **Inferred:** {', '.join(f'`{each.key}`' for each in script.inferred)}"


def _scenes(script: Script) -> Iterator[str]:
    scene = None
    for beat in script.beats:
        if beat.scene != scene:
            scene = beat.scene
            where = (beat.visual.location, beat.visual.time_of_day)
            place = ", ".join(named(each, script.language) for each in where)
            yield from ("", f"## {scene} · {plain(place[:1].upper() + place[1:])}")
            yield from ("", "| Visual | Audio |", "| --- | --- |")
        yield f"| {_cell(_seen(beat, script))} | {_cell(_heard(beat))} |"


def _seen(beat: Beat, script: Script) -> Iterator[str]:
    start = script.rate.timecode(beat.start)
    yield f"**{plain(beat.id)}** · {start} · {seconds(script.rate.seconds(beat.frames))}"
    yield plain(beat.script.action)
    for line in lines(beat.script.on_screen_text):
        yield f"TEXT: **{plain(line)}**"
    visual = (beat.visual.size, beat.visual.movement, beat.visual.lighting)
    yield f"*{plain(' · '.join(in_words(each) for each in visual if each))}*"


def _heard(beat: Beat) -> Iterator[str]:
    yield from _said(beat.script)
    around = [*beat.audio.effects, beat.audio.ambience]
    sounds = ", ".join(in_words(each) for each in around if each)
    music = f"music: {in_words(beat.audio.music_mood)}" if beat.audio.music_mood else ""
    if quiet := "; ".join(each for each in (sounds, music) if each):
        yield f"*{plain(quiet)}*"


def _said(words: Words) -> Iterator[str]:
    if voiceover := one_line(words.voiceover):
        yield f"**VO:** {plain(voiceover)}"
    for line in spoken.lines(words.dialogue):
        yield f"**{plain(line.cue)}:** {plain(line.text)}" if line.cue else plain(line.text)


def _alternatives(script: Script) -> Iterator[str]:
    if not any(beat.alternatives for beat in script.beats):
        return
    yield from ("", "## Alternatives")
    for beat in script.beats:
        for other in beat.alternatives:
            yield from ("", f"### {plain(other.id)} · instead of {plain(beat.id)}")
            yield from ("", plain(other.condition), "")
            yield from ("| Visual | Audio |", "| --- | --- |")
            yield f"| {_cell(_seen_instead(other))} | {_cell(_said(other.script))} |"


def _seen_instead(other: Alternative) -> Iterator[str]:
    yield plain(other.script.action)
    for line in lines(other.script.on_screen_text):
        yield f"TEXT: **{plain(line)}**"


def _cell(paragraphs: Iterator[str]) -> str:
    return "<br>".join(paragraphs)


def plain(text: str) -> str:
    """The text on one line, so that Markdown takes none of its signs for markup."""
    flat = one_line(text).replace("&", "&amp;").replace("<", "&lt;")
    return _LEADING.sub(r"\\\1", _MARKS.sub(r"\\\1", flat))
