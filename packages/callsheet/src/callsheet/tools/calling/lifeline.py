"""A process group that dies with us, even when we are killed.

We hold the writing end of a pipe, the group holds the reading end. On Linux the kernel itself kills
the whole group when our end closes: nothing has to run in it for that, not even a Python that is
stuck in C code. (`PR_SET_PDEATHSIG` would reach one process only, and not its children.) Elsewhere
this does nothing.
"""

from __future__ import annotations

import fcntl
import os
import signal

_SUPPORTED = hasattr(fcntl, "F_SETSIG")


class Lifeline:
    """Ties a process group to this process. Start it with `start_new_session=True`."""

    def __init__(self) -> None:
        self._held_by_them, self._held_by_us = os.pipe()

    @property
    def pass_fds(self) -> tuple[int]:
        """What the new process must inherit."""
        return (self._held_by_them,)

    def tie(self, group: int) -> None:
        """From now on, the group dies when this process does. Call it once it has been started."""
        if _SUPPORTED:
            fd = self._held_by_them
            fcntl.fcntl(fd, fcntl.F_SETOWN, -group)
            fcntl.fcntl(fd, fcntl.F_SETSIG, signal.SIGKILL)
            fcntl.fcntl(fd, fcntl.F_SETFL, fcntl.fcntl(fd, fcntl.F_GETFL) | os.O_ASYNC)
        # The description, with these settings, lives on in the process that inherited it.
        os.close(self._held_by_them)
        self._held_by_them = -1

    def cut(self) -> None:
        """Close both ends. A tied group that still lives is killed by this."""
        for fd in (self._held_by_them, self._held_by_us):
            if fd >= 0:
                os.close(fd)
        self._held_by_them = self._held_by_us = -1
