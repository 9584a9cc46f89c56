"""A model server for tests: real HTTP on loopback, answers scripted down to the byte."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

from callsheet.runtime.clock import SystemClock
from callsheet.testing.models.google import Google
from callsheet.testing.models.lines import Drop, End, Fail, Gate, Pause, Raw
from callsheet.testing.models.speech import Anthropic, OpenAI, Speech

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from types import TracebackType

    from callsheet.testing.models.lines import Line

_SPEECHES: dict[str, Callable[[str, int], Speech]] = {
    "/v1/chat/completions": OpenAI,
    "/chat/completions": OpenAI,
    "/v1/messages": Anthropic,
}


_GEMINI = re.compile(r"/v1(?:beta)?/models/([^/:]+):streamGenerateContent\Z")


def _speech(asked: Asked, number: int) -> Speech | None:
    """How a request wants to be answered; None: nobody speaks so here."""
    if gemini := _GEMINI.match(asked.path):
        return Google(gemini[1], number)
    kind = _SPEECHES.get(asked.path)
    return kind(str(asked.body.get("model")), number) if kind else None


@dataclass(eq=False)
class Asked:
    """A request that came in."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]
    at: float
    """By the event loop's clock."""
    left: asyncio.Event = field(default_factory=asyncio.Event)
    """The client has gone before the answer was over."""
    left_at: float | None = None
    sent: asyncio.Event = field(default_factory=asyncio.Event)
    """All of the answer has been sent."""


class ModelServer:
    """Speaks as OpenAI (`/v1/chat/completions`), Anthropic (`/v1/messages`) and Gemini do.

        async with ModelServer() as server:
            server.answers(Say("Looking. "), *calls("call_1", "weather", {"city": "Oslo"}))
            server.answers(Say("Cold."))
            ...  # base_url = server.openai, server.anthropic, or server.google

    Each request gets the next answer; one too many is an error that says so.
    """

    def __init__(self, *, chop: int = 0) -> None:
        """With `chop`, everything is sent in pieces of so many bytes."""
        self._chop = chop
        self._answers: list[tuple[Line, ...]] = []
        self._otherwise: Callable[[Asked], Iterable[Line]] | None = None
        self.requests: list[Asked] = []
        self.came = asyncio.Event()
        """Set at each request; whoever waits for the next one clears it."""
        self._clock = SystemClock()
        self._server: asyncio.Server | None = None
        self._going: set[asyncio.Task[Any]] = set()
        self._port = 0

    @property
    def openai(self) -> str:
        """The `base_url` for OpenAI's protocol."""
        return f"http://127.0.0.1:{self._port}/v1"

    @property
    def anthropic(self) -> str:
        """The `base_url` for Anthropic's protocol."""
        return f"http://127.0.0.1:{self._port}"

    @property
    def google(self) -> str:
        """The `base_url` for Gemini's protocol."""
        return f"http://127.0.0.1:{self._port}"

    def answers(self, *lines: Line) -> None:
        """What the next request that has no answer yet is answered with."""
        self._answers.append(lines)

    def otherwise(self, answer: Callable[[Asked], Iterable[Line]]) -> None:
        """What requests are answered with when the answers are used up."""
        self._otherwise = answer

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self._port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        assert self._server is not None
        self._server.close()
        for task in self._going:
            task.cancel()
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(self._server.wait_closed(), 1)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._going.add(task)
        try:
            # One answer for each connection: whoever leaves in the middle of it is seen to.
            asked = await self._read(reader)
            if asked is not None:
                await self._answer(asked, reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            return
        finally:
            self._going.discard(task)
            writer.close()

    async def _read(self, reader: asyncio.StreamReader) -> Asked | None:
        line = await reader.readline()
        if not line.strip():
            return None
        path = line.split()[1].decode().partition("?")[0]
        headers: dict[str, str] = {}
        while (line := await reader.readline()).strip():
            name, _, said = line.decode().partition(":")
            headers[name.strip().lower()] = said.strip()
        body = await reader.readexactly(int(headers.get("content-length", "0")))
        asked = Asked(path, headers, json.loads(body or b"{}"), asyncio.get_running_loop().time())
        self.requests.append(asked)
        self.came.set()
        return asked

    async def _answer(
        self, asked: Asked, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        lines = self._next(asked)
        if lines and isinstance(lines[0], Fail):
            await self._fail(lines[0], asked, writer)
            return
        speech = _speech(asked, len(self.requests))
        if speech is None:
            await self._fail(Fail(404, f"there is no {asked.path} here"), asked, writer)
            return
        # Whoever leaves is seen at once: nothing else is sent by a client meanwhile.
        gone = asyncio.get_running_loop().create_task(self._watch(asked, reader))
        try:
            await self._speak(speech, lines, writer)
        finally:
            if not asked.left.is_set():
                asked.sent.set()
            gone.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await gone

    async def _watch(self, asked: Asked, reader: asyncio.StreamReader) -> None:
        with contextlib.suppress(ConnectionError):
            if await reader.read(1):
                return
        asked.left_at = asyncio.get_running_loop().time()
        asked.left.set()

    def _next(self, asked: Asked) -> tuple[Line, ...]:
        if self._answers:
            return self._answers.pop(0)
        if self._otherwise is not None:
            return tuple(self._otherwise(asked))
        return (Fail(400, "no further answer was scripted", type="invalid_request_error"),)

    async def _speak(
        self, speech: Speech, lines: tuple[Line, ...], writer: asyncio.StreamWriter
    ) -> None:
        head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n"
        writer.write(f"{head}transfer-encoding: chunked\r\n\r\n".encode())
        ended = False
        for data in speech.begin():
            await self._send(writer, data)
        for line in lines:
            if isinstance(line, Drop):
                writer.transport.abort()
                return
            ended = ended or isinstance(line, (End, Fail))
            await self._line(speech, line, writer)
        if not ended:
            for data in speech.end(End()):
                await self._send(writer, data)
        writer.write(b"0\r\n\r\n")
        await writer.drain()

    async def _line(self, speech: Speech, line: Line, writer: asyncio.StreamWriter) -> None:
        match line:
            case Pause(seconds=seconds):
                await self._clock.sleep(seconds)
            case Gate(event=event):
                await event.wait()
            case Raw(data=data):
                await self._send(writer, data)
            case End():
                for data in speech.end(line):
                    await self._send(writer, data)
            case _:
                for data in speech.say(line):
                    await self._send(writer, data)

    async def _send(self, writer: asyncio.StreamWriter, data: bytes) -> None:
        size = self._chop or len(data)
        for at in range(0, len(data), size):
            piece = data[at : at + size]
            writer.write(b"%x\r\n%b\r\n" % (len(piece), piece))
            await writer.drain()

    async def _fail(self, fail: Fail, asked: Asked, writer: asyncio.StreamWriter) -> None:
        error = {"message": fail.message, "type": fail.type, "code": fail.status}
        said = {"type": "error", "error": error}
        body = json.dumps(said).encode() if fail.body is None else fail.body
        headers = {"content-type": "application/json", "connection": "close", **fail.headers}
        lines = [f"HTTP/1.1 {fail.status} Scripted", f"content-length: {len(body)}"]
        lines += [f"{name}: {said}" for name, said in headers.items()]
        writer.write("\r\n".join([*lines, "", ""]).encode() + body)
        await writer.drain()
        asked.sent.set()
