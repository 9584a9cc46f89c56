"""Work becomes rows: a batch in one transaction, or each piece in one of its own.

Synchronous, and called by one thread at a time; when and in which thread is the writer's business.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from callsheet.core.run.request import Settled
from callsheet.errors import CallsheetError, InputError, StoreError
from callsheet.stores import refusals
from callsheet.stores.sql.indexes import Indexes
from callsheet.stores.sql.records import encode, stamp
from callsheet.stores.sql.session import ConflictError, ReplacedError

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable, Sequence

    from callsheet.core.index.heads import Change, RunHead
    from callsheet.errors import DriverReplacedError
    from callsheet.stores.sql.fence import Fence
    from callsheet.stores.sql.session import Session
    from callsheet.stores.sql.statements import Param, Statements

PATIENCE = 10.0
"""Seconds to wait for another process that is writing, before giving up."""

MAX_LENGTHS = 10_000
"""How many runs' lengths are remembered."""

_DONE = encode(Settled())
Outcome: TypeAlias = object
"""A result; or, when it is an exception, the error for whoever asked."""


@dataclass(slots=True, eq=False)
class Append:
    """Entries for one run."""

    run: str
    after: int
    rows: Sequence[tuple[str, int, str]]
    change: Change
    done: asyncio.Future[object]
    """For the writer, who tells whoever waits. No thread but the loop's touches it."""


@dataclass(slots=True, eq=False)
class Call:
    """Anything else: called inside a transaction."""

    act: Callable[[Session], object]
    done: asyncio.Future[object]
    run: str | None = None
    """The run whose journal it removes."""


Work: TypeAlias = Append | Call


class Written(msgspec.Struct, frozen=True):
    """What became of a batch, and how long its last commit took."""

    outcomes: list[Outcome]
    seconds: float


