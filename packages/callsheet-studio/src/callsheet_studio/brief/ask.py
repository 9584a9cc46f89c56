"""The clarifying questions: at most five, the weightiest first, never about what the brief says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet_studio.brief.choices import EMOTIONS, EMPHASES
from callsheet_studio.brief.problems import Problems, did_you_mean, show
from callsheet_studio.brief.revise import revised
from callsheet_studio.brief.wording import HINTS, QUESTIONS, TONE_OPTIONS
from callsheet_studio.model.brief import BriefQuestion

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Literal

    from callsheet_studio.brief.choices import Words
    from callsheet_studio.brief.tongue import Tongue
    from callsheet_studio.model.brief import Brief

MOST = 5
_KEYS = {
    "core_message": "message.core",
    "tone": "style.tone",
    "cta": "message.cta",
    "midpoint_emotion": "direction.midpoint_emotion",
    "act2_emphasis": "direction.act2_emphasis",
    "visual_metaphors": "direction.visual_metaphors",
}
_PRIORITIES: dict[str, Literal["high", "medium", "low"]] = {
    "core_message": "high",
    "tone": "high",
    "cta": "high",
    "midpoint_emotion": "medium",
    "act2_emphasis": "medium",
    "visual_metaphors": "low",
}
_CLOSED = {"midpoint_emotion": EMOTIONS, "act2_emphasis": EMPHASES}
_OWN_WORDS = frozenset({"midpoint_emotion", "act2_emphasis"})
"""What an own script decides itself."""


def questions(brief: Brief) -> tuple[BriefQuestion, ...]:
    """What is worth asking before the film is made."""
    open_keys = {each.key for each in brief.inferred}
    if not brief.direction.visual_metaphors:
        open_keys.add("direction.visual_metaphors")
    is_own = brief.content.script is not None or brief.content.shots is not None
    asked = (
        _question(name, brief)
        for name, key in _KEYS.items()
        if key in open_keys and not (is_own and name in _OWN_WORDS)
    )
    return tuple(asked)[:MOST]


def _question(name: str, brief: Brief) -> BriefQuestion:
    tongue: Tongue = "de" if brief.content.language == "de" else "en"
    section, _, field = _KEYS[name].partition(".")
    default = str(getattr(getattr(brief, section), field))
    options: tuple[str, ...] = ()
    if name == "tone":
        options = tuple(dict.fromkeys((default, *TONE_OPTIONS[tongue])))
    elif words := _CLOSED.get(name):
        options = tuple(_shown(member, words, tongue) for member in words)
        default = _shown(default, words, tongue)
    return BriefQuestion.model_validate(
        {
            "key": name,
            "priority": _PRIORITIES[name],
            "kind": "choice" if options else "text",
            "text": QUESTIONS[tongue][name],
            "options": options,
            "default": default,
            "hint": HINTS[tongue][name],
        }
    )


def _shown(member: str, words: Words, tongue: Tongue) -> str:
    """A member of a closed set in the brief's language: its first other word is German."""
    return words[member][0] if tongue == "de" else member


def answered(brief: Brief, answers: Mapping[str, object]) -> Brief:
    """The brief with answers in it; what was inferred from what they replace is inferred anew.

    An answer is the last word, also on what the brief says. An empty one leaves it as it is.

    Raises:
        InputError: an answer is to no question, or does not fit the brief.
    """
    problems = Problems(f"{brief.project.title!r}, with these answers,")
    for key in (key for key in answers if key not in _KEYS):
        fix = did_you_mean(str(key), _KEYS) or f"The questions are {', '.join(_KEYS)}."
        problems.add(f"answers.{str(key)[:60]}", f"{show(key)} is not a question", fix)
    problems.check()
    said = {
        _KEYS[key]: answer
        for key, answer in answers.items()
        if answer is not None and str(answer).strip()
    }
    return revised(brief, said, problems.where)
