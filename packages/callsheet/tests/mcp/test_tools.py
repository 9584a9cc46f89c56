"""What an agent does with the tools: check, start, wait, answer, cancel, undo, fork."""

from __future__ import annotations

from typing import Any

import pytest
from mcp_types import ElicitResult
from tests.mcp.stage import (
    ERAS,
    Outside,
    Person,
    a_client,
    a_door,
    a_plan,
    refused,
    said,
    step,
)

from callsheet.core.run.entries import AnswerRecorded
from callsheet.serve.mcp.door import rights

APPROVED = ElicitResult(action="accept", content={"answer": "approve"})


@pytest.mark.requirement("S3")
@pytest.mark.parametrize("era", ERAS)
async def test_an_agent_takes_a_plan_from_a_mistake_to_an_approval_and_back_again(era: str) -> None:
    outside, person = Outside(), Person(APPROVED)
    async with (
        a_door(outside, forms_count=True) as door,
        a_client(door, mode=era, elicitation_callback=person) as client,
    ):
        wrong = a_plan(step("flight", "bok"), step("hotel", approval="required"))
        found = await said(client, "plan_check", plan=wrong)
        assert not found["ok"]
        assert found["problems"][0]["place"] == "steps[0].tool"

        plan = a_plan(step("flight"), step("hotel", approval="required"), output="${steps.hotel}")
        assert (await said(client, "plan_check", plan=plan))["ok"]
        view = await said(client, "run_start", plan=plan, key="mine", wait_seconds=30)
        run = view["run"]
        assert (view["state"], view["next"][0]) == ("waiting", "run_answer")
        (question,) = view["questions"]
        assert (question["ask"], question["args"]) == ("approval", {"name": "hotel"})
        await said(client, "run_answer", run=run, step="hotel")
        assert person.saw
        view = await said(client, "run_wait", run=run, seconds=30)
        assert (view["state"], view["output"]) == ("succeeded", "hotel")
        assert (await said(client, "run_start", plan=plan, key="mine"))["run"] == run

        await said(client, "run_undo", run=run)
        assert (await said(client, "run_wait", run=run, seconds=30))["state"] == "undone"
        assert outside.done == ["flight", "hotel", "unhotel", "unflight"]

        forked = await said(client, "run_fork", run=run, step="hotel", args={"name": "inn"})
        assert forked["run"] != run
        journal = await (await door.tenant.get(run)).journal()
        answers = [each.by for each in journal if isinstance(each, AnswerRecorded)]
        assert answers == ["mcp:mcp"]


@pytest.mark.requirement("S3")
async def test_a_cancelled_run_is_taken_back_as_its_plan_says() -> None:
    outside = Outside()
    async with a_door(outside) as door, a_client(door) as client:
        plan = a_plan(step("flight"), step("slow", "held", needs=["flight"]))
        run = (await said(client, "run_start", plan=plan))["run"]
        await outside.begun.wait()
        await said(client, "run_cancel", run=run, reason="changed my mind")
        view = await said(client, "run_wait", run=run, seconds=30)
        assert view["state"] == "undone"
        assert view["cause"]["message"] == "changed my mind"
        assert outside.done == ["flight", "unflight"]


@pytest.mark.requirement("S3", "E17")
async def test_a_model_does_not_answer_for_a_person() -> None:
    async with a_door(Outside(), forms_count=True) as door, a_client(door) as client:
        plan = a_plan(step("hotel", approval="required"))
        run = (await said(client, "run_start", plan=plan, wait_seconds=30))["run"]
        error = await refused(client, "run_answer", run=run, step="hotel", answer="approve")
        assert error["code"] == "denied"
        assert f"callsheet answer {run} hotel approve" in error["message"]
        assert (await said(client, "run_status", run=run))["state"] == "waiting"


@pytest.mark.requirement("S3", "E17")
async def test_over_a_network_a_form_is_no_person_without_the_right_to_approve() -> None:
    person = Person(APPROVED)
    async with (
        a_door(Outside(), forms_count=False) as door,
        a_client(door, elicitation_callback=person) as client,
    ):
        plan = a_plan(step("hotel", approval="required"))
        run = (await said(client, "run_start", plan=plan, wait_seconds=30))["run"]
        assert (await refused(client, "run_answer", run=run, step="hotel"))["code"] == "denied"
        assert not person.saw


