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

    from callsheet.stores.statements import Param

_NUL = b"\0"


class Wire:
    """The way to the server of one connection."""

    def __init__(self, connection: PGconn) -> None:
        self._pg = connection
        self._names: dict[str, bytes] = {}
        self._named = 0
        self._poll = select.poll()
        self._poll.register(connection.socket, select.POLLIN)

    def send(self, statements: Sequence[tuple[str, Sequence[Sequence[Param]]]]) -> None:
        """Execute each statement with each of its rows of values.

        Raises:
            psycopg.Error: what the server said of the first that failed; none behind it was done.
        """
        batch = [(text, [_encoded(row) for row in rows]) for text, rows in statements]
        before = dict(self._names)
        self._pg.enter_pipeline_mode()
        try:
            for text, rows in batch:
                name = self._name_of(text)
                for row in rows:
                    self._pg.send_query_prepared(name, row)
            self._pg.pipeline_sync()
            self._flush()
            failed = self._answers()
        except psycopg.Error:
            self._names = before
            raise
        self._pg.exit_pipeline_mode()
        if failed is not None:
            self._names = before  # those that came behind it were not prepared either
            raise error_from_result(failed)

    def _name_of(self, text: str) -> bytes:
        name = self._names.get(text)
        if name is None:
            self._named += 1
            name = self._names[text] = f"callsheet_{self._named}".encode()
            self._pg.send_prepare(name, text.encode())
        return name

    def _flush(self) -> None:
        """Send all of it; and read meanwhile, or both sides could wait for each other."""
        while self._pg.flush():
            self._poll.modify(self._pg.socket, select.POLLIN | select.POLLOUT)
            try:
                if any(ready & ~select.POLLOUT for _, ready in self._poll.poll()):
                    self._pg.consume_input()
            finally:
                self._poll.modify(self._pg.socket, select.POLLIN)

    def _answers(self) -> PGresult | None:
        """Read up to the last; returns the first error."""
        failed: PGresult | None = None
        while True:
            while self._pg.is_busy():
                self._poll.poll()
                self._pg.consume_input()
            result = self._pg.get_result()
            if result is None:
                if self._pg.status != ConnStatus.OK:
                    raise psycopg.OperationalError("the connection is lost")
            elif result.status == ExecStatus.PIPELINE_SYNC:
                return failed
            elif result.status == ExecStatus.FATAL_ERROR and failed is None:
                failed = result


def _encoded(row: Sequence[Param]) -> list[bytes | None]:
    values = [None if value is None else str(value).encode() for value in row]
    if any(value is not None and _NUL in value for value in values):
        # libpq takes a NUL for the end, and would store half a word.
        raise psycopg.DataError("text cannot contain NUL (0x00) characters")
    return values
