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
from callsheet.core.run.start import Start, is_same, must_name_subject, must_name_tenant
from callsheet.core.run.step import RunState
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
    from callsheet.core.value import Json
    from callsheet.engine.ledger import TenantLedger
    from callsheet.ports import Clock, Store
    from callsheet.runtime.checker import Acceptance, CheckedPlan, PlanLike
    from callsheet.runtime.runtime import Runtime

Vet: TypeAlias = "Callable[..., Awaitable[None]]"
"""Refuses what somebody names that is not theirs."""
MAX_OPEN = 1_000_000
PAGE = 200
"""Runs whose state is looked at together."""


class Runs:
    """What `Engine` does with runs."""

    def __init__(
        self,
        runtime: Runtime,
        store: Store,
        clock: Clock,
        acceptance: Callable[[str], Acceptance],
        ledger: TenantLedger,
        vet: Vet | None = None,
    ) -> None:
        """`acceptance` is the desk of a tenant; `vet` looks at what is asked of runs first."""
        self._vet = vet
        self._runtime = runtime
        self._store = store
        self._clock = clock
        self._acceptance = acceptance
        self._ledger = ledger

    def must_drive(self) -> None:
        """Raise unless things are run here."""
        if not self._store.driving:
            raise self._runtime.replaced or StoreBusyError(
                "This engine was opened with drive=False: it only looks."
            )

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
        self.must_drive()
        must_name_tenant(given.text("tenant", tenant))
        must_name_subject(given.name_or_none("subject", subject))
        given.of_type("inputs", inputs, Mapping, "a mapping")  # each is checked when it is bound
        given.flag("open", is_open)
        key = given.name_or_none("key", key)
        accepted = await self._acceptance(tenant).accept(plan)
        if self._vet is not None:
            await self._vet(accepted.plan, accepted.children, bind_inputs(accepted.plan, inputs))
        start = Start(
            run=self._runtime.mint(),
            plan=accepted.plan,
            inputs=Raw(value.canonical(bind_inputs(accepted.plan, inputs))),
            tools=accepted.tools,
            children=accepted.children,
            provisions=accepted.provisions,
            key=key,
            tenant=tenant,
            open=is_open,
            subject=subject,
        )
        return await self._launch(start)

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
        self.must_drive()
        step = given.text("step", step)
        key = given.name_or_none("key", key)
        args = None if args is None else given.mapping("args", args)
        fork = await self._forked(run, step, args)
        if not repeat_writes:
            must_not_repeat(fork.repeats)
        started = fork.started
        accepted = await self._acceptance(started.tenant).accept(fork.plan, started.children)
        start = Start(
            run=self._runtime.mint(),
            plan=accepted.plan,
            inputs=started.inputs,
            tools=accepted.tools,
            children=accepted.children,
            provisions=accepted.provisions,
            key=key,
            tenant=started.tenant,
            subject=started.subject,
            open=fork.open,
            forked_from=ForkedFrom(run=run, step=step),
            copies=fork.copies,
        )
        return await self._launch(start)

    async def repeats(self, run: RunId, step: str) -> tuple[RepeatedWrite, ...]:
        """As `Engine.repeats`."""
        return (await self._forked(run, step, None)).repeats

    async def _forked(self, run: RunId, step: str, args: Mapping[str, Json] | None) -> Fork:
        if await self._store.journal.head(run) is None:
            raise unknown_run(run)
        entries = await self._runtime.journal.read(run)
        from callsheet.core.past.fork import fork_of

        return fork_of(entries, step, args, self._clock.now())

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
        if head.ended is None:
            with suppress(DrivenElsewhereError):
                await self.resume(head.run)
        return self._handle(head.run)

    # Those that are there

    async def get(self, run: RunId) -> Run:
        """As `Engine.get`."""
        if await self._store.journal.head(run) is None:
            raise unknown_run(run)
        return self._handle(run)

    async def heads(
        self, which: Filter, state: RunState | str | None, *, limit: int, before: str | None
    ) -> Sequence[RunHead]:
        """As `Engine.runs`."""
        before = given.name_or_none("before", before)
        given.whole("limit", limit)
        wanted = _state_of(state) if state is not None else None
        journal, last = self._store.journal, RunId(before) if before else None
        if wanted is None:
            return await journal.heads(which, limit=limit, before=last)
        if wanted.ended:
            which = replace(which, ended=str(wanted))
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

    async def resume(self, run: RunId) -> Run:
        """As `Engine.resume`."""
        self.must_drive()
        await self._runtime.take_up(run)
        return self._handle(run)

    async def recover(self) -> list[Run]:
        """As `Engine.recover`."""
        resumed = []
        for head in await self._store.journal.heads(Filter(open_only=True), limit=MAX_OPEN):
            try:
                resumed.append(await self.resume(head.run))
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


def must_not_repeat(repeats: Sequence[RepeatedWrite]) -> None:
    """Refuse to do again what nobody says may be done twice."""
    risky = [each for each in repeats if not each.idempotent]
    if risky:
        names = ", ".join(f"{each.step} ({each.tool})" for each in risky)
        raise RequestRefusedError(
            f"The fork would do again what has been done and is not idempotent: {names}. If that "
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
