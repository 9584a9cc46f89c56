"""What is promised of every provider: each way of failing says whether anything was ordered."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest
from tests.unit.providers.cases import RETRY_AFTER, Case, Fault, Server, all_cases

from callsheet.errors import (
    DeniedError,
    FatalError,
    InvalidError,
    NotDoneError,
    RateLimitedError,
    TransientError,
)
from callsheet_studio.providers.catalogue import services

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from callsheet_studio.providers.port import Progress, Provider

pytestmark = pytest.mark.requirement("P11")

CASES = all_cases()
LOOKS = 50
"""After so many an order is made, or never."""


def of(cases: list[Case]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("case", cases, ids=lambda case: case.name)


def where(*happens: Fault) -> pytest.MarkDecorator:
    """The providers with which all of this can happen."""
    return of([case for case in CASES if not case.lacks & set(happens)])


@asynccontextmanager
async def opened(case: Case) -> AsyncIterator[tuple[Server, Provider]]:
    async with case.start_server() as server:
        provider = case.open(server.base_url)
        try:
            yield server, provider
        finally:
            await provider.close()


async def submit(case: Case, provider: Provider, token: str = "run:step") -> str:
    return await provider.submit(case.order, case.picture, token)


async def end_of(provider: Provider, job: str) -> Progress:
    for _ in range(LOOKS):
        progress = await provider.look(job)
        if progress.state in {"made", "failed"}:
            return progress
    raise AssertionError(f"{job} is still not made")


@of(CASES)
async def test_what_is_ordered_is_made_and_fetched(case: Case) -> None:
    async with opened(case) as (server, provider):
        job = await submit(case, provider)
        progress = await end_of(provider, job)
        assert progress.state == "made"
        assert await provider.fetch(progress.place) == server.made
        assert len(server.orders) == 1


@of(CASES)
async def test_it_is_named_as_the_offers_call_it(case: Case) -> None:
    async with opened(case) as (_, provider):
        assert provider.name in {name for each in services() for name in each.offered_as}


@where("rate_limited")
async def test_too_many_calls_say_when_to_come_back_and_order_nothing(case: Case) -> None:
    async with opened(case) as (server, provider):
        server.break_with("rate_limited")
        with pytest.raises(RateLimitedError) as caught:
            await submit(case, provider)
        assert caught.value.retry_after == RETRY_AFTER
        assert server.orders == []
        await submit(case, provider)
        assert len(server.orders) == 1


@where("server_error")
async def test_a_broken_server_is_tried_once_and_may_work_later(case: Case) -> None:
    async with opened(case) as (server, provider):
        server.break_with("server_error")
        with pytest.raises(TransientError):
            await submit(case, provider)
        assert server.orders == []
        await submit(case, provider)
        assert len(server.orders) == 1


@where("bad_key", "no_balance")
@pytest.mark.parametrize("fault", ["bad_key", "no_balance"])
async def test_a_key_or_a_balance_that_does_not_do_is_denied(case: Case, fault: Fault) -> None:
    async with opened(case) as (server, provider):
        server.break_with(fault)
        with pytest.raises(DeniedError) as caught:
            await submit(case, provider)
        assert caught.value.message
        assert server.orders == []


@where("refused")
async def test_what_is_refused_says_so_in_the_providers_words(case: Case) -> None:
    async with opened(case) as (server, provider):
        server.break_with("refused")
        if case.refuses_at_once:
            with pytest.raises(InvalidError) as caught:
                await submit(case, provider)
            assert caught.value.message
            assert server.orders == []
        else:
            progress = await end_of(provider, await submit(case, provider))
            assert (progress.state, progress.refused) == ("failed", True)
            assert progress.why


@where("lost_answer")
async def test_a_lost_answer_never_says_that_nothing_was_ordered(case: Case) -> None:
    async with opened(case) as (server, provider):
        server.break_with("lost_answer")
        # Which error it is depends on the SDK.
        with pytest.raises(Exception) as caught:  # noqa: PT011
            await submit(case, provider)
        assert not getattr(caught.value, "nothing_happened", False)
        assert not isinstance(caught.value, ConnectionRefusedError)
        assert len(server.orders) == 1


@of([case for case in CASES if case.knows_tokens])
async def test_the_same_token_is_the_same_order_where_tokens_are_known(case: Case) -> None:
    async with opened(case) as (server, provider):
        first = await submit(case, provider, "run:step")
        assert await submit(case, provider, "run:step") == first
        await submit(case, provider, "run:other")
        assert len(server.orders) == 2


@where("slow")
async def test_a_slow_order_tells_how_far_it_is(case: Case) -> None:
    async with opened(case) as (server, provider):
        server.break_with("slow")
        job = await submit(case, provider)
        first = await provider.look(job)
        assert first.state in {"waiting", "working"}
        progress, shares = first, [first.share]
        for _ in range(LOOKS):
            progress = await provider.look(job)
            shares.append(progress.share)
            if progress.state == "made":
                break
        told = [share for share in shares if share is not None]
        assert all(0 <= share <= 1 for share in told)
        assert told == sorted(told)
        assert progress.state == "made"


@where("expired")
async def test_an_address_that_has_expired_is_asked_for_again(case: Case) -> None:
    async with opened(case) as (server, provider):
        job = await submit(case, provider)
        progress = await end_of(provider, job)
        server.break_with("expired")
        with pytest.raises(NotDoneError):
            await provider.fetch(progress.place)
        again = await end_of(provider, job)
        assert await provider.fetch(again.place) == server.made
        assert len(server.orders) == 1


@where("server_error", "slow")
async def test_a_server_that_cannot_be_asked_now_is_asked_later(case: Case) -> None:
    async with opened(case) as (server, provider):
        job = await submit(case, provider)
        server.break_with("server_error")
        with pytest.raises(TransientError):
            await provider.look(job)
        assert (await end_of(provider, job)).state == "made"


@where("unknown_job")
async def test_an_order_that_is_not_known_any_more_is_final(case: Case) -> None:
    async with opened(case) as (server, provider):
        job = await submit(case, provider)
        server.break_with("unknown_job")
        with pytest.raises(FatalError):
            await provider.look(job)


@of(CASES)
async def test_an_order_can_be_cancelled(case: Case) -> None:
    async with opened(case) as (server, provider):
        job = await submit(case, provider)
        await provider.cancel(job)
        assert server.cancelled == (server.orders if case.cancels else [])


@of(CASES)
async def test_nobody_there_means_nothing_ordered(case: Case) -> None:
    async with opened(case) as (server, _):
        address = server.base_url
    provider = case.open(address)
    try:
        with pytest.raises(NotDoneError):
            await submit(case, provider)
    finally:
        await provider.close()
