"""Names on the wire: providers take letters, digits, `_` and `-`, at most 64; plans also `.`.

`flights.book` is `flights__book` there, and back again. What could be misread is spelled by its
number.
"""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

LONGEST = 64
_SHORT = 10
_CHARACTER = re.compile(r"[^A-Za-z0-9_-]|_(?=[_.])|(?<=[_.])_|_(?=x[0-9a-f]+_)")
_WRITTEN = re.compile(r"_x([0-9a-f]+)_|__")


def wire_name(name: str) -> str:
    """A tool's name as providers take it. One that is too long ends in a digest."""
    written = _CHARACTER.sub(lambda found: _spelled(found.group()), name)
    if len(written) <= LONGEST:
        return written
    digest = hashlib.sha256(name.encode()).hexdigest()[:_SHORT]
    return f"{written[: LONGEST - _SHORT - 1]}-{digest}"


def plan_name(written: str, names: Iterable[str] = ()) -> str:
    """The tool's name behind one on the wire; `names` are those there are, for those shortened."""
    for name in names:
        if wire_name(name) == written:
            return name
    return _WRITTEN.sub(lambda found: chr(int(found[1], 16)) if found[1] else ".", written)


def _spelled(character: str) -> str:
    return "__" if character == "." else f"_x{ord(character):x}_"
