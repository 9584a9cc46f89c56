"""Is a script right? One list of rules for ours, a model's and a user's own."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from callsheet.errors import InputError
from callsheet_studio.base.speech import spoken_words
from callsheet_studio.model.base import Data, Violation
from callsheet_studio.model.script import Script
from callsheet_studio.script.rules.fields import check_fields, fields_of
from callsheet_studio.script.rules.time import check_time
from callsheet_studio.script.rules.words import check_words, untold
from callsheet_studio.script.wording import spoken

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from callsheet_studio.model.brief import Brief

RULES = {
    "no-beats": "a script has at least one beat",
    "same-rate": "the script counts the brief's frames per second",
    "total-length": "the script is exactly as long as the brief says",
    "gap": "a beat starts where the one before it ends, the first at 0, and the last ends the film",
    "overlap": "no beat starts before the one before it ends, none ends after the film",
    "no-length": "a beat ends after it starts",
    "id-unique": "no two beats have the same id",
    "id-order": "scenes, ids and orders count from 1: `2.3` is the third beat of scene 2",
    "beat-length": "a beat takes 5 to 10 s; a hook at least 3 s; in an ad or an own script, 1 s",
    "pace": "nobody speaks more than 180 words per minute",
    "speech-fits": "what is said in a beat can be said in it, with a tenth to spare",
    "text-time": "a text is on screen for at least 3 s, over several beats if need be",
    "text-size": "a text on screen has at most two lines of nine words",
    "structure": "the script has the structure that the brief asks for, or is the user's own",
    "part-missing": "every part of the structure is served by a beat",
    "message": "every supporting message is told: 60% of its words, its numbers and names exactly",
    "cta": "the call to action stands there word for word",
    "cta-place": "the call to action stands in the last 15% of the film",
    "must-include": "what must be included is said, written or seen",
    "must-avoid": "what must be avoided is neither said nor written, in any form",
    "brand-early": "an ad names or shows its brand by second 3",
    "twin": "no two beats are the same",
    "alternative-missing": "the hook and the call to action have an alternative",
    "alternative-same": "an alternative differs from its beat",
    "alternative-fits": "an alternative can be taken as it is: it breaks no rule its beat keeps",
    "field-empty": "everything that a crew needs to know is filled in",
    "dialogue-marked": "a beat with dialogue says that it has some",
}
"""Every rule by name, and what it asks for. The names are stable."""
_MOST_NAMED = 20
_LONGEST = 40


class ScriptMeasure(Data):
    """A script in a few numbers."""

    beats: int
    words: int
    """Spoken ones, as they are spoken."""
    message_coverage: float
    """The share of the supporting messages that are told."""
    speech_overruns: int
    metadata: float
    """The share of the fields that are filled, of those that must be."""
    violations: int


def check_script(script: Script, brief: Brief) -> tuple[Violation, ...]:
    """Everything that is wrong with a script: the rule, the beat, and what would mend it."""
    return (*check_time(script, brief), *check_words(script, brief), *check_fields(script))


def coverage(script: Script, brief: Brief) -> ScriptMeasure:
    """How complete a script is."""
    fields = [filled for beat in script.beats for _, filled in fields_of(beat)]
    messages = len(brief.message.supporting)
    found = check_script(script, brief)
    return ScriptMeasure(
        beats=len(script.beats),
        words=sum(spoken_words(spoken(beat.script), script.language) for beat in script.beats),
        message_coverage=_share(messages - len(untold(script, brief)), messages),
        speech_overruns=sum(violation.rule == "speech-fits" for violation in found),
        metadata=_share(sum(fields), len(fields)),
        violations=len(found),
    )


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 1.0


def read_script(text: str) -> Script:
    """The script that stands in a text of JSON, whoever wrote it.

    Raises:
        InputError: it is no script; names everything that is wrong with it.
    """
    from pydantic import ValidationError

    try:
        data = json.loads(text)
    except ValueError as error:
        raise InputError(f"The script is not JSON: {error}. Write one object.") from error
    try:
        script = Script.model_validate_json(json.dumps(data))
    except ValidationError as error:
        raise InputError(_in_words(error.errors())) from error
    _ = script.rate  # A rate that no film has is refused here.
    return script


def _in_words(errors: Iterable[Mapping[str, object]]) -> str:
    lines = [f"  {_place(error['loc'])}: {_problem(error)}" for error in errors]
    more = len(lines) - _MOST_NAMED
    told = lines[:_MOST_NAMED] + ([f"  and {more} more"] if more > 0 else [])
    return "The script cannot be read:\n" + "\n".join(told)


def _place(location: object) -> str:
    parts = location if isinstance(location, tuple) else ()
    made = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in parts)
    return made.removeprefix(".") or "the whole"


def _problem(error: Mapping[str, object]) -> str:
    match error["type"]:
        case "missing":
            return "is missing. Write it."
        case "extra_forbidden":
            return "is not known here. Leave it out."
        case _:
            return f"{error['msg']}, not {_short(error['input'])}."


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
