"""Turns that are cut: cancelled, broken off, out of time, killed. Nothing is lost or done twice."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from typing import TYPE_CHECKING, Any

import pytest
from tests.acceptance.turns.theatre import PATIENCE, Tools, config, flowed, opened, page_of

from callsheet import Engine
from callsheet.agents.terms import Limits
from callsheet.testing.models import Drop, End, Fail, Gate, ModelServer, Piece, Say, Think, calls

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from callsheet.agents.turn import Turn

# Real sockets, real libraries, and what they take to load.
pytestmark = pytest.mark.slow


@pytest.fixture
async def server() -> AsyncIterator[ModelServer]:
    async with ModelServer() as running:
        yield running


async def reached(turn: Turn, **wanted: Any) -> None:
    """Return when the flow has come to an update like this."""
    async for update in turn.flow():
        if all(update.get(name) == said for name, said in wanted.items()):
            return
    raise AssertionError(f"it never came to {wanted}")


def said_to_openai(body: dict[str, Any]) -> list[tuple[str, Any]]:
    return [
        (each["role"], each.get("tool_call_id") or each.get("content")) for each in body["messages"]
    ]


async def ask(engine: Engine, **options: Any) -> Turn:
    options.setdefault("tools", ["weather.at", "notes.put", "mail.send"])
    return await engine.turn("Go!", model="writer", **options)


async def test_a_write_that_was_told_to_stop_and_did_not_answer_is_not_known(
    server: ModelServer, tmp_path: Path
) -> None:
    tools = Tools()
    tools.gate = asyncio.Event()
    server.answers(*calls("c1", "mail__send", {"to": "Ada"}))
    server.answers(Say("Oh."))
    async with opened(server, tools, tmp_path) as engine:
        turn = await ask(engine)
        await reached(turn, id="c1", status="running")
        await tools.begun.wait()
        await turn.cancel()
        answer = await turn.wait()
        await (await ask(engine, conversation=turn.conversation)).wait()
    assert answer.state == "cancelled"
    (call,) = answer.calls
    assert call.status == "error"
    assert "It is not known whether it happened." in str(call.error)
    assert "It is not known whether it happened." in str(server.requests[1].body)


@pytest.mark.parametrize("service", ["openai", "anthropic"])
async def test_cancelling_closes_the_stream_then_the_calls_and_the_talk_goes_on(
    server: ModelServer, tmp_path: Path, service: str
) -> None:
    # pydantic/pydantic-ai#5507: inside the arguments
    tools, never = Tools(), asyncio.Event()
    tools.gate = asyncio.Event()
    server.answers(
        Say("Looking. "),
        *calls("c1", "weather__at", {"city": "Oslo"}),
        *calls("c2", "mail__send", {"to": "Ada"}, index=1),
        Piece(2, "c3", "weather__at", '{"ci'),
        Gate(never),
    )
    server.answers(Say("Never mind."))
    async with opened(server, tools, tmp_path, service=service) as engine:
        turn = await ask(engine)
        await reached(turn, id="c3", status="pending")
        await turn.cancel(by="ada")
        answer = await turn.wait()
        await server.requests[0].left.wait()
        page = page_of(await flowed(turn))
        again = await engine.turn("And now?", model="writer", conversation=turn.conversation)
        then = await again.wait()
    assert answer.state == "cancelled"
    assert answer.text == "Looking. "
    assert page.statuses["c1"][-1] == "cancelled"
    assert "c3" not in page.calls, "it never was a call"
    assert ("mail.send", "Ada") not in tools.done, "it waited for the end of the answer"
    assert answer.cost.usd > 0, "what was sent and received is paid"
    assert then.text == "Never mind."
    body = server.requests[1].body
    assert "Go!" in str(body)
    assert "Looking." in str(body)
    if service == "openai":
        roles = [role for role, _ in said_to_openai(body)]
        assert roles == ["user", "assistant", "tool", "user"]
    assert "cancelled" in str(body)


async def test_closing_the_page_stops_nothing_and_another_handle_can(
    server: ModelServer, tmp_path: Path
) -> None:
    # vercel/ai#6502
    tools, go = Tools(), asyncio.Event()
    server.answers(Say("Well, "), Gate(go), Say("yes."))
    server.answers(Say("Well, "), Gate(asyncio.Event()))
    async with opened(server, tools, tmp_path, home=tmp_path / "home") as engine:
        turn = await ask(engine)
        await reached(turn, kind="text", append="Well, ")  # and is dropped
        del turn
        go.set()
        (head,) = await engine.runs(plan="turn")
        answer = await (await engine.get_turn(head.run)).wait()
        assert (answer.state, answer.text) == ("answered", "Well, yes.")
        second = await ask(engine, conversation=answer.conversation)
        await reached(second, kind="text", append="Well, ")
        async with Engine.open(tmp_path / "home", drive=False) as other:
            found = await other.get_turn(second.id)
            stopping = asyncio.get_running_loop().create_task(found.cancel())
            assert (await second.wait()).state == "cancelled"
            await stopping


async def test_a_stream_that_breaks_before_any_call_is_tried_again(
    server: ModelServer, tmp_path: Path
) -> None:
    tools = Tools()
    server.answers(Say("Well, I thi"), Drop())
    server.answers(Fail(429, headers={"retry-after": "0"}))
    server.answers(Say("Hello."))
    async with opened(server, tools, tmp_path) as engine:
        turn = await ask(engine)
        page = page_of(await flowed(turn))
        answer = await turn.wait()
    assert (answer.state, answer.text) == ("answered", "Hello.")
    assert page.text == "Hello."
    assert len(server.requests) == 3


async def test_a_stream_that_breaks_after_a_call_is_an_answer_that_broke_off(
    server: ModelServer, tmp_path: Path
) -> None:
    tools = Tools()
    server.answers(
        Say("Looking. "),
        *calls("c1", "weather__at", {"city": "Oslo"}),
        Piece(1, "c2", "weather__at", '{"city": "Ro'),
        Drop(),
    )
    server.answers(Say("Cold."))
    async with opened(server, tools, tmp_path) as engine:
        turn = await ask(engine)
        updates = await flowed(turn)
        answer = await turn.wait()
    assert (answer.state, answer.text) == ("answered", "Cold.")
    assert tools.count("weather.at") == 1
    assert [role for role, _ in said_to_openai(server.requests[1].body)] == [
        "user",
        "assistant",
        "tool",
    ]
    assert any("broke off" in str(update.get("text")) for update in updates)
    assert len(server.requests) == 2


async def test_what_was_thought_goes_back_signed_although_the_answer_broke_off(
    server: ModelServer, tmp_path: Path
) -> None:
    server.answers(
        Think("Let me look.", "sig-1"), *calls("c1", "weather__at", {"city": "Oslo"}), Drop()
    )
    server.answers(Say("Cold."))
    async with opened(server, Tools(), tmp_path, service="anthropic") as engine:
        assert (await (await ask(engine)).wait()).text == "Cold."
    (said,) = (each for each in server.requests[1].body["messages"] if each["role"] == "assistant")
    assert [part["type"] for part in said["content"]] == ["thinking", "tool_use"]
    assert said["content"][0]["signature"] == "sig-1"


async def test_a_model_that_fails_for_good_fails_the_turn_and_the_talk_can_go_on(
    server: ModelServer, tmp_path: Path
) -> None:
    tools = Tools()
    server.answers(Fail(401, "who are you"))
    server.answers(Say("Hello."))
    async with opened(server, tools, tmp_path) as engine:
        turn = await ask(engine)
        page = page_of(await flowed(turn))
        answer = await turn.wait()
        again = await ask(engine, conversation=turn.conversation)
        then = await again.wait()
    assert answer.state == "failed"
    assert answer.cost.usd == 0, "nobody charges for a refusal"
    assert page.end is not None
    error = page.end["error"]
    assert isinstance(error, dict)
    assert error["class"] == "denied"
    assert "who are you" in str(error["message"])
    assert len(server.requests) == 2
    assert then.state == "answered"


@pytest.mark.requirement("T7")
async def test_at_the_deadline_what_is_unfinished_is_timed_out_and_the_rest_is_kept(
    server: ModelServer, tmp_path: Path
) -> None:
    tools, never = Tools(), asyncio.Event()
    server.answers(
        Say("Looking. "),
        *calls("c1", "weather__at", {"city": "Oslo"}),
        Gate(tools.begun),
        Say("Hm. "),
        Gate(never),
    )
    server.answers(Say("Hello."))
    async with opened(server, tools, tmp_path) as engine:
        turn = await ask(engine, limits=Limits(turn=3.0))
        answer = await turn.wait()
        await server.requests[0].left.wait()
        then = await (await ask(engine, conversation=turn.conversation)).wait()
    assert answer.state == "stopped"
    assert answer.text.startswith("Looking. Hm. ")
    assert answer.text.endswith("I stop here: the 3 s for this turn are over.")
    assert [(call.id, call.status) for call in answer.calls] == [("c1", "complete")]
    assert then.state == "answered"
    roles = [role for role, _ in said_to_openai(server.requests[1].body)]
    assert roles == ["user", "assistant", "tool", "user"]


@pytest.mark.requirement("T7")
async def test_a_call_that_hangs_is_timed_out_and_the_model_is_told(
    server: ModelServer, tmp_path: Path
) -> None:
    tools = Tools()
    tools.gate = asyncio.Event()
    server.answers(*calls("c1", "weather__at", {"city": "Oslo"}))
    server.answers(Say("It hangs."))
    async with opened(server, tools, tmp_path) as engine:
        turn = await ask(engine, limits=Limits(call=0.5))
        answer = await turn.wait()
    assert [(call.id, call.status) for call in answer.calls] == [("c1", "timeout")]
    assert answer.text == "It hangs."
    assert "timeout" in str(server.requests[1].body)


async def test_a_provider_that_never_answers_ends_with_the_turn(
    server: ModelServer, tmp_path: Path
) -> None:
    server.answers(Gate(asyncio.Event()))
    async with opened(server, Tools(), tmp_path) as engine:
        turn = await ask(engine, limits=Limits(turn=1.0))
        answer = await turn.wait()
    assert answer.state == "stopped"
    assert answer.text == "I stop here: the 1 s for this turn are over."


CHILD = """
import asyncio, sys
from pathlib import Path
from callsheet import Engine, tool

