"""Names: which of those there are was probably meant by one that is not."""

from __future__ import annotations

import difflib
import re
from typing import TYPE_CHECKING

from callsheet.core.plan.mend.synonyms import GROUPS

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from callsheet.core.plan.toolspec import ToolSpec

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_NOT_BARE = re.compile(r"[^a-z0-9]+")
_VERSION = re.compile(r"@[\w.-]+\Z")
_MAX_OPTIONS = 2_000
_CLOSE, _VERY_CLOSE = 0.6, 0.84
_FIELD = 0.72
_TOOL = 0.66
_SHORTEST_PLURAL = 3
_MOST_SLIPS = 2
_PREFIXES = frozenset(
    ("functions", "tools", "tool", "function", "mcp", "operator", "activity", "node")
)
"""Words that others put around the name of a tool."""


def bare(name: str) -> str:
    """A name without what it is written with: `dependsOn` and `depends-on` are one."""
    return _NOT_BARE.sub("", name.lower())


def words(name: str) -> list[str]:
    """The words of a name, in lowercase."""
    return [word.lower() for word in _WORD.findall(name)]


def slug(name: str) -> str:
    """A step id made of any text; "" if nothing is left of it."""
    made = "_".join(words(name))[:60]
    return made if not made or made[0].isalpha() else f"step_{made}"


def slug_of(said: str) -> str:
    """An id that is as near as can be to what was said."""
    plain = re.sub(r"[^a-z0-9]+", "_", said.lower()).strip("_")
    if re.search(r"[a-z][A-Z]", said):
        return slug(said)
    return plain if not plain or plain[0].isalpha() else f"step_{plain}"


def closest(name: str, options: Iterable[str]) -> tuple[str, bool] | None:
    """The option that is written much like a name, and whether it is a mere slip."""
    own = bare(name)
    known = {bare(option): option for option in list(options)[:_MAX_OPTIONS]}
    if own in known:
        return known[own], True
    close = difflib.get_close_matches(own[:60], known, n=1, cutoff=_CLOSE)
    if not close:
        return None
    ratio = difflib.SequenceMatcher(None, own, close[0]).ratio()
    return known[close[0]], ratio >= _VERY_CLOSE


def is_slip(said: str, meant: str) -> bool:
    """Whether one or two letters are wrong, missing or too many, and most of them are right."""
    most = min(_MOST_SLIPS, max(len(said), len(meant)) // 3)
    if abs(len(said) - len(meant)) > most:
        return False
    row = list(range(len(meant) + 1))
    for number, letter in enumerate(said, 1):
        last, row[0] = row[0], number
        for at, other in enumerate(meant, 1):
            last, row[at] = row[at], min(row[at] + 1, row[at - 1] + 1, last + (letter != other))
    return row[-1] <= most


def field_for(name: str, fields: Iterable[str]) -> tuple[str, bool] | None:
    """The field that is misspelt here, and whether that is certain.

    Stricter than elsewhere: there are few fields, and `input` is not a way to write `in_doubt`.
    """
    near = closest(name, fields)
    if near is None or near[1]:
        return near
    if bare(near[0]) in bare(name):
        return None  # a word more is another thing: `email_on_failure` is no `on_failure`
    ratio = difflib.SequenceMatcher(None, bare(name), bare(near[0])).ratio()
    return near if ratio >= _FIELD else None


def tool_for(
    name: str,
    names: Sequence[str],
    spec_of: Callable[[str], ToolSpec | None],
    given: Collection[str],
) -> tuple[str, bool] | None:
    """The tool that was probably meant, and whether that is certain.

    Certain is: the same words in any order, and there is no other tool of these words.
    """
    name = _VERSION.sub("", name)
    # Of an address, the last part.
    last = re.split(r"[/:]", name)[-1] or name
    own = [_single(word) for word in words(last) if word not in _PREFIXES]
    if not own:
        return None
    parts = {option: list(map(_single, words(option))) for option in names[:_MAX_OPTIONS]}
    same = [option for option, found in parts.items() if sorted(found) == sorted(own)]
    if len(same) == 1:
        return same[0], True
    joined = "".join(own)
    alike = [option for option, found in parts.items() if "".join(found) == joined]
    if len(alike) == 1:
        return alike[0], True
    within = [
        option
        for option, found in parts.items()
        if len(found) > 1 and (set(found) < set(own) or (len(own) > 1 and set(own) < set(found)))
    ]
    if len(within) == 1:
        return within[0], False
    return _by_letters(own, parts, spec_of, given)


def _single(word: str) -> str:
    """`book_flight` is `flights.book`."""
    return word.removesuffix("s") if len(word) > _SHORTEST_PLURAL else word


def _by_letters(
    own: list[str],
    parts: dict[str, list[str]],
    spec_of: Callable[[str], ToolSpec | None],
    given: Collection[str],
) -> tuple[str, bool] | None:
    joined = "".join(own)
    known = {"".join(found): option for option, found in parts.items()}
    close = difflib.get_close_matches(joined, known, n=3, cutoff=_TOOL)
    # Among tools that are written alike, the one that takes what it is given.
    fitting = [known[each] for each in close if _takes(spec_of(known[each]), given)]
    found = fitting or [known[each] for each in close]
    return (found[0], False) if found else None


def _takes(spec: ToolSpec | None, given: Collection[str]) -> bool:
    properties = spec.input_schema.get("properties") if spec else None
    return isinstance(properties, dict) and bool(given) and set(given) <= properties.keys()


def name_for(name: str, options: Collection[str]) -> tuple[str, bool] | None:
    """The argument or field that was probably meant, and whether that is certain."""
    own, mine = bare(name), set(words(name))
    same = [option for option in options if bare(option) == own]
    if len(same) == 1:
        return same[0], True
    within = [option for option in options if _share(mine, set(words(option)))]
    if len(within) == 1:
        return within[0], True
    for group in GROUPS:
        if name.lower() in group or (mine and mine <= group):
            meant = [option for option in options if option.lower() in group]
            if len(meant) == 1:
                return meant[0], True
    begun = [option for option in options if _is_short_for(own, bare(option))]
    found = closest(name, options)
    if found is not None and (found[1] or not begun):
        return found
    if len(begun) == 1:
        return begun[0], False
    return found or ((within[0], False) if within else None)


def _is_short_for(own: str, option: str) -> bool:
    """`ref` for `reference`, `msg` for `message`."""
    if len(own) < _SHORTEST_PLURAL - 1 or len(own) >= len(option) or own[:1] != option[:1]:
        return False
    letters = iter(option)
    return option.startswith(own) or (
        not set(own) & set("aeiou") and all(letter in letters for letter in own)
    )


def _share(mine: set[str], its: set[str]) -> bool:
    """`guest_name` for `guest`, `order` for `order_id`: one is the other and a word more."""
    return bool(mine) and bool(its) and (mine < its or its < mine)
