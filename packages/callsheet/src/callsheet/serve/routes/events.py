"""Streams: the journal of a run as it grows, and that of all runs of a tenant."""

from __future__ import annotations

from contextlib import aclosing
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from fastapi import Header, Query
from starlette.requests import Request
from starlette.responses import Response

from callsheet.runtime.feed import Event
from callsheet.serve.http.route import caller_of, needs, service_of
from callsheet.serve.http.stream import NDJSON, SSE, EventStream, Part
from callsheet.serve.problems import Refusal
from callsheet.serve.routes.documented import RUN, answers
from callsheet.serve.routes.shared import routes_of, run_json, tenant_of

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator

    from callsheet.runtime.feed import Told
    from callsheet.runtime.run import Run

routes = routes_of("streams")
_MOST = 2**63 - 1
_DIGITS = 19
"""As many as the largest id has."""
After = Annotated[int, Query(ge=0, le=_MOST, description="The last one that was read.")]
LastEventId = Annotated[str | None, Header(description="As `after`; a browser sends it by itself.")]
Coalesce = Annotated[
    str | None,
    Query(
        pattern=r"^[1-9][0-9]{0,5}ms$",
        description="Tell the state instead of entries, at most so often, as in 200ms.",
    ),
]
_EXAMPLE = (
    "retry: 1000\n\nid: 1\nevent: entry\n"
    f'data: {{"seq":1,"kind":"RunStarted","run":"{RUN}","at":"2026-11-18T05:05:15.294409Z"}}\n\n'
)


def streams(
    example: str = _EXAMPLE, line: str = '{"seq":1,"kind":"RunStarted"}\n'
) -> dict[int | str, dict[str, Any]]:
    """The answers of a stream."""
    found = answers(None, None, 409)
    found[200] = {
        "description": "What happens: server-sent events, or lines of JSON",
        "content": {
            SSE: {"schema": {"type": "string"}, "example": example},
            NDJSON: {"schema": {"type": "string"}, "example": line},
        },
    }
    return found


@routes.get(
    "/runs/{run}/events",
    response_class=Response,
    responses={**streams(), 204: {"description": "It has ended, and all was told"}},
)
@needs("runs:read")
async def events(  # noqa: PLR0913 -- all but the run are optional
    request: Request,
    run: str,
    *,
    after: After = 0,
    last_event_id: LastEventId = None,
    coalesce: Coalesce = None,
    follow: Annotated[
        bool, Query(description="false: what is there now, as lines of JSON, and no more.")
    ] = True,
    whole: Annotated[
        bool, Query(description="With `follow=false`: with large values in their places.")
    ] = False,
) -> Response:
    """The journal of a run, from an entry on: each once, in order, until the run has ended.

    `id` is the number of an entry. `progress` has none: it is told to whoever is there.
    """
    tenant = tenant_of(request)
    head, handle = await tenant.head(run), await tenant.get(run)
    after = resumed(after, last_event_id)
    if not follow:
        return await _now(handle, after, whole=whole)
    if after:
        tail = await handle.journal(after=after - 1)
        if not tail:
            raise Refusal(422, "request", f"query.after: the run has no entry {after} yet.")
        if len(tail) == 1 and head.ended is not None:
            return Response(status_code=204)
    if coalesce is not None:
        return streamed(request, _states(handle, int(coalesce.removesuffix("ms")) / 1000))
    return streamed(request, parts_of(request, handle.events(after=after)))


@routes.get("/feed", response_class=Response, responses=streams())
@needs("runs:read")
async def feed(
    request: Request,
    after: After = 0,
    plan: Annotated[str | None, Query(max_length=1000)] = None,
    subject: Annotated[str | None, Query(max_length=1000)] = None,
    kind: Annotated[str | None, Query(max_length=100)] = None,
    last_event_id: LastEventId = None,
) -> Response:
    """What happens in all runs of the tenant, in the order of commits. `id` is the position."""
    after = resumed(after, last_event_id)
    told = tenant_of(request).feed(after, plan=plan, subject=subject)
    return streamed(request, parts_of(request, told, kind))


async def _now(run: Run, after: int, *, whole: bool) -> Response:
    """The entries that there are."""
    entries = await run.journal(after, whole=whole)
    lines = (
        msgspec.json.encode(Event(run=run.id, seq=seq, entry=entry).to_json()) + b"\n"
        for seq, entry in enumerate(entries, after + 1)
    )
    return Response(b"".join(lines), media_type=NDJSON)


def resumed(after: int, last: str | None) -> int:
    """Where a reader was: what a browser says goes before what stands in the address.

    Raises:
        Refusal: it is no number.
    """
    if last is None or not last:
        return after
    if not last.isascii() or not last.isdecimal() or len(last) > _DIGITS:
        raise Refusal(422, "request", "header.Last-Event-ID: it is not the id of an event.")
    return min(int(last), _MOST)


def streamed(request: Request, parts: AsyncGenerator[Part, None]) -> Response:
    """An answer that goes on: server-sent events, or lines of JSON for whoever prefers them."""
    service, caller = service_of(request), caller_of(request)
    accepted = request.headers.get("accept", "")
    lines = NDJSON in accepted and SSE not in accepted
    return EventStream(parts, service, service.counters.stream(caller), lines=lines)


async def parts_of(
    request: Request, told: AsyncIterator[Told], kind: str | None = None
) -> AsyncGenerator[Part, None]:
    """What is told, as parts of a stream."""
    spelled = service_of(request).spelled
    async with aclosing(told) as every:  # type: ignore[type-var]  # an async generator, by another name
        async for each in every:
            if isinstance(each, Event):
                if kind is None or each.kind == kind:
                    number = each.seq if each.position is None else each.position
                    yield Part("entry", spelled.entry(each), number)
            else:
                yield Part(type(each).__name__.lower(), msgspec.json.encode(each.to_json()))


async def _states(run: Run, every: float) -> AsyncGenerator[Part, None]:
    async with aclosing(run.watch(every=every)) as states:  # type: ignore[type-var]  # as above
        async for result in states:
            yield Part("state", msgspec.json.encode(run_json(result)))
