"""Our screenplay as somebody has changed it: their words in the beats, and the rest as it was.

Every beat has a note with its name in `script.fountain`. What stands under it and is still as we
wrote it stays to the letter; what was changed is read as any screenplay is.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from callsheet.errors import InputError
from callsheet_studio.documents.fountain import body_of, fountain
from callsheet_studio.documents.words import one_line
from callsheet_studio.model.script import Words
from callsheet_studio.script.own.fountain import read_fountain
from callsheet_studio.script.own.page import check_size, is_heading
from callsheet_studio.script.rules.time import speech_overrun

if TYPE_CHECKING:
    from collections.abc import Sequence

    from callsheet_studio.model.script import Beat, Script
    from callsheet_studio.script.own.draft import Say

_MARK = re.compile(r"^\[\[(?P<beat>[^\]\n·]{1,40}) · [^\]\n]{1,80}\]\][ \t]*$", re.MULTILINE)


def is_ours(text: str) -> bool:
    """Whether a screenplay has the marks of our beats."""
    return _MARK.search(text) is not None


def reworded(script: Script, text: str) -> Script:
    """The script with the words of a screenplay that `script.fountain` has become.

    Raises:
        InputError: beats or slug lines are not those of the script, or words do not fit their beat.
    """
    check_size(text)
    told = text.replace("\r\n", "\n").replace("\r", "\n")
    before, after = _parts(fountain(script)), _parts(told)
    if list(before) != list(after):
        missing = [each for each in before if each not in after]
        what = f"beat {missing[0]} is missing" if missing else "its beats are not in their order"
        raise InputError(
            f"--script: {what}. Keep the lines in double brackets, and change what is under them; "
            "for other beats, name the script in the brief: content.script_file."
        )
    if [each[0] for each in before.values()] != [each[0] for each in after.values()]:
        raise InputError(
            "--script: a slug line was changed. Where scenes are is the brief's: change it there, "
            "or name the script in it: content.script_file."
        )
    beats = tuple(_beat(beat, after[beat.id][1], script) for beat in script.beats)
    made = script.model_copy(update={"beats": beats})
    changed = [new for new, old in zip(beats, script.beats, strict=True) if new is not old]
    late = [each for beat in changed for each in speech_overrun(beat.script, beat, made)]
    if late:
        told_so = "\n".join(f"  {each.where}: {each.message} {each.fix}" for each in late)
        raise InputError(f"--script: what was changed does not fit its beat:\n{told_so}")
    return made


def _parts(text: str) -> dict[str, tuple[str, str]]:
    """By beat: the slug line before its mark, if there is one, and what stands under it."""
    marks = list(_MARK.finditer(text))
    found: dict[str, tuple[str, str]] = {}
    heading = _last_heading(text[: marks[0].start()]) if marks else ""
    ends = [mark.start() for mark in marks[1:]] + [len(text)]
    for mark, end in zip(marks, ends, strict=True):
        under = text[mark.end() : end].strip()
        coming = _last_heading(under) if end < len(text) else ""
        bare = under[: len(under) - len(coming)].strip() if coming else under
        found[mark["beat"].replace("\\", "").strip()] = heading, bare
        heading = coming
    return found


def _last_heading(text: str) -> str:
    """The last line, if it is a slug line."""
    last = text.rstrip().rpartition("\n")[2]
    is_forced = last.startswith(".") and last[1:2].isalnum()
    return last if is_heading(last) or is_forced else ""


def _beat(beat: Beat, text: str, script: Script) -> Beat:
    if text == body_of(beat, script).strip():
        return beat
    return beat.model_copy(update={"script": _words(text, script.language, beat.script)})


def _words(text: str, language: str, before: Words) -> Words:
    passages = read_fountain(f"\n{text}\n", language).passages
    says = [say for passage in passages for say in passage.says]
    action = one_line(" ".join(passage.action for passage in passages))
    texts = "\n".join(passage.text for passage in passages if passage.text)
    return Words(
        action=action or before.action,
        dialogue=_dialogue(says) or None,
        voiceover=" ".join(say.text for say in says if not say.speaker) or None,
        on_screen_text=texts or None,
    )


def _dialogue(says: Sequence[Say]) -> str:
    return "\n".join(
        f"{say.speaker}: " + (f"({say.manner}) " if say.manner else "") + say.text
        for say in says
        if say.speaker
    )
