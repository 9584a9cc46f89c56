"""Turns over HTTP: said once, streamed, come back to, stopped; only what a tenant has."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest
from tests.acceptance.turns.theatre import Tools, config, page_of
from tests.serve.stage import SECONDS, Served, heard, serving, until

from callsheet.client import Client
from callsheet.errors import InputError, KeyReusedError, TurnRunningError, UnknownRunError
from callsheet.serve.access.caller import SCOPES
from callsheet.testing.models import Gate, ModelServer, Say, calls

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    import httpx

# Each starts a service, and a model's server.
pytestmark = [pytest.mark.slow, pytest.mark.requirement("S1")]

MORE = """
[secrets.OPENAI_API_KEY]
tenants = ["default", "acme"]
[tenants.acme]
models = ["writer", "offline"]
[tenants.beta]
models = ["offline"]
"""


@pytest.fixture
async def model() -> AsyncIterator[ModelServer]:
    async with ModelServer() as server:
        yield server


@asynccontextmanager
async def talking(
    tmp_path: Path, model: ModelServer, tools: Tools | None = None
) -> AsyncIterator[Served]:
    path = tmp_path / "callsheet.toml"
    path.write_text(config(model, more=MORE))
    options: dict[str, Any] = {"tools": (tools or Tools()).all, "config": path, "talks": True}
    async with asyncio.timeout(SECONDS), serving(tmp_path / "home", **options) as served:
        yield served


async def said(client: httpx.AsyncClient, talk: str, message: str, **more: Any) -> Any:
    body = {"message": message, "begin": True, **more}
    return await client.post(f"/api/conversations/{talk}/turns", json=body)


async def flow(client: httpx.AsyncClient, turn: str, after: int = 0) -> list[Any]:
    headers = {"Last-Event-ID": str(after)} if after else {}
    async with client.stream("GET", f"/api/turns/{turn}/flow", headers=headers) as stream:
        assert stream.status_code == 200
        return [each async for each in heard(stream.aiter_lines())]


def numbered(updates: list[Any]) -> list[Any]:
    return [each for each in updates if "seq" in each]


async def test_a_turn_is_started_streamed_and_read(tmp_path: Path, model: ModelServer) -> None:
    model.answers(Say("Looking. "), *calls("call_1", "weather.at", {"city": "Oslo"}))
    model.answers(Say("4 degrees."))
    async with talking(tmp_path, model) as served:
        acme = await served.tenant("acme")
        await acme.post("/api/conversations", json={"id": "trip"})
        body = {"message": "Weather?", "tools": ["weather.at"], "id": "m1"}
        started = await acme.post("/api/conversations/trip/turns", json=body)
        assert started.status_code == 201, started.text
        turn = started.json()["turn"]
        assert started.json()["run"] == turn
        assert started.json()["conversation"] == "trip"
        told = await flow(acme, turn)
        assert {each.event for each in told} == {"flow"}
        page = page_of([each.data for each in told])
        assert page.text == "Looking. 4 degrees."
        assert page.end is not None
        assert page.end["state"] == "answered"
        answer = (await acme.get(f"/api/turns/{turn}")).json()
        assert (answer["state"], answer["text"]) == ("answered", "4 degrees.")
        assert answer["calls"][0]["result"] == {"city": "Oslo", "degrees": 4}
        assert answer["cost"]["usd"] > 0
        listed = (await acme.get("/api/conversations")).json()["items"]
        assert [(each["id"], each["turn"], each["turns"]) for each in listed] == [("trip", turn, 1)]
        messages = (await acme.get("/api/conversations/trip/messages")).json()["items"]
        assert [each["kind"] for each in messages] == ["user", "answer", "results", "answer"]


async def test_a_message_is_said_once_however_often_it_is_sent(
    tmp_path: Path, model: ModelServer
) -> None:
    model.answers(Say("Yes."))
    async with talking(tmp_path, model) as served:
        acme = await served.tenant("acme")
        first = await acme.post("/api/conversations", json={"id": "trip"})
        assert (first.status_code, first.json()["state"]) == (201, "idle")
        again = await acme.post("/api/conversations", json={"id": "trip"})
        assert (again.status_code, again.json()) == (200, first.json())
        path, body = "/api/conversations/trip/turns", {"message": "Well?", "id": "m1"}
        turns = [(await acme.post(path, json=body)).json()["turn"] for _ in range(2)]
        await until(acme, turns[0], "succeeded")
        late = (await acme.post(path, json=body)).json()
        assert {late["turn"], *turns} == {turns[0]}
        assert late["state"] == "answered"
        other = await acme.post(path, json={**body, "message": "No!"})
        assert (other.status_code, other.json()["code"]) == (409, "key_reused")
        assert len(model.requests) == 1


async def test_a_flow_is_come_back_to_without_loss_or_repetition(
    tmp_path: Path, model: ModelServer
) -> None:
    go = asyncio.Event()
    model.answers(Say("One. "), *calls("c", "weather.at", {"city": "Oslo"}), Gate(go), Say("Two."))
    model.answers(Say("Three."))
    async with talking(tmp_path, model) as served:
        acme = await served.tenant("acme")
        turn = (await said(acme, "t", "Go", model="writer", tools=["weather.at"])).json()["turn"]
        first: list[Any] = []
        async with acme.stream("GET", f"/api/turns/{turn}/flow") as stream:
            async for each in heard(stream.aiter_lines()):
                first.append(each)
                if each.data["kind"] == "call" and each.data.get("status") == "complete":
                    break
        last = max(each.id for each in first if each.id is not None)
        upto = next(i for i, each in enumerate(first) if each.id == last)
        go.set()
        rest = await flow(acme, turn, last)
        whole = [each.data for each in await flow(acme, turn)]
        parts = [each.data for each in [*first[: upto + 1], *rest]]
        assert numbered(parts) == numbered(whole)
        assert page_of(parts).text == page_of(whole).text == "One. Two.Three."
        end = max(each["seq"] for each in whole if "seq" in each)
        over = await acme.get(f"/api/turns/{turn}/flow?after={end}")
        assert over.status_code == 204, "so that a browser stops"
        beyond = await acme.get(f"/api/turns/{turn}/flow?after={end + 5}")
        assert beyond.status_code == 422


async def test_a_conversation_has_one_turn_at_a_time_and_names_it(
    tmp_path: Path, model: ModelServer
) -> None:
    model.answers(Say("Well. "), Gate(asyncio.Event()))
    model.answers(Say("Yes."))
    async with talking(tmp_path, model) as served:
        acme = await served.tenant("acme")
        first = (await said(acme, "t", "One?", model="writer")).json()["turn"]
        await model.came.wait()
        second = await said(acme, "t", "Two?", model="writer")
        assert (second.status_code, second.json()["code"]) == (409, "turn_running")
        assert second.json()["turn"] == first
        assert (await acme.delete("/api/conversations/t")).status_code == 409
        going = await acme.get("/api/conversations/t/messages")
        assert [each["kind"] for each in going.json()["items"]] == ["user"]
        stopped = await acme.post(f"/api/turns/{first}/cancel", json={"reason": "enough"})
        assert stopped.json()["served"]
        await until(acme, first, "cancelled")
        assert (await acme.get(f"/api/turns/{first}")).json()["state"] == "cancelled"
        third = await said(acme, "t", "Three?", model="writer")
        assert third.status_code == 201
        await until(acme, third.json()["run"], "succeeded")
        assert (await acme.delete("/api/conversations/t")).status_code == 204
        for path in ("conversations/t", "conversations/t/messages", f"turns/{first}"):
            assert (await acme.get(f"/api/{path}")).status_code == 404, path
        assert (await acme.delete("/api/conversations/t")).status_code == 404


async def test_a_tenant_has_only_the_models_that_it_was_given(
    tmp_path: Path, model: ModelServer
) -> None:
    tape = tmp_path / "tape.jsonl"
    tape.write_text("secret words")
    async with talking(tmp_path, model) as served:
        beta, gamma = await served.tenant("beta"), await served.tenant("gamma")
        assert (await said(beta, "t", "Hello", model="writer")).status_code == 422
        assert (await said(gamma, "t", "Hello")).status_code == 422
        hello = await said(beta, "t", "hello")
        assert hello.status_code == 201, hello.text
        await until(beta, hello.json()["run"], "succeeded")
        keyless = await served.client()
        refused = await said(keyless, "t", "Hello", model=f"recorded:{tape}")
        assert refused.status_code == 422
        assert "file of the machine" in refused.json()["detail"]
        assert "secret words" not in refused.text
        listed = await keyless.get("/api/conversations")
        assert listed.json()["items"] == [], "what is refused leaves nothing behind"


async def test_without_a_key_the_machine_is_out_of_a_model_s_reach(
    tmp_path: Path, model: ModelServer
) -> None:
    async with talking(tmp_path, model) as served:
        keyless, owner = await served.client(), await served.owner()
        refused = await said(keyless, "t", "read callsheet.toml", model="offline", tools=["file.*"])
        assert refused.status_code == 422
        own = await said(owner, "t", "hello", model="offline", tools=["file.*"])
        assert own.status_code == 201


async def test_a_conversation_steers_what_its_key_may_steer(
    tmp_path: Path, model: ModelServer
) -> None:
    async with talking(tmp_path, model) as served:
        acme = await served.tenant("acme")
        plan = {"steps": [{"id": "a", "tool": "notes.put", "args": {"text": "x"}}]}
        run = (await acme.post("/api/runs?wait=30", json={"plan": plan})).json()["run"]
        talks = await served.tenant("acme", ["turns:write"])
        refused = await said(talks, "t", "undo that", model="offline", tools=["runs.undo"])
        assert refused.status_code == 422, "it may not undo runs by another door either"
        beta = await served.tenant("beta")
        no_run = await said(beta, "t", f"undo {run}", model="offline", tools=["runs.*"])
        await until(beta, no_run.json()["run"], "succeeded")
        assert (await acme.get(f"/api/runs/{run}")).json()["state"] == "succeeded"
        undo = await said(acme, "t", f"undo {run}", model="offline", tools=["runs.*"])
        await until(acme, undo.json()["run"], "succeeded")
        assert (await acme.get(f"/api/runs/{run}")).json()["state"] == "undone"


async def test_turns_need_their_scopes(tmp_path: Path, model: ModelServer) -> None:
    async with talking(tmp_path, model) as served:
        reads = await served.tenant("acme", ["turns:read"])
        runs = await served.tenant("acme", [each for each in SCOPES if each.startswith("runs:")])
        assert (await reads.get("/api/conversations")).status_code == 200
        assert (await said(reads, "t", "Hello", model="offline")).status_code == 403
        assert (await runs.get("/api/conversations")).status_code == 403
        assert (await said(runs, "t", "Hello", model="offline")).status_code == 403


async def test_what_waits_for_approval_is_answered_through_the_service(
    tmp_path: Path, model: ModelServer
) -> None:
    model.answers(*calls("c", "disk.wipe", {"disk": "sda"}))
    model.answers(Say("Done."))
    tools = Tools()
    async with talking(tmp_path, model, tools) as served:
        acme = await served.tenant("acme")
        turn = (await said(acme, "t", "Wipe it", model="writer", tools=["disk.wipe"])).json()[
            "turn"
        ]
        await until(acme, turn, "waiting")
        (question,) = (await acme.get(f"/api/turns/{turn}")).json()["questions"]
        answer = {"question": question["id"], "answer": "approve"}
        unable = await served.tenant("acme", ["turns:write", "runs:write"])
        assert (await unable.post(f"/api/runs/{turn}/answer", json=answer)).status_code == 403
        assert (await acme.post(f"/api/runs/{turn}/answer", json=answer)).status_code == 200
        await until(acme, turn, "succeeded")
        assert tools.done == [("disk.wipe", "sda")]


@asynccontextmanager
async def client_of(served: Served) -> AsyncIterator[Client]:
    async with Client(served.url, await served.key("acme")) as client:
        yield client


async def test_the_client_talks_as_an_engine_does(tmp_path: Path, model: ModelServer) -> None:
    model.answers(Say("Looking. "), *calls("call_1", "weather.at", {"city": "Oslo"}))
    model.answers(Say("4 degrees."))
    async with talking(tmp_path, model) as served, client_of(served) as client:
        options: dict[str, Any] = {"model": "writer", "tools": ["weather.at"]}
        turn = await client.turn("Weather?", key="k", **options)
        updates = [update async for update in turn.flow()]
        assert page_of(updates).text == "Looking. 4 degrees."
        answer = await turn.wait()
        assert (answer.state, answer.text) == ("answered", "4 degrees.")
        same = await client.turn("Weather?", key="k", **options)
        assert (same.id, same.conversation) == (turn.id, turn.conversation)
        with pytest.raises(KeyReusedError):
            await client.turn("Other?", key="k", **options)
        with pytest.raises(InputError):
            await client.turn("  ", model="writer")
        with pytest.raises(UnknownRunError):
            await client.get_turn("r00000000000000000000000")


async def test_the_client_has_conversations(tmp_path: Path, model: ModelServer) -> None:
    go = asyncio.Event()
    model.answers(Say("And "), Gate(go), Say("now."))
    async with talking(tmp_path, model) as served, client_of(served) as client:
        talk = (await client.conversations.begin()).id
        turn = await client.turn("And now?", model="writer", conversation=talk)
        with pytest.raises(TurnRunningError) as refused:
            await client.turn("Well?", model="writer", conversation=talk)
        assert refused.value.turn == turn.id
        go.set()
        assert (await (await client.get_turn(turn.id)).wait()).text == "And now."
        (listed,) = await client.conversations.list()
        assert (listed.id, listed.turn, listed.turns) == (talk, turn.id, 1)
        said = await client.conversations.messages(talk)
        assert [type(each).__name__ for each in said] == ["UserMessage", "AnswerMessage"]
        assert await client.conversations.delete(talk)
        assert not await client.conversations.delete(talk)


async def test_conversations_are_listed_page_by_page(tmp_path: Path, model: ModelServer) -> None:
    async with talking(tmp_path, model) as served:
        acme = await served.tenant("acme")
        for number in range(5):
            for _ in range(2):
                turn = await said(acme, f"t{number}", "hello", model="offline")
                await until(acme, turn.json()["run"], "succeeded")
        await acme.post("/api/conversations", json={"id": "empty"})
        seen: list[str] = []
        cursor = ""
        while True:
            page = (await acme.get(f"/api/conversations?limit=2{cursor}")).json()
            seen += [each["id"] for each in page["items"]]
            if page["next"] is None:
                break
            cursor = f"&cursor={page['next']}"
        assert seen == ["t4", "t3", "t2", "t1", "t0", "empty"]
        # What outlives its runs is still there, and still says what was said.
        for run in (await acme.get("/api/runs")).json()["items"]:
            assert (await acme.delete(f"/api/runs/{run['run']}")).status_code == 204
        kept = (await acme.get("/api/conversations/t0")).json()
        assert (kept["turn"], kept["turns"], kept["state"]) == (None, 2, "idle")
        messages = (await acme.get("/api/conversations/t0/messages")).json()["items"]
        assert len(messages) == 4
        assert len((await acme.get("/api/conversations")).json()["items"]) == 6


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"message": ""},
        {"message": "   "},
        {"message": 7},
        {"message": "x", "colour": "red"},
        {"message": "x", "model": "nobody"},
        {"message": "x", "model": "offline", "tools": "weather"},
        {"message": "x", "model": "offline", "tools": ["nothing.*"]},
        {"message": "x", "model": "offline", "limits": {"rounds": 0}},
        {"message": "x", "model": "offline", "budget": {"euro": 1}},
        {"message": "x", "model": "writer", "budget": {"usd": -1}},
    ],
)
async def test_what_is_wrong_is_refused_whole(
    tmp_path: Path, model: ModelServer, body: dict[str, Any]
) -> None:
    async with talking(tmp_path, model) as served:
        owner = await served.owner()
        asked = {"begin": True, **body}
        answer = await owner.post("/api/conversations/t/turns", json=asked)
        assert answer.status_code == 422, answer.text
        assert (await owner.post("/api/conversations/a b/turns", json=body)).status_code in (
            404,
            422,
        )
        assert (await owner.get("/api/conversations")).json()["items"] == []
        assert (await owner.get("/api/runs")).json()["items"] == []
