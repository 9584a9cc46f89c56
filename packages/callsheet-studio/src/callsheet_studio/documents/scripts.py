"""The script as JSON, as a narrative in two columns, and as a screenplay."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from callsheet_studio.documents.fountain import fountain
from callsheet_studio.documents.labels import labels
from callsheet_studio.documents.words import as_json, in_words, lines, named, one_line
from callsheet_studio.shots import spoken

if TYPE_CHECKING:
    from collections.abc import Iterator

    from callsheet_studio.documents.labels import Labels
    from callsheet_studio.model.brief import Brief
    from callsheet_studio.model.script import Alternative, Beat, Script, Words

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
    say = labels(script.language)
    parts = (_head(script, brief, say), _scenes(script, say), _alternatives(script, say))
    return "\n".join(line for part in parts for line in part) + "\n"


def _head(script: Script, brief: Brief, say: Labels) -> Iterator[str]:
    rate = script.rate
    length = say.seconds(rate.seconds(script.frames))
    facts = {
        say("Length"): say(
            "{length} ({frames} frames at {rate} fps)",
            length=length,
            frames=script.frames,
            rate=rate,
        ),
        say("Type"): say.name(script.type),
        say("Structure"): say.name(script.structure),
        say("Language"): script.language,
        say("Picture"): f"{brief.delivery.aspect}, {brief.delivery.resolution}",
        say("Pace"): say("{count} words a minute", count=script.words_per_minute),
        say("Core message"): brief.message.core,
        say("Call to action"): brief.message.cta,
    }
    yield f"# {plain(script.title)}"
    yield ""
    for name, value in facts.items():
        if value:
            yield f"- **{name}:** {plain(value)}"
    if script.inferred:
        yield f"- **{say('Inferred')}:** {', '.join(f'`{each.key}`' for each in script.inferred)}"


def _scenes(script: Script, say: Labels) -> Iterator[str]:
    scene = None
    for beat in script.beats:
        if beat.scene != scene:
            scene = beat.scene
            where = (beat.visual.location, beat.visual.time_of_day)
            place = ", ".join(named(each, script.language) for each in where)
            told = beat.visual.heading or place[:1].upper() + place[1:]
            yield from ("", f"## {scene} · {plain(told)}")
            yield from ("", *_columns(say))
        yield f"| {_cell(_seen(beat, script, say))} | {_cell(_heard(beat, say))} |"


def _columns(say: Labels) -> tuple[str, str]:
    return f"| {say('Visual')} | {say('Audio')} |", "| --- | --- |"


def _seen(beat: Beat, script: Script, say: Labels) -> Iterator[str]:
    start = script.rate.timecode(beat.start)
    yield f"**{plain(beat.id)}** · {start} · {say.seconds(script.rate.seconds(beat.frames))}"
    yield plain(beat.script.action)
    yield from _shown(beat.script, say)
    # Size and movement are the shots': the shot list has them, and only it.
    if beat.visual.lighting:
        yield f"*{plain(say.name(beat.visual.lighting))}*"


def _shown(words: Words, say: Labels) -> Iterator[str]:
    for line in lines(words.on_screen_text):
        yield say("TEXT: **{text}**", text=plain(line))


def _heard(beat: Beat, say: Labels) -> Iterator[str]:
    yield from _said(beat.script, say)
    around = [*beat.audio.effects, beat.audio.ambience]
    sounds = ", ".join(in_words(each) for each in around if each)
    mood = in_words(beat.audio.music_mood)
    music = say("music: {mood}", mood=mood) if mood else ""
    if quiet := "; ".join(each for each in (sounds, music) if each):
        yield f"*{plain(quiet)}*"


def _said(words: Words, say: Labels) -> Iterator[str]:
    if voiceover := one_line(words.voiceover):
        yield f"**{say('VO')}:** {plain(voiceover)}"
    for line in spoken.lines(words.dialogue):
        yield f"**{plain(line.cue)}:** {plain(line.text)}" if line.cue else plain(line.text)


def _alternatives(script: Script, say: Labels) -> Iterator[str]:
    if not any(beat.alternatives for beat in script.beats):
        return
    yield from ("", f"## {say('Alternatives')}")
    for beat in script.beats:
        for other in beat.alternatives:
            names = {"other": plain(other.id), "beat": plain(beat.id)}
            yield from ("", f"### {say('{other} · instead of {beat}', **names)}")
            yield from ("", plain(other.condition), "", *_columns(say))
            yield f"| {_cell(_seen_instead(other, say))} | {_cell(_said(other.script, say))} |"


def _seen_instead(other: Alternative, say: Labels) -> Iterator[str]:
    yield plain(other.script.action)
    yield from _shown(other.script, say)


def _cell(paragraphs: Iterator[str]) -> str:
    return "<br>".join(paragraphs)


def plain(text: str) -> str:
    """The text on one line, so that Markdown takes none of its signs for markup."""
    flat = one_line(text).replace("&", "&amp;").replace("<", "&lt;")
    return _LEADING.sub(r"\\\1", _MARKS.sub(r"\\\1", flat))
