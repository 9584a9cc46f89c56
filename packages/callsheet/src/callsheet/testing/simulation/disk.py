"""A disk that is slow, fails, leaves one in doubt, and keeps what it has acknowledged.

It is the store in memory with a commit in front of it. The disk outlives the process; the store is
one process's handle on it, and is fenced when that process dies: what it still wants to write is
refused.
"""

from __future__ import annotations

from contextlib import suppress
from contextvars import Context
from typing import TYPE_CHECKING

from msgspec import structs
from typing_extensions import override

from callsheet.core.index.heads import EVERY_RUN
from callsheet.core.run import entries as e
from callsheet.errors import (
    CallsheetError,
    DriverReplacedError,
    KeyReusedError,
    StaleWriteError,
    StoreError,
)
from callsheet.stores.memory.store import MemoryInbox, MemoryJournal, MemoryStore
from callsheet.testing.simulation.faults import happens
from callsheet.testing.simulation.owners import Drivers, SimulatedOwners

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from random import Random

    from callsheet.core.ids import RunId
    from callsheet.core.index.heads import Filter, Placed, RunHead
    from callsheet.core.run.entries import AnyEntry
    from callsheet.core.run.request import Request, Settled
    from callsheet.testing.simulation.faults import Faults
    from callsheet.testing.simulation.loop import MortalLoop
    from callsheet.testing.simulation.owners import Driver

SLOW = 3.0
BRISK = 0.01
TROUBLES = 4
"""Commits that fail in one story, at most: in the end it must be possible to end."""
OUTAGE = 60.0
"""Seconds for which it takes nothing, at most."""
AWAY = "The disk has failed."
LATE = 5.0
"""Seconds after which what a dead process had on its way arrives, at most."""


class SimulatedDisk:
    """What is left of all that was written when the process is gone."""

    def __init__(
        self, random: Random, faults: Faults, tell: Callable[[str | Callable[[], str]], None]
    ) -> None:
        self._random = random
        self._faults = faults
        self.tell = tell
        self.kept = MemoryStore()
        self.acknowledged: dict[str, list[bytes]] = {}
        """Per run, every entry that somebody was told is durable."""
        self.begun: set[tuple[str, str, int, bool]] = set()
        """Attempts whose start is written: run, step, attempt, whether it is an undo."""
        self.order: list[tuple[str, int]] = []
        """What was written after what: the run, and how long its journal was then."""
        self.is_kept: Callable[[str], bool] = lambda _: True
        """Whether an artifact lies on it."""
        self.missing: list[str] = []
        """Entries that named values which were not there when they were written."""
        self.wrote: dict[tuple[str, int], int] = {}
        """In which life of the engine a run's journal became so long."""
        self.wrote_at: dict[tuple[str, int], float] = {}
        """And when: an entry says when it was decided, and nobody knows of it before it is here."""
        self.troubles = 0
        """Commits that have failed; an outage counts as one."""
        self._away_until = 0.0
        self._late: list[_Commit] = []
        """What dead processes still have on its way."""
        self.life = 0
        self.drivers = Drivers()
        self.waiting: list[Callable[[], object]] = []
        """Who is told of new requests."""
        self._flying: list[_Commit] = []

    def open(self, loop: MortalLoop) -> SimulatedStore:
        """The handle of a new process; whoever had one before is fenced."""
        self.life += 1
        self.waiting.clear()
        late, self._late = self._late, []
        for commit in late:
            loop.call_later(round(self._random.random() * LATE, 3), commit.arrive)
        return SimulatedStore(self, loop)

    def lose_power(self) -> None:
        """The process dies. What was on its way is written, or not; nobody hears of it."""
        for driver in self.drivers.known.values():
            driver.locked = driver.lives = False
        flying, self._flying = self._flying, []
        if flying and happens(self._random, self._faults.zombies):
            self._late += flying
            return
        for commit in flying:
            if happens(self._random, 0.5):
                self.tell("disk: the commit on its way is written, and nobody knows")
                commit.settle()

    def fate(self, now: float = 0.0) -> str:
        """What becomes of a commit."""
        if self.is_away(now):
            return "failed"
        if self.troubles < TROUBLES and happens(self._random, self._faults.outages):
            self.troubles += 1
            self._away_until = now + round(self._random.random() * OUTAGE, 3)
            self.tell("disk: it takes nothing any more")
            return "failed"
        drawn = self._random.random()
        if self.troubles < TROUBLES:
            for name in ("failed", "unsure"):
                chance: float = getattr(self._faults, f"{name}_commits")
                if drawn < chance:
                    self.troubles += 1
                    return name
                drawn -= chance
        return "fine"

    def must_answer(self, now: float) -> None:
        """See that nobody reads from a disk that is away.

        Raises:
            StoreError: it is.
        """
        if self.is_away(now):
            raise StoreError(AWAY)

    def is_away(self, now: float) -> bool:
        """Whether it takes and gives nothing."""
        return now < self._away_until

    def delay(self) -> float:
        """How long a commit takes; 0: it is done before anybody else has a turn."""
        if happens(self._random, self._faults.slow_commits):
            return round(self._random.random() * SLOW, 3)
        return BRISK if happens(self._random, 0.5) else 0.0

    def fly(self, commit: _Commit) -> None:
        """A commit is on its way."""
        self._flying.append(commit)

    def land(self, commit: _Commit) -> None:
        """It has arrived."""
        self._flying.remove(commit)

    def acknowledge(self, run: str, entries: Sequence[AnyEntry], after: int) -> None:
        """Remember what somebody was promised."""
        promised = self.acknowledged.setdefault(run, [])
        # A gap stands for what an earlier process wrote without hearing of it.
        promised += [b""] * (after + len(entries) - len(promised))
        # In its place: one that was stopped hears of it after others have gone on.
        promised[after : after + len(entries)] = [e.encode(entry) for entry in entries]

    def written(self, run: str, entries: Sequence[AnyEntry], after: int, now: float) -> None:
        """Remember which attempts may be made."""
        self.order.append((run, after + len(entries)))
        for seq, entry in enumerate(entries, after + 1):
            self.wrote[run, seq] = self.life
            self.wrote_at[run, seq] = now
            for digest in digests_of(entry):
                if not self.is_kept(digest):
                    self.missing.append(f"entry {seq} of {run} names what is not kept: {digest}")
        for entry in entries:
            if isinstance(entry, (e.AttemptStarted, e.UndoStarted)):
                undo = isinstance(entry, e.UndoStarted)
                self.begun.add((run, entry.step, entry.attempt, undo))