home, config, marks = map(Path, sys.argv[1:])

@tool("weather.at", effect="read")
async def weather(city: str) -> dict:
    with marks.open("a") as file:
        file.write(city + "\\n")
    return {"city": city, "degrees": 4}

async def main():
    async with Engine.open(home, [weather], config=config) as engine:
        for head in await engine.runs(plan="turn"):
            turn = await engine.get_turn(head.run)
            break
        else:
            turn = await engine.turn("Go!", model="writer", tools=["weather.at"])
        print(turn.id, flush=True)
        print((await turn.wait()).text, flush=True)

asyncio.run(main())
"""


async def test_killed_in_the_middle_of_an_answer_nothing_is_lost_or_done_twice(
    server: ModelServer, tmp_path: Path
) -> None:
    # anthropics/anthropic-sdk-python#1749
    never = asyncio.Event()
    server.answers(
        Say("Looking. "),
        *calls("c1", "weather__at", {"city": "Oslo"}),
        *calls("c2", "weather__at", {"city": "Rome"}, index=1),
        Say("Also "),
        Gate(never),
    )
    server.answers(Say("4 degrees."), End(input=20, output=3))
    path, marks = tmp_path / "callsheet.toml", tmp_path / "marks"
    path.write_text(config(server))
    script = tmp_path / "child.py"
    script.write_text(CHILD)
    argv = [sys.executable, str(script), str(tmp_path / "home"), str(path), str(marks)]
    async with asyncio.timeout(2 * PATIENCE):
        first = await asyncio.create_subprocess_exec(*argv, stdout=asyncio.subprocess.PIPE)
        assert first.stdout is not None
        run = (await first.stdout.readline()).decode().strip()
        async with Engine.open(tmp_path / "home", drive=False) as looking:
            turn = await looking.get_turn(run)
            for id in ("c1", "c2"):
                await reached(turn, id=id, status="complete")
        os.kill(first.pid, signal.SIGKILL)
        await first.wait()
        second = await asyncio.create_subprocess_exec(*argv, stdout=asyncio.subprocess.PIPE)
        out, _ = await second.communicate()
    assert out.decode().split("\n")[:2] == [run, "4 degrees."]
    assert sorted(marks.read_text().split()) == ["Oslo", "Rome"], "no call is made again"
    assert len(server.requests) == 2, "the answer is not asked for again"
    roles = [role for role, _ in said_to_openai(server.requests[1].body)]
    assert roles == ["user", "assistant", "tool", "tool"]
    assert "Looking. " in str(server.requests[1].body)
    async with Engine.open(tmp_path / "home", drive=False) as engine:
        turn = await engine.get_turn(run)
        page = page_of(await flowed(turn))
    assert {id: seen[-1] for id, seen in page.statuses.items()} == {
        "c1": "complete",
        "c2": "complete",
    }
    assert (page.text[:9], page.text[-10:]) == ("Looking. ", "4 degrees.")
