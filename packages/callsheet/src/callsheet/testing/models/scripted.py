"""A model that follows a script, without a network: for the tests of whoever builds on turns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet.agents.assembler import Assembler
from callsheet.agents.model import (
    CallDelta,
    Request,
    Response,
    Stop,
    Streamed,
    TextDelta,
    ThinkingDelta,
    Usage,
)
from callsheet.agents.naming import Names
from callsheet.errors import InvalidError, TransientError
from callsheet.runtime.clock import SystemClock
from callsheet.testing.models.lines import Drop, End, Fail, Gate, Pause, Piece, Say, Think

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Iterable, Iterator

    from callsheet.ports import Clock
    from callsheet.testing.models.lines import Line


_CALLS = 1000
"""Where the indexes of calls begin: no text has them."""


class ScriptedModel:
    """Answers with what it is given, in order. Implements `Model`."""

    def __init__(self, *answers: Iterable[Line], clock: Clock | None = None) -> None:
        self._answers = [tuple(answer) for answer in answers]
        self._clock = clock or SystemClock()
        self._otherwise: Callable[[Request], Iterable[Line]] | None = None
        self.requests: list[Request] = []

    def otherwise(self, answer: Callable[[Request], Iterable[Line]]) -> None:
        """What requests are answered with when the answers are used up."""
        self._otherwise = answer

    def answers(self, *lines: Line) -> None:
        """One answer more."""
        self._answers.append(lines)

    async def close(self) -> None:
        """Nothing is held."""

    async def stream(self, request: Request) -> AsyncGenerator[Streamed, None]:
        """The next answer."""
        self.requests.append(request)
        lines = self._next(request)
        gathered = Assembler(Names(tool.name for tool in request.tools).meant)
        end, index, before = End(), -1, None
        for line in lines:
            await self._wait(line)
            end = line if isinstance(line, End) else end
            if isinstance(line, (Say, Think)) and type(line) is not before:
                index += 1
            before = type(line) if isinstance(line, (Say, Think, Piece)) else before
            for piece in _pieces(line, index):
                gathered.feed(piece)
                yield piece
        usage = Usage(input=end.input, output=end.output)
        reason = end.reason or ("tool_call" if gathered.calls else "stop")
        yield usage
        yield Stop(reason)
        yield Response(
            parts=gathered.parts(),
            model="scripted",
            id=f"scripted-{len(self.requests)}",
            usage=usage,
            stop=reason,
            taken=request.settings,
        )

    def _next(self, request: Request) -> tuple[Line, ...]:
        if self._answers:
            return self._answers.pop(0)
        if self._otherwise is None:
            raise InvalidError("No further answer was scripted.")
        return tuple(self._otherwise(request))

    async def _wait(self, line: Line) -> None:
        match line:
            case Pause(seconds=seconds):
                await self._clock.sleep(seconds)
            case Gate(event=event):
                await event.wait()
            case Fail(message=message):
                raise TransientError(message)
            case Drop():
                raise TransientError("The connection broke.")
            case _:
                pass


def _pieces(line: Line, index: int) -> Iterator[Streamed]:
    match line:
        case Say(text=text, split=split):
            size = split or max(len(text), 1)
            yield from (TextDelta(index, text[at : at + size]) for at in range(0, len(text), size))
        case Think(text=text):
            yield ThinkingDelta(index, text)
        case Piece():
            yield CallDelta(_CALLS + line.index, line.id, line.name, line.arguments)
        case _:
            return