def digests_of(entry: AnyEntry) -> list[str]:
    """The values that an entry names, and that lie beside the journal."""
    found = list((entry.stored or {}).values())
    undo = getattr(entry, "undo", None)
    return [*found, undo.stored] if undo is not None and undo.stored else found


class SimulatedStore(MemoryStore):
    """`Store` of one process on a simulated disk."""

    def __init__(self, disk: SimulatedDisk, loop: MortalLoop) -> None:
        super().__init__()
        # Whatever a store in memory has, this one has: it is the same, seen through a commit.
        self.__dict__.update(disk.kept.__dict__)
        driver = disk.drivers.enter(loop.create_future())
        self._driver = driver
        self.journal = journal = SimulatedJournal(disk, loop, driver)
        self.inbox = SimulatedInbox(disk, loop)
        self.owners = SimulatedOwners(
            disk.drivers,
            driver,
            journal.kept_heads,
            journal.own,
            lambda: disk.must_answer(loop.now),
        )
        self._disk = disk

    @override
    async def replaced(self) -> CallsheetError:
        """Return when another process has found this one gone."""
        await self._driver.replaced
        return DriverReplacedError("Another process has found this one gone.")

    # A store in memory has nobody to tell; here another process may have left something.
    @override
    def listen(  # type: ignore[override]
        self, wake: Callable[[], object], *, requests: bool = False
    ) -> Callable[[], None]:
        """Tell the driver when another process has left a request."""
        self._disk.waiting.append(wake)
        return lambda: self._disk.waiting.remove(wake)

    @override
    async def close(self) -> None:
        """The disk is still there."""


