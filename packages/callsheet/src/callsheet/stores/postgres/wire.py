"""Many statements in one message to the server: libpq's pipeline, without anything above it.

psycopg has pipelines of its own, which adapt every value and keep a cursor for each statement;
measured, that takes three times as long as all the rest of an append. Here are only text and
numbers, statements that are prepared once, and answers nobody reads unless they are errors.
"""

from __future__ import annotations

import select
from typing import TYPE_CHECKING

import psycopg
from psycopg.errors import error_from_result
from psycopg.pq import ConnStatus, ExecStatus

if TYPE_CHECKING:
    from collections.abc import Sequence

    from psycopg.pq.abc import PGconn, PGresult

    from callsheet.stores.sql.statements import Param

_NUL = b"\0"


class Wire:
    """The way to the server of one connection."""

    def __init__(self, connection: PGconn) -> None:
        self._pg = connection
        self._names: dict[str, bytes] = {}
        self._before: dict[str, bytes] = {}
        self._named = 0
        self._failed: PGresult | None = None
        self._poll = select.poll()
        self._poll.register(connection.socket, select.POLLIN)

    def send(self, statements: Sequence[tuple[str, Sequence[Sequence[Param]]]]) -> None:
        """Execute each statement with each of its rows of values, and wait until it is done.

        Raises:
            psycopg.Error: what the server said of the first that failed; none behind it was done.
        """
        self.post(statements)
        while not self.is_sent():
            self._wait_to_send()
        while not self.has_answered():
            self._poll.poll()

    def post(self, statements: Sequence[tuple[str, Sequence[Sequence[Param]]]]) -> None:
        """Begin to send; `is_sent` and `has_answered` do the rest, and none of them waits."""
        batch = [(text, [_encoded(row) for row in rows]) for text, rows in statements]
        self._failed, self._before = None, dict(self._names)
        self._pg.enter_pipeline_mode()
        for text, rows in batch:
            name = self._name_of(text)
            for row in rows:
                self._pg.send_query_prepared(name, row)
        self._pg.pipeline_sync()

    def is_sent(self) -> bool:
        """Send as much as goes without waiting; says whether that is all."""
        return not self._pg.flush()

    def has_answered(self) -> bool:
        """Read what there is; says whether the server is done.

        Raises:
            psycopg.Error: as `send`.
        """
        self._pg.consume_input()
        while not self._pg.is_busy():
            result = self._pg.get_result()
            if result is None:
                if self._pg.status != ConnStatus.OK:
                    raise psycopg.OperationalError("the connection is lost")
            elif result.status == ExecStatus.PIPELINE_SYNC:
                self._end()
                return True
            elif result.status == ExecStatus.FATAL_ERROR and self._failed is None:
                self._failed = result
        return False

    def _end(self) -> None:
        self._pg.exit_pipeline_mode()
        if self._failed is not None:
            self._names = self._before  # those that came behind it were not prepared either
            raise error_from_result(self._failed)

    def _name_of(self, text: str) -> bytes:
        name = self._names.get(text)
        if name is None:
            self._named += 1
            name = self._names[text] = f"callsheet_{self._named}".encode()
            self._pg.send_prepare(name, text.encode())
        return name

    def _wait_to_send(self) -> None:
        """And read meanwhile, or both sides could wait for each other."""
        self._poll.modify(self._pg.socket, select.POLLIN | select.POLLOUT)
        try:
            if any(ready & ~select.POLLOUT for _, ready in self._poll.poll()):
                self._pg.consume_input()
        finally:
            self._poll.modify(self._pg.socket, select.POLLIN)


def _encoded(row: Sequence[Param]) -> list[bytes | None]:
    values = [None if value is None else str(value).encode() for value in row]
    if any(value is not None and _NUL in value for value in values):
        # libpq takes a NUL for the end, and would store half a word.
        raise psycopg.DataError("text cannot contain NUL (0x00) characters")
    return values
