"""Sync tools at the top of a module, where a worker process finds them."""

from __future__ import annotations

import os
import time
from pathlib import Path

from callsheet import tool


@tool("stubborn", effect="write", undo="unstubborn")
def stubborn(file: str) -> None:
    """Say which process it is, and never end."""
    Path(file).write_text(str(os.getpid()), "utf-8")
    while True:
        time.sleep(0.01)


@tool("unstubborn", effect="write", idempotent=True)
def unstubborn(args: dict[str, str], output: None, key: str) -> None:
    """Take it back."""
    del output, key
    Path(args["file"]).with_suffix(".undone").write_text(str(os.getpid()), "utf-8")


@tool("where", effect="write")
def where() -> int:
    """Say which process it is."""
    return os.getpid()


@tool("where_read", effect="read")
def where_read() -> int:
    """Say which process it is, as a read."""
    return os.getpid()


@tool("dies", effect="write")
def dies(file: str) -> None:
    """Have an effect, and die before anybody is told."""
    Path(file).write_text("happened", "utf-8")
    os._exit(3)


@tool("breaks", effect="read", isolated=True)
def breaks() -> int:
    """Raise what nobody expected."""
    numbers: dict[str, int] = {}
    return numbers["b"]  # in a process
