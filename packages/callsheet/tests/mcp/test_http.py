"""`/mcp` of the service: the keys, scopes and tenants of the service, for agents."""

from __future__ import annotations

from typing import Any

import httpx2
import pytest
from mcp.shared.exceptions import MCPError
from tests.mcp.service import agent, serving
from tests.mcp.stage import ERAS, Outside, Person, a_plan, refused, said, step
from tests.mcp.tasking import TasksClient, begin, get, until, update
from tests.serve.stage import LOCAL

from callsheet.serve.access.caller import SCOPES, Limits

# Each of these listens on a socket, with a service behind it.
pytestmark = pytest.mark.slow
APPROVE = {"action": "accept", "content": {"answer": "approve"}}


@pytest.mark.requirement("S3")
@pytest.mark.parametrize("era", ERAS)
async def test_an_agent_with_a_key_runs_plans_of_its_tenant(era: str) -> None:
    async with serving(Outside()) as served:
        client = await agent(served, await served.key("acme"), mode=era)
        view = await said(client, "run_start", plan=a_plan(step("a")), wait_seconds=30)
        assert view["state"] == "succeeded"
        run = await served.engine.tenant("acme").get(view["run"])
        await said(client, "run_undo", run=run.id)
        result = await run.wait()
        assert result.cause
        assert result.cause.by == "acme-key"


@pytest.mark.requirement("S3")
async def test_the_runs_and_tasks_of_another_tenant_are_not_there() -> None:
    async with serving(Outside()) as served:
        mine = await agent(served, await served.key("acme"), extensions=[TasksClient()])
        task = await begin(mine, "run_plan", plan=a_plan(step("a")))
        await until(mine, task, "completed")
        theirs = await agent(served, await served.key("other"), extensions=[TasksClient()])
        assert (await refused(theirs, "run_status", run=task))["code"] == "unknown_run"
        assert (await said(theirs, "run_list"))["items"] == []
        with pytest.raises(MCPError, match="There is no task"):
            await get(theirs, task)
        with pytest.raises(MCPError, match="There is no resource"):
            await theirs.read_resource(f"run://{task}")


@pytest.mark.requirement("S3")
async def test_a_key_does_what_its_scopes_say_and_no_key_that_is_known_does_nothing() -> None:
    async with serving(Outside(), keyless=False) as served:
        looks = await agent(served, await served.key("acme", ["runs:read"]))
        assert (await said(looks, "run_list"))["items"] == []
        error = await refused(looks, "run_start", plan=a_plan(step("a")))
        assert "runs:write" in error["message"]
        error = await refused(looks, "plan_list")
        assert "plans:read" in error["message"]
        async with httpx2.AsyncClient(trust_env=False) as http:
            for headers in ({}, {"Authorization": "Bearer cs_wrong"}):
                answer = await http.post(f"{served.url}/mcp", json={}, headers=headers)
                assert answer.status_code == 401


@pytest.mark.requirement("S3", "E17")
async def test_only_a_key_with_the_right_to_approve_answers_for_a_person() -> None:
    scopes = [scope for scope in SCOPES if scope not in ("runs:approve", "admin")]
    plan = a_plan(step("a", approval="required"))
    settings: dict[str, Any] = {"extensions": [TasksClient()], "elicitation_callback": Person()}
    async with serving(Outside()) as served:
        model = await agent(served, await served.key("acme", scopes), **settings)
        task = await begin(model, "run_plan", plan=plan)
        while not (questions := (await said(model, "run_status", run=task))["questions"]):
            pass
        error = await refused(model, "run_answer", run=task, step="a", answer="approve")
        assert "callsheet answer" in error["message"]
        with pytest.raises(MCPError, match="may not answer for a person"):
            await update(model, task, **{questions[0]["id"]: APPROVE})
        person = await agent(served, await served.key("acme"), **settings)
        await until(person, task, "input_required")
        await update(person, task, **{questions[0]["id"]: APPROVE})
        await until(model, task, "completed")


@pytest.mark.requirement("S3")
async def test_the_limits_of_a_key_hold_here_too() -> None:
    outside = Outside()
    async with serving(outside) as served:
        key = await served.key("acme", limits=Limits(runs=1))
        client = await agent(served, key)
        await said(client, "run_start", plan=a_plan(step("slow", "held")))
        error = await refused(client, "run_start", plan=a_plan(step("a")))
        assert (error["code"], error["retryable"]) == ("rate_limited", True)
        outside.gate.set()


@pytest.mark.requirement("S3")
async def test_a_header_that_says_otherwise_than_the_body_is_refused() -> None:
    async with serving(Outside()) as served:
        client = await agent(served, LOCAL, extensions=[TasksClient()])
        task = await begin(client, "run_plan", plan=a_plan(step("a")))
        meta = {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {
                "extensions": {"io.modelcontextprotocol/tasks": {}}
            },
        }
        body = {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "tasks/get",
            "params": {"taskId": task, "_meta": meta},
        }
        headers = {
            "Authorization": f"Bearer {LOCAL}",
            "Accept": "application/json, text/event-stream",
            "MCP-Protocol-Version": "2026-07-28",
            "Mcp-Method": "tasks/get",
        }
        async with httpx2.AsyncClient(trust_env=False) as http:
            for name, good in ((task, True), ("another", False)):
                answer = await http.post(
                    f"{served.url}/mcp", json=body, headers={**headers, "Mcp-Name": name}
                )
                assert ("-32020" not in answer.text) is good, answer.text
