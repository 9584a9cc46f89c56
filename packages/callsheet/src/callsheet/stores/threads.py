"""Work that must come to its end although whoever waits for it is told to stop."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine
    from contextlib import AbstractAsyncContextManager
    from typing import Any

T = TypeVar("T")


async def to_the_end(work: Coroutine[Any, Any, T]) -> T:
    """Do it whatever happens; a cancellation that comes meanwhile is raised when it is done."""
    task = asyncio.get_running_loop().create_task(work)
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.wait([task])
        except asyncio.CancelledError as exc:
            cancelled = exc
    if cancelled is not None:
        task.exception()  # whoever has gone does not want to know
        raise cancelled
    return task.result()


async def made_in_thread(make: Callable[[], T], give_back: Callable[[T], object]) -> T:
    """What a thread makes; given back if whoever wanted it is cancelled."""
    made: list[T] = []

    async def work() -> T:
        made.append(await asyncio.to_thread(make))
        return made[0]

    try:
        return await to_the_end(work())
    except asyncio.CancelledError:
        if made:
            await to_the_end(asyncio.to_thread(give_back, made[0]))
        raise


@asynccontextmanager
async def to_its_end(manager: AbstractAsyncContextManager[T]) -> AsyncIterator[T]:
    """The same manager; leaving it is not cut short by any number of cancellations."""
    entered = await manager.__aenter__()
    try:
        yield entered
    finally:
        await to_the_end(_left(manager))


async def _left(manager: AbstractAsyncContextManager[object]) -> None:
    await manager.__aexit__(None, None, None)
