"""OpenAI's pictures and speech: what is sent, what becomes of it, and what is in doubt."""

from __future__ import annotations

import sys
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest
from tests.providers import media
from tests.providers.openai import OWN_VOICE, OpenAIService
from tests.providers.service import KEY, serving
from tests.unit.providers.case_speech import LINE, STILL
from tests.unit.providers.odd import EMPTY, HALF, SILENCE, answering, saying

from callsheet.errors import (
    DeniedError,
    FatalError,
    InputError,
    InvalidError,
    NotDoneError,
    TransientError,
)
from callsheet_studio.providers import held, openai
from callsheet_studio.providers.heard import samples_of
from callsheet_studio.providers.openai import open_provider, size_for

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from callsheet_studio.providers.port import Order, Provider

pytestmark = pytest.mark.requirement("P11")


@asynccontextmanager
async def at(address: str, key: str = KEY) -> AsyncIterator[Provider]:
    provider = open_provider(key, f"{address}/v1")
    try:
        yield provider
    finally:
        await provider.close()


@asynccontextmanager
async def opened() -> AsyncIterator[tuple[OpenAIService, Provider]]:
    server = OpenAIService()
    async with serving(server), at(server.base_url) as provider:
        yield server, provider


async def made_of(provider: Provider, order: Order, picture: bytes | None = None) -> bytes:
    job = await provider.submit(order, picture, "run:step")
    return await provider.fetch((await provider.look(job)).place)


async def test_a_still_is_a_picture_of_the_size_that_was_ordered() -> None:
    async with opened() as (_, provider):
        assert media.size_of(await made_of(provider, STILL)) == (1280, 720)


async def test_a_spoken_line_can_be_heard() -> None:
    async with opened() as (_, provider):
        assert samples_of(await made_of(provider, LINE)).size == 48_000 * media.SECONDS


async def test_a_voice_of_ones_own_is_sent_as_an_id() -> None:
    async with opened() as (server, provider):
        await made_of(provider, LINE.model_copy(update={"voice": OWN_VOICE}))
        assert server.requests[-1].json["voice"] == {"id": OWN_VOICE}


@pytest.mark.parametrize(
    ("model", "size", "asked"),
    [
        ("gpt-image-2", (1280, 720), "1280x720"),
        ("gpt-image-2-2026-04-21", (1920, 1080), "1920x1088"),
        ("gpt-image-2.5-flare", (1080, 1920), "1088x1920"),
        ("gpt-image-2.5-sunburst", (3840, 2160), "3840x2160"),
        ("gpt-image-2", (7680, 4320), "3840x2160"),
        ("gpt-image-2", (5000, 5000), "2160x2160"),
        ("gpt-image-2.6-flare", (1920, 1080), "1536x1024"),
        ("gpt-image-1.5", (1080, 1920), "1024x1536"),
        ("gpt-image-1-mini", (1080, 1080), "1024x1024"),
    ],
)
async def test_a_size_is_one_that_the_model_makes(
    model: str, size: tuple[int, int], asked: str
) -> None:
    width, height = size
    order = STILL.model_copy(update={"model": model, "width": width, "height": height})
    assert size_for(order) == asked


@pytest.mark.parametrize(
    "change",
    [
        {"model": "gpt-image-1"},
        {"text": "x" * 32_001},
        {"width": 4000, "height": 720},
    ],
    ids=["retired", "too long", "too wide"],
)
async def test_what_the_service_does_not_make_is_never_ordered(change: dict[str, object]) -> None:
    async with opened() as (server, provider):
        with pytest.raises(InvalidError, match="OpenAI answered 4"):
            await made_of(provider, STILL.model_copy(update=change))
        assert server.orders == []


@pytest.mark.parametrize(
    ("order", "picture"),
    [
        (STILL.model_copy(update={"kind": "clip"}), None),
        (STILL.model_copy(update={"width": 0}), None),
        (LINE.model_copy(update={"voice": ""}), None),
        (LINE, b"picture"),
    ],
    ids=["clip", "no size", "no voice", "picture"],
)
async def test_what_it_cannot_make_is_not_even_asked_for(
    order: Order, picture: bytes | None
) -> None:
    async with opened() as (server, provider):
        with pytest.raises(InvalidError):
            await provider.submit(order, picture, "run:step")
        assert server.requests == []


async def test_another_process_orders_nothing_and_says_what_it_does_not_know() -> None:
    async with opened() as (server, provider):
        job = await provider.submit(LINE, None, "run:step")
        async with at(server.base_url) as other:
            with pytest.raises(FatalError, match="may have been paid"):
                await other.look(job)
            with pytest.raises(NotDoneError, match="look again"):
                await other.fetch(job)
        assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("order", "answer"),
    [
        (LINE, HALF),
        (LINE, EMPTY),
        (STILL, HALF),
        (STILL, EMPTY),
        (STILL, saying('{"created": 1, "data": []}')),
        (STILL, saying('{"created": 1, "data": [{"b64_json": "-"}]}')),
    ],
    ids=["half", "no sound", "half a still", "empty", "no picture", "damaged"],
)
async def test_an_answer_that_is_not_whole_is_in_doubt(order: Order, answer: bytes) -> None:
    async with answering(answer) as (address, asked), at(address) as provider:
        # Which error it is depends on the SDK.
        with pytest.raises(Exception) as caught:  # noqa: PT011
            await provider.submit(order, None, "run:step")
        assert not getattr(caught.value, "nothing_happened", False)
        assert len(asked) == 1


async def test_an_answer_that_does_not_come_is_in_doubt(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openai, "_PATIENCE", 0.05)
    async with answering(SILENCE) as (address, asked), at(address) as provider:
        with pytest.raises(TransientError, match="lost") as caught:
            await provider.submit(STILL, None, "run:step")
        assert not caught.value.nothing_happened
        assert len(asked) == 1


async def test_a_redirect_gets_neither_the_order_nor_the_key() -> None:
    async with answering(EMPTY) as (elsewhere, asked_there):
        moved = saying("{}", "307 Temporary Redirect", location=elsewhere)
        async with answering(moved) as (address, _), at(address) as provider:
            with pytest.raises(DeniedError, match="307"):
                await provider.submit(STILL, None, "run:step")
        assert asked_there == []


async def test_a_wrong_key_is_not_told_to_anybody() -> None:
    async with opened() as (server, _), at(server.base_url, "sk-secret") as provider:
        with pytest.raises(DeniedError, match="Incorrect API key") as caught:
            await provider.submit(LINE, None, "run:step")
        assert "sk-secret" not in caught.value.message


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
    monkeypatch.setitem(sys.modules, "openai", None)
    with pytest.raises(InputError, match=r"pip install 'callsheet-studio\[providers\]'"):
        open_provider(KEY)
