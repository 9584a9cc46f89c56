"""Isolated tools: sync functions in worker processes, which can be killed.

Workers are started when none is idle, kept for the next call, and tied to this process: they die
when it does. What happens inside one is `worker`.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import sys
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from typing_extensions import override

from callsheet.errors import NotDoneError
from callsheet.tools.calling.child import Child
from callsheet.tools.calling.dialogue import UnstoppableError, converse
from callsheet.tools.calling.failure import WorkerDiedError, exception_of
from callsheet.tools.message import (
    HEADER,
    Call,
    Failed,
    Gone,
    Load,
    Returned,
    Started,
    frame,
    from_worker,
)

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from callsheet.core.value import Json
    from callsheet.ports import Context
    from callsheet.tools.function.declare import AnyTool
    from callsheet.tools.message import FromWorker, Said, ToWorker

MOST_IDLE = 4
_LAST_WORDS = 0.1
"""Seconds in which a dead worker's words may still arrive, when its children hold the line open."""
_PATIENCE = 5.0
_STDERR = 2
_BOOT = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); fd = int(sys.argv[2]); "
    "sys.argv[1:] = []; from callsheet.tools.calling.worker import main; main(fd)"
)


_ready: WeakKeyDictionary[asyncio.AbstractEventLoop, list[_Worker]] = WeakKeyDictionary()
"""Workers that were started ahead, and that no registry has taken yet."""


@contextlib.asynccontextmanager
async def workers_ahead(*names: str, many: int = 1) -> AsyncIterator[Callable[..., None]]:
    """Start workers ahead, which import modules while this process is busy with its own imports.

    Whichever registry of this event loop first needs workers takes them; a call goes to one that
    has imported the module of its tool, if one is free. Those that none has taken in the end are
    killed. Yields a function that has these workers load more, given more names.

    Args:
        names: modules to import, as `pkg.mod`, and functions to call, as `pkg.mod:function`: they
            take no arguments and keep what they have made ready.
        many: how many workers.
    """
    waiting = _ready.setdefault(asyncio.get_running_loop(), [])
    started = [_Worker(lambda _: None) for _ in range(many)]

    def load(*names: str) -> None:
        for worker in started:
            worker.send(Load(names=list(names)))

    try:
        for worker in started:
            # It is only a head start: who really needs a worker is told why there is none.
            with contextlib.suppress(OSError):
                await worker.start()
                waiting.append(worker)
        load(*names)
        yield load
    finally:
        for worker in started:
            if worker in waiting:
                waiting.remove(worker)
                worker.kill()
                await worker.wait_gone()


class Workers:
    """The worker processes of one registry."""

    def __init__(self) -> None:
        self._idle: list[_Worker] = []
        self._all: set[_Worker] = set()

    async def call(self, tool: AnyTool, args: dict[str, Json], ctx: Context) -> Json:
        """Call an isolated tool. When this is cancelled and the grace is over, it is killed.

        Raises:
            WorkerDiedError: the process died in the middle of the call.
            NotDoneError: it died, or was told to stop, before the function was called; or there
                was no way to start a process.
        """
        name = tool.spec.name
        worker = await self._take(tool)
        try:
            worker.send(_call_of(tool, args, ctx))
            end = await converse(worker, ctx)
        except UnstoppableError as exc:
            ctx.log.warning("tool.killed", tool=name, grace=ctx.grace)
            worker.kill()
            await worker.wait_gone()
            if not worker.started:
                raise _told_before(name) from None
            raise asyncio.CancelledError from exc
        finally:
            self._give_back(worker)
        if isinstance(end, Returned):
            return end.output
        if isinstance(end, Failed):
            raise exception_of(end)
        assert isinstance(end, Gone)
        if not worker.started:
            raise NotDoneError(f"The process for {name!r} ended before it was called.")
        raise WorkerDiedError(name, end.code)

    async def close(self) -> None:
        """Kill them all. Calls that are going on raise `WorkerDiedError`."""
        workers = list(self._all)
        self._idle.clear()
        for worker in workers:
            worker.kill()
        # One that cannot even be killed (it hangs in the kernel) is not waited for.
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_PATIENCE):
                for worker in workers:
                    await worker.wait_gone()

    async def _take(self, tool: AnyTool) -> _Worker:
        waiting = self._waiting(tool)
        if waiting is not None:
            return waiting
        name = tool.spec.name
        worker = _Worker(self._forget)
        self._all.add(worker)
        try:
            await worker.start()
        except BaseException as exc:
            self._forget(worker)
            if isinstance(exc, asyncio.CancelledError):
                raise _told_before(name) from None
            if isinstance(exc, OSError):
                raise NotDoneError(f"No process can be started for {name!r}: {exc}") from exc
            raise
        return worker

    def _waiting(self, tool: AnyTool) -> _Worker | None:
        """One that has nothing to do, best one that has loaded what the tool needs."""
        assert tool.place is not None
        module = tool.place.module
        ahead = _ready.get(asyncio.get_running_loop(), [])
        free = [each for each in (*reversed(self._idle), *ahead) if not each.gone]
        if not free:
            return None
        worker = max(free, key=lambda each: module in each.knows)
        (self._idle if worker in self._idle else ahead).remove(worker)
        worker.forget = self._forget
        self._all.add(worker)
        return worker

    def _forget(self, worker: _Worker) -> None:
        self._all.discard(worker)
        if worker in self._idle:
            self._idle.remove(worker)

    def _give_back(self, worker: _Worker) -> None:
        if worker.free and not worker.gone and len(self._idle) < MOST_IDLE:
            self._idle.append(worker)
        else:
            worker.kill()


