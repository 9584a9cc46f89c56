"""What is there to be looked at: questions, tools, lineage."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated, Literal

from fastapi import Query
from starlette.requests import Request
from starlette.responses import Response

from callsheet.serve.http.route import needs
from callsheet.serve.problems import Refusal
from callsheet.serve.routes.documented import RUN, answers, pages
from callsheet.serve.routes.models import LineageTold, OpenQuestionTold, ToolTold
from callsheet.serve.routes.shared import Cursor, Limit, page, routes_of, tenant_of, told, went_on

routes = routes_of("looking")
TOOL = {
    "name": "value",
    "version": "1",
    "effect": "read",
    "description": "Return a value.",
    "input_schema": {"type": "object", "properties": {"value": {}}},
    "output_schema": None,
}
QUESTION = {
    "run": RUN,
    "plan": "trip",
    "tenant": "default",
    "id": "ok#1",
    "step": "ok",
    "ask": "question",
    "text": "Go?",
    "choices": ["yes", "no"],
    "digest": "",
    "args": None,
    "answer_with": f"callsheet answer {RUN} ok VALUE",
}
RECENT = timedelta(days=90)


@routes.get("/questions", responses=pages(OpenQuestionTold, QUESTION))
@needs("runs:read")
async def questions(
    request: Request,
    subject: Annotated[str | None, Query(max_length=1000)] = None,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Response:
    """Everything that waits for a person, oldest run first."""
    after = went_on(request, "questions", cursor)
    every = await tenant_of(request).questions(subject=subject)
    names = [f"{each.run}/{each.question.id}" for each in every]
    first = names.index(after) + 1 if after in names else 0
    found = list(zip(every, names, strict=True))[first : first + limit + 1]
    return page(
        request,
        "questions",
        found,
        limit,
        lambda each: each[0].to_json(),
        lambda each: each[1],
    )


@routes.get("/tools", responses=pages(ToolTold, TOOL))
@needs("plans:read")
async def tools(request: Request, limit: Limit = 50, cursor: Cursor = None) -> Response:
    """The tools that plans of the tenant may call, by name."""
    after = went_on(request, "tools", cursor)
    box = tenant_of(request).tools
    found = [name for name in box.names() if after is None or name > after][: limit + 1]
    specs = {name: spec for name in found if (spec := box.spec(name)) is not None}
    return page(
        request,
        "tools",
        list(specs),
        limit,
        lambda name: specs[name].to_json(),
        lambda name: name,
    )


@routes.get("/tools/{name}", responses=answers(ToolTold, {**TOOL, "statistics": None}))
@needs("plans:read")
async def tool(request: Request, name: str) -> Response:
    """A tool: its schema, effect and cost, and what was made of it in the tenant's last runs."""
    tenant = tenant_of(request)
    spec = tenant.tools.spec(name)
    if spec is None:
        raise Refusal(404, "unknown_tool", f"There is no tool {name!r}. GET /api/tools lists them.")
    found = await tenant.statistics(RECENT, name)
    return told({**spec.to_json(), "statistics": found[0].to_json() if found else None})


@routes.get(
    "/lineage/{name}",
    responses=answers(
        LineageTold, {"roots": [], "artifacts": [], "calls": [], "links": [], "cut": False}
    ),
)
@needs("artifacts:read")
async def lineage(
    request: Request, name: str, direction: Literal["up", "down", "both"] = "both"
) -> Response:
    """What an artifact, or all of a run, was made from, and what was made of it."""
    return told((await tenant_of(request).lineage(name, direction=direction)).to_json())
