"""Which studio this is: what it made is made again when its code or its data have changed."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

_HERE = Path(__file__).parent
_NOT_OURS = {"__pycache__"}


@cache
def edition() -> str:
    """A digest over all files of the studio; part of the version of its tools."""
    seen = hashlib.sha256()
    for path in sorted(_HERE.rglob("*")):
        if path.is_file() and not _NOT_OURS & set(path.parts):
            seen.update(str(path.relative_to(_HERE)).encode())
            seen.update(hashlib.sha256(path.read_bytes()).digest())
    return seen.hexdigest()[:12]
