"""The foreign-tenant walk: every route, asked with what is another tenant's.

The routes come from the application itself. Each is asked twice by tenant beta: with what is
acme's, and with what never was; both times the same must come of it, and nothing of acme's changes.
A route that this walk does not know how to ask fails it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from tests.serve.stage import ASKS, SECONDS, serving, started, until

from callsheet.core.ids import mint_run
from callsheet.serve.app import ROUTES

if TYPE_CHECKING:
    from pathlib import Path

    import httpx

# A server, a home, and every route of it.
pytestmark = [pytest.mark.slow, pytest.mark.requirement("S2")]

NEVER = mint_run(2**40, 7)
TENANTS = ("acme", "beta")


class Things(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody may know the name of."""

    run: str = NEVER
    name: str = "nope"
    digest: str = "f" * 64
    scope: str = "project:none"
    id: str = "key_0000000000000000"
    step: str = "ok"
    item: str = "none"
    conversation: str = "nobodys"
    turn: str = NEVER


class Ask(msgspec.Struct, frozen=True, kw_only=True):
    """How a route is asked."""

    body: Any = None
    query: str = ""
    status: int = 404
    """What comes of it, where there is nothing of that name."""


PLAN = {"name": "own", "steps": [{"id": "a", "tool": "value", "args": {"value": 1}}]}
WALK: dict[str, Ask] = {
    "POST /api/plans/check": Ask(
        body={"plan": {"steps": [{"id": "s", "plan": "{name}"}]}}, status=200
    ),
    "POST /api/plans/preflight": Ask(
        body={"plan": {"steps": [{"id": "s", "plan": "{name}"}]}}, status=422
    ),
    "GET /api/plans": Ask(status=200),
    "POST /api/plans": Ask(body={"plan": PLAN}, status=201),
    "GET /api/plans/{name}": Ask(),
    "DELETE /api/plans/{name}": Ask(),
    "GET /api/plans/{name}/versions": Ask(),
    "POST /api/runs": Ask(body={"plan_id": "{name}"}),
    "GET /api/runs": Ask(query="?key=acme-key", status=200),
    "GET /api/runs/{run}": Ask(),
    "DELETE /api/runs/{run}": Ask(),
    "POST /api/runs/{run}/pause": Ask(),
    "POST /api/runs/{run}/resume": Ask(),
    "POST /api/runs/{run}/cancel": Ask(body={"reason": "mine"}),
    "POST /api/runs/{run}/undo": Ask(body={}),
    "POST /api/runs/{run}/seal": Ask(),
    "POST /api/runs/{run}/steps": Ask(body=[{"id": "b", "tool": "value", "args": {"value": 1}}]),
    "POST /api/runs/{run}/answer": Ask(body={"question": "ok#1", "answer": "yes"}),
    "POST /api/runs/{run}/fork": Ask(body={"step": "ok"}),
    "POST /api/runs/{run}/replay": Ask(),
    "POST /api/runs/{run}/steps/{step}/cancel": Ask(),
    "POST /api/runs/{run}/steps/{step}/retry": Ask(),
    "GET /api/runs/{run}/steps/{step}/repeats": Ask(),
    "GET /api/runs/{run}/steps/{step}/attempts": Ask(),
    "GET /api/runs/{run}/events": Ask(),
    "GET /api/feed": Ask(status=200),
    "GET /api/conversations": Ask(status=200),
    "POST /api/conversations": Ask(body={"id": "beta-talk"}, status=201),
    "GET /api/conversations/{conversation}": Ask(),
    "DELETE /api/conversations/{conversation}": Ask(),
    "GET /api/conversations/{conversation}/messages": Ask(),
    "POST /api/conversations/{conversation}/turns": Ask(
        body={"message": "hello", "model": "offline"}
    ),
    "GET /api/turns/{turn}": Ask(),
    "POST /api/turns/{turn}/cancel": Ask(),
    "GET /api/turns/{turn}/flow": Ask(),
    "GET /api/questions": Ask(status=200),
    "GET /api/tools": Ask(status=200),
    "GET /api/agents": Ask(status=200),
    "GET /api/tools/{name}": Ask(),
    "GET /api/lineage/{name}": Ask(),
    "POST /api/artifacts": Ask(body="beta's own", status=201),
    "GET /api/artifacts": Ask(query="?run={run}"),
    "GET /api/artifacts/{digest}": Ask(),
    "HEAD /api/artifacts/{digest}": Ask(),
    "GET /api/ledger": Ask(),
    "GET /api/ledger/statement": Ask(),
    "POST /api/ledger/grants": Ask(body={"tenant": "acme", "usd": 1}, status=403),
    "GET /api/context/{scope}": Ask(status=200),
    "GET /api/context/{scope}/{item}": Ask(),
    "PUT /api/context/{scope}/{item}": Ask(body={"value": "beta's"}, status=200),
    "DELETE /api/context/{scope}/{item}": Ask(status=204),
    "GET /api/keys": Ask(status=200),
    "POST /api/keys": Ask(
        body={"name": "x", "scopes": ["runs:read"], "tenant": "acme"}, status=403
    ),
    "DELETE /api/keys/{id}": Ask(),
    "GET /api/audit": Ask(status=200),
    "POST /api/tickets": Ask(body={"path": "/api/runs/{run}"}, status=201),
}


