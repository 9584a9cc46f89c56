"""One step of a run."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from callsheet.core.past.attempts import attempts_of
from callsheet.serve.http.problems import Refusal
from callsheet.serve.http.route import needs
from callsheet.serve.routes.documented import pages
from callsheet.serve.routes.models import AttemptTold
from callsheet.serve.routes.shared import Cursor, Limit, page, routes_of, tenant_of, went_on

routes = routes_of("steps")
ATTEMPT = {
    "step": "a",
    "attempt": 1,
    "undo": False,
    "started_at": "2026-11-18T05:05:15.295603Z",
    "ended_at": "2026-11-18T05:05:15.310855Z",
    "outcome": "succeeded",
    "error": None,
    "cost": {"usd": 0.0, "credits": 0.0, "tokens": 0, "calls": 0},
}


@routes.get("/runs/{run}/steps/{step}/attempts", responses=pages(AttemptTold, ATTEMPT))
@needs("runs:read")
async def attempts(
    request: Request, run: str, step: str, limit: Limit = 50, cursor: Cursor = None
) -> Response:
    """Every attempt of a step so far, in the order they started; undos are attempts, too."""
    listed = f"runs/{run}/{step}"
    after = went_on(request, listed, cursor)
    handle = await tenant_of(request).get(run)
    if step not in (await handle.status()).steps:
        raise Refusal(404, "unknown_step", f"The run has no step {step!r}.")
    every = [each for each in attempts_of(await handle.journal()) if each.step == step]
    skipped = int(after) if after is not None else 0
    found = list(enumerate(every, 1))[skipped : skipped + limit + 1]
    return page(
        request,
        listed,
        found,
        limit,
        lambda each: each[1].to_json(),
        lambda each: str(each[0]),
    )
