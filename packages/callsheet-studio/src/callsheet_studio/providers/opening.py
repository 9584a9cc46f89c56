"""What is looked at before a provider is opened."""

from __future__ import annotations

from callsheet.errors import InputError


def checked_key(service: str, key: str) -> str:
    """The key, if it can be sent.

    Raises:
        InputError: it is empty, or has signs that no key has.
    """
    bare = key.strip()
    # Found here, it is an order that was not given; found while sending, nobody would know.
    if not bare or not bare.isascii() or not bare.isprintable() or " " in bare:
        raise InputError(f"The key for {service} is empty or damaged. Copy it once more.")
    return bare
