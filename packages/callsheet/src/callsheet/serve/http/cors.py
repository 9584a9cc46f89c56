"""Pages of other origins: none may read an answer, unless the configuration names its origin.

A browser asks first (a preflight) whether it may send a key. That is all that is given: a request
without a key is not answered to a page of another origin, named or not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from callsheet.serve.http.body import Sent

ALLOWED = {
    "Access-Control-Allow-Methods": "GET, HEAD, POST, PUT, DELETE",
    "Access-Control-Allow-Headers": (
        "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, "
        "Range"
    ),
    "Access-Control-Max-Age": "600",
}
"""What a page that is named may ask."""
_SHOWN = "Content-Range, ETag, Idempotent-Replayed, Location, Retry-After, X-Request-Id"


def headers_for(headers: Sent, origins: frozenset[str]) -> Mapping[str, str]:
    """What lets a page of a named origin read an answer; nothing for any other."""
    if not origins:
        return {}
    origin = headers.get(b"origin", b"").decode("latin-1")
    if origin not in origins:
        return {}
    return {
        "Access-Control-Allow-Origin": origin,
        "Access-Control-Expose-Headers": _SHOWN,
        "Vary": "Origin",
    }


def is_preflight(method: str, headers: Sent) -> bool:
    """Whether a browser asks what a page may ask."""
    return method == "OPTIONS" and b"access-control-request-method" in headers
