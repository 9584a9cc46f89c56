"""The script as a screenplay in Fountain.

Somebody's words are never taken for markup: what would be read as another element is forced to be
what it is, or, where Fountain has no way to force it, kept apart by an invisible sign.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from callsheet_studio.documents.labels import labels
from callsheet_studio.documents.words import in_words, lines, one_line, seconds
from callsheet_studio.library import find_place, sets
from callsheet_studio.shots import spoken

if TYPE_CHECKING:
    from collections.abc import Iterator

    from callsheet_studio.model.script import Beat, Script, Words

JOINER = "\u2060"
"""Invisible, and no space: keeps signs apart that would mean something together."""

_HEADING = re.compile(
    r"(INT|EXT|EST|I/E|INNEN|AUSSEN|AU\u00dfEN|I/A)[./\s]|FADE IN:", re.IGNORECASE
)
_SPECIAL = tuple("#!.@>=~")
_CUE = re.compile(r"[A-Z][^a-z(^]*(\([^()]*\))?\Z")
_TRANSITION = re.compile(r"[^a-z]*TO:\Z")
_HOW = re.compile(r"\(([^()]+)\) (\S.*)\Z")
"""How a line is said, before what is said."""
_PAIRS = re.compile(r"(?<=\[)(?=\[)|(?<=\])(?=\])|(?<=/)(?=\*)|(?<=\*)(?=/)")


def fountain(script: Script) -> str:
    """The whole film, with a title page, and the beats as notes."""
    return "\n".join(_title_page(script)) + "\n" + "\n".join(_body(script))


def body_of(beat: Beat, script: Script) -> str:
    """What stands under the note of a beat."""
    return "\n".join(_elements(beat.script, _narrator(script)))


def _narrator(script: Script) -> str:
    say = labels(script.language)
    return say("NARRATOR")


def _title_page(script: Script) -> Iterator[str]:
    length = seconds(script.rate.seconds(script.frames))
    yield f"Title: {_apart(script.title)}"
    yield f"Format: {in_words(script.type)}, {length} at {script.rate} fps"
    yield f"Language: {_apart(script.language)}"
    yield ""


def _body(script: Script) -> Iterator[str]:
    narrator = _narrator(script)
    heading: tuple[int, str, str] | None = None
    for beat in script.beats:
        seen = beat.visual
        found = (beat.scene, seen.heading or seen.location, seen.heading or seen.time_of_day)
        if found != heading:
            heading = found
            yield from (_heading(beat), "")
        length = seconds(script.rate.seconds(beat.frames))
        yield from (f"[[{_apart(beat.id)} · {script.rate.timecode(beat.start)} · {length}]]", "")
        yield from _elements(beat.script, narrator)


def _heading(beat: Beat) -> str:
    if told := one_line(beat.visual.heading):
        bare = _apart(told)
        return f"{'' if _HEADING.match(bare) else '.'}{bare} #{beat.scene}#"
    place = one_line(in_words(beat.visual.location)).upper().replace("#", "No. ") or "ANYWHERE"
    time = one_line(in_words(beat.visual.time_of_day)).upper().replace("#", "No. ") or "DAY"
    side = "INT." if sets()[find_place(beat.visual.location) or "abstract"].interior else "EXT."
    return _apart(f"{side} {place} - {time} #{beat.scene}#")


def _elements(words: Words, narrator: str) -> Iterator[str]:
    if one_line(words.action):
        yield from (_action(words.action), "")
    for line in lines(words.on_screen_text):
        yield from (f"!SUPER: {_apart(line)}", "")
    if voiceover := one_line(words.voiceover):
        yield from (f"{narrator} (V.O.)", _spoken(voiceover), "")
    for piece in spoken.lines(words.dialogue):
        if said := one_line(piece.text):
            how = _HOW.match(said)
            spoken_so = [f"({_apart(how[1])})", _spoken(how[2])] if how else [_spoken(said)]
            yield from (_cue(one_line(piece.cue) or "SOMEBODY"), *spoken_so, "")


def _action(text: str) -> str:
    line = _apart(text)
    return f"!{line}" if _misread(line) or not any(map(str.islower, line)) else line


def _spoken(text: str) -> str:
    line = _apart(text)
    return f"{JOINER}{line}" if _misread(line) or line.startswith("(") else line


def _cue(name: str) -> str:
    cue = _apart(name).replace("^", f"^{JOINER}")
    return cue if _CUE.match(cue) and not _misread(cue) else f"@{cue}"


def _misread(line: str) -> bool:
    return line.startswith(_SPECIAL) or bool(_HEADING.match(line) or _TRANSITION.match(line))


def _apart(text: str) -> str:
    """On one line, with no note and no boneyard in it, and nothing emphasised."""
    escaped = re.sub(r"([*_\\])", r"\\\1", one_line(text))
    return _PAIRS.sub(JOINER, escaped)
