"""What the studio brings to agents: tools, a resource, a prompt, and a film that is a task."""

from __future__ import annotations

import asyncio
import json
import re
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil
import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError
from tests.acceptance.command import SECONDS
from tests.mcp.service import agent
from tests.mcp.stage import ERAS, refused, said, started
from tests.mcp.tasking import TasksClient, begin, get, until
from tests.serve.studio_stage import BRIEF, LETTER, studio_serving

from callsheet import Engine
from callsheet.serve.mcp.apps import brought_by_apps
from callsheet.serve.mcp.door import Door
from callsheet.serve.mcp.server import build
from callsheet_studio import production_tools
from callsheet_studio.serve.mcp import brought

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

pytestmark = [pytest.mark.slow, pytest.mark.requirement("S3", "P10")]  # productions


@asynccontextmanager
async def connected(**settings: Any) -> AsyncIterator[tuple[Client, Engine]]:
    settings.setdefault("read_timeout_seconds", SECONDS)
    async with Engine.in_memory(production_tools("plan")) as engine:
        door = Door(tenant=engine.tenant("default"))
        server = build(lambda _request: door, apps=[brought()])
        async with Client(server, **settings) as client:
            yield client, engine


def test_the_server_finds_them_by_entry_point() -> None:
    names = {row.name for app in brought_by_apps() for row in app.tools}
    assert {"brief_check", "production_script", "production_film"} <= names


def test_every_tool_of_the_studio_stands_in_the_reference() -> None:
    page = (Path(__file__).parents[4] / "docs" / "reference" / "mcp.md").read_text("utf-8")
    section = page.partition("## What apps bring")[2].partition("\n## ")[0]
    said = set(re.findall(r"^\| `([^`]+)` \|", section, re.MULTILINE))
    assert said == {row.name for row in brought().tools}


@pytest.mark.parametrize("era", ERAS)
async def test_an_agent_goes_from_a_letter_to_a_plan(era: str) -> None:
    async with connected(mode=era) as (client, engine):
        checked = await said(client, "brief_check", brief=LETTER)
        assert checked["ok"]
        assert checked["questions"]
        script = await said(client, "production_script", brief=LETTER, key="s-1")
        again = await said(client, "production_script", brief=LETTER, key="s-1")
        assert again["script_id"] == script["script_id"]
        whole = json.loads((await client.read_resource(script["read"])).contents[0].text)  # type: ignore[union-attr]  # it is text
        beats = whole["script"]["beats"]
        beats[0]["script"]["voiceover"] = "Nobody looks for a berth any more."
        shots = await said(client, "production_shots", script_id=script["script_id"], beats=beats)
        limits = {"max_cost_usd": 20, "quality_priority": "budget"}
        plan = await said(
            client, "production_plan", shot_list_id=shots["shot_list_id"], constraints=limits
        )
        assert plan["cost_breakdown"]["expected"] <= 20
        heads = await engine.runs(plan="production")
        assert [head.ended for head in heads] == ["succeeded"] * 3


async def test_what_is_wrong_is_said_with_its_place() -> None:
    async with connected() as (client, engine):
        checked = await said(client, "brief_check", brief={"content": {"type": "opera"}})
        assert not checked["ok"]
        assert "content.type" in {each["place"] for each in checked["problems"]}
        error = await refused(client, "production_script", brief={"content": {"type": "opera"}})
        assert error["code"] == "brief"
        error = await refused(client, "production_shots", script_id="r00nope")
        assert error["code"] == "unknown_run"
        other = await engine.run(
            {"name": "x", "steps": [{"id": "a", "tool": "value", "args": {"value": 1}}]}
        )
        error = await refused(client, "production_shots", script_id=other.run)
        assert "no production" in error["message"]
        for address in ("production://r00nope", "studio-schema://nope"):
            with pytest.raises(MCPError, match="There is no resource"):
                await client.read_resource(address)


async def test_the_list_of_tools_stays_small_with_the_studio() -> None:
    async with connected() as (client, _):
        tools = await client.list_tools()
        assert len(tools.model_dump_json(by_alias=True, exclude_none=True)) <= 32_000
        for each in tools.tools:
            assert "$defs" not in each.model_dump_json(by_alias=True), each.name
            assert each.output_schema, each.name


async def test_the_prompt_warns_of_what_models_do() -> None:
    async with connected() as (client, _):
        prompt = await client.get_prompt("make_film", {"goal": "a film about bikes"})
        text = prompt.messages[0].content.text  # type: ignore[union-attr]  # it is text
        assert "a film about bikes" in text
        assert "Do not answer for the person" in text


async def test_a_production_is_a_task_that_ends_with_links_to_its_files() -> None:
    async with connected(extensions=[TasksClient()]) as (client, engine):
        task = await begin(client, "production_film", brief=BRIEF, stop_after="plan")
        assert (await engine.get(task)).id == task
        result = (await until(client, task, "completed"))["result"]
        files = result["structuredContent"]["files"]
        assert {"timeline.otio", "callsheet.pdf"} <= files.keys()
        links = {each["name"] for each in result["content"] if each["type"] == "resource_link"}
        assert "callsheet.pdf" in links
        otio = await client.read_resource(files["timeline.otio"])
        assert "OTIO_SCHEMA" in otio.contents[0].text  # type: ignore[union-attr]  # it is text


async def test_over_http_a_production_is_its_tenant_s() -> None:
    async with studio_serving() as served:
        acme = await agent(served, await served.key("acme"))
        beta = await agent(served, await served.key("beta"))
        script = await said(acme, "production_script", brief=LETTER)
        error = await refused(beta, "production_shots", script_id=script["script_id"])
        assert error["code"] == "unknown_run"
        reader = await agent(served, await served.key("acme", ["runs:read", "plans:read"]))
        names = {each.name for each in (await reader.list_tools()).tools}
        assert {"brief_check", "run_status"} <= names
        assert names.isdisjoint({"production_script", "production_film", "run_start"})


# A film is made, and its server killed in the middle of it.
@pytest.mark.long
async def test_a_film_goes_on_after_its_server_was_killed(tmp_path: Path) -> None:
    server = started("--home", tmp_path / "home", directory=tmp_path)
    settings: dict[str, Any] = {
        "extensions": [TasksClient()],
        "read_timeout_seconds": SECONDS,
        "mode": ERAS[0],
    }
    before = {child.pid for child in psutil.Process().children()}
    dying = Client(server, **settings)
    task = await begin(await dying.__aenter__(), "production_film", brief=BRIEF)
    (child,) = [each for each in psutil.Process().children() if each.pid not in before]
    child.kill()
    await asyncio.to_thread(child.wait, SECONDS)
    async with Client(server, **settings) as client:
        async with asyncio.timeout(600):
            while (found := await get(client, task))["status"] == "working":
                await said(client, "run_wait", run=task, seconds=20)
        assert found["status"] == "completed", found
        film = found["result"]["structuredContent"]["files"]["film.mp4"]
        data = await client.read_resource(film)
        assert len(data.contents[0].blob) > 100_000  # type: ignore[union-attr]  # it is no text
    with suppress(BaseException):  # whatever the client makes of its server's end
        await dying.__aexit__(None, None, None)
