"""An order in the words that services use for shapes, sizes, lengths and pictures."""

from __future__ import annotations

import base64
import math
import re
from typing import TYPE_CHECKING

from callsheet.errors import InvalidError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from callsheet_studio.providers.port import Order

SLACK = 0.05
"""How far a shape may be off and still be the same: 1584:672 is sold as 21:9."""
_PAIR = re.compile(r"(\d+)[:x](\d+)\Z")
_LINES = re.compile(r"(?:auto_)?(\d+)[pP]\Z")
_KILO = {"1k": 1024, "2k": 1440, "4k": 2160}
_PNG = b"\x89PNG\r\n\x1a\n"
_JPEG = b"\xff\xd8\xff"


def shape_for(order: Order, choices: Iterable[str]) -> str:
    """Of `1280:720` or `16:9` and the like, the one of the order's shape nearest to its size.

    Raises:
        InvalidError: none has its shape.
    """
    wanted = math.log(order.width / order.height)
    offered = [(each, int(found[1]), int(found[2])) for each, found in _pairs(choices)]
    fitting = [
        (abs(math.log(wide * high / (order.width * order.height))), each)
        for each, wide, high in offered
        if abs(math.log(wide / high) - wanted) <= SLACK
    ]
    if not fitting:
        shapes = ", ".join(each for each, _, _ in offered)
        what = f"{order.model} makes nothing in the shape of {order.width}x{order.height}"
        raise InvalidError(f"{what}. It makes {shapes}.")
    return min(fitting, key=lambda found: found[0])[1]


def lines_for(order: Order, choices: Iterable[str]) -> str:
    """Of `720p`, `1080p`, `4k` and the like, the one nearest to the order's shorter side."""
    side = min(order.width, order.height)
    known = [(abs(math.log(lines / side)), each) for each in choices if (lines := lines_of(each))]
    return min(known, key=lambda found: found[0])[1]


def lines_of(choice: str) -> int:
    """Pixels of the shorter side; 0: it does not say."""
    found = _LINES.match(choice)
    return int(found[1]) if found else _KILO.get(choice.lower(), 0)


def seconds_for(order: Order, choices: Collection[int] = ()) -> int:
    """The order's length in whole seconds.

    Raises:
        InvalidError: it is not made in this length.
    """
    seconds = round(order.seconds)
    if seconds < 1 or seconds != order.seconds or (choices and seconds not in choices):
        lengths = " or ".join(map(str, sorted(choices))) if choices else "whole"
        what = f"{order.model} makes no clip of {order.seconds:g} s"
        raise InvalidError(f"{what}: it makes {lengths} seconds.")
    return seconds


def data_uri(picture: bytes) -> str:
    """A picture as a service takes it within JSON."""
    return f"data:{media_type(picture)};base64,{base64.b64encode(picture).decode()}"


def media_type(picture: bytes) -> str:
    """What kind of picture it is.

    Raises:
        InvalidError: none that every service takes.
    """
    if picture.startswith(_PNG):
        return "image/png"
    if picture.startswith(_JPEG):
        return "image/jpeg"
    raise InvalidError("The first frame is neither PNG nor JPEG.")


def _pairs(choices: Iterable[str]) -> Iterable[tuple[str, re.Match[str]]]:
    for each in choices:
        found = _PAIR.match(each)
        if found:
            yield each, found
