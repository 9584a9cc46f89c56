"""What clients read, are guided by, complete and listen to."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio
import jsonschema_rs
import pytest
from mcp.shared.exceptions import MCPError
from mcp_types import (
    BlobResourceContents,
    PromptReference,
    ResourceTemplateReference,
    TextContent,
    TextResourceContents,
)
from tests.acceptance.command import SECONDS
from tests.mcp.stage import ERAS, Outside, a_client, a_door, a_plan, refused, said, step

from callsheet.serve.mcp.door import rights
from callsheet.serve.mcp.server import ROWS

if TYPE_CHECKING:
    from mcp import Client


async def text(client: Client, uri: str) -> Any:
    (found,) = (await client.read_resource(uri)).contents
    assert isinstance(found, TextResourceContents)
    return found.text


async def prompt(client: Client, name: str, **args: str) -> str:
    (message,) = (await client.get_prompt(name, args)).messages
    assert isinstance(message.content, TextContent)
    return message.content.text


@pytest.mark.requirement("S3")
@pytest.mark.parametrize("era", ERAS)
async def test_runs_plans_tools_and_schemas_can_be_read(era: str) -> None:
    async with a_door(Outside()) as door, a_client(door, mode=era) as client:
        plan = a_plan(step("a"), output="${steps.a}")
        run = (await said(client, "run_plan", plan=plan))["run"]
        whole = json.loads(await text(client, f"run://{run}"))
        assert whole["steps"]["a"]["output"] == "a"
        assert json.loads(await text(client, f"run://{run}/steps/a"))["state"] == "succeeded"
        events = json.loads(await text(client, f"run://{run}/events"))
        later = json.loads(await text(client, f"run://{run}/events?after=2"))
        assert later["items"] == events["items"][2:]
        assert later["next"] == events["next"]
        await said(client, "plan_save", plan=plan)
        assert "tool: book" in await text(client, "plan://trip")
        assert json.loads(await text(client, "tool://book"))["undo"] == "unbook"
        schema = json.loads(await text(client, "schema://plan"))
        jsonschema_rs.validator_for(schema).validate({"callsheet": 1, **plan})
        view = await said(client, "run_status", run=run, steps="all")
        schema = json.loads(await text(client, "schema://run"))
        jsonschema_rs.validator_for(schema).validate(view)
        for unknown in ("run://nobody", f"run://{run}/steps/nobody", "plan://nobody", "tool://no"):
            with pytest.raises(MCPError, match="There is no resource"):
                await client.read_resource(unknown)


@pytest.mark.requirement("S3")
async def test_artifacts_are_linked_and_read_as_what_they_are() -> None:
    async with a_door(Outside()) as door, a_client(door) as client:
        picture = await door.tenant.artifacts.put(b"\x89PNG\r\n\x1a\nrest", media_type="image/png")
        words = await door.tenant.artifacts.put("hello")
        plan = a_plan(
            {"id": "a", "tool": "value", "args": {"value": [picture.to_json(), words.to_json()]}},
            output="${steps.a}",
        )
        result = await client.call_tool("run_plan", {"plan": plan})
        links = [each.model_dump()["uri"] for each in result.content[1:]]
        assert links == [f"artifact://{picture.digest}", f"artifact://{words.digest}"]
        assert await text(client, links[1]) == "hello"
        (found,) = (await client.read_resource(links[0])).contents
        assert isinstance(found, BlobResourceContents)
        assert found.mime_type == "image/png"
        read = await said(client, "artifact_read", digest=words.digest[:8], range=[1, 3])
        assert (read["text"], read["next"]) == ("el", 3)
        shown = await client.call_tool("artifact_read", {"digest": picture.digest, "as": "image"})
        assert shown.content[0].type == "image"
        error = await refused(client, "artifact_read", digest=words.digest, **{"as": "image"})
        assert "no PNG" in error["message"]


@pytest.mark.requirement("S3")
async def test_a_client_is_told_that_a_run_has_changed() -> None:
    outside = Outside()
    async with a_door(outside) as door, a_client(door) as client:
        run = (await said(client, "run_start", plan=a_plan(step("slow", "held"))))["run"]
        await outside.begun.wait()
        uri = f"run://{run}"
        with anyio.fail_after(SECONDS):
            async with client.listen(resource_subscriptions=[uri, "run://nobody"]) as changes:
                outside.gate.set()
                async for change in changes:
                    assert change.uri == uri  # type: ignore[union-attr]
                    if json.loads(await text(client, uri))["state"] == "succeeded":
                        break


@pytest.mark.requirement("S3")
async def test_names_and_ids_are_completed() -> None:
    async with a_door(Outside()) as door, a_client(door) as client:
        run = (await said(client, "run_plan", plan=a_plan(step("a"))))["run"]
        await said(client, "plan_save", plan=a_plan(step("a")))

        async def completed(ref: Any, name: str, value: str) -> list[str]:
            found = await client.complete(ref, {"name": name, "value": value})
            return list(found.completion.values)

        run_uri = ResourceTemplateReference(type="ref/resource", uri="run://{run}")
        plan_uri = ResourceTemplateReference(type="ref/resource", uri="plan://{name}")
        tool_uri = ResourceTemplateReference(type="ref/resource", uri="tool://{name}")
        watch = PromptReference(type="ref/prompt", name="watch_run")
        assert await completed(run_uri, "run", run[:3]) == [run]
        assert await completed(watch, "run", "") == [run]
        assert await completed(plan_uri, "name", "tr") == ["trip"]
        assert await completed(tool_uri, "name", "unb") == ["unbook"]
        assert await completed(watch, "nobody", "") == []


MISTAKES = {
    "a tool that there is not": step("a", "reserve"),
    "a field that there is not": step("a", retries=3),
    "an argument that there is not": step("a", args={"city": "Oslo"}),
    "a secret": step("a", args={"name": "${secrets.TOKEN}"}),
    "a reference to nothing": step("a", args={"name": "${steps.b.id}"}),
    "a question with a tool": step("a", ask="Really?"),
}


@pytest.mark.requirement("S3")
async def test_a_model_that_makes_the_mistakes_of_the_prompt_is_led_to_a_plan_that_runs() -> None:
    async with a_door(Outside()) as door, a_client(door) as client:
        guidance = await prompt(client, "design_plan", goal="book a trip")
        assert "book a trip" in guidance
        assert "- book (write, undone by unbook): Book something." in guidance
        for warned in ("invent tools", "secrets", "undo", "`ask:`", "plan_check", "`key`"):
            assert warned in guidance, warned
        for mistake, wrong in MISTAKES.items():
            checked = await said(client, "plan_check", plan=a_plan(wrong))
            assert not checked["ok"], mistake
            errors = [each for each in checked["problems"] if each["severity"] == "error"]
            assert all(each["fix"] for each in errors), (mistake, errors)
        mended = a_plan(step("a"), output="${steps.a}")
        assert (await said(client, "plan_check", plan=mended))["ok"]
        assert (await said(client, "run_plan", plan=mended, key="k"))["state"] == "succeeded"


@pytest.mark.requirement("S3")
async def test_the_prompts_about_a_run_tell_what_really_became_of_it() -> None:
    async with a_door(Outside(), may=rights(approve=True)) as door, a_client(door) as client:
        plan = a_plan(step("a"), step("bad", "boom", needs=["a"]), on_failure="continue")
        run = (await said(client, "run_plan", plan=plan))["run"]
        advice = await prompt(client, "recover_run", run=run)
        for told in ("bad failed (fatal): boom, as announced", "run_fork", "run_undo"):
            assert told in advice, told
        doubt = (await said(client, "run_plan", plan=a_plan(step("gone", "vanish"))))["run"]
        advice = await prompt(client, "recover_run", run=doubt)
        assert "Nobody knows whether gone happened" in advice
        assert f"Watch run {run}" in await prompt(client, "watch_run", run=run)
        with pytest.raises(MCPError):
            await prompt(client, "watch_run", run="nobody")


@pytest.mark.requirement("S3")
async def test_every_tool_resource_and_prompt_stands_in_the_reference() -> None:
    page = (Path(__file__).parents[4] / "docs" / "reference" / "mcp.md").read_text("utf-8")
    # What apps bring is each app's own to compare.
    ours = re.sub(r"(?s)^## What apps bring\n.*?(?=^## )", "", page, flags=re.MULTILINE)
    said = set(re.findall(r"^\| `([^`]+)` \|", ours, re.MULTILINE))
    async with a_door(Outside()) as door, a_client(door) as client:
        offered = {each.name for each in (await client.list_tools()).tools}
        offered |= {each.name for each in (await client.list_prompts()).prompts}
        offered |= {str(each.uri) for each in (await client.list_resources()).resources}
        templates = (await client.list_resource_templates()).resource_templates
        offered |= {each.uri_template.replace("{+", "{") for each in templates}
    assert said - {"succeeded"} == offered
    for row in ROWS:
        assert row.about in page, row.name
