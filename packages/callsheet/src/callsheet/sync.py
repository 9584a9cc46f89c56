"""The engine for code that is not async: scripts, Django, notebooks.

    with callsheet.sync.open_engine(tools=[book]) as engine:
        result = engine.run("trip.yaml", {"city": "Oslo"})

It is the same engine, in a thread of its own with an event loop. Calls block the caller and nobody
else, so it works where a loop is running already, as in a notebook. There is a method for what most
programs need; `do` takes everything else the async engine and its runs can do.
"""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, Self, TypeVar, Unpack

from callsheet.core.run.start import TENANT
from callsheet.engine.engine import Engine as AsyncEngine
from callsheet.errors import EngineClosedError

if TYPE_CHECKING:
    from collections.abc import (
        Awaitable,
        Callable,
        Coroutine,
        Iterable,
        Iterator,
        Mapping,
        Sequence,
    )
    from pathlib import Path

    from callsheet.core.index.heads import RunHead
    from callsheet.core.past.result import Result, StepResult
    from callsheet.core.problem import Problem
    from callsheet.core.value import Json
    from callsheet.engine.door import Options
    from callsheet.engine.drafts import PlanFor
    from callsheet.engine.listing import Narrowed
    from callsheet.engine.toolroom import Toolroom
    from callsheet.runtime.checker import CheckedPlan, PlanLike
    from callsheet.runtime.feed import Told
    from callsheet.runtime.run import Run as AsyncRun
    from callsheet.tools.registry import AnyTool

__all__ = ["SyncEngine", "SyncRun", "open_engine"]

P = ParamSpec("P")
T = TypeVar("T")

HOME = ".callsheet"


def open_engine(
    home: str | Path | None = HOME,
    tools: Iterable[AnyTool] | Toolroom = (),
    **options: Unpack[Options],
) -> SyncEngine:
    """Open an engine; close it with `with`, or with `close`.

    Args:
        home: where runs are kept, as the command line does unless it is said otherwise; None:
            nothing outlives the engine.
        tools: what plans may call, beside the built-in tools.
        options: those of `Engine.open`.

    Raises:
        CallsheetError: as `Engine.open` does.
    """
    return SyncEngine(_Loop(), home, tools, options)


