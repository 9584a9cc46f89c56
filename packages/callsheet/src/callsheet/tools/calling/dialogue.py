"""The event loop's half of a conversation with a tool that runs in a thread or a process."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from callsheet.errors import CallsheetError, StoreFullError
from callsheet.tools.message import (
    Add,
    Answer,
    Charge,
    Checkpoint,
    Emitted,
    Failed,
    Fetch,
    Gone,
    Halt,
    HowLong,
    Keep,
    Logged,
    Progressed,
    Raised,
    Returned,
    Started,
    Stop,
    TakeBack,
    Then,
)

if TYPE_CHECKING:
    from callsheet.core.value import Json
    from callsheet.ports import Context
    from callsheet.tools.message import End, Question, Said


class Peer(Protocol):
    """A working tool, as the event loop sees it."""

    inbox: asyncio.Queue[Said]

    def send(self, message: Stop | Answer) -> None:
        """Tell it. Lost when it is gone."""
        ...


class UnstoppableError(Exception):
    """The tool was told to stop and had its grace, and still runs."""


async def converse(peer: Peer, ctx: Context) -> End:
    """Serve a working tool until it ends, and say how it ended.

    When this is cancelled, the tool is told, and has the grace; then its end is the end of this,
    because it says more about what happened than the cancellation does.

    Raises:
        UnstoppableError: it did not end within the grace. (A second cancellation does not wait.)
    """
    try:
        return await _serve(peer, ctx)
    except asyncio.CancelledError as told:
        peer.send(Stop())
        try:
            async with asyncio.timeout(ctx.grace):
                return await _serve(peer, ctx)
        except TimeoutError:
            raise UnstoppableError from told


async def _serve(peer: Peer, ctx: Context) -> End:
    while True:
        said = await peer.inbox.get()
        if isinstance(said, (Returned, Failed, Raised, Gone)):
            return said
        if isinstance(said, (Started, Progressed, Emitted, Logged)):
            _hear(said, ctx)
        else:
            await _answer(peer, said, ctx)


def _hear(said: Started | Progressed | Emitted | Logged, ctx: Context) -> None:
    if isinstance(said, Progressed):
        ctx.progress(said.fraction, said.message)
    elif isinstance(said, Emitted):
        # That it says too much, or too late, is seen to when it ends.
        with contextlib.suppress(CallsheetError):
            ctx.emit(said.text)
    elif isinstance(said, Logged):
        say = ctx.log.info if said.level == "info" else ctx.log.warning
        say(said.event, **said.fields)


async def _answer(peer: Peer, question: Question, ctx: Context) -> None:
    """Do what is asked. The tool waits: whatever happens, it gets an answer."""
    answer = Answer(cancelled=True)
    try:
        answer = Answer(value=await _done(question, ctx))
    except StoreFullError:
        pass  # the run is interrupted, and its calls with it
    except Exception as exc:  # noqa: BLE001 -- it is the tool's to deal with
        if isinstance(exc, CallsheetError):
            answer = Answer(problem=exc.message, kind=type(exc).__name__)
        else:
            answer = Answer(problem=f"{type(exc).__name__}: {exc}")
    finally:
        peer.send(answer)


async def _done(question: Question, ctx: Context) -> Json:
    match question:
        case Checkpoint():
            await ctx.checkpoint(question.data)
        case Charge():
            ctx.charge(usd=question.usd, credits=question.credits, tokens=question.tokens)
        case Add():
            await ctx.add(question.steps, question.checkpoint)
        case Then():
            await ctx.then(question.steps, seal=question.seal, output=question.output)
        case Halt():
            await ctx.stop(question.step)
        case TakeBack():
            await ctx.undo(question.step)
        case _:
            return await _got(question, ctx)
    return None


async def _got(question: Fetch | Keep | HowLong, ctx: Context) -> Json:
    """What the tool wants to have."""
    if isinstance(question, HowLong):
        return ctx.seconds
    if isinstance(question, Fetch):
        return str(await ctx.file(question.artifact))
    content = question.data if question.data is not None else Path(question.path)
    text = content.decode() if question.is_text and isinstance(content, bytes) else content
    kept = await ctx.store(text, media_type=question.media_type, name=question.name)
    return kept.to_json()
