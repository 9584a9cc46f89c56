"""The way from the gate to a route, in one step.

FastAPI would look through every router twice and wrap each request in seven layers, which takes
longer than most routes do. Routes, what they need and what they say of themselves are FastAPI's all
the same; whatever is not found here goes through the application, which knows what to answer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet.serve.http.route import Route, StrictRequest, told_anyhow
from callsheet.serve.problems import broken

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from fastapi import APIRouter, FastAPI
    from starlette.types import Receive, Scope, Send


class Switch:
    """The routes of an application, by method and path."""

    def __init__(self, app: FastAPI, routers: Iterable[APIRouter]) -> None:
        self._app = app
        self._plain: dict[tuple[str, str], Route] = {}
        self._patterns: dict[tuple[str, int], list[Route]] = {}
        """Those with something to fill in, by the number of their slashes."""
        for router in routers:
            for route in router.routes:
                if isinstance(route, Route) and not router.dependencies:
                    self._add(route)

    def _add(self, route: Route) -> None:
        for method in route.methods or ():
            if not route.param_convertors:
                self._plain.setdefault((method, route.path), route)
            elif all(each.regex == "[^/]+" for each in route.param_convertors.values()):
                shape = method, route.path.count("/")
                self._patterns.setdefault(shape, []).append(route)

    def find(self, method: str, path: str) -> tuple[Route, Mapping[str, str]] | None:
        """The route of a request, and what its path says; None: none of these."""
        plain = self._plain.get((method, path))
        if plain is not None:
            return plain, {}
        for route in self._patterns.get((method, path.count("/")), ()):
            found = route.path_regex.match(path)
            if found is not None:
                return route, found.groupdict()
        return None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        found = self.find(scope["method"], scope["path"]) if scope["type"] == "http" else None
        if found is None:
            await self._app(scope, receive, send)
            return
        route, said = found
        scope.update(app=self._app, endpoint=route.endpoint, path_params=said, route=route)
        try:
            response = await told_anyhow(route.handled, StrictRequest(scope, receive))
        except Exception as error:
            await broken(error, scope["request_id"])(scope, receive, send)
            raise
        await response(scope, receive, send)
