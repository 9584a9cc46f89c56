"""The studio over REST: stages pass ids, bodies may carry what somebody has edited."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from tests.acceptance.writers.desk import Scripts, answer
from tests.serve.stage import heard, until
from tests.serve.studio_stage import BRIEF, LETTER, studio_serving

from callsheet.testing.models import ModelServer
from callsheet_studio import Script

if TYPE_CHECKING:
    from pathlib import Path

    import httpx

# A server, and productions on it.
pytestmark = [pytest.mark.slow, pytest.mark.requirement("P10")]


async def posted(client: httpx.AsyncClient, what: str, body: Any, status: int = 200) -> Any:
    answer = await client.post(f"/api/production/{what}", json=body)
    assert answer.status_code == status, answer.text
    return answer.json()


async def test_from_a_brief_to_a_plan_by_ids() -> None:
    async with studio_serving() as served:
        acme = await served.tenant("acme")
        script = await posted(acme, "script", {"vrd": BRIEF})
        assert script["beats"][0]["start"] == 0
        assert script["metadata"]["frames"] == script["beats"][-1]["end"]
        assert {"key", "default"} <= set(script["questions"][0])
        shots = await posted(acme, "shots", {"script_id": script["script_id"]})
        assert shots["shots"][-1]["end"] == script["metadata"]["frames"]
        assert shots["asset_summary"]["shots"] == len(shots["shots"])
        limits = {"max_cost_usd": 50, "max_time_minutes": 240, "quality_priority": "budget"}
        asked = {"shot_list_id": shots["shot_list_id"], "constraints": limits}
        plan = await posted(acme, "plan", asked)
        assert {each["shot"] for each in plan["shot_plans"]} == {s["id"] for s in shots["shots"]}
        assert plan["cost_breakdown"]["expected"] <= 50
        assert plan["timeline_estimate"]["makespan"] > 0
        run = (await acme.get(f"/api/runs/{plan['production_plan_id']}")).json()
        assert (run["plan"], run["state"]) == ("production", "succeeded")


async def test_what_was_edited_is_what_the_next_stage_is_made_of() -> None:
    async with studio_serving() as served:
        acme = await served.tenant("acme")
        script = await posted(acme, "script", {"vrd": LETTER})
        beats = script["beats"]
        beats[0]["script"]["voiceover"] = "Nobody looks for a berth any more."
        edited = {"script_id": script["script_id"], "beats": beats}
        shots = await posted(acme, "shots", edited)
        said = [shot["voiceover"] or "" for shot in shots["shots"] if shot["beat"] == "1.1"]
        assert "Nobody looks for a berth" in " ".join(said)
        listed = shots["shots"]
        listed[0]["complexity"]["score"] = 9
        plan = await posted(acme, "plan", {"shot_list_id": shots["shot_list_id"], "shots": listed})
        made = (await acme.get(f"/api/production/{plan['production_plan_id']}")).json()
        assert made["shots"]["shots"][0]["complexity"]["score"] == 9
        assert made["script"]["beats"][0]["script"]["voiceover"] == beats[0]["script"]["voiceover"]
        # Beats that do not tile the film, or are none, are refused with what to do.
        edited["beats"] = beats[:-1]
        refused = await posted(acme, "shots", edited, 422)
        assert "Nothing is there from frame" in refused["detail"]
        edited["beats"] = [{"id": "1.1"}]
        refused = await posted(acme, "shots", edited, 422)
        assert {"beats.0.scene", "beats.0.start"} <= {p["place"] for p in refused["problems"]}


async def test_a_brief_is_handed_in_as_data_as_text_or_as_an_upload() -> None:
    async with studio_serving() as served:
        acme = await served.tenant("acme")
        text = "message:\n  core: Harbor keeps every berth in view.\ncontent: {duration: 15s}\n"
        upload = await acme.post("/api/artifacts?name=brief.txt", content=LETTER.encode())
        for vrd in (BRIEF, text, json.dumps(BRIEF), LETTER, upload.json()):
            told = await posted(acme, "script", {"vrd": vrd})
            assert "Harbor" in told["metadata"]["title"]
        # A path is a text like any other, and no file of the server is read.
        told = await posted(acme, "script", {"vrd": "/etc/hostname"})
        assert told["metadata"]["title"] == "/etc/hostname"
        beside = {**BRIEF, "content": {"script_file": "/etc/hostname"}}
        refused = await posted(acme, "script", {"vrd": beside}, 422)
        assert "no file beside it" in refused["detail"]
        for wrong in ("", {}, {"$artifact": "0" * 64, "media_type": "text/plain", "size": 1}):
            answer = await acme.post("/api/production/script", json={"vrd": wrong})
            assert answer.status_code in (404, 422), answer.text


async def test_a_picture_is_uploaded_first_and_is_the_uploader_s_alone() -> None:
    from tests.unit.own_pictures import halves, packed

    async with studio_serving() as served:
        acme, beta = await served.tenant("acme"), await served.tenant("beta")
        headers = {"Content-Type": "image/png"}
        kept = await acme.post(
            "/api/artifacts?name=own.png", content=packed(halves()), headers=headers
        )
        picture = kept.json()
        shots = [
            {"action": "The harbour at dawn.", "picture": picture, "seconds": 8},
            {"action": "A hand on a phone.", "seconds": 7},
        ]
        vrd = {**BRIEF, "content": {"duration": "15s", "shots": shots}}
        script = await posted(acme, "script", {"vrd": vrd})
        made = await posted(acme, "shots", {"script_id": script["script_id"]})
        assert made["asset_summary"]["pictures"] == 1
        refused = await posted(beta, "script", {"vrd": vrd}, 422)
        assert "is not there" in refused["detail"]


async def test_constraints_that_cannot_be_met_say_what_would_have_to_be_relaxed() -> None:
    async with studio_serving() as served:
        acme = await served.tenant("acme")
        script = await posted(acme, "script", {"vrd": BRIEF})
        shots = await posted(acme, "shots", {"script_id": script["script_id"]})
        limits = {"max_cost_usd": 0.001, "quality_priority": "high"}
        asked = {"shot_list_id": shots["shot_list_id"], "constraints": limits}
        refused = await posted(acme, "plan", asked, 422)
        assert "$" in refused["detail"]
        refused = await posted(acme, "plan", {"shot_list_id": script["script_id"]}, 422)
        assert "POST /api/production/shots" in refused["detail"]


async def test_the_same_idempotency_key_is_the_same_run_and_the_same_answer() -> None:
    async with studio_serving() as served:
        acme = await served.tenant("acme")
        headers = {"Idempotency-Key": "script-1"}
        body = {"vrd": BRIEF}
        first = await acme.post("/api/production/script", json=body, headers=headers)
        again = await acme.post("/api/production/script", json=body, headers=headers)
        assert again.headers["Idempotent-Replayed"] == "true"
        assert again.json() == first.json()
        other = await acme.post("/api/production/script", json={"vrd": LETTER}, headers=headers)
        assert other.status_code == 409
        assert len((await acme.get("/api/runs")).json()["items"]) == 1
        await served.service.audit.write()
        lines = (await acme.get("/api/audit")).json()["items"]
        assert [line["status"] for line in lines if "production" in line["path"]] == [409, 200, 200]


async def test_the_whole_way_is_streamed_and_can_be_gone_on_with_elsewhere() -> None:
    async with studio_serving() as served:
        acme = await served.tenant("acme")
        body = {"vrd": LETTER, "stop_after": "plan"}
        headers = {"Idempotency-Key": "stream-1"}
        stages, entries = [], []
        async with acme.stream(
            "POST", "/api/production/stream", json=body, headers=headers
        ) as stream:
            assert stream.status_code == 200
            assert stream.headers["content-type"].startswith("text/event-stream")
            run = stream.headers["location"].rpartition("/")[2]
            async for event in heard(stream.aiter_lines()):
                if event.event == "stage":
                    stages.append(event.data["stage"])
                elif event.event == "entry":
                    entries.append(event.id)
        assert stages == ["script", "shots", "plan"]
        assert entries == list(range(1, len(entries) + 1))
        made = (await acme.get(f"/api/production/{run}")).json()
        assert made["state"] == "succeeded"
        assert {"script.json", "timeline.otio", "plan.md"} <= made["files"].keys()
        file = await acme.get(made["files"]["script.json"]["href"])
        assert Script.model_validate(file.json()).frames == made["script"]["frames"]
        # The same key is the same run, whose events are told again.
        async with acme.stream(
            "POST", "/api/production/stream", json=body, headers=headers
        ) as stream:
            assert stream.headers["location"].endswith(run)


async def test_a_review_asks_and_is_answered_by_whoever_may() -> None:
    async with studio_serving() as served:
        acme = await served.tenant("acme")
        body = {"vrd": BRIEF, "stop_after": "shots", "review": True}
        run = (await posted(acme, "film", body, 201))["run"]
        for _ in range(20):
            found = await until(acme, run, "waiting", "succeeded")
            if found["state"] == "succeeded":
                break
            for asked in found["questions"]:
                usual = asked["choices"][0] if asked["choices"] else "warm"
                answer = {"question": asked["id"], "answer": usual}
                await acme.post(f"/api/runs/{run}/answer", json=answer)
        made = (await acme.get(f"/api/production/{run}")).json()
        assert made["shots"]["shots"]


async def test_a_model_writes_for_the_tenants_that_have_it(tmp_path: Path) -> None:
    scripts = Scripts(BRIEF)
    async with ModelServer() as server:
        server.otherwise(lambda _asked: answer(scripts.script()))
        config = tmp_path / "callsheet.toml"
        config.write_text(
            f'[models.writer]\nmodel = "openai:gpt-4o"\nbase_url = "{server.openai}"\n'
            'price = {input = 2.0, output = 10.0}\n[tenants.acme]\nmodels = ["writer"]\n'
            '[secrets.OPENAI_API_KEY]\ntenants = ["acme"]\n'
        )
        async with studio_serving(config=config) as served:
            acme, beta = await served.tenant("acme"), await served.tenant("beta")
            asked = {"vrd": BRIEF, "writer": "writer"}
            refused = await posted(beta, "script", asked, 422)
            assert "does not have the model 'writer'" in refused["detail"]
            assert not server.requests
            written = await posted(acme, "script", asked)
            assert all("Nobody hurries" in beat["script"]["action"] for beat in written["beats"])
            offline = await posted(acme, "script", {"vrd": BRIEF})
            assert offline["script_id"] != written["script_id"]
            tape = {"vrd": BRIEF, "writer": "recorded:/etc/passwd"}
            assert "cannot write" in (await posted(beta, "script", tape, 422))["detail"]
            keyless = await served.client()
            assert "is a file" in (await posted(keyless, "script", tape, 422))["detail"]


async def test_the_tool_stack_is_listed_and_narrowed() -> None:
    async with studio_serving() as served:
        acme = await served.tenant("acme", ["plans:read"])
        every = (await acme.get("/api/research/tools")).json()
        assert (every["origin"], len(every["tools"]) > 50) == ("starting", True)
        some = (await acme.get("/api/research/tools?capability=lip_sync&category=video")).json()
        assert 0 < len(some["tools"]) < len(every["tools"])
        offer = every["tools"][0]["offers"][0]
        assert offer["source"]
        assert offer["as_of"]
        for query in ("capability=telepathy", "category=opera", "complexity=11", "as_of=soon"):
            assert (await acme.get(f"/api/research/tools?{query}")).status_code == 422, query


async def test_bodies_are_strict_and_scopes_hold() -> None:
    async with studio_serving() as served:
        acme = await served.tenant("acme")
        reader = await served.tenant("acme", ["runs:read"])
        for what, body in (
            ("script", {}),
            ("script", {"vrd": BRIEF, "colour": "blue"}),
            ("script", {"vrd": 7}),
            ("script", {"vrd": BRIEF, "clarifications": {"tone": 1}}),
            ("shots", {"script_id": ""}),
            ("shots", {"script_id": "x", "beats": "all"}),
            ("plan", {"shot_list_id": "x", "constraints": {"max_cost_usd": -1}}),
            ("film", {"vrd": BRIEF, "stop_after": "premiere"}),
            ("film", {"vrd": BRIEF, "out": "/etc"}),
        ):
            refused = await posted(acme, what, body, 422)
            assert refused["code"] == "request", (what, body)
        for what in ("script", "film", "stream"):
            await posted(reader, what, {"vrd": BRIEF}, 403)
        assert (await acme.get("/api/runs")).json()["items"] == []
