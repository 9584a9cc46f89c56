"""`research/tools`: the tool stack."""

from __future__ import annotations

from datetime import date
from typing import Annotated

from callsheet.apps.routes import (
    APIRouter,
    Query,
    Request,
    Response,
    answers,
    needs,
    routes_of,
    tenant_of,
    told,
)
from callsheet_studio.model.shots import Size
from callsheet_studio.model.stack import Category
from callsheet_studio.serve.routes import examples
from callsheet_studio.serve.routes.bodies import StackTold
from callsheet_studio.studio import Studio

routes = routes_of("research")


def brought() -> APIRouter:
    """What the entry point names."""
    return routes


@routes.get("/research/tools", responses=answers(StackTold, examples.STACK))
@needs("plans:read")
async def stack_tools(
    request: Request,
    *,
    category: Annotated[Category | None, Query(description="Only these.")] = None,
    capability: Annotated[
        str | None, Query(max_length=100, description="As in lip_sync, i2v, 1080p or 9:16.")
    ] = None,
    shot: Annotated[Size | None, Query(description="What suits shots of this size.")] = None,
    complexity: Annotated[
        int | None, Query(ge=1, le=10, description="What suits shots as hard as this.")
    ] = None,
    as_of: Annotated[date | None, Query(description="As it was known on a day.")] = None,
) -> Response:
    """The tool stack: what films can be made with, at which prices, each with source and date."""
    from callsheet_studio.stack.queries import matching

    known = await Studio(tenant_of(request)).stack(as_of)
    found = matching(
        known.stack, category=category, capability=capability, shot=shot, complexity=complexity
    )
    listed = [each.model_dump(mode="json") for each in found]
    return told({**known.origin(), "tools": listed})
