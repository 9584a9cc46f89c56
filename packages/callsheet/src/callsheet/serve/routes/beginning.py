"""Runs that a route starts and that are not of a plan in its body: counted, keyed, told, streamed.

For the routes of apps, which have plans of their own.
"""

from __future__ import annotations

from contextlib import aclosing
from typing import TYPE_CHECKING, Any

import msgspec

from callsheet.serve.http.route import caller_of, service_of
from callsheet.serve.http.stream import Part
from callsheet.serve.routes.documented import answers
from callsheet.serve.routes.events import parts_of, streams
from callsheet.serve.routes.events import streamed as stream_of
from callsheet.serve.routes.models import StartedTold
from callsheet.serve.routes.runs import STARTED, begun, ended
from callsheet.serve.routes.shared import tenant_of, told

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping

    from pydantic import BaseModel
    from starlette.requests import Request
    from starlette.responses import Response

    from callsheet.core.past.result import Result
    from callsheet.core.value import Json
    from callsheet.runtime.run import Run

LONGEST = 50
"""Seconds that a request waits for the end of what it has started."""


async def begin(request: Request, start: Callable[[str | None], Awaitable[Run]]) -> Run:
    """Start a run in the name of whoever asks: the `Idempotency-Key` is its key.

    Raises:
        Refusal: too many go on.
        KeyReusedError: the key was used for another run.
    """
    service, caller = service_of(request), caller_of(request)
    service.counters.may_start(caller)
    run = await start(request.headers.get("idempotency-key"))
    service.counters.started(caller, run.id)
    return run


async def started(request: Request, run: Run, wait: float = 0.0) -> Response:
    """The answer that a run was started; or its result, if it ends in so many seconds."""
    return await begun(service_of(request), tenant_of(request), run, wait)


async def answered(request: Request, run: Run, tell: Callable[[Result], object]) -> Response:
    """What came of a run; of one that takes long, that it was started (202), and where it is."""
    result = await ended(service_of(request), run, LONGEST)
    if result is not None:
        return told(tell(result), 200, {"Location": f"/api/runs/{run.id}"})
    response = await begun(service_of(request), tenant_of(request), run)
    response.status_code = 202
    return response


def streamed(
    request: Request,
    run: Run,
    also: Callable[[Mapping[str, Any]], Mapping[str, Json] | None] | None = None,
) -> Response:
    """The events of a run from its first on, as `GET /api/runs/{run}/events` has them.

    `also` is asked for each entry what else is worth telling: the event `stage`, which has no id.
    """
    parts = parts_of(request, run.events())
    response = stream_of(request, _staged(parts, also) if also is not None else parts)
    response.headers["Location"] = f"/api/runs/{run.id}"
    return response


async def _staged(
    parts: AsyncGenerator[Part, None],
    also: Callable[[Mapping[str, Any]], Mapping[str, Json] | None],
) -> AsyncGenerator[Part, None]:
    async with aclosing(parts) as every:
        async for part in every:
            yield part
            if part.event == "entry" and (more := also(msgspec.json.decode(part.data))):
                yield Part("stage", msgspec.json.encode(more))


def late_answers(model: type[BaseModel], example: object) -> dict[int | str, dict[str, Any]]:
    """What `answered` may answer, for the document."""
    late = answers(StartedTold, STARTED, status=202, what="It goes on; ask for the run")[202]
    return {**answers(model, example, 402, 409, 415, 507), 202: late}


def start_answers() -> dict[int | str, dict[str, Any]]:
    """What `started` may answer, for the document."""
    return answers(StartedTold, STARTED, 402, 409, 415, 507, status=201, what="It is started")


def stream_answers() -> dict[int | str, dict[str, Any]]:
    """What `streamed` may answer, for the document."""
    return streams()


def with_example(body: object) -> dict[str, Any]:
    """What `openapi_extra` of a route says of its body, for the document."""
    return {"requestBody": {"content": {"application/json": {"example": body}}}}
