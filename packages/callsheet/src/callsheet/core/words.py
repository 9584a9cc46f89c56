"""Words of others, as long as is of use to whoever reads them."""

from __future__ import annotations

MOST = 8 * 1024
"""Characters of a message that are kept."""
_HEAD = 6 * 1024


def clipped(text: str, most: int = MOST) -> str:
    """A message with its beginning and its end, and how much was left out between them."""
    if len(text) <= most:
        return text
    head = min(_HEAD, most)
    left_out = len(text) - most
    tail = text[len(text) - (most - head) :]
    return f"{text[:head]}\n… {left_out:,} characters left out …\n{tail}"
