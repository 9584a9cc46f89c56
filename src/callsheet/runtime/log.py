"""Where operators read: structlog, imported when something is first said."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from callsheet.ports import Log


class LazyLog:
    """A logger that costs nothing until it is used. Fields given here are said every time."""

    __slots__ = ("_fields",)

    def __init__(self, **fields: object) -> None:
        self._fields = fields

    def info(self, event: str, **fields: object) -> None:
        """For the record."""
        self._logger().info(event, **fields)

    def warning(self, event: str, **fields: object) -> None:
        """For somebody to look at."""
        self._logger().warning(event, **fields)

    def _logger(self) -> Log:
        import structlog

        if structlog.is_configured():
            bound: Log = structlog.get_logger("callsheet").bind(**self._fields)
        else:
            # Its own default is stdout, which is the program's: it may be JSON, or a protocol.
            bound = structlog.wrap_logger(structlog.PrintLogger(sys.stderr)).bind(**self._fields)
        return bound


log = LazyLog()
