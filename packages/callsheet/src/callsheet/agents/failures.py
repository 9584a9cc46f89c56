"""What providers say when something goes wrong, in our words: mapped here, and nowhere else."""

from __future__ import annotations

from callsheet.errors import (
    DeniedError,
    FatalError,
    InvalidError,
    RateLimitedError,
    RefusedError,
    ToolError,
    ToolTimeoutError,
    TransientError,
)

LONGEST = 600
"""Characters of a provider's own words that are passed on."""

REQUEST_TIMEOUT = 408

_WORDS: tuple[tuple[frozenset[str], type[ToolError], str], ...] = (
    (frozenset({"ModelRateLimitError"}), RateLimitedError, "{model} takes no more for now"),
    (frozenset({"ModelQuotaExceededError"}), DeniedError, "The account for {model} is used up"),
    (frozenset({"ModelAuthenticationError"}), DeniedError, "{model} does not accept the key"),
    (frozenset({"ContentFilterError"}), RefusedError, "{model} refuses to answer this"),
    (
        frozenset({"ModelTimeoutError", "ModelRequestTimeout", "TimeoutError", "TimeoutException"}),
        ToolTimeoutError,
        "{model} has not answered in time",
    ),
    (
        frozenset({"ModelContextWindowExceededError"}),
        InvalidError,
        "The conversation is too long for {model}",
    ),
    (frozenset({"ModelNotFoundError"}), InvalidError, "The provider has no model {model}"),
    (
        frozenset({"ModelRequestRejectedError", "UserError"}),
        InvalidError,
        "{model} does not accept the request",
    ),
    (
        frozenset({"ModelAPIError", "UnexpectedModelBehavior"}),
        TransientError,
        "{model} did not answer",
    ),
    (
        frozenset({"ConnectionError", "TransportError", "StreamError", "APIError", "HTTPError"}),
        TransientError,
        "The connection to {model} broke",
    ),
)
"""Exceptions of the library, and of what it stands on, the special before the general: what they
are here. By name, so that none of it need be imported to read this."""


def tool_error(exc: Exception, model: str) -> ToolError:
    """The error for one that came out of the library."""
    kinds = {kind.__name__ for kind in type(exc).__mro__}
    if getattr(exc, "status_code", None) == REQUEST_TIMEOUT:
        kinds.add("TimeoutError")
    words = _words(exc)
    for theirs, ours, said in _WORDS:
        if kinds & theirs:
            return ours(
                f"{said.format(model=model)}: {words}",
                retry_after=getattr(exc, "retry_after", None),
            )
    return FatalError(f"{model} could not be asked: {words}")


def _words(exc: Exception) -> str:
    said = " ".join(str(exc).split()) or type(exc).__name__
    return said if len(said) <= LONGEST else f"{said[:LONGEST]}…"