@pytest.mark.requirement("S3")
async def test_an_agent_that_may_approve_answers_by_itself() -> None:
    async with a_door(Outside(), may=rights(approve=True)) as door, a_client(door) as client:
        plan = a_plan({"id": "ok", "ask": "Keep it?", "choices": ["keep", "drop"]})
        run = (await said(client, "run_start", plan=plan, wait_seconds=30))["run"]
        assert "keep, drop" in (await refused(client, "run_answer", run=run, step="ok"))["message"]
        await said(client, "run_answer", run=run, step="ok", answer="keep")
        assert (await said(client, "run_wait", run=run, seconds=30))["state"] == "succeeded"
        error = await refused(client, "run_answer", run=run, step="ok", answer="drop")
        assert error["code"] == "request_refused"


@pytest.mark.requirement("S3")
@pytest.mark.parametrize("era", ERAS)
async def test_a_form_that_is_closed_leaves_the_question_open_and_a_declined_one_denies(
    era: str,
) -> None:
    person = Person(ElicitResult(action="cancel"), ElicitResult(action="decline"))
    async with (
        a_door(Outside(), forms_count=True) as door,
        a_client(door, mode=era, elicitation_callback=person) as client,
    ):
        plan = a_plan(step("hotel", approval="required"))
        run = (await said(client, "run_start", plan=plan, wait_seconds=30))["run"]
        view = await said(client, "run_answer", run=run, step="hotel", answer="approve")
        assert (view["state"], view["note"]) == ("waiting", "The person has not answered.")
        assert "The agent proposes: approve" in person.saw[0]
        await said(client, "run_answer", run=run, step="hotel")
        view = await said(client, "run_wait", run=run, seconds=30)
        assert view["state"] != "succeeded"
        assert view["steps"]["failed"][0]["class"] == "denied"


@pytest.mark.requirement("S3")
async def test_what_fails_is_a_result_that_says_what_to_do_next() -> None:
    async with a_door(Outside()) as door, a_client(door) as client:
        plan = a_plan(step("bad", "boom"), on_failure="stop")
        view = await said(client, "run_plan", plan=plan)
        assert view["state"] == "failed"
        failed = view["steps"]["failed"]
        assert failed == [{"id": "bad", "class": "fatal", "message": "boom, as announced"}]
        shown = await said(client, "run_status", run=view["run"], steps="failed")
        assert shown["steps"]["shown"]["bad"]["state"] == "failed"


BAD: list[tuple[str, dict[str, Any], str]] = [
    ("run_status", {"run": "nobody"}, "unknown_run"),
    ("run_status", {}, "input"),
    ("run_wait", {"run": "x", "seconds": 51}, "input"),
    ("run_start", {}, "input"),
    ("run_start", {"plan": "nobody"}, "unknown_plan"),
    ("run_start", {"plan_id": "nobody@two"}, "input"),
    ("run_start", {"plan": "steps: [\n"}, "plan"),
    ("run_start", {"plan": {"steps": []}, "inputs": []}, "input"),
    ("plan_show", {"name": "nobody"}, "unknown_plan"),
    ("artifact_read", {"digest": "../../etc/passwd"}, "unknown_artifact"),
    ("tool_show", {"name": "nobody"}, "input"),
    ("run_list", {"stat": "failed"}, "input"),
    ("run_list", {"state": "happy"}, "input"),
]


@pytest.mark.requirement("S3")
async def test_what_is_wrong_is_said_as_a_result_that_a_model_can_read() -> None:
    async with a_door(Outside()) as door, a_client(door) as client:
        for tool, args, code in BAD:
            assert (await refused(client, tool, **args))["code"] == code, (tool, args)
        assert (await said(client, "run_list"))["items"] == []


