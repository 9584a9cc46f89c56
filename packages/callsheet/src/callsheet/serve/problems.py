"""Errors as answers: `application/problem+json`, by one table over the tree of errors."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import msgspec
from starlette.exceptions import HTTPException
from starlette.responses import Response

from callsheet import errors as e
from callsheet.core.problem import MAX_PROBLEMS
from callsheet.runtime.log import log

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from callsheet.core.value import Json

MEDIA_TYPE = "application/problem+json"

STATUS: dict[type[e.CallsheetError], int] = {
    e.InputError: 422,
    e.UnknownRunError: 404,
    e.UnknownPlanError: 404,
    e.UnknownArtifactError: 404,
    e.MissingToolsError: 409,
    e.MissingValueError: 410,
    e.KeyReusedError: 409,
    e.LedgerShortError: 402,
    e.StaleContextError: 412,
    e.RequestRefusedError: 409,
    e.ReplayImpossibleError: 409,
    e.StoreError: 503,
    e.RequestPendingError: 202,
    e.DrivenElsewhereError: 409,
    e.StoreFullError: 507,
    e.StoreCorruptError: 500,
    e.StoreVersionError: 500,
    e.EngineClosedError: 503,
    e.RunFailedError: 409,
    e.ToolError: 422,
    e.TransientError: 503,
    e.RateLimitedError: 429,
    e.ToolTimeoutError: 503,
    e.DeniedError: 403,
    e.CallsheetError: 500,
}
"""What an error is answered with: that of its own class, or of the nearest one above it."""

TITLES = {
    202: "It is recorded, and takes effect when somebody drives the run",
    400: "The request cannot be read",
    401: "Nobody is known by this key",
    402: "The account does not cover it",
    403: "It is not allowed",
    404: "There is no such thing",
    405: "That cannot be done with it",
    406: "It cannot be had in this form",
    408: "The request took too long to arrive",
    409: "Its state does not allow it",
    410: "It is there no more",
    412: "It has changed since",
    413: "It is too large",
    415: "It is of the wrong type",
    416: "It does not reach so far",
    422: "What was handed in is wrong",
    429: "There are too many requests",
    500: "Something is wrong here",
    503: "It cannot be served now",
    507: "There is no room left",
}
_AGAIN_IN = 1.0
"""Seconds after which it makes sense to ask again, where nobody knows better."""


class Refusal(HTTPException):
    """A request that the service itself refuses."""

    def __init__(
        self,
        status: int,
        code: str,
        detail: str,
        *,
        retry_after: float | None = None,
        problems: Sequence[Mapping[str, Json]] = (),
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(status, detail, dict(headers or {}))
        self.code = code
        self.retry_after = retry_after
        self.problems = problems


class Problem(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is answered; the fields of RFC 9457, and ours."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    retryable: bool
    request: str
    problems: list[dict[str, object]] = []
    turn: str = ""
    """The one that goes on, where that is what is wrong."""


def status_of(error: e.CallsheetError) -> int:
    """The status of an error."""
    return next(STATUS[each] for each in type(error).__mro__ if each in STATUS)


def refused(refusal: Refusal, request: str) -> Response:
    """A refusal as an answer."""
    retryable = refusal.status_code in (408, 429, 503)
    headers = dict(refusal.headers or {})
    if refusal.retry_after is not None:
        headers["Retry-After"] = str(max(1, math.ceil(refusal.retry_after)))
    if refusal.status_code == 401:  # noqa: PLR2004 -- a status
        headers["WWW-Authenticate"] = "Bearer"
    return _answer(
        refusal.status_code,
        refusal.code,
        refusal.detail,
        request,
        retryable=retryable,
        problems=refusal.problems,
        headers=headers,
    )


def failed(error: e.CallsheetError, request: str) -> Response:
    """An error of the engine as an answer."""
    status = status_of(error)
    detail = error.message
    if isinstance(error, (e.StoreError, e.EngineClosedError)):
        # Its message names places of this machine: for the log, and not for whoever asks.
        log.warning("request.failed", request=request, code=error.code, error=error.message)
        detail = (type(error).__doc__ or "").strip()
    headers = {}
    if status in (429, 503):
        wait = getattr(error, "retry_after", None) or _AGAIN_IN
        headers["Retry-After"] = str(max(1, math.ceil(wait)))
    told = error.to_json().get("problems")
    return _answer(
        status,
        error.code,
        detail,
        request,
        retryable=error.retryable,
        problems=told if isinstance(told, list) else (),
        headers=headers,
        turn=error.turn if isinstance(error, e.TurnRunningError) else "",
    )


def broken(error: Exception, request: str) -> Response:
    """A mistake of ours as an answer: where it happened stands in the log."""
    del error
    detail = f"This is a mistake in Callsheet. The log of the service has it under {request}."
    return _answer(500, "internal", detail, request)


def _answer(  # noqa: PLR0913 -- the fields of a problem
    status: int,
    code: str,
    detail: str,
    request: str,
    *,
    retryable: bool = False,
    problems: Sequence[Mapping[str, object]] = (),
    headers: Mapping[str, str] | None = None,
    turn: str = "",
) -> Response:
    problem = Problem(
        type=f"urn:callsheet:error:{code}",
        title=TITLES.get(status, "It was refused"),
        status=status,
        detail=detail,
        code=code,
        retryable=retryable,
        request=request,
        # Whoever raised it, and however much was wrong: nobody reads more.
        problems=[dict(each) for each in problems[:MAX_PROBLEMS]],
        turn=turn,
    )
    return Response(
        msgspec.json.encode(problem), status, headers=dict(headers or {}), media_type=MEDIA_TYPE
    )
