"""The loop of one run: take what has happened, decide, journal, do.

A turn takes everything that has arrived, asks the core what follows, writes all of it down in one
append, and only then starts calls. So an outcome and the starts it allows are one commit, and
nothing is done that is not written.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, TypeVar

from callsheet.core import value
from callsheet.core.ids import RunId, StepKey
from callsheet.core.past.outputs import Outputs, take_in
from callsheet.core.past.result import Result, result_of
from callsheet.core.run import commands as c
from callsheet.core.run import entries as e
from callsheet.core.run import fold
from callsheet.core.run import verbs as v
from callsheet.core.run.decide import decide
from callsheet.core.run.snapshot import Snapshot
from callsheet.errors import (
    CallsheetError,
    EngineClosedError,
    RequestRefusedError,
    StoreError,
)
from callsheet.runtime import alive, crash
from callsheet.runtime.attempt import SLACK
from callsheet.runtime.cache import Lookups
from callsheet.runtime.calls import Calls
from callsheet.runtime.child import ChildAttempt
from callsheet.runtime.context import GRACE
from callsheet.runtime.feed import Progress
from callsheet.runtime.growth import Growth
from callsheet.runtime.held import passed_on, reach_of
from callsheet.runtime.log import log
from callsheet.runtime.mailbox import Mailbox
from callsheet.runtime.onlookers import Onlookers
from callsheet.runtime.perform import Performer
from callsheet.runtime.permitted import permitted
from callsheet.runtime.resolve import Resolver
from callsheet.runtime.spans import Spans, tell_single_steps
from callsheet.runtime.text import Texts
from callsheet.runtime.timers import Timers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from datetime import datetime

    from msgspec import Raw

    from callsheet.core.run.outcome import End
    from callsheet.core.run.request import Request
    from callsheet.core.value import Json
    from callsheet.ports import ArtifactStore
    from callsheet.runtime.attempt import Attempt
    from callsheet.runtime.children import Children
    from callsheet.runtime.environment import Environment

T = TypeVar("T")


class RunLoop:
    """Drives one run to its end, or until it is cancelled from outside (the engine closes)."""

    def __init__(self, shared: Environment, group: Children) -> None:
        self._shared, self._group = shared, group
        self.clock = shared.clock
        self.artifacts: ArtifactStore = shared.artifacts
        self.snapshot = Snapshot()
        self.outputs = Outputs(self.snapshot)
        self._output: Raw = e.NULL
        self._lookups: Lookups
        self._performer: Performer
        self._calls: Calls
        self.growth: Growth
        self._durable = 0
        """How many entries are written; the snapshot may be ahead of it during an append."""
        self._is_cut_off = False
        """The store is away, and an append waits until it is back."""
        self._entries: list[e.AnyEntry] = []
        """This turn's."""
        self._mailbox = Mailbox(self.snapshot, shared, self._note)
        self._onlookers = Onlookers()
        self._attempts: dict[StepKey, Attempt | ChildAttempt] = {}
        self._unnamed: set[str] = set()
        """Artifacts of calls that have ended, until the entry that names them is durable."""
        self._timers = Timers(shared.clock)
        self._spans = Spans(self.snapshot, shared.clock, self._mailbox.post, self._note)
        self._draining = self._taken_up = False
        """It begins nothing more; it was driven before, perhaps in this process."""
        self._stopped: CallsheetError | None = None
        """Why it is driven no further, although it has not ended; what has happened is written."""
        self.finished = asyncio.Event()

    # Beginning

    def begin(self, started: e.RunStarted, copies: Iterable[e.AnyEntry] = ()) -> None:
        """Make a new run of its first entry, and of what it takes over; `drive` journals it."""
        for entry in (started, *copies):
            self._note(entry)
        self._prepare(started)
        self._spans.watch_run()

    def pins(self) -> set[str]:
        """The artifacts that calls going on have stored."""
        return self._unnamed.union(*(attempt.pins for attempt in self._attempts.values()))

    def recover(self, entries: Sequence[e.AnyEntry]) -> None:
        """Go on where the journal ends. What had started and not ended is lost.

        Raises:
            StoreCorruptError: the entries do not add up to a run.
        """
        take_in(self.snapshot, self.outputs, entries)
        self._taken_up = True
        self._durable = len(entries)
        for entry in entries:
            if isinstance(entry, e.RunEnded):
                self._output = entry.output
        self._keep_time()
        self._prepare(entries[0])
        if self.snapshot.ran_at is not None:
            self._note(e.RunRecovered(at=self.clock.now()))
        for key in list(self.snapshot.active):
            if self.snapshot.steps[key].planned.is_child:
                self._begin_again(key)
            else:
                self._note(self._calls.lost(key))
        self._spans.watch_run()
        for key, at in [*self.snapshot.timers.items(), *self.snapshot.deadlines.items()]:
            self._arm(key, at)

    def _keep_time(self) -> None:
        """Go on from the last entry, even if the machine's clock was set back since.

        So no entry is earlier than those before it, and no timer waits longer than its own wait.
        """
        last = self.snapshot.last_at
        if last is not None and last > (now := self._shared.clock.now()):
            self._shared = self._shared.ahead(last - now)
            self.clock = self._shared.clock
            self._mailbox = Mailbox(self.snapshot, self._shared, self._note)
            self._spans = Spans(self.snapshot, self.clock, self._mailbox.post, self._note)

    def _prepare(self, started: e.AnyEntry) -> None:
        templates = self._shared.templates_of(self.snapshot.graph)
        resolver = Resolver(self.snapshot, self.outputs, templates)
        shared = self._shared
        self._lookups = Lookups(
            shared.cache,
            shared.journal,
            shared.clock,
            spawn=lambda work: self._group.begin(work, name="callsheet-cache"),
            nudge=self.nudge,
        )
        parent = started.parent if isinstance(started, e.RunStarted) else None
        member = shared.families.join(
            self.snapshot.run,
            RunId(parent.run) if parent else None,
            self.snapshot.graph.plan,
            self.outputs.tenant,
            self.nudge,
        )
        tenant = self.outputs.tenant
        tools = permitted(shared.toolbox, shared.grants, tenant)
        reach = reach_of(started, tools, shared.provisioner, tenant)
        tools = reach.tools
        self._mailbox.check_with(tools)
        self._performer = Performer(self.snapshot, resolver, shared, self._lookups, member, reach)
        self._calls = Calls(self, shared, self._performer, passed_on(started))
        texts = Texts(self.snapshot, self.outputs, shared, self._mailbox.post, self._note)
        self.growth = Growth(self.snapshot, shared, self._mailbox, texts, tools)

    def _begin_again(self, key: StepKey) -> None:
        """Go on waiting for a sub-plan: it may have gone on all the while."""
        attempt = self._calls.child(self.snapshot.steps[key])
        self._performer.go_on_with(key)
        self._attempts[key] = attempt
        attempt.begin(self._group, self._shared.toolbox)
        if not self.snapshot.stopping:
            # Whatever was said to it last may have been lost with the process.
            (attempt.pause if self.snapshot.paused else attempt.release)()

    # The loop

    async def drive(self) -> None:
        """Turn until the run has ended.

        Raises:
            StoreError: the journal cannot be written; the run is kept and goes on another time.
        """
        try:
            if self._taken_up:
                # A loop before this one may have left calls. What never listens is not waited for:
                # it holds back the next attempt of its own step alone.
                most = GRACE + SLACK
                await alive.until_ended(self.snapshot.run, self.clock, most, lambda: self._draining)
            while True:
                await self._turn()
                if self._mailbox.is_empty:
                    if self.snapshot.ended or (self._draining and not self._attempts):
                        return
                    await self._mailbox.wait()
        except CallsheetError as exc:
            self._stopped = exc
            raise
        except Exception as exc:
            # A mistake of ours. The run is as safe as after a crash, and whoever waits is told.
            log.warning("run.broken", run=self.snapshot.run, exc_info=True)
            self._stopped = CallsheetError(
                f"Run {self.snapshot.run!r} was interrupted by a bug in the engine: {exc!r}. "
                "What was journalled is kept; resume the run, and please report this."
            )
            raise self._stopped from exc
        finally:
            self._close()

    async def _turn(self) -> None:
        self._mailbox.take_in()
        starts = [] if self._stopped else self._advance()
        self._performer.pass_on()
        await self._write()
        self._mailbox.confirm()
        if self._stopped:
            raise self._stopped
        if starts:
            crash.reach("begin.before")
        for attempt in starts:
            attempt.begin(self._group, self._shared.toolbox)
        if self.snapshot.stopping and self.snapshot.active:
            self._tell_to_stop()
        elif self.snapshot.halting:
            tell_single_steps(self.snapshot, self._attempts)
        if self.snapshot.spans:
            self._spans.watch()
        self._onlookers.let_see()

    def _tell_to_stop(self) -> None:
        crash.reach("tell.before")
        for attempt in self._attempts.values():
            attempt.tell()
        crash.reach("tell.after")

    def _advance(self) -> list[Attempt | ChildAttempt]:
        """Decide until nothing more follows from what is known."""
        starts: list[Attempt | ChildAttempt] = []
        held: set[str] = set()
        moved = True
        while moved:
            moved = False
            known = len(held)
            for command in self._decide(held):
                entry = self._performer.entry_of(command, held)
                if entry is not None:
                    self._note(entry)
                    if isinstance(entry, (e.AttemptStarted, e.UndoStarted)):
                        # Nothing follows from a start: it only takes a place.
                        attempt = self._calls.of(entry)
                        starts.append(attempt)
                        self._attempts[attempt.step] = attempt
                    else:
                        moved = True
                if len(held) > known or self._is_outdated_by(command, entry):
                    moved = True
                    break
        return starts

    def _decide(self, held: set[str]) -> list[c.Command]:
        commands = decide(self.snapshot, held)
        if self._draining:
            return [each for each in commands if not c.begins(each)]
        return commands

    def _is_outdated_by(self, command: c.Command, entry: e.AnyEntry | None) -> bool:
        """Whether what was decided together with a command may not hold any more.

        A step that was refused may have stopped the run, or made better steps ready; one that the
        cache has answered for may have, too.
        """
        if type(entry) is e.StepRefused:
            starting = isinstance(command, (c.StartAttempt, c.RefuseStep))
            return starting or bool(self.snapshot.stopping)
        return type(entry) is e.StepCached

    async def _write(self) -> None:
        if not self._entries:
            return
        entries, self._entries = self._entries, []
        kind = "end" if self.snapshot.ended else "append"
        crash.reach(kind + ".before")
        after = self._durable
        run, journal = self.snapshot.run, self._shared.journal
        try:
            self._durable = await journal.append(run, entries, after=after)
        except StoreError as exc:
            self._is_cut_off = True
            self._onlookers.let_see()
            self._durable = await journal.append_after_all(run, entries, exc, after=after)
            self._is_cut_off = False
        self._unnamed.clear()
        self._lookups.note_written()
        self.growth.note_written()
        crash.reach(kind + ".after")
        self._shared.feed.publish(self.snapshot.run, after, entries)

    def _note(self, entry: e.AnyEntry) -> None:
        """Take an entry into account, to be written at the end of this turn."""
        fold.apply(self.snapshot, entry)
        self.outputs.observe(entry)
        self._entries.append(entry)
        if type(entry) is e.AttemptStarted:
            return  # every other entry is one, and there is nothing more to it
        if isinstance(entry, (e.AttemptEnded, e.UndoEnded, e.QuestionAsked)):
            key = StepKey(entry.step)
            at = self.snapshot.timers.get(key) or self.snapshot.deadlines.get(key)
            if at is not None:
                self._arm(key, at)
        elif isinstance(entry, e.RunEnded):
            self._output = entry.output
        elif isinstance(entry, (e.RunPaused, e.RunResumed)):
            self._pass_on(entry)
        elif isinstance(entry, v.RunReopened):
            self._spans.watch_run()

    def _pass_on(self, entry: e.RunPaused | e.RunResumed) -> None:
        for attempt in self._attempts.values():
            if isinstance(attempt, ChildAttempt):
                (attempt.pause if isinstance(entry, e.RunPaused) else attempt.resume)()

    # What arrives

    def nudge(self) -> None:
        """Look again: something outside of this run has changed."""
        self._mailbox.nudge()

    def call_ended(self, end: End) -> None:
        """A call has ended; taken in with the next turn."""
        self._mailbox.post(lambda: self._take_end(end))

    def _take_end(self, end: End) -> None:
        attempt = self._attempts.pop(end.step, None)
        if attempt is not None:
            self._unnamed |= attempt.pins
        for entry in self.growth.ending(end, self._performer.ending_of):
            self._note(entry)

    def child_broken(self, error: CallsheetError) -> None:
        """A sub-plan is not driven any more, and has not ended: neither is this run."""

        def happened() -> None:
            raise error

        self._mailbox.post(happened)

    def interrupt(self, error: CallsheetError) -> None:
        """Somebody else drives the run now: its calls are stopped, and get no end from here."""
        self._stopped = self._stopped or error
        self.nudge()

    async def request(self, request: Request) -> None:
        """Do what is asked; returns when it is journalled.

        Raises:
            RequestRefusedError: the run's state does not allow it.
            EngineClosedError: the engine was closed first.
        """
        if self.has_ended and self.finished.is_set() and request.id in self.snapshot.requests:
            return  # it was done before, and whoever asked has not heard of it
        await self._mailbox.request(request)

    async def wait_durable(self) -> None:
        """Return when everything known up to now is written."""
        await self._mailbox.wait_durable()

    async def save_checkpoint(self, step: StepKey, attempt: int, data: Json) -> None:
        """Journal a tool's checkpoint."""
        await self._mailbox.save_checkpoint(step, attempt, data)

    def note_blocker(self, task: str, seconds: float) -> bool:
        """Journal that one of this run's calls blocked the event loop; False: none of them did."""
        blocker = next((a for a in self._attempts.values() if a.name == task), None)
        if blocker is None:
            return False
        problem = e.ProblemNoted(
            at=self.clock.now(),
            step=blocker.step,
            message=f"{blocker.tool} blocked the event loop for {seconds:.1f} s: "
            "make it a sync tool, or await in it.",
        )
        self._mailbox.post(lambda: self._note(problem))
        return True

    def say_progress(self, step: StepKey, fraction: float | None, message: str) -> None:
        """Pass a tool's progress on."""
        progress = Progress(run=self.snapshot.run, step=step, fraction=fraction, message=message)
        self._shared.feed.progress(progress)

    # Who looks on

    async def seen(self, look: Callable[[], T]) -> T | None:
        """What somebody sees of the snapshot at a moment when all of it is written.

        While an append goes on, the snapshot is ahead of the journal, and what it says may never
        have happened. None: it stays so, because the journal has failed, or is away.
        """
        if self._is_cut_off and not self._is_written:
            return None
        return await self._onlookers.seen(
            look, lambda: self._is_written, is_over=self.finished.is_set()
        )

    async def wait_ended(self) -> Result:
        """The run's result, when it has ended.

        Raises:
            CallsheetError: it is not driven any more and has not ended.
        """
        await self.finished.wait()
        if not self.has_ended:
            raise self._gone()
        return result_of(self.snapshot, self.outputs, self.output, self.clock.now())

    @property
    def output(self) -> Json:
        """What the last end of the run has recorded; everybody gets a value of their own."""
        return value.decode(self._output)

    # Time

    def _arm(self, key: StepKey, at: datetime) -> None:
        seconds = (at - self.clock.now()).total_seconds()
        self._timers.arm(key, seconds, lambda: self._mailbox.post(lambda: self._fire(key, at)))

    def _fire(self, key: StepKey, at: datetime) -> None:
        snapshot = self.snapshot
        if at not in (snapshot.timers.get(key), snapshot.deadlines.get(key)):
            return  # the run has moved on
        crash.reach("timer.before")
        step = snapshot.steps[key]
        attempt = 0 if key in snapshot.deadlines else step.undo_attempts or step.attempts
        self._note(e.TimerFired(at=max(at, self.clock.now()), step=key, attempt=attempt))

    # Ending

    def drain(self) -> None:
        """Start nothing more; `drive` returns when the calls that go on have ended.

        Sub-plans, questions and timers are left: they go on when the engine is reopened.
        """
        self._draining = True
        self._timers.stop()
        self._spans.stop()
        for attempt in list(self._attempts.values()):
            if isinstance(attempt, ChildAttempt):
                attempt.drop()
                del self._attempts[attempt.step]
            else:
                attempt.withdraw()
        self.nudge()

    @property
    def going(self) -> list[Attempt]:
        """The calls that go on; a sub-plan is none."""
        return [each for each in self._attempts.values() if not isinstance(each, ChildAttempt)]

    def _close(self) -> None:
        self._timers.stop()
        self._spans.stop()
        for attempt in self._attempts.values():
            attempt.drop()
        self._performer.close()
        self.growth.close()
        self.finished.set()
        self._mailbox.close(self._gone())
        self._onlookers.let_see()
        # These refer back to this loop. Without them a run is freed as soon as nobody asks about
        # it any more, and the collector need not look for it.
        del self._lookups, self._performer, self._calls, self.growth

    @property
    def has_ended(self) -> bool:
        """Whether the end is written: the snapshot may be ahead of a journal that has failed."""
        return bool(self.snapshot.ended) and self._is_written

    @property
    def _is_written(self) -> bool:
        return self._durable == self.snapshot.length

    def _gone(self) -> CallsheetError:
        if self._stopped is not None:
            return self._stopped
        run: RunId = self.snapshot.run
        if self.has_ended:
            return RequestRefusedError(f"Run {run!r} has ended ({self.snapshot.state}).")
        return EngineClosedError(f"The engine was closed; run {run!r} goes on when it is reopened.")
