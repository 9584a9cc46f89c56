"""How an engine is opened: with `async with`, or with `await` and `close`. Says so if it is not."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from functools import wraps
from typing import TYPE_CHECKING, Any, Generic, NoReturn, ParamSpec, Protocol, TypedDict, TypeVar

from callsheet.errors import EngineClosedError, InputError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Generator, Iterable, Mapping
    from contextlib import AbstractAsyncContextManager
    from pathlib import Path
    from types import TracebackType

    from callsheet.agents.agent import Agent
    from callsheet.agents.model import Model
    from callsheet.engine.home import Sync
    from callsheet.observe.alerts import Alert
    from callsheet.observe.telemetry import Telemetry
    from callsheet.ports import Clock, Secrets
    from callsheet.tools.outside.network import Network

P = ParamSpec("P")


class Closable(Protocol):
    """Something that may be given the way to close it."""

    _keeper: Keeper | None


E = TypeVar("E", bound=Closable)

NO_HOME = (
    "Say where runs are kept: Engine.open('.callsheet') for a directory, or Engine.in_memory() if "
    "nothing has to outlive the process."
)
_ASYNC = "Write `async with Engine.open(...) as engine:`, or `engine = await Engine.open(...)`"
_SYNC = "Code that is not async opens one with `with callsheet.sync.open_engine(...) as engine:`."


class InMemory(TypedDict, total=False):
    """What can be said of every engine; `Engine.open` explains it."""

    allow_shell: bool
    allow_private: bool | Iterable[str] | Network
    plugins: bool | Iterable[str]
    config: str | Path | None
    files: str | Path | None
    artifacts: str | Path | None
    secrets: Mapping[str, str] | Secrets | None
    telemetry: Telemetry | bool
    on_alert: Callable[[Alert], object] | None
    drain: float
    clock: Clock | None
    agents: Iterable[Agent]
    models: Mapping[str, Model] | None


class Options(InMemory, total=False):
    """What can be said of an engine that has a home."""

    sync: Sync
    drive: bool
    recover: bool
    create: bool


def opening(open_it: Callable[P, AsyncIterator[E]]) -> Callable[P, Opening[E]]:
    """Make an opener of an async generator that yields what is open."""
    manager = asynccontextmanager(open_it)

    @wraps(open_it)
    def opened(*args: P.args, **kwargs: P.kwargs) -> Opening[E]:
        # The first is the class. Without a home Python would only say that one is missing.
        if len(args) < 2 and "home" not in kwargs:  # noqa: PLR2004 -- see above
            raise InputError(NO_HOME)
        return Opening(manager(*args, **kwargs))

    return opened


class Opening(Generic[E]):
    """An engine that is about to be opened."""

    def __init__(self, manager: AbstractAsyncContextManager[E]) -> None:
        self._manager = manager

    async def __aenter__(self) -> E:
        return await self._manager.__aenter__()

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool | None:
        return await self._manager.__aexit__(kind, error, trace)

    def __await__(self) -> Generator[Any, None, E]:
        return self._kept_open().__await__()

    async def _kept_open(self) -> E:
        keeper = Keeper(self._manager)
        engine: E = await keeper.open()
        engine._keeper = keeper  # noqa: SLF001 -- its own
        return engine

    def __enter__(self) -> NoReturn:
        raise InputError(f"This engine is async. {_ASYNC}. {_SYNC}")

    def __exit__(self, *_: object) -> None:
        """There is nothing to close."""

    def __getattr__(self, name: str) -> NoReturn:
        # Without this, a forgotten `await` is an error about a class that nobody knows.
        raise AttributeError(
            f"The engine is not open yet, so it has no {name!r}. {_ASYNC}. {_SYNC}"
        )


class Keeper:
    """Holds an engine open in a task of its own, whichever tasks open and close it."""

    def __init__(self, manager: AbstractAsyncContextManager[Any]) -> None:
        self._manager = manager
        self._task: asyncio.Task[None] | None = None
        self._closing = asyncio.Event()

    async def open(self) -> Any:
        """What is open now."""
        ready: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        # Its owner is whoever closes the engine, or the event loop when it ends.
        self._task = asyncio.get_running_loop().create_task(self._hold(ready), name="engine")
        try:
            await asyncio.wait({self._task, ready}, return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            self._task.cancel()
            raise
        if not ready.done():
            await self._task  # raises why it cannot be opened
        return ready.result()

    async def _hold(self, ready: asyncio.Future[Any]) -> None:
        async with self._manager as opened:
            ready.set_result(opened)
            await self._closing.wait()

    async def close(self) -> None:
        """Close it; a second time it is closed already."""
        assert self._task is not None
        self._closing.set()
        await asyncio.shield(self._task)


async def close(keeper: Keeper | None) -> None:
    """Close what was opened with `await`.

    Raises:
        EngineClosedError: it was opened with `async with`, whose end closes it.
    """
    if keeper is None:
        raise EngineClosedError(
            "This engine was opened with `async with`, and closes at the end of that block. To "
            "close it by hand, open it with `engine = await Engine.open(...)`."
        )
    await keeper.close()
