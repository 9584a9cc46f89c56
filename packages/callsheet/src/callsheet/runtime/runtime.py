"""The runtime: all loops of one driving process. Takes ports only.

It starts runs, takes interrupted ones up again, passes requests on to the loop they concern, and
reads the inbox for those that come from other processes.
"""

from __future__ import annotations

import asyncio
from contextlib import nullcontext
from typing import TYPE_CHECKING, Self, TypeVar

from msgspec.structs import replace

from callsheet.core.ids import RunId, mint_run
from callsheet.core.past.result import Result, result_from
from callsheet.core.plan.plan import Plan
from callsheet.core.run.entries import NULL, RunPaused, RunResumed, RunStarted, must_read_back
from callsheet.core.run.fold import must_know
from callsheet.core.run.request import Request, Settled
from callsheet.errors import (
    CallsheetError,
    DrivenElsewhereError,
    EngineClosedError,
    KeyReusedError,
    LedgerShortError,
    MissingSecretsError,
    MissingToolsError,
    ReplayImpossibleError,
    StoreError,
    UnknownRunError,
)
from callsheet.runtime import crash
from callsheet.runtime.admission import Admission
from callsheet.runtime.children import Children
from callsheet.runtime.context import GRACE
from callsheet.runtime.environment import Environment, Ports
from callsheet.runtime.feed import Feed
from callsheet.runtime.inbox import InboxReader
from callsheet.runtime.journal import SeenJournal, WholeJournal
from callsheet.runtime.log import log
from callsheet.runtime.loop import RunLoop
from callsheet.runtime.needs import missing, must_have_tools
from callsheet.runtime.outage import SHORTEST, is_outage, outlast
from callsheet.runtime.stream import Stream
from callsheet.runtime.takeover import TakeOver
from callsheet.runtime.watchdog import Watchdog

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from callsheet.core.index.heads import RunHead
    from callsheet.core.run.entries import AnyEntry
    from callsheet.core.run.graph import Graph
    from callsheet.core.run.start import Start
    from callsheet.runtime.attempt import Attempt

T = TypeVar("T")

_NO_PLAN = Plan(steps=())
DRAIN = 10.0
"""Seconds that calls have to end in when an engine closes, unless somebody says otherwise."""
LAST_WORDS, SPARE = 5.0, 1.0
"""Seconds for those that did not, once they are told; what of that is for killing processes."""


