"""Commands on a disk of their own: too small at first, then large enough. Run as a module.

`python -m tests.acceptance.small_disk DIR SIZE LATER -- WORDS …`: mounts a disk of SIZE at DIR that
only this process sees, calls `callsheet WORDS`, and prints what is left in DIR. With LATER the disk
is then made that large, and the same is called again; or what stands after a second `--`, with RUN
for the run that the first one named. Exits with 77 where this may not be done.
"""

from __future__ import annotations

import ctypes
import json
import re
import sys
from pathlib import Path

from tests.acceptance.command import call

NOT_ALLOWED = 77
_NEW_MOUNTS, _PRIVATE, _REMOUNT, _READ_ONLY = 0x00020000, 0x4000 | 1 << 18, 32, 1


def main(words: list[str]) -> int:
    """See the module."""
    place, size, later, _, *rest = words
    folder = Path(place)
    if not _mounted(folder, size):
        return NOT_ALLOWED
    first = rest[: rest.index("--")] if "--" in rest else rest
    found = [_told(folder, first)]
    if later:
        _remount(folder, later)
        named = re.search(r"callsheet resume (\w+)", str(found[0]["said"]))
        run = named[1] if named else "RUN"
        again = rest[len(first) + 1 :] or first
        found.append(_told(folder, [run if word == "RUN" else word for word in again]))
    sys.stdout.write(json.dumps(found))
    return 0


def _told(folder: Path, words: list[str]) -> dict[str, object]:
    done = call(*words)
    left = sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())
    return {"code": done.code, "said": done.out + done.err, "left": left}


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
