"""Handlers that are told of a topic: words over the stream of all runs, and nothing beside it.

A handler is awaited, one event after the other. What it raises is logged and harms nobody; while it
sleeps only its own events wait, in the journal and not in memory; and whoever comes back with the
`position` that it had reached has missed nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias, get_args

from callsheet.core.run.agents import AgentSaid
from callsheet.core.run.entries import AnyEntry
from callsheet.errors import EngineClosedError, InputError
from callsheet.runtime.log import log

if TYPE_CHECKING:
    import asyncio
    from collections.abc import AsyncIterator, Awaitable, Callable

    from callsheet.runtime.children import Children
    from callsheet.runtime.feed import Event

EVERYTHING: Final = "*"
TO: Final = "to:"
"""Before the name of an agent or a capability: messages to it."""
KINDS: Final = frozenset(each.__name__ for each in get_args(AnyEntry))

Handler: TypeAlias = "Callable[[Event], Awaitable[object]]"


class Listening:
    """A handler that is being told. `position` is where to go on from another time."""

    def __init__(self, topic: str, handler: Handler, after: int) -> None:
        """Tell a handler of a topic, from a position on.

        Raises:
            InputError: the topic is none.
        """
        if topic != EVERYTHING and not topic.startswith(TO) and topic not in KINDS:
            raise InputError(
                f"There is no topic {topic!r}. A topic is a kind of entry (`RunEnded`), `to:NAME` "
                f"(messages to an agent) or `{EVERYTHING}`."
            )
        self.position = after
        self._topic = topic
        self._handler = handler
        self._task: asyncio.Task[None] | None = None

    def begin(self, events: AsyncIterator[Event], group: Children) -> None:
        """From now on it is told."""
        self._task = group.create_task(self._listen(events), name=f"callsheet-on-{self._topic}")

    def stop(self) -> None:
        """It is told no more; what it is doing is cancelled."""
        if self._task is not None:
            self._task.cancel()

    async def _listen(self, events: AsyncIterator[Event]) -> None:
        try:
            async for event in events:
                if self._is_about(event):
                    await self._tell(event)
                self.position = event.position or self.position
        except EngineClosedError:
            return  # it goes on from its position another time

    async def _tell(self, event: Event) -> None:
        try:
            await self._handler(event)
        except Exception as exc:  # noqa: BLE001 -- it harms nobody
            log.warning("listener.failed", listener=repr(self._handler), error=repr(exc))

    def _is_about(self, event: Event) -> bool:
        if self._topic == EVERYTHING:
            return True
        if self._topic.startswith(TO):
            said = event.entry
            return isinstance(said, AgentSaid) and said.to == self._topic.removeprefix(TO)
        return event.kind == self._topic
