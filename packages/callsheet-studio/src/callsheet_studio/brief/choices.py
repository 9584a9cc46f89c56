"""The closed sets of a brief, and the words for their members, in English and German.

Words are matched whole: `demography` is no demo, and `download` is no ad.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from callsheet_studio.brief.fields import plain
from callsheet_studio.brief.problems import did_you_mean, show

if TYPE_CHECKING:
    from callsheet_studio.brief.problems import Problems

Words = dict[str, tuple[str, ...]]

TYPE_WORDS: Words = {
    "explainer": (
        "explainer",
        "how-to",
        "explanation",
        "tutorial",
        "erklärfilm",
        "erklärvideo",
        "lernfilm",
    ),
    "product_demo": ("product demo", "demo", "product video", "produktdemo", "produktfilm"),
    "social_ad": (
        "social ad",
        "ad",
        "advert",
        "advertisement",
        "commercial",
        "spot",
        "werbespot",
        "werbefilm",
        "anzeige",
        "werbung",
    ),
    "testimonial": (
        "testimonial",
        "customer story",
        "case study",
        "kundenstimme",
        "kundengeschichte",
        "erfahrungsbericht",
    ),
    "brand_story": (
        "brand story",
        "brand film",
        "brand video",
        "image film",
        "imagefilm",
        "markenfilm",
        "markengeschichte",
    ),
    "general": ("general", "allgemein"),
}
_EVERYDAY = frozenset({"spot", "commercial", "anzeige", "explanation"})
"""Words that name a type if they are all that is said of it."""
_ASPECT_WORDS: Words = {
    "16:9": ("16x9", "16/9", "landscape", "widescreen", "horizontal", "querformat"),
    "9:16": ("9x16", "9/16", "vertical", "hochformat"),
    "1:1": ("1x1", "1/1", "square", "quadrat", "quadratisch"),
    "4:5": ("4x5", "4/5"),
}
_MEDIUM_WORDS: Words = {
    "live_action": ("real", "realfilm", "live"),
    "animation": ("animated", "animiert", "animationsfilm"),
    "mixed": ("mix", "mixed media", "gemischt"),
}
_QUALITY_WORDS: Words = {
    "high": ("best", "hoch"),
    "balanced": ("medium", "normal", "ausgewogen"),
    "budget": ("low", "cheap", "günstig"),
}
_STRUCTURE_WORDS: Words = {
    "three_part": ("three parts", "drei teile"),
    "three_act": ("three acts", "drei akte"),
    "eight_part": ("eight parts", "acht teile"),
    "ad": ("ad sections",),
}
_CAPTION_WORDS: Words = {
    "burned": ("burned in", "burnt in", "open", "eingebrannt"),
    "soft": ("closed", "sidecar", "zuschaltbar"),
    "both": ("beides",),
    "none": ("no", "off", "keine"),
}
EMOTIONS: Words = {
    "relief": ("Erleichterung", "erleichtert", "relieved"),
    "pride": ("Stolz", "proud"),
    "confidence": ("Zuversicht", "zuversichtlich", "confident"),
    "joy": ("Freude", "fröhlich", "joyful"),
    "wonder": ("Staunen", "Überraschung", "surprise"),
    "belonging": ("Zugehörigkeit", "Gemeinschaft"),
}
EMPHASES: Words = {
    "solution": ("die Lösung", "Lösung", "the solution"),
    "problem": ("das Problem", "the problem"),
    "proof": ("der Beweis", "Beweis", "the proof", "Belege"),
    "people": ("die Menschen", "Menschen", "the people"),
}

CHOICES: dict[str, Words] = {
    "content.type": TYPE_WORDS,
    "content.structure": _STRUCTURE_WORDS,
    "style.medium": _MEDIUM_WORDS,
    "delivery.aspect": _ASPECT_WORDS,
    "delivery.captions": _CAPTION_WORDS,
    "constraints.quality": _QUALITY_WORDS,
    "direction.midpoint_emotion": EMOTIONS,
    "direction.act2_emphasis": EMPHASES,
}


def choose(found: str, key: str, problems: Problems) -> str | None:
    """The member that a word stands for; None, and a problem, if there is none."""
    words = CHOICES[key]
    name = plain(found)
    for member, others in words.items():
        if name in {plain(member), *map(plain, others)}:
            return member
    named = types_in(found) if key == "content.type" else []
    if len(named) == 1:
        return named[0]
    fix = did_you_mean(name, words) or f"Write {_one_of(words)}."
    if len(named) > 1:
        fix = f"It names several; write one: {_one_of(named)}."
    what = f"{show(found)} is not a known {key.rpartition('.')[2].replace('_', ' ')}"
    problems.add(key, what, fix)
    return None


def types_in(text: str) -> list[str]:
    """The types of film that a text names, in whole words that mean nothing else."""
    return [
        member
        for member, words in TYPE_WORDS.items()
        # "General" is an everyday word, and what is taken anyway.
        if member != "general"
        and any(has_words(text, each) for each in words if each not in _EVERYDAY)
    ]


def has_words(text: str, phrase: str) -> bool:
    """Whether a phrase occurs in a text, in whole words, however it is capitalised and spaced."""
    wanted = r"[\s_-]+".join(map(re.escape, re.split(r"[\s_-]+", phrase.strip().lower())))
    return bool(re.search(rf"(?<!\w){wanted}(?!\w)", text.lower()))


def _one_of(words: Words | list[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} or {last}"
