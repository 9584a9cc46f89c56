"""A run is a task: durable before it is told, the same after every crash, from every process."""

from __future__ import annotations

import asyncio
import os
import signal
from contextlib import suppress
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

import psutil
import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp_types import ElicitResult
from tests.acceptance.command import SECONDS, effects
from tests.acceptance.command import until as wait_until
from tests.mcp.stage import Outside, Person, a_client, a_door, a_plan, at_home, said, step
from tests.mcp.tasking import TasksClient, begin, cancel, get, once, until, update
from typing_extensions import override

from callsheet import Engine
from callsheet.runtime.clock import SystemClock
from callsheet.serve.mcp.door import Door

if TYPE_CHECKING:
    from pathlib import Path

APPROVE = {"action": "accept", "content": {"answer": "approve"}}


def with_tasks(person: Person | None = None) -> dict[str, Any]:
    settings: dict[str, Any] = {"extensions": [TasksClient()]}
    return settings | ({"elicitation_callback": person} if person else {})


@pytest.mark.requirement("S3")
async def test_a_task_is_the_run_and_ends_with_the_view_of_it() -> None:
    async with a_door(Outside()) as door, a_client(door, **with_tasks()) as client:
        plan = a_plan(step("a"), output="${steps.a}")
        task = await begin(client, "run_plan", plan=plan, key="k")
        assert task == (await said(client, "run_start", plan=plan, key="k"))["run"]
        done = await until(client, task, "completed")
        assert done["result"]["structuredContent"]["output"] == "a"
        assert not done["result"].get("isError")
        assert (done["ttlMs"], done["createdAt"] <= done["lastUpdatedAt"]) == (None, True)


@pytest.mark.requirement("S3")
async def test_a_plan_that_does_not_check_is_an_answer_and_no_task() -> None:
    async with a_door(Outside()) as door, a_client(door, **with_tasks()) as client:
        result = await client.call_tool("run_plan", {"plan": a_plan(step("a", "nobody"))})
        assert result.is_error
        assert (result.structured_content or {})["code"] == "plan"


@pytest.mark.requirement("S3")
async def test_a_run_that_fails_is_a_completed_task_with_an_error_in_it() -> None:
    async with a_door(Outside()) as door, a_client(door, **with_tasks()) as client:
        task = await begin(client, "run_plan", plan=a_plan(step("bad", "boom")))
        done = await until(client, task, "completed")
        assert done["result"]["isError"]
        assert done["result"]["structuredContent"]["cause"]["step"] == "bad"


@pytest.mark.requirement("S3")
async def test_a_task_is_cancelled_only_when_its_undo_has_ended_and_twice_is_once() -> None:
    outside = Outside()
    async with a_door(outside) as door, a_client(door, **with_tasks()) as client:
        plan = a_plan(step("a"), step("slow", "held", needs=["a"]))
        task = await begin(client, "run_plan", plan=plan)
        await outside.begun.wait()
        await cancel(client, task)
        await cancel(client, task)
        await until(client, task, "cancelled")
        assert outside.done == ["a", "una"]
        await cancel(client, task)
        assert (await get(client, task))["status"] == "cancelled"


@pytest.mark.requirement("S3", "E17")
async def test_questions_are_answered_in_parts_and_no_key_is_used_twice() -> None:
    person = Person()
    async with (
        a_door(Outside(), forms_count=True) as door,
        a_client(door, **with_tasks(person)) as client,
    ):
        plan = a_plan(
            step("a", approval="required"),
            {"id": "ok", "ask": "Which?", "choices": ["one", "two"]},
            output="${steps.ok}",
        )
        task = await begin(client, "run_plan", plan=plan)
        asked = await once(client, task, lambda found: len(found.get("inputRequests", ())) == 2)
        first, second = sorted(asked["inputRequests"], key=lambda key: not key.startswith("a"))
        form = asked["inputRequests"][first]
        assert form["method"] == "elicitation/create"
        assert '"name": "a"' in form["params"]["message"]

        wrong = {"action": "accept", "content": {"answer": "three"}}
        with pytest.raises(MCPError, match="It takes: one, two"):
            await update(client, task, **{first: APPROVE, second: wrong})
        assert set((await get(client, task))["inputRequests"]) == {first, second}, "none was taken"
        await update(client, task, **{first: APPROVE, "nobody#7": APPROVE})
        await once(client, task, lambda found: set(found.get("inputRequests", ())) == {second})
        await update(client, task, **{second: {"action": "accept", "content": {"answer": "two"}}})
        await update(client, task, **{first: APPROVE})
        done = await until(client, task, "completed")
        assert done["result"]["structuredContent"]["output"] == "two"


