"""The tool `http.get`."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import functools
import re
from email.utils import parsedate_to_datetime
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Any, NotRequired, cast
from urllib.parse import urlsplit

from typing_extensions import TypedDict

from callsheet.core import value
from callsheet.errors import (
    DeniedError,
    FatalError,
    InvalidError,
    NotDoneError,
    RateLimitedError,
    ToolError,
    ToolTimeoutError,
    TransientError,
)
from callsheet.tools.registry import tool

if TYPE_CHECKING:
    import ssl

    import httpx

    from callsheet.core.value import Json
    from callsheet.tools.registry import AnyTool

LARGEST = 10_000_000
_DENIED = (401, 403, 407)
_AGAIN = (408, 425)
_RATE_LIMITED = 429
_WRONG = 400
_BROKEN = 500


class Response(TypedDict):
    """What `http.get` returns; one of `json`, `body` (text) and `base64`."""

    status: int
    url: str
    headers: dict[str, str]
    json: NotRequired[Any]
    body: NotRequired[str]
    base64: NotRequired[str]


def http_tools() -> list[AnyTool]:
    """The tools."""
    from pydantic import Field

    @tool("http.get")
    async def get(
        url: str,
        headers: dict[str, str] | None = None,
        timeout: Annotated[  # noqa: ASYNC109 -- a plan may say it; what waits is `asyncio.timeout`
            float, Field(gt=0, le=3600, description="seconds in all")
        ] = 30.0,
        max_bytes: Annotated[int, Field(gt=0, le=100_000_000)] = LARGEST,
    ) -> Response:
        """Fetch a URL: `status`, `headers`, and `json`, `body` (text) or `base64`."""
        return await _get(url, headers or {}, timeout, max_bytes)

    return [get]


async def _get(url: str, headers: dict[str, str], seconds: float, limit: int) -> Response:
    shown = _shown(url)
    # The first import takes longer than many requests, and would block the loop.
    await asyncio.to_thread(import_module, "httpx")
    import httpx

    try:
        async with asyncio.timeout(seconds), await _client(url) as client:
            request = client.stream("GET", url, headers=headers, timeout=seconds)
            async with request as response:
                _check(response, shown)
                return _output(response, await _body(response, limit, shown))
    except (TimeoutError, httpx.TimeoutException) as exc:
        raise ToolTimeoutError(f"{shown} did not answer within {seconds:g} s.") from exc
    except httpx.ConnectError as exc:
        raise NotDoneError(f"{shown} cannot be reached: {exc}") from exc
    except (httpx.InvalidURL, httpx.UnsupportedProtocol, UnicodeError) as exc:
        raise InvalidError(f"{shown}: {exc}") from exc
    except httpx.TooManyRedirects as exc:
        raise FatalError(f"{shown} redirects in circles.") from exc
    except httpx.HTTPError as exc:
        raise TransientError(f"{shown}: {type(exc).__name__}: {exc}") from exc


def _shown(url: str) -> str:
    """The URL for messages: without user, query and fragment, where secrets stand."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError as exc:
        raise InvalidError(f"Wrong arguments: args.url is not a URL ({exc}).") from exc
    if parts.scheme not in ("http", "https") or not host:
        raise InvalidError("Wrong arguments: args.url must begin with http:// or https://.")
    return f"{parts.scheme}://{host}{f':{port}' if port else ''}{parts.path}"


async def _client(url: str) -> httpx.AsyncClient:
    import httpx

    # Reading the certificates takes longer than many requests, and would block the loop.
    verify = await asyncio.to_thread(_certificates) if url.lower().startswith("https") else True
    return httpx.AsyncClient(verify=verify, follow_redirects=True)


@functools.cache
def _certificates() -> ssl.SSLContext:
    import httpx

    return httpx.create_ssl_context()


def _check(response: httpx.Response, shown: str) -> None:
    status = response.status_code
    if status < _WRONG:
        return
    raise _error_for(status)(f"{shown} answered {status}.", retry_after=_retry_after(response))


def _error_for(status: int) -> type[ToolError]:
    if status == _RATE_LIMITED:
        return RateLimitedError
    if status in _DENIED:
        return DeniedError
    if status >= _BROKEN or status in _AGAIN:
        return TransientError
    return InvalidError


def _retry_after(response: httpx.Response) -> float | None:
    """Seconds; a date is taken relative to the server's own clock."""
    said = response.headers.get("retry-after", "").strip()
    if re.fullmatch(r"\d{1,9}", said):
        return float(said)
    try:
        at = parsedate_to_datetime(said)
        now = parsedate_to_datetime(response.headers.get("date", ""))
        return max(0.0, (at - now).total_seconds())
    except (TypeError, ValueError):
        return None


async def _body(response: httpx.Response, limit: int, shown: str) -> bytes:
    body = bytearray()
    async for chunk in response.aiter_bytes():
        body += chunk
        if len(body) > limit:
            raise FatalError(f"{shown} answered with more than {limit:,} bytes.")
    return bytes(body)


def _output(response: httpx.Response, body: bytes) -> Response:
    name, content = _content(response, body)
    found = {
        "status": response.status_code,
        "url": _shown(str(response.url)),
        "headers": dict(response.headers),
        name: content,
    }
    return cast("Response", found)


def _content(response: httpx.Response, body: bytes) -> tuple[str, Json]:
    kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind == "application/json" or kind.endswith("+json"):
        with contextlib.suppress(ValueError):
            found = value.decode(body)
            if value.problem_of(found) is None:
                return "json", found
    try:
        return "body", body.decode(response.charset_encoding or "utf-8")
    except (LookupError, UnicodeDecodeError):
        return "base64", base64.b64encode(body).decode()
