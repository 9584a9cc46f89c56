"""Memory that is given back when it is free: pictures and sound come and go in large blocks."""

from __future__ import annotations

import ctypes
import gc
import sys
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

_ARENAS, _BLOCK = -8, -3
"""What glibc calls M_ARENA_MAX and M_MMAP_THRESHOLD."""
_LARGE = 4 << 20
"""Bytes: more than a plane of a frame, less than a layer. Whoever takes blocks pays for each."""


@cache
def give_back() -> None:
    """Have the C library keep large blocks apart, and not a heap for every thread.

    Without this it learns from the first large block that such blocks belong on the heap, and never
    gives back what lies under the last one in use: a film took a third more.
    """
    option = _from_libc("mallopt")
    if option is not None:
        option(_ARENAS, 2)
        option(_BLOCK, _LARGE)


@cache
def _from_libc(name: str) -> Any:
    """A function of the C library, or None where there is no such function."""
    return getattr(ctypes.CDLL(None), name, None) if sys.platform == "linux" else None


@contextmanager
def drawing_here() -> Iterator[None]:
    """Clear away what was drawn with, at once, and in this thread and not in whichever comes by.

    Canvases belong to the thread that made them, and complain when another one deletes them.
    """
    _only_what_comes()
    gc.disable()
    try:
        yield
    finally:
        gc.collect()
        gc.enable()
        trim = _from_libc("malloc_trim")
        if trim is not None:
            trim(0)


@cache
def _only_what_comes() -> None:
    """Never look again at what was there before: modules and their data stay."""
    gc.collect()
    gc.freeze()
