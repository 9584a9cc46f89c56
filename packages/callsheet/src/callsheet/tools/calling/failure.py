"""Exceptions on their way from a worker process: named there, made again here.

Only classes that both sides are sure to have are made again: our own and Python's. Of any other
class the name stays in the message.
"""

from __future__ import annotations

import builtins
import signal
from functools import cache
from typing import TYPE_CHECKING

from callsheet import errors
from callsheet.frames import FROM_WORKER, frames_of
from callsheet.tools.message import Failed
from callsheet.tools.output import UnserialisableOutputError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


class WorkerDiedError(ConnectionError):
    """The process of an isolated tool died in the middle of a call.

    Deliberately not a `ToolError`: nobody knows what became of the call. Like a lost connection, it
    may work if it is tried again, by those that may be.
    """

    def __init__(self, tool: str, code: int | None) -> None:
        super().__init__(f"The process of {tool!r} {_end_of(code)} in the middle of the call.")


class HalfDoneError(errors.FatalError):
    """It failed, it will not work if it is tried again, and nobody knows what it has done."""

    nothing_happened = False


class ProgramKilledError(HalfDoneError):
    """A signal ended the program in the middle of its work."""


def broken_off(message: str, *, writes: bool) -> errors.FatalError:
    """The error for a call that failed in a way nobody foresaw: a write may have done its work."""
    return HalfDoneError(message) if writes else errors.FatalError(message)


class ToolRaisedError(RuntimeError):
    """An isolated tool raised an exception of a class that exists only in its process."""


_TOOL_ERRORS: dict[str, type[errors.ToolError]] = {
    kind.__name__: kind
    for kind in (
        errors.ToolError,
        errors.TransientError,
        errors.NotDoneError,
        errors.RateLimitedError,
        errors.ToolTimeoutError,
        errors.InvalidError,
        errors.DeniedError,
        errors.FatalError,
    )
}


@cache
def _others() -> dict[str, type[BaseException]]:
    # Imported here: a worker process in which nothing fails needs nothing of it.
    from asyncio import CancelledError

    return {kind.__name__: kind for kind in (UnserialisableOutputError, CancelledError)}


def failed(exc: BaseException) -> Failed:
    """What is said of an exception."""
    kind = _kind_of(type(exc).__mro__)
    expected = isinstance(exc, errors.ToolError) or kind == "CancelledError"
    return Failed(
        kind=kind,
        type=type(exc).__name__,
        message=_words(lambda: str(exc)),
        retry_after=exc.retry_after if isinstance(exc, errors.ToolError) else None,
        traceback="" if expected else _words(lambda: frames_of(exc)),
    )


def _words(say: Callable[[], str]) -> str:
    """What an exception has to say; one of the tool's own making may do anything then."""
    try:
        return _speakable(say())
    except BaseException:  # noqa: BLE001 -- the call has an end all the same
        return ""


def exception_of(failure: Failed) -> BaseException:
    """The exception, as nearly as it can be made again; the traceback is a note on it."""
    exc: BaseException
    if tool_error := _TOOL_ERRORS.get(failure.kind):
        exc = tool_error(failure.message, retry_after=failure.retry_after)
    else:
        python = getattr(builtins, failure.kind, ToolRaisedError)
        kind: type[BaseException] = _others().get(failure.kind, python)
        exc = kind(failure.message if failure.type == failure.kind else _named(failure))
    if failure.traceback:
        exc.add_note(f"{FROM_WORKER}{failure.traceback}")
    return exc


def _kind_of(classes: Sequence[type]) -> str:
    for kind in classes:
        known = _TOOL_ERRORS.get(kind.__name__) or _others().get(kind.__name__)
        if known is kind or _is_python_error(kind):
            return kind.__name__
    return ""


def _named(failure: Failed) -> str:
    return f"{failure.type}: {failure.message}" if failure.message else failure.type


def _is_python_error(kind: type) -> bool:
    """Whether it is a built-in exception that can be made from a message alone."""
    if kind is Exception or not issubclass(kind, Exception):
        return False
    if getattr(builtins, kind.__name__, None) is not kind:
        return False
    return not issubclass(kind, (UnicodeError, ExceptionGroup, StopIteration, StopAsyncIteration))


def _end_of(code: int | None) -> str:
    if code is None:
        return "was lost"
    if code >= 0:
        return f"exited with code {code}"
    try:
        return f"was killed by {signal.Signals(-code).name}"
    except ValueError:
        return f"was killed by signal {-code}"


def _speakable(text: str) -> str:
    """Without lone surrogates, which cannot be sent."""
    return text.encode("utf-8", "backslashreplace").decode()
