"""Memory of pictures and sound, which is large: given back, or kept for what comes next."""

from __future__ import annotations

import ctypes
import gc
import sys
from contextlib import contextmanager
from functools import cache, wraps
from threading import Event
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_T = TypeVar("_T")

_ARENAS, _BLOCK, _SPARE = -8, -3, -1
"""What glibc calls M_ARENA_MAX, M_MMAP_THRESHOLD and M_TRIM_THRESHOLD."""
_LARGE = 5 << 20
"""Bytes: more than a plane of a frame or half a loop of sound, less than a layer. Whoever takes
larger blocks pays for each page of each."""
_FREE = 16 << 20
"""Bytes at the end of the heap that may stay free: the next block is taken from there."""
_LARGEST, _ALL = 32 << 20, 1 << 30
"""Bytes: the largest block that the C library agrees to have on the heap, and more than a heap."""
_one = Event()
_kept: dict[Callable[[], Any], Any] = {}
"""What was made for now, by what has made it."""


@cache
def give_back() -> None:
    """Have the C library keep large blocks apart, and not a heap for every thread.

    Without this it learns from the first large block that such blocks belong on the heap, and never
    gives back what lies under the last one in use: a film took a third more.
    """
    _settle(_LARGE, _FREE)


@cache
def keep_for_next() -> None:
    """Have the C library keep what a shot was made with: the next one needs as much.

    Memory that comes anew comes page by page, each of them cleared, and an encoder asks for some
    thousands: to give it back after each shot took a twentieth of the time.
    """
    _settle(_LARGEST, _ALL)


def _settle(block: int, spare: int) -> None:
    option = _from_libc("mallopt")
    if option is not None:
        option(_ARENAS, 2)
        option(_BLOCK, block)
        option(_SPARE, spare)


@cache
def _from_libc(name: str) -> Any:
    """A function of the C library, or None where there is no such function."""
    return getattr(ctypes.CDLL(None), name, None) if sys.platform == "linux" else None


def for_now(make: Callable[[], _T]) -> Callable[[], _T]:
    """Make something large once, as `functools.cache` does, and once more after `let_go`."""

    @wraps(make)
    def kept() -> _T:
        if make not in _kept:
            _kept[make] = make()
        found: _T = _kept[make]
        return found

    return kept


def let_go() -> None:
    """Give back what was made for now."""
    if _kept:
        _kept.clear()
        trim()


def makes_one_film() -> None:
    """Say that nothing comes after the film that this process makes, as in a command."""
    _one.set()


def begins_to_film() -> None:
    """Give back what speaking took: shots are large themselves. Who makes more films keeps it."""
    if _one.is_set():
        let_go()


def trim() -> None:
    """Give back all that is free. It takes about a millisecond."""
    option = _from_libc("malloc_trim")
    if option is not None:
        option(0)


@contextmanager
def drawing_here() -> Iterator[None]:
    """Clear away what was drawn with, at once, and in this thread and not in whichever comes by.

    Canvases belong to the thread that made them, and complain when another one deletes them.
    """
    _only_what_comes()
    with clearing_later():
        try:
            yield
        finally:
            # The memory is kept: the next shot needs as much, and to get it anew takes longer.
            gc.collect()


@contextmanager
def clearing_later() -> Iterator[None]:
    """Look for nothing to clear away meanwhile, whichever thread works."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


@cache
def _only_what_comes() -> None:
    """Never look again at what was there before: modules and their data stay.

    Nor now: to look through all of it takes as long as to draw a frame, and finds nothing.
    """
    gc.freeze()
