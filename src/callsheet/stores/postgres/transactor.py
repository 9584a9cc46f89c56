"""Work becomes rows on PostgreSQL, also when the connection breaks in the middle."""

from __future__ import annotations

from typing import TYPE_CHECKING

from typing_extensions import override

from callsheet.errors import StoreError
from callsheet.stores.postgres.session import LostError, PgSession, statements
from callsheet.stores.transactor import PATIENCE, Append, Transactor, Written

if TYPE_CHECKING:
    from collections.abc import Sequence

    from callsheet.stores.postgres.lock import DriverLock
    from callsheet.stores.transactor import Outcome, Work

TRIES = 3
"""How often the connection may break while one batch is being written."""


class PgTransactor(Transactor):
    """Applies work to the database, through a connection that may have to be made again.

    If it breaks, nobody knows whether the last commit was made. The new connection of a driver
    holds the driver lock, so the old one has ended and nobody else has written: either the batch
    is in the journal, whole, or it is not, and is written again. What other calls do may be done
    twice, and is the same then.
    """

    def __init__(self, session: PgSession, lock: DriverLock, *, patience: float = PATIENCE) -> None:
        super().__init__(session, statements, patience=patience)
        self._connection = session
        self._lock = lock
        self._planned: list[Outcome] = []
        """What whoever asked is told if the commit under way succeeds."""
        self._evidence: Append | None = None
        """Entries by which it can be seen whether it has."""

    @override
    def _write(self, batch: Sequence[Work]) -> Written:
        for tries in range(TRIES, 0, -1):
            self._evidence = None
            try:
                return super()._write(batch)
            except LostError as lost:
                self._renew()
                if self._evidence is not None and self._is_written(self._evidence):
                    return Written(self._planned, 0.0)
                if tries == 1:
                    raise lost.error from lost
        raise AssertionError

    def _renew(self) -> None:
        try:
            self._connection.renew(self._patience)
        except StoreError:
            self._lock.give_up()
            raise
        # What was believed is from before somebody else may have driven.
        self._lengths.clear()

    @override
    def _apply(self, batch: Sequence[Work], lengths: dict[str, int]) -> list[Outcome]:
        outcomes = super()._apply(batch, lengths)
        placed = (
            work
            for work, outcome in zip(batch, outcomes, strict=True)
            if isinstance(work, Append) and work.rows and isinstance(outcome, int)
        )
        self._planned, self._evidence = outcomes, next(placed, None)
        return outcomes

    def _is_written(self, append: Append) -> bool:
        """Whether these very entries are where they were to be."""
        count = len(append.rows)
        query = self._sql.entries.bind(run=append.run, after=append.after, limit=count)
        rows = self._connection.all(query)
        return rows == [(seq, body) for _, seq, body in append.rows]
