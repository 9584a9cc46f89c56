"""The key that lies in the home: whoever may read it has what the command line has."""

from __future__ import annotations

import hmac
import os
import stat
from typing import TYPE_CHECKING

from callsheet.errors import StoreError
from callsheet.serve.access.keys import minted

if TYPE_CHECKING:
    from pathlib import Path

FILE = "serve.key"


def local_key(home: Path) -> str:
    """The key of a home; made, for nobody else to read, if there is none.

    Raises:
        StoreError: it cannot be read or written, or others may read it.
    """
    path = home / FILE
    try:
        home.mkdir(parents=True, exist_ok=True, mode=0o700)
        made = minted()
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        with os.fdopen(descriptor, "w") as file:
            file.write(made + "\n")
    except FileExistsError:
        found = found_key(home)
        if not found:
            raise StoreError(f"{str(path)!r} is empty. Remove it, and start again.") from None
        return found
    except OSError as exc:
        raise StoreError(f"Cannot write {str(path)!r}: {exc.strerror}.") from exc
    return made


def found_key(home: Path) -> str | None:
    """The key of a home, if there is one.

    Raises:
        StoreError: others may read it, or it is no file.
    """
    path = home / FILE
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
    except FileNotFoundError:
        return None
    except OSError as exc:
        raise StoreError(f"Cannot read {str(path)!r}: {exc.strerror}.") from exc
    with os.fdopen(descriptor) as file:
        if os.fstat(descriptor).st_mode & (stat.S_IRWXG | stat.S_IRWXO):
            raise StoreError(
                f"{str(path)!r} may be read by others. Remove it, so that a new one is made."
            )
        return file.read().strip() or None


def is_it(given: str, key: str | None) -> bool:
    """Whether this is that key; says it in the same time whichever way."""
    return key is not None and hmac.compare_digest(given.encode(), key.encode())
