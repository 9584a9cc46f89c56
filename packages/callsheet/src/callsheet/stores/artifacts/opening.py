"""Where artifacts lie: in a directory, in a bucket, or in memory."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from callsheet.errors import InputError
from callsheet.stores.failures import first_line

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from callsheet.ports import ArtifactStore
    from callsheet.stores.sql.session import Sync

_FILE = "file"


def open_artifacts(
    where: str | Path | None, *, sync: Sync = "full", now: Callable[[], datetime]
) -> ArtifactStore:
    """The artifacts at a place; None: in memory.

    A place is a directory, or an address: `s3://bucket/prefix`, `gs://bucket/prefix`,
    `az://container/prefix`, `file:///directory`, `memory:///`. What a bucket needs besides
    (credentials, region, endpoint) comes from the environment, as its own tools read it.

    Raises:
        InputError: it is not an address of anything.
    """
    if where is None:
        from callsheet.stores.artifacts.memory import MemoryArtifacts

        return MemoryArtifacts(now)
    directory = directory_of(where)
    if directory is not None:
        from callsheet.stores.artifacts.directory import DirectoryArtifacts

        return DirectoryArtifacts(directory, sync=sync, now=now)
    # Imported here: whoever keeps artifacts in a directory needs no bucket.
    from obstore.exceptions import BaseError
    from obstore.store import from_url

    from callsheet.stores.artifacts.bucket import BucketArtifacts

    address = str(where)
    try:
        bucket = from_url(address)
    except (BaseError, ValueError) as exc:
        raise InputError(
            f"{address!r} is not a place for artifacts: {first_line(exc)}. Give a directory, or an "
            "address like s3://bucket/prefix."
        ) from exc
    return BucketArtifacts(bucket, address, now=now)


def directory_of(where: str | Path) -> Path | None:
    """The directory that a place is; None: it is a bucket, or memory."""
    if isinstance(where, Path) or "://" not in where:
        return Path(where)
    address = urlsplit(where)
    # Not through obstore: it does not sync what it writes, and our directories do.
    return Path(unquote(address.path)) if address.scheme == _FILE else None