class SimulatedJournal(MemoryJournal):
    """`Journal` whose appends take time and may fail."""

    def __init__(self, disk: SimulatedDisk, loop: MortalLoop, driver: Driver) -> None:
        self.__dict__.update(vars(disk.kept.journal))
        self._disk = disk
        self._loop = loop
        self._driver = driver

    @override
    async def append(self, run: RunId, entries: Sequence[AnyEntry], *, after: int) -> int:
        """Append entries; what the fate of this commit is decides what is said about it."""
        self._must_live()
        fate, delay = self._disk.fate(self._loop.now), self._disk.delay()
        if delay:
            await self._commit_later(delay, run, entries, after, fate)
        elif fate != "failed":
            await self._write(run, entries, after)
        if fate != "fine":
            self._disk.tell(f"disk: the commit fails, {_WORDS[fate]} written")
            raise StoreError(AWAY)
        self._disk.acknowledge(run, entries, after)
        return after + len(entries)

    @override
    async def read(
        self, run: RunId, *, after: int = 0, limit: int | None = None
    ) -> Sequence[AnyEntry]:
        """The entries of a run, unless the disk is away."""
        self._disk.must_answer(self._loop.now)
        return await super().read(run, after=after, limit=limit)

    @override
    async def head(self, run: RunId) -> RunHead | None:
        """What the index says of a run, unless the disk is away."""
        self._disk.must_answer(self._loop.now)
        return await super().head(run)

    @override
    async def find(self, tenant: str, key: str) -> RunHead | None:
        """The run that was started with this key, unless the disk is away."""
        self._disk.must_answer(self._loop.now)
        return await super().find(tenant, key)

    @override
    async def heads(
        self, which: Filter = EVERY_RUN, *, limit: int = 50, before: RunId | None = None
    ) -> Sequence[RunHead]:
        """Runs, newest first, unless the disk is away."""
        self._disk.must_answer(self._loop.now)
        return await super().heads(which, limit=limit, before=before)

    @override
    async def since(
        self, position: int, which: Filter = EVERY_RUN, *, limit: int = 1000
    ) -> Sequence[Placed]:
        """Entries of all runs after a position, unless the disk is away."""
        self._disk.must_answer(self._loop.now)
        return await super().since(position, which, limit=limit)

    async def _commit_later(
        self, delay: float, run: RunId, entries: Sequence[AnyEntry], after: int, fate: str
    ) -> None:
        # Whoever waits for it may be cancelled; the commit goes on all the same.
        done = self._loop.create_future()
        commit = _Commit(self, run, entries, after)

        def land() -> None:
            self._disk.land(commit)
            try:
                if fate != "failed":
                    self._must_live()  # another process may have taken over meanwhile
                    commit.write()
            except Exception as exc:  # noqa: BLE001 -- it belongs to whoever waits for the commit
                if not done.done():
                    done.set_exception(exc)
            else:
                if not done.done():
                    done.set_result(None)

        self._disk.fly(commit)
        # It is on its way, and arrives whether or not whoever sent it goes on.
        self._loop.call_later(delay, land, context=Context())
        await done

    async def _write(self, run: RunId, entries: Sequence[AnyEntry], after: int) -> None:
        await super().append(run, entries, after=after)
        self._disk.drivers.note_write(run, self._driver)
        self.own(run, self._disk.drivers.owner_of[run])
        self._disk.written(run, entries, after, self._loop.now)

    def write_now(self, run: RunId, entries: Sequence[AnyEntry], after: int) -> None:
        """Write without a turn of the loop in between: the store in memory never waits."""
        work = self._write(run, entries, after)
        try:
            work.send(None)
        except StopIteration:
            return
        raise AssertionError("The store in memory has waited for something.")

    def _must_live(self) -> None:
        if not self.is_let_in or self._loop.dead:
            raise DriverReplacedError("This process is dead.")

    @property
    def is_let_in(self) -> bool:
        """Whether nobody else has taken over."""
        return self._disk.drivers.lets_write(self._driver)

    @property
    def kept_heads(self) -> dict[str, RunHead]:
        """The index, as it lies on the disk."""
        return self._heads

    def own(self, run: str, driver: int) -> None:
        """Write down whose a run is."""
        if self._disk.drivers.owner_of.get(run) != driver:
            self._disk.drivers.take(run, self._driver)
        self._heads[run] = structs.replace(self._heads[run], owner=driver)


class SimulatedInbox(MemoryInbox):
    """`Inbox` whose word on a request may not arrive on the disk."""

    def __init__(self, disk: SimulatedDisk, loop: MortalLoop) -> None:
        self.__dict__.update(vars(disk.kept.inbox))
        self._disk = disk
        self._loop = loop

    @override
    async def put(self, request: Request) -> Request:
        """Leave a request, and wake whoever serves it."""
        self._disk.must_answer(self._loop.now)
        stands = await super().put(request)
        for wake in self._disk.waiting:
            wake()
        return stands

    @override
    async def pending(self) -> Sequence[Request]:
        """Requests that are not settled, unless the disk is away."""
        self._disk.must_answer(self._loop.now)
        return await super().pending()

    @override
    async def settled(self, request: str) -> Settled | None:
        """What became of a request, unless the disk is away."""
        self._disk.must_answer(self._loop.now)
        return await super().settled(request)

    @override
    async def settle(self, request: str, settled: Settled) -> None:
        """Say what became of a request, if the disk takes it."""
        fate = self._disk.fate(self._loop.now)
        if fate != "failed":
            await super().settle(request, settled)
        if fate != "fine":
            raise StoreError(AWAY)


class _Commit:
    """Entries on their way to the disk."""

    def __init__(
        self, journal: SimulatedJournal, run: RunId, entries: Sequence[AnyEntry], after: int
    ) -> None:
        self._journal = journal
        self._batch = run, entries, after

    def write(self) -> None:
        self._journal.write_now(*self._batch)

    def settle(self) -> None:
        """Write, with nobody left to be told: what was a second attempt may be there already."""
        with suppress(StaleWriteError, KeyReusedError):
            self.write()

    def arrive(self) -> None:
        """Write, although the process is dead that wanted it; unless the fence keeps it out."""
        if self._journal.is_let_in:
            self.settle()


_WORDS = {"failed": "and nothing is", "unsure": "and all is"}
