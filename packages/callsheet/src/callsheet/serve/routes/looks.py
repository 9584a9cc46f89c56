"""What is there to be looked at: questions, tools, agents, lineage."""

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
from callsheet.serve.routes.spoken import AgentTold

routes = routes_of("looking")
TOOL = {
    "name": "value",
    "version": "1",
    "effect": "read",
    "description": "Return a value.",
    "input_schema": {"type": "object", "properties": {"value": {}}},
    "output_schema": None,
}
AGENT = {
    "name": "scriptsmith",
    "role": "writer",
    "tool": "agent.scriptsmith",
    "capabilities": {"script.write": {"input": {"type": "object"}, "output": {"type": "object"}}},
    "models": [{"name": "offline", "usable": True, "problem": ""}],
    "usable": True,
    "prompt": "9f2d6c0c1bd1a6b1b0a1f2f6f2f5d8b0f9e0f4a6d2b3c4d5e6f708192a3b4c5d",
    "tools": ["http.get"],
    "reads": ["style:*"],
    "writes": [],
    "budget": {"usd": 1.0},
    "preference": 0,
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


@routes.get("/agents", responses=pages(AgentTold, AGENT))
@needs("turns:read")
async def agents(request: Request, limit: Limit = 50, cursor: Cursor = None) -> Response:
    """The agents that steps of the tenant may ask, by name, and whether they can be used."""
    after = went_on(request, "agents", cursor)
    found = [
        each for each in tenant_of(request).agents.list() if after is None or each.card.name > after
    ]
    return page(
        request,
        "agents",
        found[: limit + 1],
        limit,
        lambda each: each.to_json(),
        lambda each: each.card.name,
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
