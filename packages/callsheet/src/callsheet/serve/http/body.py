"""The body of a request: no more of it than is allowed, and not for ever."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, TypeAlias

from callsheet.serve.problems import Refusal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.types import Message, Receive

Sent: TypeAlias = "Mapping[bytes, bytes]"
"""The headers of a request, by their names in lower case."""
STALLED = 30.0
"""Seconds in which at least `LEAST` bytes of a body must arrive."""
LEAST = 1024


class Body:
    """What is received of a request: no more than it may be, and not forever."""

    def __init__(self, receive: Receive, most: int) -> None:
        self._receive = receive
        self._left = self._most = most
        self._is_whole = False

    def must_fit(self, headers: Sent) -> None:
        """Refuse what says of itself that it is too large.

        Raises:
            Refusal: it is.
        """
        said = headers.get(b"content-length", b"")
        if said.isdigit() and int(said) > self._most:
            raise self._too_large()

    async def __call__(self) -> Message:
        """The next piece.

        Raises:
            Refusal: there is too much of it, or it does not come.
        """
        if self._is_whole:
            return await self._receive()
        try:
            async with asyncio.timeout(STALLED):
                message = await self._some()
        except TimeoutError as exc:
            raise Refusal(
                408, "timeout", f"Nothing worth speaking of came for {STALLED:g} s."
            ) from exc
        if message["type"] == "http.request":
            self._is_whole = not message.get("more_body", False)
            self._left -= len(message.get("body", b""))
            if self._left < 0:
                raise self._too_large()
        return message

    async def _some(self) -> Message:
        """At least so much that it is worth waiting for more."""
        message = await self._receive()
        if message["type"] != "http.request" or not message.get("more_body", False):
            return message
        pieces = [message.get("body", b"")]
        while sum(map(len, pieces)) < LEAST:
            message = await self._receive()
            if message["type"] != "http.request":
                return message
            pieces.append(message.get("body", b""))
            if not message.get("more_body", False):
                break
        return {**message, "body": b"".join(pieces)}

    def _too_large(self) -> Refusal:
        return Refusal(413, "too_large", f"The body may have {self._most:,} bytes.")
