"""What appends say to lineage, cache and ledger becomes rows, in the appends' own transaction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet.stores.sql.ledger_rows import books_of, write_books
from callsheet.stores.sql.records import stamp

if TYPE_CHECKING:
    from callsheet.core.index.derived import Derived
    from callsheet.core.index.heads import Change
    from callsheet.core.index.ledger import Books
    from callsheet.errors import LedgerShortError
    from callsheet.stores.sql.session import Session
    from callsheet.stores.sql.statements import Statements

MAX_FREE = 10_000
"""How many runs are remembered that hold nothing of an account."""


class Indexes:
    """Takes what appends say, one transaction after the other."""

    def __init__(self, session: Session, statements: Statements) -> None:
        self._session = session
        self._sql = statements
        self._said: list[Derived] = []
        self._books: Books | None = None
        self._begun: list[str] = []
        # So that the end of most runs needs no query: they are known to hold nothing, since their
        # beginning came by here and set nothing aside.
        self._free: dict[str, None] = {}

    def begin(self) -> None:
        """Forget what a transaction that was taken back has said."""
        self._said, self._begun, self._books = [], [], None

    def take(self, run: str, change: Change) -> LedgerShortError | None:
        """Take what an append says; or say why it cannot be made, and take nothing."""
        derived = change.derived
        hold = derived.hold if derived else None
        if hold is not None:
            refusal = self._open().reserve(run, hold.tenant, hold.amount, hold.at)
            if refusal is not None:
                return refusal
            self._free.pop(run, None)
        elif change.started:
            self._begun.append(run)
        if derived is not None:
            if derived.bills and run not in self._free:
                for bill in derived.bills:
                    self._open().settle(run, bill.amount, bill.at)
            self._said.append(derived)
        return None

    def _open(self) -> Books:
        if self._books is None:
            self._books = books_of(self._session, self._sql)
        return self._books

    def write(self) -> None:
        """Write down what was taken."""
        uses = [
            (use.digest, use.run, use.seq, use.step, use.role)
            for said in self._said
            for use in said.uses
        ]
        if uses:
            self._session.insert(self._sql.use.text, uses)
        calls = [
            (call.key, stamp(call.at), call.run, call.seq, call.step)
            for said in self._said
            for call in said.reusable
        ]
        if calls:
            self._session.insert(self._sql.reuse.text, calls)
        if self._books is not None:
            write_books(self._session, self._sql, self._books)

    def remember(self) -> None:
        """The transaction is durable: what was learnt by the way holds."""
        self._free.update(dict.fromkeys(self._begun))
        while len(self._free) > MAX_FREE:
            del self._free[next(iter(self._free))]

    def forget(self, run: str) -> None:
        """A run was deleted."""
        self._free.pop(run, None)
