"""How a call has ended, made fit for the journal: as JSON, brief, and without secrets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Raw, structs

from callsheet.core import value
from callsheet.core.run import entries as e
from callsheet.core.words import clipped
from callsheet.runtime.failure import failure_of
from callsheet.runtime.secrets import hide, hide_in

if TYPE_CHECKING:
    from callsheet.core.run.outcome import End
    from callsheet.runtime.secrets import Revealed


def written(end: End) -> tuple[End, Raw]:
    """An end, and its output as JSON."""
    if end.outcome != "succeeded":
        return end, e.NULL
    try:
        return end, Raw(value.encode(end.output))
    except (TypeError, ValueError, RecursionError) as exc:
        # A toolbox has promised JSON. The call has been made, and must come to an end.
        failed = structs.replace(end, outcome="failed", output=None, error=failure_of(exc))
        return failed, e.NULL


def brief(end: End, error: e.Failure) -> End:
    """An end whose message is of use to a reader; after secrets were hidden, or half of one stays.

    The journal has it with every attempt, and with the end of the run.
    """
    short = clipped(error.message)
    if short is error.message:
        return end
    return structs.replace(end, error=structs.replace(error, message=short))


def hidden(end: End, secrets: Revealed) -> End:
    """An end in which no secret is to be read."""
    error = end.error
    if error is not None:
        error = structs.replace(
            error,
            message=hide(error.message, secrets),
            traceback=hide(error.traceback, secrets),
        )
    return structs.replace(end, output=hide_in(end.output, secrets), error=error)
