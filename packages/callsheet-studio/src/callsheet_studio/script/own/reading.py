"""A user's own script as beats, without changing a word: Fountain, narration or two columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from callsheet.errors import InputError
from callsheet_studio.base.speech import pace
from callsheet_studio.model.base import Inferred
from callsheet_studio.script.own.beats import script_of
from callsheet_studio.script.own.columns import is_columns, read_columns
from callsheet_studio.script.own.cut import Moment, Pace
from callsheet_studio.script.own.fountain import is_fountain, read_fountain
from callsheet_studio.script.own.narration import read_narration
from callsheet_studio.script.own.page import check_size
from callsheet_studio.script.own.timing import fit
from callsheet_studio.script.rules.words import ends_on_call

if TYPE_CHECKING:
    from callsheet_studio.model.brief import Brief
    from callsheet_studio.model.script import Script
    from callsheet_studio.script.own.draft import Draft

Form = Literal["fountain", "columns", "narration"]
_MOST_WORDS = 9
"""In a line on the screen."""
_READERS = {"fountain": read_fountain, "columns": read_columns, "narration": read_narration}


def form_of(text: str) -> Form:
    """How a script is written."""
    if is_columns(text):
        return "columns"
    return "fountain" if is_fountain(text) else "narration"


def own_script(brief: Brief, form: Form | None = None) -> Script:
    """The brief's own script in beats of exactly its length.

    What was added to it, and what was chosen, is listed as inferred.

    Raises:
        InputError: it says nothing, or cannot be spoken in that time.
    """
    text = (brief.content.script or "").replace("\ufeff", "").replace("\x00", "")
    check_size(text)
    draft = _READERS[form or form_of(text)](text, brief.content.language)
    if not draft.passages:
        raise InputError(
            "content.script: nothing is said or seen in it. Write narration, one paragraph per "
            "idea, two columns, or Fountain; or leave it out."
        )
    script = _made(draft, brief, None)
    if ends_on_call(script, brief):
        return script
    card = Moment(
        len(draft.settings),
        text=two_lines(brief.message.cta),
        added="the script has no call to action at its end",
    )
    return _made(draft, brief, card)


def _made(draft: Draft, brief: Brief, card: Moment | None) -> Script:
    usual = pace(brief.style.tone, brief.content.language)
    timed = fit(draft, brief.frames, Pace(brief.rate, usual, brief.content.language), card)
    headings = [setting.heading for setting in draft.settings]
    script = script_of(timed, draft.title, headings, brief, draft.people)
    return with_pace(script, usual)


def with_pace(script: Script, usual: int) -> Script:
    """Says so if the voice is faster than the tone asks for."""
    if script.words_per_minute == usual:
        return script
    why = f"the words do not fit at {usual} words per minute"
    told = Inferred(key="words_per_minute", value=script.words_per_minute, why=why)
    return script.model_copy(update={"inferred": (*script.inferred, told)})


def two_lines(text: str) -> str:
    """A text for the screen: on two lines if it is too long for one."""
    words = text.split()
    if len(words) <= _MOST_WORDS:
        return " ".join(words)
    middle = (len(words) + 1) // 2
    return f"{' '.join(words[:middle])}\n{' '.join(words[middle:])}"
