"""Where several are as good: chosen by which film it is and what is chosen, never by luck."""

from __future__ import annotations

import hashlib


def pick(identity: str, about: str, among: int) -> int:
    """A number below `among`, always the same for one film and what the choice is about."""
    found = hashlib.sha256(f"{identity}/{about}".encode()).digest()
    return int.from_bytes(found[:6]) % among
