"""The handle of a run: watch it, wait for it, ask things of it.

It owns nothing. Dropping it changes nothing; only `cancel` cancels.
"""

from __future__ import annotations

import asyncio
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import structs
from typing_extensions import override

from callsheet.core import given
from callsheet.core.ids import StepKey, child_run
from callsheet.core.past.attempts import AttemptRecord, attempts_of
from callsheet.core.past.requests import rehearse
from callsheet.core.past.result import Result
from callsheet.core.plan.addition import plain_steps, saved_plans_in
from callsheet.core.run.entries import RunStarted
from callsheet.core.run.request import Request
from callsheet.core.run.step import RunState
from callsheet.errors import (
    DrivenElsewhereError,
    EngineClosedError,
    InputError,
    RequestPendingError,
    RequestRefusedError,
    StoreCorruptError,
    UnknownRunError,
)
from callsheet.runtime.checker import steps_in
from callsheet.runtime.follower import INSIDE, Follower
from callsheet.runtime.onestep import StepHandle
from callsheet.runtime.pending import cancel, look, not_begun
from callsheet.runtime.subplans import gather_children
from callsheet.runtime.wakeup import News

if TYPE_CHECKING:
    from collections.abc import (
        AsyncIterator,
        Awaitable,
        Callable,
        Mapping,
        Sequence,
    )

    from callsheet.core.ids import RunId
    from callsheet.core.plan.plan import Plan, Step
    from callsheet.core.run.entries import AnyEntry
    from callsheet.core.run.provisions import Provisions
    from callsheet.core.run.request import RequestKind
    from callsheet.core.value import Json
    from callsheet.ports import Clock, Store
    from callsheet.runtime.feed import Told
    from callsheet.runtime.runtime import Runtime

POLL = 0.02
TELLING = 9
"""A watcher lets this many times as long pass as it took to tell."""
PATIENCE = 5.0
"""How long another process has to serve a request before it is taken for absent."""


