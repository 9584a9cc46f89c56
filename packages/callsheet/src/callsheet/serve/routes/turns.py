"""Turns: what is said to a model, how the answer comes, and how it is stopped."""

from __future__ import annotations

from contextlib import aclosing
from typing import TYPE_CHECKING, Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from callsheet.agents.terms import PLAN, Limits
from callsheet.core.plan.plan import Budget
from callsheet.serve.http.route import caller_of, needs, service_of
from callsheet.serve.http.stream import Part
from callsheet.serve.problems import Refusal
from callsheet.serve.routes.conversations import NAME, unknown
from callsheet.serve.routes.documented import RUN, answers
from callsheet.serve.routes.events import After, LastEventId, resumed, streamed, streams
from callsheet.serve.routes.models import CancelBody
from callsheet.serve.routes.shared import routes_of, tenant_of, told
from callsheet.serve.routes.spoken import TurnBody, TurnStartedTold, TurnTold
from callsheet.serve.routes.verbs import serve, served

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from callsheet.agents.turn import Turn
    from callsheet.engine.tenant.tenant import Tenant

routes = routes_of("turns")
_LINKS = {"self": "", "flow": "/flow", "cancel": "/cancel"}
LINKS = {
    **{name: f"/api/turns/{RUN}{path}" for name, path in _LINKS.items()},
    "run": f"/api/runs/{RUN}",
    "conversation": f"/api/conversations/{NAME}",
}
STARTED = {
    "turn": RUN,
    "run": RUN,
    "conversation": NAME,
    "state": "running",
    "links": LINKS,
}
ANSWERED = {
    **STARTED,
    "state": "answered",
    "text": "4 degrees.",
    "calls": [
        {
            "id": "call_1",
            "step": "a1_c1",
            "name": "weather",
            "args": {"city": "Oslo"},
            "status": "complete",
            "result": {"degrees": 4},
            "error": None,
        }
    ],
    "usage": {"input": 812, "output": 96},
    "cost": {"usd": 0.0031, "credits": 0.0, "tokens": 908, "calls": 3},
    "reason": "",
    "error": None,
    "questions": [],
}
_LINE = '{"seq":2,"kind":"text","index":0,"step":"a1","content":""}'
_FLOW = f"retry: 1000\n\nid: 2\nevent: flow\ndata: {_LINE}\n\n"


@routes.post(
    "/conversations/{conversation}/turns",
    status_code=201,
    responses=answers(
        TurnStartedTold, STARTED, 402, 409, 415, 507, status=201, what="It is started"
    ),
)
@needs("turns:write")
async def start(request: Request, conversation: str, body: TurnBody) -> Response:
    """Say something. The turn does not depend on whoever said it: going away changes nothing.

    The same message `id`, or without one the same `Idempotency-Key`, is the same turn. While a turn
    goes on, another message is refused with 409; `turn` names the one that does.
    """
    service, caller, tenant = service_of(request), caller_of(request), tenant_of(request)
    if not body.begin and await tenant.conversations.get(conversation) is None:
        raise unknown()
    service.counters.may_start(caller)
    turn = await tenant.turn(
        body.message,
        model=body.model if body.model is not None else tenant.usual_model(),
        tools=body.tools,
        instructions=body.instructions,
        conversation=conversation,
        budget=_budget(body),
        key=body.id if body.id is not None else request.headers.get("idempotency-key"),
        limits=_limits(body),
    )
    head = await tenant.head(turn.id)
    if head.ended is None:
        service.counters.started(caller, turn.id)
    where = {"Location": f"/api/turns/{turn.id}"}
    return told({**_named(turn), "state": (await turn.status()).state}, 201, where)


@routes.get("/turns/{turn}", responses=answers(TurnTold, ANSWERED))
@needs("turns:read")
async def shown(request: Request, turn: str) -> Response:
    """A turn as it stands: what was said and called, what it has cost, what it waits for."""
    found = await _turn(tenant_of(request), turn)
    answer, status = await found.status(), await found.run.status()
    questions = [each.to_json() for each in status.questions]
    return told({**_named(found), **answer.to_json(), "questions": questions})


@routes.post("/turns/{turn}/cancel", responses=served("cancelled"))
@needs("turns:write")
async def cancel(request: Request, turn: str, body: CancelBody | None = None) -> Response:
    """Stop it: the model first, then the calls. What was done is kept."""
    found = await _turn(tenant_of(request), turn)
    asked = found.cancel(reason=body.reason if body else "", by=caller_of(request).name)
    return await serve(found.run, "cancelled", asked)


@routes.get(
    "/turns/{turn}/flow",
    response_class=Response,
    responses={
        **streams(_FLOW, f"{_LINE}\n"),
        204: {"description": "It has ended, and all was told"},
    },
)
@needs("turns:read")
async def flow(
    request: Request, turn: str, *, after: After = 0, last_event_id: LastEventId = None
) -> Response:
    """Text and calls as they come, until the turn has ended: `event: flow`, each an update.

    What has an `id` is written down; what has none is for whoever is there. Coming back with the
    last `id` misses nothing.
    """
    tenant = tenant_of(request)
    found = await _turn(tenant, turn)
    after = resumed(after, last_event_id)
    if after:
        tail = await found.run.journal(after=after - 1)
        if not tail:
            raise Refusal(422, "request", f"query.after: the turn has no entry {after} yet.")
        if len(tail) == 1 and (await tenant.head(turn)).ended is not None:
            return Response(status_code=204)
    return streamed(request, _updates(found, after))


async def _updates(turn: Turn, after: int) -> AsyncGenerator[Part, None]:
    async with aclosing(turn.flow(after)) as every:  # type: ignore[type-var]  # an async generator, by another name
        async for update in every:
            number = update.get("seq")
            written = number if isinstance(number, int) else None
            yield Part("flow", msgspec.json.encode(update), written)


async def _turn(tenant: Tenant, turn: str) -> Turn:
    head = await tenant.head(turn)
    if head.name != PLAN:
        raise Refusal(404, "unknown_turn", "There is no such turn: this is another run.")
    return await tenant.get_turn(turn)


def _named(turn: Turn) -> dict[str, Any]:
    here = f"/api/turns/{turn.id}"
    return {
        "turn": turn.id,
        "run": turn.id,
        "conversation": turn.conversation,
        "links": {
            **{name: f"{here}{path}" for name, path in _LINKS.items()},
            "run": f"/api/runs/{turn.id}",
            "conversation": f"/api/conversations/{turn.conversation}",
        },
    }


def _budget(body: TurnBody) -> Budget | None:
    if body.budget is None:
        return None
    return Budget(**body.budget.model_dump(exclude_none=True))


def _limits(body: TurnBody) -> Limits | None:
    if body.limits is None:
        return None
    return Limits(**body.limits.model_dump(exclude_none=True))
