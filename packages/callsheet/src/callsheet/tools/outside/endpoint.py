"""HTTP services as tools: a request with blanks, under a name of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, Unpack, cast
from urllib.parse import quote, urlsplit

import msgspec

from callsheet.core import value
from callsheet.errors import InvalidError, ToolError
from callsheet.tools.calling.failure import broken_off
from callsheet.tools.function.declare import Problems, Terms, Tool, spec_of
from callsheet.tools.outside.arguments import declared_arguments, parameters_for
from callsheet.tools.outside.blanks import Filling, blanks_in, blanks_of, parts_of
from callsheet.tools.outside.body import QUICK
from callsheet.tools.outside.exchange import LARGEST, SAFE, Ask, exchange
from callsheet.tools.outside.http import METHODS, response_of, with_defaults, with_query
from callsheet.tools.outside.network import Network, network_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from callsheet.core.plan.toolspec import ToolSpec
    from callsheet.core.value import Json
    from callsheet.ports import Context
    from callsheet.tools.function.declare import AnyTool
    from callsheet.tools.outside.exchange import Answer
    from callsheet.tools.outside.http import Method

Output = Literal["json", "text", "response"]

_OUTPUTS = ("json", "text", "response")
_WAIT = 30.0
_LONGEST = 86_400.0
"""The engine's timeout comes first."""
_BODIES = frozenset({"POST", "PUT", "PATCH"})


def http_tool(  # noqa: PLR0913 -- every one but two is optional
    name: str,
    url: str,
    *,
    method: Method = "GET",
    args: Mapping[str, object] | None = None,
    query: Mapping[str, Json] | None = None,
    headers: Mapping[str, str] | None = None,
    json: Json = None,
    output: Output = "json",
    returns: dict[str, Json] | None = None,
    allow_private: bool | Iterable[str] | Network = False,
    max_bytes: int = LARGEST,
    **terms: Unpack[Terms],
) -> AnyTool:
    """Declare a request to an HTTP service as a tool.

    Args:
        name: the tool's.
        url: where; `${args.NAME}`, `${env.NAME}` and `${key}` in its path and query are filled in,
            and whatever a value holds, it stays within its place. The host is written out.
        method: GET, HEAD and OPTIONS make a read, the others a write, unless `effect` is said.
        args: the arguments: name to JSON Schema, or to a type. Those that are only named in a
            blank are text, a number or a boolean. One with a `default` may be left out.
        query: parameters of the query, with blanks.
        headers: with blanks. A write sends the key of its step as `Idempotency-Key`.
        json: the body, with blanks. None: POST, PUT and PATCH send the arguments that are named
            nowhere else; the other methods add them to the query.
        output: what is returned: the answer's JSON, its text, or the whole response.
        returns: the JSON Schema of the output.
        allow_private: whether it may be somewhere that is not public, or where.
        max_bytes: an answer that is longer is an error.
        terms: as in `@tool`.

    Raises:
        ToolDefinitionError: it cannot be a tool; says everything at once.
    """
    problems = Problems()
    if method not in METHODS:
        problems.add(f"method must be one of {', '.join(METHODS)}, not {method!r}")
    problems.when("url", lambda: _url(url))
    problems.when("headers", lambda: _texts(headers))
    problems.when("query", lambda: _mapping(query))
    problems.when("json", lambda: list(blanks_in(json)))
    if output not in _OUTPUTS:
        problems.add(f"output must be one of {', '.join(_OUTPUTS)}, not {output!r}")
    network = problems.when("allow_private", lambda: network_of(allow_private))
    if terms.get("isolated") is not None:
        problems.add("a request is never isolated; leave isolated out")
    if "effect" not in terms:
        terms["effect"] = "read" if method in SAFE else "write"
    terms.setdefault("timeout", _WAIT)
    named = blanks_of(url, query, headers, json)
    schemas = problems.when("args", lambda: declared_arguments(args, named)) or {}
    used = {blank.path[0] for blank in named if blank.root == "args"}
    rest = tuple(each for each in schemas if each not in used)
    if json is not None and rest:
        problems.add(f"nothing is done with the argument {rest[0]!r}; name it in json")
    taken = parameters_for(schemas)
    schema = returns or ({"type": "string"} if output == "text" else None)
    spec = spec_of(name, terms, problems, taken=taken, output=schema)
    if problems.found or network is None:
        raise problems.error(name)
    endpoint = Endpoint(
        spec=spec,
        method=method,
        url=url,
        query=dict(query or {}),
        headers=dict(headers or {}),
        json=json,
        rest=rest,
        output=output,
        network=network,
        max_bytes=max_bytes,
    )
    return Tool(spec=spec, function=endpoint.function(), parameters=taken, way="loop", place=None)