@pytest.mark.requirement("S3")
async def test_a_plan_as_text_is_yaml_and_a_single_line_is_the_name_of_a_saved_plan() -> None:
    async with a_door(Outside()) as door, a_client(door) as client:
        text = "callsheet: 1\nname: trip\nsteps:\n- {id: a, tool: book, args: {name: a}}\n"
        checked = await said(client, "plan_check", plan=f"Here it is:\n```yaml\n{text}```\n")
        assert (checked["ok"], checked["read_as"]) == (True, "YAML text")
        await said(client, "plan_save", plan=text)
        checked = await said(client, "plan_check", plan="trip")
        assert checked["read_as"] == "the saved plan 'trip', version 1"
        view = await said(client, "run_start", plan_id="trip@1", wait_seconds=30)
        assert view["state"] == "succeeded"
        assert [each["name"] for each in (await said(client, "plan_list"))["items"]] == ["trip"]
        shown = await said(client, "plan_show", name="trip")
        assert shown["plan"]["steps"][0]["tool"] == "book"
        await said(client, "plan_delete", name="trip")
        assert (await said(client, "plan_list"))["items"] == []


@pytest.mark.requirement("S3")
async def test_no_result_is_long_and_what_is_long_can_be_read() -> None:
    async with a_door(Outside()) as door, a_client(door) as client:
        steps = [step(f"s{n}", "long_text", args={"size": 9_000}) for n in range(40)]
        plan = a_plan(*steps, output="${steps.s0}")
        view = await said(client, "run_plan", plan=plan)
        assert view["output"] == {"bytes": 9_002, "read": f"run://{view['run']}"}
        for tool, args in (
            ("run_status", {"steps": "all"}),
            ("run_events", {"limit": 100}),
        ):
            result = await client.call_tool(tool, {"run": view["run"], **args})
            assert len(result.model_dump_json()) < 22_000, tool


@pytest.mark.requirement("S3")
async def test_events_are_read_page_by_page_and_none_twice() -> None:
    async with a_door(Outside()) as door, a_client(door) as client:
        run = (await said(client, "run_plan", plan=a_plan(step("a"), step("b"))))["run"]
        seen: list[int] = []
        after = 0
        while (page := await said(client, "run_events", run=run, after=after, limit=3))["items"]:
            seen += [each["seq"] for each in page["items"]]
            after = page["next"]
        assert seen == list(range(1, len(seen) + 1))
        beyond = await said(client, "run_events", run=run, after=10_000)
        assert beyond == {"items": [], "next": 10_000}


@pytest.mark.requirement("S3")
async def test_steps_are_added_to_an_open_run_and_held_to_what_the_door_allows() -> None:
    outside = Outside()
    async with a_door(outside) as door, a_client(door) as client:
        run = (await said(client, "run_start", plan=a_plan(step("a")), open=True))["run"]
        stolen = {"id": "b", "tool": "book", "args": {"name": "${secrets.TOKEN}"}}
        error = await refused(client, "run_add", run=run, steps=[stolen])
        assert "TOKEN" in error["problems"][0]["what"]
        await said(client, "run_add", run=run, steps=[step("b", needs=["a"])])
        await said(client, "run_seal", run=run)
        view = await said(client, "run_wait", run=run, seconds=30)
        assert view["steps"]["succeeded"] == 2
        error = await refused(
            client, "run_fork", run=run, step="b", args={"name": "${secrets.TOKEN}"}
        )
        assert error["code"] == "plan"


@pytest.mark.requirement("S3")
async def test_a_secret_is_not_for_plans_of_models_unless_it_is_granted() -> None:
    plan = a_plan({"id": "a", "tool": "book", "args": {"name": "${secrets.TOKEN}"}})
    async with a_door(Outside()) as door, a_client(door) as client:
        error = await refused(client, "run_start", plan=plan)
        assert 'secrets = ["TOKEN"]' in error["problems"][0]["fix"]
    granted = frozenset({"TOKEN"})
    async with a_door(Outside(), secrets=granted) as door, a_client(door) as client:
        assert (await refused(client, "run_start", plan=plan))["code"] == "missing_secrets"


