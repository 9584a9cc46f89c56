"""Phrases: sentences that stand for the call of a tool, as data. Apps bring their own."""

from __future__ import annotations

import re
from functools import lru_cache

import msgspec

from callsheet.core.value import Json

GROUP = "callsheet.phrases"
"""The entry points that apps bring phrases by."""


class Phrase(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody may say, and what is called then."""

    example: str
    """As it is shown to people who ask what they can say."""
    pattern: str
    """A regular expression for the whole sentence, without courtesies; case does not matter."""
    tool: str
    args: dict[str, Json] = {}
    """Its arguments; a text `{name}` stands for what the group of that name has matched, and is
    left out where that has matched nothing."""

    def match(self, said: str) -> dict[str, Json] | None:
        """The arguments of the call that is meant; None: something else was said."""
        found = _compiled(self.pattern).fullmatch(said)
        if found is None:
            return None
        groups = found.groupdict()
        filled = {name: _filled(each, groups) for name, each in self.args.items()}
        return {name: each for name, each in filled.items() if each is not None}


@lru_cache(maxsize=512)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


def _filled(given: Json, groups: dict[str, str | None]) -> Json:
    if not isinstance(given, str) or not given.startswith("{") or not given.endswith("}"):
        return given
    found = groups.get(given[1:-1])
    return None if found is None else unquoted(found)


def unquoted(text: str) -> str:
    """A text without the quotes around it."""
    bare = text.strip()
    pairs = {'"': '"', "'": "'", "“": "”", "„": "“", "«": "»", "`": "`"}
    if len(bare) > 1 and pairs.get(bare[0]) == bare[-1]:
        return bare[1:-1]
    return bare
