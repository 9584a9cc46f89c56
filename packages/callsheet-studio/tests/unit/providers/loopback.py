"""What is raised when a test would leave this machine."""

from __future__ import annotations


class LeftLoopbackError(BaseException):
    """Not an `Exception`: an adapter must not put it into words."""
