"""Run a command whose temporary directory is in memory, where the machine allows that.

    python3 .ci/in_memory.py COMMAND ...

`make test` runs pytest with it. Tests commit many thousand times, and each commit waits for the
disk; what they prove is about processes that die, never about machines that do. The directory is
mounted for the command and its children alone, and is gone with them. Whoever may not mount (on
most machines anybody but root) waits for the disk.
"""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

NEW_MOUNTS = 0x00020000
PRIVATE = 0x4000 | 1 << 18
"""For everything below, too."""


def main(command: list[str]) -> int:
    """Run it, and exit as it does."""
    place = tempfile.mkdtemp(prefix="cs-")
    try:
        environment = dict(os.environ)
        if is_mounted(place):
            environment["TMPDIR"] = place
        code = finished(subprocess.Popen(command, env=environment))
    finally:
        if Path(place).is_mount():
            unmount(place)
        Path(place).rmdir()
    return code if code >= 0 else 128 - code


def finished(child: subprocess.Popen[bytes]) -> int:
    """Wait for its end. Ctrl-C is the command's, which says what it has done so far."""
    signal.signal(signal.SIGTERM, lambda *_: child.terminate())
    while True:
        try:
            return child.wait()
        except KeyboardInterrupt:
            continue


def is_mounted(place: str) -> bool:
    """Mount memory at a directory, for this process and its children; whether that went well."""
    try:
        libc = ctypes.CDLL(None, use_errno=True)
        separate = libc.unshare(NEW_MOUNTS) or libc.mount(b"none", b"/", None, PRIVATE, None)
        # Whoever the tests become may write there: PostgreSQL does not run as root.
        return not (separate or libc.mount(b"tmpfs", place.encode(), b"tmpfs", 0, b"mode=1777"))
    except (AttributeError, OSError):  # not Linux
        return False


def unmount(place: str) -> None:
    """Give the memory back; what still goes on there keeps it until it ends."""
    detach = 2
    ctypes.CDLL(None, use_errno=True).umount2(place.encode(), detach)


if __name__ == "__main__":
    if not sys.argv[1:]:
        sys.exit("Say which command.")
    sys.exit(main(sys.argv[1:]))
