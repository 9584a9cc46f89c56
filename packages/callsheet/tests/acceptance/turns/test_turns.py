"""A turn, from a message to an answer: over real HTTP, with the providers' own libraries."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from tests.acceptance.turns.theatre import Tools, flowed, opened, page_of, written

from callsheet.agents.terms import Limits
from callsheet.core import value
from callsheet.core.run.entries import AttemptEnded
from callsheet.testing.models import End, Gate, ModelServer, Piece, Say, calls

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

# Real sockets, real libraries, and what they take to load.
pytestmark = pytest.mark.slow


@pytest.fixture
async def server() -> AsyncIterator[ModelServer]:
    async with ModelServer() as running:
        yield running


def openai_results(body: dict[str, Any]) -> list[tuple[str, str]]:
    return [
        (each["tool_call_id"], each["content"])
        for each in body["messages"]
        if each["role"] == "tool"
    ]


# Google's library has escapes that Python warns of when it first compiles them.
@pytest.mark.filterwarnings("ignore:invalid escape sequence")
@pytest.mark.parametrize("service", ["openai", "anthropic", "google"])
@pytest.mark.requirement("T1", "T3", "T4", "E13")
async def test_two_calls_and_an_answer(server: ModelServer, tmp_path: Path, service: str) -> None:
    tools = Tools()
    server.answers(
        Say("Looking both up. ", split=6),
        *calls("call_A", "weather__at", {"city": "Oslo"}, split=5),
        *calls("call_B", "weather__at", {"city": "Rome"}, index=1),
        End(input=100, output=50),
    )
    server.answers(Say("4 degrees in both."), End(input=200, output=10))
    async with opened(server, tools, tmp_path, service=service) as engine:
        turn = await engine.turn("Weather in Oslo and Rome?", model="writer", tools=["weather.*"])
        page = page_of(await flowed(turn))
        answer = await turn.wait()
        report = await engine.replay(turn.id)
        entries = await turn.run.journal()
    assert (answer.state, answer.text) == ("answered", "4 degrees in both.")
    assert [(call.id, call.status) for call in answer.calls] == [
        ("call_A", "complete"),
        ("call_B", "complete"),
    ]
    assert answer.usage == {"input": 300, "output": 60}
    assert answer.cost.usd == pytest.approx((300 * 2 + 60 * 10) / 1e6)
    assert page.text == "Looking both up. 4 degrees in both."
    assert page.end is not None
    assert page.end["state"] == "answered"
    assert report.same
    assert len(server.requests) == 2, "replay asks nobody"
    second = str(server.requests[1].body["contents" if service == "google" else "messages"])
    assert second.index("Oslo") < second.index("call_B")
    ended = [each for each in entries if isinstance(each, AttemptEnded) and each.step == "a1"]
    record: Any = value.decode(ended[0].output)
    assert record["model"]["asked"] == "writer"
    assert record["settings"]["asked"]["max_tokens"] == 1000
    assert record["settings"]["taken"]["max_tokens"] == 1000
    assert ("temperature" in record["settings"]["taken"]) is (service != "anthropic")
    assert set(record["tools"]) == {"weather.at"}
    assert record["interrupted"] is False
    for name in ("prompt", "request", "response"):
        assert len(record[name]) == 64
    assert record["usage"] == {"input": 100, "output": 50}


@pytest.mark.requirement("T1", "T5")
async def test_a_call_starts_when_its_own_arguments_are_complete(
    server: ModelServer, tmp_path: Path
) -> None:
    # mastra-ai/mastra#22919: the stream goes on only once the first call has begun.
    tools = Tools()
    server.answers(
        Say("Well, "),
        *calls("call_A", "weather__at", {"city": "Oslo"}),
        Gate(tools.begun),
        Say("and "),
        *calls("call_B", "weather__at", {"city": "Rome"}, index=1),
    )
    server.answers(Say("Done."))
    async with opened(server, tools, tmp_path) as engine:
        turn = await engine.turn("Weather?", model="writer", tools=["weather.at"])
        page = page_of(await flowed(turn))
    assert tools.count("weather.at") == 2
    assert page.text == "Well, and Done."
    assert page.statuses["call_A"][0] == "pending"
    assert page.statuses["call_A"][-1] == "complete"
    kinds = [page.sections[index]["kind"] for index in sorted(page.sections)]
    assert kinds == ["text", "tools", "text", "tools", "text"]


@pytest.mark.requirement("T2")
async def test_calls_of_an_answer_go_on_side_by_side(server: ModelServer, tmp_path: Path) -> None:
    tools = Tools()
    tools.gate, tools.opens_at = asyncio.Event(), 8
    cities = ["Oslo", "Rome", "Bonn", "Bern", "Kyiv", "Lima", "Doha", "Baku"]
    lines = [
        line
        for index, city in enumerate(cities)
        for line in calls(f"call_{city}", "weather__at", {"city": city}, index=index)
    ]
    server.answers(*lines)
    server.answers(Say("Done."))
    async with opened(server, tools, tmp_path) as engine:
        turn = await engine.turn("Weather?", model="writer", tools=["weather.at"])
        answer = await turn.wait()
    assert [call.args["city"] for call in answer.calls] == cities  # type: ignore[index,call-overload]
    assert [id for id, _ in openai_results(server.requests[1].body)] == [
        f"call_{city}" for city in cities
    ]


@pytest.mark.requirement("T3")
async def test_every_call_gets_one_result_and_errors_are_errors(
    server: ModelServer, tmp_path: Path
) -> None:
    tools = Tools()
    server.answers(
        *calls("good", "weather__at", {"city": "Oslo"}),
        *calls("fails", "weather__at", {"city": "Nowhere"}, index=1),
        *calls("wrong", "weather__at", {"town": "Rome"}, index=2),
        *calls("unknown", "whether", {"city": "Rome"}, index=3),
        *calls("torn", "weather__at", '{"city": "Ro', index=4),
        *calls("good", "weather__at", {"city": "Oslo"}, index=5),
        *calls("fails", "weather__at", {"city": "Bonn"}, index=6),
        *calls("plain", "now", "", index=7),
        End("stop"),
    )
    server.answers(Say("I see."))
    async with opened(server, tools, tmp_path) as engine:
        turn = await engine.turn("Weather?", model="writer", tools=["weather.at", "now"])
        page = page_of(await flowed(turn))
        answer = await turn.wait()
    results = openai_results(server.requests[1].body)
    assert [id for id, _ in results] == [
        "good", "fails", "wrong", "unknown", "torn", "fails#7", "plain",
    ]  # fmt: skip
    said = dict(results)
    assert '"degrees":4' in said["good"].replace(" ", "")
    assert "There is no such city." in said["fails"]
    assert "'city' is missing" in said["wrong"]
    assert "Did you mean" in said["unknown"]
    assert "not one complete JSON object" in said["torn"]
    assert "the id of another call" in said["fails#7"]
    assert "noon" in said["plain"]
    assert tools.done.count(("weather.at", "Oslo")) == 1, "the same call twice is one"
    assert answer.state == "answered"
    assert {id: statuses[-1] for id, statuses in page.statuses.items()} == {
        "good": "complete", "fails": "error", "wrong": "error", "unknown": "error",
        "torn": "error", "fails#7": "error", "plain": "complete",
    }  # fmt: skip


@pytest.mark.requirement("T4", "T6")
async def test_the_flow_is_the_same_for_everybody_and_from_every_point(
    server: ModelServer, tmp_path: Path
) -> None:
    tools = Tools()
    server.answers(Say("One. "), *calls("c1", "weather__at", {"city": "Oslo"}), Say("Two. "))
    server.answers(*calls("c2", "weather__at", {"city": "Nowhere"}))
    server.answers(Say("Three."))
    async with opened(server, tools, tmp_path, home=tmp_path / "home") as engine:
        turn = await engine.turn("Weather?", model="writer", tools=["weather.at"])
        live = await flowed(turn)
        later = await flowed(await engine.get_turn(turn.id))
        assert page_of(live).text == page_of(later).text == "One. Two. Three."
        numbered = [update for update in live if "seq" in update]
        assert numbered == [update for update in later if "seq" in update]
        assert later == written(later), "read later, there is nothing that was only said"
        for update in numbered:
            rest = await flowed(turn, after=update["seq"])  # type: ignore[arg-type]
            assert later[len(later) - len(rest) :] == rest
            assert all(each.get("seq", 10**9) > update["seq"] for each in rest)  # type: ignore[operator]
    page = page_of(later)
    assert later[0] == {"seq": 2, "kind": "text", "index": 0, "step": "a1", "content": ""}
    assert all(count == 1 for count in page.closed.values())
    sections = [each for each in page.sections.values() if each["kind"] == "tools"]
    assert len(sections) == 2
    assert not any(each["expanded"] for each in sections)
    assert [update["kind"] for update in later].count("end") == 1


async def test_arguments_are_data(server: ModelServer, tmp_path: Path) -> None:
    tools = Tools()
    text = "${secrets.TOKEN} ${steps.a1} $${x}"
    server.answers(
        *calls("${secrets.TOKEN}", "weather__at", {"city": text}),
        *calls("x", "${secrets.TOKEN}", {"city": text}, index=1),
    )
    server.answers(Say("Done. ${secrets.TOKEN}"))
    async with opened(server, tools, tmp_path) as engine:
        turn = await engine.turn("${inputs.turn}", model="writer", tools=["weather.at"])
        answer = await turn.wait()
    assert tools.done == [("weather.at", text)]
    assert answer.text == "Done. ${secrets.TOKEN}"
    assert [id for id, _ in openai_results(server.requests[1].body)] == ["${secrets.TOKEN}", "x"]


@pytest.mark.requirement("T2")
async def test_a_write_that_cannot_be_taken_back_waits_for_the_end_of_the_answer(
    server: ModelServer, tmp_path: Path
) -> None:
    tools = Tools()
    server.answers(
        *calls("m", "mail__send", {"to": "Ada"}),
        *calls("w", "notes__put", {"text": "x"}, index=1),
        Gate(tools.begun),
    )
    server.answers(Say("Done."))
    async with opened(server, tools, tmp_path) as engine:
        turn = await engine.turn("Mail!", model="writer", tools=["mail.*", "notes.put"])
        answer = await turn.wait()
    assert [name for name, _ in tools.done] == ["notes.put", "mail.send"]
    assert [id for id, _ in openai_results(server.requests[1].body)] == ["m", "w"]
    assert {call.status for call in answer.calls} == {"complete"}


async def test_approved_and_free_calls_mix_and_nothing_is_lost(
    server: ModelServer, tmp_path: Path
) -> None:
    # openai/openai-agents-python#3004, langchain-ai/langgraph#6533
    tools = Tools()
    server.answers(
        *calls("one", "disk__wipe", {"disk": "a"}),
        *calls("free", "weather__at", {"city": "Oslo"}, index=1),
        *calls("two", "disk__wipe", {"disk": "b"}, index=2),
    )
    server.answers(Say("Done."))
    async with opened(server, tools, tmp_path, home=tmp_path / "home") as engine:
        turn = await engine.turn("Wipe!", model="writer", tools=["disk.*", "weather.at"])
        asked = 0
        async for update in turn.flow():
            if update.get("status") == "waiting":
                asked += 1
            if asked == 2 and update["kind"] == "call":
                asked = 0
                # Answered in the other order, and differently.
                await turn.run.answer("a1_c3", "deny", by="ada")
                await turn.run.answer("a1_c2", "approve", by="ada")
        answer = await turn.wait()
    results = dict(openai_results(server.requests[1].body))
    assert list(results) == ["one", "free", "two"]
    assert "wiped" in results["one"]
    assert "denied" in results["two"]
    assert [name for name, _ in tools.done].count("disk.wipe") == 1
    assert ("disk.wipe", "a") in tools.done
    assert answer.state == "answered"


@pytest.mark.requirement("T9")
async def test_a_failed_call_can_be_tried_again_but_not_for_ever(
    server: ModelServer, tmp_path: Path
) -> None:
    tools = Tools()
    for number in range(5):
        server.answers(*calls(f"c{number}", "weather__at", {"city": "Nowhere"}))
    async with opened(server, tools, tmp_path) as engine:
        turn = await engine.turn("Weather?", model="writer", tools=["weather.at"])
        answer = await turn.wait()
        page = page_of(await flowed(turn))
    assert answer.state == "stopped"
    assert "failed 3 times" in answer.text
    assert page.end is not None
    assert page.end["state"] == "stopped"
    assert "failed 3 times" in str(page.end["reason"])
    assert tools.count("weather.at") == len(server.requests) == 3


@pytest.mark.requirement("T9")
async def test_a_turn_has_so_many_rounds(server: ModelServer, tmp_path: Path) -> None:
    tools = Tools()
    server.otherwise(
        lambda asked: calls(f"c{len(asked.body['messages'])}", "weather__at", {"city": "Oslo"})
    )
    async with opened(server, tools, tmp_path) as engine:
        turn = await engine.turn(
            "Weather?", model="writer", tools=["weather.at"], limits=Limits(rounds=3)
        )
        answer = await turn.wait()
    assert (answer.state, len(server.requests)) == ("stopped", 3)
    assert "3 rounds" in answer.text


async def test_what_the_answer_turns_out_not_to_mean_is_taken_back(
    server: ModelServer, tmp_path: Path
) -> None:
    tools = Tools()
    server.answers(
        *calls("read", "weather__at", {"city": "Oslo"}),
        *calls("write", "notes__put", {"text": "wrong"}, index=1),
        Gate(tools.begun),
        Piece(0, arguments='{"city": "Rome"}'),
        Piece(1, arguments='{"text": "right"}'),
    )
    server.answers(Say("Done."))
    async with opened(server, tools, tmp_path) as engine:
        turn = await engine.turn("Go!", model="writer", tools=["weather.at", "notes.put"])
        page = page_of(updates := await flowed(turn))
        await turn.wait()
    results = dict(openai_results(server.requests[1].body))
    assert "Rome" in results["read"]
    assert "note right" in results["write"]
    assert tools.count("notes.put") == 2
    assert tools.done.count(("notes.drop", "note wrong")) == 1
    assert [each["kind"] for each in updates].count("note") == 2
    assert page.end is not None
