"""Clients that leave, ask for too much, or send what nobody can read."""

from __future__ import annotations

import asyncio
import random
from typing import TYPE_CHECKING, Any

import anyio
import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError
from tests.acceptance.command import SECONDS
from tests.mcp.stage import (
    ERAS,
    Outside,
    a_client,
    a_door,
    a_plan,
    at_home,
    refused,
    said,
    step,
)

if TYPE_CHECKING:
    from pathlib import Path

CALLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("run_plan", {"plan": a_plan({"id": "a", "tool": "wait", "args": {"seconds": 5}})}),
    ("run_start", {"plan": a_plan(step("a", "stamp")), "wait_seconds": 5}),
    ("run_list", {}),
    ("plan_check", {"plan": a_plan(step("a", "stamp"))}),
    ("tool_list", {}),
)


# A process, and 200 calls of it.
@pytest.mark.slow
@pytest.mark.requirement("S3")
@pytest.mark.parametrize("era", ERAS)
async def test_a_server_whose_calls_are_cancelled_at_any_moment_still_answers(
    tmp_path: Path, era: str
) -> None:
    chance = random.Random(7)
    async with Client(at_home(tmp_path), mode=era, read_timeout_seconds=SECONDS) as client:
        await said(client, "run_list")
        for _ in range(200):
            tool, args = chance.choice(CALLS)
            with anyio.move_on_after(chance.uniform(0, 0.02)):
                await client.call_tool(tool, args)
        listed = await said(client, "run_list", limit=100)
        for each in listed["items"]:
            if each["state"] in ("running", "pending"):
                await said(client, "run_cancel", run=each["run"])
        view = await said(client, "run_plan", plan=a_plan(step("last", "stamp")))
        assert view["state"] == "succeeded"


@pytest.mark.requirement("S3")
@pytest.mark.parametrize("era", ERAS)
async def test_a_client_that_leaves_or_cancels_a_call_changes_nothing(era: str) -> None:
    outside = Outside()
    async with a_door(outside) as door, a_client(door, mode=era) as client:
        plan = a_plan(step("slow", "held"))
        async with asyncio.TaskGroup() as group:
            call = group.create_task(client.call_tool("run_plan", {"plan": plan, "key": "k"}))
            await outside.begun.wait()
            call.cancel()
        run = (await said(client, "run_start", plan=plan, key="k"))["run"]
        with anyio.move_on_after(0.05):
            await client.call_tool("run_wait", {"run": run, "seconds": 50})
        outside.gate.set()
        assert (await said(client, "run_wait", run=run, seconds=50))["state"] == "succeeded"


@pytest.mark.requirement("S3")
async def test_a_client_with_less_patience_than_the_run_comes_back_with_the_same_key() -> None:
    outside = Outside()
    plan = a_plan(step("slow", "held"), step("once"), output="${steps.slow}")
    async with a_door(outside) as door:
        async with a_client(door, read_timeout_seconds=0.3) as client:
            with pytest.raises(MCPError, match="imed out"):
                await client.call_tool("run_plan", {"plan": plan, "key": "k"})
        outside.gate.set()
        async with a_client(door) as client:
            assert (await said(client, "run_plan", plan=plan, key="k"))["output"] == "slow"
    assert outside.done == ["once"]


# It takes as long as it says.
@pytest.mark.long
@pytest.mark.requirement("S3")
async def test_a_run_of_ninety_seconds_ends_well_for_a_client_that_waits_sixty() -> None:
    async with a_door(Outside()) as door, a_client(door, read_timeout_seconds=60) as client:
        plan = a_plan({"id": "a", "tool": "wait", "args": {"seconds": 90}}, output="${steps.a}")
        view = await said(client, "run_plan", plan=plan)
        assert (view["state"], view["next"][0]) == ("running", "run_wait")
        view = await said(client, "run_wait", run=view["run"], seconds=50)
        assert view["output"] == {"waited": 90}


@pytest.mark.requirement("S3")
async def test_progress_names_the_run_and_says_that_leaving_does_not_cancel_it() -> None:
    outside = Outside()
    heard: list[str] = []

    async def on_progress(progress: float, total: float | None, message: str | None) -> None:
        heard.append(message or "")
        outside.gate.set()

    async with a_door(outside) as door, a_client(door) as client:
        plan = a_plan(step("slow", "held"))
        result = await client.call_tool("run_plan", {"plan": plan}, progress_callback=on_progress)
        run = (result.structured_content or {})["run"]
    assert f"Run {run}: " in heard[0]
    assert "Leaving does not cancel it." in heard[0]


# Half a second for five megabytes, and as much for two thousand steps.
@pytest.mark.slow
@pytest.mark.requirement("S3")
async def test_a_very_large_plan_is_answered() -> None:
    async with a_door(Outside()) as door, a_client(door) as client:
        long = a_plan({"id": "a", "tool": "value", "args": {"value": "x" * 5_000_000}})
        assert (await said(client, "plan_check", plan=long))["ok"]
        many = a_plan(*(step(f"s{n}", "nobody") for n in range(2_000)))
        result = await client.call_tool("plan_check", {"plan": many})
        assert not result.is_error
        assert len(result.model_dump_json()) < 25_000
        good = a_plan(*(step(f"s{n}") for n in range(2_000)))
        view = await said(client, "run_plan", plan=good)
        assert view["steps"]["succeeded"] == 2_000


@pytest.mark.requirement("S3")
async def test_what_was_answered_is_not_answered_again_and_the_same_key_means_the_same() -> None:
    async with a_door(Outside()) as door, a_client(door) as client:
        run = (await said(client, "run_plan", plan=a_plan(step("a")), key="k"))["run"]
        error = await refused(client, "run_answer", run=run, step="a", answer="approve")
        assert error["code"] == "request_refused"
        error = await refused(client, "run_start", plan=a_plan(step("b")), key="k")
        assert error["code"] == "key_reused"
        meta: Any = {"dev.callsheet/idempotencyKey": "k"}
        again = await client.call_tool("run_start", {"plan": a_plan(step("a"))}, meta=meta)
        assert (again.structured_content or {})["run"] == run