class Run:
    """One run, driven here or elsewhere."""

    def __init__(
        self,
        run: RunId,
        runtime: Runtime,
        store: Store,
        clock: Clock,
        vet: Callable[..., Awaitable[None]] | None = None,
    ) -> None:
        """`vet` refuses what somebody names who may not name everything."""
        self.id = run
        self._vet = vet
        self._runtime = runtime
        self._store = store
        self._clock = clock

    @override
    def __repr__(self) -> str:
        return f"Run({self.id!r})"

    async def events(self, after: int = 0) -> AsyncIterator[Told]:
        """What happens, from entry `after` on: each entry once, in order, until the run ends.

        Between entries there may be `Progress`, which has no number. Leaving the loop early and
        coming back with the last `seq` loses nothing.
        """
        given.whole("after", after)
        async for stands in self._until_begun():
            if stands.state.ended:
                return  # cancelled before anything had happened

        def live() -> bool:
            return self._runtime.loop_of(self.id) is not None

        async for told in self._runtime.feed.events(self.id, after=after, live=live):
            yield told

    async def journal(self, after: int = 0, *, whole: bool = False) -> list[AnyEntry]:
        """The entries as they are written now; `whole`: with large values in their places."""
        given.whole("after", after)
        if whole:
            return list((await self._runtime.journal.view(self.id, after=after))[0])
        return list(await self._store.journal.read(self.id, after=after))

    async def status(self) -> Result:
        """The run as it stands; of one that is damaged, as far as it can be read (`damaged`).

        Raises:
            UnknownRunError: there is no such run.
        """
        follower = Follower(self.id, self._runtime, self._clock)
        await follower.catch_up()
        if not follower.exists:
            stands = await self._not_begun()
            return stands or await self.status()
        return follower.result(driven=await self.is_driven())

    async def watch(self, every: float = 0.1) -> AsyncIterator[Result]:
        """The run as it stands now, and again when something has happened, until it has ended.

        What happens within `every` seconds is told together, so a page or a terminal that shows it
        is not flooded; while a step runs it is told all the same, because its time goes on.
        """
        given.number("every", every)
        async for stands in self._until_begun():
            yield stands
            if stands.state.ended:
                return
        follower = Follower(self.id, self._runtime, self._clock)
        news = True
        while True:
            began = self._clock.now()
            news = await follower.catch_up() or news
            result = follower.result() if news or follower.is_moving else None
            took = (self._clock.now() - began).total_seconds()
            if result is not None:
                yield result
                news = False
            if follower.has_ended:
                return
            # Of a very large run less often: telling must not take the time of doing.
            await self._clock.sleep(max(every, took * TELLING))

    def step(self, step: str) -> StepHandle:
        """The handle of one step, or of an item (`rooms[2]`): `await run.step("a").result()`."""
        return StepHandle(self, step)

    async def provisions(self) -> Provisions | None:
        """What it may use, as it was recorded when it started; None: nobody has recorded it.

        Raises:
            UnknownRunError: there is no such run.
        """
        return (await self._started()).provisions

    async def missing(self) -> list[str]:
        """What it was started with and is not here, or not as it was: tools, files, permissions.

        An engine that recovers goes on with it by itself only if this is empty.

        Raises:
            UnknownRunError: there is no such run.
        """
        return self._runtime.missing(await self._started())

    async def _started(self) -> RunStarted:
        for started in await self._store.journal.read(self.id, limit=1):
            if isinstance(started, RunStarted):
                return started
        if await self._not_begun():
            raise not_begun(self.id)
        return await self._started()

    async def attempts(self) -> list[AttemptRecord]:
        """Every attempt so far, in the order they started."""
        return attempts_of(await self.journal())

    async def wait(self) -> Result:
        """Return when the run has ended (also when another process drives it, or is to begin it).

        Raises:
            InputError: it was left to be started, and whoever was to begin it has refused.
            EngineClosedError: the engine was closed first; the run goes on when it is reopened.
            StoreError: the store failed; what was acknowledged is kept.
        """
        async for stands in self._until_begun():
            if stands.state.ended:
                return stands
        result = await self._until_ended() or await self.status()
        if result.damaged:
            raise StoreCorruptError(f"Run {self.id!r} cannot be waited for. {result.damaged}")
        if result.state.ended:
            return result
        raise EngineClosedError(
            f"Run {self.id!r} is {result.state} and no process is driving it; `resume` it."
        )

    async def _until_ended(self) -> Result | None:
        """Return when nothing more is to be waited for; what its loop says, if it was here."""
        with News(self._store.listen, self._clock) as news:
            while True:
                loop = self._runtime.loop_of(self.id)
                if loop is not None:
                    return await loop.wait_ended()
                head = await self._store.journal.head(self.id)
                if head is None or head.ended:
                    return None
                if self._store.driving and not await self._runtime.is_driven(self.id):
                    return None
                await news.wait(POLL)

    async def is_driven(self) -> bool:
        """Whether some process drives it now; one that has not ended and is not, is interrupted."""
        return await self._runtime.is_driven(self.id)

    async def is_pending(self) -> bool:
        """Whether it was left for a process that has its tools, and none has begun it yet."""
        stands = await self._not_begun()
        return stands is not None and stands.state is RunState.PENDING

    @property
    def is_driven_here(self) -> bool:
        """Whether this very engine drives it."""
        return self._runtime.loop_of(self.id) is not None

    async def pause(self, *, by: str | None = None) -> None:
        """Start nothing more; what runs may finish."""
        await self._ask("pause", by=by)

    async def resume(self, *, by: str | None = None) -> None:
        """Go on: a paused run starts steps again, an interrupted one is driven here."""
        await self._ask("resume", by=by)

    async def cancel(self, *, reason: str = "", by: str | None = None) -> None:
        """Stop the run. When this returns, no attempt starts any more."""
        await self._ask("cancel", by=by, reason=reason)

    async def stop(self, step: str, *, reason: str = "", by: str | None = None) -> None:
        """Stop one step, or one item of it: it never starts, or is told. The run continues.

        What depends on it is skipped, or runs with null if the step says `on_failure: ignore`.

        Raises:
            RequestRefusedError: it has ended already, or is in doubt.
        """
        await self._ask("stop", by=by, step=given.text("step", step), reason=reason)

    async def retry(self, step: str, *, by: str | None = None) -> None:
        """Try a step again that failed or was stopped, in a run with `on_failure: continue`.

        What was skipped because of it waits for it again. A run that has ended `failed` goes on.

        Raises:
            RequestRefusedError: it did not end badly, was undone, or may have happened.
            LedgerShortError: the run would set aside again what the account does not have.
        """
        await self._ask("retry", by=by, step=given.text("step", step))

    async def undo(
        self, to: str | None = None, *, only: str | None = None, by: str | None = None
    ) -> None:
        """Take back what is owed; with `to`, keep that step and what it needed.

        With `only`, take back what that one step did; the run goes on, or stays ended as it was.

        Raises:
            InputError: both were given.
            RequestRefusedError: with `only`, something was built on it; the message names what.
        """
        if only is not None:
            if to is not None:
                raise InputError("Say `to` or `only`: what is kept, or what alone is taken back.")
            await self._ask("undo_step", by=by, step=given.text("only", only))
            return
        await self._ask("undo", by=by, step=given.text_or_none("to", to))

    async def answer(
        self,
        step: str,
        answer: Json,
        *,
        output: Json = None,
        by: str | None = None,
        question: str | None = None,
    ) -> None:
        """Answer a question, an approval (`approve`, `deny`) or a doubt.

        A doubt takes `happened` (with the `output`, if known), `did_not_happen` or `undo`. What is
        asked inside a step that is a sub-plan is answered as `step/inner`. With the id of the
        `question` it is meant for, a late answer is not taken for one to the next.
        """
        outer, inside, inner = given.text("step", step).partition(INSIDE)
        given.text_or_none("question", question)
        if inside:
            if await self._not_begun():
                raise not_begun(self.id)
            child = Run(
                child_run(self.id, StepKey(outer)),
                self._runtime,
                self._store,
                self._clock,
                self._vet,
            )
            if await self._store.journal.head(child.id) is None:
                raise RequestRefusedError(
                    f"Step {outer!r} of run {self.id!r} is no sub-plan that has begun. "
                    f"`callsheet show {self.id}` lists what is asked."
                )
            # It was named as this run shows it: with the step around it.
            meant = question and question.removeprefix(f"{outer}{INSIDE}")
            await child.answer(inner, answer, output=output, by=by, question=meant)
            return
        await self._ask("answer", by=by, step=step, answer=answer, output=output, question=question)

    async def add(
        self, steps: Sequence[Step | Mapping[str, Json]] | str | Path, *, by: str | None = None
    ) -> None:
        """Add steps to an open run, or those of a file.

        They may refer to each other and to all that are there.

        Raises:
            PlanError: they do not check; nothing was added.
            RequestRefusedError: the run is not open, or stops.
        """
        if isinstance(steps, (str, Path)):
            steps = await asyncio.to_thread(steps_in, Path(steps))
        plain = plain_steps(steps)
        plans = await gather_children(
            saved_plans_in(plain), self._store.plans, self._runtime.toolbox
        )
        await self._ask("add", by=by, steps=plain, plans=plans)

    async def seal(self, *, by: str | None = None) -> None:
        """Take no more steps: the run ends when those it has are done."""
        await self._ask("seal", by=by)

    async def _ask(  # noqa: PLR0913 -- the fields of `Request`
        self,
        kind: RequestKind,
        *,
        by: str | None,
        step: str | None = None,
        question: str | None = None,
        answer: Json = None,
        output: Json = None,
        reason: str = "",
        steps: list[dict[str, Json]] | None = None,
        plans: dict[str, Plan] | None = None,
    ) -> None:
        request = Request(
            id=f"{self.id}-{self._clock.chance():016x}",
            run=self.id,
            kind=kind,
            by=given.text_or_none("by", by),
            step=given.text_or_none("step", step),
            question=given.text_or_none("question", question),
            answer=given.json("answer", answer),
            output=given.json("output", output),
            reason=given.text("reason", reason),
            steps=steps or [],
            plans=plans or {},
        )
        if self._vet is not None:
            await self._vet(request)
        if await self._not_begun():
            if kind != "cancel":
                raise not_begun(self.id)
            if await cancel(self._store.inbox, request, self._clock.now()):
                return
        request = structs.replace(request, run=self.id)  # it may have begun as another
        if not self._store.driving:
            await self._leave(request)
            return
        try:
            await self._runtime.request(request)
        except DrivenElsewhereError:
            await self._leave(request)

    async def _leave(self, request: Request) -> None:
        """Put a request into the inbox and wait until its driver has dealt with it."""
        inbox = self._store.inbox
        if not await self._runtime.is_driven(self.id):
            await self._leave_for_later(request)
        with News(self._store.listen, self._clock) as news:
            await inbox.put(request)
            until = self._clock.now() + timedelta(seconds=PATIENCE)
            while (settled := await inbox.settled(request.id)) is None:
                if self._clock.now() >= until:
                    raise RequestPendingError(await self._who_is_slow())
                await news.wait(POLL)
        if settled.refusal is not None:
            raise RequestRefusedError(settled.refusal)

    async def _who_is_slow(self) -> str:
        head = await self._store.journal.head(self.id)
        who = await self._store.owners.process_of(head.owner if head else None)
        return (
            f"The request is recorded. {f'Process {who}' if who else 'Another process'} drives run "
            f"{self.id!r}, and has not served it for {PATIENCE:g} s: it is stopped, or busy. It "
            "takes effect when that process goes on, or has ended and another drives the run."
        )

    async def _leave_for_later(self, request: Request) -> None:
        """Record a request that nobody can serve now; one that would be refused is refused now."""
        entries = await self._store.journal.read(self.id)
        earlier = [each for each in await self._store.inbox.pending() if each.run == self.id]
        rehearse(entries, earlier, request, self._clock.now())
        await self._store.inbox.put(structs.replace(request, left=True))
        raise RequestPendingError(
            f"The request is recorded. No process is driving run {self.id!r}; it takes effect when "
            "one does."
        )

    async def _not_begun(self) -> Result | None:
        """How the start stands that nobody has begun; None: there is a run.

        Raises:
            UnknownRunError: there is neither.
            CallsheetError: the start was refused.
        """
        if self._runtime.loop_of(self.id) is not None:
            return None
        if await self._store.journal.head(self.id) is not None:
            return None
        found = await look(self._store.inbox, self.id, self._clock.now())
        if isinstance(found, Result):
            return found
        if found == self.id and await self._store.journal.head(found) is None:
            raise UnknownRunError(f"There is no run {self.id!r}.")  # it was deleted
        self.id = found  # a run that had its key before
        return None

    async def _until_begun(self) -> AsyncIterator[Result]:
        """How it stands while it has not begun, once; and once more if it was cancelled."""
        stands = await self._not_begun()
        if stands is None:
            return
        yield stands
        with News(self._store.listen, self._clock) as news:
            while stands is not None and not stands.state.ended:
                await news.wait(POLL)
                stands = await self._not_begun()
        if stands is not None:
            yield stands
