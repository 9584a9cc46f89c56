"""Stops a PostgreSQL server that nobody uses any more, whoever of its users was killed: a program.

Its input ends with the process that started it. One that could say `done` first has left in order;
one that could not is still on the server's list, and because of it nobody else stops the server.
"""

from __future__ import annotations

import json
import shutil
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path

import psutil

PAUSE = 0.05
PATIENCE = 200
"""Pauses for a list that is being written, or for a server that has been told to stop."""


def main(data: Path) -> None:
    """Wait until nobody lives that uses the server, however long that is; then stop it."""
    if sys.stdin.buffer.read():
        return
    while any(map(lives, users(data))):
        time.sleep(PAUSE)
    stop(data)
    shutil.rmtree(data, ignore_errors=True)


def users(data: Path) -> list[int]:
    """The processes that use the server. They come and go: look again each time."""
    for _ in range(PATIENCE):
        try:
            found: list[int] = json.loads((data / ".handle_pids.json").read_text("utf-8"))
        except FileNotFoundError:
            return []
        except ValueError:
            time.sleep(PAUSE)
        else:
            return found
    return []  # whoever wrote it was killed in the middle


def lives(pid: int) -> bool:
    """Whether there is such a process. One that nobody has buried yet is dead all the same."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def stop(data: Path) -> None:
    """Stop the server: at once, since its files are to go anyway, and then by force."""
    try:
        server = int((data / "postmaster.pid").read_text("utf-8").split()[0])
    except (FileNotFoundError, IndexError):
        return
    for told in (signal.SIGQUIT, signal.SIGKILL):
        with suppress(psutil.NoSuchProcess):
            psutil.Process(server).send_signal(told)
        for _ in range(PATIENCE):
            if not lives(server):
                return
            time.sleep(PAUSE)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
