"""The tools `http.get` and `http.request`."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Annotated, Any, Literal, NotRequired, cast

from typing_extensions import TypedDict

from callsheet.core import value
from callsheet.errors import InvalidError
from callsheet.ports import Context
from callsheet.tools.outside.body import QUICK
from callsheet.tools.outside.exchange import LARGEST, SAFE, Answer, Ask, exchange
from callsheet.tools.outside.network import Network
from callsheet.tools.registry import tool

if TYPE_CHECKING:
    from collections.abc import Mapping

    from callsheet.tools.registry import AnyTool

Method = Literal["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"]
METHODS: tuple[Method, ...] = ("GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE")
KEY = "Idempotency-Key"
"""The header that tells a server which requests are one."""


class Response(TypedDict):
    """What the tools return; one of `json`, `body` (text) and `base64`."""

    status: int
    url: str
    headers: dict[str, str]
    json: NotRequired[Any]
    body: NotRequired[str]
    base64: NotRequired[str]


def http_tools(network: Network | None = None) -> list[AnyTool]:
    """The tools, for the network that they may reach; None: public addresses."""
    from pydantic import Field

    reach = network or Network()
    seconds = Field(gt=0, le=3600, description="seconds in all")
    most = Field(gt=0, le=100_000_000)

    @tool("http.get", effect="read")
    async def get(
        ctx: Context,
        url: str,
        headers: dict[str, str] | None = None,
        query: dict[str, Any] | None = None,
        timeout: Annotated[float, seconds] = 30.0,  # noqa: ASYNC109 -- a plan may say it
        max_bytes: Annotated[int, most] = LARGEST,
    ) -> Response:
        """Fetch a URL: `status`, `headers`, and `json`, `body` (text) or `base64`."""
        ask = Ask(
            method="GET",
            url=with_query(url, query or {}),
            headers=headers or {},
            seconds=timeout,
            largest=max_bytes,
        )
        return await answered(await exchange(ask, reach, ctx.secrets))

    @tool("http.request", effect="write")
    async def request(  # noqa: PLR0913 -- what a request consists of
        ctx: Context,
        method: Method,
        url: str,
        *,
        headers: dict[str, str] | None = None,
        query: dict[str, Any] | None = None,
        json: Any = None,
        body: str | None = None,
        timeout: Annotated[float, seconds] = 30.0,  # noqa: ASYNC109 -- a plan may say it
        max_bytes: Annotated[int, most] = LARGEST,
    ) -> Response:
        """Send a request that changes something: `status`, `headers`, and what came back."""
        if json is not None and body is not None:
            raise InvalidError("Wrong arguments: give args.json or args.body, not both.")
        content = value.encode(json) if json is not None else (body or "").encode() or None
        ask = Ask(
            method=method,
            url=with_query(url, query or {}),
            headers=with_defaults(headers or {}, method, ctx.key, is_json=json is not None),
            content=content,
            seconds=timeout,
            largest=max_bytes,
        )
        return await answered(await exchange(ask, reach, ctx.secrets))

    return [get, request]


def with_query(url: str, query: Mapping[str, object]) -> str:
    """The URL with more of a query; a null is left out, a list is the same name several times."""
    pairs = [(name, item) for name, item in query.items() if item is not None]
    if not pairs:
        return url
    from urllib.parse import urlencode, urlsplit, urlunsplit

    try:
        parts = urlsplit(url)
    except ValueError as exc:
        raise InvalidError(f"Wrong arguments: args.url is not a URL ({exc}).") from exc
    texts = [(name, _texts(item)) for name, item in pairs]
    more = urlencode(texts, doseq=True)
    return urlunsplit(parts._replace(query=f"{parts.query}&{more}" if parts.query else more))


def _texts(item: object) -> str | list[str]:
    if isinstance(item, list):
        return [text for each in item if isinstance(text := _texts(each), str)]
    return item if isinstance(item, str) else value.encode(item).decode()


def with_defaults(
    headers: Mapping[str, str], method: str, key: str, *, is_json: bool
) -> dict[str, str]:
    """The headers, with what kind of body it is, and the key of a write, unless they are there."""
    given = {name.lower() for name in headers}
    more = {"Content-Type": "application/json"} if is_json else {}
    if method not in SAFE:
        more[KEY] = key
    return {**headers, **{name: text for name, text in more.items() if name.lower() not in given}}


async def answered(answer: Answer) -> Response:
    """What a plan is told of an answer; a long one is read off the event loop."""
    if len(answer.body) > QUICK:
        return await asyncio.to_thread(response_of, answer)
    return response_of(answer)


def response_of(answer: Answer) -> Response:
    """What a plan is told of an answer."""
    name, content = answer.content()
    found = {
        "status": answer.status,
        "url": answer.url,
        "headers": answer.headers,
        name: content,
    }
    return cast("Response", found)
