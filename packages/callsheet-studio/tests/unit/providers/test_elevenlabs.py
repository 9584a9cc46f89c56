"""ElevenLabs' speech: what is sent, what its history is for, and what is in doubt."""

from __future__ import annotations

import sys
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import httpx
import pytest
from tests.providers import media
from tests.providers.elevenlabs import ElevenLabsService
from tests.providers.service import KEY, serving
from tests.unit.providers.case_speech import ELEVEN as LINE
from tests.unit.providers.odd import EMPTY, HALF, SILENCE, answering, saying

from callsheet.errors import (
    DeniedError,
    FatalError,
    InputError,
    InvalidError,
    NotDoneError,
    TransientError,
)
from callsheet_studio.providers import elevenlabs, held
from callsheet_studio.providers.elevenlabs import open_provider
from callsheet_studio.providers.heard import samples_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from callsheet_studio.providers.port import Provider

pytestmark = pytest.mark.requirement("P11")


@asynccontextmanager
async def at(address: str, key: str = KEY) -> AsyncIterator[Provider]:
    provider = open_provider(key, address)
    try:
        yield provider
    finally:
        await provider.close()


@asynccontextmanager
async def opened() -> AsyncIterator[tuple[ElevenLabsService, Provider]]:
    server = ElevenLabsService()
    async with serving(server), at(server.base_url) as provider:
        yield server, provider


async def test_a_spoken_line_can_be_heard() -> None:
    async with opened() as (_, provider):
        job = await provider.submit(LINE, None, "run:step")
        said = await provider.fetch((await provider.look(job)).place)
        assert samples_of(said).size / 48_000 == pytest.approx(media.SECONDS, abs=0.06)


@pytest.mark.parametrize(
    ("model", "language", "told"),
    [
        ("eleven_v3", "de-AT", "de"),
        ("eleven_flash_v2_5", "", None),
        ("eleven_multilingual_v2", "de-AT", None),
    ],
)
async def test_a_model_is_told_the_language_if_it_takes_one(
    model: str, language: str, told: str | None
) -> None:
    order = LINE.model_copy(update={"model": model, "language": language})
    async with opened() as (server, provider):
        await provider.submit(order, None, "run:step")
        assert server.requests[-1].json["language_code"] == told


async def test_another_process_finds_what_was_said_in_the_history_and_pays_nothing() -> None:
    async with opened() as (server, provider):
        first = await provider.submit(LINE, None, "run:step")
        await provider.submit(LINE, None, "run:other")
        async with at(server.base_url) as other:
            progress = await other.look(first)
            assert progress.state == "made"
            assert await other.fetch(progress.place) == server.made
        assert server.requests[-1].path == f"/v1/history/item_{first}/audio"
        assert len(server.orders) == 2


async def test_what_is_in_no_history_is_not_known_any_more() -> None:
    async with opened() as (server, provider):
        job = await provider.submit(LINE, None, "run:step")
        server.break_with("unknown_job")
        async with at(server.base_url) as other:
            with pytest.raises(FatalError, match="may have been paid"):
                await other.look(job)
            with pytest.raises(NotDoneError, match="look again"):
                await other.fetch(job)


async def test_what_was_taken_out_of_the_history_is_not_known_any_more() -> None:
    async with opened() as (server, provider):
        job = await provider.submit(LINE, None, "run:step")
        server.deleted.add(job)
        async with at(server.base_url) as other:
            with pytest.raises(FatalError):
                await other.look(job)


async def test_an_answer_without_an_id_is_held_under_one_of_ours() -> None:
    async with opened() as (server, provider):
        server.names_requests = False
        job = await provider.submit(LINE, None, "run:step")
        assert await provider.submit(LINE, None, "run:step") == job
        assert await provider.fetch((await provider.look(job)).place) == server.made
        async with at(server.base_url) as other:
            with pytest.raises(FatalError):
                await other.look(job)
        assert len(server.orders) == 1


async def test_a_history_that_cannot_be_asked_now_is_asked_later() -> None:
    async with opened() as (server, provider):
        job = await provider.submit(LINE, None, "run:step")
        async with at(server.base_url) as other:
            server.break_with("server_error")
            with pytest.raises(TransientError):
                await other.look(job)
            assert len(server.requests) == 2
            place = (await other.look(job)).place
            server.withholds = 1
            with pytest.raises(NotDoneError):
                await other.fetch(place)
            server.break_with("server_error")
            with pytest.raises(NotDoneError):
                await other.fetch(place)
            assert await other.fetch(place) == server.made


async def test_a_history_that_the_key_may_not_see_is_the_end() -> None:
    async with opened() as (server, _), at(server.base_url, "xi-secret") as provider:
        with pytest.raises(FatalError, match="Invalid API key") as caught:
            await provider.look("request")
        assert "xi-secret" not in caught.value.message


