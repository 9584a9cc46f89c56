"""Work becomes rows on PostgreSQL, also when the connection breaks in the middle."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from typing_extensions import override

from callsheet.core.index.heads import Change
from callsheet.errors import DriverReplacedError, InputError, StoreError
from callsheet.stores.postgres.session import PAUSE, LostError, PgSession, statements
from callsheet.stores.sql.statements import Bound
from callsheet.stores.sql.transactor import PATIENCE, Append, Transactor, Written

if TYPE_CHECKING:
    from collections.abc import Sequence

    from callsheet.stores.sql.fence import Fence
    from callsheet.stores.sql.transactor import Outcome, Work

TRIES = 3
"""How often the connection may break while one batch is being written."""

MAX_POSTED = 8192
"""Characters that are sent from the event loop: they fit into any buffer of the system."""

_NO_CHANGE = Change()
_NUMBER = Bound("SELECT CAST(pg_current_xact_id_if_assigned() AS text)", ())
_FATE = "SELECT pg_xact_status(CAST($1 AS xid8))"


class PgTransactor(Transactor):
    """Applies work to the database, through a connection that may have to be made again.

    If it breaks, nobody knows whether the last commit was made. The new connection of a driver
    holds the driver lock, so the old one has ended and nobody else has written: either the batch
    is in the journal, whole, or it is not, and is written again. Of what leaves nothing in a
    journal, the server is asked by the number of its transaction.
    """

    def __init__(
        self, session: PgSession, fence: Fence | None, *, patience: float = PATIENCE
    ) -> None:
        super().__init__(session, statements, fence=fence, patience=patience)
        self._connection = session
        self._planned: list[Outcome] = []
        """What whoever asked is told if the commit under way succeeds."""
        self._evidence: Append | None = None
        """Entries by which it can be seen whether it has."""
        self._transaction: str | None = None
        """The server's number of it, if there are none, and something was written."""
        self._posted: dict[str, int] = {}
        """The lengths of journals after what was posted."""
        self._in_doubt = False
        """The connection broke after something was posted."""

    def post(self, batch: Sequence[Work]) -> int | None:
        """Begin to write a batch without waiting for the server, if it is as plain as most are.

        Returns the connection to watch. None: it is not, or it cannot be sent; then `patiently`
        takes it, whatever has become of it.
        """
        if not self._is_plain(batch):
            return None
        self._posted = {}
        try:
            self._begin(batch)
            self._apply(batch, self._posted)
            self._connection.post_commit()
            return self._connection.fileno()
        except (LostError, InputError, DriverReplacedError) as exc:
            self._in_doubt = isinstance(exc, LostError)
            return None

    def is_sent(self) -> bool:
        """Whether all of what was posted is on its way; what is not is sent as far as it goes."""
        try:
            return self._connection.is_sent()
        except LostError:
            self._in_doubt = True
            raise

    def posted(self, batch: Sequence[Work]) -> Written | None:
        """What became of the batch; None: the server has not answered yet.

        Raises:
            LostError, ConflictError, StoreError: `patiently` finds out, and takes it from there.
        """
        try:
            if not self._connection.is_committed():
                return None
        except LostError:
            self._in_doubt = True
            raise
        self._remember(batch, self._posted)
        return Written(self._planned, 0.0)

    def _is_plain(self, batch: Sequence[Work]) -> bool:
        """Whether a few entries are to be appended to journals whose lengths are known."""
        lengths: dict[str, int] = {}
        size = 0
        for work in batch:
            if not isinstance(work, Append) or not work.rows or work.change != _NO_CHANGE:
                return False
            if lengths.get(work.run, self._lengths.get(work.run)) != work.after:
                return False
            lengths[work.run] = work.after + len(work.rows)
            size += sum(len(body) for _, _, body in work.rows)
        return size <= MAX_POSTED

    @override
    def patiently(self, batch: Sequence[Work]) -> Written:
        self._connection.rollback()  # what was posted, and was not taken
        try:
            if self._in_doubt:
                self._in_doubt = False
                if self._was_made():
                    return Written(self._planned, 0.0)
            return super().patiently(batch)
        except LostError as lost:
            raise lost.error from lost

    @override
    def _write(self, batch: Sequence[Work]) -> Written:
        for tries in range(TRIES, 0, -1):
            self._evidence, self._transaction = None, None
            try:
                return super()._write(batch)
            except LostError as lost:
                if self._was_made():
                    return Written(self._planned, 0.0)
                if tries == 1:
                    raise lost.error from lost
        raise AssertionError

    def _was_made(self) -> bool:
        """Connect again, and see whether the commit was made that nobody has heard of.

        Raises:
            StoreError: nobody can tell; or there was none, and there is no connection either.
        """
        for tries in range(TRIES, 0, -1):
            try:
                self._renew()
                return self._is_made()
            except LostError as lost:
                if tries == 1:
                    raise self._unknown(lost.error) from lost
            except DriverReplacedError:
                raise
            except StoreError as exc:
                raise self._unknown(exc) from exc
        raise AssertionError

    def _unknown(self, error: StoreError) -> StoreError:
        if self._evidence is None and self._transaction is None:
            return error  # it was not even sent
        return type(error)(
            f"{error.message} Nobody knows whether the last write was made: look, or make it again "
            "with the same key."
        )

    def _is_made(self) -> bool:
        if self._evidence is not None:
            return self._is_written(self._evidence)
        if self._transaction is None:
            return False
        until = time.monotonic() + self._patience
        while True:
            row = self._connection.one(Bound(_FATE, (self._transaction,)))
            fate = row[0] if row else None
            if fate != "in progress":
                return bool(fate == "committed")
            if time.monotonic() >= until:
                raise StoreError("The server is still busy with the last write.")
            time.sleep(PAUSE)

    def _renew(self) -> None:
        self._connection.renew(self._patience)
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
        self._planned, evidence = outcomes, next(placed, None)
        if evidence is None:
            # Nothing in the journal will tell: the server knows its transactions by their numbers.
            row = self._connection.one(_NUMBER)
            self._transaction = row[0] if row else None
        self._evidence = evidence
        return outcomes

    def _is_written(self, append: Append) -> bool:
        """Whether these very entries are where they were to be."""
        count = len(append.rows)
        query = self._sql.entries.bind(run=append.run, after=append.after, limit=count)
        rows = self._connection.all(query)
        return rows == [(seq, body) for _, seq, body in append.rows]
