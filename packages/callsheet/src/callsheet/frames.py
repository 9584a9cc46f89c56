"""Where an exception was raised, in the frames of whoever wrote the tool.

Below everything, because it is needed on both sides of the line to a worker process.
"""

from __future__ import annotations

from pathlib import Path
from traceback import TracebackException
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_FRAMES = 40
LONGEST = 8_000
"""Characters; of what is longer, the middle is left out: the error stands at the end."""
FROM_WORKER = "In the worker process:\n"
"""How the note on an exception begins that was raised in another process."""
_OURS = str(Path(__file__).parent)


def frames_of(exc: BaseException) -> str:
    """The traceback of an exception, without our own frames; empty if there are no others.

    What cannot be written down as UTF-8 is spelled out.
    """
    for note in getattr(exc, "__notes__", ()):
        if isinstance(note, str) and note.startswith(FROM_WORKER):
            return note.removeprefix(FROM_WORKER)
    # An exception of a tool's own making may do anything when it is looked at.
    try:
        told = TracebackException.from_exception(exc, limit=-MOST_FRAMES, compact=True)
        theirs = [_cut(each) for each in _chain(told)]
        if not any(theirs):
            return ""
        text = "".join(told.format()).rstrip()
    except Exception:  # noqa: BLE001 -- a failure without a traceback is better than none
        return ""
    return _bounded(text.encode("utf-8", "backslashreplace").decode())


def _chain(told: TracebackException | None) -> Iterator[TracebackException]:
    while told is not None:
        yield told
        told = told.__cause__ or told.__context__


def _cut(told: TracebackException) -> bool:
    """Leave our frames out; whether any are left."""
    told.stack[:] = [frame for frame in told.stack if not frame.filename.startswith(_OURS)]
    return bool(told.stack)


def _bounded(text: str) -> str:
    if len(text) <= LONGEST:
        return text
    head = LONGEST // 4
    return f"{text[:head]}\n  …\n{text[head - LONGEST :]}"
