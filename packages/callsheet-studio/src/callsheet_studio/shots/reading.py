"""Where the words on the screen stand: long enough to be read."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from callsheet_studio.base.time import Rate

SECONDS = 3
"""Words on the screen stay at least so long."""


def frames_to_read(rate: Rate) -> int:
    """The fewest frames that words stay on the screen."""
    return -int(-SECONDS * rate.fps // 1)


def text_on(
    text: str | None, lengths: Sequence[int], rate: Rate, card: int | None
) -> tuple[str | None, ...]:
    """The words on each shot of a beat.

    They stand on its card, or on its longest shot; if none is long enough, on as many of the last
    as it takes.
    """
    if not text:
        return (None,) * len(lengths)
    least, last = frames_to_read(rate), len(lengths) - 1
    places = [card] if card is not None else []
    places.append(max(range(len(lengths)), key=lambda i: (lengths[i], i)))
    for place in places:
        if lengths[place] >= least:
            return tuple(text if i == place else None for i in range(len(lengths)))
    first = last
    while first > 0 and sum(lengths[first:]) < least:
        first -= 1
    return tuple(text if i >= first else None for i in range(len(lengths)))
