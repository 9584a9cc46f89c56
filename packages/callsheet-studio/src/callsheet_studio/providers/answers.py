"""What an answer that is no success means: which error of the port it is.

Services say why in the status, and more exactly in a word beside it. Where nothing says that an
order was not taken, nobody knows, and the error does not claim to.
"""

from __future__ import annotations

import re
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING

import msgspec
from msgspec import field

from callsheet.errors import (
    DeniedError,
    InvalidError,
    NotDoneError,
    RateLimitedError,
    ToolError,
    TransientError,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

_REFUSED = frozenset({"content_against_policy", "content_policy_violation", "moderation_blocked"})
_UNPAID = frozenset(
    {
        "billing_hard_limit_reached",
        "billing_not_active",
        "insufficient_credits",
        "insufficient_quota",
        "quota_exceeded",
    }
)
_BUSY = frozenset({"server_is_overloaded", "slow_down"})
"""Said instead of taking an order, whatever the status is."""
_ELSEWHERE = range(300, 400)
_DENIED = (401, 402, 403)
_UNSURE = (408, 409, 425)
_RATE_LIMITED = 429
_BROKEN = 500
_LONGEST = 300
"""Characters of what a service says that are shown."""
_NOT_SENT = frozenset({"ConnectError", "ConnectTimeout", "PoolTimeout"})
_NO_ADDRESS = frozenset({"InvalidURL", "UnsupportedProtocol"})
"""By name: httpx and httpx2 call them the same, and each SDK has one of them."""
IN_DOUBT = "Whether it is paid for, nobody knows."


class Complaint(msgspec.Struct, frozen=True, kw_only=True):
    """An answer that is no success."""

    status: int
    words: frozenset[str] = frozenset()
    """By which it says why: `moderation_blocked`."""
    text: str = ""
    """For people."""
    headers: Mapping[str, str] = field(default_factory=dict)
    """Their names in small letters."""


def error_for(service: str, complaint: Complaint) -> ToolError:
    """What the answer to an order means."""
    said = " ".join(complaint.text.split())[:_LONGEST].rstrip(".")
    what = f"{service} answered {complaint.status}{f': {said}' if said else ''}."
    return _kind(complaint)(what, retry_after=_retry_after(complaint.headers))


def lost(service: str, why: BaseException | None) -> ToolError:
    """What it means that no answer to an order came."""
    kind = type(why).__name__
    if kind in _NOT_SENT:
        return NotDoneError(f"{service} cannot be reached: {why}")
    if kind in _NO_ADDRESS:
        return DeniedError(f"{service} has no such address: {why}")
    said = f"{kind}: {why}".rstrip(": ")
    return TransientError(f"{service} was asked, and its answer is lost ({said}). {IN_DOUBT}")


def _kind(complaint: Complaint) -> type[ToolError]:
    by_word: tuple[tuple[frozenset[str], type[ToolError]], ...] = (
        (_REFUSED, InvalidError),
        (_UNPAID, DeniedError),
        (_BUSY, NotDoneError),
    )
    found = next((kind for words, kind in by_word if words & complaint.words), None)
    return found or _by_status(complaint.status)


def _by_status(status: int) -> type[ToolError]:
    if status == _RATE_LIMITED:
        return RateLimitedError
    # A redirect is not followed: the key would go along.
    if status in _DENIED or status in _ELSEWHERE:
        return DeniedError
    if status >= _BROKEN or status in _UNSURE:
        return TransientError
    return InvalidError


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds; a date is taken relative to the server's own clock."""
    exact = headers.get("retry-after-ms", "").strip()
    if re.fullmatch(r"\d{1,12}", exact):
        return float(exact) / 1000
    said = headers.get("retry-after", "").strip()
    if re.fullmatch(r"\d{1,9}(\.\d{1,6})?", said):
        return float(said)
    try:
        wait = parsedate_to_datetime(said) - parsedate_to_datetime(headers.get("date", ""))
        return max(0.0, wait.total_seconds())
    except (TypeError, ValueError):
        return None