class _Worker:
    """One worker process, and a `dialogue.Peer`."""

    def __init__(self, forget: Callable[[_Worker], None]) -> None:
        self.inbox: asyncio.Queue[Said] = asyncio.Queue()
        self.started = False
        """Whether the function of the present call may have begun."""
        self.free = False
        """Whether the last call has ended, so that there can be another."""
        self.gone = False
        self.knows: set[str] = set()
        """The modules that it has loaded, or will have before it takes another call."""
        self.forget = forget
        """Called when it is gone."""
        self._ended = asyncio.Event()
        self._code: int | None = None
        self._has_exited = False
        self._child: Child | None = None
        self._wire: asyncio.Transport | None = None

    async def start(self) -> None:
        """Start the process; it takes calls as soon as it has come up."""
        ours, theirs = socket.socketpair()
        with theirs:
            loop = asyncio.get_running_loop()
            try:
                self._wire, _ = await loop.create_connection(lambda: _Wire(self), sock=ours)
                path, fd = json.dumps([str(p) for p in sys.path]), theirs.fileno()
                self._child = Child(
                    [sys.executable, "-P", "-c", _BOOT, path, str(fd)],
                    ended=self._exited,
                    stdout=_STDERR,  # ours may be for JSON alone
                    stderr=None,
                    pass_fds=[fd],
                )
            except BaseException:
                ours.close()
                if self._wire is not None:
                    self._wire.abort()
                raise

    def send(self, message: ToWorker) -> None:
        """Tell it."""
        if isinstance(message, Call):
            self.started = self.free = False
            self.knows.add(message.module)
        elif isinstance(message, Load):
            self.knows.update(message.modules)
        if self._wire is not None and not self._wire.is_closing():
            self._wire.write(frame(message))

    def hear(self, message: FromWorker) -> None:
        """Note what it says."""
        if isinstance(message, Started):
            self.started = True
        elif isinstance(message, (Returned, Failed)):
            self.free = True
        self.inbox.put_nowait(message)

    def kill(self) -> None:
        """Kill it, and whatever it has started."""
        if self._child is not None:
            self._child.kill()

    async def wait_gone(self) -> None:
        """Return when it is no more."""
        await self._ended.wait()

    def wire_lost(self) -> None:
        """Its end of the line was closed: it is dying, or of no use."""
        if self._has_exited:
            self._over()
        else:
            self.kill()

    def _exited(self, code: int | None) -> None:
        self._code = code
        self._has_exited = True
        if self._wire is None or self._wire.is_closing():
            self._over()
        else:
            asyncio.get_running_loop().call_later(_LAST_WORDS, self._over)

    def _over(self) -> None:
        if self.gone:
            return
        self.gone = True
        if self._wire is not None:
            self._wire.abort()
        self.forget(self)
        self.inbox.put_nowait(Gone(self._code))
        self._ended.set()


class _Wire(asyncio.Protocol):
    """Cuts the bytes that come from a worker into messages."""

    def __init__(self, worker: _Worker) -> None:
        self._worker = worker
        self._buffer = bytearray()

    @override
    def data_received(self, data: bytes) -> None:
        buffer = self._buffer
        buffer += data
        while len(buffer) >= HEADER:
            end = HEADER + int.from_bytes(buffer[:HEADER], "big")
            if len(buffer) < end:
                return
            message = from_worker.decode(buffer[HEADER:end])
            del buffer[:end]
            self._worker.hear(message)

    @override
    def connection_lost(self, exc: Exception | None) -> None:
        self._worker.wire_lost()


def _told_before(name: str) -> NotDoneError:
    return NotDoneError(f"{name!r} was told to stop before it was called.")


def _call_of(tool: AnyTool, args: dict[str, Json], ctx: Context) -> Call:
    assert tool.place is not None
    return Call(
        tool=tool.spec.name,
        module=tool.place.module,
        qualname=tool.place.qualname,
        file=tool.place.file,
        args=args,
        run=ctx.run,
        step=ctx.step,
        attempt=ctx.attempt,
        key=ctx.key,
        saved=ctx.saved,
        grace=ctx.grace,
        emitted=ctx.emitted,
    )
