"""What holds for every route of the service holds for those that the studio brings."""

from __future__ import annotations

from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any

import pytest
from tests.serve.production_page import PAGE, page
from tests.serve.studio_stage import BRIEF, ROUTES, studio_serving
from tests.serve.test_document import document, must_have_examples, must_say_how_it_is_refused
from tests.serve.test_walk import NEVER, Ask, Things, asked

from callsheet.serve.access.caller import SCOPES
from callsheet.serve.apps import routes_of_apps

if TYPE_CHECKING:
    from fastapi import APIRouter

# A server, and every route of it.
pytestmark = [pytest.mark.slow, pytest.mark.requirement("P10", "S2")]

WALK = {
    "POST /api/production/script": Ask(
        body={"vrd": {"$artifact": "{digest}", "media_type": "text/plain", "size": 1}}
    ),
    "POST /api/production/shots": Ask(body={"script_id": "{run}"}),
    "POST /api/production/plan": Ask(body={"shot_list_id": "{run}"}),
    "POST /api/production/film": Ask(
        body={"vrd": {"$artifact": "{digest}", "media_type": "text/plain", "size": 1}}
    ),
    "POST /api/production/stream": Ask(
        body={"vrd": {"$artifact": "{digest}", "media_type": "text/plain", "size": 1}}
    ),
    "GET /api/production/{run}": Ask(),
    "GET /api/research/tools": Ask(status=200),
}


def test_the_walk_knows_every_route_and_each_says_which_scope_it_needs() -> None:
    every: list[Any] = [each for one in ROUTES for each in one.routes]
    found = {f"{method} {each.path}": each for each in every for method in each.methods}
    assert found.keys() == WALK.keys()
    for route in found.values():
        assert route.endpoint.scope in SCOPES, route.path


async def test_what_is_another_tenant_s_is_as_if_it_never_was() -> None:
    async with studio_serving() as served:
        acme, beta = await served.tenant("acme"), await served.tenant("beta")
        made = await acme.post("/api/production/script", json={"vrd": BRIEF})
        kept = await acme.post("/api/artifacts?name=b.txt", content=b"Harbor keeps every berth.")
        acme_s = Things(run=made.json()["script_id"], digest=kept.json()["$artifact"])
        assert acme_s.run != NEVER
        before = (await acme.get("/api/runs")).text
        for route, ask in WALK.items():
            of_acme = await asked(beta, route, acme_s, ask)
            assert of_acme[0] == ask.status, (route, of_acme)
            assert of_acme == await asked(beta, route, Things(), ask), route
        assert (await acme.get("/api/runs")).text == before
        assert (await beta.get("/api/runs")).json()["items"] == []


async def test_the_document_tells_of_them_with_examples() -> None:
    told = await document(*ROUTES)
    assert "/api/production/stream" in told["paths"]
    must_have_examples(told)
    must_say_how_it_is_refused(told)


def test_the_service_finds_them_by_entry_point() -> None:
    assert {each.name for each in entry_points(group="callsheet.routes")} >= {
        "production",
        "research",
    }
    found: list[APIRouter] = [*routes_of_apps()]
    assert set(map(id, ROUTES)) <= set(map(id, found))


# A request for each route, made up from the document; more in the long test.
@pytest.mark.parametrize("examples", [1, pytest.param(10, marks=pytest.mark.long)])
def test_what_is_answered_is_what_the_document_says(examples: int) -> None:
    from schemathesis import openapi
    from tests.serve.test_document import _each
    from tests.serve.threaded import threaded

    with threaded(None, serving=studio_serving) as served:
        schema = openapi.from_url(f"{served.url}/openapi.json")
        chosen = schema.include(path_regex="/(production|research)/").exclude(path_regex="stream$")
        for operation in chosen.get_all_operations():
            known: Any = operation
            _each(known.ok().as_strategy(), examples)


async def test_the_reference_is_that_of_the_document() -> None:
    assert PAGE.read_text("utf-8") == await page(), (
        "python -m tests.serve.production_page makes it anew"
    )