class Transactor:
    """Applies work to the database."""

    def __init__(
        self,
        session: Session,
        statements: Statements,
        *,
        fence: Fence | None = None,
        patience: float = PATIENCE,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._session = session
        self._fence = fence
        """A driver's. None: this one drives nothing."""
        self._patience = patience
        self._sql = statements
        self._append, self._start = statements.append.text, statements.start.text
        self._clock = clock
        # So that an append needs no query first. Believed, not known: another process may have
        # written, and then the primary key has the last word.
        self._lengths: dict[str, int] = {}
        self._indexes = Indexes(session, statements)

    def together(self, batch: Sequence[Work]) -> Written:
        """Write a batch in one transaction, without waiting for any lock.

        Raises:
            StoreBusyError: another process is writing; nothing was done.
            ConflictError, InputError: one of the batch cannot be done; nothing was done.
            StoreError: none of it could be written.
        """
        self._session.wait_for_locks(0)
        return self._write(batch)

    def patiently(self, batch: Sequence[Work]) -> Written:
        """Write a batch, waiting for locks; what cannot be done fails alone.

        Raises:
            StoreError: none of it could be written.
        """
        self._session.wait_for_locks(self._patience)
        try:
            return self._write(batch)
        except (ConflictError, InputError):
            written = [self._alone(work) for work in batch]
        outcomes = [one.outcomes[0] for one in written]
        return Written(outcomes, max(one.seconds for one in written))

    def _alone(self, work: Work) -> Written:
        try:
            try:
                return self._write([work])
            except ConflictError:
                if isinstance(work, Append):
                    raise
            # Whatever somebody else wrote at the same time is seen when it is tried again.
            return self._write([work])
        except ConflictError as exc:
            return Written([self._conflict(work, exc)], 0.0)
        except CallsheetError as exc:
            return Written([exc], 0.0)

    def _write(self, batch: Sequence[Work]) -> Written:
        session = self._session
        try:
            self._begin(batch)
            lengths: dict[str, int] = {}
            outcomes = self._apply(batch, lengths)
            began = self._clock()
            session.commit()
        except ReplacedError as exc:
            session.rollback()
            raise self._replaced() from exc
        except BaseException:
            session.rollback()
            raise
        seconds = self._clock() - began
        self._remember(batch, lengths)
        return Written(outcomes, seconds)

    def _begin(self, batch: Sequence[Work]) -> None:
        """Begin a transaction, of somebody who may write what is in the batch."""
        session, fence = self._session, self._fence
        session.begin()
        self._indexes.begin()
        if fence is None:
            return
        if fence.lost is None:
            session.check(fence.check)
        elif any(type(work) is Append for work in batch):
            raise fence.lost

    def _replaced(self) -> DriverReplacedError:
        assert self._fence is not None, "nobody else is asked"
        return self._fence.lose(self._session.one(self._fence.successor))

    def _apply(self, batch: Sequence[Work], lengths: dict[str, int]) -> list[Outcome]:
        rows: list[tuple[Param, ...]] = []
        changed: list[Append] = []
        outcomes: list[Outcome] = []
        last = self._set_positions_aside(batch)
        for work in batch:
            # `type is` and no match: this loop is the hot path.
            if type(work) is Append:
                outcome = self._take(work, lengths, changed)
                if type(outcome) is int:
                    # From the last position that was set aside, so many back.
                    rows += [(*row, last - place) for place, row in enumerate(work.rows, len(rows))]
                    if work.change.started or work.change.ending:
                        changed.append(work)
                outcomes.append(outcome)
            else:
                outcomes.append(None)
        if rows:
            self._session.insert(self._append, rows)
            self._session.tell("news")
        self._index(changed)
        self._indexes.write()
        # After the appends: one that opens a run again must be seen by one that deletes it.
        for place, work in enumerate(batch):
            if type(work) is Call:
                outcomes[place] = work.act(self._session)
        return outcomes

    def _set_positions_aside(self, batch: Sequence[Work]) -> int:
        """Have a place for every entry in the order over all runs; returns how many but one.

        Before anything else is written: whoever waits for it holds nothing that another waits for.
        """
        count = sum([len(work.rows) for work in batch if type(work) is Append])
        if count:
            self._session.do(self._sql.advance.bind(count=count))
        return count - 1

    def _take(self, work: Append, lengths: dict[str, int], changed: Sequence[Append]) -> Outcome:
        outcome, change = self._place(work, lengths), work.change
        if type(outcome) is not int or not (change.derived or change.started):
            return outcome
        short = self._indexes.take(work.run, change)
        if short is None:
            self._deal_with(work)
            return outcome
        lengths.pop(work.run, None)
        return self._refusal(work, changed) or short

    def _deal_with(self, work: Append) -> None:
        """Settle the request that a run begins with.

        Raises:
            RequestRefusedError: somebody else has. Nothing of the transaction is kept.
        """
        request = work.change.request
        if request is None:
            return
        bound = self._sql.deal_with.bind(request=request, verdict=_DONE)
        if self._session.one(bound) is None:
            raise refusals.withdrawn(work.run)

    def _refusal(self, work: Append, changed: Sequence[Append]) -> CallsheetError | None:
        """Why a beginning that its account does not cover would be refused anyway, if it would."""
        length, head = self._length(work.run), work.change.started
        if length != work.after:
            return refusals.stale(work.run, after=work.after, length=length)
        if head is None or head.key is None:
            return None
        begun = (each.change.started for each in changed if each.change.started)
        owners = [each.run for each in begun if (each.tenant, each.key) == (head.tenant, head.key)]
        row = self._session.one(self._sql.find.bind(tenant=head.tenant, key=head.key))
        owners += [row[0]] if row else []
        return refusals.key_reused(head, owners[0]) if owners else None

    def _place(self, work: Append, lengths: dict[str, int]) -> Outcome:
        """The new length of the journal, or why the append cannot be made."""
        run, after = work.run, work.after
        length = lengths.get(run)
        if length is None:
            length = self._lengths.get(run)
            # A belief that disagrees with the writer is checked before the writer is refused. A
            # journal that begins needs no look: the primary key refuses a second beginning.
            if length != after and not (length is None and work.change.started):
                length = self._length(run)
        if length is not None and length != after:
            return refusals.stale(run, after=after, length=length)
        if work.change.fault:
            return ValueError(work.change.fault)
        length = after + len(work.rows)
        if work.rows:
            lengths[run] = length
        return length

    def _length(self, run: str) -> int:
        row = self._session.one(self._sql.length.bind(run=run))
        return (row[0] if row else None) or 0

    def _index(self, changed: Sequence[Append]) -> None:
        owner = self._fence.number if self._fence else None
        starts = [_row(work.change.started, owner) for work in changed if work.change.started]
        if starts:
            self._session.insert(self._start, starts)
        for work in changed:
            ending = work.change.ending
            if ending is not None:
                at = ending.at.isoformat() if ending.at else None
                self._session.do(self._sql.end.bind(run=work.run, state=ending.state, at=at))

    def _remember(self, batch: Sequence[Work], lengths: dict[str, int]) -> None:
        self._lengths.update(lengths)
        self._indexes.remember()
        for work in batch:
            if type(work) is Call and work.run is not None:
                self._lengths.pop(work.run, None)
                self._indexes.forget(work.run)
            elif type(work) is Append and work.change.ending is not None:
                # From now on another process may delete it.
                self._lengths.pop(work.run, None)
        while len(self._lengths) > MAX_LENGTHS:
            del self._lengths[next(iter(self._lengths))]

    def _conflict(self, work: Work, exc: ConflictError) -> CallsheetError:
        if isinstance(work, Call):
            return StoreError(f"Somebody else wrote the same at the same time: {exc}. Try again.")
        length, head = self._length(work.run), work.change.started
        if head is not None and length == work.after:
            owner = self._session.one(self._sql.find.bind(tenant=head.tenant, key=head.key))
            if owner is not None:
                return refusals.key_reused(head, owner[0])
        return refusals.stale(work.run, after=work.after, length=length)


def _row(head: RunHead, owner: int | None) -> tuple[Param, ...]:
    """A head as a row of `runs`, in the order of its columns."""
    return (
        head.run,
        head.name,
        head.plan,
        head.content,
        head.tenant,
        head.key,
        stamp(head.started_at),
        None,
        None,
        head.subject,
        head.parent,
        head.root,
        owner,
    )
