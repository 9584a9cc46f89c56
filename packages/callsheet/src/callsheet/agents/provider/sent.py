"""Which settings were really sent: read from the body of the request, as it goes out.

The library drops what a model does not take, some of it with no more than a warning.
"""

from __future__ import annotations

from contextvars import ContextVar
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    import httpx2

    from callsheet.core.value import Json

_WRITTEN = {
    "temperature": "temperature",
    "top_p": "top_p",
    "topP": "top_p",
    "top_k": "top_k",
    "topK": "top_k",
    "seed": "seed",
    "max_tokens": "max_tokens",
    "max_completion_tokens": "max_tokens",
    "maxOutputTokens": "max_tokens",
    "presence_penalty": "presence_penalty",
    "frequency_penalty": "frequency_penalty",
    "parallel_tool_calls": "parallel_tool_calls",
    "reasoning_effort": "reasoning_effort",
}


class Sent:
    """What has gone out for one answer."""

    __slots__ = ("response", "settings", "size")

    def __init__(self) -> None:
        self.response: httpx2.Response | None = None
        """What comes back for it."""
        self.settings: dict[str, Json] = {}
        self.size = 0
        """Bytes of the body; 0: nothing has gone out."""


sending: ContextVar[Sent | None] = ContextVar("sending", default=None)
"""The answer that whoever sends is asked for."""


async def hold(response: httpx2.Response) -> None:
    """Remember what comes back, so that it can be closed: not every library does when it should."""
    sent = sending.get()
    if sent is not None:
        sent.response = response


async def note(request: httpx2.Request) -> None:
    """Read the body of a request that goes out."""
    sent = sending.get()
    if sent is None:
        return
    body = request.content
    sent.size = len(body)
    try:
        said = msgspec.json.decode(body)
    except msgspec.MsgspecError:
        return
    if isinstance(said, dict):
        inner = said.get("generationConfig")
        tables = (said, inner) if isinstance(inner, dict) else (said,)
        sent.settings = {
            _WRITTEN[key]: found
            for table in tables
            for key, found in table.items()
            if key in _WRITTEN and found is not None
        }