class Runtime:
    """Drives runs while it is open (`async with`). Closing drains, and leaves them resumable."""

    def __init__(self, ports: Ports, *, watched: bool = True, drain: float = DRAIN) -> None:
        """`drain`: seconds that calls have to end in when it closes; 0: it closes like a crash."""
        store, clock = ports.store, ports.clock
        self._ports = ports
        self._store = store
        self.toolbox = ports.toolbox
        self._clock = clock
        self.journal = WholeJournal(store.journal, ports.artifacts, clock)
        self.feed = Feed(SeenJournal(self.journal), clock, listen=store.listen)
        admission = Admission(clock, ports.toolbox)
        self._shared = Environment(
            ports, journal=self.journal, feed=self.feed, admission=admission, runs=self
        )
        self._loops: dict[RunId, RunLoop] = {}
        self._taking: dict[RunId, asyncio.Future[None]] = {}
        """Runs that are being taken up."""
        self._first: set[str] = set()
        """Requests that were left for a run which is being taken up: they come before others."""
        self._left: set[RunId] = set()
        """Runs that are taken up again as soon as the store is back."""
        self._children = Children()
        self.stream = Stream(self.journal, clock, self._children, listen=store.listen)
        self.feed.on_publish = self.stream.nudge
        self.takeover: TakeOver | None = None
        self._inbox = InboxReader(store, clock, self._children, self._serve)
        self._watchdog = Watchdog(self._name_blocker) if watched else nullcontext()
        self._drain_for = drain
        self.starter: Callable[[Request], Awaitable[Settled | None]] | None = None
        """Begins runs that others have left to be started; None of them says: not here."""
        self.replaced: CallsheetError | None = None
        """Why nothing is driven here any more: another process has found this one gone."""
        self._closed = False
        """Nothing is started or taken up any more."""

    async def __aenter__(self) -> Self:
        self._watchdog.__enter__()
        if self._store.driving:
            self._children.begin(self._inbox.read(), name="callsheet-inbox")
            self._children.begin(self._watch_fence(), name="callsheet-fence")
        return self

    async def __aexit__(self, *_: object) -> None:
        try:
            if self._drain_for > 0 and not self._closed:
                await self.drain(self._drain_for)
        finally:
            # The rest is cancelled, whatever the reason for closing: the journal says how far each
            # run had come, and there it goes on.
            self._closed = True
            self.feed.close()
            self.stream.close()
            self._watchdog.__exit__(None, None, None)
            await self._children.close(GRACE)

    async def drain(self, seconds: float) -> bool:
        """Start nothing more, and let the calls that go on end; returns whether all have.

        After so many seconds they are told to stop, and have `LAST_WORDS` more. Nothing is
        cancelled by it: what does not end goes on as after a crash, when the runs are resumed.
        """
        self._closed = True
        loops = list(self._loops.values())
        for loop in loops:
            loop.drain()
        if await _all_finished(loops, seconds):
            return True
        for call in _going(loops):
            call.tell_of_closing(LAST_WORDS - SPARE)
        if await _all_finished(loops, LAST_WORDS):
            return True
        for call in _going(loops):
            call.leave()
        return False

    async def recover(self) -> None:
        """From now on go on with runs that nobody drives; returns when it has begun to."""
        if self.takeover is None:
            self.takeover = TakeOver(self._store, self._clock, self.take_up, self.missing)
            self._children.begin(self.takeover.watch(), name="callsheet-takeover")
        await self.takeover.opened()

    async def start(self, start: Start) -> RunLoop:
        """Begin a run; returns once its first entries are durable.

        Raises:
            InputError: something in it could not be read back.
            KeyReusedError: the key belongs to another run.
            LedgerShortError: the tenant's account does not cover it.
        """
        loop = self._new_loop()
        started = start.entry(self._clock.now())
        # The plan has been read, and the inputs bound. What else is handed in is little.
        must_read_back(replace(started, plan=_NO_PLAN, inputs=NULL, tools={}, children={}))
        loop.begin(started, start.copies)
        self._drive(start.run, loop)
        await loop.wait_durable()
        return loop

    # Runs that are steps of others (`environment.Runs`)

    async def begin(self, start: Start) -> None:
        """Have a run started, or go on, if it is there already."""
        if start.run in self._loops:
            return
        if not await self.exists(start.run):
            await self.start(start)
        elif (await self._head(start.run)).ended is None:
            await self._outlast(start.run, lambda: self.take_up(start.run))

    async def exists(self, run: RunId) -> bool:
        """Whether there is such a run."""
        if run in self._loops:
            return True
        return await self._outlast(run, lambda: self._store.journal.head(run)) is not None

    async def ended(self, run: RunId) -> Result:
        """The result of a run, when it has ended.

        Raises:
            CallsheetError: it is not driven any more and has not ended.
        """
        loop = self._loops.get(run)
        if loop is None and (await self._head(run)).ended is None:
            loop = await self._outlast(run, lambda: self.take_up(run))
        if loop is not None:
            return await loop.wait_ended()
        entries = await self._outlast(run, lambda: self.journal.read(run))
        return result_from(entries, self._clock.now())

    async def _outlast(self, run: RunId, act: Callable[[], Awaitable[T]]) -> T:
        return await outlast(act, self._clock, run=run)

    async def paused_by(self, run: RunId) -> str | None:
        """The request that has paused a run; None: it is not paused, or nobody knows."""
        request = None
        for entry in await self._store.journal.read(run):
            if isinstance(entry, (RunPaused, RunResumed)):
                request = entry.request if isinstance(entry, RunPaused) else None
        return request

    async def _head(self, run: RunId) -> RunHead:
        head = await self._outlast(run, lambda: self._store.journal.head(run))
        if head is None:
            raise UnknownRunError(f"There is no run {run!r}. `callsheet runs` lists them.")
        return head

    def pins(self) -> set[str]:
        """The artifacts that calls going on have stored, and no entry names yet."""
        return set().union(*(loop.pins() for loop in self._loops.values()))

    def mint(self) -> RunId:
        """A new run's id."""
        return mint_run(int(self._clock.now().timestamp() * 1000), self._clock.chance())

    async def take_up(self, run: RunId) -> RunLoop:
        """Drive a run that is in the journal; one that is being driven is simply returned.

        Raises:
            UnknownRunError: there is no such run.
            MissingToolsError: it needs tools that are not here.
            DrivenElsewhereError: another process drives it.
        """
        while run not in self._loops:
            if (taking := self._taking.get(run)) is None:
                return await self._take(run)
            # Somebody else is at it: what was asked of the run before is served first.
            await asyncio.wait([taking])
        return self._loops[run]

    async def _take(self, run: RunId) -> RunLoop:
        taking = self._taking[run] = asyncio.get_running_loop().create_future()
        try:
            return await self._take_as_it_is(run)
        finally:
            del self._taking[run]
            taking.set_result(None)

    async def _take_as_it_is(self, run: RunId) -> RunLoop:
        around = await self._take_up_around(run)
        known = await self._claim(run)
        # What whoever drove it before has written in between, if anything.
        entries = [*known, *await self.journal.read(run, after=len(known))]
        asked = [each for each in await self._store.inbox.pending() if each.run == run]
        if not entries:
            raise UnknownRunError(f"There is no run {run!r}. `callsheet runs` lists them.")
        if run in self._loops:  # somebody else was quicker while this one read
            return self._loops[run]
        must_have_tools(entries[0], self.toolbox)
        crash.reach("recover.before")
        loop = self._new_loop()
        loop.recover(entries)
        if around is not None and (word := _word_of(around, loop, run)):
            asked.insert(0, word)
        # Begun before the loop is, so that what was asked while nobody drove the run comes before
        # anything that it would do by itself, and before what is asked now.
        served = [
            self._children.create_task(
                self._inbox.settle(each, first=True), name=f"callsheet-request-{each.id}"
            )
            for each in asked
        ]
        self._first |= {each.id for each in asked}
        self._drive(run, loop)
        crash.reach("recover.after")
        if served:
            await asyncio.wait(served)
        self._first -= {each.id for each in asked}
        return loop

    async def _take_up_around(self, run: RunId) -> RunLoop | None:
        """The loop of the run that a run is a step of, if it goes on.

        First the one around it: what it was told may never have reached this one.
        """
        for started in await self._store.journal.read(run, limit=1):
            parent = started.parent if isinstance(started, RunStarted) else None
            head = await self._store.journal.head(RunId(parent.run)) if parent else None
            if head is not None and head.ended is None:
                try:
                    return await self.take_up(head.run)
                except DrivenElsewhereError:
                    raise  # a family is driven by one process
                except CallsheetError:
                    pass  # it cannot be driven here; this one may
        return None

    async def _claim(self, run: RunId) -> Sequence[AnyEntry]:
        """Make a run ours, unless a process that is alive drives it; returns what it has read.

        Only if its tools are here, and this version understands all of it: else it is left for
        whoever has them, and does.
        """
        owners = self._store.owners
        head = await self._store.journal.head(run)
        if head is None:
            return ()
        entries: Sequence[AnyEntry] = ()
        is_free = head.owner == owners.driver or not await owners.is_alive(head.owner)
        if is_free:
            entries = await self.journal.read(run)
            for started in entries[:1]:
                must_know(started)
                must_have_tools(started, self.toolbox)
        if not is_free or not await owners.claim(run):
            raise DrivenElsewhereError(
                f"Another process drives run {run!r}. Watch it, or ask something of it "
                "(pause, cancel, answer); that reaches it from here."
            )
        return entries

    async def is_driven(self, run: RunId) -> bool:
        """Whether some process drives a run, or is about to."""
        if run in self._loops or (self.takeover and self.takeover.is_due(run)):
            return True
        head = await self._store.journal.head(run)
        owners = self._store.owners
        if head is None or head.owner == owners.driver:
            return False
        return await owners.is_alive(head.owner)

    def missing(self, started: RunStarted) -> list[str]:
        """What a run was started with and is not here, or not as it was."""
        return missing(started, self._ports)

    def loop_of(self, run: RunId) -> RunLoop | None:
        """The loop of a run that is being driven here."""
        return self._loops.get(run)

    def graph_of(self, run: RunId) -> Graph:
        """What a run that is being driven here consists of."""
        return self._loops[run].snapshot.graph

    def open_breakers(self) -> list[str]:
        """The tools that are left alone for a while; may be asked from any thread."""
        return self._shared.admission.open_breakers()

    async def request(self, request: Request) -> None:
        """Do what is asked of a run; returns when it is journalled.

        Raises:
            RequestRefusedError: the run's state does not allow it.
            UnknownRunError: there is no such run.
        """
        run = RunId(request.run)
        while request.id not in self._first and (taking := self._taking.get(run)):
            await asyncio.wait([taking])
        loop = await self.take_up(run)
        if loop.finished.is_set():
            # It had ended, and was taken up only to serve what had been asked of it before.
            loop = await self.take_up(run)
        crash.reach("request.before")
        await loop.request(request)
        crash.reach("request.after")

    def _new_loop(self) -> RunLoop:
        if self._closed:
            raise EngineClosedError("The engine is closed; open it again to continue.")
        return RunLoop(self._shared, self._children)

    def _drive(self, run: RunId, loop: RunLoop) -> None:
        self._loops[run] = loop
        self._inbox.disturb(run)
        self._children.begin(self._drive_to_end(run, loop), name=f"callsheet-run-{run}")

    async def _drive_to_end(self, run: RunId, loop: RunLoop) -> None:
        try:
            await loop.drive()
        except (KeyReusedError, LedgerShortError):
            pass  # It never was a run; whoever wanted to start it is told.
        except CallsheetError as exc:
            log.warning("run.interrupted", run=run, error=exc.message)
            if is_outage(exc):
                self.take_up_later(run)
        finally:
            del self._loops[run]
            self.feed.wake(run)

    def take_up_later(self, run: RunId) -> None:
        """Drive a run, if there is one and it has not ended, as soon as the store is back."""
        if run not in self._left and not self._closed:
            self._left.add(run)
            self._children.begin(self._take_up_again(run), name=f"callsheet-again-{run}")

    async def _take_up_again(self, run: RunId) -> None:
        async def again() -> None:
            # Of one whose first entry nobody knows of, this may be the first that is heard.
            head = await self._store.journal.head(run)
            if head is not None and head.ended is None:
                await self.take_up(run)

        try:
            await self._clock.sleep(SHORTEST)
            await self._outlast(run, again)
        except CallsheetError as exc:
            log.warning("run.left", run=run, reason=exc.message)
        finally:
            self._left.discard(run)

    async def _watch_fence(self) -> None:
        """Let go of everything when another process has taken over."""
        self.replaced = error = await self._store.replaced()
        log.warning("driver.replaced", error=error.message)
        for loop in list(self._loops.values()):
            loop.interrupt(error)

    async def _serve(self, request: Request, first: bool) -> Settled | None:
        if request.kind == "unreadable":
            return self._refusal(request.reason)
        try:
            return await self._serve_once(request, first)
        except (MissingToolsError, MissingSecretsError, ReplayImpossibleError):
            return None  # left for the process that has the tools, or is new enough
        except (StoreError, EngineClosedError):
            return None  # not done yet. It stays in the inbox.
        except CallsheetError as exc:
            return self._refusal(exc.message, exc.code)
        except Exception as exc:  # noqa: BLE001 -- whoever asked is told; nobody else notices
            log.warning("request.broken", run=request.run, error=repr(exc))
            return self._refusal(f"It could not be served: {exc!r}. Please report this.")

    def _refusal(self, why: str, code: str = "") -> Settled:
        return Settled(refusal=why, error=code, at=self._clock.now())

    async def _serve_once(self, request: Request, first: bool) -> Settled | None:
        if request.start is not None:
            # Who was opened for one run only begins nothing that it finds.
            here = self.takeover is not None and self.starter is not None and not self._closed
            return await self.starter(request) if here and self.starter else None
        if not first:
            if not await self._is_ours(RunId(request.run)):
                return None  # its owner serves it, or whoever takes it over
            await self._taken_up(RunId(request.run))
            # Whoever takes a run up serves what it finds. What was refused then would perhaps not
            # be refused any more; but whoever asked was told.
            if settled := await self._store.inbox.settled(request.id):
                return settled
        # Of the first nothing is awaited before this: a run that has ended is gone in a moment.
        await self.request(request)
        return Settled()

    async def _taken_up(self, run: RunId) -> None:
        """Have a run driven here, and all that it found in the inbox served."""
        while taking := self._taking.get(run):
            await asyncio.wait([taking])
        await self.take_up(run)

    async def _is_ours(self, run: RunId) -> bool:
        """Whether requests to a run are served here."""
        if run in self._loops:
            return True
        head = await self._store.journal.head(run)
        if head is None or head.owner == self._store.owners.driver:
            return True
        # Who was opened for one run only wakes nothing that it finds.
        return self.takeover is not None and not await self._store.owners.is_alive(head.owner)

    def _name_blocker(self, task: str, seconds: float) -> None:
        # Only tools are ours to complain about; what else runs on the loop is the program's.
        for loop in self._loops.values():
            if loop.note_blocker(task, seconds):
                log.warning("loop.blocked", task=task, seconds=round(seconds, 3))


def _going(loops: Sequence[RunLoop]) -> list[Attempt]:
    return [call for loop in loops for call in loop.going]


async def _all_finished(loops: Sequence[RunLoop], seconds: float) -> bool:
    """Wait for the loops, but no longer than that."""
    try:
        async with asyncio.timeout(seconds):
            for loop in loops:
                await loop.finished.wait()
    except TimeoutError:
        return False
    return True


def _word_of(around: RunLoop, loop: RunLoop, run: RunId) -> Request | None:
    """What a run must hear before it goes on, because the run around it was stopped or paused."""
    outer, inner = around.snapshot, loop.snapshot
    if inner.ended or inner.stopping or inner.is_undoing:
        return None
    if outer.stopping:
        reason = "The run it is part of was stopped."
        return Request(id=f"{run}-cancel-{inner.length}", run=run, kind="cancel", reason=reason)
    if outer.paused and not inner.paused:
        return Request(id=f"{run}-pause-{inner.length}", run=run, kind="pause")
    return None
