"""Alerts: what somebody should hear of at once, told to a function of theirs."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Literal

import msgspec

from callsheet.core.run import entries as e
from callsheet.runtime.feed import Event
from callsheet.runtime.log import log

if TYPE_CHECKING:
    from collections.abc import Callable

    from callsheet.core.value import Json
    from callsheet.runtime.feed import Told

AlertKind = Literal["failed", "stuck", "budget", "in_doubt"]
_OVER_BUDGET = "Budget:"
"""How the refusal of a call that does not fit begins."""


class Alert(msgspec.Struct, frozen=True, kw_only=True):
    """Something that somebody should look at."""

    kind: AlertKind
    """The run failed; is stuck with an effect it cannot take back; met a cap; does not know."""
    run: str
    seq: int
    """The entry that says so."""
    at: datetime
    message: str
    step: str | None = None

    def to_json(self) -> dict[str, Json]:
        """As plain data: every field."""
        built: dict[str, Json] = msgspec.to_builtins(self)
        return built


class Alerts:
    """A listener that raises alerts; what the function raises is logged and harms nobody."""

    __slots__ = ("_tell",)

    def __init__(self, tell: Callable[[Alert], object]) -> None:
        self._tell = tell

    def __call__(self, told: Told) -> None:
        """Hear of an event."""
        alert = alert_of(told) if isinstance(told, Event) else None
        if alert is not None:
            log.warning("alert.raised", alert=alert.kind, run=alert.run, step=alert.step)
            self._tell(alert)


def alert_of(event: Event) -> Alert | None:
    """The alert that an event is, if it is one."""
    entry = event.entry
    if isinstance(entry, e.QuestionAsked) and entry.ask == "doubt":
        return _alert(event, "in_doubt", entry.step, entry.text)
    if not isinstance(entry, e.RunEnded):
        return None
    cause = entry.cause or e.Cause(kind="request")
    if entry.state == "stuck":
        return _alert(event, "stuck", cause.step, cause.message or "It cannot be taken back.")
    if cause.kind == "budget" or cause.message.startswith(_OVER_BUDGET):
        return _alert(event, "budget", cause.step, cause.message)
    if cause.kind == "failure":
        return _alert(event, "failed", cause.step, cause.message)
    return None


def _alert(event: Event, kind: AlertKind, step: str | None, message: str) -> Alert:
    return Alert(
        kind=kind, run=event.run, seq=event.seq, at=event.entry.at, message=message, step=step
    )