@pytest.mark.requirement("S3")
async def test_nor_is_it_by_way_of_a_plan_that_somebody_has_saved() -> None:
    saved = a_plan({"id": "a", "tool": "book", "args": {"name": "${secrets.TOKEN}"}}, name="own")
    around = a_plan({"id": "s", "plan": "own"}, name="around")
    async with a_door(Outside()) as door, a_client(door) as client:
        for each in (saved, around):
            await door.tenant.plans.save(door.tenant.read(each))
        open_run = (await said(client, "run_start", plan=a_plan(step("a")), open=True))["run"]
        for tool, args in (
            ("run_start", {"plan_id": "own"}),
            ("run_start", {"plan": "own"}),
            ("run_plan", {"plan_id": "around@1"}),
            ("run_start", {"plan": around}),
            ("run_add", {"run": open_run, "steps": [{"id": "s", "plan": "around"}]}),
        ):
            error = await refused(client, tool, **args)
            assert "TOKEN" in error["problems"][0]["what"], (tool, args)
        checked = await said(client, "plan_check", plan="around")
        assert not checked["ok"]
        assert 'secrets = ["TOKEN"]' in checked["problems"][0]["fix"]
    granted = frozenset({"TOKEN"})
    async with a_door(Outside(), secrets=granted) as door, a_client(door) as client:
        await door.tenant.plans.save(door.tenant.read(saved))
        assert (await refused(client, "run_start", plan_id="own"))["code"] == "missing_secrets"


@pytest.mark.requirement("S3")
async def test_a_fork_does_not_send_the_secret_of_somebody_elses_plan_to_another_place(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("CALLSHEET_SECRET_TOKEN", "hush")
    async with a_door(Outside()) as door, a_client(door) as client:
        named = {"id": "b", "tool": "book", "args": {"name": "${secrets.TOKEN}"}}
        mine = await door.tenant.run(a_plan(step("a"), named))
        error = await refused(client, "run_fork", run=mine.run, step="a", args={"name": "c"})
        assert "TOKEN" in error["problems"][0]["what"]
        assert (await said(client, "run_fork", run=mine.run, step="a"))["run"]


@pytest.mark.requirement("S3")
async def test_a_door_that_only_reads_changes_nothing() -> None:
    async with a_door(Outside(), may=rights(write=False)) as door, a_client(door) as client:
        error = await refused(client, "run_start", plan=a_plan(step("a")))
        assert error["code"] == "denied"


@pytest.mark.requirement("S3")
async def test_the_list_of_tools_is_small_because_every_conversation_pays_for_it() -> None:
    async with a_door(Outside()) as door, a_client(door) as client:
        tools = await client.list_tools()
        assert len(tools.model_dump_json(by_alias=True, exclude_none=True)) < 24_000
        for each in tools.tools:
            assert "$defs" not in each.model_dump_json(by_alias=True), each.name
            assert '"title":"' not in each.model_dump_json(by_alias=True), each.name
            assert each.output_schema, each.name
            assert each.description, each.name


@pytest.mark.requirement("S3")
async def test_one_step_is_stopped_tried_again_and_taken_back() -> None:
    outside = Outside()
    async with a_door(outside) as door, a_client(door) as client:
        plan = a_plan(step("a"), step("slow", "held"), step("bad", "boom"), on_failure="continue")
        run = (await said(client, "run_start", plan=plan))["run"]
        await outside.begun.wait()
        await said(client, "run_cancel", run=run, step="slow")
        view = await said(client, "run_wait", run=run, seconds=30)
        assert (view["state"], view["next"][1]) == ("failed", "run_retry")
        outside.gate.set()
        await said(client, "run_retry", run=run, step="bad")
        view = await said(client, "run_wait", run=run, seconds=30)
        assert (view["state"], view["steps"]["succeeded"]) == ("succeeded", 2)
        await said(client, "run_undo", run=run, only="a")
        await said(client, "run_wait", run=run, seconds=30)
        assert outside.done == ["a", "una"]
        error = await refused(client, "run_undo", run=run, only="a", to="slow")
        assert error["code"] == "input"
