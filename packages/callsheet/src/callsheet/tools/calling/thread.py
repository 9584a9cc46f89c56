"""Sync tools in threads of our own.

The threads are daemons: one that never returns keeps nobody from exiting. (Those of
`asyncio.to_thread` are waited for.) There is no cap: a call that is admitted and journalled starts.
"""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import queue
import threading
from functools import partial
from typing import TYPE_CHECKING, Any

from callsheet.errors import AbandonedError, NotDoneError
from callsheet.tools.blocking import SyncContext
from callsheet.tools.calling.dialogue import UnstoppableError, converse
from callsheet.tools.message import Answer, Raised, Returned, Stop
from callsheet.tools.output import as_json

if TYPE_CHECKING:
    from collections.abc import Callable

    from callsheet.core.value import Json
    from callsheet.ports import Context
    from callsheet.tools.function.declare import AnyTool
    from callsheet.tools.message import Emitted, Logged, Progressed, Question, Said

MOST_IDLE = 32


class Threads:
    """Threads that are used again, and started when none is idle."""

    def __init__(self) -> None:
        self._idle: list[queue.SimpleQueue[Callable[[], None] | None]] = []
        self._closed = False

    def start(self, work: Callable[[], None]) -> None:
        """Do it in a thread, now. The work must not raise.

        Raises:
            NotDoneError: there is no way to start a thread.
        """
        try:
            self._idle.pop().put(work)
        except IndexError:
            thread = threading.Thread(
                target=self._run, args=(work,), name="callsheet-tool", daemon=True
            )
            try:
                thread.start()
            except RuntimeError as exc:
                raise NotDoneError(f"No thread can be started: {exc}") from exc

    def close(self) -> None:
        """Let the idle ones end. Those at work end when their work does."""
        self._closed = True
        while self._idle:
            self._idle.pop().put(None)

    def _run(self, work: Callable[[], None] | None) -> None:
        orders: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        while work is not None:
            work()
            # Let go of it, and of all it holds, before waiting for the next.
            del work
            if self._closed or len(self._idle) >= MOST_IDLE:
                return
            self._idle.append(orders)
            work = orders.get()


class LeftBehindError(asyncio.CancelledError):
    """A cancellation that has left a thread behind, like `AbandonedError`."""

    def __init__(self, has_ended: Callable[[], bool]) -> None:
        super().__init__()
        self.has_ended = has_ended


class ThreadLine:
    """The line between a thread and the event loop: `blocking.Line` there, `dialogue.Peer` here."""

    def __init__(self) -> None:
        self.inbox: asyncio.Queue[Said] = asyncio.Queue()
        self.stop = threading.Event()
        self.ended = threading.Event()
        """The function has returned, whether anybody listens or not."""
        self._loop = asyncio.get_running_loop()
        self._answers: queue.SimpleQueue[Answer] = queue.SimpleQueue()
        self._asking = threading.Lock()
        self._open = True

    def post(self, message: Progressed | Emitted | Logged | Question | Returned | Raised) -> None:
        """Say something to the event loop."""
        if self._open:
            # A closed loop: the tool was abandoned and nobody listens.
            with contextlib.suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self.inbox.put_nowait, message)

    def ask(self, question: Question) -> Answer:
        """Say something to the event loop and wait until it is done."""
        with self._asking:
            if not self._open:
                return Answer(cancelled=True)
            self.post(question)
            return self._answers.get()

    def send(self, message: Stop | Answer) -> None:
        """Say something to the thread."""
        if isinstance(message, Stop):
            self.stop.set()
        else:
            self._answers.put(message)

    def hang_up(self) -> None:
        """Nobody listens from now on; who waits for an answer is told."""
        self._open = False
        self.stop.set()
        self._answers.put(Answer(cancelled=True))


async def call_in_thread(
    threads: Threads, tool: AnyTool, arguments: dict[str, Any], ctx: Context
) -> Json:
    """Call a sync tool in a thread.

    A thread cannot be killed. One that is still there when the grace is over is left behind.

    Raises:
        AbandonedError: it was left behind, and may still be running.
    """
    line = ThreadLine()
    if tool.parameters.context:
        arguments[tool.parameters.context] = SyncContext(
            line,
            run=ctx.run,
            step=ctx.step,
            attempt=ctx.attempt,
            key=ctx.key,
            saved=ctx.saved,
            grace=ctx.grace,
            emitted=ctx.emitted,
        )
    work = partial(contextvars.copy_context().run, _perform, tool, arguments, line)
    threads.start(work)
    try:
        end = await converse(line, ctx)
    except asyncio.CancelledError:  # told twice: nobody waits for the grace
        raise LeftBehindError(line.ended.is_set) from None
    except UnstoppableError:
        ctx.log.warning("tool.abandoned", tool=tool.spec.name, grace=ctx.grace)
        left = AbandonedError(f"{tool.spec.name!r} could not be stopped and may still be running.")
        left.has_ended = line.ended.is_set
        raise left from None
    finally:
        line.hang_up()
    if isinstance(end, Returned):
        return end.output
    assert isinstance(end, Raised)
    raise end.error


def _perform(tool: AnyTool, arguments: dict[str, Any], line: ThreadLine) -> None:
    try:
        line.post(Returned(output=as_json(tool.spec.name, tool.function(**arguments))))
    except BaseException as exc:  # noqa: BLE001 -- the caller's to deal with, a SystemExit too
        line.post(Raised(exc))
    finally:
        line.ended.set()
