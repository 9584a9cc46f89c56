"""`production/*`: from a brief to a film. Every capability is a run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from callsheet.apps.routes import (
    APIRouter,
    Request,
    Response,
    answered,
    answers,
    begin,
    late_answers,
    needs,
    routes_of,
    start_answers,
    started,
    stream_answers,
    streamed,
    tenant_of,
    told,
    with_example,
)
from callsheet.errors import InputError
from callsheet_studio.production.stage import STAGES
from callsheet_studio.serve import asking
from callsheet_studio.serve.routes import examples
from callsheet_studio.serve.routes.bodies import (
    FilmBody,
    MadeTold,
    PlanRequest,
    PlanTold,
    ScriptBody,
    ScriptTold,
    ShotsBody,
    ShotsTold,
)
from callsheet_studio.studio import Studio

if TYPE_CHECKING:
    from collections.abc import Mapping

    from callsheet import Run

_DONE = frozenset({"AttemptEnded", "StepCached"})
routes = routes_of("production")


def brought() -> APIRouter:
    """What the entry point names."""
    return routes


@routes.post(
    "/production/script",
    responses=late_answers(ScriptTold, examples.SCRIPT),
    openapi_extra=with_example(examples.SCRIPT_BODY),
)
@needs("runs:write")
async def write_script(request: Request, body: ScriptBody) -> Response:
    """Write the script of a brief: beats that tile the film. `script_id` names the run of it.

    `questions` are worth asking; `clarifications` answer them, by key.
    """
    studio = _studio(request)
    brief = await asking.brief_in(studio, body.vrd, body.clarifications, body.limits)

    async def start(key: str | None) -> Run:
        return await studio.begin(brief, stop_after="script", writer=body.writer, key=key)

    return await answered(request, await begin(request, start), asking.script_told)


@routes.post(
    "/production/shots",
    responses=late_answers(ShotsTold, examples.SHOTS),
    openapi_extra=with_example(examples.SHOTS_BODY),
)
@needs("runs:write")
async def plan_shots(request: Request, body: ShotsBody) -> Response:
    """Break a script into shots. With `beats`, the script has those: edited, added, left out."""
    studio = _studio(request)
    before = (await studio.made(body.script_id)).whole()
    script = asking.edited_script(before.script, body.beats)

    async def start(key: str | None) -> Run:
        return await studio.begin(
            before.brief, stop_after="shots", script=script, writer=body.writer, key=key
        )

    return await answered(request, await begin(request, start), asking.shots_told)


@routes.post(
    "/production/plan",
    responses=late_answers(PlanTold, examples.PLAN),
    openapi_extra=with_example(examples.PLAN_BODY),
)
@needs("runs:write")
async def make_plan(request: Request, body: PlanRequest) -> Response:
    """Plan with what each shot is made, for how much and how long: the best within constraints.

    With `shots`, the shot list has those. What cannot be done says what would have to be relaxed.
    """
    studio = _studio(request)
    before = (await studio.made(body.shot_list_id)).whole()
    if before.shots is None:
        raise InputError(f"{body.shot_list_id!r} is a script. POST /api/production/shots is next.")
    shots = asking.edited_shots(before.shots, body.shots)
    brief = asking.with_limits(before.brief, body.limits)

    async def start(key: str | None) -> Run:
        return await studio.begin(
            brief, stop_after="plan", script=before.script, shots=shots, key=key
        )

    return await answered(request, await begin(request, start), asking.plan_told)


@routes.post(
    "/production/film",
    status_code=201,
    responses=start_answers(),
    openapi_extra=with_example(examples.FILM_BODY),
)
@needs("runs:write")
async def make_film(request: Request, body: FilmBody) -> Response:
    """Make all of it: script, shots, plan, storyboard, film. Its files are artifacts.

    `GET /api/production/{run}` tells what has been made, and where its files are.
    """
    return await started(request, await _begun(request, body))


@routes.post(
    "/production/stream",
    response_class=Response,
    responses=stream_answers(),
    openapi_extra=with_example(examples.FILM_BODY),
)
@needs("runs:write", kept=False)
async def stream(request: Request, body: FilmBody) -> Response:
    """The same, and the events of its run as they come; `stage` says which stage is done.

    Whoever is cut off goes on at `GET /api/runs/{run}/events`: `Location` names the run.
    """
    run = await _begun(request, body)

    def stage_in(entry: Mapping[str, Any]) -> dict[str, Any] | None:
        step = str(entry.get("step", ""))
        is_done = entry["kind"] in _DONE and entry.get("outcome", "succeeded") == "succeeded"
        if not is_done or step not in STAGES:
            return None
        return {"stage": step, "run": run.id, "made": f"/api/production/{run.id}"}

    return streamed(request, run, stage_in)


async def _begun(request: Request, body: FilmBody) -> Run:
    studio = _studio(request)
    brief = await asking.brief_in(studio, body.vrd, body.clarifications, body.limits)

    async def start(key: str | None) -> Run:
        return await studio.begin(
            brief,
            stop_after=body.stop_after,
            files=True,
            review=body.review,
            writer=body.writer,
            key=key,
        )

    return await begin(request, start)


@routes.get("/production/{run}", responses=answers(MadeTold, examples.MADE))
@needs("runs:read")
async def made(request: Request, run: str) -> Response:
    """What a production has made so far: objects, and files with the address of each."""
    found = (await _studio(request).made(run)).to_json()
    for file in found["files"].values():
        file["href"] = f"/api/artifacts/{file['$artifact']}"
    return told(found)


def _studio(request: Request) -> Studio:
    return Studio(tenant_of(request))
