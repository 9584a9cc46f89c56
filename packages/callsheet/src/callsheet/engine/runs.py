"""The runs of an engine: started, forked, found, taken up again, replayed."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Raw
from msgspec.structs import replace

from callsheet.core import given, value
from callsheet.core.ids import RunId
from callsheet.core.index.heads import Filter
from callsheet.core.plan.inputs import bind_inputs
from callsheet.core.run.entries import ForkedFrom
from callsheet.core.run.request import LeftFork, LeftStart, Settled, Wanted
from callsheet.core.run.start import Start, is_same, must_name_subject, must_name_tenant
from callsheet.core.run.step import RunState
from callsheet.engine.leaving import WithStarts, content_of, leave
from callsheet.engine.questions import OpenQuestion
from callsheet.errors import (
    CallsheetError,
    DrivenElsewhereError,
    InputError,
    KeyReusedError,
    RequestRefusedError,
    StoreBusyError,
    UnknownRunError,
)
from callsheet.runtime.log import log
from callsheet.runtime.outage import is_outage
from callsheet.runtime.run import Run

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from callsheet.core.index.heads import RunHead
    from callsheet.core.past.fork import Fork, RepeatedWrite
    from callsheet.core.past.replay import ReplayReport
    from callsheet.core.plan.plan import Plan
    from callsheet.core.run.provisions import Provisions
    from callsheet.core.run.request import Request
    from callsheet.core.value import Json
    from callsheet.engine.ledger import TenantLedger
    from callsheet.ports import Clock, Store
    from callsheet.runtime.checker import Acceptance, Accepted, CheckedPlan, PlanLike
    from callsheet.runtime.runtime import Runtime

Vet: TypeAlias = "Callable[..., Awaitable[None]]"
"""Refuses what somebody names that is not theirs."""
Only: TypeAlias = "tuple[str, ...] | None"
"""The tools, as names or patterns, that somebody may use; None: all that the tenant may."""
MAX_OPEN = 1_000_000
PAGE = 200
"""Runs whose state is looked at together."""


class Runs:
    """What `Engine` does with runs."""

    def __init__(  # noqa: PLR0913 -- what it consists of
        self,
        runtime: Runtime,
        store: Store,
        clock: Clock,
        acceptance: Callable[[str, Only], Acceptance],
        ledger: TenantLedger,
        *,
        vet: Vet | None = None,
        only: Only = None,
    ) -> None:
        """`acceptance` is the desk of a tenant; `vet` looks at what is asked of runs first.

        `only`: the tools that whoever asks may use, if it is not all that the tenant may.
        """
        self._vet = vet
        self._only = only
        self.index = WithStarts(store)
        """Runs, and starts that nobody has taken."""
        self._runtime = runtime
        self._store = store
        self._clock = clock
        self._acceptance = acceptance
        self._ledger = ledger

    def must_drive(self) -> None:
        """Raise unless things are run here."""
        self._must_not_be_replaced()
        if not self._store.driving:
            raise StoreBusyError(
                "This engine was opened with drive=False: it only reads. Open it without."
            )

    def _must_not_be_replaced(self) -> None:
        if self._runtime.replaced is not None and not self._store.driving:
            raise self._runtime.replaced

    async def _must_be_own(self, *said: object) -> None:
        if self._vet is not None:
            await self._vet(*said)

    # Beginning

    async def start(
        self,
        plan: CheckedPlan | PlanLike,
        inputs: Mapping[str, Json],
        *,
        key: str | None,
        is_open: bool,
        tenant: str,
        subject: str | None = None,
    ) -> Run:
        """As `Engine.start`."""
        self._must_not_be_replaced()
        must_name_tenant(given.text("tenant", tenant))
        must_name_subject(given.name_or_none("subject", subject))
        given.of_type("inputs", inputs, Mapping, "a mapping")  # each is checked when it is bound
        wanted = Wanted(
            key=given.name_or_none("key", key),
            tenant=tenant,
            open=given.flag("open", is_open),
            subject=subject,
        )
        desk = self._acceptance(tenant, self._only)
        if not self._store.driving:
            found = await desk.for_others(plan)
            bound = bind_inputs(found, inputs)
            await self._must_be_own(found, bound)
            return await self._leave(wanted, found, bound)
        accepted = await desk.accept(plan)
        bound = bind_inputs(accepted.plan, inputs)
        await self._must_be_own(accepted.plan, accepted.children, bound)
        told = desk.held(accepted) if is_open else accepted.provisions
        return await self._launch(_start(self._runtime.mint(), wanted, accepted, bound, told))

    async def fork(
        self,
        run: RunId,
        step: str,
        args: Mapping[str, Json] | None,
        *,
        key: str | None,
        repeat_writes: bool,
    ) -> Run:
        """As `Engine.fork`."""
        self._must_not_be_replaced()
        asked = LeftFork(
            run=run,
            step=given.text("step", step),
            args=None if args is None else given.mapping("args", args),
            repeat_writes=repeat_writes,
        )
        key = given.name_or_none("key", key)
        fork = await self._forked(asked)
        if self._store.driving:
            return await self._launch(
                await self._fork_start(self._runtime.mint(), fork, asked, key)
            )
        started = fork.started
        wanted = Wanted(
            key=key, tenant=started.tenant, open=fork.open, subject=started.subject, fork=asked
        )
        return await self._leave(wanted, fork.plan, {})

    async def repeats(self, run: RunId, step: str) -> tuple[RepeatedWrite, ...]:
        """As `Engine.repeats`."""
        return (await self._forked(LeftFork(run=run, step=step, repeat_writes=True))).repeats

    async def _forked(self, asked: LeftFork) -> Fork:
        run = RunId(asked.run)
        if await self._store.journal.head(run) is None:
            raise unknown_run(run)
        entries = await self._runtime.journal.read(run)
        from callsheet.core.past.fork import fork_of

        fork = fork_of(entries, asked.step, asked.args, self._clock.now())
        if not asked.repeat_writes:
            must_not_repeat(fork.repeats)
        return fork

    async def _fork_start(
        self, run: RunId, fork: Fork, asked: LeftFork, key: str | None, only: Only = None
    ) -> Start:
        started = fork.started
        desk = self._acceptance(started.tenant, only or self._only)
        accepted = await desk.accept(fork.plan, started.children)
        return Start(
            run=run,
            plan=accepted.plan,
            inputs=started.inputs,
            tools=accepted.tools,
            children=accepted.children,
            provisions=desk.held(accepted) if fork.open else accepted.provisions,
            key=key,
            tenant=started.tenant,
            subject=started.subject,
            open=fork.open,
            forked_from=ForkedFrom(run=asked.run, step=asked.step),
            copies=fork.copies,
        )

    async def _launch(self, start: Start) -> Run:
        """Start a run, unless one was started with this key."""
        if start.key is not None and (found := await self._started_before(start)):
            return found
        reserves = await self._ledger.reservation(start.plan, start.tenant)
        try:
            await self._runtime.start(replace(start, reserves=reserves))
        except KeyReusedError:
            # Two starts with one key at the same time: the other was first.
            found = await self._started_before(start)
            if found is None:
                raise
            return found
        return self._handle(start.run)

    async def _started_before(self, start: Start) -> Run | None:
        head = await self._store.journal.find(start.tenant, start.key or "")
        if head is None:
            return None
        (first,) = await self._store.journal.read(head.run, limit=1)
        if not is_same(start, first, head.content):
            raise KeyReusedError(
                f"Key {start.key!r} belongs to run {head.run!r}, started with another plan or "
                "other inputs. Use a new key, or start it with the same content."
            )
        if head.ended is None and self._store.driving:
            with suppress(DrivenElsewhereError):
                await self.resume(head.run)
        return self._handle(head.run)

    # Beginning what others want, or having others begin it

    async def _leave(self, wanted: Wanted, plan: Plan, inputs: dict[str, Json]) -> Run:
        """Leave a start for a process that has the tools."""
        asked = wanted.fork
        start = Start(
            run=self._runtime.mint(),
            plan=plan,
            inputs=Raw(value.canonical(inputs)),
            tools={},
            key=wanted.key,
            tenant=wanted.tenant,
            forked_from=ForkedFrom(run=asked.run, step=asked.step) if asked else None,
        )
        if wanted.key is not None and (found := await self._started_before(start)):
            return found
        left = LeftStart(
            at=self._clock.now(),
            plan=plan,
            content=content_of(plan, inputs, asked),
            inputs=inputs,
            key=wanted.key,
            tenant=wanted.tenant,
            open=wanted.open,
            subject=wanted.subject,
            only=self._only,
            fork=asked,
        )
        return self._handle(await leave(self._store, start.run, left))

    async def take(self, request: Request) -> Settled | None:
        """Begin a run that was left to be started; None: its tools are not here.

        Raises:
            CallsheetError: it is refused, for good; or, as a `StoreError`, for now.
        """
        left, run = request.start, RunId(request.run)
        assert left is not None, "whoever serves it has looked"
        if await self._store.journal.head(run) is not None:
            return Settled()  # begun, and nobody has said so
        desk = self._acceptance(left.tenant, left.only)
        if await desk.lacks(left.plan, self._runtime.toolbox):
            return None
        if left.fork is not None:
            fork = await self._forked(left.fork)
            start = await self._fork_start(run, fork, left.fork, left.key, left.only)
        else:
            accepted = await desk.accept(left.plan)
            told = desk.held(accepted) if left.open else accepted.provisions
            start = _start(run, left, accepted, bind_inputs(accepted.plan, left.inputs), told)
        begun = await self._launch(replace(start, request=request.id))
        return Settled(run=None if begun.id == run else begun.id)

    # Those that are there

    async def get(self, run: RunId) -> Run:
        """As `Engine.get`."""
        if await self.index.head(run) is None:
            raise unknown_run(run)
        return self._handle(run)

    async def heads(
        self, which: Filter, state: RunState | str | None, *, limit: int, before: str | None
    ) -> Sequence[RunHead]:
        """As `Engine.runs`."""
        before = given.name_or_none("before", before)
        given.whole("limit", limit)
        wanted = _state_of(state) if state is not None else None
        journal, last = self.index, RunId(before) if before else None
        if wanted is not None and wanted.ended:
            which = replace(which, ended=str(wanted))
        if wanted is None or wanted.ended:
            return await journal.heads(which, limit=limit, before=last)
        # What an open run is doing stands in its journal, not in the index.
        which = replace(which, open_only=True)
        found: list[RunHead] = []
        while len(found) < limit and (page := await journal.heads(which, limit=PAGE, before=last)):
            last = page[-1].run
            states = [(await self._handle(head.run).status()).state for head in page]
            found += [head for head, at in zip(page, states, strict=True) if at is wanted]
        return found[:limit]

    async def questions(self, which: Filter) -> Sequence[OpenQuestion]:
        """As `Engine.questions`."""
        heads = await self._store.journal.heads(
            replace(which, open_only=True, top_level=True), limit=MAX_OPEN
        )
        return [
            OpenQuestion(run=head.run, plan=head.name, tenant=head.tenant, question=question)
            for head in reversed(heads)
            for question in (await self._handle(head.run).status()).questions
        ]

    async def resume(self, run: RunId, *, by: str | None = None) -> Run:
        """As `Engine.resume`."""
        handle = await self._take_up(run)
        if (await handle.status()).paused:
            await handle.resume(by=by)
        return handle

    async def _take_up(self, run: RunId) -> Run:
        self.must_drive()
        await self._runtime.take_up(run)
        return self._handle(run)

    async def recover(self) -> list[Run]:
        """As `Engine.recover`."""
        resumed = []
        for head in await self._store.journal.heads(Filter(open_only=True), limit=MAX_OPEN):
            try:
                resumed.append(await self._take_up(head.run))
            except DrivenElsewhereError:
                pass
            except CallsheetError as exc:
                # Whatever is wrong with this one, the others have nothing to do with it.
                log.warning("run.left", run=head.run, reason=exc.message)
                if is_outage(exc):
                    self._runtime.take_up_later(head.run)
        return resumed

    async def replay(self, run: RunId) -> ReplayReport:
        """As `Engine.replay`."""
        entries = await self._store.journal.read(run)
        if not entries:
            raise unknown_run(run)
        from callsheet.core.past.replay import replay as replayed

        return replayed(entries)

    def _handle(self, run: RunId) -> Run:
        return Run(run, self._runtime, self._store, self._clock, self._vet)


def _start(
    run: RunId,
    wanted: Wanted,
    accepted: Accepted,
    inputs: dict[str, Json],
    provisions: Provisions | None,
) -> Start:
    return Start(
        run=run,
        plan=accepted.plan,
        inputs=Raw(value.canonical(inputs)),
        tools=accepted.tools,
        children=accepted.children,
        provisions=provisions,
        key=wanted.key,
        tenant=wanted.tenant,
        open=wanted.open,
        subject=wanted.subject,
    )


def must_not_repeat(repeats: Sequence[RepeatedWrite]) -> None:
    """Refuse to do again what nobody says may be done twice."""
    risky = [each for each in repeats if not each.idempotent]
    if risky:
        names = ", ".join(f"{each.step} ({each.tool})" for each in risky)
        raise RequestRefusedError(
            f"The fork would repeat writes that are not idempotent: {names}. If that "
            "is meant, say repeat_writes=True (--repeat-writes)."
        )


def unknown_run(run: str) -> UnknownRunError:
    """There is no such run, or none that somebody may see: in the same words."""
    return UnknownRunError(f"There is no run {run!r}. `callsheet runs` lists them.")


def _state_of(state: RunState | str) -> RunState:
    try:
        return RunState(state)
    except ValueError as exc:
        known = ", ".join(RunState)
        raise InputError(f"A run is never {state!r}. States are {known}.") from exc
