"""Where several are as good: chosen by the brief's digest and the place, never by luck."""

from __future__ import annotations

import hashlib


def pick(digest: str, place: str, among: int) -> int:
    """A number below `among`, always the same for one brief and one place."""
    found = hashlib.sha256(f"{digest}/{place}".encode()).digest()
    return int.from_bytes(found[:6]) % among
