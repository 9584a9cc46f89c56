"""What every route has in common: its scope, strict bodies and queries, and answers kept by key."""

from __future__ import annotations

import hashlib
import re
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.requests import Request
from typing_extensions import override

from callsheet.errors import CallsheetError
from callsheet.serve.http import strict
from callsheet.serve.http.binding import binding_of, the_long_way
from callsheet.serve.problems import Refusal, failed, refused

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from starlette.responses import Response

    from callsheet.serve.access.caller import Caller
    from callsheet.serve.http.binding import Binding
    from callsheet.serve.service import Service

F = TypeVar("F")
Handle: TypeAlias = "Callable[[Request], Coroutine[Any, Any, Response]]"

ALWAYS = "ticket"
"""What every query may have."""
MOST_KEY = 255


def needs(scope: str, *, streams: bool = False, kept: bool = True) -> Callable[[F], F]:
    """Say which scope a route needs, and whether it reads its body piece by piece.

    `kept`: whether the answer to an `Idempotency-Key` is kept. One that is a stream is not: there
    the key is that of the run it starts.
    """

    def mark(function: F) -> F:
        function.scope = scope  # type: ignore[attr-defined]  # a function carries what is said of it
        function.streams = streams  # type: ignore[attr-defined]  # as above
        function.kept = kept  # type: ignore[attr-defined]  # as above
        return function

    return mark


def caller_of(request: Request) -> Caller:
    """Who is asking."""
    found: Caller = request.scope["caller"]
    return found


def service_of(request: Request) -> Service:
    """What serves."""
    found: Service = request.app.state.service
    return found


class StrictRequest(Request):
    """A request whose JSON is read strictly."""

    @override
    async def json(self) -> Any:
        if not hasattr(self, "_read"):
            self._read = strict.read(await self.body())
        return self._read


def _strict(request: Request) -> StrictRequest:
    if isinstance(request, StrictRequest):
        return request
    return StrictRequest(request.scope, request.receive)


def _handler(handle: Handle, binding: Binding | None) -> Handle:
    if binding is None:
        return handle

    async def handled(request: Request) -> Response:
        values = await binding.values(request)
        return await handle(request) if values is None else await binding.call(**values)

    return handled


class Route(APIRoute):
    """A route of the service."""

    handled: Handle
    """Its answer to a request, or what it raises."""

    @override
    def get_route_handler(self) -> Handle:
        handle = _handler(the_long_way(super().get_route_handler()), binding_of(self))
        scope: str = getattr(self.endpoint, "scope", "admin")
        streams: bool = getattr(self.endpoint, "streams", False)
        kept: bool = getattr(self.endpoint, "kept", True)
        known = {each.alias for each in self.dependant.query_params} | {ALWAYS}
        has_body = self.body_field is not None
        is_posted = "POST" in (self.methods or ())

        async def handled(request: Request) -> Response:
            if not caller_of(request).may(scope):
                raise Refusal(403, "scope", f"This key has not the scope {scope}.")
            request = _strict(request)
            if request.scope["query_string"]:
                _must_know(request, known)
            if has_body:
                _must_be_json(request)
            key = request.headers.get("idempotency-key") if is_posted else None
            if key is None:
                return await handle(request)
            if not kept:
                _checked(key)
                return await handle(request)
            once = partial(
                service_of(request).answers.once, caller_of(request).tenant, _checked(key)
            )
            if streams:
                # What it says is known once it has been read: then it is compared, and kept.
                response = await told_anyhow(handle, request)
                return await once(
                    hashlib.sha256(response.body).hexdigest(), partial(_now, response)
                )
            return await once(await _digest(request), partial(told_anyhow, handle, request))

        self.handled = handled
        return handled


async def _now(response: Response) -> Response:
    return response


async def told_anyhow(handle: Handle, request: Request) -> Response:
    """The answer, also where it is a refusal."""
    name: str = request.scope["request_id"]
    try:
        return await handle(request)
    except CallsheetError as error:
        return failed(error, name)
    except RequestValidationError as error:
        return refused(invalid(error), name)
    except Refusal as refusal:
        return refused(refusal, name)
    except HTTPException as error:
        return refused(translated(error), name)


def invalid(error: RequestValidationError) -> Refusal:
    """What is wrong with a request, each at its place."""
    found: dict[str, list[str]] = {}
    for each in error.errors():
        # What may be this or that is wrong in each way: one place, and not a name of a type.
        place = ".".join(str(part) for part in each["loc"] if not _KIND.fullmatch(str(part)))
        what = _SAID.get(each["type"], str(each["msg"]))
        if what not in found.setdefault(place, []):
            found[place].append(what)
    problems = [
        {"severity": "error", "place": place, "what": ", or ".join(said)}
        for place, said in found.items()
    ]
    first = problems[0] if problems else {"place": "body", "what": "is wrong"}
    return Refusal(422, "request", f"{first['place']}: {first['what']}.", problems=problems)


_KIND = re.compile(r"str|int|float|bool|(dict|list)\[.*\]|constrained-str")
_SAID = {"extra_forbidden": "there is no such field", "missing": "it is missing"}
_CODES = {404: "unknown_path", 405: "method", 415: "media_type"}


def translated(error: HTTPException) -> Refusal:
    """What the framework refuses, in our words."""
    code = _CODES.get(error.status_code, "request")
    detail = {
        404: "There is nothing at this path. GET /openapi.json lists what there is.",
        405: "This method is not for this path.",
    }.get(error.status_code, str(error.detail))
    return Refusal(error.status_code, code, detail, headers=error.headers)


def _must_know(request: Request, known: set[str]) -> None:
    for name in request.query_params:
        if name not in known:
            raise Refusal(422, "request", f"query.{name}: there is no such parameter.")


def _must_be_json(request: Request) -> None:
    said = request.headers.get("content-type", "")
    if said == "application/json":
        return
    kind = said.partition(";")[0].strip().lower()
    is_there = request.headers.get("content-length", "") != "0"
    if is_there and kind and kind != "application/json":
        raise Refusal(415, "media_type", "Send the body as application/json.")
    if not kind and request.headers.get("content-length") not in (None, "0"):
        raise Refusal(415, "media_type", "Say Content-Type: application/json.")


async def _digest(request: Request) -> str:
    found = hashlib.sha256(f"{request.method} {request.url.path}?{request.url.query}\n".encode())
    found.update(await request.body())
    return found.hexdigest()


def _checked(key: str) -> str:
    if not 0 < len(key) <= MOST_KEY or not key.isprintable():
        raise Refusal(
            400, "idempotency_key", f"An Idempotency-Key has 1 to {MOST_KEY} printable characters."
        )
    return key
