"""Who may ask: keys, scopes, limits, what a page in a browser may not do, and the audit."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from tests.serve.stage import ASKS, HELLO, LOCAL, serving, started, until

from callsheet import tool
from callsheet.errors import InputError, StoreError
from callsheet.serve.access import keys as keys_module
from callsheet.serve.access.caller import SCOPES, Limits, scopes_of
from callsheet.serve.access.local import FILE, found_key, local_key
from callsheet.serve.service import Settings

if TYPE_CHECKING:
    from pathlib import Path

# Most start a server.
pytestmark = [pytest.mark.slow, pytest.mark.requirement("S2")]

READS = {"steps": [{"id": "a", "tool": "file.read", "args": {"path": "secret.txt"}}]}


async def test_without_a_key_pages_of_others_are_refused(tmp_path: Path) -> None:
    async with serving(tmp_path / "home") as served:
        client = await served.client()
        port = served.url.rpartition(":")[2]
        for headers, status in (
            ({}, 201),
            ({"Host": f"localhost:{port}"}, 201),
            ({"Host": f"[::1]:{port}"}, 201),
            ({"Origin": served.url}, 201),
            ({"Host": "evil.example"}, 403),
            ({"Host": "127.0.0.1.evil.example"}, 403),
            ({"Origin": "https://evil.example"}, 403),
            ({"Origin": "null"}, 403),
            ({"X-Forwarded-For": "192.0.2.1"}, 403),
            ({"Via": "1.1 proxy"}, 403),
            ({"Origin": "http://127.0.0.1:1"}, 403),
        ):
            answer = await client.post("/api/runs", json={"plan": HELLO}, headers=headers)
            assert answer.status_code == status, (headers, answer.text)
        with_key = await served.owner()
        far = await with_key.post(
            "/api/runs", json={"plan": HELLO}, headers={"Host": "api.example"}
        )
        assert far.status_code == 201


async def test_pages_of_other_origins_read_nothing_unless_they_are_named(tmp_path: Path) -> None:
    named, other = "https://app.example.com", "https://evil.example.com"
    settings = Settings(local_key=LOCAL, origins=frozenset({named}))
    asked = {"Access-Control-Request-Method": "POST"}
    async with serving(tmp_path / "home", settings) as served:
        owner, keyless = await served.owner(), await served.client()
        for origin, is_named in ((named, True), (other, False)):
            first = await keyless.options("/api/runs", headers={"Origin": origin, **asked})
            assert (first.status_code == 204) is is_named
            answer = await owner.get("/api/runs", headers={"Origin": origin})
            assert answer.status_code == 200
            assert answer.headers.get("access-control-allow-origin") == (
                origin if is_named else None
            )
            assert "access-control-allow-credentials" not in answer.headers
            refused = await keyless.get("/api/runs", headers={"Origin": origin})
            assert refused.status_code == 403, "a name is no key"
        wrong = await (await served.client("cs_no")).get("/api/runs", headers={"Origin": named})
        assert wrong.headers["access-control-allow-origin"] == named, "a page may read why"
    async with serving(tmp_path / "closed") as served:
        closed = await (await served.owner()).get("/api/runs", headers={"Origin": named})
        assert "access-control-allow-origin" not in closed.headers


async def test_a_form_of_a_page_starts_nothing(tmp_path: Path) -> None:
    """What a browser sends without asking first: text/plain, and no Origin from some."""
    async with serving(tmp_path / "home") as served:
        client = await served.client()
        body = json.dumps({"plan": HELLO})
        for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
            answer = await client.post("/api/runs", content=body, headers={"Content-Type": kind})
            assert answer.status_code == 415
        assert (await client.post("/api/runs", content=body)).status_code == 415


@tool("app.deliver", effect="write", idempotent=True, machine=True)
async def deliver(out: str) -> str:
    """Write a file wherever somebody wants it."""
    return out


async def test_a_tool_of_an_app_that_reaches_the_machine_is_the_owner_s(tmp_path: Path) -> None:
    plan = {"steps": [{"id": "a", "tool": "app.deliver", "args": {"out": "/etc"}}]}
    async with serving(tmp_path / "home", tools=[deliver]) as served:
        for other in (await served.client(), await served.tenant("acme")):
            answer = await other.post("/api/runs", json={"plan": plan})
            assert (answer.status_code, answer.json()["code"]) == (422, "plan")
            assert (await other.get("/api/tools/app.deliver")).status_code == 404
        owner = await served.owner()
        done = await owner.post("/api/runs?wait=30", json={"plan": plan})
        assert done.json()["state"] == "succeeded"


async def test_without_a_key_there_are_no_tools_that_reach_the_machine(tmp_path: Path) -> None:
    async with serving(tmp_path / "home", allow_shell=True, files=tmp_path) as served:
        client, owner = await served.client(), await served.owner()
        acme = await served.tenant("acme")
        (tmp_path / "secret.txt").write_text("s3cret")
        for other in (client, acme):
            answer = await other.post("/api/runs", json={"plan": READS})
            assert (answer.status_code, answer.json()["code"]) == (422, "plan")
            names = {each["name"] for each in (await other.get("/api/tools")).json()["items"]}
            assert {"wait", "http.get"} <= names
            assert names.isdisjoint({"sh", "file.read", "file.write"})
            assert (await other.get("/api/tools/sh")).status_code == 404
            run = await started(other, HELLO, open=True)
            added = await other.post(f"/api/runs/{run}/steps", json=READS["steps"])
            assert added.status_code == 422, "nor by a step that is added"
            inside = [{"id": "p", "plan": {"name": "x", **READS}}]
            assert (await other.post(f"/api/runs/{run}/steps", json=inside)).status_code == 422
        done = await owner.post("/api/runs?wait=30", json={"plan": READS})
        assert done.json()["state"] == "succeeded"
        # What the owner has saved under the same tenant is no way round it.
        saved = await owner.post("/api/plans", json={"plan": {"name": "reads", **READS}})
        assert saved.status_code == 201
        assert (await client.post("/api/runs", json={"plan_id": "reads"})).status_code == 422
        step = [{"id": "p", "plan": "reads"}]
        run = await started(client, HELLO, open=True)
        assert (await client.post(f"/api/runs/{run}/steps", json=step)).status_code == 422


async def test_the_configuration_says_which_tenant_has_which_tools(tmp_path: Path) -> None:
    config = tmp_path / "callsheet.toml"
    config.write_text('[tenants.acme]\ntools = ["file.read", "value"]\n')
    config.chmod(0o600)
    (tmp_path / "secret.txt").write_text("s3cret")
    async with serving(tmp_path / "home", config=config, files=tmp_path) as served:
        acme = await served.tenant("acme")
        done = await acme.post("/api/runs?wait=30", json={"plan": READS})
        assert done.json()["state"] == "succeeded"
        listed = (await acme.get("/api/tools")).json()["items"]
        assert [each["name"] for each in listed] == ["file.read", "value"]


async def test_no_tool_reaches_the_service_itself(tmp_path: Path) -> None:
    from callsheet import Engine
    from callsheet.serve.server import listening, running
    from callsheet.tools.outside.network import Network

    listener, address = listening("127.0.0.1", 0)
    network = Network(everything=True, own_port=address.port)
    plan = {"steps": [{"id": "a", "tool": "http.get", "args": {"url": f"{address.url}/health"}}]}
    async with (
        Engine.open(tmp_path / "home", allow_private=network) as engine,
        running(engine, Settings(), listener),
    ):
        result = await engine.run(plan)
        error = result.steps["a"].error
        assert error is not None
        assert error.error_class == "denied"


async def test_without_a_key_nobody_approves_and_nobody_rules(tmp_path: Path) -> None:
    async with serving(tmp_path / "home") as served:
        client = await served.client()
        run = await started(client, ASKS)
        answer = {"question": "ok#1", "answer": "yes"}
        assert (await client.post(f"/api/runs/{run}/answer", json=answer)).status_code == 403
        assert (await client.get("/api/keys")).status_code == 403
        assert (await client.get("/api/audit")).status_code == 403
    settings = Settings(no_key=True)
    async with serving(tmp_path / "other", settings) as served:
        client = await served.client()
        run = await started(client, ASKS)
        assert (await client.post(f"/api/runs/{run}/answer", json=answer)).status_code == 200


async def test_answers_are_recorded_with_the_name_of_the_key(tmp_path: Path) -> None:
    async with serving(tmp_path / "home") as served:
        acme = await served.tenant("acme")
        run = await started(acme, ASKS)
        answer = {"question": "ok#1", "answer": "yes"}
        assert (await acme.post(f"/api/runs/{run}/answer", json=answer)).status_code == 200
        await until(acme, run, "succeeded")
        lines = await acme.get(
            f"/api/runs/{run}/events", headers={"Accept": "application/x-ndjson"}
        )
        entries = [json.loads(line) for line in lines.text.splitlines()]
        assert [each["by"] for each in entries if each["kind"] == "AnswerRecorded"] == ["acme-key"]
        again = await acme.post(f"/api/runs/{run}/answer", json=answer)
        assert again.status_code == 409


async def test_a_key_opens_what_its_scopes_say(tmp_path: Path) -> None:
    async with serving(tmp_path / "home") as served:
        reads = await served.tenant("acme", ["runs:read"])
        writes = await served.tenant("acme", ["runs:write"])
        assert (await reads.post("/api/runs", json={"plan": HELLO})).status_code == 403
        run = await started(writes)
        assert (await reads.get(f"/api/runs/{run}")).status_code == 200
        assert (await writes.get(f"/api/runs/{run}")).status_code == 200, "who writes may read"
        assert (await writes.get("/api/plans")).status_code == 403
        answer = {"question": "ok#1", "answer": "yes"}
        assert (await writes.post(f"/api/runs/{run}/answer", json=answer)).status_code == 403


async def test_expired_revoked_and_unknown_keys_are_alike(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keys_module, "FRESH", timedelta())
    async with serving(tmp_path / "home") as served:
        keys = served.service.keys
        _, expired = await keys.new("acme", "a", SCOPES, expires=timedelta(microseconds=1))
        known, revoked = await keys.new("acme", "b", SCOPES)
        client = await served.client(revoked)
        assert (await client.get("/api/runs")).status_code == 200
        assert await keys.revoke(known.id)
        said = set()
        for secret in (expired, revoked, "cs_never-was", "nonsense"):
            answer = await (await served.client(secret)).get("/api/runs")
            assert answer.status_code == 401
            assert answer.headers["www-authenticate"] == "Bearer"
            problem = answer.json()
            said.add((problem["detail"], problem["code"], problem["title"]))
        assert len(said) == 1


async def test_only_a_hash_of_a_key_is_kept(tmp_path: Path) -> None:
    async with serving(tmp_path / "home") as served:
        secret = await served.key("acme")
    assert secret.startswith("cs_")
    for file in (tmp_path / "home").rglob("*"):
        if file.is_file():
            assert secret.encode() not in file.read_bytes(), file


async def test_away_from_loopback_nothing_is_answered_without_a_key(tmp_path: Path) -> None:
    async with serving(tmp_path / "home", Settings(keyless=False, local_key=LOCAL)) as served:
        nobody = await served.client()
        assert (await nobody.get("/api/runs")).status_code == 401
        for path in ("/health", "/ready", "/openapi.json", "/"):
            assert (await nobody.get(path)).status_code == 200
        assert (await (await served.owner()).get("/api/runs")).status_code == 200


async def test_too_many_requests_are_told_when_to_come_back(tmp_path: Path) -> None:
    async with serving(tmp_path / "home") as served:
        acme = await served.tenant("acme", limits=Limits(requests=0.5))
        answers = [await acme.get("/api/runs") for _ in range(3)]
        assert [each.status_code for each in answers] == [200, 429, 429]
        assert int(answers[-1].headers["retry-after"]) >= 1
        assert answers[-1].json()["retryable"] is True


async def test_too_many_runs_at_once_are_refused_until_some_have_ended(tmp_path: Path) -> None:
    async with serving(tmp_path / "home") as served:
        acme = await served.tenant("acme", limits=Limits(runs=1))
        run = await started(acme, ASKS)
        more = await acme.post("/api/runs", json={"plan": HELLO})
        assert (more.status_code, more.json()["code"]) == (429, "rate_limited")
        await acme.post(f"/api/runs/{run}/cancel")
        await until(acme, run, "cancelled", "undone")
        assert (await acme.post("/api/runs", json={"plan": HELLO})).status_code == 201


async def test_the_audit_has_every_change_and_who_made_it(tmp_path: Path) -> None:
    async with serving(tmp_path / "home") as served:
        acme, other = await served.tenant("acme"), await served.tenant("beta")
        run = await started(acme, ASKS)
        await acme.post(f"/api/runs/{run}/cancel", json={})
        await acme.post("/api/runs", json={"plan": {}})
        await acme.get("/api/runs")
        lines = (await acme.get("/api/audit")).json()["items"]
        assert [(line["method"], line["path"], line["status"]) for line in lines] == [
            ("POST", "/api/runs", 422),
            ("POST", f"/api/runs/{run}/cancel", 200),
            ("POST", "/api/runs", 201),
        ]
        assert {(line["who"], line["address"]) for line in lines} == {("acme-key", "127.0.0.1")}
        assert (await other.get("/api/audit")).json()["items"] == []
        page = (await acme.get("/api/audit?limit=2")).json()
        rest = (await acme.get(f"/api/audit?limit=2&cursor={page['next']}")).json()
        assert [*page["items"], *rest["items"]] == lines
        assert rest["next"] is None
    async with serving(tmp_path / "home") as served:
        acme = await served.tenant("acme")
        assert (await acme.get("/api/audit")).json()["items"][-1]["path"] == "/api/runs"


def test_scopes_are_checked_when_a_key_is_made() -> None:
    assert scopes_of(["admin", "plans:read", "plans:read"]) == ("plans:read", "admin")
    with pytest.raises(InputError, match="no scope 'runs'"):
        scopes_of(["runs"])
    with pytest.raises(InputError, match="needs a scope"):
        scopes_of([])


def test_the_key_of_a_home_is_for_its_owner_alone(tmp_path: Path) -> None:
    key = local_key(tmp_path / "home")
    file = tmp_path / "home" / FILE
    assert file.stat().st_mode & 0o777 == 0o600
    assert local_key(tmp_path / "home") == found_key(tmp_path / "home") == key
    file.chmod(0o644)
    with pytest.raises(StoreError, match="may be read by others"):
        found_key(tmp_path / "home")
    assert found_key(tmp_path / "nowhere") is None
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / FILE).touch(0o600)
    with pytest.raises(StoreError, match="is empty"):
        local_key(tmp_path / "empty")
    (tmp_path / "linked").mkdir()
    (tmp_path / "linked" / FILE).symlink_to(file)
    with pytest.raises(StoreError, match="Cannot read"):
        local_key(tmp_path / "linked")
