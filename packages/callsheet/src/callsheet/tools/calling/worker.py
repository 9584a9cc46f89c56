"""Inside a worker process: calls sync functions, one after the other, and says what became of them.

The main thread works, another listens. When the line breaks, nobody is left to work for: the
process ends at once, with everything it has started.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import os
import queue
import signal
import socket
import sys
import threading
from typing import TYPE_CHECKING, NoReturn

from callsheet.core.ids import RunId, StepKey
from callsheet.errors import FatalError, NotDoneError
from callsheet.tools.blocking import SyncContext
from callsheet.tools.calling.failure import failed
from callsheet.tools.function.declare import Tool
from callsheet.tools.function.place import Place, find, make_ready
from callsheet.tools.message import (
    HEADER,
    Answer,
    Call,
    Load,
    Returned,
    Started,
    Stop,
    frame,
    to_worker,
)
from callsheet.tools.output import as_json

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from callsheet.tools.function.schema import Parameters
    from callsheet.tools.message import Failed, FromWorker, Message, Question, ToWorker


def main(descriptor: int) -> NoReturn:
    """Work until the line breaks. The process must lead its own group."""
    desk = Desk(socket.socket(fileno=descriptor))
    threading.Thread(target=desk.listen, name="callsheet-listen", daemon=True).start()
    desk.work()


class WireLine:
    """The line of one call (`blocking.Line`).

    Closed with it: a thread that a call leaves behind must not speak in the next one's name.
    """

    def __init__(self, say: Callable[[Message], None]) -> None:
        self.stop = threading.Event()
        self._say = say
        self._answers: queue.SimpleQueue[Answer] = queue.SimpleQueue()
        self._asking = threading.Lock()
        self._speaking = threading.Lock()
        self._open = True

    def post(self, message: FromWorker) -> None:
        """Say something to the event loop."""
        with self._speaking:
            if self._open:
                self._say(message)

    def ask(self, question: Question) -> Answer:
        """Say something to the event loop and wait until it is done."""
        with self._asking:
            if not self._open:
                return Answer(cancelled=True)
            self.post(question)
            return self._answers.get()

    def answer(self, answer: Answer) -> None:
        """Pass on an answer."""
        self._answers.put(answer)

    def end(self, message: Returned | Failed) -> None:
        """Say the last word."""
        with self._speaking:
            self._open = False
            self._say(message)
        self.stop.set()
        self._answers.put(Answer(cancelled=True))


class Desk:
    """Where calls come in, and words go out."""

    def __init__(self, wire: socket.socket) -> None:
        self._wire = wire
        self._calls: queue.SimpleQueue[tuple[Call, WireLine] | Load] = queue.SimpleQueue()
        self._line = WireLine(self._say)

    def listen(self) -> None:
        """Take in what is said; ends only with the process."""
        # However this ends (the line breaks, it says something strange), the process must not stay.
        with contextlib.suppress(Exception):
            while header := self._read(HEADER):
                self._hear(to_worker.decode(self._read(int.from_bytes(header, "big"))))
        if os.getpgrp() == os.getpid():
            os.killpg(0, signal.SIGKILL)
        os._exit(1)

    def work(self) -> NoReturn:
        """Do what comes in."""
        while True:
            come = self._calls.get()
            if isinstance(come, Load):
                _load(come)
            else:
                _perform(*come)

    def _hear(self, message: ToWorker) -> None:
        if isinstance(message, Load):
            self._calls.put(message)
        elif isinstance(message, Call):
            self._line = WireLine(self._say)
            self._calls.put((message, self._line))
        elif isinstance(message, Stop):
            self._line.stop.set()
        else:
            self._line.answer(message)

    def _read(self, size: int) -> bytes:
        parts = []
        while size:
            part = self._wire.recv(min(size, 1 << 20))
            if not part:
                return b""
            parts.append(part)
            size -= len(part)
        return b"".join(parts)

    def _say(self, message: Message) -> None:
        self._wire.sendall(frame(message))


def _load(load: Load) -> None:
    # What is imported stays: to look for garbage in it, again and again, takes a tenth of the time.
    gc.disable()
    for name in load.names:
        # What is wrong with it is told when a tool in it is called.
        with contextlib.suppress(Exception):
            make_ready(name)
    gc.freeze()
    gc.enable()


def _perform(call: Call, line: WireLine) -> None:
    last: Returned | Failed
    try:
        function, arguments = _prepare(call, line)
        line.post(Started())
        last = Returned(output=as_json(call.tool, function(**arguments)))
    except BaseException as exc:  # noqa: BLE001 -- the caller's to deal with, a SystemExit too
        last = failed(exc)
    with contextlib.suppress(OSError, ValueError):
        sys.stdout.flush()
    line.end(last)


def _prepare(call: Call, line: WireLine) -> tuple[Callable[..., object], dict[str, Any]]:
    """Everything that comes before the call, so that an error in it says: nothing was done."""
    function, parameters = _found(call)
    arguments = parameters.bind(call.args)
    if parameters.context:
        arguments[parameters.context] = SyncContext(
            line,
            run=RunId(call.run),
            step=StepKey(call.step),
            attempt=call.attempt,
            key=call.key,
            saved=call.saved,
            grace=call.grace,
            emitted=call.emitted,
        )
    if line.stop.is_set():
        raise NotDoneError(f"{call.tool!r} was told to stop before it was called.")
    return function, arguments


def _found(call: Call) -> tuple[Callable[..., object], Parameters]:
    place = Place(module=call.module, qualname=call.qualname, file=call.file)
    try:
        found = find(place)
    except BaseException as exc:
        msg = f"The worker process cannot load {call.tool!r}: {type(exc).__name__}: {exc}"
        raise FatalError(msg) from exc
    if isinstance(found, Tool):
        # A second function of the same name may have taken its place in the module.
        if found.spec.name == call.tool:
            return found.function, found.parameters
    elif callable(found):
        return found, _parameters_of(found)
    msg = f"{call.module}.{call.qualname} is not {call.tool!r} any more; give each its own name."
    raise FatalError(msg)


@functools.cache
def _parameters_of(function: Callable[..., object]) -> Parameters:
    from callsheet.tools.function.schema import parameters_of

    return parameters_of(function)
