"""Named places at which a test may kill the process, to prove that nothing is lost there.

`CALLSHEET_CRASH_AT=name:n` kills the process, as `kill -9` would, when the place is reached for the
nth time. Unset, which is always but in such a test, a place costs a call and a comparison.
"""

from __future__ import annotations

import os
import signal

POINTS = (
    "append.before",
    "append.after",
    "end.before",
    "end.after",
    "begin.before",
    "call.before",
    "call.after",
    "checkpoint.after",
    "add.before",
    "add.after",
    "text.before",
    "text.after",
    "then.before",
    "then.after",
    "timer.before",
    "tell.before",
    "tell.after",
    "undo.before",
    "undo.after",
    "request.before",
    "request.after",
    "settle.after",
    "recover.before",
    "recover.after",
)
"""In the order in which a run may come to them; `before` and `after` what is not said again."""

_name, _, _count = os.environ.get("CALLSHEET_CRASH_AT", "").partition(":")
ARMED = _name or None
_left = int(_count or 1)


def reach(point: str) -> None:
    """Die here, if this is the place and the time."""
    global _left  # noqa: PLW0603 -- a process dies once; there is no object this could belong to
    if point != ARMED:
        return
    _left -= 1
    if not _left:
        os.kill(os.getpid(), signal.SIGKILL)
