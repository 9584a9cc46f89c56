"""The writer on PostgreSQL: the network is never waited for on the event loop.

Most batches are a few entries. They are sent from the loop, which watches for the answer; handing
them to a thread and back would take half as long again. Everything else is done in the thread.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from typing_extensions import override

from callsheet.stores.sql.writer import Writer

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Sequence

    from callsheet.stores.postgres.transactor import PgTransactor
    from callsheet.stores.sql.transactor import Work


class PgWriter(Writer):
    """Takes work from tasks of one event loop and sees it written."""

    def __init__(self, transactor: PgTransactor, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(transactor, loop, on_loop=False)
        self._posting = transactor
        self._watched = -1
        """The connection that an answer is expected on."""
        self._pushing = False
        """Not everything could be sent at once."""

    @override
    def _hand_over(self, batch: Sequence[Work]) -> None:
        watched = self._posting.post(batch)
        if watched is None:
            super()._hand_over(batch)
            return
        self._watched = watched
        self._loop.add_reader(watched, self._look, batch)
        self._push(batch)

    def _push(self, batch: Sequence[Work]) -> None:
        """Send; what does not go at once goes when there is room."""
        # Nobody is above a callback of the loop. Whatever it is, the thread finds out.
        try:
            is_sent = self._posting.is_sent()
        except BaseException as exc:
            self._pass_on(batch)
            if not isinstance(exc, Exception):
                raise
            return
        if not is_sent and not self._pushing:
            self._loop.add_writer(self._watched, self._push, batch)
        elif is_sent and self._pushing:
            self._loop.remove_writer(self._watched)
        self._pushing = not is_sent

    def _look(self, batch: Sequence[Work]) -> None:
        # As above.
        try:
            written = self._posting.posted(batch)
        except BaseException as exc:
            self._pass_on(batch)
            if not isinstance(exc, Exception):
                raise
            return
        if written is not None:
            self._unwatch()
            self._deliver(batch, written)
            self._go_on()

    def _pass_on(self, batch: Sequence[Work]) -> None:
        self._unwatch()
        super()._hand_over(batch)

    def _unwatch(self) -> None:
        self._loop.remove_reader(self._watched)
        if self._pushing:
            self._loop.remove_writer(self._watched)
            self._pushing = False
