"""What a route is called with, where that is simple: words of its path and its query, one body.

That is so for almost all of them. FastAPI finds the same, in several times the time, since it asks
again for each request what may be asked once. What is wrong, or not simple, goes FastAPI's way,
which says what is wrong.
"""

from __future__ import annotations

from contextlib import AsyncExitStack
from datetime import date, datetime
from enum import Enum
from inspect import iscoroutinefunction
from types import NoneType, UnionType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Literal,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

import msgspec
from starlette.responses import Response

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Mapping

    from fastapi.routing import APIRoute
    from starlette.requests import Request

_WORDS = (str, int, float, bool, NoneType, date, datetime)
_WRONG: Any = object()
_NOTHING: Mapping[str, str] = {}


class _Word(msgspec.Struct, frozen=True):
    """Something that a path or a query says."""

    name: str
    alias: str
    validate: Callable[..., tuple[Any, list[Any]]]
    default: Any
    """`_WRONG`: it must be there."""

    def read(self, said: Mapping[str, str]) -> Any:
        found = said.get(self.alias)
        if found is None:
            return self.default
        value, errors = self.validate(found)
        return _WRONG if errors else value


class Binding(msgspec.Struct, frozen=True, kw_only=True):
    """How one route is called."""

    call: Callable[..., Coroutine[Any, Any, Response]]
    request: str | None
    path: tuple[_Word, ...]
    query: tuple[_Word, ...]
    body: _Word | None

    async def values(self, request: Request) -> dict[str, Any] | None:
        """What it is called with; None: that is FastAPI's to say."""
        found: dict[str, Any] = {} if self.request is None else {self.request: request}
        for word in self.path:
            found[word.name] = word.read(request.path_params)
        asked = request.query_params if request.scope["query_string"] else _NOTHING
        for word in self.query:
            found[word.name] = word.read(asked)
        if self.body is not None:
            found[self.body.name] = await _body(self.body, request)
        return None if any(each is _WRONG for each in found.values()) else found


async def _body(word: _Word, request: Request) -> Any:
    is_json = request.headers.get("content-type") == "application/json"
    if not is_json or not await request.body():
        return _WRONG
    value, errors = word.validate(await request.json())
    return _WRONG if errors else value


def binding_of(route: APIRoute) -> Binding | None:
    """How a route is called; None: not simply."""
    needs, call = route.dependant, route.endpoint
    others = (
        *(needs.dependencies, needs.header_params, needs.cookie_params),
        *(needs.response_param_name, needs.background_tasks_param_name),
        *(needs.websocket_param_name, needs.http_connection_param_name),
        needs.security_scopes_param_name,
    )
    said = [*needs.path_params, *needs.query_params]
    bodies = needs.body_params
    is_simple = (
        not any(others)
        and all(_is_word(each.field_info.annotation) for each in said)
        and (not bodies or bodies == [route.body_field])
        and iscoroutinefunction(call)
        and _answers(call)
    )
    if not is_simple:
        return None
    return Binding(
        call=call,
        request=needs.request_param_name,
        path=tuple(map(_word, needs.path_params)),
        query=tuple(map(_word, needs.query_params)),
        body=_word(bodies[0]) if bodies else None,
    )


def the_long_way(
    handle: Callable[[Request], Coroutine[Any, Any, Response]],
) -> Callable[[Request], Coroutine[Any, Any, Response]]:
    """FastAPI's way to a route, with the places in which it closes what it has opened."""

    async def handled(request: Request) -> Response:
        if "fastapi_inner_astack" in request.scope:
            return await handle(request)
        async with AsyncExitStack() as stack:
            request.scope.update(
                fastapi_function_astack=stack,
                fastapi_inner_astack=stack,
                fastapi_middleware_astack=stack,
            )
            return await handle(request)

    return handled


def _word(field: Any) -> _Word:
    is_needed = field.field_info.is_required()
    return _Word(
        field.name, field.alias, field.validate, _WRONG if is_needed else field.get_default()
    )


def _is_word(kind: Any) -> bool:
    """Whether it is one word, or one of several, and no list of them."""
    origin = get_origin(kind)
    if origin is Annotated:
        return _is_word(get_args(kind)[0])
    if origin in (Union, UnionType):
        return all(map(_is_word, get_args(kind)))
    if origin is Literal:
        return True
    return isinstance(kind, type) and (kind in _WORDS or issubclass(kind, Enum))


def _answers(call: Callable[..., Any]) -> bool:
    """Whether it returns an answer, and not something that one is to be made of."""
    try:
        kind = get_type_hints(call).get("return")
    except (NameError, TypeError):
        return False
    return isinstance(kind, type) and issubclass(kind, Response)
