"""Exceptions of tools as failures: classified, and fit to be written down."""

from __future__ import annotations

import math
from typing import get_args

from callsheet.core.run.entries import Failure
from callsheet.errors import ErrorClass, ToolError
from callsheet.frames import frames_of

LONGEST_WAIT = 366 * 86_400.0
_CLASSES = frozenset(get_args(ErrorClass))


def failure_of(exc: BaseException) -> Failure:
    """An exception, classified. What nobody mapped is fatal, and leaves a write in doubt.

    Whatever a tool has put into it, the failure can be written down and read back.
    """
    name, words = type(exc).__name__, _words_of(exc)
    if isinstance(exc, ToolError):
        try:
            return _declared(exc, words or name)
        except BaseException:  # noqa: BLE001 -- as `_words_of`: it may say these in any way
            return Failure(error_class="fatal", message=words or name, type=name)
    message = f"{name}: {words}" if words else name
    nothing = isinstance(exc, ConnectionRefusedError)
    error_class: ErrorClass = "fatal"
    if isinstance(exc, TimeoutError):
        error_class = "timeout"
    elif isinstance(exc, ConnectionError):
        error_class = "transient"
    return Failure(
        error_class=error_class,
        message=message,
        type=name,
        nothing_happened=nothing,
        traceback=frames_of(exc),
    )


def _declared(exc: ToolError, message: str) -> Failure:
    return Failure(
        error_class=exc.error_class if exc.error_class in _CLASSES else "fatal",
        message=message,
        type=type(exc).__name__,
        retry_after=_wait_of(exc),
        nothing_happened=bool(exc.nothing_happened),
    )


def _words_of(exc: BaseException) -> str:
    try:
        words = str(exc)
    except BaseException:  # noqa: BLE001 -- an exception of the tool's own making may do anything
        return ""
    return words.encode("utf-8", "backslashreplace").decode()


def _wait_of(exc: ToolError) -> float | None:
    """The seconds it asks for, if it names a sensible number."""
    asked: object = getattr(exc, "retry_after", None)
    if not isinstance(asked, (int, float)) or not 0 <= asked < math.inf:
        return None
    return float(min(asked, LONGEST_WAIT))
