"""Providers, over the wire: the real libraries against a server of our own."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import TYPE_CHECKING

import pytest

from callsheet.agents.assembler import read_arguments
from callsheet.agents.message import (
    AnswerMessage,
    Call,
    CallResult,
    ResultsMessage,
    Text,
    Thinking,
    UserMessage,
)
from callsheet.agents.model import CallDelta, Offered, Request, Response, TextDelta
from callsheet.agents.provider.adapter import ProviderModel
from callsheet.errors import (
    DeniedError,
    InvalidError,
    RateLimitedError,
    ToolError,
    ToolTimeoutError,
    TransientError,
)
from callsheet.testing.models import (
    Drop,
    End,
    Fail,
    Gate,
    Line,
    ModelServer,
    Piece,
    Raw,
    Say,
    Think,
    calls,
)

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from callsheet.agents.message import Message
    from callsheet.agents.model import Streamed

# Real sockets, real libraries, and what they take to load.
pytestmark = pytest.mark.slow

WEATHER = Offered(
    name="weather.at",
    description="The weather.",
    schema={"type": "object", "properties": {"city": {"type": "string"}}},
)
PATIENCE = 60
"""Seconds: the libraries take their time to load on a machine that has other things to do."""
SETTINGS = {"temperature": 0, "seed": 7, "max_tokens": 99}


@pytest.fixture
async def server() -> AsyncIterator[ModelServer]:
    async with ModelServer() as running:
        yield running


def asking(*messages: Message, model: str = "openai:gpt-4o") -> Request:
    return Request(
        model=model,
        messages=messages or (UserMessage(text="Weather?"),),
        instructions="Be brief.",
        tools=(WEATHER,),
        settings=dict(SETTINGS),
    )


def address(server: ModelServer, service: str) -> str:
    return {"openai": server.openai, "anthropic": server.anthropic, "google": server.google}[
        service
    ]


async def asked(
    server: ModelServer, *lines: Line, service: str = "openai", model: str = "gpt-4o"
) -> tuple[list[Streamed], Response]:
    server.answers(*lines)
    provider = ProviderModel(service, model, key="k", base_url=address(server, service))
    try:
        async with asyncio.timeout(PATIENCE), aclosing(provider.stream(asking())) as stream:
            pieces = [piece async for piece in stream]
    finally:
        await provider.close()
    last = pieces[-1]
    assert isinstance(last, Response)
    return pieces, last


# Google's library has escapes that Python warns of when it first compiles them.
of_google = pytest.mark.filterwarnings("ignore:invalid escape sequence")
SERVICES = (
    ("openai", "gpt-4o"),
    ("anthropic", "claude-sonnet-5"),
    pytest.param("google", "gemini-2.5-pro", marks=of_google),
)


@pytest.mark.parametrize(("service", "model"), SERVICES)
@pytest.mark.requirement("E13")
async def test_an_answer_comes_in_pieces_and_then_as_a_whole(
    server: ModelServer, service: str, model: str
) -> None:
    call = calls("call_1", "weather__at", {"city": "Oslo"}, split=6)
    pieces, whole = await asked(
        server,
        Say("Looking it up. ", split=4),
        *call,
        End(input=12, output=7),
        service=service,
        model=model,
    )
    said = "".join(piece.text for piece in pieces if isinstance(piece, TextDelta))
    assert said == "Looking it up. "
    assert whole.parts == (
        Text(text="Looking it up. "),
        Call(id="call_1", name="weather.at", arguments='{"city": "Oslo"}'),
    )
    assert (whole.usage.input, whole.usage.output) == (12, 7)
    # Gemini stops in the same way whether there are calls or not.
    assert whole.stop == ("stop" if service == "google" else "tool_call")
    assert whole.id
    assert whole.model == model
    body = server.requests[0].body
    assert "Be brief." in str(body)
    assert whole.taken["max_tokens"] == 99


@pytest.mark.parametrize("chop", [1, 7])
async def test_how_the_bytes_are_cut_does_not_matter(chop: int) -> None:
    async with ModelServer(chop=chop) as server:
        _, whole = await asked(server, Say("Grüße. "), *calls("c", "weather__at", {"city": "Köln"}))
    (text, call) = whole.parts
    assert text == Text(text="Grüße. ")
    assert isinstance(call, Call)
    assert read_arguments(call.arguments) == {"city": "Köln"}


@pytest.mark.requirement("T1")
async def test_what_the_library_garbles_is_told_apart(server: ModelServer) -> None:
    _, whole = await asked(
        server,
        Piece(0, "call_A", "weather__at", '{"ci'),
        Piece(1, "call_B", "weather__at"),
        Piece(0, arguments='ty":"Oslo"}'),
        Piece(1, arguments="{}"),
        Piece(1, arguments='{"city":"Rome"}'),
        Piece(1, "call_C", "weather__at", '{"city":"Bonn"}'),
        Piece(2, "", "weather__at", '{"city":'),
        End("stop"),
    )
    assert whole.parts == (
        Call(id="call_A", name="weather.at", arguments='{"city":"Oslo"}'),
        Call(id="call_B", name="weather.at", arguments='{"city":"Rome"}'),
        Call(id="call_C", name="weather.at", arguments='{"city":"Bonn"}'),
        Call(id="call_4", name="weather.at", arguments='{"city":'),
    )


@pytest.mark.requirement("E13")
async def test_the_settings_that_were_taken_are_those_in_the_body(server: ModelServer) -> None:
    _, all_of_them = await asked(server, Say("Hi."))
    _, some = await asked(server, Say("Hi."), model="gpt-5")
    assert all_of_them.taken == {"temperature": 0, "seed": 7, "max_tokens": 99}
    assert some.taken == {"seed": 7, "max_tokens": 99}
    _, few = await asked(server, Say("Hi."), service="anthropic", model="claude-sonnet-5")
    assert few.taken == {"max_tokens": 99}
    assert "temperature" not in server.requests[-1].body


@pytest.mark.parametrize(
    ("fail", "kind"),
    [
        (Fail(429, headers={"retry-after": "7"}), RateLimitedError),
        (Fail(500), TransientError),
        (Fail(503), TransientError),
        (Fail(529), TransientError),
        (Fail(408), ToolTimeoutError),
        (Fail(400, type="invalid_request_error"), InvalidError),
        (Fail(404), InvalidError),
        (Fail(401), DeniedError),
        (Fail(402), DeniedError),
        (
            Fail(200, body=b"<html>hello</html>", headers={"content-type": "text/html"}),
            TransientError,
        ),
    ],
)
async def test_what_goes_wrong_is_put_into_our_words(
    server: ModelServer, fail: Fail, kind: type[ToolError]
) -> None:
    with pytest.raises(ToolError) as found:
        await asked(server, fail)
    assert type(found.value) is kind
    assert found.value.message.find("gpt-4o") >= 0
    if fail.status == 429:
        assert found.value.retry_after == 7
    assert len(server.requests) == 1, "the engine retries, nobody else"


@pytest.mark.parametrize(("service", "model"), SERVICES)
async def test_a_stream_that_breaks_is_transient(
    server: ModelServer, service: str, model: str
) -> None:
    for broken in (Drop(), Fail(529, type="overloaded_error")):
        with pytest.raises(TransientError):
            await asked(server, Say("Well, "), broken, service=service, model=model)


async def test_nobody_at_the_address_is_transient() -> None:
    provider = ProviderModel("openai", "gpt-4o", key="k", base_url="http://127.0.0.1:9/v1")
    stream = provider.stream(asking())
    with pytest.raises(TransientError):
        await anext(stream)
    await provider.close()


@pytest.mark.parametrize(("service", "model"), SERVICES)
async def test_whoever_stops_reading_is_seen_to_leave(
    server: ModelServer, service: str, model: str
) -> None:
    # pydantic/pydantic-ai#5507: within the arguments
    never = asyncio.Event()
    server.answers(Say("Well, "), Piece(0, "c", "weather__at", '{"ci'), Gate(never))
    provider = ProviderModel(service, model, key="k", base_url=address(server, service))
    begun = asyncio.Event()

    async def read() -> None:
        async with aclosing(provider.stream(asking())) as stream:
            async for piece in stream:
                # Of Gemini's calls nothing is sent before they are whole.
                if isinstance(piece, TextDelta if service == "google" else CallDelta):
                    begun.set()

    async with asyncio.timeout(PATIENCE):
        reading = asyncio.get_running_loop().create_task(read())
        await begun.wait()
        reading.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reading
        await server.requests[0].left.wait()
    await provider.close()


@pytest.mark.parametrize(("service", "model"), SERVICES)
@pytest.mark.requirement("T3")
async def test_results_go_back_in_the_providers_form(
    server: ModelServer, service: str, model: str
) -> None:
    provider = ProviderModel(service, model, key="k", base_url=address(server, service))
    server.answers(Say("Done."))
    request = asking(
        UserMessage(text="Weather?"),
        AnswerMessage(
            parts=(
                Thinking(text="hm", signature="s", provider="anthropic"),
                Call(id="call_1", name="weather.at", arguments='{"city": "Oslo"}'),
                Call(id="call_2", name="weather.at", arguments='{"city": '),
            )
        ),
        ResultsMessage(
            results=(
                CallResult(id="call_1", name="weather.at", content='{"degrees": 4}'),
                CallResult(id="call_2", name="weather.at", content="Not JSON.", error=True),
            )
        ),
    )
    async with asyncio.timeout(PATIENCE), aclosing(provider.stream(request)) as stream:
        async for _ in stream:
            pass
    await provider.close()
    body = server.requests[0].body
    messages = body["contents"] if service == "google" else body["messages"]
    text = str(messages)
    assert text.index("degrees") < text.index("Not JSON.")
    assert ("'signature': 's'" in text) is (service == "anthropic")
    if service == "openai":
        assert [each.get("tool_call_id") for each in messages[-2:]] == ["call_1", "call_2"]
    elif service == "google":
        results = [part["functionResponse"] for part in messages[-1]["parts"]]
        assert [each["id"] for each in results] == ["call_1", "call_2"]
        assert "Not JSON." in str(results[1])
    else:
        results = messages[-1]["content"]
        assert [each["tool_use_id"] for each in results] == ["call_1", "call_2"]
        assert results[1]["is_error"] is True


async def test_thoughts_come_with_their_signature(server: ModelServer) -> None:
    _, whole = await asked(
        server,
        Think("Let me see.", "abc"),
        Say("Well."),
        service="anthropic",
        model="claude-sonnet-5",
    )
    thought, text = whole.parts
    assert thought == Thinking(text="Let me see.", signature="abc", provider="anthropic")
    assert text == Text(text="Well.")


@of_google
@pytest.mark.requirement("E13")
async def test_gemini_is_told_the_settings_in_its_own_words(server: ModelServer) -> None:
    _, whole = await asked(
        server, Think("Let me see."), Say("Well."), service="google", model="gemini-2.5-pro"
    )
    assert whole.taken == {"temperature": 0, "seed": 7, "max_tokens": 99}
    assert server.requests[0].headers["x-goog-api-key"] == "k"
    thought, text = whole.parts
    assert isinstance(thought, Thinking)
    assert (thought.text, thought.provider) == ("Let me see.", "google")
    assert text == Text(text="Well.")


@of_google
@pytest.mark.parametrize(
    ("fail", "kind"),
    [
        (Fail(429, headers={"retry-after": "7"}), RateLimitedError),
        (Fail(503), TransientError),
        (Fail(400), InvalidError),
        (Fail(401), DeniedError),
    ],
)
async def test_what_goes_wrong_at_gemini_is_put_into_our_words(
    server: ModelServer, fail: Fail, kind: type[ToolError]
) -> None:
    with pytest.raises(ToolError) as found:
        await asked(server, fail, service="google", model="gemini-2.5-pro")
    assert type(found.value) is kind
    assert len(server.requests) == 1, "the engine retries, nobody else"


async def test_an_event_that_is_no_json_is_transient(server: ModelServer) -> None:
    with pytest.raises(TransientError):
        await asked(server, Say("Well, "), Raw(b"data: {nonsense\n\n"))
