"""Where operators read: a program's own log, if it has one.

A program that has configured structlog gets our events through its own processors; one that has
configured `logging` gets them from the logger `callsheet`. Where there is neither, or where
`CALLSHEET_LOG` says how, they go to stderr: as `text`, or as one `json` object a line; from
`CALLSHEET_LOG_LEVEL` on. An event is a constant name and fields; never whole arguments or outputs.
"""

from __future__ import annotations

import logging
import os
import sys
from typing import TYPE_CHECKING

from callsheet.runtime.secrets import hide

if TYPE_CHECKING:
    from collections.abc import Mapping

    import structlog

    from callsheet.ports import Log

FORMAT = "CALLSHEET_LOG"
LEVEL = "CALLSHEET_LOG_LEVEL"
FORMATS = ("text", "json")
LEVELS = {"debug": 10, "info": 20, "warning": 30, "error": 40}


class LazyLog:
    """A logger that costs nothing until it is used. Fields given here are said every time."""

    __slots__ = ("_fields", "_secrets")

    def __init__(self, *, hiding: Mapping[str, str] | None = None, **fields: object) -> None:
        self._fields = fields
        self._secrets = hiding or {}
        """By name; where one of them would be said, its name is."""

    def info(self, event: str, **fields: object) -> None:
        """For the record."""
        self._logger().info(event, **self._without_secrets(fields))

    def warning(self, event: str, **fields: object) -> None:
        """For somebody to look at."""
        self._logger().warning(event, **self._without_secrets(fields))

    def _without_secrets(self, fields: dict[str, object]) -> dict[str, object]:
        if not self._secrets:
            return fields
        hidden: dict[str, object] = {}
        for name, said in fields.items():
            text = said if isinstance(said, str) else repr(said)
            shown = hide(text, self._secrets)
            hidden[name] = said if shown == text else shown
        return hidden

    def _logger(self) -> Log:
        import structlog

        if structlog.is_configured():
            bound: Log = structlog.get_logger("callsheet").bind(**self._fields)
        elif FORMAT not in os.environ and _standard.hasHandlers():
            bound = _Standard(self._fields)
        else:
            bound = _own_logger().bind(**self._fields)
        return bound


_standard = logging.getLogger("callsheet")


class _Standard:
    """Events as records of `logging`: the fields stand in the text, and as attributes."""

    def __init__(self, fields: Mapping[str, object]) -> None:
        self._fields = fields

    def info(self, event: str, **fields: object) -> None:
        """For the record."""
        self._log(logging.INFO, event, fields)

    def warning(self, event: str, **fields: object) -> None:
        """For somebody to look at."""
        self._log(logging.WARNING, event, fields)

    def _log(self, level: int, event: str, fields: Mapping[str, object]) -> None:
        said = {**self._fields, **fields}
        where = said.pop("exception", None)
        text = " ".join([event, *(f"{name}={field}" for name, field in said.items())])
        # Under one name: a field called `name` or `module` must not break the record.
        extra = {"callsheet": {"event": event, **self._fields, **fields}}
        _standard.log(level, "%s", f"{text}\n{where}" if where else text, extra=extra)


def _own_logger() -> structlog.typing.FilteringBoundLogger:
    import structlog

    processors: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.dev.set_exc_info,
    ]
    if os.environ.get(FORMAT) == "json":
        processors += [
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(default=repr, ensure_ascii=False),
        ]
    else:
        processors += [
            structlog.processors.TimeStamper(fmt="%Y-%m-%d %H:%M:%S", utc=False),
            # Its usual tracebacks show the values of variables, and those may be anybody's secrets.
            structlog.dev.ConsoleRenderer(
                colors=sys.stderr.isatty() and "NO_COLOR" not in os.environ,
                exception_formatter=structlog.dev.plain_traceback,
            ),
        ]
    level = LEVELS.get(os.environ.get(LEVEL, ""), LEVELS["info"])
    logger: structlog.typing.FilteringBoundLogger = structlog.wrap_logger(
        # Its own default is stdout, which is the program's: it may be JSON, or a protocol.
        structlog.PrintLogger(sys.stderr),
        processors=processors,
        wrapper_class=structlog.make_filtering_bound_logger(level),
    )
    return logger


log = LazyLog()
