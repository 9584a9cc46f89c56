"""Tasks that end with their parent, even if one of them will not listen.

`asyncio.TaskGroup` waits for ever for a child that ignores its cancellation, and a tool may. Here
closing is bounded in time, and whoever did not stop is named.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, TypeVar

from callsheet.runtime.log import log

if TYPE_CHECKING:
    from collections.abc import Coroutine

T = TypeVar("T")


class Children:
    """A group of tasks. A child's exception is its own; nobody else is cancelled by it."""

    def __init__(self) -> None:
        self._tasks: dict[asyncio.Task[Any], None] = {}
        """In the order in which they began: so they are cancelled, the same way every time."""
        self.closing = False
        """They are being cancelled because their parent ends."""

    def begin(self, work: Coroutine[Any, Any, None], *, name: str) -> None:
        """Start a child that nobody waits for."""
        self.create_task(work, name=name).get_name()

    def create_task(self, work: Coroutine[Any, Any, T], *, name: str) -> asyncio.Task[T]:
        """Start a child."""
        task = asyncio.get_running_loop().create_task(work, name=name)
        self._tasks[task] = None
        task.add_done_callback(lambda done: self._tasks.pop(done, None))
        return task

    def leave(self, task: asyncio.Task[Any]) -> None:
        """Do not wait for a child that has been told to stop and does not listen."""
        if task in self._tasks:
            del self._tasks[task]
            log.warning("work.abandoned", name=task.get_name())

    async def close(self, seconds: float) -> None:
        """Cancel all children and wait for them, but no longer than that."""
        self.closing = True
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        if not tasks:
            return
        _, deaf = await asyncio.wait(tasks, timeout=seconds)
        for task in deaf:
            log.warning("work.abandoned", name=task.get_name())
