"""A home is its owner's alone: whoever may read it reads every argument and every output.

What is made here is made so, whatever the umask says; a home that others could look into until now
is closed, and that is told once. One that others could have changed is not used at all.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from typing import TYPE_CHECKING

from callsheet.engine.trust import Trust
from callsheet.errors import StoreError
from callsheet.runtime.log import log

if TYPE_CHECKING:
    from pathlib import Path

DIRECTORY = 0o700
FILE = 0o600
_OTHERS = 0o077
_CONTENTS = ("callsheet.db", "callsheet.toml")
"""What makes a directory a home, or more than an empty one."""


def take(home: Path, *, create: bool) -> None:
    """Before a home is opened: make it, close it, or refuse it.

    Raises:
        StoreError: others may have changed it, or may do so.
    """
    if not home.is_dir():
        if not create or home.exists():
            return  # whoever opens it says so
        try:
            home.parent.mkdir(parents=True, exist_ok=True)
            home.mkdir(mode=DIRECTORY)
        except OSError:
            return  # as above
    found = home.stat()
    if found.st_uid != os.geteuid():
        raise StoreError(
            f"The home {str(home)!r} belongs to another user (id {found.st_uid}), who could change "
            "what is run from it. Use a home of your own (--home)."
        )
    if found.st_mode & stat.S_IWOTH:
        raise StoreError(
            f"Anyone can write to the home {str(home)!r}, and may have done so. Look at what is "
            f"in it, and then: chmod -R go-rwx {home}"
        )
    if create and not any((home / name).exists() for name in _CONTENTS):
        Trust().enter(home)
    if found.st_mode & _OTHERS and _close(home, DIRECTORY):
        log.warning("home.closed", home=str(home), mode=f"{DIRECTORY:o}")


def close(home: Path) -> None:
    """After a home was opened: what lies in it is nobody else's, either."""
    with suppress(OSError), os.scandir(home) as entries:
        for entry in entries:
            mode = entry.stat(follow_symlinks=False).st_mode
            if mode & _OTHERS and not stat.S_ISLNK(mode):
                _close(entry, mode & ~_OTHERS & 0o777)


def _close(path: os.PathLike[str], mode: int) -> bool:
    with suppress(OSError):  # a disk that cannot be written, or has no modes
        os.chmod(path, mode)  # noqa: PTH101 -- of an entry of a directory
        return True
    return False
