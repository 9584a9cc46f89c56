"""While a command is still being put together, Ctrl-C ends it on the spot."""

from __future__ import annotations

import os
import signal
import threading
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

_STDERR = 2
_CANCELLED = 130
"""As in `output.py`, which is one of the imports that take a while."""


@contextmanager
def ends_at_once() -> Iterator[None]:
    """While nothing is open that had to be closed, there is nothing to unwind.

    An exception would not do: an import that is interrupted turns it into others, or swallows it.
    Who ignores Ctrl-C (a job in the background), or listens to it already, goes on doing so.
    """
    hears = threading.current_thread() is threading.main_thread()
    if not hears or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    signal.signal(signal.SIGINT, _end)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _end(_number: int, _frame: FrameType | None) -> None:
    with suppress(OSError):
        os.write(_STDERR, b"\nCancelled. Nothing had been started.\n")
    os._exit(_CANCELLED)
