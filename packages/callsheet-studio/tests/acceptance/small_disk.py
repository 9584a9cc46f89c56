"""Commands on a disk of their own: too small at first, then large enough. Run as a module.

`python -m tests.acceptance.small_disk DIR SIZE LATER -- WORDS …`: mounts a disk of SIZE at DIR that
only this process sees, calls `callsheet WORDS`, and prints what is left in DIR. With LATER the disk
is made that large as soon as the command has said that it is full, and the command goes on; or it
is killed first, and what stands after a second `--` is called, with RUN for the run that it named.
Exits with 77 where this may not be done.
"""

from __future__ import annotations

import ctypes
import json
import re
import sys
from pathlib import Path

from tests.acceptance.command import Process, call

NOT_ALLOWED = 77
_NEW_MOUNTS, _PRIVATE, _REMOUNT, _READ_ONLY = 0x00020000, 0x4000 | 1 << 18, 32, 1


def main(words: list[str]) -> int:
    """See the module."""
    place, size, later, _, *rest = words
    folder = Path(place)
    if not _mounted(folder, size):
        return NOT_ALLOWED
    first = rest[: rest.index("--")] if "--" in rest else rest
    found = (
        _grown(folder, later, first, rest[len(first) + 1 :]) if later else [_told(folder, first)]
    )
    sys.stdout.write(json.dumps(found))
    return 0


def _told(folder: Path, words: list[str]) -> dict[str, object]:
    done = call(*words)
    return {"code": done.code, "out": done.out, "err": done.err, "left": _left(folder)}


def _grown(folder: Path, later: str, words: list[str], then: list[str]) -> list[dict[str, object]]:
    """What is there while a command waits for room, and what it or the next one makes of room."""
    with Process(*words, directory=folder) as process:
        told = process.complain("the disk is full")
        full: dict[str, object] = {
            "code": process.popen.poll(),
            "out": "",
            "err": told,
            "left": _left(folder),
        }
        if then:
            process.popen.kill()
            process.end()
            _remount(folder, later)
            run = re.search(r"run=(\w+)", told)
            assert run is not None
            return [full, _told(folder, [run[1] if word == "RUN" else word for word in then])]
        _remount(folder, later)
        done = process.end()
    return [full, {"code": done.code, "out": done.out, "err": done.err, "left": _left(folder)}]


def _left(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def _mounted(folder: Path, size: str) -> bool:
    if sys.platform != "linux":
        return False
    libc = ctypes.CDLL(None)
    private, flags = ctypes.c_ulong(_PRIVATE), ctypes.c_ulong(0 if size != "0" else _READ_ONLY)
    options = f"size={size}".encode() if size != "0" else b""
    return not (
        libc.unshare(_NEW_MOUNTS)
        or libc.mount(b"none", b"/", None, private, None)
        or libc.mount(b"tmpfs", str(folder).encode(), b"tmpfs", flags, options)
    )


def _remount(folder: Path, size: str) -> None:
    options = f"size={size}".encode()
    flags = ctypes.c_ulong(_REMOUNT)
    ctypes.CDLL(None).mount(b"tmpfs", str(folder).encode(), b"tmpfs", flags, options)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
