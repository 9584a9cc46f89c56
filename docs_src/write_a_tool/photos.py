import hashlib
import shutil
from pathlib import Path

from callsheet import SyncContext, tool


@tool("photo.digest", effect="read")
def digest(path: str) -> str:
    """Name a photo by its content. A sync read: runs in a thread."""
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()[:12]


@tool("photo.copy", effect="write", idempotent=True)
def copy(path: str, to: str, ctx: SyncContext) -> str:
    """Copy a photo. A sync write: runs in a process that can be killed."""
    ctx.progress(0.0, "copying")
    shutil.copyfile(path, to)
    return to