def routes() -> set[str]:
    return {
        f"{method} {route.path}"
        for routes in ROUTES
        for route in routes.routes
        for method in route.methods
    }


def test_the_walk_knows_every_route() -> None:
    assert routes() == WALK.keys()


def test_every_route_says_which_scope_it_needs() -> None:
    from callsheet.serve.access.caller import SCOPES

    for every in ROUTES:
        for route in every.routes:
            assert route.endpoint.scope in SCOPES, route.path


async def what_acme_has(acme: httpx.AsyncClient, owner: httpx.AsyncClient) -> Things:
    saved = await acme.post("/api/plans", json={"plan": ASKS})
    assert saved.status_code == 201
    run = await started(acme, ASKS, key="acme-key")
    kept = await acme.post("/api/artifacts?name=a.txt", content=b"acme's own")
    assert (await acme.put("/api/context/project:blue/style", json={"value": 1})).status_code == 200
    grant = await owner.post("/api/ledger/grants", json={"tenant": "acme", "usd": 5})
    assert grant.status_code == 201
    key = (await acme.get("/api/keys")).json()["items"][0]["id"]
    said = {"message": "hello", "model": "offline", "begin": True, "budget": {"usd": 1.0}}
    turn = await acme.post("/api/conversations/acmes/turns", json=said)
    assert turn.status_code == 201, turn.text
    await until(acme, turn.json()["run"], "succeeded")
    return Things(
        run=run,
        name="asks",
        digest=kept.json()["$artifact"],
        scope="project:blue",
        id=key,
        item="style",
        conversation="acmes",
        turn=turn.json()["turn"],
    )


async def asked(
    beta: httpx.AsyncClient, route: str, things: Things, ask: Ask | None = None
) -> tuple[int, str]:
    method, path = route.split(" ")
    ask = ask or WALK[route]
    names = msgspec.structs.asdict(things)

    def named(text: str) -> str:
        return re.sub(r"\{(\w+)\}", lambda found: names[found[1]], text)

    body = named(msgspec.json.encode(ask.body).decode()) if ask.body is not None else ""
    headers = {"Content-Type": "application/json"} if body else {}
    if path == "/api/feed":
        return await first_of(beta, named(path))
    answer = await beta.request(
        method, named(path) + named(ask.query), content=body, headers=headers, timeout=SECONDS
    )
    text = re.sub(r'"(request|ticket|id|at|saved_at|made_at)":"[^"]*"', "", answer.text)
    for name in names.values() if "{" in path + ask.query or body else ():
        text = text.replace(name, "…")
    return answer.status_code, text


async def first_of(beta: httpx.AsyncClient, path: str) -> tuple[int, str]:
    """What the feed tells first: only ever the tenant's own."""
    own = await started(beta)
    async with beta.stream("GET", path) as stream:
        async for line in stream.aiter_lines():
            if line.startswith("data: "):
                found = msgspec.json.decode(line.removeprefix("data: "))
                assert found["run"] == own, "that is another tenant's"
                break
        status = stream.status_code
    await until(beta, own, "succeeded")
    assert (await beta.delete(f"/api/runs/{own}")).status_code == 204
    return status, ""


@pytest.mark.parametrize("store", ["sqlite", "postgresql"])
async def test_what_is_another_tenant_s_is_as_if_it_never_was(
    store: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    home = tmp_path / "home" if store == "sqlite" else request.getfixturevalue("database")
    config = tmp_path / "callsheet.toml"
    config.write_text("".join(f'[tenants.{each}]\nmodels = ["offline"]\n' for each in TENANTS))
    options: dict[str, Any] = {"artifacts": tmp_path / "artifacts", "config": config}
    async with serving(home, **options) as served:
        acme, beta = await served.tenant("acme"), await served.tenant("beta")
        acme_s = await what_acme_has(acme, await served.owner())
        before = await everything_of(acme, acme_s)
        for route, ask in WALK.items():
            of_acme = await asked(beta, route, acme_s)
            assert of_acme[0] == ask.status, (route, of_acme)
            if route in ("GET /api/audit", "POST /api/conversations") or route.startswith(
                "DELETE /api/context"
            ):
                continue  # what beta itself has done so far
            assert of_acme == await asked(beta, route, Things()), route
        assert await everything_of(acme, acme_s) == before


async def everything_of(acme: httpx.AsyncClient, things: Things) -> list[str]:
    paths = (
        f"/api/runs/{things.run}",
        "/api/runs",
        "/api/questions",
        "/api/plans/asks",
        "/api/plans/asks/versions",
        f"/api/artifacts/{things.digest}",
        "/api/context/project:blue/style",
        "/api/ledger/statement",
        "/api/keys",
        "/api/conversations",
        "/api/conversations/acmes/messages",
        f"/api/turns/{things.turn}",
    )
    found = []
    for path in paths:
        answer = await acme.get(path)
        assert answer.status_code == 200, (path, answer.text)
        found.append(re.sub(r'"seconds":[0-9.e-]+', "", answer.text))
    return found
