"""What apps bring to the service, by entry points of the group `callsheet.routes`.

Each stands for a function that is called once, without arguments, and returns an `APIRouter` of
FastAPI. Its routes are to begin with `/api/`, be of `callsheet.serve.http.route.Route`, and say
with `needs` which scope they need; they find the engine of whoever asks with `tenant_of(request)`.
"""

from __future__ import annotations

from importlib.metadata import entry_points
from typing import TYPE_CHECKING

from fastapi import APIRouter

from callsheet.errors import CallsheetError, InputError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "callsheet.routes"


def routes_of_apps() -> tuple[APIRouter, ...]:
    """The routes of every installed app, by the names of their entry points.

    Raises:
        InputError: one does not load, or is none; says whose it is, and why.
    """
    found = sorted(entry_points(group=GROUP), key=lambda point: point.name)
    return tuple(_loaded(point) for point in found)


def _loaded(point: EntryPoint) -> APIRouter:
    app = point.dist.name if point.dist else point.value.partition(".")[0]
    try:
        routes = point.load()()
    except CallsheetError:
        raise
    except (Exception, SystemExit) as exc:
        raise InputError(
            f"The routes {point.name!r} of {app} do not load: {type(exc).__name__}: {exc}. Install "
            f"{app} again, or remove it."
        ) from exc
    if not isinstance(routes, APIRouter):
        raise InputError(f"The routes {point.name!r} of {app} are no APIRouter of FastAPI.")
    return routes