async def test_a_history_that_nobody_answers_for_is_asked_later() -> None:
    async with opened() as (server, _):
        address = server.base_url
    async with at(address) as provider:
        with pytest.raises(TransientError):
            await provider.look("request")
        with pytest.raises(NotDoneError):
            await provider.fetch("history/item")


@pytest.mark.parametrize("place", ["history/../user", "history/", "history/a?b"])
async def test_a_place_that_is_no_item_is_not_asked_for(place: str) -> None:
    async with opened() as (server, provider):
        with pytest.raises(NotDoneError):
            await provider.fetch(place)
        assert server.requests == []


@pytest.mark.parametrize(
    "change",
    [{"model": "eleven_v1"}, {"text": "x" * 5001}, {"voice": "nobody"}],
    ids=["model", "too long", "voice"],
)
async def test_what_the_service_does_not_say_is_never_ordered(change: dict[str, object]) -> None:
    async with opened() as (server, provider):
        with pytest.raises(InvalidError, match="ElevenLabs answered 4"):
            await provider.submit(LINE.model_copy(update=change), None, "run:step")
        assert server.orders == []


@pytest.mark.parametrize(
    "change", [{"kind": "clip"}, {"voice": ""}, {"voice": "../user"}], ids=["clip", "none", "path"]
)
async def test_what_it_cannot_say_is_not_even_asked_for(change: dict[str, object]) -> None:
    async with opened() as (server, provider):
        with pytest.raises(InvalidError):
            await provider.submit(LINE.model_copy(update=change), None, "run:step")
        with pytest.raises(InvalidError):
            await provider.submit(LINE, b"picture", "run:step")
        assert server.requests == []


@pytest.mark.parametrize("answer", [HALF, EMPTY], ids=["half", "empty"])
async def test_an_answer_that_is_not_whole_is_in_doubt(answer: bytes) -> None:
    async with answering(answer) as (address, asked), at(address) as provider:
        with pytest.raises(TransientError) as caught:
            await provider.submit(LINE, None, "run:step")
        assert not caught.value.nothing_happened
        assert len(asked) == 1


async def test_an_answer_that_does_not_come_is_in_doubt(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(elevenlabs, "_PATIENCE", 0.05)
    async with answering(SILENCE) as (address, asked), at(address) as provider:
        with pytest.raises(TransientError, match="lost") as caught:
            await provider.submit(LINE, None, "run:step")
        assert not caught.value.nothing_happened
        assert len(asked) == 1


@pytest.mark.parametrize("body", ['{"detail": [{"msg": "odd"}]}', '"odd"', "odd"])
async def test_a_complaint_is_understood_in_every_form(body: str) -> None:
    async with answering(saying(body, "422 Odd")) as (address, _), at(address) as provider:
        with pytest.raises(InvalidError, match=r"ElevenLabs answered 422: .*odd"):
            await provider.submit(LINE, None, "run:step")


async def test_a_redirect_gets_neither_the_order_nor_the_key() -> None:
    async with answering(EMPTY) as (elsewhere, asked_there):
        moved = saying("{}", "307 Temporary Redirect", location=elsewhere)
        async with answering(moved) as (address, _), at(address) as provider:
            with pytest.raises(DeniedError, match="307"):
                await provider.submit(LINE, None, "run:step")
        assert asked_there == []


async def test_an_address_takes_a_connection_soon_or_never(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[dict[str, float]] = []
    send = httpx.AsyncHTTPTransport.handle_async_request

    async def seen(self: httpx.AsyncHTTPTransport, request: httpx.Request) -> httpx.Response:
        waits.append(request.extensions["timeout"])
        return await send(self, request)

    monkeypatch.setattr(httpx.AsyncHTTPTransport, "handle_async_request", seen)
    async with opened() as (_, provider):
        await provider.submit(LINE, None, "run:step")
    assert [(each["connect"], each["read"]) for each in waits] == [(10.0, 120.0)]


async def test_nothing_is_ordered_while_too_much_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(held, "MOST", 1)
    async with opened() as (server, provider):
        job = await provider.submit(LINE, None, "run:step")
        with pytest.raises(NotDoneError, match="not fetched yet"):
            await provider.submit(LINE, None, "run:other")
        assert len(server.requests) == 1
        await provider.cancel(job)
        await provider.submit(LINE, None, "run:other")
        assert len(server.orders) == 2


async def test_an_address_that_is_none_is_told_and_nothing_is_in_doubt() -> None:
    async with at("nowhere") as provider:
        with pytest.raises(DeniedError, match="no such address"):
            await provider.submit(LINE, None, "run:step")


def test_a_missing_package_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "elevenlabs.client", None)
    with pytest.raises(InputError, match=r"pip install 'callsheet-studio\[providers\]'"):
        open_provider(KEY)
