"""The service: what strangers send is answered soon, and a key opens no more than is its own."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest
from tests.serve.stage import serving

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.requirement("S10", "S2")

SECONDS = 2.0
"""Of CPU that a megabyte may take."""
MANY = 60_000
JSON = {"Content-Type": "application/json"}


async def test_a_key_that_stands_twice_among_many_is_found_soon(tmp_path: Path) -> None:
    keys = ",".join(f'"k{number}":0' for number in range(MANY))
    async with serving(tmp_path / "home") as served:
        client = await served.tenant("acme")
        begun = time.process_time()
        body = "{" + keys + f',"k{MANY - 1}":1' + "}"
        answer = await client.post("/api/plans/check", content=body, headers=JSON)
        assert answer.status_code == 400
        assert f"'k{MANY - 1}' twice" in answer.json()["detail"]
        assert time.process_time() - begun < SECONDS


async def test_no_more_problems_are_told_than_somebody_reads(tmp_path: Path) -> None:
    async with serving(tmp_path / "home") as served:
        client = await served.tenant("acme")
        for path, body in (
            ("/api/runs", {f"k{number}": 0 for number in range(5_000)}),
            ("/api/runs/r00/steps", [1] * 5_000),
        ):
            answer = await client.post(path, json=body)
            assert answer.status_code == 422
            problems = answer.json()["problems"]
            assert len(problems) == 100
            assert problems[-1]["what"].startswith("there are 4,90")


async def test_saved_plans_that_name_each_other_are_looked_at_once(tmp_path: Path) -> None:
    """Six times a level, eight levels deep: more than a million, written in eight small plans."""
    async with serving(tmp_path / "home") as served:
        client = await served.tenant("acme")
        for level in range(8, 0, -1):
            inner: dict[str, Any] = (
                {"plan": f"p{level + 1}"} if level < 8 else {"tool": "value", "args": {"value": 1}}
            )
            steps = [{"id": f"s{number}", **inner} for number in range(6)]
            saved = await client.post(
                "/api/plans", json={"plan": {"name": f"p{level}", "steps": steps}}
            )
            assert saved.status_code == 201
        begun = time.process_time()
        plan = {"steps": [{"id": "a", "plan": "p2"}]}
        checked = await client.post("/api/plans/check", json={"plan": plan})
        assert checked.json()["ok"]
        deep = await client.post(
            "/api/plans/check", json={"plan": {"steps": [{"id": "a", "plan": "p1"}]}}
        )
        assert "nested more than 8 deep" in str(deep.json()) or deep.json()["ok"]
        foreseen = await client.post("/api/plans/preflight", json={"plan": plan})
        assert foreseen.status_code == 200
        assert len(foreseen.content) < 1_000_000
        opened = await client.post("/api/runs", json={"plan": {"steps": []}, "open": True})
        run = opened.json()["run"]
        await client.post(f"/api/runs/{run}/pause")
        added = await client.post(
            f"/api/runs/{run}/steps", json=[{"id": "c", "plan": "p2", "needs": []}]
        )
        assert added.status_code == 200, added.text
        assert time.process_time() - begun < 4 * SECONDS
        await client.post(f"/api/runs/{run}/cancel")


async def test_a_saved_plan_that_names_itself_is_refused_wherever_it_is_called(
    tmp_path: Path,
) -> None:
    async with serving(tmp_path / "home") as served:
        client = await served.tenant("acme")
        circle = {"name": "circle", "steps": [{"id": "a", "plan": "circle"}]}
        await client.post("/api/plans", json={"plan": circle})
        opened = await client.post("/api/runs", json={"plan": {"steps": []}, "open": True})
        for path, body in (
            ("/api/runs", {"plan_id": "circle"}),
            (f"/api/runs/{opened.json()['run']}/steps", [{"id": "b", "plan": "circle"}]),
        ):
            answer = await client.post(path, json=body)
            assert answer.status_code == 422
            assert "in a circle" in answer.json()["detail"]


async def test_a_tenant_s_administrator_grants_nothing_to_anybody(tmp_path: Path) -> None:
    async with serving(tmp_path / "home") as served:
        acme, owner = await served.tenant("acme", ["admin"]), await served.owner()
        for tenant in ("acme", "beta"):
            answer = await acme.post("/api/ledger/grants", json={"tenant": tenant, "usd": 1_000})
            assert (answer.status_code, answer.json()["code"]) == (403, "tenant")
            assert await served.engine.ledger.account(tenant) is None
        answer = await owner.post("/api/ledger/grants", json={"tenant": "acme", "usd": 1})
        assert answer.status_code == 201


async def test_without_a_key_no_secret_is_given(tmp_path: Path) -> None:
    """Whoever has an account on this machine reaches its loopback."""
    step = {"id": "a", "tool": "value", "args": {"value": "${secrets.STRIPE}"}}
    plan = {"name": "says", "steps": [step], "output": "${steps.a}"}
    async with serving(tmp_path / "home", secrets={"STRIPE": "sk_live_1234"}) as served:
        anybody, owner = await served.client(), await served.owner()
        allowed = await owner.post("/api/runs?wait=30", json={"plan": plan})
        assert allowed.json()["state"] == "succeeded"
        await owner.post("/api/plans", json={"plan": plan})
        opened = await owner.post("/api/runs", json={"plan": {"steps": []}, "open": True})
        run = opened.json()["run"]
        inside = {"id": "b", "plan": {"steps": [step]}}
        taken_back = {"id": "c", "tool": "book", "args": {"city": "x"}}
        taken_back["undo"] = {"tool": "unbook", "args": {"args": {"x": "${secrets.STRIPE}"}}}
        for path, body in (
            ("/api/runs", {"plan": plan}),
            ("/api/runs", {"plan_id": "says"}),
            ("/api/runs", {"plan": {"steps": [{"id": "b", "plan": "says"}]}}),
            ("/api/runs", {"plan": plan, "open": True}),
            (f"/api/runs/{run}/steps", [step]),
            (f"/api/runs/{run}/steps", [inside]),
            (f"/api/runs/{run}/steps", [taken_back]),
            (f"/api/runs/{run}/steps", [{"id": "b", "plan": "says"}]),
            (f"/api/runs/{allowed.json()['run']}/fork", {"step": "a"}),
        ):
            answer = await anybody.post(path, json=body)
            assert answer.status_code == 422, (path, body, answer.text)
            assert "the secret STRIPE is not for plans that come this way" in answer.text


@pytest.mark.parametrize(
    "said", ["0" * 5_000 + "1", "0" * 19 + "9" * 40, "-1", "1.5", "x", "\u0661", "9" * 20]
)
async def test_where_a_stream_goes_on_is_the_id_of_an_event(tmp_path: Path, said: str) -> None:
    async with serving(tmp_path / "home") as served:
        client = await served.tenant("acme")
        opened = await client.post("/api/runs", json={"plan": {"steps": []}, "open": True})
        for path in (f"/api/runs/{opened.json()['run']}/events", "/api/feed"):
            answer = await client.get(path, headers=[(b"Last-Event-ID", said.encode())])
            assert (answer.status_code, answer.json()["code"]) == (422, "request")
