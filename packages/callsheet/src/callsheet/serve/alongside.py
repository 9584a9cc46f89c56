"""Chores beside a block: begun with it, ended with it."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Coroutine


@asynccontextmanager
async def alongside(**chores: Coroutine[object, object, None]) -> AsyncIterator[None]:
    """Have chores done, by name, while a block goes on. What the block raises is raised as it is.

    A chore that fails ends the block.
    """
    raised: BaseException | None = None
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(chore, name=name) for name, chore in chores.items()]
        try:
            yield
        except BaseException as error:  # noqa: BLE001 -- raised below: a group would wrap it up
            raised = error
        for task in tasks:
            task.cancel()
    if raised is not None:
        raise raised