class _Loop:
    """An event loop in a thread; a daemon, so a program that forgets to close it can end."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="callsheet-engine", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            self._loop.run_forever()
            self._loop.run_until_complete(self._loop.shutdown_asyncgens())
            self._loop.run_until_complete(self._loop.shutdown_default_executor())
        finally:
            self._loop.close()

    def do(self, work: Coroutine[Any, Any, T]) -> T:
        """Do it there, and wait here."""
        if not self._thread.is_alive():
            work.close()
            raise EngineClosedError("This engine is closed.")
        if threading.current_thread() is self._thread:
            work.close()
            raise EngineClosedError(
                "This is the engine's own thread: an async tool must not call the sync engine."
            )
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()  # somebody has pressed Ctrl-C: nobody waits for it any more
            raise

    def close(self) -> None:
        """End it."""
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()


class SyncEngine:
    """An engine whose methods return when the work is done. Made by `open_engine`."""

    def __init__(
        self,
        loop: _Loop,
        home: str | Path | None,
        tools: Iterable[AnyTool] | Toolroom,
        options: Options,
    ) -> None:
        self._loop = loop
        try:
            self._engine = loop.do(_opened(home, tools, options))
        except BaseException:
            loop.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close it; runs that go on are kept, to be resumed. A second time does nothing."""
        try:
            self._loop.do(self._engine.close())
        except EngineClosedError:
            return
        finally:
            self._loop.close()

    def do(
        self,
        function: Callable[Concatenate[AsyncEngine, P], Awaitable[T]],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """Anything the async engine does: `engine.do(Engine.statistics, tool="book")`."""
        return self._loop.do(_done(function, self._engine, *args, **kwargs))

    def run(
        self,
        plan: CheckedPlan | PlanLike,
        inputs: Mapping[str, Json] | None = None,
        *,
        key: str | None = None,
        tenant: str = TENANT,
    ) -> Result:
        """Start a run and wait for its end, as `Engine.run` does."""
        return self.start(plan, inputs, key=key, tenant=tenant).wait()

    def start(
        self,
        plan: CheckedPlan | PlanLike,
        inputs: Mapping[str, Json] | None = None,
        *,
        key: str | None = None,
        open: bool = False,  # noqa: A002 -- an open run is called so everywhere
        tenant: str = TENANT,
    ) -> SyncRun:
        """Start a run, as `Engine.start` does. It goes on while this program does other things."""
        started = self._engine.start(plan, inputs, key=key, open=open, tenant=tenant)
        return SyncRun(self._loop, self._loop.do(started))

    def plan_for(self, goal: str, *, tenant: str = TENANT, **options: Unpack[PlanFor]) -> SyncRun:
        """Have a model write a plan, and run it while it is written, as `Engine.plan_for` does."""
        drafted = self._engine.plan_for(goal, tenant=tenant, **options)
        return SyncRun(self._loop, self._loop.do(drafted))

    def get(self, run: str) -> SyncRun:
        """The handle of a run."""
        return SyncRun(self._loop, self._loop.do(self._engine.get(run)))

    def resume(self, run: str) -> SyncRun:
        """Drive an interrupted run here, as `Engine.resume` does."""
        return SyncRun(self._loop, self._loop.do(self._engine.resume(run)))

    def runs(
        self, *, limit: int = 50, before: str | None = None, **narrowed: Unpack[Narrowed]
    ) -> Sequence[RunHead]:
        """Runs, newest first, as `Engine.runs` lists them."""
        return self._loop.do(self._engine.runs(limit=limit, before=before, **narrowed))

    def check(self, plan: PlanLike) -> tuple[Problem, ...]:
        """Every problem of a plan, and of the saved plans it names, errors first."""

        async def whole() -> tuple[Problem, ...]:
            return await self._engine.check(plan)

        return self._loop.do(whole())


class SyncRun:
    """The handle of a run, whose methods return when the work is done."""

    def __init__(self, loop: _Loop, run: AsyncRun) -> None:
        self._loop = loop
        self._run = run
        self.id = run.id

    def do(
        self,
        function: Callable[Concatenate[AsyncRun, P], Awaitable[T]],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """Anything the async handle does: `run.do(Run.undo, "flight")`."""
        return self._loop.do(_done(function, self._run, *args, **kwargs))

    def wait(self) -> Result:
        """Return when the run has ended."""
        return self._loop.do(self._run.wait())

    def status(self) -> Result:
        """The run as it stands."""
        return self._loop.do(self._run.status())

    def step(self, step: str) -> StepResult:
        """Return when a step is over, whatever became of it."""
        return self._loop.do(self._run.step(step).result())

    def answer(
        self, step: str, answer: Json, *, output: Json = None, by: str | None = None
    ) -> None:
        """Answer a question, an approval or a doubt, as `Run.answer` does."""
        self._loop.do(self._run.answer(step, answer, output=output, by=by))

    def cancel(self, *, reason: str = "", by: str | None = None) -> None:
        """Stop the run. When this returns, no attempt starts any more."""
        self._loop.do(self._run.cancel(reason=reason, by=by))

    def stop(self, step: str, *, reason: str = "", by: str | None = None) -> None:
        """Stop one step; the run goes on."""
        self._loop.do(self._run.stop(step, reason=reason, by=by))

    def retry(self, step: str, *, by: str | None = None) -> None:
        """Try a step again that failed or was stopped."""
        self._loop.do(self._run.retry(step, by=by))

    def undo(
        self, to: str | None = None, *, only: str | None = None, by: str | None = None
    ) -> None:
        """Take back what is owed; with `to`, keep that step; with `only`, that step's alone."""
        self._loop.do(self._run.undo(to, only=only, by=by))

    def events(self, after: int = 0) -> Iterator[Told]:
        """What happens, from entry `after` on, until the run has ended."""
        events = self._run.events(after)
        try:
            while (told := self._loop.do(_next(events))) is not None:
                yield told
        finally:
            self._loop.do(_closed(events))


async def _opened(
    home: str | Path | None, tools: Iterable[AnyTool] | Toolroom, options: Options
) -> AsyncEngine:
    return await AsyncEngine.open(home, tools, **options)


async def _done(function: Callable[P, Awaitable[T]], *args: P.args, **kwargs: P.kwargs) -> T:
    return await function(*args, **kwargs)


async def _next(events: Any) -> Told | None:
    found: Told | None = await anext(events, None)
    return found


async def _closed(events: Any) -> None:
    await events.aclose()