class Endpoint(msgspec.Struct, frozen=True, kw_only=True):
    """A request that is a tool."""

    spec: ToolSpec
    method: Method
    url: str
    query: dict[str, Json]
    headers: dict[str, str]
    json: Json
    rest: tuple[str, ...]
    """The arguments that no blank names."""
    output: Output
    network: Network
    max_bytes: int

    def function(self) -> Callable[..., Any]:
        """What the tool calls."""

        async def call(ctx: Context, **args: Json) -> Json:
            return await self.request(ctx, args)

        call.__name__ = self.spec.name
        return call

    async def request(self, ctx: Context, args: Mapping[str, Json]) -> Json:
        """Send it and give the output."""
        filling = Filling(args, ctx.key)
        try:
            answer = await exchange(self._ask(filling), self.network, ctx.secrets)
        except ToolError as exc:
            # A server may repeat what it was sent.
            raise type(exc)(filling.redact(exc.message), retry_after=exc.retry_after) from exc
        if len(answer.body) > QUICK:
            return await asyncio.to_thread(self._output, answer, filling)
        return self._output(answer, filling)

    def _ask(self, filling: Filling) -> Ask:
        rest = {name: filling.args[name] for name in self.rest}
        query = cast("dict[str, Json]", filling.json(self.query))
        body = filling.json(self.json)
        if self.json is None and self.method in _BODIES:
            body = rest
        else:
            query |= rest
        url = filling.text(self.url, _spelled)
        if url is None:
            raise InvalidError("Wrong arguments: what stands in the URL is null.")
        headers = {name: filling.header(name, form) for name, form in self.headers.items()}
        given = {name: text for name, text in headers.items() if text is not None}
        return Ask(
            method=self.method,
            url=with_query(url, query),
            headers=with_defaults(given, self.method, filling.key, is_json=body is not None),
            content=value.encode(body) if body is not None else None,
            seconds=_LONGEST,
            largest=self.max_bytes,
        )

    def _output(self, answer: Answer, filling: Filling) -> Json:
        return filling.hide(self._said(answer))

    def _said(self, answer: Answer) -> Json:
        if self.output == "response":
            return cast("Json", response_of(answer))
        problem = "it is not text"
        if self.output == "text" and (text := answer.text) is not None:
            return text
        if self.output == "json":
            try:
                return answer.json if answer.body else None
            except ValueError as exc:
                problem = f"it is not JSON ({exc})"
        what = f"{answer.url} answered {answer.status}, and {problem}."
        raise broken_off(what, writes=self.spec.effect == "write")


def _spelled(text: str) -> str:
    """A value as it may stand in a path or a query: it cannot lead out of its place."""
    if text in (".", ".."):
        raise InvalidError("Wrong arguments: '.' and '..' cannot stand in the URL.")
    return quote(text, safe="")


def _url(url: object) -> None:
    if not isinstance(url, str):
        raise ValueError(f"must be text, not {url!r}")  # noqa: TRY004 -- as in all declarations
    begin = parts_of(url)[:1]
    fixed = begin[0] if begin and isinstance(begin[0], str) else ""
    parts = urlsplit(fixed)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("must begin with http:// or https:// and a host that is written out")
    if len(parts_of(url)) > 1 and not (parts.path or parts.query):
        raise ValueError("has a blank in its host; only what follows it may have some")


def _texts(headers: object) -> None:
    _mapping(headers)
    if isinstance(headers, Mapping) and not all(isinstance(t, str) for t in headers.values()):
        raise ValueError("must be a mapping of names to texts")


def _mapping(found: object) -> None:
    if found is None:
        return
    if not isinstance(found, Mapping):
        raise ValueError(f"must be a mapping, not {found!r}")  # noqa: TRY004 -- as above
    list(blanks_in(found))
