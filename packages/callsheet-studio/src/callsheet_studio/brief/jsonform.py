"""A brief in JSON, as plain values. Numbers are text as written, as in the other forms."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING

from callsheet_studio.brief.problems import show

if TYPE_CHECKING:
    from callsheet_studio.brief.problems import Problems


def read_json(text: str, problems: Problems) -> object:
    """The value that it stands for.

    Raises:
        InputError: it cannot be read as JSON.
    """

    def mapping(pairs: list[tuple[str, object]]) -> dict[str, object]:
        built = dict(pairs)
        if len(built) < len(pairs):
            counts = Counter(name for name, _ in pairs)
            for name in (name for name, count in counts.items() if count > 1):
                problems.add(name, f"{show(name)} stands twice in one object", "Remove one.")
        return built

    try:
        return json.loads(text, object_pairs_hook=mapping, parse_int=str, parse_float=str)
    except json.JSONDecodeError as error:
        what = f"it is not JSON: {error.msg} (column {error.colno})"
        problems.add("brief", what, "Look at this line and the one before it.", line=error.lineno)
        raise problems.refusal() from error
    except RecursionError as error:
        problems.add("brief", "it is nested too deep", "Write plain values.")
        raise problems.refusal() from error
