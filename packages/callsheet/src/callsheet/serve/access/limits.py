"""What keys take at once: requests a second, runs, streams. Counted in this process."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet.core.run.entries import RunEnded
from callsheet.runtime.feed import Event
from callsheet.serve.problems import Refusal

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager

    from callsheet.runtime.feed import Told
    from callsheet.serve.access.caller import Caller

from contextlib import contextmanager

BURST = 2.0
"""Seconds' worth of requests that may come at once."""
MOST_WATCHED = 10_000


class Bucket:
    """Requests that may still be made; fills up as time goes by."""

    __slots__ = ("_at", "_left", "_rate")

    def __init__(self, rate: float, now: float) -> None:
        self._rate, self._left, self._at = rate, rate * BURST, now

    def take(self, now: float) -> float:
        """Take one; returns after how many seconds there will be one, 0: it was taken."""
        self._left = min(self._rate * BURST, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left >= 1:
            self._left -= 1
            return 0.0
        return (1 - self._left) / self._rate


class Counters:
    """What every key takes just now."""

    def __init__(self) -> None:
        self._buckets: dict[str, Bucket] = {}
        self._streams: dict[str, int] = {}
        self._runs: dict[str, set[str]] = {}
        self._starter: dict[str, str] = {}
        """Runs that go on, and the key that each was started with."""

    def request(self, caller: Caller, now: float) -> None:
        """Count a request.

        Raises:
            Refusal: there are too many.
        """
        rate = caller.limits.requests
        if rate is None or caller.key is None:
            return
        bucket = self._buckets.get(caller.key)
        if bucket is None:
            if len(self._buckets) >= MOST_WATCHED:
                self._buckets.clear()
            bucket = self._buckets[caller.key] = Bucket(rate, now)
        wait = bucket.take(now)
        if wait:
            raise too_many(f"This key may make {rate:g} requests a second.", wait)

    @contextmanager
    def _stream(self, caller: Caller) -> Iterator[None]:
        key = caller.key or ""
        self._streams[key] = self._streams.get(key, 0) + 1
        try:
            yield
        finally:
            self._streams[key] -= 1
            if not self._streams[key]:
                del self._streams[key]

    def stream(self, caller: Caller) -> AbstractContextManager[None]:
        """Count a stream, for as long as it is read.

        Raises:
            Refusal: there are too many.
        """
        most = caller.limits.streams
        if most is not None and self._streams.get(caller.key or "", 0) >= most:
            raise too_many(f"This key may read {most} streams at once.", 1.0)
        return self._stream(caller)

    def may_start(self, caller: Caller) -> None:
        """See whether another run may be started.

        Raises:
            Refusal: too many go on.
        """
        most = caller.limits.runs
        if most is not None and len(self._runs.get(caller.key or "", ())) >= most:
            raise too_many(f"This key may have {most} runs going on at once.", 1.0)

    def started(self, caller: Caller, run: str) -> None:
        """Count a run until it ends."""
        if caller.limits.runs is not None:
            self._runs.setdefault(caller.key or "", set()).add(run)
            self._starter[run] = caller.key or ""

    def told(self, told: Told) -> None:
        """Hear of what happens in runs."""
        if isinstance(told, Event) and isinstance(told.entry, RunEnded):
            key = self._starter.pop(told.run, None)
            if key is not None:
                self._runs[key].discard(told.run)


def too_many(what: str, wait: float) -> Refusal:
    """A refusal that says when to come back."""
    return Refusal(429, "rate_limited", what, retry_after=wait)