@pytest.mark.requirement("S3", "E17")
async def test_whoever_may_not_approve_is_told_who_can_and_cannot_answer_through_the_task() -> None:
    person = Person(ElicitResult(action="accept", content={"answer": "approve"}))
    async with (
        a_door(Outside(), forms_count=False) as door,
        a_client(door, **with_tasks(person)) as client,
    ):
        task = await begin(client, "run_plan", plan=a_plan(step("a", approval="required")))
        found = await once(client, task, lambda it: "callsheet answer" in it["statusMessage"])
        assert found["status"] == "working"
        (question,) = (await said(client, "run_status", run=task))["questions"]
        with pytest.raises(MCPError, match="may not answer for a person"):
            await update(client, task, **{question["id"]: APPROVE})


@pytest.mark.requirement("S3")
async def test_a_task_that_is_over_stays_so_when_its_run_is_taken_back() -> None:
    outside = Outside()
    async with a_door(outside) as door, a_client(door, **with_tasks()) as client:
        task = await begin(client, "run_plan", plan=a_plan(step("a")))
        await until(client, task, "completed")
        await said(client, "run_undo", run=task)
        assert (await said(client, "run_wait", run=task, seconds=30))["state"] == "undone"
        done = await get(client, task)
        assert done["status"] == "completed"
        assert done["result"]["structuredContent"]["state"] == "undone"


@pytest.mark.requirement("S3")
async def test_an_unknown_task_and_one_that_was_deleted_are_the_same() -> None:
    async with a_door(Outside()) as door, a_client(door, **with_tasks()) as client:
        task = await begin(client, "run_plan", plan=a_plan(step("a")))
        await until(client, task, "completed")
        await door.tenant.delete(task)
        for unknown in (task, "nobody", ""):
            with pytest.raises(MCPError, match="There is no task"):
                await get(client, unknown)


class MovedClock(SystemClock):
    """The machine's, and days ahead of it."""

    ahead = timedelta()

    @override
    def now(self) -> datetime:
        return super().now() + self.ahead


@pytest.mark.requirement("S3")
async def test_a_task_lives_as_long_as_runs_are_kept_and_then_is_unknown(tmp_path: Path) -> None:
    config = tmp_path / "callsheet.toml"
    config.write_text('[runs]\nkeep = "30d"\n', "utf-8")
    clock = MovedClock()
    async with Engine.open(None, Outside().tools(), clock=clock, config=config) as engine:
        assert engine.keeps == timedelta(days=30)
        door = Door(tenant=engine.tenant("default"), keeps=engine.keeps)
        async with a_client(door, **with_tasks()) as client:
            task = await begin(client, "run_plan", plan=a_plan(step("a")))
            ended = await until(client, task, "completed")
            assert ended["ttlMs"] == 30 * 24 * 3600 * 1000
            clock.ahead = timedelta(days=31)
            with pytest.raises(MCPError, match="There is no task"):
                await get(client, task)


@pytest.mark.requirement("S3")
async def test_without_the_extension_the_call_waits_and_methods_of_tasks_are_refused() -> None:
    async with a_door(Outside()) as door, a_client(door) as client:
        view = await said(client, "run_plan", plan=a_plan(step("a")))
        assert view["state"] == "succeeded"
        with pytest.raises(MCPError, match="tasks"):
            await get(client, view["run"])


# Real processes, one of which is killed.
@pytest.mark.slow
@pytest.mark.requirement("S3")
async def test_a_task_goes_on_after_its_server_was_killed_and_from_another_process(
    tmp_path: Path,
) -> None:
    server = at_home(tmp_path)
    settings: dict[str, Any] = {"read_timeout_seconds": SECONDS, **with_tasks()}
    before = {child.pid for child in psutil.Process().children()}
    # A client whose server has died cannot be used again, nor closed in peace.
    dying = Client(server, **settings)
    client = await dying.__aenter__()
    plan = a_plan(step("a", "stamp"), step("g", "gate", needs=["a"]), output="${steps.g}")
    task = await begin(client, "run_plan", plan=plan, key="k")
    await asyncio.to_thread(wait_until, (tmp_path / "g.begun").exists, "the step to begin")
    (child,) = [each for each in psutil.Process().children() if each.pid not in before]
    async with Client(server, **settings) as other:
        assert (await get(other, task))["status"] == "working"
        os.kill(child.pid, signal.SIGKILL)
        await asyncio.to_thread(child.wait, SECONDS)
        assert (await get(other, task))["taskId"] == task
        (tmp_path / "g.open").touch()
        done = await until(other, task, "completed")
        assert done["result"]["structuredContent"]["output"] == "g"
        assert await begin(other, "run_plan", plan=plan, key="k") == task
    async with Client(server, **settings) as third:
        assert (await get(third, task))["status"] == "completed"
    assert effects(tmp_path) == ["a"]
    with suppress(BaseException):  # whatever the client makes of it
        await dying.__aexit__(None, None, None)
