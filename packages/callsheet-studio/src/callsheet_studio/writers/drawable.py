"""What can be drawn, as data for a model: what the brief speaks of first, within a budget."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from callsheet_studio import library

if TYPE_CHECKING:
    from callsheet_studio.model.brief import Brief

TOKENS = 2_500
"""That may be spent on it."""
_CHARACTERS = 4
"""Of a token, usually."""
TIMES = ("dawn", "morning", "day", "afternoon", "dusk", "evening", "night")


def drawable(brief: Brief, tokens: int = TOKENS) -> str:
    """Places, lights, what people do, and things, as JSON.

    The lists are cut where the budget ends: what the words of the brief name stands in front, and
    is there even then.
    """
    words = " ".join(_strings(brief.model_dump(mode="json", exclude={"inferred", "constraints"})))
    named = library.find_props(words)
    place = library.find_set(words)
    things = list(dict.fromkeys((*named, *library.catalog())))
    places = list(dict.fromkeys((place, *library.sets())))
    verbs = library.people(brief.content.language)
    found: dict[str, Any] = {
        "times_of_day": list(TIMES),
        "lights": {name: preset.mood for name, preset in library.presets().items()},
        "places": {name: library.sets()[name].purpose for name in places},
        "people_do": sorted(verbs.does | verbs.surely),
        "things": [_thing(name) for name in things],
    }
    return _within(found, tokens * _CHARACTERS)


def _thing(name: str) -> str:
    """A thing with the states that it has a drawing of."""
    states = library.catalog()[name].states
    return f"{name}:{'|'.join(states)}" if states else name


def _within(found: dict[str, Any], most: int) -> str:
    """As much as there is room for: the longest list gives first, from its end."""
    text = json.dumps(found, ensure_ascii=False)
    while len(text) > most:
        name = max(found, key=lambda each: len(json.dumps(found[each])))
        if len(found[name]) <= 1:
            break
        half = max(len(found[name]) * 3 // 4, 1)
        kept = [*found[name].items()][:half] if isinstance(found[name], dict) else None
        found[name] = dict(kept) if kept is not None else found[name][:half]
        text = json.dumps(found, ensure_ascii=False)
    return text


def _strings(found: object) -> list[str]:
    match found:
        case str():
            return [found]
        case dict():
            return [text for each in found.values() for text in _strings(each)]
        case list():
            return [text for each in found for text in _strings(each)]
        case _:
            return []


def words_of_brief(brief: Brief) -> str:
    """Everything that the brief says."""
    return " ".join(_strings(brief.model_dump(mode="json", exclude={"inferred"})))
