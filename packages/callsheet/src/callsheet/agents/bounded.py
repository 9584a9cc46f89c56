"""What a model may say in one answer: a server that never ends cannot fill this machine."""

from __future__ import annotations

from contextlib import aclosing
from typing import TYPE_CHECKING

from callsheet.agents.model import CallDelta, TextDelta, ThinkingDelta
from callsheet.errors import InvalidError

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from callsheet.agents.model import Model, Request, Streamed

MOST = 10_000_000
"""Characters of an answer: text, thoughts and arguments together."""


async def streamed(model: Model, request: Request) -> AsyncGenerator[Streamed, None]:
    """The answer of a model, piece by piece, as far as an answer may go.

    Raises:
        InvalidError: it goes further.
    """
    said = 0
    async with aclosing(model.stream(request)) as stream:
        async for piece in stream:
            match piece:
                case TextDelta(text=text) | ThinkingDelta(text=text):
                    said += len(text)
                case CallDelta(arguments=arguments):
                    said += len(arguments)
                case _:
                    pass
            if said > MOST:
                raise InvalidError(f"An answer has at most {MOST:,} characters, and this has more.")
            yield piece
