"""What is promised of the services that make clips, beside the contract of all."""

from __future__ import annotations

import socket
import sys
import warnings
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, cast

import pytest
from tests.providers.service import KEY, Service
from tests.unit.providers import case_fal, case_luma, case_replicate, case_runway, case_veo
from tests.unit.providers.loopback import LeftLoopbackError

from callsheet.errors import InputError, InvalidError, RateLimitedError, TransientError
from callsheet_studio.providers import fal, luma, replicate, runway, veo

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from tests.unit.providers.cases import Case

    from callsheet_studio.providers.port import Provider

pytestmark = pytest.mark.requirement("P11")

CASES = [
    each
    for module in (case_fal, case_luma, case_replicate, case_runway, case_veo)
    for each in module.CASES
]
DOORS: dict[str, tuple[Callable[[str], Provider], str, str]] = {
    "fal": (fal.open_provider, "queue.fal.run", "fal_client.auth"),
    "luma": (luma.open_provider, "agents.lumalabs.ai", "luma_agents"),
    "replicate": (replicate.open_provider, "api.replicate.com", "replicate"),
    "runway": (runway.open_provider, "api.dev.runwayml.com", "runwayml"),
    "veo": (veo.open_provider, "aiplatform.googleapis.com", "google.genai"),
}
"""How each is opened, where it is, and with which package."""


@pytest.fixture(params=CASES, ids=[case.name for case in CASES])
def case(request: pytest.FixtureRequest) -> Case:
    return cast("Case", request.param)


@asynccontextmanager
async def opened(case: Case) -> AsyncIterator[tuple[Service, Provider]]:
    async with case.start_server() as server:
        assert isinstance(server, Service)
        provider = case.open(server.base_url)
        try:
            yield server, provider
        finally:
            await provider.close()


@pytest.mark.parametrize("status", [408, 429, 500, 503])
async def test_nothing_is_tried_twice_by_an_sdk(case: Case, status: int) -> None:
    async with opened(case) as (server, provider):
        job = await provider.submit(case.order, case.picture, "token")
        server.always = status
        server.requests.clear()
        with pytest.raises(TransientError) as caught:
            await provider.look(job)
        assert (len(server.requests), caught.value.nothing_happened) == (1, False)
        with pytest.raises((RateLimitedError, TransientError)):
            await provider.submit(case.order, case.picture, "token")
        assert len(server.requests) == 2


@pytest.mark.parametrize(
    "change",
    [{"kind": "speech", "voice": "hers"}, {"seconds": 3.7}, {"model": "makers/nothing"}],
    ids=["speech", "length", "model"],
)
async def test_what_it_does_not_make_is_a_wrong_order(case: Case, change: dict[str, str]) -> None:
    order = case.order.model_copy(update=change)
    async with opened(case) as (server, provider):
        with pytest.raises(InvalidError):
            await provider.submit(order, case.picture, "token")
        assert server.orders == []


async def test_a_shape_that_it_does_not_make_is_a_wrong_order(case: Case) -> None:
    order = case.order.model_copy(update={"width": 100, "height": 1000})
    async with opened(case) as (server, provider):
        if case.name == "fal":
            order = order.model_copy(update={"model": "bytedance/seedance-2.0/text-to-video"})
            case = replace(case, picture=None)
        with pytest.raises(InvalidError, match="100x1000"):
            await provider.submit(order, case.picture, "token")
        assert server.orders == []


async def test_a_first_frame_that_is_no_picture_is_not_sent(case: Case) -> None:
    async with opened(case) as (server, provider):
        with pytest.raises(InvalidError, match="neither PNG nor JPEG"):
            await provider.submit(case.order, b"GIF89a", "token")
        assert server.orders == []


async def test_without_an_address_the_services_own_is_asked(case: Case) -> None:
    open_provider, host, _ = DOORS[case.name]
    # See `case_veo`.
    with warnings.catch_warnings(action="ignore"):
        provider = open_provider(KEY)
    with pytest.raises(LeftLoopbackError, match=host):
        await provider.submit(case.order, case.picture, "token")
    await provider.close()


def test_a_damaged_key_is_found_before_it_is_sent(case: Case) -> None:
    open_provider, _, _ = DOORS[case.name]
    with (
        warnings.catch_warnings(action="ignore"),
        pytest.raises(InputError, match="empty or damaged"),
    ):
        open_provider("two words")


def test_a_package_that_is_missing_is_named(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    open_provider, _, package = DOORS[case.name]
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(InputError, match=r"pip install 'callsheet-studio\[providers\]'"):
        open_provider(KEY)


def test_the_guard_of_these_tests_lets_nothing_out() -> None:
    with pytest.raises(LeftLoopbackError), socket.socket() as out:
        out.connect(("192.0.2.1", 443))
    with pytest.raises(LeftLoopbackError):
        socket.getaddrinfo("example.com", 443)
