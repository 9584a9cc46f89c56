"""Errors on their way to whoever waits for an answer."""

from __future__ import annotations


def answerable(error: BaseException) -> BaseException:
    """The error as a future can carry it: a `StopIteration` would leave it unanswered for ever."""
    if not isinstance(error, (StopIteration, StopAsyncIteration)):
        return error
    told = RuntimeError(f"something ended too early: {error!r}")
    told.__cause__ = error
    return told
