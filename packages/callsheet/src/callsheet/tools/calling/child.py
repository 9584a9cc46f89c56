"""A child process that leads a group of its own, and takes the group along when it ends."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import threading
from typing import IO, TYPE_CHECKING

from callsheet.tools.calling.lifeline import Lifeline

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path


_GATE = 'read -r go && exec "$@"'
"""Waits on stdin, then becomes the program. If we die before we say so, it never does."""
_DEAF = f"{_GATE} </dev/null"


class Child:
    """A running process, and everything it starts. It dies when this process does.

    Starting it awaits nothing: a cancellation finds it started, or not.
    """

    def __init__(  # noqa: PLR0913 -- what a process is started with
        self,
        words: Sequence[str],
        *,
        ended: Callable[[int | None], None],
        stdout: int,
        stderr: int | None,
        pass_fds: Sequence[int] = (),
        cwd: Path | None = None,
        env: Mapping[str, str] | None = None,
        listens: bool = False,
    ) -> None:
        """Start it. `ended` is called on the event loop with the exit code.

        It is negative for a signal, and None if nobody knows it.

        One that `listens` reads what is written to `input`; others find nothing on their stdin.

        Raises:
            OSError: there is no such directory, or no way to start anything.
        """
        self._loop = asyncio.get_running_loop()
        self._ended = ended
        self._life = Lifeline()
        try:
            self._process = subprocess.Popen(  # noqa: S603 -- that is what it is for
                ["/bin/sh", "-c", _GATE if listens else _DEAF, "sh", *words],
                stdin=subprocess.PIPE,
                stdout=stdout,
                stderr=stderr,
                pass_fds=(*pass_fds, *self._life.pass_fds),
                cwd=cwd,
                env=env,
                bufsize=0,
                start_new_session=True,
            )
        except BaseException:
            self._life.cut()
            raise
        # First tied, then let go: there is no moment in which we could die and leave it behind.
        self._life.tie(self._process.pid)
        threading.Thread(target=self._wait, name="callsheet-child", daemon=True).start()
        with contextlib.suppress(BrokenPipeError):
            self.input.write(b"\n")
        if not listens:
            self.input.close()

    @property
    def input(self) -> IO[bytes]:
        """Its stdin."""
        assert self._process.stdin is not None
        return self._process.stdin

    @property
    def outputs(self) -> tuple[IO[bytes] | None, IO[bytes] | None]:
        """Its stdout and stderr, where they were asked for as pipes."""
        return self._process.stdout, self._process.stderr

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to the whole group. Harmless when it has ended."""
        if self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, number)

    def kill(self) -> None:
        """Kill the whole group."""
        self.signal(signal.SIGKILL)

    def _wait(self) -> None:
        code: int | None = None
        try:
            self._end_group()
            code = self._process.wait()
        except ChildProcessError:
            # SIGCHLD is ignored, as in some daemons: the system buries it, and keeps no code.
            self._process.returncode = 0
        # Kills what is left of the group where that was not known by its number any more.
        self._life.cut()
        # A closed loop: nobody waits for it any more.
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._ended, code)

    def _end_group(self) -> None:
        """Wait until it has ended, and take the others of its group along."""
        pid = self._process.pid
        if hasattr(os, "waitid"):
            # Leaves it unburied: until then, nobody else can get its number.
            os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
        else:
            self._process.wait()
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, signal.SIGKILL)
