"""A model server in a process of its own: eight calls, then a sentence. Prints its address."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from callsheet.testing.models import Asked, Line, ModelServer, Say, calls

if TYPE_CHECKING:
    from collections.abc import Iterable

CALLS = 8


def answer(asked: Asked) -> Iterable[Line]:
    if any(each["role"] == "tool" for each in asked.body["messages"]):
        return [Say("That is what I found. " * 5, split=8)]
    found: list[Line] = [Say("Looking it all up. ", split=4)]
    for index in range(CALLS):
        found += calls(f"call_{index}", "look", {"at": f"thing {index}"}, index=index, split=6)
    return found


async def main() -> None:
    async with ModelServer() as server:
        server.otherwise(answer)
        print(server.openai, flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main())
